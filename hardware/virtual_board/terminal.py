"""A virtual board in a terminal: a live picture, and keys."""

import contextlib
import os
import re
import select
import termios
import tty
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.keys import HELP, Keys
from hardware.virtual_board.picture import picture

LOOK_AGAIN_S = 0.25
# What arrow keys and their like send; none of them means anything here.
SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.)?")


def play(board: VirtualBoard, console: Console, keyboard: int) -> None:
    """Show the board and obey keys until one says quit or the terminal closes.

    Args:
        board: The board, running.
        console: Where the picture goes. On a terminal that can only append lines a new one follows
            each key.
        keyboard: The descriptor of the terminal that keys come from.
    """
    keys = Keys(board)
    with _each_key(keyboard):
        if console.is_dumb_terminal or not console.is_terminal:
            console.print(_screen(board, keys, console))
            while _obey(keyboard, keys, None):
                console.print(_screen(board, keys, console))
            return
        with Live(console=console, auto_refresh=False) as live:
            live.update(_screen(board, keys, console), refresh=True)
            while _obey(keyboard, keys, LOOK_AGAIN_S):
                live.update(_screen(board, keys, console), refresh=True)


def _screen(board: VirtualBoard, keys: Keys, console: Console) -> RenderableType:
    plain = not console.encoding.lower().startswith("utf")
    return Group(
        Text(board.port.url, "bold"),
        picture(board.view(), board.seats, keys.chosen, plain),
        Text(f"> {keys.said}" if keys.said else ">", "bold"),
        Text(HELP, "dim"),
    )


def _obey(keyboard: int, keys: Keys, seconds: float | None) -> bool:
    if not select.select([keyboard], [], [], seconds)[0]:
        return True
    try:
        pressed = os.read(keyboard, 64).decode("utf-8", "replace")
    except OSError:
        return False
    return bool(pressed) and all(keys.press(key) for key in SEQUENCE.sub("", pressed))


@contextlib.contextmanager
def _each_key(keyboard: int) -> Iterator[None]:
    """The terminal gives each key at once and does not show it; afterwards it is as before."""
    try:
        before = termios.tcgetattr(keyboard)
        tty.setcbreak(keyboard)
    except termios.error:  # it is no terminal, or closed already; reading tells
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
