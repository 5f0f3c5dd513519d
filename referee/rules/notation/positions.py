"""Write positions as one line: ``power-grab 7,6,5 2> play red-7:U 90+3 powers=U2,!3``.

Every line has six fields: ruleset, hands, turn and direction, what is awaited, top card, piles.
The hand of a seat that is not in is ``-``, with a number if it has not been put away yet.
Whatever differs from the defaults follows as ``name=value``.
"""

import json
from collections.abc import Iterator, Mapping

from referee.rules.notation.words import NOTHING, name_to_word, names_to_word
from referee.rules.position import events as ev
from referee.rules.position.evidence import EMPTY_LEDGER
from referee.rules.position.state import State
from referee.rules.records.serial import FIELDS, game_to_json

WAYS = {1: ">", -1: "<"}
CALLED, OWED = "*", "!"


def position_to_text(state: State) -> str:
    """Return a position as one line: what the table shows, without names and history.

    Cards under the top card and open claims are left out. Hands are included only after the round,
    when all have been shown.
    """
    turn = NOTHING if state.turn is None else str(state.turn)
    fields = [
        state.game.ruleset.id,
        ",".join(_hand(state, seat) for seat in range(1, len(state.hands) + 1)),
        turn + WAYS[state.direction],
        ",".join(_need(state, *need) for need in state.awaiting) or NOTHING,
        _top(state),
        f"{state.draw_pile}+{state.discard_pile}",
    ]
    return " ".join([*fields, *_round(state), *_open(state), *_pending_card(state), *_game(state)])


def _hand(state: State, seat: int) -> str:
    if seat not in state.order:
        # Who is out of the game still has cards until the next round.
        return f"{NOTHING}{state.hands[seat - 1] or ''}"
    calls = CALLED * ((seat in state.uno) + (seat in state.early_calls))
    return f"{state.hands[seat - 1]}{calls or (OWED if seat in state.owed else '')}"


def _need(state: State, seat: int, need: str) -> str:
    return need if seat == state.turn else f"{seat}:{need}"


def _top(state: State) -> str:
    if state.top is None:
        return NOTHING
    own = state.game.ruleset.deck.cards[state.top].color
    top = name_to_word(state.top)
    return top if state.color == own else f"{top}>{state.color or NOTHING}"


def _round(state: State) -> Iterator[str]:
    """Round and move number, dealer, scores and winners."""
    if state.round:
        yield f"at={state.round}.{state.moves}"
    if state.circle != tuple(range(1, len(state.hands) + 1)):
        yield "seated=" + ",".join(str(seat) for seat in state.circle)
    if state.dealer:
        yield f"dealer={state.dealer}"
    if state.next_deal:
        yield f"deals={state.next_deal}"
    if any(state.scores):
        yield "scores=" + ",".join(str(score) for score in state.scores)
    if state.round_winner is not None:
        yield f"out={state.round_winner}"
        if state.revealed:
            yield "shown=" + _cards_by_seat(state.revealed)
        if state.counted:
            points = (f"{seat}:{points}" for seat, points in state.counted.items())
            yield "counted=" + ",".join(points)
    if state.scored and state.game.options.rounds is not None:
        yield f"scored={state.scored}"
    if state.winner is not None:
        winners = state.winner if isinstance(state.winner, tuple) else (state.winner,)
        yield "won=" + ",".join(str(seat) for seat in winners)


def _cards_by_seat(hands: Mapping[int, tuple[str, ...]]) -> str:
    return "/".join(f"{seat}:{names_to_word(cards)}" for seat, cards in hands.items())


def _open(state: State) -> Iterator[str]:
    """Powers, options and obligations in force."""
    if state.turn is not None and state.opening:
        yield "opening"
    if state.drawn_parted:
        yield "parted"
    held = [f"{name_to_word(name)}{seat}" for name, seat in state.powers.items() if seat]
    if held:
        yield "powers=" + ",".join(held)
    if state.follow_up is not None:
        seat, rule, only = state.follow_up
        yield f"more={seat}:{rule}" + (f":{name_to_word(only)}" if only else "")
    gifts = {seat: cards for seat, cards in state.gifts.items() if cards}
    if gifts:
        yield "gifts=" + _cards_by_seat(gifts)
    if state.offers:
        words = (f"{seat}:{name_to_word(power)}" for seat, power in state.offers)
        yield f"offer={','.join(words)}"
    if state.raised:
        yield "draws=" + ",".join(f"{seat}:{n}" for seat, n in state.raised.items())
    if state.open_hands:
        until = ((seat, other) for seat, others in state.open_hands.items() for other in others)
        yield "open=" + ",".join(f"{seat}:{other}" for seat, other in until)
    if state.notices:
        names = FIELDS[ev.Announced]
        yield "notices=" + json_to_word([{n: getattr(x, n) for n in names} for x in state.notices])


def _pending_card(state: State) -> Iterator[str]:
    """The top card, while its effect awaits an answer."""
    laid = state.laid
    if laid is None:
        return
    if state.stack:
        yield f"stack={state.stack}"
    yield f"laid={laid.seat}:{laid.victim}" + (f":{laid.move}" if laid.move != state.moves else "")
    if laid.flipped:
        yield "flipped"
    if laid.color_before is not None:
        yield f"before={laid.color_before}"
    if laid.again is not None:
        yield f"again={laid.again}"
    if state.queue:
        yield "queue=" + ",".join(".".join(str(i) for i in path) for path in state.queue)
    yield from _doubt(state, laid)


def _doubt(state: State, laid: ev.Laid) -> Iterator[str]:
    """Yield the facts, besides the hand shown, that decide a challenge of the card."""
    if any(proof[:2] == (laid.seat, laid.move) for proof in state.evidence):
        yield "proved"
    elif can_be_challenged(state, laid):
        taken = taken_since(state, laid)
        if taken:
            yield f"taken={taken}"


def can_be_challenged(state: State, laid: ev.Laid) -> bool:
    """Return whether the card claims something about its player's hand."""
    symbol = state.game.ruleset.deck.cards[laid.card].symbol
    return symbol in state.game.ruleset.challenged and not laid.flipped


def taken_since(state: State, laid: ev.Laid) -> int:
    """Count the cards its player took since, minus the matching ones shown since."""
    ledger = state.ledgers.get(laid.seat, EMPTY_LEDGER)
    for watch in ledger.watches:
        for move, base in watch.claims:
            if move == laid.move:
                return base + ledger.taken - watch.shown
    # The claim was dropped as unprovable: equivalent to a whole hand taken since.
    return state.hands[laid.seat - 1]


def _game(state: State) -> Iterator[str]:
    for name, value in game_to_json(state.game)["options"].items():
        yield f"{name}={value if isinstance(value, str) else json_to_word(value)}"


def json_to_word(value: object) -> str:
    """Return JSON without spaces; those inside strings are escaped."""
    return json.dumps(value, separators=(",", ":")).replace(" ", "\\u0020")
