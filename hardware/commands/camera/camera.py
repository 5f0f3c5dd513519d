"""``referee-table camera``: print the mat, set the camera up, say what is wrong with it."""

import argparse
import os
import time
from pathlib import Path
from typing import Any

from hardware.camera.setup.mark_pile import check_inside, read_pile, require_display
from hardware.camera.setup.mat import MATS
from hardware.camera.setup.mat_print import languages, mat_pdf
from hardware.camera.setup.session import SetupReport, SetupSession
from hardware.camera.setup.storage import Setup, SetupError, load_setup_for, save_setup, setup_file
from hardware.camera.source import Frame, Source, SourceError, open_source
from hardware.commands.camera.camera_show import Asked, Shown, finding_lines, make_shown, numbers
from hardware.commands.output import complain, print_json, say

WELL, NOT_WELL, NOT_UNDERSTOOD = 0, 1, 2
# A camera needs a second to find its exposure, and flicker needs some to show.
FIRST_SECONDS, MOST_SECONDS = 2.0, 8.0
# Looks a second are enough to watch, and leave the computer to others.
LOOK_SECONDS = 0.1
EPILOG = """\
SOURCE is one of
  0, 1, …, /dev/video0            a camera plugged in here
  http://…, rtsp://…              a network camera; name and password go into the address
  clip.avi, shot.jpg, a folder    files, to try things with

With the mat ('referee-table camera mat') there is nothing to mark: lay it under the camera, with
the piles on their places. Hands may cover some of its squares. Without it, mark where the discard
pile lies: with --window and the key p, or with --pile; the camera is then followed by what lies
around the pile, of which no picture is kept. A camera that was bumped is followed either way.

What was set up the last time for this SOURCE is taken again, unless --mat or --pile says otherwise.
It is kept in camera.json beside the table's configuration; 'referee-table watch' reads it there.

examples:
  referee-table camera mat --out mat.pdf --paper a3    print it at 100 %
  referee-table camera 0                               look, and say what is wrong, until Ctrl-C
  referee-table camera 0 --window                      the same with a picture
  referee-table camera 0 --once --preview seen.jpg     look once, keep what was seen
  referee-table camera rtsp://10.0.0.9/live --pile 500,180,290,400

exit status: 0 the pile is seen and nothing keeps it from being read, 1 it is not, or the camera
gives no pictures, 2 it was not understood, 130 stopped (Ctrl-C)
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "camera",
        help="print the mat, set up the camera, say what is wrong with it",
        description="Find the discard pile in a camera's picture, remember where it is, and say in "
        "words what is wrong with light, focus, glare, distance or angle.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "source", metavar="SOURCE", help="where pictures come from, or the word mat"
    )
    where = parser.add_argument_group("where the pile is").add_mutually_exclusive_group()
    where.add_argument("--mat", action="store_true", help="on the printed mat, wherever that lies")
    where.add_argument(
        "--pile",
        metavar="X,Y,W,H",
        help="in this rectangle of the picture, in pixels; or four corners, as eight numbers",
    )
    parser.add_argument("--once", action="store_true", help="look for some seconds, then end")
    parser.add_argument("--json", action="store_true", help="JSON instead of text, a line each")
    parser.add_argument(
        "--preview", metavar="FILE.jpg", type=Path, help="keep the picture with what was found"
    )
    parser.add_argument(
        "--window", action="store_true", help="show it in a window; p marks the pile, q ends"
    )
    parser.add_argument(
        "--setup", metavar="FILE", type=Path, help="where to remember it (camera.json)"
    )
    printed = parser.add_argument_group("referee-table camera mat")
    printed.add_argument("--out", metavar="FILE.pdf", type=Path, help="(mat.pdf)")
    printed.add_argument("--paper", choices=sorted(MATS), help="(a4)")
    printed.add_argument("--language", choices=languages(), help="(en)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the mat, or look through the camera."""
    try:
        if args.source == "mat":
            return _print_mat(args)
        if args.out or args.paper or args.language:
            raise SetupError(
                "--out, --paper and --language are for the mat: 'referee-table camera mat'"
            )
        if args.window:
            require_display()
        source = open_source(args.source)
        look = _Look(args, source)
    except (SourceError, SetupError) as error:
        complain("camera", str(error))
        return NOT_UNDERSTOOD
    try:
        return look.run()
    except SetupError as error:
        complain("camera", str(error))
        return NOT_UNDERSTOOD
    except SourceError as error:
        complain("camera", str(error))
        return NOT_WELL


def _print_mat(args: argparse.Namespace) -> int:
    unfit = ("mat", "pile", "once", "json", "preview", "window", "setup")
    wrong = [f"--{name}" for name in unfit if getattr(args, name)]
    if wrong:
        raise SetupError(f"{wrong[0]} is for a camera, not for printing the mat")
    file, paper = args.out or Path("mat.pdf"), args.paper or "a4"
    try:
        file.write_bytes(mat_pdf(paper, args.language or "en"))
    except OSError as error:
        raise SetupError(f"{file} cannot be written: {error.strerror}") from None
    say(f"{file}: print it on {paper.upper()} at 100 %, and measure the ruler on it: 10 cm.")
    return WELL


class _Look:
    """One run of the command."""

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
        """Look until the source ends, it is enough, or somebody stops it."""
        with make_shown(self._args, self._source.name) as shown, self._source:
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

    def _take(self, frame: Frame, shown: Shown) -> Asked:
        began = time.monotonic()
        if self._pile is not None and self._report is None:
            check_inside(self._pile, (frame.picture.shape[1], frame.picture.shape[0]))
        report = self._session.examine(frame)
        if report.position.state == "still" and (report.position.moved_by or not self._saved):
            self._save(shown)
        self._report = report
        self._first = frame.at if self._first is None else self._first
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
        if not self._args.once:
            return False
        if self._report is None or self._first is None:
            return self._source.live and time.monotonic() - began > MOST_SECONDS
        seen = self._report.at - self._first
        return seen > (FIRST_SECONDS if self._report.ready else MOST_SECONDS)

    def _tell_trouble(self, shown: Shown) -> None:
        trouble = self._source.trouble
        if trouble != self._trouble:
            self._trouble = trouble
            shown.trouble(trouble)

    def _save(self, shown: Shown) -> None:
        if self._session.setup is None:
            return
        save_setup(self._file, self._session.setup)
        if not self._saved:
            shown.note(f"remembered in {self._file}")
        self._saved = True

    def _end(self) -> int:
        if self._report is None:
            if self._trouble is None:
                complain("camera", f"{self._source.name} gave no picture")
            return NOT_WELL
        if self._args.once and self._args.json:
            print_json(self._report.to_json())
        elif self._args.once:
            for line in (numbers(self._report), *finding_lines(self._report)):
                say(str(line))
        return WELL if self._report.ready else NOT_WELL
