"""A small sixth deck for tests, with a card that skips two players."""

from pathlib import Path

from referee.rules.deck import Deck, Numbers, Symbol
from referee.rules.play import effects as fx
from referee.rules.play import standard_cards
from referee.rules.play.moves import COMMON
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.ruleset import Ruleset

NUMBERS = Numbers(dict.fromkeys(range(1, 6), 2), per_color=10)
LEAP = Symbol("leap", 2, 15, "card.leap")


def leap(draft: Draft, laid: Laid) -> int | None:
    """card.leap: the next two players lose their turns."""
    return draft.state.seat_after(laid.victim, 2)


RULESET = Ruleset(
    id="toy-leap",
    name="Toy deck with leaps, 52 cards",
    deck=Deck(NUMBERS, (LEAP, standard_cards.WILD)),
    folder=Path(__file__).parent,
    effects={"leap": leap},
    openings={
        "wild": fx.open_with_wild,
        "leap": fx.open_with_number,
    },
    moves=COMMON,
    hand=4,
)
