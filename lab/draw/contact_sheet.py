"""Contact sheets: drawn pictures side by side, the truth drawn in, for a person to look at."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from lab.draw.cards.faces import render_face
from lab.draw.cards.print_style import PrintStyle
from lab.draw.scenes.crops import Crop
from lab.draw.scenes.scene import Scene
from lab.draw.shapes.sheet import Picture

_GREY = 96


def grid(pictures: Sequence[Picture], columns: int) -> Picture:
    """Pictures in rows, each in the upper left of a cell as large as the largest."""
    height = max(p.shape[0] for p in pictures) + 4
    width = max(p.shape[1] for p in pictures) + 4
    rows = -(-len(pictures) // columns)
    out = np.full((rows * height, columns * width, 3), _GREY, np.uint8)
    for k, picture in enumerate(pictures):
        y, x = k // columns * height + 2, k % columns * width + 2
        out[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
    return out


def faces(ruleset: str, style: PrintStyle, height: int = 200) -> Picture:
    """Draw each card of a ruleset in one print style. Raises KeyError for an unknown ruleset."""
    pictures = []
    for card in RULESETS[ruleset]:
        face = render_face(card.id, style, height)
        alpha = face[..., 3:] / 255.0
        pictures.append((face[..., :3] * alpha + _GREY * (1 - alpha)).astype(np.uint8))
    return grid(pictures, 14)


def marked(scene: Scene) -> Picture:
    """A scene with the outline of each card, a dot at its own upper left, and its id."""
    image = scene.image.copy()
    for card in scene.cards:
        if card.visible < 0.02:
            continue
        points = np.round(card.corners * 16).astype(np.int32)
        cv2.polylines(image, [points], True, (255, 0, 255), 1, cv2.LINE_AA, 4)
        x, y = (int(v) for v in np.clip(card.corners[0], -9999, 9999))
        cv2.circle(image, (x, y), 3, (0, 255, 255), -1, cv2.LINE_AA)
        text = f"{card.card} {card.visible:.2f}"
        cv2.putText(image, text, (x, y + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.3, (0, 255, 255), 1)
    return image


def scenes(drawn: Iterable[Scene]) -> Picture:
    """Scenes side by side, the truth drawn in."""
    return grid([marked(scene) for scene in drawn], 8)


def crops(drawn: Iterable[Crop]) -> Picture:
    """Crops side by side, each with its label above it; red where no face is shown."""
    pictures = []
    for crop in drawn:
        picture = cv2.copyMakeBorder(crop.image, 12, 0, 0, 0, cv2.BORDER_CONSTANT)
        ink = (255, 255, 255) if crop.valid else (60, 60, 255)
        text = crop.card or "no face"
        cv2.putText(picture, text, (1, 9), cv2.FONT_HERSHEY_SIMPLEX, 0.32, ink, 1)
        pictures.append(np.asarray(picture, dtype=np.uint8))
    return grid(pictures, 16)
