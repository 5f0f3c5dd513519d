"""Print styles: everything that may differ between the prints of two decks."""

import colorsys
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from hardware.camera.decks import SUITS
from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.shapes.digits import Typeface
from lab.draw.shapes.sheet import Colour
from lab.draw.shapes.symbols import Arrows

CENTRES = ("filled", "ring", "circle", "ring-circle", "plain")

_HUES = {
    "red": (345.0, 375.0),
    "yellow": (40.0, 60.0),
    "green": (85.0, 174.0),
    "blue": (191.0, 250.0),
}
_USUAL = {"red": 357.0, "yellow": 51.0, "green": 140.0, "blue": 210.0}


@dataclass(frozen=True)
class PrintStyle:
    """The design of one printing of a deck. Lengths in mm on a card of 56 by 87, colours in BGR."""

    seed: int = 0  # What it was drawn from; also seeds its hand-drawn pictures
    # The ink of each colour.
    colours: dict[str, Colour] = field(
        default_factory=lambda: {
            "red": (35, 25, 205),
            "yellow": (20, 205, 240),
            "green": (75, 135, 25),
            "blue": (205, 120, 15),
        }
    )
    black: Colour = (26, 24, 24)  # The field of wild cards
    white: Colour = (246, 247, 248)  # The paper
    border: float = 4.3  # Width of the paper's rim around the field, 0 for none
    rim: Colour = (246, 247, 248)  # Colour of the border, usually the paper's
    card_radius: float = 3.2  # Radius of the card's corners
    field_radius: float = 2.4  # Radius of the coloured field's corners
    centre: str = "filled"  # One of `CENTRES`
    # Width and height of the box around the ellipse.
    centre_size: tuple[float, float] = (47.5, 65.5)
    lean: float = 0.54  # Tilt of the ellipse as a correlation, see `symbols.ellipse`
    ring: float = 1.2  # Width of the ring's line
    face: Typeface = field(default_factory=Typeface)  # Type of the digits
    slant: float = 0.14  # How far digits lean to the right
    digit: float = 27.0  # Height of the centre's digit
    index: float = 7.4  # Height of the digit in the corner
    # Its middle, from the card's middle (upper left corner).
    index_at: tuple[float, float] = (-18.0, -33.2)
    index_sign: float = 7.8  # Size of an action's sign in the corner
    plus: float = 0.95  # Size of +2 and +4 in the corner to that of other digits
    coloured: bool = True  # Whether the centre's digit has the card's colour (else it is white)
    outline: float = 0.55  # Line around the centre's sign
    shadow: tuple[float, float] = (1.1, 1.1)  # The centre's shadow
    solid: bool = True  # Whether shadows are drawn like the side of a block
    index_outline: float = 0.2  # Line around the sign in the corner
    index_shadow: tuple[float, float] = (-0.5, 0.4)  # Its shadow
    index_halo: float = 0.0  # Light rim around +4, 0 for none
    # Diameter of the centre's skip sign, width of its ring and angle of its slash.
    skip: tuple[float, float, float] = (30.0, 0.15, 40.0)
    slash: float = 1.0  # Width of the slash to that of the ring
    arrows: Arrows = field(default_factory=Arrows)  # The reverse sign
    curled: bool = False  # Whether reverse is drawn as two bent arrows instead
    reverse: float = 42.0  # Length of the centre's reverse sign
    mini: float = 27.0  # Height of the small cards drawn in the centre
    mini_slant: float = 0.28  # Their slant
    mini_ratio: float = 0.54  # Their width to their height
    mini_radius: float = 0.03  # Radius of their corners to their height
    mini_white: bool = False  # Whether those of draw-two are white
    four_layout: int = 0  # 0 crossed, 1 in a diagonal row, 2 fanned
    mirrored_two: bool = False  # Whether draw-two's front card lies lower left (else upper right)
    # Which colour (index in `SUITS`) each quarter of the wild has, clockwise.
    wild_order: tuple[int, int, int, int] = (2, 1, 0, 3)
    wild_word: bool = False  # Whether the word stands on it
    corner_disc: float = 9.0  # Height of the small wild in the corners
    small_print: bool = False  # Whether a tiny mark stands beside the 0
    flipped: float = 0.1  # Share of cards whose centre is printed upside down to the corner
    custom_written: bool = True  # Whether custom cards have been written on
    icon_style: int = 0  # 0 a disc, 1 a tower, 2 a bare letter
    icon_at: int = 0  # 0 in the two free corners, 1 under the index
    fringe: float = 0.0  # How far the inks are out of register
    wear: float = 0.0  # Amount of scratches and worn edges, 0 to 1
    fade: float = 0.0  # How far the inks have paled, 0 to 1
    gloss: float = 0.3  # How much light the card reflects, 0 to 1


def _ink(rng: np.random.Generator, suit: str) -> Colour:
    low, high = _HUES[suit]
    # Most prints lie near the usual hue, but every hue of the range must be learnt.
    near = rng.normal(_USUAL[suit], (high - low) / 5)
    hue = float(np.clip(near, low, high)) if rng.random() < 0.55 else rng.uniform(low, high)
    low_value = {"yellow": 0.82, "red": 0.6, "blue": 0.5, "green": 0.38}[suit]
    value = rng.uniform(low_value, 1.0)
    saturation = rng.uniform(0.7, 1.0)
    red, green, blue = colorsys.hsv_to_rgb(hue / 360 % 1.0, saturation, value)
    return round(blue * 255), round(green * 255), round(red * 255)


def _grey(rng: np.random.Generator, low: float, high: float, tint: float) -> Colour:
    level = rng.uniform(low, high)
    b, g, r = (int(np.clip(level + rng.uniform(-tint, tint), 0, 255)) for _ in range(3))
    return b, g, r


def _typeface(rng: np.random.Generator) -> Typeface:
    stem = rng.uniform(0.15, 0.29)
    return Typeface(
        width=rng.uniform(0.58, 0.9),
        stem=stem,
        bar=stem * rng.uniform(0.68, 1.0),
        square=2.0 + rng.exponential(0.35),
        hook=rng.uniform(0.0, 1.0),
        straight=bool(rng.random() < 0.12),
        flat_three=bool(rng.random() < 0.08),
        open_four=bool(rng.random() < 0.1),
        curved_seven=bool(rng.random() < 0.6),
        flag=rng.uniform(0.4, 1.0),
        foot=bool(rng.random() < 0.12),
        tight_bar=rng.uniform(0.04, 0.16),
        bar_length=rng.uniform(0.75, 1.2),
    )


def _arrows(rng: np.random.Generator) -> Arrows:
    return Arrows(
        lean=rng.normal(46.0, 8.0),
        head=rng.uniform(1.9, 2.8),
        point=rng.uniform(1.0, 1.8),
        reach=rng.uniform(0.95, 1.9),
        tail=rng.uniform(0.1, 0.75),
        gap=rng.uniform(0.04, 0.35),
        round=bool(rng.random() < 0.8),
    )


def _centre(rng: np.random.Generator) -> dict[str, object]:
    centre = CENTRES[int(rng.choice(5, p=[0.5, 0.24, 0.14, 0.06, 0.06]))]
    border = 0.0 if rng.random() < 0.06 else rng.uniform(2.6, 5.2)
    room = WIDTH - 2 * border
    size = (room * rng.uniform(0.86, 1.02), HEIGHT * rng.uniform(0.66, 0.84))
    lean = float(np.clip(rng.normal(0.55, 0.08), 0.3, 0.8))
    if centre in ("circle", "ring-circle"):
        across = room * rng.uniform(0.66, 1.0)
        size, lean = (across, across * rng.uniform(0.97, 1.25)), 0.0
    return {"centre": centre, "border": border, "centre_size": size, "lean": lean}


def _signs(rng: np.random.Generator) -> dict[str, object]:
    return {
        "digit": rng.uniform(21.0, 34.0),
        "skip": (rng.uniform(21.0, 34.0), rng.uniform(0.1, 0.2), rng.normal(40.0, 7.0)),
        "slash": rng.uniform(0.8, 1.15),
        "arrows": _arrows(rng),
        "curled": bool(rng.random() < 0.25),
        "reverse": rng.uniform(28.0, 46.0),
        "mini": rng.uniform(17.0, 29.0),
        "mini_slant": 0.0 if rng.random() < 0.3 else rng.uniform(0.15, 0.42),
        "mini_ratio": rng.uniform(0.48, 0.68),
        "mini_radius": rng.uniform(0.0, 0.09),
        "mini_white": bool(rng.random() < 0.35),
        "four_layout": int(rng.choice(3, p=[0.6, 0.25, 0.15])),
        "mirrored_two": bool(rng.random() < 0.4),
    }


def _index(rng: np.random.Generator) -> dict[str, object]:
    size = rng.uniform(6.2, 11.5)
    left = rng.uniform(8.2, 11.2) + (size - 7) * 0.35
    top = rng.uniform(8.6, 11.2) + (size - 7) * 0.5
    return {
        "index": size,
        "index_at": (left - WIDTH / 2, top - HEIGHT / 2),
        "index_sign": size * rng.uniform(0.9, 1.25),
        "plus": rng.uniform(0.72, 1.02),
        "index_outline": rng.uniform(0.0, 0.55),
        "index_shadow": (rng.uniform(-1.2, 1.2), rng.uniform(0.0, 0.9)),
        "index_halo": rng.uniform(0.3, 0.7) if rng.random() < 0.2 else 0.0,
        "corner_disc": rng.uniform(7.5, 14.0),
    }


def _condition(rng: np.random.Generator) -> dict[str, object]:
    return {
        "fringe": rng.uniform(0.1, 0.4) if rng.random() < 0.3 else 0.0,
        "wear": rng.beta(1.0, 3.0),
        "fade": rng.beta(1.0, 4.0) * 0.6,
        "gloss": rng.uniform(0.0, 1.0),
        "small_print": bool(rng.random() < 0.2),
        "flipped": float(rng.choice([0.0, 0.15, 0.5])),
        "custom_written": bool(rng.random() < 0.6),
        "icon_style": int(rng.integers(3)),
        "icon_at": int(rng.integers(2)),
    }


@lru_cache(maxsize=64)
def random_style(seed: int) -> PrintStyle:
    """Return the random print style of a seed."""
    rng = np.random.default_rng([0x5EED, seed])
    centre = _centre(rng)
    white = _grey(rng, 228, 255, 6)
    open_field = centre["centre"] in ("ring", "ring-circle", "plain")
    reach = rng.uniform(1.4, 3.0) if rng.random() < 0.25 else rng.uniform(0.2, 1.6)
    shadow = (float(rng.choice([-1.0, 1.0])) * reach, reach * rng.uniform(0.0, 1.0))
    order = rng.permutation(4)
    values: dict[str, object] = {
        "seed": seed,
        "colours": {suit: _ink(rng, suit) for suit in SUITS},
        "black": _grey(rng, 8, 52, 6),
        "white": white,
        "rim": _grey(rng, 8, 50, 6) if rng.random() < 0.06 else white,
        "card_radius": rng.uniform(2.2, 4.6),
        "field_radius": rng.uniform(0.4, 4.0),
        "ring": rng.uniform(0.6, 2.2),
        "face": _typeface(rng),
        "slant": float(np.clip(rng.normal(0.15, 0.06), 0, 0.3)) if rng.random() < 0.7 else 0.0,
        "coloured": not open_field and rng.random() < 0.93,
        "outline": rng.uniform(0.0, 1.1) + (0.3 if centre["centre"] == "filled" else 0.0),
        "shadow": shadow if rng.random() < 0.85 else (0.0, 0.0),
        "solid": bool(rng.random() < 0.75),
        "wild_order": tuple(int(v) for v in order),
        "wild_word": bool(rng.random() < 0.3),
    }
    values |= centre | _signs(rng) | _index(rng) | _condition(rng)
    return PrintStyle(**values)  # type: ignore[arg-type]
