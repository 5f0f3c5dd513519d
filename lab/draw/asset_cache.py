"""Pictures kept for use again: faces, backs and grounds, a few of them new from time to time."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.draw.backgrounds import random_background
from lab.draw.backs import back, lookalike
from lab.draw.faces import render_face
from lab.draw.print_style import PrintStyle, random_style
from lab.draw.sheet import Picture

Mipmap = tuple[Picture, ...]
"""A flat BGRA picture in several sizes, each half of the one before."""


def mipmap(image: Picture) -> Mipmap:
    """A picture and its halves down to 28 pixels of height."""
    out = [image]
    while out[-1].shape[0] >= 56:
        height, width = out[-1].shape[:2]
        half = cv2.resize(out[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        out.append(np.asarray(half, dtype=np.uint8))
    return tuple(out)


class AssetCache:
    """Faces, backs, grounds and noise, drawn when first asked for.

    Of all print runs only a window of a few is in use; it moves on by one run after every `renew`
    faces handed out, so that a long training sees many runs and draws each face rarely. Equal
    seeds and equal calls give equal pictures.

    Args:
        seed: Which runs and grounds there are.
        height: Height of a face in pixels.
        runs: How many print runs are in use at a time.
        renew: After how many faces a run is replaced; 0 never.
        prints: Runs to use instead of drawn ones.
        bare: Share of runs that are printed up to the card's edge, beside those that are anyway.
        letters: Share of runs whose icons are bare letters, beside those whose are anyway.
    """

    def __init__(
        self,
        seed: int,
        height: int = 224,
        styles: int = 12,
        renew: int = 1500,
        prints: tuple[PrintStyle, ...] = (),
        bare: float = 0.0,
        letters: float = 0.0,
    ) -> None:
        self._seed = seed
        self._height = height
        self._styles = len(prints) or styles
        self._renew = 0 if prints else renew
        self._prints = prints
        self._bare = bare
        self._letters = letters
        self._asked = 0
        self._kept: OrderedDict[tuple[object, ...], Mipmap] = OrderedDict()
        self._grounds: list[Picture] = []
        self._noise: NDArray[np.int16] | None = None

    def style(self, rng: np.random.Generator) -> PrintStyle:
        """One of the print runs now in use."""
        which = int(rng.integers(self._styles))
        if self._prints:
            return self._prints[which]
        first = self._asked // self._renew if self._renew else 0
        style = random_style(self._seed * 1_000_003 + first + which)
        # Decided by the run, not by the lot: faces are kept by their run.
        bare, letters = np.random.default_rng([style.seed, 4]).random(2) < (
            self._bare,
            self._letters,
        )
        style = replace(style, border=0.0) if bare else style
        return replace(style, icon_style=2) if letters else style

    def face(self, card_id: str, style: PrintStyle) -> Mipmap:
        """A card's face in several sizes."""
        self._asked += 1
        return self._keep((card_id, style.seed), lambda: render_face(card_id, style, self._height))

    def back(self, style: PrintStyle) -> Mipmap:
        """A back in several sizes."""
        rng = np.random.default_rng([self._seed, style.seed, 1])
        return self._keep(("back", style.seed), lambda: back(style, rng, self._height))

    def lookalike(self, rng: np.random.Generator) -> Mipmap:
        """Something flat that is no card, in several sizes."""
        which = int(rng.integers(40)) + self._asked // 2000
        own = np.random.default_rng([self._seed, which, 2])
        return self._keep(("other", which), lambda: lookalike(own, self._height))

    def background(self, rng: np.random.Generator) -> Picture:
        """One of the grounds now in use."""
        if len(self._grounds) < 64 or (self._renew and rng.random() < 0.02):
            self._grounds.append(random_background(np.random.default_rng(rng.integers(1 << 62))))
            self._grounds = self._grounds[-64:]
            return self._grounds[-1]
        return self._grounds[int(rng.integers(len(self._grounds)))]

    def noise(self, rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.int16]:
        """Noise of mean 0 and deviation 32, (height, width, 3)."""
        if self._noise is None or min(self._noise.shape[:2]) < max(shape) + 64:
            side = max(shape) + 256
            own = np.random.default_rng([self._seed, 3])
            self._noise = (own.standard_normal((side, side, 3), np.float32) * 32).astype(np.int16)
        y = int(rng.integers(self._noise.shape[0] - shape[0]))
        x = int(rng.integers(self._noise.shape[1] - shape[1]))
        return self._noise[y : y + shape[0], x : x + shape[1]]

    def _keep(self, key: tuple[object, ...], make: Callable[[], Picture]) -> Mipmap:
        if key not in self._kept:
            self._kept[key] = mipmap(make())
            if len(self._kept) > 1400:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]
