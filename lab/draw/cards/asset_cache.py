"""A cache of drawn pictures: card faces, backs, backgrounds and noise."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.draw.cards.backgrounds import random_background
from lab.draw.cards.backs import back, lookalike
from lab.draw.cards.faces import render_face
from lab.draw.cards.foreign import foreign_face
from lab.draw.cards.print_style import PrintStyle, random_style
from lab.draw.shapes.sheet import Picture

Mipmap = tuple[Picture, ...]
"""A flat BGRA picture at several sizes, each half of the one before."""


def mipmap(image: Picture) -> Mipmap:
    """Return the picture and its halves, down to a height of 28 pixels."""
    out = [image]
    while out[-1].shape[0] >= 56:
        height, width = out[-1].shape[:2]
        half = cv2.resize(out[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        out.append(np.asarray(half, dtype=np.uint8))
    return tuple(out)


class AssetCache:
    """Faces, backs, backgrounds and noise, drawn on first use.

    Only a few print styles are in use at a time. After every `renew` faces one of them is replaced,
    so that a long training sees many styles and still draws each face rarely. Equal seeds and equal
    calls give equal pictures.

    Args:
        styles: Number of print styles in use at a time.
        renew: Faces after which a style is replaced; 0 for never.
        fixed: Styles to use instead of random ones.
        bare: Share of styles made borderless, on top of those that are anyway.
        letters: Share of styles whose icons become bare letters, on top of those that are anyway.
    """

    def __init__(
        self,
        seed: int,
        height: int = 224,
        styles: int = 12,
        renew: int = 1500,
        fixed: tuple[PrintStyle, ...] = (),
        bare: float = 0.0,
        letters: float = 0.0,
    ) -> None:
        self._seed = seed
        self._height = height
        self._styles = len(fixed) or styles
        self._renew = 0 if fixed else renew
        self._fixed = fixed
        self._bare = bare
        self._letters = letters
        self._served = 0
        self._cache: OrderedDict[tuple[object, ...], Mipmap] = OrderedDict()
        self._backgrounds: list[Picture] = []
        self._noise: NDArray[np.int16] | None = None

    def style(self, rng: np.random.Generator) -> PrintStyle:
        """Pick one of the print styles in use."""
        which = int(rng.integers(self._styles))
        if self._fixed:
            return self._fixed[which]
        first = self._served // self._renew if self._renew else 0
        style = random_style(self._seed * 1_000_003 + first + which)
        # Derived from the style's seed: faces are cached by it.
        bare, letters = np.random.default_rng([style.seed, 4]).random(2) < (
            self._bare,
            self._letters,
        )
        style = replace(style, border=0.0) if bare else style
        return replace(style, icon_style=2) if letters else style

    def face(self, card_id: str, style: PrintStyle) -> Mipmap:
        """Return a card's face."""
        self._served += 1
        return self._cached(
            (card_id, style.seed), lambda: render_face(card_id, style, self._height)
        )

    def back(self, style: PrintStyle) -> Mipmap:
        """Return the back of a style."""
        rng = np.random.default_rng([self._seed, style.seed, 1])
        return self._cached(("back", style.seed), lambda: back(style, rng, self._height))

    def lookalike(self, rng: np.random.Generator) -> Mipmap:
        """Return a flat, card-sized thing that is no card."""
        which = int(rng.integers(40)) + self._served // 2000
        own = np.random.default_rng([self._seed, which, 2])
        return self._cached(("other", which), lambda: lookalike(own, self._height))

    def foreign(self, rng: np.random.Generator) -> Mipmap:
        """Return a face of another game, or a dense picture."""
        which = int(rng.integers(400)) + self._served // 30
        own = np.random.default_rng([self._seed, which, 5])
        return self._cached(("foreign", which), lambda: foreign_face(own, self._height))

    def background(self, rng: np.random.Generator) -> Picture:
        """Return one of the backgrounds in use, (384, 384, 3)."""
        if len(self._backgrounds) < 64 or (self._renew and rng.random() < 0.02):
            self._backgrounds.append(
                random_background(np.random.default_rng(rng.integers(1 << 62)))
            )
            self._backgrounds = self._backgrounds[-64:]
            return self._backgrounds[-1]
        return self._backgrounds[int(rng.integers(len(self._backgrounds)))]

    def noise(self, rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.int16]:
        """Return noise of mean 0 and standard deviation 32, (height, width, 3)."""
        if self._noise is None or min(self._noise.shape[:2]) < max(shape) + 64:
            side = max(shape) + 256
            own = np.random.default_rng([self._seed, 3])
            self._noise = (own.standard_normal((side, side, 3), np.float32) * 32).astype(np.int16)
        y = int(rng.integers(self._noise.shape[0] - shape[0]))
        x = int(rng.integers(self._noise.shape[1] - shape[1]))
        return self._noise[y : y + shape[0], x : x + shape[1]]

    def _cached(self, key: tuple[object, ...], make: Callable[[], Picture]) -> Mipmap:
        if key not in self._cache:
            self._cache[key] = mipmap(make())
            if len(self._cache) > 1400:
                self._cache.popitem(last=False)
        self._cache.move_to_end(key)
        return self._cache[key]
