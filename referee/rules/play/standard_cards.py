"""Cards, effects and openings that most decks share."""

from collections.abc import Mapping

from referee.rules.deck import Numbers, Symbol
from referee.rules.play import effects as fx
from referee.rules.ruleset import Effect, Opening

ZERO_TO_NINE = Numbers({0: 1, **dict.fromkeys(range(1, 10), 2)}, per_color=19)


def action(name: str, copies: int) -> Symbol:
    """Return an action card of 20 points, ``copies`` of each colour."""
    return Symbol(name, copies, 20, f"card.{name}")


WILD = Symbol("wild", 4, 50, "card.wild", colored=False)
WILD_DRAW_FOUR = Symbol("wild-draw-four", 4, 50, "card.wild-draw-four", colored=False)
CLASSIC_SYMBOLS = (
    action("draw-two", 2),
    action("reverse", 2),
    action("skip", 2),
    WILD,
    WILD_DRAW_FOUR,
)

EFFECTS: Mapping[str, Effect] = {
    "draw-two": fx.draw_and_lose(2),
    "skip": fx.skip,
    "reverse": fx.reverse,
    "wild-draw-four": fx.draw_four,
}
OPENINGS: Mapping[str, Opening] = {
    "draw-two": fx.open_with_draw(2),
    "reverse": fx.open_with_reverse,
    "skip": fx.open_with_skip,
    "wild": fx.open_with_wild,
}
DRAWS: Mapping[str, int] = {"draw-two": 2, "wild-draw-four": 4}
PUT_BACK: Mapping[str, str] = {"wild-draw-four": "opening.wild-draw-four"}
