"""What ``camera`` and ``watch`` share in showing: lines, a live view, a window, a picture file."""

from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
from rich.console import RenderableType
from rich.live import Live
from rich.text import Text

from hardware.camera.annotate import write_picture
from hardware.camera.setup.mark_pile import close_windows
from hardware.camera.setup.storage import SetupError
from hardware.camera.types import Picture
from hardware.commands.output import complain, console, printable, say

QUIT = "q"
_ESCAPE = 27


class Lines:
    """Tells people what happens, a line each; closes the window, if there is one, at the end.

    Args:
        command: The command's name.
        window: What the window is called; None: there is none.

    Attributes:
        view: What is shown on a terminal besides, from the ``with`` on; None where there is none.
    """

    def __init__(self, command: str, window: str | None) -> None:
        self._command = command
        self.window = window
        self.view: View | None = None

    def __enter__(self) -> Self:
        if self.view is not None:
            self.view.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.view is not None:
            self.view.stop()
        if self.window is not None:
            close_windows()

    def trouble(self, sentence: str | None) -> None:
        """The source has trouble, or has it no more."""
        if sentence is None:
            self.note("pictures come again")
        else:
            complain(self._command, sentence)

    def note(self, text: str) -> None:
        """Something that happened once, for people."""
        say(text)


class View:
    """Something on a terminal that is written anew whenever it changes.

    Args:
        name: What to call the camera.
        transient: Whether it vanishes at the end.
    """

    def __init__(self, name: str, *, transient: bool) -> None:
        self._name = printable(name)
        self._live = Live(console=console(), refresh_per_second=8, transient=transient)

    def start(self) -> None:
        """Begin, with no picture yet."""
        self._live.start()
        self.wait()

    def stop(self) -> None:
        """Leave the terminal to others."""
        self._live.stop()

    def wait(self) -> None:
        """There is no picture."""
        self.show(Text(f"{self._name}: waiting for a picture", "dim"))

    def show(self, what: RenderableType) -> None:
        """This and nothing else."""
        self._live.update(what)

    def above(self, line: str | Text) -> None:
        """A line that stays, above it."""
        text = Text(printable(line)) if isinstance(line, str) else line
        self._live.console.print(text, soft_wrap=True)


def pressed(window: str) -> str:
    """The key that was pressed at the window, if any; ``QUIT`` also where it was closed.

    Raises:
        cv2.error: This OpenCV cannot open windows.
    """
    key = cv2.waitKey(1) & 0xFF
    closed = cv2.getWindowProperty(window, cv2.WND_PROP_VISIBLE) < 1
    if closed or key == _ESCAPE:
        return QUIT
    return "" if key == 0xFF else chr(key)


def save(path: Path, picture: Picture) -> None:
    """Write a picture to a file. Raises SetupError."""
    try:
        write_picture(path, picture)
    except OSError as error:
        raise SetupError(f"{path} cannot be written: {error.strerror or error}") from None
