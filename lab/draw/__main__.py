"""Look at what is drawn, side by side: `python -m lab.draw faces|scenes|crops|corners`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.cards.faces import render_face
from lab.draw.cards.print_style import PrintStyle, random_style
from lab.draw.scenes.crops import Crop, random_corner_crop, random_crop
from lab.draw.scenes.scene import Scene, random_scene
from lab.draw.shapes.sheet import Picture

_GREY = 96


def grid(pictures: Sequence[Picture], columns: int) -> Picture:
    """Return pictures in rows, each in the upper left of a cell as large as the largest."""
    height = max(p.shape[0] for p in pictures) + 4
    width = max(p.shape[1] for p in pictures) + 4
    rows = -(-len(pictures) // columns)
    out = np.full((rows * height, columns * width, 3), _GREY, np.uint8)
    for k, picture in enumerate(pictures):
        y, x = k // columns * height + 2, k % columns * width + 2
        out[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
    return out


def faces(ruleset: str, style: PrintStyle, height: int = 200) -> list[Picture]:
    """Return each card of a ruleset in one print style. Raises KeyError for an unknown ruleset."""
    pictures = []
    for card in RULESETS[ruleset]:
        face = render_face(card.id, style, height)
        alpha = face[..., 3:] / 255.0
        pictures.append((face[..., :3] * alpha + _GREY * (1 - alpha)).astype(np.uint8))
    return pictures


def marked(scene: Scene) -> Picture:
    """Return a scene with the outline of each card, a dot at its own upper left, and its id."""
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


def labelled(crop: Crop) -> Picture:
    """Return a crop with its label above it; red where no face is shown."""
    picture = cv2.copyMakeBorder(crop.image, 12, 0, 0, 0, cv2.BORDER_CONSTANT)
    ink = (255, 255, 255) if crop.valid else (60, 60, 255)
    text = crop.card or "no face"
    cv2.putText(picture, text, (1, 9), cv2.FONT_HERSHEY_SIMPLEX, 0.32, ink, 1)
    return np.asarray(picture, dtype=np.uint8)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lab.draw",
        description="Writes a contact sheet of drawn cards, scenes or crops as a PNG file.",
    )
    parser.add_argument("what", choices=("faces", "scenes", "crops", "corners"))
    parser.add_argument("--out", type=Path, default=Path("drawn.png"), help="the file to write")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other pictures")
    parser.add_argument("--count", type=int, default=64, help="how many scenes or crops")
    parser.add_argument("--ruleset", choices=list(RULESETS), default="classic-112")
    return parser


def _sheet(options: argparse.Namespace) -> Picture:
    if options.what == "faces":
        return grid(faces(options.ruleset, random_style(options.seed)), 14)
    rng, assets = np.random.default_rng(options.seed), AssetCache(options.seed)
    if options.what == "scenes":
        return grid([marked(random_scene(rng, assets)) for _ in range(options.count)], 8)
    draw = random_crop if options.what == "crops" else random_corner_crop
    return grid([labelled(draw(rng, assets)) for _ in range(options.count)], 16)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    options = _parser().parse_args(arguments)
    if options.count < 1:
        sys.stderr.write("--count must be at least 1.\n")
        return 2
    if not options.out.parent.is_dir() or options.out.suffix.lower() != ".png":
        sys.stderr.write(f"{options.out} must be a .png file in a folder that exists.\n")
        return 2
    cv2.imwrite(str(options.out), _sheet(options))
    sys.stdout.write(f"{options.out} written.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
