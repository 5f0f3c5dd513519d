"""What learnt faces do to a reading: little at first, nothing to a sure card of a known print."""

from collections.abc import Sequence

import numpy as np
import pytest

from hardware.camera.decks import cards_of, strangers_of
from hardware.camera.learn.recall import LearntFaces, Trust, trust_of
from hardware.camera.learn.store import Look
from hardware.camera.reading.geometry import CARD_CROP
from hardware.camera.reading.read import CardReading, cut_out
from hardware.camera.thresholds import SURE
from hardware.camera.types import Picture
from tests.hardware.camera.enrol.eyes import CORNERS, PixelMatcher, faces, shown

DECK = cards_of("classic-112")
IDS = [card.id for card in (*DECK, *strangers_of(DECK))]
NINE, FIVE = "blue-9", "blue-5"


def reading(**chances: float) -> CardReading:
    row = np.zeros(len(IDS))
    for card, chance in chances.items():
        row[IDS.index(card.replace("_", "-"))] = chance
    return CardReading(CORNERS, row, float(row.sum()))


def learnt(*looks: Look) -> LearntFaces:
    known = LearntFaces(PixelMatcher(), DECK)  # type: ignore[arg-type]
    known.learn(looks)
    return known


def look(picture: Picture, card: str, read: str = "", chance: float = 0.99) -> Look:
    crop = cut_out(picture, CORNERS, CARD_CROP)
    return Look(1, card, "people", read or card, chance, PixelMatcher().describe([crop])[0])


def after(known: LearntFaces, picture: Picture, read: CardReading) -> dict[str, float]:
    (recall,) = known.compare(picture, [CORNERS])
    chances = recall.combine(read).probabilities
    assert chances.sum() <= 1 + 1e-6
    return dict(zip(IDS, chances.tolist(), strict=True))


@pytest.fixture(scope="module")
def pictures() -> Sequence[Picture]:
    return [shown(face) for face in faces(3, "mixed")]


def test_without_looks_every_reading_is_left_as_it_is(pictures: Sequence[Picture]) -> None:
    read = reading(blue_9=0.5, blue_5=0.3)
    (recall,) = learnt().compare(pictures[0], [CORNERS])
    assert recall.combine(read) is read


def test_a_sure_card_of_a_print_read_well_is_left_as_it_is(pictures: Sequence[Picture]) -> None:
    known = learnt(look(pictures[0], NINE), look(pictures[1], FIVE))
    read = reading(green_2=0.99)
    (recall,) = known.compare(pictures[0], [CORNERS])
    assert recall.combine(read) is read


def test_a_doubtful_card_is_settled_by_a_face_seen_before(pictures: Sequence[Picture]) -> None:
    known = learnt(look(pictures[0], NINE), look(pictures[1], FIVE))
    found = after(known, pictures[0], reading(blue_9=0.5, blue_5=0.45))
    assert found[NINE] > 0.95


def test_a_face_that_is_surely_misread_is_known_once_it_was_put_right(
    pictures: Sequence[Picture],
) -> None:
    well = [look(pictures[2], card) for card in ("green-1", "green-2", "green-3")]
    known = learnt(look(pictures[0], NINE, read=FIVE), *well)
    assert after(known, pictures[0], reading(blue_5=0.99))[NINE] > SURE
    # The real one, which looks different, is still itself.
    assert after(known, pictures[1], reading(blue_5=0.99))[FIVE] > SURE


def test_of_a_foreign_print_an_unknown_face_is_asked_about(pictures: Sequence[Picture]) -> None:
    known = learnt(
        look(pictures[0], NINE, read="blue-4"), look(pictures[1], FIVE, read="green-skip")
    )
    assert known.trust.foreign > 0.5
    assert max(after(known, pictures[2], reading(yellow_1=0.99)).values()) < SURE


def test_a_face_that_reads_as_nothing_is_known_once_it_was_named(
    pictures: Sequence[Picture],
) -> None:
    known = learnt(look(pictures[0], NINE, read=FIVE, chance=0.3))
    (recall,) = known.compare(pictures[0], [CORNERS])
    found = recall.combine(reading(blue_5=0.2, blue_9=0.05))
    assert found.valid > 0.5
    assert IDS[int(found.probabilities.argmax())] == NINE


def test_a_blank_custom_card_lends_its_face_to_the_others(pictures: Sequence[Picture]) -> None:
    known = learnt(look(pictures[0], "wild-custom-1"), look(pictures[1], FIVE))
    found = after(
        known, pictures[0], reading(wild_custom_1=0.2, wild_custom_2=0.2, wild_custom_3=0.2)
    )
    assert found["wild-custom-1"] == pytest.approx(found["wild-custom-3"])
    assert found["wild-custom-1"] > 0.3


def outcomes(*read: tuple[str, str, float]) -> Trust:
    row = np.ones(1)
    looks = [Look(n, card, "people", as_, p, row) for n, (card, as_, p) in enumerate(read)]
    return trust_of(looks, lambda one, other: one == other)


def test_trust_falls_by_faces_misread_and_rises_by_faces_read_well() -> None:
    wrong = ("red-1", "blue-1", 0.99)
    well = [(f"green-{n}", f"green-{n}", 0.99) for n in range(6)]
    assert outcomes().foreign < 0.05
    assert outcomes(wrong).foreign > 0.3
    assert outcomes(wrong, *well).foreign < 0.05
    assert outcomes(wrong, ("red-2", "blue-9", 0.9), *well[:2]).foreign > 0.5


def test_one_card_that_is_always_misread_does_not_make_a_print_foreign() -> None:
    well = [(f"green-{n}", f"green-{n}", 0.99) for n in range(5)]
    often = [("red-1", "blue-1", 0.99)] * 6
    trust = outcomes(*often, *well)
    assert trust.foreign < 0.05
    assert trust.doubts("blue-1")
    assert not trust.doubts("green-1")
