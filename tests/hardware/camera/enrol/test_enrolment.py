"""Faces are enrolled, told apart, recognised, and combined with the usual reading."""

import cv2
import numpy as np
import pytest

from hardware.camera.decks import cards_of
from hardware.camera.enrol.capture import Capture, FaceCapturer, NotTakenError, upright
from hardware.camera.enrol.deckfile import DeckFileError, EnrolledDeck
from hardware.camera.enrol.enrolment import Enrolment, redescribe, wanted_cards
from hardware.camera.enrol.face_recogniser import FaceEvidence, FaceRecogniser
from hardware.camera.enrol.gallery import FaceGallery, dissimilarity, distinctiveness
from hardware.camera.enrol.matcher import PLACE, PLACES
from hardware.camera.reading.read import CardReading

from .eyes import CORNERS, KnownPlaces, PixelMatcher, faces, shown

NAMES = ["red-7", "wild-tales", "wild", "blue-1"]


def camera(*outlines: np.ndarray) -> FaceCapturer:
    return FaceCapturer(KnownPlaces(*outlines or (CORNERS,)), PixelMatcher())  # type: ignore[arg-type]


def captured(face: np.ndarray) -> Capture:
    return camera().capture(shown(face))


def enrolled(count: int = 4) -> tuple[EnrolledDeck, list[np.ndarray]]:
    enrolment = Enrolment(EnrolledDeck("moomin", "pixels"), PixelMatcher())
    drawn = faces(count)
    for name, face in zip(NAMES, drawn, strict=False):
        enrolment.add(name, captured(face))
    return enrolment.deck, drawn


def test_a_face_that_was_shown_is_known_again_and_another_is_none() -> None:
    deck, drawn = enrolled(3)
    known = FaceGallery(deck, PixelMatcher())
    for name, face in zip(NAMES, drawn, strict=False):
        darker = (face * 0.8).astype(np.uint8)
        chances = known.match(captured(darker).descriptor[None]).probabilities
        assert known.cards[int(chances.argmax())] == name
        assert chances.max() > 0.8
    stranger = faces(1, "scenes", 9)[0]
    assert known.match(captured(stranger).descriptor[None]).probabilities.sum() < 0.5


def test_several_looks_of_a_card_count_as_one_card() -> None:
    deck, drawn = enrolled(2)
    enrolment = Enrolment(deck, PixelMatcher())
    other = faces(1, "characters", 5)[0]
    enrolment.add("red-7", captured(other), further=True)
    known = FaceGallery(enrolment.deck, PixelMatcher())
    assert known.cards == ("red-7", "wild-tales")
    for face in (drawn[0], other):
        match = known.match(captured(face).descriptor[None])
        assert known.cards[int(match.probabilities.argmax())] == "red-7"
    enrolment.add("red-7", captured(other))
    assert [look.card for look in enrolment.deck.faces] == ["wild-tales", "red-7"]


def test_two_faces_that_look_alike_are_named_at_once() -> None:
    enrolment = Enrolment(EnrolledDeck("moomin", "pixels"), PixelMatcher())
    drawn = faces(3, "mixed")
    for name, face in zip(NAMES, drawn, strict=False):
        assert enrolment.add(name, captured(face)) == []
    pairs = enrolment.add("blue-1", captured(drawn[1]))
    assert [str(pair) for pair in pairs] == ["blue-1 and wild-tales look alike to the camera"]
    assert {(lookalike.card, lookalike.other) for lookalike in enrolment.lookalikes()} == {
        ("wild-tales", "blue-1")
    }
    assert enrolment.shown_once() == ["wild-tales", "blue-1"]
    # A second picture that shows the same face changes nothing but that it was asked for.
    enrolment.add("blue-1", captured(drawn[1]), further=True)
    assert enrolment.shown_once() == ["wild-tales"]


def test_two_cards_that_look_alike_are_asked_about_rather_than_named() -> None:
    drawn = faces(3, "mixed")
    deck = EnrolledDeck("moomin", "pixels")
    apart = Enrolment(deck, PixelMatcher())
    alike = Enrolment(deck, PixelMatcher())
    for name, face in zip(NAMES, drawn, strict=False):
        apart.add(name, captured(face))
        alike.add(name, captured(face))
    alike.add("blue-1", captured(drawn[1]))
    seen = captured(drawn[1]).descriptor[None]
    known = FaceGallery(alike.deck, PixelMatcher())
    chances = dict(zip(known.cards, known.match(seen).probabilities, strict=True))
    assert chances["blue-1"] == pytest.approx(chances["wild-tales"])
    assert dict(zip(known.cards, known.mistakable.tolist(), strict=True)) == {
        "red-7": False,
        "wild-tales": True,
        "wild": False,
        "blue-1": True,
    }
    assert FaceGallery(apart.deck, PixelMatcher()).match(seen).probabilities.max() > 0.99


@pytest.mark.parametrize(
    ("outlines", "picture", "why"),
    [
        ((), None, "no card is visible"),
        ((CORNERS, CORNERS + np.float32([210, 0])), None, "2 cards are visible"),
        ((CORNERS - np.float32([180, 0]),), None, "outside the picture"),
        ((CORNERS * np.float32(0.15) + 50,), None, "pixels wide"),
        ((CORNERS,), np.full((420, 400, 3), 12, np.uint8), "too dark"),
        ((CORNERS,), np.full((420, 400, 3), 255, np.uint8), "overexposed"),
        ((CORNERS,), cv2.GaussianBlur(shown(faces(1)[0]), (0, 0), 9), "blurred"),
    ],
)
def test_a_picture_that_cannot_be_taken_is_refused_in_a_sentence(
    outlines: tuple[np.ndarray, ...], picture: np.ndarray | None, why: str
) -> None:
    eye = FaceCapturer(KnownPlaces(*outlines), PixelMatcher())  # type: ignore[arg-type]
    wide = shown(faces(1)[0], shape=(420, 620)) if picture is None else picture
    with pytest.raises(NotTakenError, match=why):
        eye.capture(wide)


@pytest.mark.parametrize("turn", range(4))
def test_the_top_of_a_shown_card_is_the_top_of_the_picture(turn: int) -> None:
    np.testing.assert_array_equal(upright(np.roll(CORNERS, turn, axis=0)), CORNERS)


def test_cards_are_asked_for_in_the_decks_order() -> None:
    assert wanted_cards("moomin", ["wild-tales", "red-7"]) == ["red-7", "wild-tales"]
    with pytest.raises(DeckFileError, match="moomin has no card king"):
        wanted_cards("moomin", ["king"])


def test_another_network_describes_kept_pictures_anew() -> None:
    deck, _ = enrolled(2)
    assert redescribe(deck, PixelMatcher()) is deck  # type: ignore[arg-type]
    old = EnrolledDeck("moomin", "older", deck.faces)
    fresh = redescribe(old, PixelMatcher())  # type: ignore[arg-type]
    assert fresh.model == "pixels"
    bare = EnrolledDeck("moomin", "older", tuple(type(x)(x.card, x.descriptor) for x in deck.faces))
    with pytest.raises(DeckFileError, match="enrol the faces again"):
        redescribe(bare, PixelMatcher())  # type: ignore[arg-type]


def test_enrolled_faces_and_usual_cards_give_one_answer() -> None:
    enrolment = Enrolment(EnrolledDeck("moomin", "pixels"), PixelMatcher())
    drawn = faces(2)
    enrolment.add("wild-tales", captured(drawn[0]))
    cards = cards_of("moomin")
    ids = [card.id for card in cards]
    known = FaceRecogniser(PixelMatcher(), enrolment.deck, cards)  # type: ignore[arg-type]
    usual = np.zeros(len(cards), np.float32)
    usual[ids.index("red-7")], usual[ids.index("wild-tales")] = 0.6, 0.3
    reading = CardReading(CORNERS, usual, 0.9)
    upside = np.roll(CORNERS, 2, axis=0)
    [seen] = known.compare(shown(drawn[0]), [upside])
    told = seen.combine(reading)
    assert ids[int(told.probabilities.argmax())] == "wild-tales"
    assert told.probabilities.sum() <= 1 + 1e-5
    np.testing.assert_array_equal(told.corners, CORNERS)
    [seen] = known.compare(shown(faces(1, "scenes", 9)[0]), [CORNERS])
    told = seen.combine(reading)
    assert ids[int(told.probabilities.argmax())] == "red-7"
    # What reads like an enrolled card but has not its face stays in doubt.
    assert told.probabilities[ids.index("wild-tales")] < 0.3


def test_what_reads_as_another_card_for_certain_is_seldom_an_enrolled_face() -> None:
    def told(face: float, other: float) -> list[float]:
        sight = FaceEvidence(CORNERS, np.array([1]), np.array([face]))
        read = np.array([other, 0.0], np.float32)
        return [
            float(probability)
            for probability in sight.combine(CardReading(CORNERS, read, 1.0)).probabilities
        ]

    assert told(0.06, 1.0) == pytest.approx([0.94 / 0.946, 0.006 / 0.946], abs=1e-6)
    # A face that is known for certain is believed all the same, and one that is not is asked about.
    assert told(0.9995, 1.0)[1] > 0.99
    assert max(told(0.9, 1.0)) < 0.8
    # Where nothing else was read, the face alone counts.
    assert told(0.9, 0.0) == pytest.approx([0.0, 0.9])


# -- places count where enrolled faces differ from their lookalikes


def described(rng: np.random.Generator) -> np.ndarray:
    """A random descriptor: a unit vector for each place."""
    places = rng.normal(0, 1, (PLACE, *PLACES)).astype(np.float32)
    return places / np.sqrt((places**2).sum(0))


def test_a_face_tells_where_it_differs_from_the_one_most_like_it() -> None:
    rng = np.random.default_rng(2)
    one, other, far = described(rng), described(rng), described(rng)
    like = one.copy()
    like[:, 3, 4] = other[:, 3, 4]
    looks = np.stack([one, like, far]).reshape(3, -1)
    told = distinctiveness(looks, np.arange(3))
    assert told.shape == (3, *PLACES)
    for face in (0, 1):
        assert told[face, 3, 4] > 0.2
        assert np.delete(told[face].ravel(), 3 * PLACES[1] + 4).max() < 0.05
    # What is like nothing else tells all over.
    assert told[2].min() > 0.2


def test_looks_of_one_card_need_not_be_told_apart() -> None:
    rng = np.random.default_rng(3)
    looks = np.stack([described(rng), described(rng)]).reshape(2, -1)
    assert not distinctiveness(looks, np.array([0, 0])).any()
    assert distinctiveness(looks, np.array([0, 1])).all()
    assert distinctiveness(looks[:1], np.array([0])).shape == (1, *PLACES)


def test_what_lies_a_place_beside_is_no_difference() -> None:
    one = described(np.random.default_rng(4))
    beside = np.roll(one, 1, axis=2)
    assert dissimilarity(one, beside[None])[0, :, :-1].max() < 1e-5
    assert dissimilarity(one, np.roll(one, 3, axis=2)[None]).mean() > 0.3
