"""Script lines as another program says them, and what is answered."""

import json

from hardware.virtual_board import timeline
from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.steps import parse_step


def answer(board: VirtualBoard, text: str) -> str:
    """Do what a line says; ``ok`` and what was asked for, or ``error`` and why not.

    A line is a step of a script; with ``at`` (since the board began) or ``after`` (from now on) it
    happens then, and what goes wrong then is not told. ``state`` asks for everything that is to be
    seen, as JSON in the same line; ``port`` for what a host opens.
    """
    words = text.partition("#")[0].split()
    if words == ["state"]:
        return f"ok {json.dumps(board.view().as_dict())}"
    if words == ["port"]:
        return f"ok {board.port.url}"
    return timeline.answer(board, text, lambda step: parse_step(step, board.powers, board.seats))
