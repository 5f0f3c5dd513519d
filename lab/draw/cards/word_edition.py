"""A foreign print that no training ever draws: cards with words ("NINE", "DRAW TWO") for signs.

The yardstick for decks that the networks do not know. Nothing here may be used for training.
The two layouts share no shape with ``lab.draw.cards.faces``; only inks and wear come from a print
style.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from hardware.camera.decks import Card, all_cards
from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.cards.asset_cache import AssetCache, Mipmap, mipmap
from lab.draw.cards.print_style import PrintStyle, random_style
from lab.draw.shapes.sheet import Colour, Picture, shade
from lab.draw.shapes.wear import faded, worn

LAYOUTS = ("band", "column")
"""``band``: a coloured card with a light band across, the word on it. ``column``: a light card with
a coloured frame, the word written up along it."""
_DIGITS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
_WORDS = {
    **{str(number): word for number, word in enumerate(_DIGITS)},
    "take-two-towers": "TAKE TWO TOWERS",
    "wild-shuffle": "SHUFFLE HANDS",
    "wild-custom": "YOUR RULE",
}
_SUPER = 2
_TEXT_SIZE = 96
"""Size in which a word is set before it is scaled to its place."""


@dataclass(frozen=True, slots=True)
class WordStyle:
    """A printing of the edition; ``inks`` gives colours, paper and wear."""

    layout: str
    inks: PrintStyle

    @classmethod
    def random(cls, seed: int, layout: str | None = None) -> "WordStyle":
        """Return the style of a seed."""
        return cls(layout or LAYOUTS[seed % len(LAYOUTS)], random_style(seed))


def word_face(card_id: str, style: WordStyle, height: int = 288) -> Picture:
    """Draw a card's face (height, width, 4) in BGRA; outside the round corners alpha is 0.

    Raises KeyError if there is no such card.
    """
    card = all_cards()[card_id]
    width = round(height * WIDTH / HEIGHT)
    sheet = _Print(_SUPER * height / HEIGHT, style.inks)
    (_band if style.layout == "band" else _column)(sheet, card, _word(card))
    image = cv2.resize(sheet.pixels(), (width, height), interpolation=cv2.INTER_AREA)
    rng = np.random.default_rng([style.inks.seed, *card_id.encode()])
    inks = style.inks
    face = worn(
        faded(np.ascontiguousarray(image[..., :3]), inks.fade), inks.wear * rng.uniform(0.3, 1), rng
    )
    return np.dstack([face, image[..., 3]])


class WordFaces(Mapping[str, Mipmap]):
    """Faces of one printing by card id, drawn on first use."""

    def __init__(self, style: WordStyle, height: int = 320) -> None:
        self._style = style
        self._height = height
        self._drawn: dict[str, Mipmap] = {}

    def __getitem__(self, card: str) -> Mipmap:
        """Return a card's face. Raises KeyError."""
        if card not in self._drawn:
            self._drawn[card] = mipmap(word_face(card, self._style, self._height))
        return self._drawn[card]

    def __iter__(self) -> Iterator[str]:
        """Iterate over all card ids."""
        return iter(all_cards())

    def __len__(self) -> int:
        """Return the number of cards."""
        return len(all_cards())


class WordAssets(AssetCache):
    """What scenes are drawn from, with the faces of one printing."""

    def __init__(self, seed: int, style: WordStyle, height: int = 320) -> None:
        super().__init__(seed, height, fixed=(style.inks,))
        self._faces = WordFaces(style, height)

    def face(self, card_id: str, style: PrintStyle) -> Mipmap:  # noqa: ARG002 - there is one
        """Return a card's face; the edition has one print style."""
        return self._faces[card_id]


def _word(card: Card) -> str:
    return _WORDS.get(card.symbol, card.symbol.replace("-", " ").upper())


class _Print:
    """A card to print boxes and words on, in millimetres around its middle."""

    def __init__(self, scale: float, inks: PrintStyle) -> None:
        self.inks = inks
        self._scale = scale
        size = (round(WIDTH * scale), round(HEIGHT * scale))
        self._image = Image.new("RGB", size, inks.white)
        self._middle = (size[0] / 2, size[1] / 2)

    def box(
        self, at: tuple[float, float], size: tuple[float, float], colour: Colour, radius: float
    ) -> None:
        """Print a box with round corners around ``at``."""
        low, high = ([a + sign * s / 2 for a, s in zip(at, size, strict=True)] for sign in (-1, 1))
        draw = ImageDraw.Draw(self._image)
        draw.rounded_rectangle([*self._at(low), *self._at(high)], radius * self._scale, colour)

    def text(
        self,
        text: str,
        at: tuple[float, float],
        room: tuple[float, float],
        colour: Colour,
        turn: float = 0.0,
    ) -> None:
        """Print words as large as fit the room, turned by degrees against the clock, bold."""
        font = ImageFont.load_default(_TEXT_SIZE)
        bold = _TEXT_SIZE // 24
        left, top, right, bottom = ImageDraw.Draw(self._image).multiline_textbbox(
            (0, 0), text, font, align="center", stroke_width=bold
        )
        mask = Image.new("L", (round(right - left), round(bottom - top)))
        ImageDraw.Draw(mask).multiline_text(
            (-left, -top), text, 255, font, align="center", stroke_width=bold
        )
        fit = min(room[0] * self._scale / mask.width, room[1] * self._scale / mask.height)
        small = mask.resize((max(1, round(mask.width * fit)), max(1, round(mask.height * fit))))
        turned = small.rotate(turn, Image.Resampling.BICUBIC, expand=True)
        x, y = self._at(at)
        self._image.paste(
            colour, (round(x - turned.width / 2), round(y - turned.height / 2)), turned
        )

    def pixels(self) -> Picture:
        """Return the card in BGRA; colours were given as BGR and never converted."""
        shape = Image.new("L", self._image.size)
        size = (self._image.width - 1, self._image.height - 1)
        radius = self.inks.card_radius * self._scale
        ImageDraw.Draw(shape).rounded_rectangle([0, 0, *size], radius, 255)
        return np.dstack([np.asarray(self._image), np.asarray(shape)])

    def _at(self, point: tuple[float, float] | list[float]) -> tuple[float, float]:
        x, y = (m + p * self._scale for m, p in zip(self._middle, point, strict=True))
        return x, y


def _ground(card: Card, inks: PrintStyle) -> Colour:
    return inks.black if card.colour == "none" else inks.colours[card.colour]


def _band(sheet: _Print, card: Card, word: str) -> None:
    inks = sheet.inks
    sheet.box((0, 0), (WIDTH, HEIGHT), _ground(card, inks), inks.card_radius)
    sheet.box((0, 0), (WIDTH - 7, 25), inks.white, 5)
    sheet.text(word.replace(" ", "\n"), (0, 0), (WIDTH - 12, 19), shade(_ground(card, inks), 0.75))
    for sign, turn in ((-1, 0), (1, 180)):
        sheet.text(word, (sign * (WIDTH / 2 - 13), sign * 37), (20, 5.5), inks.white, turn)
    if card.colour == "none":
        for k, colour in enumerate(inks.colours.values()):
            for side in (-24, 24):
                sheet.box((12 * k - 18, side), (9, 9), colour, 4.5)


def _column(sheet: _Print, card: Card, word: str) -> None:
    inks = sheet.inks
    sheet.box((0, 0), (WIDTH, HEIGHT), inks.white, inks.card_radius)
    sheet.box((0, 0), (WIDTH - 5, HEIGHT - 5), _ground(card, inks), 3)
    sheet.box((0, 0), (WIDTH - 11, HEIGHT - 11), inks.white, 2)
    sheet.text(word, (0, 0), (HEIGHT - 34, 22), _ground(card, inks), 90)
    for sign, turn in ((-1, 0), (1, 180)):
        at = (sign * 11.5, sign * 36)
        sheet.box(at, (21, 7), _ground(card, inks), 3.5)
        sheet.text(word, at, (17, 3.6), inks.white, turn)
    if card.colour == "none":
        for k, colour in enumerate(inks.colours.values()):
            for side in (-15, 15):
                sheet.box((side, 14 * k - 21), (5, 12), colour, 0)
