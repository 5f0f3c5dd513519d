"""Wild Tales from Moominvalley (S1): going out wins the game; challenges count wild cards."""

from collections.abc import Mapping
from pathlib import Path

from referee.rules import actions as act
from referee.rules.deck import Deck, Symbol
from referee.rules.play import checks, standard_cards
from referee.rules.play.moves import COMMON, ROUND_ON, cards_in, discard, end_turn, pass_on
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.position.state import State
from referee.rules.ruleset import MoveRules, Ruleset
from referee.rules.rulings import Args

WILD_TALES = Symbol("wild-tales", 4, 50, "card.wild-tales", colored=False)


def offer_discards(draft: Draft, laid: Laid) -> int | None:
    """card.wild-tales: everybody may discard a card; a seat with only one draws one first."""
    order = draft.state.from_seat(laid.seat)
    single = [seat for seat in order if draft.state.hands[seat - 1] == 1]
    rule = "card.wild-tales"
    bound = tuple([(seat,) for seat in single if draft.must_draw(seat, 1, rule, laid.seat)])
    if bound:
        # The queue holds the seats that drew a card and therefore have to discard.
        draft.emit(ev.EffectsQueued(bound))
    draft.emit(ev.Awaited(draft.state.turn, tuple((seat, "discard") for seat in order)))
    return None


def one_card(state: State, move: act.Discard) -> Args | None:
    """card.wild-tales: one card each, and never the last one (R9)."""
    if move.size == 1 and state.hands[move.seat - 1] > 1:
        return None
    return {"seat": move.seat, "count": move.size}


def may_decline(state: State, move: act.Pass) -> Args | None:
    """card.wild-tales: a seat that drew a card for this has to discard."""
    if (move.seat,) in state.queue and state.hands[move.seat - 1] > 1:
        return {"seat": move.seat, "count": 0}
    return None


def discard_one(draft: Draft, move: act.Discard) -> None:
    """Put a card, or none, under the wild-tales; after the last seat play continues."""
    state = draft.state
    seat = move.seat
    discard(draft, move)
    if (seat,) in state.queue:
        draft.emit(ev.EffectsQueued(tuple(path for path in state.queue if path != (seat,))))
    left = tuple(n for n in state.awaiting if n != (seat, "discard"))
    if left or state.laid is None:
        draft.emit(ev.Awaited(state.turn, left))
    else:
        end_turn(draft, state.laid, state.laid.victim)


def discards_go_on(draft: Draft, seat: int, before: State) -> None:
    """seat.leave: the discard of a seat that has left lapses."""
    laid = draft.state.laid
    if before.needs(seat, "discard") and not draft.state.awaiting and laid is not None:
        end_turn(draft, laid, laid.victim)


MOVES: Mapping[type, MoveRules] = {
    **COMMON,
    act.Pass: MoveRules(
        (*COMMON[act.Pass].rows, ("card.wild-tales", may_decline)), pass_on, "draw"
    ),
    act.Discard: MoveRules(
        (
            *ROUND_ON,
            ("round.awaiting", checks.waits_for("discard")),
            ("card.wild-tales", one_card),
            *cards_in("cards"),
        ),
        discard_one,
        "card.wild-tales",
        "take-back",
    ),
}
SYMBOLS = (*standard_cards.CLASSIC_SYMBOLS, WILD_TALES)

RULESET = Ruleset(
    id="moomin",
    name="Wild Tales from Moominvalley, 112 cards",
    deck=Deck(standard_cards.ZERO_TO_NINE, SYMBOLS),
    folder=Path(__file__).parent,
    effects={**standard_cards.EFFECTS, "wild-tales": offer_discards},
    moves=MOVES,
    draws=standard_cards.DRAWS,
    replaced={symbol.name: "opening.ignore" for symbol in SYMBOLS},
    replaced_stay=True,
    challenge_counts_wilds=True,
    seat_left=discards_go_on,
    defaults={"scoring": "hand"},
)
