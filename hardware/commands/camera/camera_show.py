"""Output of ``referee-table camera``: lines, JSON, a live table, a window, a picture file."""

import argparse
import json
import sys
import time
from typing import Literal

import cv2
from rich.console import Group, RenderableType
from rich.text import Text

from hardware.camera.setup.mark_pile import click_pile, no_window_error
from hardware.camera.setup.preview import draw_report
from hardware.camera.setup.session import SetupReport
from hardware.camera.source import Frame
from hardware.camera.types import Corners, Picture
from hardware.commands.camera.show import QUIT, LineDisplay, LiveView, pressed, save
from hardware.commands.output import printable, say

MARKS = {
    "ok": ("OK", "green"),
    "warning": ("warning", "yellow"),
    "problem": ("problem", "bold red"),
}
PREVIEW_EVERY = 1.0
_TITLE = "referee-table camera (p: mark the pile, q: quit)"

Asked = Literal["quit"] | Corners | None


class SetupDisplay(LineDisplay):
    """Prints a line for each change."""

    def __init__(self, args: argparse.Namespace, name: str) -> None:
        super().__init__("camera", _TITLE if args.window else None)
        self._args, self._name = args, name
        self._last: list[str] = []
        self._previewed = float("-inf")

    def show(self, frame: Frame, report: SetupReport) -> Asked:
        """Show a picture's report; return the user's wish, if any."""
        self._tell(report)
        wanted = self._args.preview is not None
        due = wanted and (self._args.once or time.monotonic() - self._previewed >= PREVIEW_EVERY)
        if not (due or self.window):
            return None
        picture = draw_report(frame.picture, report)
        if due:
            save(self._args.preview, picture)
            self._previewed = time.monotonic()
        return self._in_window(self.window, frame.picture, picture) if self.window else None

    def note(self, text: str) -> None:
        """Print a line for people."""
        if not self._args.json:
            super().note(text)

    def _tell(self, report: SetupReport) -> None:
        if self._args.once:
            return
        if report.position.moved_by:
            self.note(moved(report))
        lines = [line.plain for line in finding_lines(report)]
        if lines != self._last:
            self._last = lines
            for line in lines:
                say(line)

    def _in_window(self, window: str, picture: Picture, annotated: Picture) -> Asked:
        try:
            cv2.imshow(window, annotated)
            key = pressed(window)
        except cv2.error:
            raise no_window_error() from None
        if key == QUIT:
            return "quit"
        return click_pile(picture) if key == "p" else None


class _Json(SetupDisplay):
    """Prints a line of JSON for each change, and at least one a second."""

    _told = float("-inf")

    def _tell(self, report: SetupReport) -> None:
        if self._args.once:  # printed at the end
            return
        keys = [line.plain for line in finding_lines(report)] + [report.position.state]
        now = time.monotonic()
        if keys != self._last or report.position.moved_by or now - self._told >= 1.0:
            self._last, self._told = keys, now
            print(json.dumps(report.to_json(), ensure_ascii=False), flush=True)  # noqa: T201


class _Table(SetupDisplay):
    def __init__(self, args: argparse.Namespace, name: str) -> None:
        super().__init__(args, name)
        self.view = self._live = LiveView(name, transient=False)
        self._notes: list[str] = []

    def trouble(self, sentence: str | None) -> None:
        if sentence is not None:
            self._live.show(Text(printable(sentence), "bold red"))

    def note(self, text: str) -> None:
        self._notes = [*self._notes[-2:], f"{time.strftime('%H:%M:%S')}  {text}"]

    def _tell(self, report: SetupReport) -> None:
        if report.position.moved_by:
            self.note(moved(report))
        parts: list[RenderableType] = [Text(printable(self._name), "bold"), Text(numbers(report))]
        parts += finding_lines(report)
        parts += [Text(printable(note), "dim") for note in self._notes]
        self._live.show(Group(*parts))


def make_display(args: argparse.Namespace, name: str) -> SetupDisplay:
    """Return the display for the flags and the terminal."""
    if args.json:
        return _Json(args, name)
    if sys.stdout.isatty() and not args.once:
        return _Table(args, name)
    return SetupDisplay(args, name)


def finding_lines(report: SetupReport) -> list[Text]:
    """Return a line per finding and one for its advice."""
    lines = []
    for finding in report.findings:
        mark, style = MARKS[finding.level]
        lines.append(
            Text.assemble((f"{mark:8}", style), (finding.about, "bold"), f": {finding.text}")
        )
        if finding.advice:
            lines.append(Text(f"{'':8}→ {finding.advice}", "dim"))
    return lines


def moved(report: SetupReport) -> str:
    """Say that the camera was moved."""
    return (
        f"the camera or the mat was moved; the pile is followed, {report.position.moved_by:.0f} "
        "pixels from where it was"
    )


def numbers(report: SetupReport) -> str:
    """Return the measurements in a line."""
    mat, width_height = report.conditions.mat, f"{report.size[0]} × {report.size[1]} pixels"
    if mat is None:
        return f"{width_height}, {report.position.state}"
    return (
        f"{width_height}, {report.position.state}; mat {mat.paper.upper()}: {mat.seen} of "
        f"{mat.tags} squares, a card {mat.card:.0f} pixels wide, {mat.tilt:.0f}° from above, "
        f"paper at {mat.white:.0f} of 255"
    )
