"""The whole of it: find the cards in a picture, look closer, read them, and drop what is none.

A card whose middle shows is read whole, and then by its corners, which may see it otherwise. Of a
card in a fan only a corner shows, and that is read alone.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.corners import CornerReader, index_places, width_of
from hardware.camera.decks import Card, all_cards
from hardware.camera.enrol.known import KnownFaces, Sight
from hardware.camera.ensemble import pooled
from hardware.camera.locate import Candidate, Locator, overlap
from hardware.camera.read import FACE, Reader, Reading
from hardware.camera.types import Corners, Found, Picture

MODELS = Path(__file__).parent / "models"
NETWORKS = ("locator.onnx", "reader.onnx", "corners.onnx")
LEAST = 0.0005
"""Cards less likely than this are not listed; who knows the game can still tell 1 % from none."""
SMALL = 56.0
"""Cards with a longer side below this, in pixels as seen, are looked for at twice the size."""
MANY = 2
"""With more candidates than this the picture is looked at closer as well: it may be a hand."""
SAME = 0.5
"""Outlines with so much in common are of one card, if their middles were seen."""
WHOLE, PART = 0.38, 0.4
"""So hot must a card's middle be, and an index of which no card's middle was found."""
CLEAR, WIDER = 0.98, 0.7
"""A card that is read less surely is looked at once more, with so much of the picture around it:
where its outline was taken for another one, the corners were read beside the card."""
DIM = 0.3
"""An index less hot than this at first sight is not looked at again."""
NEAR, NEAR_EQUAL = 0.13, 0.4
"""How near an index must be to a known card's, by the card's width, to be that card's: where it
reads otherwise, and where it reads the same."""


class ModelError(Exception):
    """The networks cannot be used; the text says why."""


class CardRecogniser:
    """Finds and reads cards with the project's own networks (``hardware.camera.types``).

    Raises ModelError when the networks are not there.

    Args:
        deck: The cards there can be; without it, all that are known.
        models: Where the networks lie.
        faces: What knows cards of the deck by enrolled faces, if some were enrolled.
    """

    def __init__(
        self,
        deck: Sequence[Card] | None = None,
        models: Path = MODELS,
        faces: KnownFaces | None = None,
    ) -> None:
        for name in NETWORKS:
            _check(models / name)
        self._deck = tuple(deck or all_cards().values())
        locator, reader, corners = (models / name for name in NETWORKS)
        self._locator = Locator(locator)
        self._reader = Reader(reader, self._deck)
        self._corners = CornerReader(corners, self._deck)
        self._faces = faces

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Found]:
        """The cards in a picture, the surest first; without ``parts`` those whose middle shows."""
        candidates = self._candidates(picture)
        indices = [one for one in candidates if one.index]
        whole = self._whole(picture, [one for one in candidates if not one.index], indices)
        found = [Found(one.corners, self._listed(one)) for one in whole]
        if parts:
            partly = self._parts(picture, indices, whole)
            found += [Found(one.corners, self._listed(one), whole=False) for one in partly]
        return sorted(found, key=lambda one: -max(one.probabilities.values(), default=0.0))

    def _candidates(self, picture: Picture) -> list[Candidate]:
        found = [one for one in self._locator.locate(picture) if one.heat >= _least(one)]
        scale = 256 / max(picture.shape[:2])
        sides = [np.ptp(one.corners, axis=0).max() * scale for one in found if not one.index]
        if sum(not one.index for one in found) > MANY or (sides and np.median(sides) < SMALL):
            more = self._locator.locate(picture, 512)
            more = [one for one in more if one.heat >= _least(one)]
            found = [*more, *(one for one in found if not any(_same_part(one, m) for m in more))]
        return found

    def _whole(
        self, picture: Picture, candidates: Sequence[Candidate], indices: Sequence[Candidate]
    ) -> list[Reading]:
        """The cards whose middle shows."""
        near = [self._locator.closer(picture, one) for one in candidates]
        readings, sights = self._look(picture, [one.corners for one in near])
        judged = [sight.joined(one) for one, sight in zip(readings, sights, strict=False)]
        ranked = sorted(enumerate(zip(near, judged or readings, strict=True)), key=_rank_of)
        kept: list[int] = []
        left: list[int] = []
        for number, (_, one) in reversed(ranked):
            if one.valid < FACE:
                left.append(number)
            elif all(overlap(one.corners, readings[other].corners) < SAME for other in kept):
                kept.append(number)
        mine = [sights[n] for n in kept] if sights else []
        found = self._with_corners(picture, [readings[n] for n in kept], mine)
        found = [
            self._again(picture, near[n], indices, one) for n, one in zip(kept, found, strict=True)
        ]
        for n in left:
            # No face in that outline, but a middle is seen there.
            if not any(_within(near[n], one) for one in found):
                one = self._again(picture, near[n], indices, readings[n])
                new = all(overlap(one.corners, other.corners) < SAME for other in found)
                found += [one] if one.valid >= FACE and new else []
        return found

    def _look(
        self, picture: Picture, outlines: Sequence[Corners]
    ) -> tuple[list[Reading], list[Sight]]:
        """What whole cards in these outlines read as, and what enrolled faces say of them."""
        sights = self._faces.look(picture, outlines) if self._faces else []
        return self._reader.read(picture, outlines), sights

    def _with_corners(
        self, picture: Picture, readings: Sequence[Reading], sights: Sequence[Sight]
    ) -> list[Reading]:
        """What was read of whole cards, joined with what their corners say, and enrolled faces."""
        ends = [np.roll(one.corners, -turn, axis=0) for one in readings for turn in (0, 2)]
        opinions = self._corners.opinions(picture, ends)
        found = []
        for i, one in enumerate(readings):
            heard = pooled(one, opinions[2 * i : 2 * i + 2])
            usual = Reading(one.corners, heard, one.valid)
            found.append(sights[i].joined(usual) if sights else usual)
        return found

    def _again(
        self, picture: Picture, candidate: Candidate, indices: Sequence[Candidate], one: Reading
    ) -> Reading:
        """The same card, or what is read of it in another outline if that is surer.

        Its outline is looked for with more of the picture, and taken from its indices: on cards of
        the same colour without a rim, the middle alone may be seen for what it is.
        """
        if one.valid >= FACE and one.probabilities.max() >= CLEAR:
            return one
        wider = self._locator.closer(picture, candidate, WIDER).corners
        near = NEAR * 2 * width_of(candidate.corners)
        told = [
            index.corners
            for index in indices
            if np.linalg.norm(index.corners.mean(axis=0) - candidate.anchor) < near
        ]
        others = self._with_corners(picture, *self._look(picture, [wider, *told]))
        return max([one, *(other for other in others if other.valid >= FACE)], key=_likeliest)

    def _parts(
        self, picture: Picture, candidates: Sequence[Candidate], whole: Sequence[Reading]
    ) -> list[Reading]:
        """The cards of which only an index shows, but for those that are known already."""
        left = [
            one for one in candidates if not any(_told(one, card.corners, NEAR) for card in whole)
        ]
        near = [self._locator.closer(picture, one) for one in left]
        readings = [self._corners.read(picture, one.anchor, one.corners) for one in near]
        kept: list[Reading] = []
        for candidate, reading in sorted(zip(near, readings, strict=True), key=_rank, reverse=True):
            known = (*whole, *kept)
            hot = candidate.heat >= PART and reading.valid >= FACE
            if hot and not any(_one(candidate, reading, card) for card in known):
                kept.append(reading)
        return kept

    def _listed(self, reading: Reading) -> dict[str, float]:
        chances = reading.probabilities
        likeliest = [i for i in np.argsort(-chances) if chances[i] >= LEAST]
        return {self._deck[i].id: float(chances[i]) for i in likeliest}


def _check(network: Path) -> None:
    """Whether a network can be read. Raises ModelError."""
    if not network.is_file():
        raise ModelError(
            f"there is nothing to read cards with: the network {network} is not there; install "
            "the program anew, or train networks of your own ('python -m lab.train')"
        )
    try:
        cv2.dnn.readNetFromONNX(str(network))
    except cv2.error:
        raise ModelError(
            f"{network} is damaged, or no network of this program; install the program anew"
        ) from None


def _rank(pair: tuple[Candidate, Reading]) -> float:
    candidate, reading = pair
    return float(np.sqrt(candidate.heat) * reading.probabilities.max())


def _least(candidate: Candidate) -> float:
    """How hot a candidate must be to be looked at again."""
    return DIM if candidate.index else WHOLE


def _rank_of(numbered: tuple[int, tuple[Candidate, Reading]]) -> float:
    return _rank(numbered[1])


def _within(candidate: Candidate, card: Reading) -> bool:
    """Whether a candidate's middle is that of a card that is known already."""
    far = float(np.linalg.norm(candidate.anchor - card.corners.mean(axis=0)))
    return far < 2 * NEAR * width_of(card.corners)


def _likeliest(reading: Reading) -> float:
    return float(reading.probabilities.max())


def _same_part(one: Candidate, other: Candidate) -> bool:
    """Whether a card was found by the same part of it in another look."""
    far = float(np.linalg.norm(one.anchor - other.anchor))
    return one.index == other.index and far < NEAR * 2 * width_of(other.corners)


def _told(index: Candidate, card: Corners, near: float) -> bool:
    """Whether an index is one of a card's two."""
    far = np.linalg.norm(index_places(card) - index.anchor, axis=1).min()
    return bool(far < near * width_of(card))


def _one(index: Candidate, reading: Reading, card: Reading) -> bool:
    """Whether what an index tells of is a card that is known already."""
    if int(reading.probabilities.argmax()) != int(card.probabilities.argmax()):
        return _told(index, card.corners, NEAR)
    # The other index of a card that is covered in the middle: equal cards do not lie like that.
    far = np.linalg.norm(card.corners - reading.corners[0], axis=1)
    turned = far[2] < far[0] and overlap(reading.corners, card.corners) > SAME
    return turned or _told(index, card.corners, NEAR_EQUAL)
