"""Enrols hand-written cards before a rendered round, as players would."""

from pathlib import Path

from hardware.camera.deck_recogniser import matcher_of
from hardware.camera.decks import cards_of
from hardware.camera.enrol.capture import Capture, FaceCapturer, NotTakenError
from hardware.camera.enrol.deckfile import EnrolledDeck, EnrolledFace
from hardware.camera.enrol.face_recogniser import FaceRecogniser
from hardware.camera.locate import Locator
from hardware.camera.recognise import CardRecogniser
from hardware.camera.types import Recogniser
from lab.clips import actions
from lab.clips.pose import Pose
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting

WRITTEN = "wild-custom"
RATE, MOST_FRAMES = 15.0, 90


def enrolled_recogniser(ruleset: str, models: Path, seed: int, size: tuple[int, int]) -> Recogniser:
    """Return a recogniser for the deck with its hand-written cards enrolled.

    The enrolment pictures show the round's table and print style, with a single card each.
    """
    deck = cards_of(ruleset)
    written = [card.id for card in deck if card.symbol == WRITTEN]
    if not written:
        return CardRecogniser(deck, models)
    matcher = matcher_of(models)
    taking = FaceCapturer(Locator(models / "locator.onnx"), matcher)
    looks = [
        EnrolledFace(card, capture.descriptor, capture.crop)
        for card in written
        if (capture := _show(card, taking, seed, size)) is not None
    ]
    enrolled = EnrolledDeck(ruleset, matcher.mark(), tuple(looks))
    return CardRecogniser(deck, models, (FaceRecogniser(matcher, enrolled, deck),))


def _show(card: str, taking: FaceCapturer, seed: int, size: tuple[int, int]) -> Capture | None:
    """Lay a card before the camera; return its enrolment picture, or None."""
    camera = VirtualCamera(random_mat_setting(seed, size, RATE, paper=False))
    camera.do(actions.lay(card, Pose(0.0, 0.0, 0.0)))
    for _ in range(MOST_FRAMES):
        frame = camera.next()
        if camera.busy or frame is None:
            continue
        try:
            return taking.capture(frame.picture)
        except NotTakenError:
            continue
    return None
