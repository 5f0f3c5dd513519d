"""Fold events into a state. The fold only does arithmetic; it knows no rules."""

from collections.abc import Callable, Iterable
from typing import Any

from referee.rules.cards import Card
from referee.rules.position import events as ev
from referee.rules.position.evidence import count_given
from referee.rules.position.fold_evidence import (
    claimed,
    hold_more,
    proved,
    set_ledger,
    show_cards,
    take,
)
from referee.rules.position.fold_seats import (
    change_hand,
    end_notices,
    end_open_hands,
    forget_gifts,
    hands_passed,
    seat_left,
    seats_changed,
    seats_out,
)
from referee.rules.position.state import (
    NO_GIFTS,
    NO_HANDS,
    NO_LEDGERS,
    NOBODY,
    FollowUp,
    State,
)


def evolve_all(state: State, events: Iterable[ev.Event]) -> State:
    """Return the state after all the events, in order."""
    after = state.fork()
    for event in events:
        APPLY[type(event)](after, event)
    return after


def _add_to_pile(state: State, cards: Iterable[Card]) -> None:
    known = dict(state.known)
    for card in cards:
        for tally in card.tallies:
            known[tally] = known.get(tally, 0) + 1
    state.known = known


def _cards(state: State, names: Iterable[str]) -> tuple[Card, ...]:
    cards = state.game.cards
    return tuple(cards[name] for name in names)


def _round_opened(state: State, e: ev.RoundOpened) -> None:
    _clear(state)
    state.round, state.dealer = e.number, e.dealer
    state.circle, state.next_deal = state.order, 0
    state.color, state.top = e.color, e.opening[-1]
    state.hands = tuple([e.hand if s in state.order else 0 for s in _numbers(state)])
    state.draw_pile, state.discard_pile = e.draw_pile, len(e.discarded)
    state.opening = True
    state.powers = dict.fromkeys(state.game.ruleset.powers, 0)
    state.round_winner = None
    _add_to_pile(state, _cards(state, e.discarded))


def _numbers(state: State) -> range:
    return range(1, len(state.game.seats) + 1)


def _clear(state: State) -> None:
    """Forget everything about a round but its result and the scores."""
    state.moves, state.turn, state.direction, state.awaiting = 0, None, 1, ()
    state.uno, state.owed, state.early_calls = (), (), ()
    state.laid, state.queue, state.follow_up, state.offers, state.stack = None, (), None, (), 0
    state.raised, state.open_hands, state.notices = NOBODY, NO_HANDS, ()
    state.known, state.ledgers, state.gifts, state.evidence = {}, NO_LEDGERS, NO_GIFTS, ()
    state.revealed, state.counted, state.drawn_parted = {}, NOBODY, False


def _round_counted(state: State, e: ev.RoundCounted) -> None:
    _clear(state)
    state.round, state.dealer = e.number, e.dealer
    state.circle, state.next_deal = state.order, 0
    state.color, state.top = None, None
    state.hands = (0,) * len(state.game.seats)
    state.draw_pile = state.discard_pile = 0
    state.powers = dict.fromkeys(state.game.ruleset.powers, 0)


def _round_broken_off(state: State, e: ev.RoundBrokenOff) -> None:
    moves, evidence = state.moves, state.evidence
    if state.round_winner is not None and not state.awaiting:
        # It was scored already.
        state.scored -= 1
    _clear(state)
    state.moves, state.evidence, state.scores, state.next_deal = (
        moves,
        evidence,
        e.scores,
        e.next_deal,
    )
    state.powers = dict.fromkeys(state.powers, 0)
    state.round_winner = state.winner = None


def _hand_counted(state: State, e: ev.HandCounted) -> None:
    state.counted = {**state.counted, e.seat: e.points or 0}


def _ruled(state: State, e: ev.Ruled) -> None:
    state.moves += 1


def _played(state: State, e: ev.Played) -> None:
    card = state.game.cards[e.card]
    hands = list(state.hands)
    hands[e.seat - 1] -= 1
    state.hands = tuple(hands)
    _on_top(state, card)
    if e.seat in state.ledgers or e.seat in state.gifts:
        show_cards(state, e.seat, (card,))


def _flipped(state: State, e: ev.Flipped) -> None:
    state.draw_pile -= 1
    _on_top(state, state.game.cards[e.card])


def _on_top(state: State, card: Card) -> None:
    state.top = card.id
    state.color = card.color
    state.discard_pile += 1
    known = dict(state.known)
    for tally in card.tallies:
        known[tally] = known.get(tally, 0) + 1
    state.known = known


def _turned_over(state: State, e: ev.TurnedOver) -> None:
    """Show the other sides: of the pile's cards only the top one is known, of hands nothing."""
    card = state.game.cards[e.card]
    state.top, state.color, state.known = card.id, card.color, {}
    _add_to_pile(state, (card,))
    state.ledgers, state.gifts = NO_LEDGERS, NO_GIFTS


def _color_named(state: State, e: ev.ColorNamed) -> None:
    state.color = e.color


def _unchanged(state: State, e: ev.Event) -> None:
    """Some events only tell the table why something happens."""


def _drew(state: State, e: ev.Drew) -> None:
    state.draw_pile -= e.count
    take(state, e.seat, e.count)


def _reshuffled(state: State, e: ev.Reshuffled) -> None:
    state.draw_pile += state.discard_pile - 1
    state.discard_pile = 1
    state.known = {}
    if state.top is not None:
        _add_to_pile(state, _cards(state, (state.top,)))


def _discarded(state: State, e: ev.Discarded) -> None:
    change_hand(state, e.seat, -e.count)
    state.discard_pile += e.count
    cards = _cards(state, e.cards)
    _add_to_pile(state, cards)
    # Also without named cards: a smaller hand can settle claims that no later card can prove.
    show_cards(state, e.seat, cards)
    if len(cards) < e.count:
        # A gift may be among those that nobody saw.
        forget_gifts(state, (e.seat,))


def _gave(state: State, e: ev.Gave) -> None:
    cards = _cards(state, e.cards)
    change_hand(state, e.seat, -len(cards))
    show_cards(state, e.seat, cards)
    ledger = state.ledgers.get(e.to)
    if ledger is not None:
        set_ledger(state, e.to, count_given(ledger, cards))
    state.gifts = {**state.gifts, e.to: (*state.gifts.get(e.to, ()), *e.cards)}
    hold_more(state, e.to, len(cards))
    if state.needs(e.seat, "drawn"):
        state.drawn_parted = True


def _redealt(state: State, e: ev.Redealt) -> None:
    state.hands = e.hands
    state.uno = tuple(s for s in state.uno if s not in e.seats)
    state.owed = tuple(s for s in state.owed if s not in e.seats)
    state.ledgers = {s: ledger for s, ledger in state.ledgers.items() if s not in e.seats}
    forget_gifts(state, e.seats)


def _revealed(state: State, e: ev.Revealed) -> None:
    state.revealed = {**state.revealed, e.seat: e.hand}


def _hand_set(state: State, e: ev.HandSet) -> None:
    change = e.count - state.hands[e.seat - 1]
    state.draw_pile -= change
    change_hand(state, e.seat, change)
    ledger = state.ledgers.get(e.seat)
    if ledger is not None and change > 0:
        # These cards came unseen, so they weaken proofs like any that were taken.
        set_ledger(state, e.seat, ledger._replace(taken=ledger.taken + change))
    if e.count != 1:
        state.uno = tuple(s for s in state.uno if s != e.seat)
        state.owed = tuple(s for s in state.owed if s != e.seat)


def _power_moved(state: State, e: ev.PowerMoved) -> None:
    state.powers = {**state.powers, e.power: e.to}
    if state.offers:
        state.offers = tuple(offer for offer in state.offers if offer[1] != e.power)


def _power_offered(state: State, e: ev.PowerOffered) -> None:
    offer = (e.seat, e.power)
    state.offers = (*(other for other in state.offers if other != offer), offer)


def _direction_turned(state: State, e: ev.DirectionTurned) -> None:
    state.direction = e.direction


def _turn_came(state: State, e: ev.TurnCame) -> None:
    if state.turn is not None and state.turn != e.seat:
        state.opening = False
    if state.open_hands:
        end_open_hands(state, e.seat)
    if state.notices:
        end_notices(state, e.seat)
    state.turn, state.drawn_parted = e.seat, False
    state.awaiting = ((e.seat, "play"),)
    state.laid, state.stack = None, 0


def _jumped_in(state: State, e: ev.JumpedIn) -> None:
    state.turn, state.follow_up = e.seat, None


def _stacked(state: State, e: ev.Stacked) -> None:
    state.stack = e.count


def _awaited(state: State, e: ev.Awaited) -> None:
    state.turn = e.turn
    state.awaiting = e.needs


def _laid(state: State, e: ev.Laid) -> None:
    state.laid = e


def _effects_queued(state: State, e: ev.EffectsQueued) -> None:
    state.queue = e.paths


def _acted(state: State, e: ev.Acted) -> None:
    state.owed, state.follow_up, state.offers = (), None, ()


def _uno_owed(state: State, e: ev.UnoOwed) -> None:
    state.owed = (*state.owed, e.seat)
    state.uno = tuple(s for s in state.uno if s != e.seat)


def _uno_called(state: State, e: ev.UnoCalled | ev.UnoKept) -> None:
    state.owed = tuple(s for s in state.owed if s != e.seat)
    if state.hands[e.seat - 1] == 1:
        state.uno = tuple(sorted({*state.uno, e.seat}))
    if e.seat not in state.early_calls and state.may_call_early(e.seat):
        state.early_calls = (*state.early_calls, e.seat)
    if state.notices:
        state.notices = tuple(n for n in state.notices if not n.until_uno)


def _early_call_over(state: State, e: ev.UnoLapsed | ev.UnoSettled) -> None:
    state.early_calls = tuple(s for s in state.early_calls if s != e.seat)


def _uno_missed(state: State, e: ev.UnoMissed) -> None:
    state.owed = tuple(s for s in state.owed if s != e.seat)


def _follow_up_opened(state: State, e: ev.FollowUpOpened) -> None:
    state.follow_up = FollowUp(e.seat, e.rule, e.only)


def _follow_up_closed(state: State, e: ev.FollowUpClosed) -> None:
    state.follow_up = None


def _draw_raised(state: State, e: ev.DrawRaised) -> None:
    raised = {s: n for s, n in state.raised.items() if s != e.seat}
    if e.count:
        raised[e.seat] = e.count
    state.raised = raised


def _hand_opened(state: State, e: ev.HandOpened) -> None:
    until = (*state.open_hands.get(e.seat, ()), e.until)
    state.open_hands = {**state.open_hands, e.seat: tuple(dict.fromkeys(until))}


def _announced(state: State, e: ev.Announced) -> None:
    state.notices = (*state.notices, e)


def _round_won(state: State, e: ev.RoundWon) -> None:
    state.round_winner = e.seat
    state.turn = None
    state.laid, state.queue, state.follow_up, state.offers, state.stack = None, (), None, (), 0
    state.uno, state.owed, state.early_calls = (), (), ()
    state.open_hands, state.notices, state.raised = NO_HANDS, (), NOBODY
    state.revealed = {}


def _scored(state: State, e: ev.Scored) -> None:
    state.scores = e.scores
    state.scored += 1
    state.awaiting = ()


def _game_won(state: State, e: ev.GameWon) -> None:
    state.winner = e.seats[0] if len(e.seats) == 1 else e.seats
    state.awaiting = ()


APPLY: dict[type[ev.Event], Callable[[State, Any], None]] = {
    ev.RoundOpened: _round_opened,
    ev.Ruled: _ruled,
    ev.Played: _played,
    ev.Flipped: _flipped,
    ev.TurnedOver: _turned_over,
    ev.ColorNamed: _color_named,
    ev.DrawDue: _unchanged,
    ev.Drew: _drew,
    ev.Reshuffled: _reshuffled,
    ev.Discarded: _discarded,
    ev.Gave: _gave,
    ev.Redealt: _redealt,
    ev.HandsPassed: hands_passed,
    ev.Revealed: _revealed,
    ev.HandCounted: _hand_counted,
    ev.SeatLeft: seat_left,
    ev.SeatsChanged: seats_changed,
    ev.RoundCounted: _round_counted,
    ev.RoundBrokenOff: _round_broken_off,
    ev.HandSet: _hand_set,
    ev.PowerMoved: _power_moved,
    ev.PowerOffered: _power_offered,
    ev.DirectionTurned: _direction_turned,
    ev.TurnCame: _turn_came,
    ev.JumpedIn: _jumped_in,
    ev.Stacked: _stacked,
    ev.TurnLost: _unchanged,
    ev.Protected: _unchanged,
    ev.Awaited: _awaited,
    ev.Laid: _laid,
    ev.EffectsQueued: _effects_queued,
    ev.Acted: _acted,
    ev.UnoOwed: _uno_owed,
    ev.UnoCalled: _uno_called,
    ev.UnoKept: _uno_called,
    ev.UnoLapsed: _early_call_over,
    ev.UnoSettled: _early_call_over,
    ev.UnoMissed: _uno_missed,
    ev.FollowUpOpened: _follow_up_opened,
    ev.FollowUpClosed: _follow_up_closed,
    ev.DrawRaised: _draw_raised,
    ev.HandOpened: _hand_opened,
    ev.Announced: _announced,
    ev.Claimed: claimed,
    ev.Proved: proved,
    ev.RoundWon: _round_won,
    ev.Scored: _scored,
    ev.SeatsOut: seats_out,
    ev.GameWon: _game_won,
}
