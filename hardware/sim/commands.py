"""Script lines as another program says them, and what is answered."""

import json

from hardware.sim.ports import PortError
from hardware.sim.script import Line, Script, parse_line
from hardware.sim.steps import StepError
from hardware.sim.virtual_board import VirtualBoard


def answer(board: VirtualBoard, text: str) -> str:
    """Do what a line says; ``ok`` and what was asked for, or ``error`` and why not.

    A line is a step of a script; with ``at`` (since the board began) or ``after`` (from now on) it
    happens then, and what goes wrong then is not told. ``state`` asks for everything that is to be
    seen, as JSON in the same line; ``port`` for what a host opens.
    """
    words = text.partition("#")[0].split()
    if not words:
        return "ok"
    if words == ["state"]:
        return f"ok {json.dumps(board.view().as_dict())}"
    if words == ["port"]:
        return f"ok {board.port.url}"
    try:
        at_ms, step = parse_line(words, 0.0, board.powers, board.seats)
        if words[0] in ("at", "after"):
            from_now = at_ms if words[0] == "after" else max(0.0, at_ms - board.now())
            Script((Line(1, from_now, text, step),)).run(board)
        else:
            step(board)
    except (StepError, PortError) as error:
        return f"error {error}"
    return "ok"
