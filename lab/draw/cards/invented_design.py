"""Random invented faces: what is printed on a card, where, how large, and in which colours."""

import colorsys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.shapes.motifs import MOTIFS, TINTS, Motif, character_sign, rune
from lab.draw.shapes.noise import blend_colours, fractal_noise, value_noise
from lab.draw.shapes.sheet import Colour, Picture
from lab.draw.shapes.strokes import Shape
from lab.draw.shapes.symbols import ellipse, rounded

DrawMotif = Callable[[np.random.Generator], Motif]
Corner = tuple[float, float]

INDEX_CORNER: Corner = (-19.5, -34.0)
"""Place of the index, in mm from the middle of the card; a second one is opposite."""
FREE_CORNER: Corner = (19.5, -34.0)
"""The neighbouring corner, usually empty."""


@dataclass(frozen=True)
class Design:
    """One face. Lengths are in mm on a card of 56 by 87, colours in BGR."""

    paper: Colour  # The rim
    border: float  # The rim's width
    field: Colour | Picture  # Background inside the rim, one colour or a picture
    shape: Shape  # Outline of a lighter field in the middle, empty for none
    middle: Colour  # Colour of that field
    motif: Motif  # The picture in the middle
    size: float  # Height of the motif
    tints: tuple[Colour, ...]  # Colours of the motif's layers
    double: bool = False  # Whether the motif is printed twice, once upside down
    index: Motif = ()  # type: ignore[assignment]  # The sign in two opposite corners
    index_tint: Colour = (250, 250, 250)  # Colour of the index
    index_size: float = 8.0  # Height of the index
    free: bool = False  # Whether the other two corners carry the index too
    icon: Motif = ()  # type: ignore[assignment]  # A mark that distinguishes faces, empty for none
    icon_at: Corner = FREE_CORNER  # Place of the icon, from the middle; a second one is opposite
    icon_size: float = 7.0  # Height of the icon
    line: float = 0.0  # Width of the outlines in the motif
    number: int = 0  # Number of pips in the middle, 0 for the motif itself


def random_colour(rng: np.random.Generator, low: float = 0.25) -> Colour:
    """Return a random colour, more often a saturated one."""
    strong = 1 - rng.beta(1.0, 2.5)
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), strong, rng.uniform(low, 1.0))
    return round(blue * 255), round(green * 255), round(red * 255)


def random_tints(rng: np.random.Generator) -> tuple[Colour, ...]:
    """Return random colours for the layers of a motif."""
    return tuple(random_colour(rng, 0.05) for _ in range(TINTS))


def random_motif(rng: np.random.Generator, motifs: Sequence[DrawMotif]) -> Motif:
    """Draw a random one of these motifs."""
    return motifs[int(rng.integers(len(motifs)))](rng)


def texture(rng: np.random.Generator, height: int = 224) -> Picture:
    """Return a picture without outlines, like a photograph: clouds, a horizon, lights."""
    shape = (height, round(height * WIDTH / HEIGHT))
    low = np.array(random_colour(rng, 0.05), np.float64)
    high = np.array(random_colour(rng, 0.3), np.float64)
    image = blend_colours(
        fractal_noise(rng, shape, int(rng.integers(1, 5)), int(rng.integers(2, 6))), low, high
    )
    for _ in range(int(rng.integers(0, 5))):
        tint = np.array(random_colour(rng, 0.1), np.float32)
        mask = value_noise(rng, shape, (int(rng.integers(1, 6)), int(rng.integers(1, 6))))
        share = np.clip((mask - 0.55) * rng.uniform(3, 20), 0, 1)[..., None]
        image = (image * (1 - share) + tint * share).astype(np.uint8)
    if rng.random() < 0.5:
        cut = int(shape[0] * rng.uniform(0.3, 0.8))
        ground = np.array(random_colour(rng, 0.1), np.float32)
        image[cut:] = (image[cut:] * 0.4 + ground * 0.6).astype(np.uint8)
    return image


def random_design(rng: np.random.Generator, motifs: Sequence[DrawMotif] = MOTIFS) -> Design:
    """Return a random face."""
    light = rng.random() < 0.8
    paper: Colour = (245, 246, 247) if light else random_colour(rng, 0.02)
    border = 0.0 if rng.random() < 0.2 else rng.uniform(1.5, 6.0)
    ground: Colour | Picture = random_colour(rng, 0.05)
    if rng.random() < 0.2:
        ground = texture(rng)
    shape: Shape = []
    lot = rng.random()
    across, down = rng.uniform(30, 50), rng.uniform(40, 70)
    if lot < 0.35:
        shape = [ellipse(across, down, float(rng.choice([0.0, 0.5, rng.uniform(-0.7, 0.7)])))]
    elif lot < 0.6:
        shape = [rounded(across, down, rng.uniform(0.0, 8.0))]
    return Design(
        paper=paper,
        border=border,
        field=ground,
        shape=shape,
        middle=(245, 246, 247) if rng.random() < 0.6 else random_colour(rng, 0.3),
        motif=random_motif(rng, motifs),
        size=rng.uniform(22, 52),
        tints=random_tints(rng),
        double=bool(rng.random() < 0.15),
        index=random_motif(rng, (character_sign, rune)) if rng.random() < 0.75 else [],
        index_tint=random_colour(rng, 0.0) if rng.random() < 0.5 else (250, 250, 250),
        index_size=rng.uniform(6.0, 12.0),
        free=bool(rng.random() < 0.15),
        line=rng.uniform(0.2, 0.8) if rng.random() < 0.4 else 0.0,
    )
