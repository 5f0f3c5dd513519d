"""Apply the effects of custom cards one by one, pausing whenever the table has to answer.

The queue holds paths to effects: (card, effect), or (card, dare, branch, effect) for the outcome of
a dare, where branch is 1 if it was passed and 0 if it failed.
"""

from collections.abc import Callable, Mapping
from typing import Any

from referee.rules import actions as act
from referee.rules.custom import Effect
from referee.rules.play import checks
from referee.rules.play.moves import ROUND_ON, cards_in, discard, end_turn
from referee.rules.play.rounds import go_out
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.position.state import State
from referee.rules.ruleset import MoveRules
from referee.rules.rulings import Args

Path = tuple[int, ...]
# Needs that an effect waits for; None if it is done at once.
Awaited = tuple[tuple[int, str], ...] | None
Apply = Callable[[Draft, Laid, Effect, tuple[int, ...]], Awaited]


def start_custom(draft: Draft, laid: Laid) -> int | None:
    """card.wild-custom: the written effects apply once the colour is named."""
    number = int(laid.card.rpartition("-")[2]) - 1
    effects = draft.state.game.options.custom_cards[number].effects
    draft.emit(ev.EffectsQueued(tuple((number, i) for i in range(len(effects)))))
    return _work_off_queue(draft, laid)


def _work_off_queue(draft: Draft, laid: Laid) -> int | None:
    """Apply the queue. Returns the seat that plays next, None if the table has to answer first."""
    state = draft.state
    again = False
    while state.queue:
        path, *rest = state.queue
        effect = _effect_at(state, path)
        if _is_extra_turn(state, path) and not all(_is_extra_turn(state, p) for p in rest):
            # An extra turn goes last: other effects may pause for the table.
            draft.emit(ev.EffectsQueued((*rest, path)))
            continue
        seats = _seats(state, laid, effect.who)
        awaited = EFFECTS[effect.effect](draft, laid, effect, seats)
        if awaited:
            draft.emit(laid)
            draft.emit(ev.Awaited(state.turn, awaited))
            return None
        draft.emit(ev.EffectsQueued(state.queue[1:]))
        if _end_if_out(draft, laid):
            return None
        again = again or effect.effect == "extra_turn"
    return laid.seat if again and laid.seat in state.order else laid.victim


def _resume(draft: Draft, more: tuple[Path, ...] = ()) -> None:
    """Continue after an answer, with the effects ``more`` first."""
    state = draft.state
    laid = state.laid
    if laid is None:
        return
    draft.emit(ev.EffectsQueued(more + state.queue[1:]))
    if _end_if_out(draft, laid):
        return
    follower = _work_off_queue(draft, laid)
    if follower is not None:
        end_turn(draft, laid, follower)


def _effect_at(state: State, path: Path) -> Effect:
    effect = state.game.options.custom_cards[path[0]].effects[path[1]]
    if len(path) == 4:
        return (effect.passed if path[2] else effect.failed)[path[3]]
    return effect


def _is_extra_turn(state: State, path: Path) -> bool:
    return _effect_at(state, path).effect == "extra_turn"


def _seats(state: State, laid: Laid, who: str) -> tuple[int, ...]:
    if who == "self":
        return (laid.seat,) if laid.seat in state.order else ()
    if who == "next":
        return (laid.victim,)
    order = state.from_seat(laid.seat)
    return order if who == "all" else tuple(seat for seat in order if seat != laid.seat)


def _end_if_out(draft: Draft, laid: Laid) -> bool:
    """R28: a seat that an effect leaves without cards has gone out at once."""
    state = draft.state
    for seat in state.from_seat(laid.seat):
        if state.hands[seat - 1] == 0:
            go_out(draft, seat)
            return True
    return False


def _draw(draft: Draft, laid: Laid, effect: Effect, seats: tuple[int, ...]) -> Awaited:
    for seat in seats:
        draft.must_draw(seat, effect.count, "card.wild-custom", laid.seat)
    return None


def _await_each(need: str) -> Apply:
    def apply(draft: Draft, laid: Laid, effect: Effect, seats: tuple[int, ...]) -> Awaited:
        return tuple((seat, need) for seat in seats)

    return apply


def _raise_draw(draft: Draft, laid: Laid, effect: Effect, seats: tuple[int, ...]) -> Awaited:
    for seat in seats:
        draft.emit(ev.DrawRaised(seat, effect.count))
    return None


def _hand_size(draft: Draft, laid: Laid, effect: Effect, seats: tuple[int, ...]) -> Awaited:
    for seat in seats:
        missing = effect.count - draft.state.hands[seat - 1]
        if missing > 0:
            draft.must_draw(seat, missing, "card.wild-custom", laid.seat)
        else:
            draft.discard_down(seat, effect.count)
        if draft.state.hands[seat - 1] == 0:
            # R28: the seat has gone out before the effect reaches the others.
            break
    return None


def _open_hand(draft: Draft, laid: Laid, effect: Effect, seats: tuple[int, ...]) -> Awaited:
    for seat in seats:
        draft.emit(ev.HandOpened(seat, laid.seat))
    return None


def _ban(draft: Draft, laid: Laid, effect: Effect, seats: tuple[int, ...]) -> Awaited:
    draft.emit(ev.Announced(seats, effect.text, until_uno=True))
    return None


def _text(draft: Draft, laid: Laid, effect: Effect, seats: tuple[int, ...]) -> Awaited:
    state = draft.state
    # An extra turn would end it at once: then it is shown until the lap is nearly over.
    again = any(_is_extra_turn(state, path) for path in state.queue)
    until = state.from_seat(laid.seat)[-1] if again else laid.seat
    draft.emit(ev.Announced((), effect.text, until=until))
    return None


def _dare(draft: Draft, laid: Laid, effect: Effect, seats: tuple[int, ...]) -> Awaited:
    if not seats:
        # Whoever was to do it has left.
        return None
    draft.emit(ev.Announced(seats, effect.text, until=laid.victim))
    others = [s for s in draft.state.from_seat(laid.seat) if s not in seats]
    return tuple((seat, "judge") for seat in others or seats)


def _extra_turn(draft: Draft, laid: Laid, effect: Effect, seats: tuple[int, ...]) -> Awaited:
    return None


EFFECTS: Mapping[str, Apply] = {
    "draw": _draw,
    "draw_until_color": _await_each("report"),
    "discard_wilds": _await_each("discard"),
    "draw_if_cannot_play": _raise_draw,
    "extra_turn": _extra_turn,
    "hand_size": _hand_size,
    "open_hand": _open_hand,
    "ban": _ban,
    "dare": _dare,
    "text": _text,
}


def possible_report(state: State, move: act.Report) -> Args | None:
    """card.wild-custom: at least one card if there is any, and no more than there are."""
    most = state.draw_pile + max(0, state.discard_pile - 1)
    return None if min(1, most) <= move.drawn <= most else {"drawn": move.drawn, "most": most}


def report(draft: Draft, move: act.Report) -> None:
    """Draw the reported number of cards."""
    draft.draw(move.seat, move.drawn)
    _fulfil_need(draft, move.seat)


def only_wilds(state: State, move: act.Discard) -> Args | None:
    """card.wild-custom: only wild cards are discarded."""
    cards = state.game.ruleset.deck.cards
    for name in move.cards or ():
        if name in cards and not cards[name].wild:
            return {"card": name}
    return None


def discard_wilds(draft: Draft, move: act.Discard) -> None:
    """Put the seat's wild cards under the top card."""
    discard(draft, move)
    _fulfil_need(draft, move.seat)


def _fulfil_need(draft: Draft, seat: int) -> None:
    state = draft.state
    left = tuple(n for n in state.awaiting if n[0] != seat)
    if state.hands[seat - 1] == 0:
        go_out(draft, seat)
    elif left:
        draft.emit(ev.Awaited(state.turn, left))
    else:
        _resume(draft)


def effects_go_on(draft: Draft, seat: int, before: State) -> None:
    """seat.leave: what was awaited of the seat lapses, and so does a dare for it alone."""
    state = draft.state
    if before.laid is None or not before.queue:
        return
    effect = _effect_at(before, before.queue[0])
    dared = effect.effect == "dare" and _seats(before, before.laid, effect.who) == (seat,)
    if dared or not state.awaiting:
        _resume(draft)


def judge(draft: Draft, move: act.Judge) -> None:
    """Queue the effects of a dare's outcome."""
    path = draft.state.queue[0]
    dare = _effect_at(draft.state, path)
    outcome = dare.passed if move.passed else dare.failed
    _resume(draft, tuple((*path, int(move.passed), i) for i in range(len(outcome))))


def _rules(need: str, *rows: tuple[str, Any]) -> tuple[tuple[str, Any], ...]:
    return (*ROUND_ON, ("round.awaiting", checks.waits_for(need)), *rows)


CUSTOM_MOVES: Mapping[type, MoveRules] = {
    act.Report: MoveRules(
        _rules("report", ("card.wild-custom", possible_report)), report, "card.wild-custom"
    ),
    act.Discard: MoveRules(
        _rules(
            "discard",
            ("card.wild-custom", only_wilds),
            ("hand.count", checks.holds_cards),
            *cards_in("cards"),
        ),
        discard_wilds,
        "card.wild-custom",
        "take-back",
    ),
    act.Judge: MoveRules(_rules("judge"), judge, "card.wild-custom"),
}
