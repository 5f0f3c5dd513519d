"""Reading a card whose outline is known: cut out straight, all turns tried, one joint answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.decks import COLOURS, ICONS, SYMBOLS, Card
from hardware.camera.layout import CARD_CROP
from hardware.camera.types import Corners, Picture

READ = 0.9
"""Read so surely one way up, a card is not tried another way."""
FACE = 0.5
"""So likely must it be the face of a card at all."""
ASTRAY = 0.02
"""So often a reading that is sure of itself is wrong altogether: light over a sign, a stain."""
PLAIN = 0.56
"""Share of a Power Grab deck's number cards that carry no icon: 10 of 18 of a colour."""
DRAWN_PLAIN = 0.38
"""The same of the cards that this network learnt from: first as many as ``CropKnobs.icons`` leaves,
in the end as ``ICONS`` in ``train/samples.py``, and its weights are the mean of both."""
PARTS = (len(COLOURS), len(SYMBOLS), len(ICONS), 1)
Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """What an outline holds: its corners from the card's own top left, and each card's chance.

    The chance that it is a readable face at all, ``valid``, is counted in.
    """

    corners: Corners
    probabilities: Array
    valid: float

    @property
    def told(self) -> Array:
        """The chances given that it is a face, never 0: as far as one reading can be trusted."""
        shares = self.probabilities / max(float(self.probabilities.sum()), 1e-9)
        told: Array = (1 - ASTRAY) * shares + ASTRAY / len(shares)
        return told


class Faces:
    """A network that reads crops, for the cards of some deck.

    Args:
        model: The network.
        deck: The cards there can be.
        drawn_plain: Share of the number cards without an icon among those that it learnt from.
    """

    def __init__(self, model: Path, deck: Sequence[Card], drawn_plain: float) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(model))
        classes = np.array([card.classes for card in deck])
        # Cards that look alike (the custom ones) share what their face gets.
        faces, of, count = np.unique(classes, axis=0, return_inverse=True, return_counts=True)
        self._colours, self._symbols, icons = faces.T
        self._of = of.ravel()
        self._share = (1 / count[self._of]).astype(np.float32)
        # Which icon is asked for each colour and symbol by itself: what the deck has not is ruled
        # out, and what it has counts as often as it occurs there.
        self._signs, sign = np.unique(faces[:, :2], axis=0, return_inverse=True)
        self._sign = np.eye(len(self._signs), dtype=np.float32)[sign.ravel()]
        self._icons = icons
        often = np.where(icons == 0, PLAIN / drawn_plain, (1 - PLAIN) / (1 - drawn_plain))
        self._often = often.astype(np.float32)

    def read(self, crops: Sequence[Picture], *, icons: bool = True) -> tuple[Array, Array]:
        """Probabilities n x cards, the chance that it is a face counted in; and that chance.

        Without ``icons`` a crop says nothing of them: each card gets all that its sign gets.
        """
        self._net.setInput(cv2.dnn.blobFromImages(crops, 1 / 255.0))
        edges = np.cumsum(PARTS)[:-1]
        colour, symbol, icon, face = np.split(self._net.forward(), edges, axis=1)
        valid = 1 / (1 + np.exp(-face[:, 0]))
        joint = _softmax(colour)[:, self._colours] * _softmax(symbol)[:, self._symbols]
        if icons:
            seen = _softmax(icon)[:, self._icons] * self._often + 1e-9
            joint = joint * seen / ((seen @ self._sign) @ self._sign.T)
        return joint[:, self._of] * self._share * valid[:, None], valid


class Reader:
    """Reads whole cards."""

    def __init__(self, model: Path, deck: Sequence[Card]) -> None:
        self._faces = Faces(model, deck, DRAWN_PLAIN)

    def read(self, picture: Picture, outlines: Sequence[Corners]) -> list[Reading]:
        """What the outlines hold.

        Either end is tried as the top; and the sides too, where neither end can be read: seen
        steeply, a card may be taken to be wider than high.
        """
        found = self._turned(picture, outlines, (0, 2))
        unread = [i for i, one in enumerate(found) if one.probabilities.max() < READ]
        again = self._turned(picture, [outlines[i] for i in unread], (1, 3))
        for i, other in zip(unread, again, strict=True):
            found[i] = max(found[i], other, key=lambda one: float(one.probabilities.max()))
        return found

    def _turned(
        self, picture: Picture, outlines: Sequence[Corners], turns: tuple[int, int]
    ) -> list[Reading]:
        """What each outline reads as, of two turns of it."""
        turned = [np.roll(corners, -turn, axis=0) for corners in outlines for turn in turns]
        if not turned:
            return []
        cards, valid = self._faces.read([cut_out(picture, one, CARD_CROP) for one in turned])
        ways = [Reading(*one) for one in zip(turned, cards, valid.tolist(), strict=True)]
        return [_joined(*pair) for pair in zip(ways[::2], ways[1::2], strict=True)]


def _joined(one: Reading, other: Reading) -> Reading:
    """The better of two turns, less sure of what reads otherwise in the other one.

    A face is the same from either end, but for what light and wear did to it: to the network the
    turned card is another picture of it.
    """
    if one.probabilities.max() < other.probabilities.max():
        one, other = other, one
    if other.valid < FACE:
        return one
    shares = np.sqrt(one.told * other.told)
    return replace(one, probabilities=shares / shares.sum() * one.valid)


def cut_out(picture: Picture, corners: Corners, size: tuple[int, int]) -> Picture:
    """The outline's inside, straight, with that width and height."""
    width, height = size
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    shrunk = max(sides[0] + sides[2], 1) / (2 * width)
    if shrunk > 2:
        # Averaged first: picking single pixels of a large picture would be noise.
        step = float(int(shrunk))
        low = np.maximum(np.floor(corners.min(axis=0)) - step, 0).astype(int)
        high = np.ceil(corners.max(axis=0)).astype(int) + int(step)
        part = picture[low[1] : high[1], low[0] : high[0]]
        if part.size:
            small = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
            picture, corners = small, ((corners - low) / step).astype(np.float32)
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    return cv2.warpPerspective(
        picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _softmax(logits: Array) -> Array:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares
