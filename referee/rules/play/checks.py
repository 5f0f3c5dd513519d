"""The checks that moves must pass, one function per rule; ``moves`` lists them in rows.

A check returns None if the rule is kept, else the arguments of the sentence that explains why not.
"""

from collections.abc import Mapping
from typing import Any

from referee.rules.actions import ChoosePowers, Draw, Pass, Play, Reveal, SetHand
from referee.rules.position.evidence import is_of_kind
from referee.rules.position.state import State
from referee.rules.position.views import accused_gone, owed
from referee.rules.ruleset import Check, Ruleset
from referee.rules.rulings import NO_ARGS, Args


def round_on(state: State, move: Any) -> Args | None:
    """round.over: a round is being played."""
    return None if state.turn is not None else NO_ARGS


def on_turn(state: State, move: Any) -> Args | None:
    """turn.order: it is the seat's turn."""
    return None if state.turn == move.seat else {"seat": move.seat, "turn": state.turn}


def may_play(state: State, move: Play) -> Args | None:
    """turn.order: it is the seat's turn, or the seat may lay another card before the next acts."""
    if state.turn == move.seat:
        return None
    more = state.follow_up
    allowed = more is not None and more.seat == move.seat
    if allowed and more and (more.only is None or same_face(state, move.card, more.only)):
        return None
    return {"seat": move.seat, "turn": state.turn}


def same_face(state: State, name: str, other: str | None) -> bool:
    """Return whether two cards have the same colour and the same number or symbol.

    Icons are not compared.
    """
    cards = state.game.cards
    if other is None or name not in cards or other not in cards:
        return False
    first, second = cards[name], cards[other]
    return first.color == second.color and first.symbol == second.symbol


def ready_to_play(state: State, move: Any) -> Args | None:
    """round.awaiting: nothing is awaited but a play."""
    for _, need in state.awaiting:
        if need != "play" and need != "drawn":
            return {"awaiting": owed(state)}
    return None


def waits_for(need: str) -> Check:
    """Return a check that the referee waits for this from the seat."""

    def check(state: State, move: Any) -> Args | None:
        if (move.seat, need) in state.awaiting:
            return None
        return {"seat": move.seat, "awaiting": owed(state)}

    return check


def not_drawn_yet(state: State, move: Any) -> Args | None:
    """draw: one card per turn."""
    return None if (move.seat, "drawn") not in state.awaiting else {"seat": move.seat}


def one_card(state: State, move: Draw) -> Args | None:
    """draw: one card per turn, if there is one; a card may say how many instead (R46)."""
    if move.count is None or move.seat in state.raised:
        return None
    return None if move.count == 1 <= most_to_draw(state) else {"seat": move.seat}


def most_to_draw(state: State) -> int:
    """Return how many cards can be drawn: both piles, but the card on top."""
    return state.draw_pile + max(0, state.discard_pile - 1)


def known_card(state: State, move: Any) -> Args | None:
    """deck.unknown: the deck has such a card in play."""
    return None if move.card in state.game.cards else {"card": move.card}


def possible_card(state: State, move: Any) -> Args | None:
    """deck.count: not all copies of the card are on the pile."""
    deck = state.game.ruleset.deck
    known, card = state.known, deck.cards[move.card]
    for tally in card.tallies:
        if known.get(tally, 0) >= deck.limits[tally]:
            args = {"card": move.card, "limit": deck.limits[tally]}
            # Others of its colour may have the same icon.
            return {**args, "icon": card.icon} if tally.endswith(f":{card.icon}") else args
    return None


def known_cards(field: str) -> Check:
    """Return the check deck.unknown for the cards in a field of the move."""

    def check(state: State, move: Any) -> Args | None:
        for name in getattr(move, field) or ():
            if name not in state.game.cards:
                return {"card": name}
        return None

    return check


def possible_cards(field: str) -> Check:
    """Return the check deck.count for the cards in a field of the move."""

    def check(state: State, move: Any) -> Args | None:
        deck = state.game.ruleset.deck
        seen: Mapping[str, int] = state.known
        shown = [c for seat, hand in state.revealed.items() if seat != move.seat for c in hand]
        if shown and not state.in_progress:
            counts = dict(seen)
            for name in shown:
                for tally in deck.cards[name].tallies:
                    counts[tally] = counts.get(tally, 0) + 1
            seen = counts
        excess = deck.excess(getattr(move, field) or (), seen)
        return None if excess is None else {"card": excess}

    return check


def kind_that_matches(
    ruleset: Ruleset, top: str | None, color: str | None, opening: bool
) -> tuple[str | None, str | None, bool]:
    """Return the kind of cards that match ``top``, with ``color`` in force, for ``is_of_kind``.

    Some opening cards have to be matched by colour (R34). The check, the claims of moves and the
    demo's players all take it from here.
    """
    symbol = None if top is None else ruleset.deck.cards[top].symbol
    return color, None if opening and symbol in ruleset.matched_by_color else symbol, True


def kind_to_play(state: State) -> tuple[str | None, str | None, bool]:
    """Return the kind of cards that match the pile."""
    return kind_that_matches(state.game.ruleset, state.top, state.color, state.opening)


def matches(state: State, move: Play) -> Args | None:
    """match: the card has the colour, number or symbol of the top card, or is wild."""
    if is_of_kind(state.game.cards[move.card], *kind_to_play(state)):
        return None
    return {"card": move.card, "color": state.color, "top": state.top}


def holds_cards(state: State, move: Any) -> Args | None:
    """hand.count: the seat holds as many cards as it puts down."""
    size = move.size if hasattr(move, "size") else len(move.cards)
    held = state.hands[move.seat - 1]
    return None if size <= held else {"seat": move.seat, "shown": size, "count": held}


def whole_hand(state: State, move: Any) -> Args | None:
    """hand.count: a revealed hand has as many cards as the referee counts."""
    held = state.hands[move.seat - 1]
    if move.hand is None or len(move.hand) == held:
        return None
    return {"seat": move.seat, "shown": len(move.hand), "count": held}


def may_be_counted(state: State, move: Reveal) -> Args | None:
    """round.count: a hand's points, no more than so many cards can have, only after the round."""
    if move.hand is not None:
        return None
    if state.round_winner is None:
        return {"seat": move.seat}
    ruleset, options = state.game.ruleset, state.game.options
    most = max(ruleset.points(card, options) for card in state.game.cards.values())
    limit = most * state.hands[move.seat - 1]
    points = move.points or 0
    return None if points <= limit else {"seat": move.seat, "points": points, "most": limit}


def hand_to_show(state: State, move: Any) -> Args | None:
    """challenge: the player of the wild-draw-four has not left, so the hand can be shown."""
    gone = accused_gone(state)
    return None if gone is None else {"seat": move.seat, "accused": gone}


def others_stay(state: State, move: Any) -> Args | None:
    """seat.leave: somebody is left at the table."""
    return None if len(state.order) > 1 else {"seat": move.seat}


def possible_count(state: State, move: SetHand) -> Args | None:
    """hand.count: at least one card, and no more than the hand and the draw pile have."""
    held = state.hands[move.seat - 1]
    if 1 <= move.count <= held + state.draw_pile:
        return None
    return {"seat": move.seat, "shown": move.count, "count": held}


def hand_in_play(state: State, move: SetHand) -> Args | None:
    """round.over: a round is being played, or the hand still has to be shown after it."""
    return None if state.turn is not None or state.needs(move.seat, "reveal") else NO_ARGS


def offered_powers(state: State, move: Any) -> Args | None:
    """powers.choice: no more than the card allows, and none that the player already has (R21)."""
    if move.powers is None:
        return None
    if not isinstance(move, Play) and (move.seat, "powers") not in state.awaiting:
        # A tower that stands open to the seat.
        return None
    ruleset = state.game.ruleset
    name = move.card if isinstance(move, Play) or state.laid is None else state.laid.card
    most = ruleset.choices.get(ruleset.deck.cards[name].symbol, 0)
    chosen = set(move.powers)
    if len(move.powers) > most or len(chosen) < len(move.powers):
        return {"most": most, "powers": list(move.powers)}
    for power in move.powers:
        if power not in state.powers or state.powers[power] == move.seat:
            return {"most": most, "powers": [power]}
    return None


def may_pass(state: State, move: Pass) -> Args | None:
    """draw: the seat has drawn a card, or can decline something optional."""
    for need in ("drawn", "discard", "powers"):
        if (move.seat, need) in state.awaiting:
            return None
    if state.follow_up is not None and state.follow_up.seat == move.seat:
        return None
    return {"seat": move.seat}


def may_take_turn(state: State, move: Pass) -> Args | None:
    """turn.order, for a pass: it is the seat's turn, or the seat can decline something."""
    return None if may_pass(state, move) is None else on_turn(state, move)


def may_choose(state: State, move: ChoosePowers) -> Args | None:
    """round.awaiting: the seat has to choose powers, or may claim this tower."""
    if (move.seat, "powers") in state.awaiting:
        return None
    if any((seat, (power,)) == (move.seat, move.powers) for seat, power in state.offers):
        return None
    return {"seat": move.seat, "awaiting": owed(state)}


def not_in_deck(state: State, move: Any) -> Args | None:
    """round.awaiting: this deck has no such move."""
    return {"seat": move.seat, "awaiting": owed(state)}
