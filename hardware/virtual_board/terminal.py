"""A virtual board in a terminal: a live view, and keys."""

import contextlib
import os
import re
import select
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.keys import HELP, Keys
from hardware.virtual_board.picture import picture

try:
    import termios
    import tty
except ImportError:  # as on Windows
    HAS_KEYS = False
else:
    HAS_KEYS = True

LOOK_AGAIN_S = 0.25
# Escape sequences of arrow keys and the like; they are ignored.
SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.)?")


def play(board: VirtualBoard, console: Console, keyboard: int) -> None:
    """Show the board and obey keys until one quits or the terminal closes.

    Args:
        board: The board, running.
        console: Where to draw. On a dumb terminal, each key appends a new view.
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
        Text(f"> {keys.message}" if keys.message else ">", "bold"),
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
    """Deliver each key at once and without echo; restore the terminal afterwards."""
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
