"""How ``referee-table camera`` shows what it finds: lines, JSON, a live table, a window, a file."""

import argparse
import json
import sys
import time
from types import TracebackType
from typing import Literal, Self

import cv2
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from hardware.camera.cards import Corners, Picture
from hardware.camera.picture import write_picture
from hardware.camera.setup.mark import click_pile, close_windows, no_window
from hardware.camera.setup.memory import SetupError
from hardware.camera.setup.preview import annotate
from hardware.camera.setup.session import Report
from hardware.camera.source import Frame
from hardware.gateway.commands.output import complain, console, printable, say

MARKS = {
    "ok": ("OK", "green"),
    "warning": ("warning", "yellow"),
    "problem": ("problem", "bold red"),
}
PREVIEW_EVERY = 1.0
_TITLE = "referee-table camera (p: mark the pile, q: end)"
_ESCAPE = 27

Asked = Literal["quit"] | Corners | None


class Shown:
    """What a person or a program gets to see. This one writes a line for each change.

    Args:
        args: the command's flags.
        name: what to call the camera.
    """

    def __init__(self, args: argparse.Namespace, name: str) -> None:
        self._args, self._name = args, name
        self._last: list[str] = []
        self._previewed = float("-inf")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._args.window:
            close_windows()

    def show(self, frame: Frame, report: Report) -> Asked:
        """Show a picture's report; what the person at the window wants."""
        self._tell(report)
        wanted = self._args.preview is not None
        due = wanted and (self._args.once or time.monotonic() - self._previewed >= PREVIEW_EVERY)
        if not (due or self._args.window):
            return None
        picture = annotate(frame.picture, report)
        if due:
            self._write(picture)
        return self._window(frame.picture, picture) if self._args.window else None

    def trouble(self, sentence: str | None) -> None:
        """The source has trouble, or has it no more."""
        if sentence is None:
            self.note("pictures come again")
        else:
            complain("camera", sentence)

    def note(self, text: str) -> None:
        """Something that happened once."""
        if not self._args.json:
            say(text)

    def _tell(self, report: Report) -> None:
        if self._args.once:
            return
        if report.followed.moved_by:
            self.note(moved(report))
        lines = [line.plain for line in finding_lines(report)]
        if lines != self._last:
            self._last = lines
            for line in lines:
                say(line)

    def _write(self, picture: Picture) -> None:
        try:
            write_picture(self._args.preview, picture)
        except OSError as error:
            raise SetupError(
                f"{self._args.preview} cannot be written: {error.strerror or error}"
            ) from None
        self._previewed = time.monotonic()

    def _window(self, picture: Picture, annotated: Picture) -> Asked:
        try:
            cv2.imshow(_TITLE, annotated)
            key = cv2.waitKey(1) & 0xFF
            closed = cv2.getWindowProperty(_TITLE, cv2.WND_PROP_VISIBLE) < 1
        except cv2.error:
            raise no_window() from None
        if closed or key in (_ESCAPE, ord("q")):
            return "quit"
        return click_pile(picture) if key == ord("p") else None


class _Json(Shown):
    """A line of JSON whenever what is found changes, and at least every second."""

    _told = float("-inf")

    def _tell(self, report: Report) -> None:
        if self._args.once:  # the end of it is told by itself
            return
        keys = [line.plain for line in finding_lines(report)] + [report.followed.state]
        now = time.monotonic()
        if keys != self._last or report.followed.moved_by or now - self._told >= 1.0:
            self._last, self._told = keys, now
            print(json.dumps(report.to_json(), ensure_ascii=False), flush=True)  # noqa: T201


class _Table(Shown):
    """A live view on a terminal."""

    def __init__(self, args: argparse.Namespace, name: str) -> None:
        super().__init__(args, name)
        self._live = Live(console=console(), refresh_per_second=8)
        self._trouble: str | None = None
        self._notes: list[str] = []

    def __enter__(self) -> Self:
        self._live.start()
        self._live.update(Text(f"{printable(self._name)}: waiting for a picture"))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()
        super().__exit__(kind, error, trace)

    def trouble(self, sentence: str | None) -> None:
        self._trouble = sentence
        if sentence is not None:
            self._live.update(Text(printable(sentence), "bold red"))

    def note(self, text: str) -> None:
        self._notes = [*self._notes[-2:], f"{time.strftime('%H:%M:%S')}  {text}"]

    def _tell(self, report: Report) -> None:
        if report.followed.moved_by:
            self.note(moved(report))
        parts: list[RenderableType] = [Text(printable(self._name), "bold"), Text(numbers(report))]
        parts += finding_lines(report)
        parts += [Text(printable(note), "dim") for note in self._notes]
        self._live.update(Group(*parts))


def make_shown(args: argparse.Namespace, name: str) -> Shown:
    """The way of showing that the flags and the terminal ask for."""
    if args.json:
        return _Json(args, name)
    if sys.stdout.isatty() and not args.once:
        return _Table(args, name)
    return Shown(args, name)


def finding_lines(report: Report) -> list[Text]:
    """A line for each finding and one for what to do about it."""
    lines = []
    for finding in report.findings:
        mark, style = MARKS[finding.level]
        lines.append(
            Text.assemble((f"{mark:8}", style), (finding.about, "bold"), f": {finding.text}")
        )
        if finding.advice:
            lines.append(Text(f"{'':8}→ {finding.advice}", "dim"))
    return lines


def moved(report: Report) -> str:
    """That the camera was moved."""
    return (
        f"the camera or the mat was moved; the pile is followed, {report.followed.moved_by:.0f} "
        "pixels from where it was"
    )


def numbers(report: Report) -> str:
    """What is measured, in a line."""
    mat, width_height = report.conditions.mat, f"{report.size[0]} × {report.size[1]} pixels"
    if mat is None:
        return f"{width_height}, {report.followed.state}"
    return (
        f"{width_height}, {report.followed.state}; mat {mat.paper.upper()}: {mat.seen} of "
        f"{mat.tags} squares, a card {mat.card:.0f} pixels wide, {mat.tilt:.0f}° from above, "
        f"paper at {mat.white:.0f} of 255"
    )
