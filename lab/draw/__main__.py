"""Look at what is drawn: `python -m lab.draw faces|scenes|crops|corners`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from lab.draw import contact_sheet
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.cards.print_style import random_style
from lab.draw.scenes.crops import random_corner_crop, random_crop
from lab.draw.scenes.scene import random_scene
from lab.draw.shapes.sheet import Picture


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
        return contact_sheet.faces(options.ruleset, random_style(options.seed))
    rng, assets = np.random.default_rng(options.seed), AssetCache(options.seed)
    if options.what == "scenes":
        return contact_sheet.scenes(random_scene(rng, assets) for _ in range(options.count))
    draw = random_crop if options.what == "crops" else random_corner_crop
    return contact_sheet.crops(draw(rng, assets) for _ in range(options.count))


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
