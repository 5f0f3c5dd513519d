"""The whole of it: find the cards in a picture, look closer, read them, and drop what is none."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.cards import Found, Picture
from hardware.camera.draw.cards import Card, all_cards
from hardware.camera.locate import Candidate, Locator, overlap
from hardware.camera.read import Reader, Reading

MODELS = Path(__file__).parent / "models"
LEAST = 0.02
"""Cards less likely than this are not listed."""
FACE = 0.5
"""So likely must it be the face of a card at all."""
SMALL = 56.0
"""Cards with a longer side below this, in pixels as seen, are looked for at twice the size."""


class ModelError(Exception):
    """The networks cannot be used; the text says why."""


class CardRecogniser:
    """Finds and reads cards with the project's own networks (``hardware.camera.cards``).

    Raises ModelError when the networks are not there.
    """

    def __init__(self, deck: Sequence[Card] | None = None, models: Path = MODELS) -> None:
        for name in ("locator.onnx", "reader.onnx"):
            _check(models / name)
        self._locator = Locator(models / "locator.onnx")
        self._reader = Reader(models / "reader.onnx", deck or tuple(all_cards().values()))

    def recognise(self, picture: Picture) -> list[Found]:
        """The cards in a picture, the surest first."""
        near = [self._locator.closer(picture, one) for one in self._candidates(picture)]
        readings = self._reader.read(picture, [one.corners for one in near])
        ranked = sorted(zip(near, readings, strict=True), key=_rank, reverse=True)
        found: list[Found] = []
        for candidate, reading in ranked:
            if reading.valid < FACE:
                continue
            if all(overlap(candidate.corners, other.corners) < 0.5 for other in found):
                found.append(Found(reading.corners, self._listed(reading)))
        return found

    def _candidates(self, picture: Picture) -> list[Candidate]:
        found = self._locator.locate(picture)
        scale = 256 / max(picture.shape[:2])
        sides = [np.ptp(one.corners, axis=0).max() * scale for one in found]
        if found and float(np.median(sides)) < SMALL:
            more = self._locator.locate(picture, 512)
            found = [o for o in found if all(overlap(o.corners, m.corners) < 0.45 for m in more)]
            found = [*more, *found]
        return found

    def _listed(self, reading: Reading) -> dict[str, float]:
        deck, chances = self._reader.deck, reading.probabilities
        likeliest = [i for i in np.argsort(-chances) if chances[i] >= LEAST]
        return {deck[i].id: float(chances[i]) for i in likeliest}


def _check(network: Path) -> None:
    """Whether a network can be read. Raises ModelError."""
    if not network.is_file():
        raise ModelError(
            f"there is nothing to read cards with: the network {network} is not there; install "
            "the program anew, or train networks of your own ('python -m hardware.camera.train')"
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
