"""Cards, tables and hands cut out of labelled photos.

The photos stay where they are: what is cut out is kept in a folder for temporary files.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.decks import cards_of
from hardware.camera.reading.geometry import HEIGHT, WIDTH
from hardware.camera.reading.recognise import CardRecogniser
from hardware.camera.source import SourceError, read_picture
from hardware.camera.types import Corners, Detection, Picture, Recogniser
from lab.draw.scenes.projection import Matrix, project_points
from lab.films.photographed.held import HeldHand, held_hand
from lab.labelled_photos import Photo, read_index

Points = npt.NDArray[Any]

VERSION = 2
"""Goes up when other parts of the photos are cut out."""
TALL = (110, 420)
"""Least height of a card in a photo, and the largest one kept, in pixels."""
INSET = 0.006
"""Share of the outline left out: the edge's own blur holds some of what lay behind."""
RIM = (0.015, 0.038)
"""Where the white rim is looked at, from the outline inwards, as shares of the card's height."""
UNLIKE, MOST_UNLIKE = 36.0, 0.08
"""Difference of colour from the rim's own, and the share of the rim that may have it."""
ACROSS, PAD = 400, 0.08
"""Height of the picture in which edges are found, and the margin around the outline, its share."""
RUN = 5
"""Least width of the rim in that picture, in pixels; cards' rims are about 14 wide."""
WHITEST = 88
"""Percentile of a card's pixels, by their least channel, above which they are its white."""
WHITE, TOWARDS = 214.0, 0.65
"""The level of a white rim, and how far exposures are brought towards it."""
SURFACE = 140
"""Least side of a surface, in pixels of the photo."""
UNEVEN = 15.0
"""Largest standard deviation among the mean levels of a surface's parts: beyond, it is no table."""


@dataclass(frozen=True, slots=True)
class CutOut:
    """A card's face as photographed, (height, width, 3), upright, up to its outline."""

    card: str
    face: Picture


@dataclass(frozen=True, slots=True)
class Surface:
    """A piece of a table, (height, width, 3), and its scale in pixels per millimetre."""

    picture: Picture
    scale: float


@dataclass(frozen=True, slots=True)
class CutOuts:
    """What was cut out of a folder of photos."""

    cards: tuple[CutOut, ...]
    surfaces: tuple[Surface, ...]
    hands: tuple[HeldHand, ...] = ()


def cut_outs(
    folder: Path,
    tell: Callable[[str], None] = lambda _: None,
    recogniser: Recogniser | None = None,
    scratch: Path | None = None,
) -> CutOuts:
    """Return what can be cut out of a folder of labelled photos; the first time takes minutes.

    Raises IndexFileError, and ValueError if there is too little to make a film of.
    """
    index = hashlib.sha256((folder / "index.csv").read_bytes()).hexdigest()[:12]
    kept = (scratch or Path(tempfile.gettempdir())) / f"referee-films-{index}-{VERSION}"
    if not kept.exists():
        reader = recogniser or CardRecogniser(cards_of("classic-108"))
        making = Path(tempfile.mkdtemp(dir=kept.parent))
        _cut(folder, making, reader, tell)
        try:
            os.replace(making, kept)
        except OSError:  # Another process was quicker.
            shutil.rmtree(making)
    return _load(kept)


def _cut(folder: Path, into: Path, reader: Recogniser, tell: Callable[[str], None]) -> None:
    known: dict[str, Any] = {}
    for number, photo in enumerate(read_index(folder)):
        if not photo.single:
            continue
        try:
            picture = read_picture(photo.path)
        except SourceError:
            continue
        corners = card_of(photo, reader.recognise(picture, parts=False))
        if corners is None:
            continue
        if (face := clean_face(picture, corners)) is not None:
            known[f"card-{number:04}.png"] = photo.cards[0]
            cv2.imwrite(str(into / f"card-{number:04}.png"), face)
        if (surface := surface_of(picture, corners)) is not None:
            known[f"surface-{number:04}.png"] = surface.scale
            cv2.imwrite(str(into / f"surface-{number:04}.png"), surface.picture)
        if (hand := held_hand(picture, corners)) is not None:
            known[f"hand-{number:04}.png"] = (*hand.wrist, hand.wide)
            cv2.imwrite(str(into / f"hand-{number:04}.png"), hand.layer)
        tell(f"{photo.path.name} {len(known)}")
    (into / "index.json").write_text(json.dumps(known))


def _load(kept: Path) -> CutOuts:
    known = json.loads((kept / "index.json").read_text())
    pictures = {
        name: np.asarray(cv2.imread(str(kept / name), cv2.IMREAD_UNCHANGED)) for name in known
    }
    hands = tuple(
        HeldHand(layer, tuple(known[name][:2]), known[name][2])
        for name, layer in pictures.items()
        if name.startswith("hand")
    )
    cards = tuple(
        CutOut(known[name], face) for name, face in pictures.items() if name.startswith("card")
    )
    surfaces = tuple(
        Surface(piece, known[name]) for name, piece in pictures.items() if name.startswith("surf")
    )
    if len({cut.card for cut in cards}) < 10 or not surfaces:
        raise ValueError(f"{len(cards)} cards and {len(surfaces)} surfaces are too few for films")
    return CutOuts(cards, surfaces, hands)


def card_of(photo: Photo, readings: list[Detection]) -> Corners | None:
    """Return the outline of a photo's only card if it is read as its label says, and surely."""
    if len(readings) != 1 or readings[0].best != photo.cards[0] or not readings[0].sure:
        return None
    return readings[0].corners


def clean_face(picture: Picture, corners: Corners) -> Picture | None:
    """Return the face inside an outline, evenly exposed; None if small, covered, or cut off."""
    tall = float(np.linalg.norm(corners[[3, 2]] - corners[[0, 1]], axis=1).mean())
    outline = edges(picture, corners) if tall >= TALL[0] else None
    outline = None if outline is None else edges(picture, outline)
    if outline is None or outline.min() < 0 or (outline > np.array(picture.shape[1::-1]) - 1).any():
        return None
    height = int(min(tall, TALL[1]))
    width = round(height * WIDTH / HEIGHT)
    face = cv2.warpPerspective(
        picture, _onto(outline, width, height, -INSET), (width, height), flags=cv2.INTER_AREA
    )
    rim = face[_rim(width, height)].astype(np.float32)
    white = np.median(rim, axis=0)
    unlike = np.abs(rim - white).max(axis=1) > 2 * UNLIKE
    dim = white.min() < 0.5 * np.percentile(face.max(axis=2), 98)
    if unlike.mean() > MOST_UNLIKE or dim or white.max() > 1.6 * white.min():
        return None
    gain = np.clip((WHITE / white) ** TOWARDS, 0.6, 1.8)
    return np.asarray(np.clip(face * gain, 0, 255), np.uint8)


def edges(picture: Picture, corners: Corners) -> Corners | None:
    """Return an outline moved to where the white rim ends; None if that is not clear.

    Along many lines across each side, the rim's end is where its colour is left for good.
    """
    height = ACROSS
    width = round(height * WIDTH / HEIGHT)
    matrix = _onto(corners, width, height, 0.0)
    pad = round(PAD * height)
    shift = np.array([[1.0, 0, pad], [0, 1.0, pad], [0, 0, 1.0]])
    size = (width + 2 * pad, height + 2 * pad)
    border = cv2.BORDER_REPLICATE
    flat = cv2.warpPerspective(picture, shift @ matrix, size, borderMode=border)
    inside = flat[pad : pad + height, pad : pad + width].astype(np.float32)
    least = inside.min(axis=2)
    white = np.median(inside[least >= np.percentile(least, WHITEST)], axis=0)
    # Of each line its own white, since light falls off over a card.
    wide = np.abs(flat - white).max(axis=2) < 2 * UNLIKE
    lines = []
    for turns in range(4):  # Each side in turn lies at the top.
        turned, ours = np.rot90(flat, turns).astype(np.float32), np.rot90(wide, turns)
        cut = round(0.1 * turned.shape[1]) + pad
        rim = turned[pad : pad + round(0.05 * height), cut:-cut]
        rim = rim[ours[pad : pad + round(0.05 * height), cut:-cut]]
        if len(rim) < turned.shape[1]:
            return None
        like = np.abs(turned - np.median(rim, axis=0)).max(axis=2) < UNLIKE
        outward = like[: pad + round(0.05 * height), cut:-cut][::-1]
        # The first end of a stretch in the rim's colour, seen from inside.
        long = len(outward) - RUN - 1
        ends = ~outward[RUN : RUN + long] & ~outward[RUN + 1 : RUN + 1 + long]
        for n in range(RUN):
            ends &= outward[n : n + long]
        last = np.where(ends.any(axis=0), np.argmax(ends, axis=0), -1)
        rows = float(len(outward) - RUN) - last
        at = np.stack([np.arange(len(last)) + cut + 0.5, rows], axis=1)
        at = at[last >= 0]
        if len(at) < 0.4 * len(last):
            return None
        middle = np.median(at[:, 1])
        near = at[np.abs(at[:, 1] - middle) < 0.05 * height].astype(np.float32)
        if len(near) < 0.35 * len(last):
            return None
        dx, dy, x, y = (float(v) for v in cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01)[:, 0])
        off = np.abs((near[:, 0] - x) * dy - (near[:, 1] - y) * dx)
        if np.median(off) > 0.012 * height or abs(dy) > 0.1:
            return None
        lines.append(_turned_back((x, y), (dx, dy), turns, size))
    crossings = [_crossing(lines[n], lines[(n + 1) % 4]) for n in (3, 0, 1, 2)]
    back = np.linalg.inv(shift @ matrix)
    return project_points(np.asarray(back, np.float64), np.array(crossings)).astype(np.float32)


def _onto(corners: Corners, width: int, height: int, margin: float) -> Matrix:
    """Return the map of an outline onto a picture, with a margin as a share of the height."""
    m = margin * height
    box = np.array([(m, m), (width - m, m), (width - m, height - m), (m, height - m)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), box), np.float64)


def _turned_back(
    point: tuple[float, float], way: tuple[float, float], turns: int, size: tuple[int, int]
) -> tuple[Points, Points]:
    """Return a line of a picture that was turned, in the picture as it was."""
    (x, y), (dx, dy) = point, way
    width, height = size if turns % 2 == 0 else size[::-1]
    for _ in range(turns):
        x, y, dx, dy, width, height = height - y, x, -dy, dx, height, width
    return np.array([x, y]), np.array([dx, dy])


def _crossing(line: tuple[Points, Points], other: tuple[Points, Points]) -> Points:
    ways = np.stack([line[1], -other[1]], axis=1)
    share = np.linalg.solve(ways, other[0] - line[0])[0]
    return np.asarray(line[0] + share * line[1])


def _rim(width: int, height: int) -> Picture:
    outer, inner = (round(share * height) for share in RIM)
    mask = np.zeros((height, width), bool)
    mask[outer : height - outer, outer : width - outer] = True
    mask[inner : height - inner, inner : width - inner] = False
    corner = round(0.07 * height)
    for rows in (slice(0, corner), slice(height - corner, None)):
        for columns in (slice(0, corner), slice(width - corner, None)):
            mask[rows, columns] = False
    return mask


def surface_of(picture: Picture, corners: Corners) -> Surface | None:
    """Return the largest upright piece of a photo beside its card, if it looks like a table."""
    height, width = picture.shape[:2]
    middle = corners.mean(axis=0)
    around = middle + (corners - middle) * 1.25
    low, high = around.min(axis=0).clip(0), around.max(axis=0).clip(0)
    x0, y0, x1, y1 = (round(float(v)) for v in (*low, *high))
    pieces = (
        picture[:, : min(x0, width)],
        picture[:, min(x1, width) :],
        picture[: min(y0, height)],
        picture[min(y1, height) :],
    )
    piece = max(pieces, key=lambda part: min(part.shape[:2]))
    if min(piece.shape[:2]) < SURFACE:
        return None
    levels = cv2.resize(piece, (5, 5), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    if levels.std(axis=0).max() > UNEVEN:
        return None
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return Surface(np.ascontiguousarray(piece), float((sides[1] + sides[3]) / (2 * HEIGHT)))


def by_card(cards: tuple[CutOut, ...]) -> dict[str, list[CutOut]]:
    """Return the cut-outs of each card: different photos are different copies."""
    copies: dict[str, list[CutOut]] = {}
    for cut in cards:
        copies.setdefault(cut.card, []).append(cut)
    return copies
