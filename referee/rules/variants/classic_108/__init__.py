"""The 108-card deck of a rules site (S4): a seat that can play may not draw."""

from pathlib import Path

from referee.rules import standard_cards
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
    deck=Deck(standard_cards.ZERO_TO_NINE, standard_cards.CLASSIC_SYMBOLS),
    folder=Path(__file__).parent,
    effects=standard_cards.EFFECTS,
    openings=standard_cards.OPENINGS,
    moves=COMMON,
    last_draws=standard_cards.LAST_DRAWS,
    replaced=standard_cards.PUT_BACK,
    forced_draw=True,
    options=frozenset({"identical_cards"}),
    follow_up=identical_card,
    follow_up_is_twin=True,
)
