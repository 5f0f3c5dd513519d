"""Enrols faces with a camera, asking for one card after another."""

import argparse
import sys
import time
from pathlib import Path

import cv2

from hardware.camera.annotate import annotate, write_picture
from hardware.camera.enrol.capture import Capture, FaceCapturer, NotTakenError
from hardware.camera.enrol.deckfile import DeckFileError, save_deck
from hardware.camera.enrol.enrolment import Enrolment
from hardware.camera.enrol.lookalikes import Lookalikes
from hardware.camera.setup.mark_pile import close_windows, no_window_error
from hardware.camera.source import Source, SourceError, open_source
from hardware.camera.thresholds import SURE
from hardware.camera.types import Detection, Picture
from hardware.commands.camera.enroll_share import summary
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
            try:
                write_picture(self._args.preview, picture)
            except OSError as error:
                why = error.strerror or error
                raise DeckFileError(f"{self._args.preview} cannot be written: {why}") from None
        if self._args.window:
            try:
                cv2.imshow(_TITLE, picture)
                cv2.waitKey(1)
            except cv2.error:
                raise no_window_error() from None
