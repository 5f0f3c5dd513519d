"""``referee-table enroll``: teach the camera unknown faces."""

import argparse
import os
import sys
import time
from pathlib import Path

from hardware.camera.annotate import annotate
from hardware.camera.deck_recogniser import matcher_of
from hardware.camera.decks import RULESETS
from hardware.camera.enrol.capture import Capture, FaceCapturer, NotTakenError
from hardware.camera.enrol.deckfile import DeckFileError, EnrolledDeck, faces_file, save_deck
from hardware.camera.enrol.enrolment import Enrolment, Lookalikes, wanted_cards
from hardware.camera.reading.locate import Locator
from hardware.camera.reading.recognise import MODELS, ModelError
from hardware.camera.setup.mark_pile import close_windows, require_display
from hardware.camera.setup.storage import SetupError
from hardware.camera.source import Source, SourceError, open_source
from hardware.camera.thresholds import SURE
from hardware.camera.types import Detection, Picture
from hardware.commands import exits
from hardware.commands.camera.enroll_files import begun, give, report, summary, take_in, take_photos
from hardware.commands.camera.show import save, show_in
from hardware.commands.output import say

NOT_ALL = 1
PATIENCE = 3.0
"""Seconds to try a shown card before saying what is wrong."""
_TITLE = "referee-table enroll"
HELP = "Enter: enrol   s: skip   b: previous card   a: another face of the last card   q: quit"
HELP_AGAIN = "Show them near and in even light. Enter: enrol a second picture   s: skip   q: quit"


def ask_for_faces(
    args: argparse.Namespace,
    cards: list[str],
    camera: FaceCapturer,
    enrolment: Enrolment,
    file: Path,
) -> int:
    """Ask for each card. Raises SourceError, DeckFileError."""
    with open_source(args.source) as source:
        asking = _Asking(args, camera, enrolment, file, source)
        asking.ask([card for card in cards if args.redo or card not in enrolment.deck.cards], cards)
    return summary(file, enrolment, cards)


class _Asking:
    def __init__(
        self,
        args: argparse.Namespace,
        camera: FaceCapturer,
        enrolment: Enrolment,
        file: Path,
        source: Source,
    ) -> None:
        self._args, self._camera, self._enrolment = args, camera, enrolment
        self._file, self._source = file, source

    def ask(self, missing: list[str], cards: list[str]) -> None:
        """Ask for the missing cards, and for a second picture of those cards that look alike."""
        try:
            if self._ask_each(missing):
                self._ask_again([card for card in self._enrolment.shown_once() if card in cards])
        finally:
            if self._args.window:
                close_windows()

    def _ask_each(self, cards: list[str]) -> bool:
        """Ask for one card after another until all are enrolled. Return False if the user quits."""
        say(f"{len(cards)} cards to show. {HELP}")
        at = 0
        while at < len(cards):
            answer = self._answer(f"{cards[at]} ({at + 1} of {len(cards)}) ")
            if answer == "q":
                return False
            if answer == "s":
                at += 1
            elif answer == "b":
                at = max(0, at - 1)
            elif answer == "a" and at:
                self._take(cards[at - 1], further=True)
            elif answer == "" and self._take(cards[at]):
                at += 1
            elif answer not in ("", "a"):
                say(HELP)
        return True

    def _ask_again(self, cards: list[str]) -> None:
        if not cards:
            return
        say(f"{len(cards)} cards look like another one. {HELP_AGAIN}")
        for at, card in enumerate(cards, 1):
            taken = False
            while not taken:
                answer = self._answer(f"{card} once more ({at} of {len(cards)}) ")
                if answer == "q":
                    return
                if answer == "s":
                    break
                if answer == "":
                    taken = self._take(card, further=True)
                else:
                    say(HELP_AGAIN)

    def _answer(self, question: str) -> str:
        sys.stdout.write(question)
        sys.stdout.flush()
        line = sys.stdin.readline()
        return line.strip().lower() if line else "q"

    def _take(self, card: str, *, further: bool = False) -> bool:
        try:
            picture, capture = self._capture()
        except NotTakenError as error:
            say(f"{card}: {error}")
            return False
        before = self._enrolment.deck
        alike = self._enrolment.add(card, capture, further=further)
        self._show(picture, card, capture)
        alike = [pair for pair in alike if pair.probability >= SURE]
        if alike and not further and not self._kept(alike):
            self._enrolment.deck = before
            return False
        save_deck(self._file, self._enrolment.deck, pictures=self._args.keep_pictures)
        say(f"{card}: enrolled")
        return True

    def _kept(self, alike: list[Lookalikes]) -> bool:
        for pair in alike:
            say(f"{pair}")
        return self._answer("k: keep it anyway   Enter: show it again ") == "k"

    def _capture(self) -> tuple[Picture, Capture]:
        """Capture the shown card. Raises NotTakenError, SourceError."""
        until = time.monotonic() + PATIENCE
        # The camera's first picture may be older than the card.
        skip = self._source.live
        why: NotTakenError | None = None
        while time.monotonic() < until:
            frame = self._source.read(0.5)
            if frame is None:
                if self._source.ended:
                    raise SourceError(f"{self._source.name} has no more pictures")
                continue
            if skip:
                skip = False
                continue
            try:
                return frame.picture, self._camera.capture(frame.picture)
            except NotTakenError as error:
                why = error
                self._preview(frame.picture)
                if not self._source.live:
                    break
        if why is None:
            raise SourceError(self._source.trouble or f"{self._source.name} delivered no picture")
        raise why

    def _show(self, picture: Picture, card: str, capture: Capture) -> None:
        self._preview(annotate(picture, [Detection(capture.corners, {card: 1.0})]))

    def _preview(self, picture: Picture) -> None:
        if self._args.preview is not None:
            save(self._args.preview, picture)
        if self._args.window:
            show_in(_TITLE, picture)


WELL, NOT_ALL, NOT_UNDERSTOOD = 0, 1, 2
HELP = "teach the camera unknown faces"
DESCRIPTION = "Show each card once; from then on the camera recognises its face."
EPILOG = """\
For faces that no program can know: characters, theme artwork, handwritten cards, another maker's or
a very worn deck. Show each card once as it will lie on the table: whole, in fair light, upright. A
card in several designs may have several faces. Cards that look alike are asked for twice.

The faces are saved in faces/RULESET.faces beside the table's configuration, or in the file that -o
names. Existing faces are kept, so enrolment can be stopped and continued. The file contains
descriptors of the faces, and pictures only with --keep-pictures, which avoids enrolling again after
an update of the program. You can share it as it is.

examples:
  referee-table enroll --ruleset moomin                   asks for each card, camera 0
  referee-table enroll --ruleset classic-112 --only wild-custom-1 wild-custom-2 wild-custom-3
  referee-table enroll --ruleset moomin --photos faces/   a picture each: red-7.jpg, wild.png …
  referee-table enroll list --ruleset moomin              enrolled, missing and similar faces
  referee-table enroll export --ruleset moomin -o moomin.faces
  referee-table enroll import moomin.faces

exit status: 0 all requested cards are enrolled, 1 some are missing, 2 usage error,
130 stopped (Ctrl-C)
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("what", nargs="?", choices=("list", "export", "import"), help="(enrol faces)")
    add("file", nargs="?", type=Path, metavar="FILE", help="the file to import")
    add("--ruleset", choices=sorted(RULESETS), help="the deck")
    add("--only", nargs="+", default=[], metavar="CARD", help="only these cards")
    shown = parser.add_argument_group("source of the faces").add_mutually_exclusive_group()
    shown.add_argument("--source", metavar="SOURCE", default="0", help="a camera (0), or pictures")
    shown.add_argument(
        "--photos", metavar="FOLDER", type=Path, help="a picture of each card, named by its id"
    )
    add("--redo", action="store_true", help="ask for enrolled cards again")
    add("--preview", metavar="FILE.jpg", type=Path, help="save the last picture")
    add("--window", action="store_true", help="show the picture in a window")
    add("-o", "--out", metavar="FILE", type=Path, help="file of the faces")
    add("--keep-pictures", action="store_true", help="also keep a small picture of each card")
    add("--replace", action="store_true", help="overwrite existing faces")
    add("--models", type=Path, metavar="DIR", default=MODELS, help="your own networks")


def run(args: argparse.Namespace) -> int:
    """Enrol, list, export or import."""
    wrong = (DeckFileError, ModelError, SetupError)
    with exits(NOT_UNDERSTOOD, *wrong), exits(NOT_ALL, SourceError):
        if args.what == "import":
            return take_in(args, os.environ)
        if args.file is not None:
            raise DeckFileError(f"unexpected {args.file}: only import takes a file")
        if args.ruleset is None:
            raise DeckFileError("--ruleset is needed")
        if args.what == "export":
            return give(args, os.environ)
        if args.what == "list":
            return report(args, os.environ, matcher_of(args.models))
        return _enrol(args)


def _enrol(args: argparse.Namespace) -> int:
    cards = wanted_cards(args.ruleset, args.only)
    if args.window:
        require_display()
    matcher = matcher_of(args.models)
    locator = args.models / "locator.onnx"
    if not locator.is_file():
        raise ModelError(f"the network {locator} is missing")
    camera = FaceCapturer(Locator(locator), matcher)
    file = args.out or faces_file(os.environ, args.ruleset)
    deck = EnrolledDeck(args.ruleset, matcher.mark())
    if file.exists():
        deck = begun(file, args.ruleset, matcher)
    enrolment = Enrolment(deck, matcher)
    if args.photos is not None:
        return take_photos(args, cards, camera, enrolment, file)
    return ask_for_faces(args, cards, camera, enrolment, file)
