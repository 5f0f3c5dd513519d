"""The 108-card deck of a rules site (S4): a seat that can play may not draw."""

from pathlib import Path

from referee.rules import standard
from referee.rules.cards import Card
from referee.rules.deck import Deck
from referee.rules.moves import COMMON
from referee.rules.ruleset import Ruleset
from referee.rules.state import State


def identical_card(state: State, seat: int, card: Card) -> str | None:
    """house.identical: a number card may be followed by an identical one, if so agreed."""
    if state.game.options.identical_cards and card.number is not None:
        return "house.identical"
    return None


RULESET = Ruleset(
    id="classic-108",
    name="Classic, 108 cards",
    deck=Deck(standard.ZERO_TO_NINE, standard.CLASSIC_SYMBOLS),
    folder=Path(__file__).parent,
    effects=standard.EFFECTS,
    openings=standard.OPENINGS,
    moves=COMMON,
    last_draws=standard.LAST_DRAWS,
    replaced=standard.PUT_BACK,
    forced_draw=True,
    options=frozenset({"identical_cards"}),
    follow_up=identical_card,
    follow_up_is_twin=True,
)
