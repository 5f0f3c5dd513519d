"""The 108-card deck of a rules site (S4): a seat that can play may not draw."""

from pathlib import Path

from referee.rules.deck import Deck
from referee.rules.play import standard_cards
from referee.rules.play.moves import COMMON
from referee.rules.ruleset import Ruleset

RULESET = Ruleset(
    id="classic-108",
    name="Classic, 108 cards",
    deck=Deck(standard_cards.ZERO_TO_NINE, standard_cards.CLASSIC_SYMBOLS),
    folder=Path(__file__).parent,
    effects=standard_cards.EFFECTS,
    openings=standard_cards.OPENINGS,
    moves=COMMON,
    draws=standard_cards.DRAWS,
    last_draws=standard_cards.DRAWS,
    replaced=standard_cards.PUT_BACK,
    defaults={"forced_play": "any"},
)
