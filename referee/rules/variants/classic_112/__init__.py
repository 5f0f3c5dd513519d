"""The official 112-card deck (S2), with wild-shuffle and custom cards."""

from pathlib import Path

from referee.rules.cards import Card
from referee.rules.deck import Deck, Symbol
from referee.rules.options import Options
from referee.rules.play import effects as fx
from referee.rules.play import standard_cards
from referee.rules.play.moves import COMMON
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.ruleset import Ruleset
from referee.rules.variants.classic_112.custom_effects import (
    CUSTOM_MOVES,
    effects_go_on,
    start_custom,
)
from referee.rules.variants.classic_112.examples import EXAMPLES

CUSTOM = tuple(f"wild-custom-{n}" for n in (1, 2, 3))
SYMBOLS = (
    *standard_cards.CLASSIC_SYMBOLS,
    Symbol("wild-shuffle", 1, 40, "card.wild-shuffle", colored=False),
    *(Symbol(name, 1, 40, "card.wild-custom", colored=False) for name in CUSTOM),
)


def shuffle_hands(draft: Draft, laid: Laid) -> int | None:
    """card.wild-shuffle: hands are collected and dealt out again, one card at a time (R10).

    The deal starts at the player's left and goes clockwise, whatever the direction of play.
    """
    state = draft.state
    order = state.clockwise_from(state.left_of(laid.seat))
    if state.game.options.shuffle_hands == "others":
        order = tuple(seat for seat in order if seat != laid.seat)
    each, over = divmod(sum(state.hands[seat - 1] for seat in order), len(order))
    hands = list(state.hands)
    for place, seat in enumerate(order):
        hands[seat - 1] = each + (place < over)
    draft.emit(ev.Redealt(order, tuple(hands)))
    return laid.victim


def not_put_in(card: Card, options: Options) -> bool:
    """R26: custom cards that the table has not written on are left out."""
    return card.symbol in CUSTOM[len(options.custom_cards) :]


RULESET = Ruleset(
    id="classic-112",
    name="Classic, 112 cards",
    deck=Deck(standard_cards.ZERO_TO_NINE, SYMBOLS),
    folder=Path(__file__).parent,
    effects={
        **standard_cards.EFFECTS,
        "wild-shuffle": shuffle_hands,
        **dict.fromkeys(CUSTOM, start_custom),
    },
    openings={
        **standard_cards.OPENINGS,
        **dict.fromkeys(("wild-shuffle", *CUSTOM), fx.open_with_wild),
    },
    moves={**COMMON, **CUSTOM_MOVES},
    draws=standard_cards.DRAWS,
    last_draws=standard_cards.DRAWS,
    replaced=standard_cards.PUT_BACK,
    options=frozenset({"shuffle_hands", "custom_cards"}),
    seat_left=effects_go_on,
    left_out=not_put_in,
    custom=CUSTOM,
    custom_examples=EXAMPLES,
)
