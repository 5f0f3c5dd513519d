"""``referee-table camera``: print the mat, set up the camera, give advice."""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Literal

from rich.console import Group, RenderableType
from rich.text import Text

from hardware.camera.setup.mark_pile import (
    check_inside,
    click_pile,
    read_pile,
    require_display,
)
from hardware.camera.setup.mat import MATS
from hardware.camera.setup.mat_print import languages, mat_pdf
from hardware.camera.setup.session import SetupReport, SetupSession, draw_report
from hardware.camera.setup.storage import Setup, SetupError, load_setup_for, save_setup, setup_file
from hardware.camera.source import Frame, Source, SourceError, open_source
from hardware.camera.source.controls import described
from hardware.camera.types import Corners, Picture
from hardware.commands import CommandError, exits, printable
from hardware.commands.camera.show import QUIT, LineDisplay, LiveView, save, show_in
from hardware.commands.output import complain, finding_lines, print_json, say

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
        lines = [line.plain for line in report_lines(report)]
        if lines != self._last:
            self._last = lines
            for line in lines:
                say(line)

    def _in_window(self, window: str, picture: Picture, annotated: Picture) -> Asked:
        key = show_in(window, annotated)
        if key == QUIT:
            return "quit"
        return click_pile(picture) if key == "p" else None


class _Json(SetupDisplay):
    """Prints a line of JSON for each change, and at least one a second."""

    _told = float("-inf")

    def _tell(self, report: SetupReport) -> None:
        if self._args.once:  # printed at the end
            return
        keys = [line.plain for line in report_lines(report)] + [report.position.state]
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
        parts += report_lines(report)
        parts += [Text(printable(note), "dim") for note in self._notes]
        self._live.show(Group(*parts))


def make_display(args: argparse.Namespace, name: str) -> SetupDisplay:
    """Return the display for the flags and the terminal."""
    if args.json:
        return _Json(args, name)
    if sys.stdout.isatty() and not args.once:
        return _Table(args, name)
    return SetupDisplay(args, name)


def report_lines(report: SetupReport) -> list[Text]:
    """Return the lines of all findings."""
    return [line for finding in report.findings for line in finding_lines(finding)]


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


WELL, NOT_WELL, NOT_UNDERSTOOD = 0, 1, 2
# Seconds: cameras take one to adjust their exposure, flicker takes some to measure.
FIRST_SECONDS, MOST_SECONDS = 2.0, 8.0
# Seconds per picture, which leaves the computer time for other programs.
LOOK_SECONDS = 0.1
HELP = "print the mat, set up the camera, check its picture"
DESCRIPTION = (
    "Find the discard pile in a camera's picture, save its place, and give advice "
    "on light, focus, glare, distance and angle."
)
EPILOG = """\
SOURCE is one of
  0, 1, …, /dev/video0            a camera plugged in here
  http://…, rtsp://…              a network camera; name and password go into the address
  clip.avi, shot.jpg, a folder    files, to experiment

With the mat ('referee-table camera mat') there is nothing to mark: lay it under the camera and put
the piles on their places. Hands may cover some of its squares. Without it, mark the discard pile
with --window and the key p, or with --pile; it is then located by its surroundings, of which no
picture is kept. Either way, a bumped camera is noticed and followed.

The last setup of this SOURCE is used again unless --mat or --pile is given. It is saved in
camera.json beside the table's configuration, where 'referee-table watch' finds it.

examples:
  referee-table camera mat --out mat.pdf --paper a3    print it at 100 %
  referee-table camera 0                               check the camera until Ctrl-C
  referee-table camera 0 --window                      the same in a window
  referee-table camera 0 --once --preview seen.jpg     check once, save the picture
  referee-table camera rtsp://10.0.0.9/live --pile 500,180,290,400

exit status: 0 the pile is visible and readable, 1 it is not, or the camera delivers no pictures,
2 usage error, 130 stopped (Ctrl-C)
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("source", metavar="SOURCE", help="the camera, or the word mat")
    where = parser.add_argument_group("where the pile is").add_mutually_exclusive_group()
    where.add_argument("--mat", action="store_true", help="on the printed mat, wherever it lies")
    where.add_argument(
        "--pile",
        metavar="X,Y,W,H",
        help="in this rectangle, in pixels, 4 cm wider than the cards on every side; "
        "or four corners, as eight numbers",
    )
    add("--once", action="store_true", help="check for some seconds, then exit")
    add("--json", action="store_true", help="print JSON lines")
    add("--preview", metavar="FILE.jpg", type=Path, help="save the annotated picture")
    add("--window", action="store_true", help="show it in a window; p marks the pile, q quits")
    add("--setup", metavar="FILE", type=Path, help="where to save the setup (camera.json)")
    printed = parser.add_argument_group("referee-table camera mat")
    printed.add_argument("--out", metavar="FILE.pdf", type=Path, help="(mat.pdf)")
    printed.add_argument("--paper", choices=sorted(MATS), help="(a4)")
    printed.add_argument("--language", choices=languages(), help="(en)")


def run(args: argparse.Namespace) -> int:
    """Print the mat, or check the camera."""
    with exits(NOT_UNDERSTOOD, SourceError, SetupError):
        if args.source == "mat":
            return _print_mat(args)
        if args.out or args.paper or args.language:
            raise SetupError(
                "--out, --paper and --language are for the mat: 'referee-table camera mat'"
            )
        if args.window:
            require_display()
        source = open_source(args.source)
        camera = _CameraRun(args, source)
    with exits(NOT_UNDERSTOOD, SetupError), exits(NOT_WELL, SourceError):
        return camera.run()


def _print_mat(args: argparse.Namespace) -> int:
    unfit = ("mat", "pile", "once", "json", "preview", "window", "setup")
    wrong = [f"--{name}" for name in unfit if getattr(args, name)]
    if wrong:
        raise SetupError(f"{wrong[0]} is for a camera, not for printing the mat")
    file, paper = args.out or Path("mat.pdf"), args.paper or "a4"
    if file.suffix.lower() not in ("", ".pdf"):
        raise SetupError(f"--out: the mat is a PDF file, so {file} would have to end in .pdf")
    try:
        file.write_bytes(mat_pdf(paper, args.language or "en"))
    except OSError as error:
        raise SetupError(f"{file} cannot be written: {error.strerror}") from None
    except ImportError:
        raise SetupError(
            "drawing the mat needs the package fpdf2: pip install fpdf2, or print it from another "
            "computer"
        ) from None
    say(f"{file}: print it on {paper.upper()} at 100 %, and measure the ruler on it: 10 cm.")
    return WELL


class _CameraRun:
    def __init__(self, args: argparse.Namespace, source: Source) -> None:
        self._args, self._source = args, source
        self._file = args.setup or setup_file(os.environ)
        self._pile = None if args.pile is None else read_pile(args.pile)
        self._session = self._begin(self._before())
        self._saved = False
        self._trouble: str | None = None
        self._report: SetupReport | None = None
        self._first: float | None = None

    def run(self) -> int:
        """Check until the source ends, ``--once`` is done, or the user quits."""
        with make_display(self._args, self._source.name) as shown, self._source:
            began = time.monotonic()
            while not self._enough(began):
                frame = self._source.read(0.5)
                self._tell_trouble(shown)
                if frame is not None:
                    asked = self._take(frame, shown)
                    if isinstance(asked, str):
                        break
                    if asked is not None:
                        self._pile, self._saved = asked, False
                        self._session = self._begin(None)
                elif self._source.ended:
                    break
            self._tell_trouble(shown)
        return self._end()

    def _take(self, frame: Frame, shown: SetupDisplay) -> Asked:
        began = time.monotonic()
        if self._pile is not None and self._report is None:
            check_inside(self._pile, (frame.picture.shape[1], frame.picture.shape[0]))
        report = self._session.examine(frame)
        if report.position.state == "still" and (report.position.moved_by or not self._saved):
            self._save(shown)
        self._report = report
        if self._first is None:
            self._first = frame.at
            if self._source.controls is not None:
                shown.note(f"{self._source.name}: {described(self._source.controls.states())}")
        asked = shown.show(frame, report)
        if self._source.live and asked is None:
            time.sleep(max(0.0, LOOK_SECONDS - (time.monotonic() - began)))
        return asked

    def _before(self) -> Setup | None:
        if self._args.mat or self._args.pile is not None:
            return None
        try:
            return load_setup_for(self._file, self._source.name)
        except SetupError as error:
            complain("camera", f"warning: {error}")
            return None

    def _begin(self, before: Setup | None) -> SetupSession:
        return SetupSession(self._source.name, self._pile, before, live=self._source.live)

    def _enough(self, began: float) -> bool:
        if self._report is None or self._first is None:
            # Later on, a camera that was there is waited for.
            return self._source.live and time.monotonic() - began > MOST_SECONDS
        if not self._args.once:
            return False
        seen = self._report.at - self._first
        well = self._report.ready and self._report.calm
        return seen > (FIRST_SECONDS if well else MOST_SECONDS)

    def _tell_trouble(self, shown: SetupDisplay) -> None:
        trouble = self._source.trouble
        if trouble != self._trouble:
            self._trouble = trouble
            shown.trouble(trouble)

    def _save(self, shown: SetupDisplay) -> None:
        if self._session.setup is None:
            return
        save_setup(self._file, self._session.setup)
        if not self._saved:
            shown.note(f"saved in {self._file}")
        self._saved = True

    def _end(self) -> int:
        if self._report is None:
            if self._trouble is None:
                raise CommandError(NOT_WELL, f"{self._source.name} delivered no picture")
            return NOT_WELL
        if self._args.once and self._args.json:
            print_json(self._report.to_json())
        elif self._args.once:
            for line in (numbers(self._report), *report_lines(self._report)):
                say(str(line))
        return WELL if self._report.ready else NOT_WELL
