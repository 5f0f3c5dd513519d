"""Cuts pictures to the pile and a rim around it, so that no room and no face is kept."""

from typing import Any, Protocol

# Rim around the pile, in shares of the place's longer side: the tracker watches 0.35, and a hand
# should be seen to come. With a card's place of 92 x 121 mm that is 6 cm of table.
RIM = 0.5
# Share of the rim up to which the place may move before pictures are cut elsewhere.
SLACK = 0.4
# JPEG compresses blocks of 16 x 16 pixels.
BLOCK = 16
# Decimals of corners, in pixels.
DIGITS = 1


class Place(Protocol):
    """Where the piles are in a picture: what ``hardware.camera.setup.follow`` tells."""

    @property
    def pile(self) -> Any:
        """Corners of the discard pile's place, (4, 2) in pixels; None if unknown."""

    @property
    def draw(self) -> Any:
        """The same of the draw pile."""

    @property
    def state(self) -> str:
        """Whether it is still, moving, covered or being searched."""

    @property
    def moved_by(self) -> float:
        """Pixels by which the pile has moved since the last picture."""


class Cutter:
    """Cuts the pictures of one camera, all alike until the pile has moved; ``whole`` cuts nothing.

    ``corner``: x and y, in pixels of the whole picture, where the last cut began.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        self._box: tuple[int, int, int, int] | None = None
        self.corner = (0, 0)

    def cut(self, picture: Any, place: Place) -> Any | None:
        """Return the part to keep; None while it is not known where the pile lies."""
        if self._whole:
            return picture
        if place.pile is not None and place.state != "moving":
            self._follow(picture, place)
        if self._box is None:
            return None
        left, top, right, bottom = self._box
        self.corner = (left, top)
        part = picture[top:bottom, left:right]
        return part if part.size else None

    def _follow(self, picture: Any, place: Place) -> None:
        rim = RIM * _longer_side(place.pile)
        if self._box is None or not _holds(self._box, place, (1 - SLACK) * rim, picture):
            self._box = _around(place, rim, picture)

    def fields(self, place: Place) -> dict[str, Any]:
        """Return a place as an event's fields, in pixels of the cut picture."""
        return {
            "state": place.state,
            "moved_by": round(float(place.moved_by), DIGITS),
            "pile": self._corners(place.pile),
            # Cut away, it cannot be watched.
            "draw": self._corners(place.draw) if self._whole else None,
        }

    def _corners(self, corners: Any) -> list[list[float]] | None:
        if corners is None:
            return None
        x, y = self.corner
        return [[round(float(a) - x, DIGITS), round(float(b) - y, DIGITS)] for a, b in corners]


def _around(place: Place, rim: float, picture: Any) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of what to keep, in whole blocks inside the picture."""
    (left, top), (right, bottom) = _extent(place)
    height, width = picture.shape[:2]
    return (
        max(0, int(left - rim) // BLOCK * BLOCK),
        max(0, int(top - rim) // BLOCK * BLOCK),
        min(width, -(-int(right + rim) // BLOCK) * BLOCK),
        min(height, -(-int(bottom + rim) // BLOCK) * BLOCK),
    )


def _holds(box: tuple[int, int, int, int], place: Place, rim: float, picture: Any) -> bool:
    """Return whether the box holds a place with its rim, as far as that is in the picture."""
    (left, top), (right, bottom) = _extent(place)
    height, width = picture.shape[:2]
    return (
        box[0] <= max(0, left - rim)
        and box[1] <= max(0, top - rim)
        and box[2] >= min(width, right + rim)
        and box[3] >= min(height, bottom + rim)
    )


def _extent(place: Place) -> tuple[tuple[float, float], tuple[float, float]]:
    low = tuple(min(float(point[axis]) for point in place.pile) for axis in (0, 1))
    high = tuple(max(float(point[axis]) for point in place.pile) for axis in (0, 1))
    return (low[0], low[1]), (high[0], high[1])


def _longer_side(corners: Any) -> float:
    sides = [
        ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    return float(max(sides))
