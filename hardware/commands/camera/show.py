"""Shared output of ``camera`` and ``watch``: lines, a live view, a window, a picture file."""

from pathlib import Path
from typing import Self

import cv2
from rich.console import RenderableType
from rich.live import Live
from rich.text import Text

from hardware.camera.annotate import write_picture
from hardware.camera.setup.mark_pile import close_windows, no_window_error
from hardware.camera.setup.storage import SetupError
from hardware.camera.types import Picture
from hardware.commands import printable
from hardware.commands.output import complain, console, say

QUIT = "q"
_ESCAPE = 27


class LineDisplay:
    """Prints a line per event, and closes the window titled ``window`` at the end."""

    def __init__(self, command: str, window: str | None) -> None:
        self._command = command
        self.window = window
        self.view: LiveView | None = None

    def __enter__(self) -> Self:
        if self.view is not None:
            self.view.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.view is not None:
            self.view.stop()
        if self.window is not None:
            close_windows()

    def trouble(self, sentence: str | None) -> None:
        """Report the source's trouble; None once it is over."""
        if sentence is None:
            self.note("pictures come again")
        else:
            complain(self._command, sentence)

    def note(self, text: str) -> None:
        """Print a line for people."""
        say(text)


class LiveView:
    """Text on a terminal that is redrawn when it changes; a transient one is removed at the end."""

    def __init__(self, name: str, *, transient: bool) -> None:
        self._name = printable(name)
        self._live = Live(console=console(), refresh_per_second=8, transient=transient)

    def start(self) -> None:
        """Start the view."""
        self._live.start()
        self.wait()

    def stop(self) -> None:
        """Stop the view."""
        self._live.stop()

    def wait(self) -> None:
        """Show that no picture has come."""
        self.show(Text(f"{self._name}: waiting for a picture", "dim"))

    def show(self, what: RenderableType) -> None:
        """Replace the view's content."""
        self._live.update(what)

    def above(self, line: str | Text) -> None:
        """Print a permanent line above it."""
        text = Text(printable(line)) if isinstance(line, str) else line
        self._live.console.print(text, soft_wrap=True)


def pressed(window: str) -> str:
    """Return the pressed key, ``QUIT`` if the window was closed. Raises cv2.error without one."""
    key = cv2.waitKey(1) & 0xFF
    closed = cv2.getWindowProperty(window, cv2.WND_PROP_VISIBLE) < 1
    if closed or key == _ESCAPE:
        return QUIT
    return "" if key == 0xFF else chr(key)


def show_in(window: str, picture: Picture) -> str:
    """Show a picture in a window; return the pressed key. Raises SetupError."""
    try:
        cv2.imshow(window, picture)
        return pressed(window)
    except cv2.error:
        raise no_window_error() from None


def save(path: Path, picture: Picture) -> None:
    """Write a picture to a file. Raises SetupError."""
    try:
        write_picture(path, picture)
    except OSError as error:
        raise SetupError(f"{path} cannot be written: {error.strerror or error}") from None
