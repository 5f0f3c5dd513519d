"""A small deck for tests whose cards have two sides: a flip turns all of them over."""

from pathlib import Path

from referee.rules.deck import Deck, Numbers, Symbol
from referee.rules.house.sides import turn_over, with_sides
from referee.rules.play import effects as fx
from referee.rules.play import standard_cards
from referee.rules.play.moves import COMMON
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.ruleset import Ruleset

FLIP = "card.flip"
LIGHT_NUMBERS = Numbers(dict.fromkeys(range(1, 5), 2), per_color=8)
DARK_NUMBERS = Numbers(dict.fromkeys(range(5, 9), 2), per_color=8)
LIGHT = (
    Symbol("flip", 2, 20, FLIP, back="flop"),
    Symbol("draw-one", 2, 10, "card.draw-one"),
    standard_cards.WILD,
)
DARK = (
    Symbol("flop", 2, 20, FLIP, back="flip"),
    Symbol("draw-three", 2, 20, "card.draw-three"),
    Symbol("wild-again", 4, 60, "card.wild-again", colored=False),
)
DRAWS = {"draw-one": 1, "draw-three": 3}


def play_again(draft: Draft, laid: Laid) -> int | None:
    """card.wild-again: the others lose their turns."""
    return laid.seat


RULESET = Ruleset(
    id="toy-flip",
    name="Toy deck with two sides, 52 cards",
    deck=Deck(LIGHT_NUMBERS, LIGHT, other_side=(DARK_NUMBERS, DARK)),
    folder=Path(__file__).parent,
    effects={
        **{symbol: fx.draw_and_lose(count) for symbol, count in DRAWS.items()},
        **dict.fromkeys(("flip", "flop"), turn_over),
        "wild-again": play_again,
    },
    openings={
        "draw-one": fx.open_with_draw(1),
        "wild": fx.open_with_wild,
    },
    replaced={"flip": "setup.opening"},
    moves=with_sides(COMMON, FLIP),
    draws=DRAWS,
    last_draws=DRAWS,
    hand=5,
)
