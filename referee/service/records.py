"""Records of tables: export, and reading one for import or replay."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.actions import Action, Leave
from referee.rules.codec import FieldError, move_to_json, parse_move
from referee.rules.record import Record, parse_record, record_head, replay
from referee.rules.record_rounds import RecordError, RecordRound, round_to_json
from referee.rules.rulings import RuleError
from referee.rules.seating import NO_CHANGE, SeatChange, change_seats
from referee.rules.state import State
from referee.service.access import Principal
from referee.service.event_log import EventLog
from referee.service.games import check_game
from referee.service.history import read_history
from referee.service.past_rounds import History, PastMove, PastRound, play_again
from referee.service.problems import from_record
from referee.service.table_cache import parse_entry
from referee.service.table_projection import TableProjection
from referee.service.views import sees_all

WITH_MOVES = ("moved", "corrected")
Expectation = Mapping[str, Any]


def export_record(
    log: EventLog, table: TableProjection, principal: Principal, game: int | None = None
) -> dict[str, Any]:
    """Return a game as a record, by default the present one. Raises Problem.

    Each illegal move carries its verdict as what a replay has to expect. While a round goes on in
    which a hand, or gifts, were shown to others than ``principal``, the record ends with the round
    before: it could not be replayed without those cards.
    """
    check_game(table, game)
    history = read_history(log.reader, table, game=game)
    _name_at_once(history)
    _leave_at_once(history)
    _drop_early_guests(history)
    expected = _illegal_moves(history)
    rounds = [
        round_to_json(_as_recorded(played, expected.get(number, {})))
        for number, played in enumerate(history.rounds, 1)
    ]
    # The game ended before any other rounds, which are kept aside.
    rounds = rounds[: max(expected, default=0)]
    earlier = game is not None and game < table.meta.game
    if rounds and not earlier and not _all_open(log, table, principal):
        rounds.pop()
    ended = {"ended": True} if _ended_early(history) else {}
    return {**record_head(history.start.game), "rounds": rounds, **ended}


def _drop_early_guests(history: History) -> None:
    """Drop moves that name seats which join before the next round only; none of them was legal."""
    known = len(history.start.game.seats)
    for played in history.rounds:
        known = max([known, *played.seats.join])
        played.moves = [past for past in played.moves if _can_be_read(past.action, known)]


def _can_be_read(action: Action, seats: int) -> bool:
    try:
        parse_move(move_to_json(action), seats)
    except FieldError:
        return False
    return True


def _ended_early(history: History) -> bool:
    """Return whether it was ending the game that decided it, not a round that was corrected."""
    return history.ended and any(step.ended for step in play_again(history))


def _name_at_once(history: History) -> None:
    """Use names given since the last round already; a record has no other place for them."""
    state = _last_state(history) or history.start
    given = history.seats.then(history.seats_after).then(history.seats_aside).names
    names = {seat: name for seat, name in given.items() if seat <= len(state.game.seats)}
    if history.rounds:
        last = history.rounds[state.round - 1]
        last.seats = last.seats.then(SeatChange(names=names))
    else:
        history.start, _ = change_seats(history.start, SeatChange(names=names))


def _leave_at_once(history: History) -> None:
    """Let who left since the last round do so in it; a record has no other place for that."""
    last = _last_state(history)
    if last is None:
        return
    aside = last.round < len(history.rounds)
    order = (history.seats_aside if aside else history.seats).order
    if order is None:
        return
    gone = [seat for seat in last.order if seat not in order]
    history.rounds[last.round - 1].moves += [PastMove(0, Leave(seat)) for seat in gone]


def _last_state(history: History) -> State | None:
    """Return the game after the last round that counts; None if there is none."""
    so_far = replace(history, ended=False, seats=NO_CHANGE, seats_aside=NO_CHANGE)
    so_far.seats_after = NO_CHANGE
    try:
        steps = list(play_again(so_far))
    except RuleError:
        return None
    return steps[-1].state if history.rounds else None


def _as_recorded(played: PastRound, expected: Mapping[int, Expectation]) -> RecordRound:
    moves = [(past.action, expected.get(number, {})) for number, past in enumerate(played.moves, 1)]
    # A record has no place for moves after a round was broken off. Of these only leaving matters,
    # and it comes to the same before.
    moves += [
        (past.action, {})
        for number, past in enumerate(played.late, len(moves) + 1)
        if isinstance(past.action, Leave) and number not in expected
    ]
    parts = played.seats, played.result, played.broken_off
    return RecordRound(played.dealer, played.opening, tuple(moves), {}, *parts)


def _illegal_moves(history: History) -> dict[int, dict[int, Expectation]]:
    """Return the verdicts of illegal moves by round and move; rounds kept aside are missing."""
    found: dict[int, dict[int, Expectation]] = {}
    try:
        for step in play_again(history):
            played = found.setdefault(step.round, {})
            if step.decision is not None and not step.decision.ruling.legal:
                ruling = step.decision.ruling
                played[step.move] = {"verdict": ruling.verdict, "rule": ruling.rule}
    except RuleError:
        # A log of older rules may hold a round that could not begin by the present ones.
        return {number: found.get(number, {}) for number in range(1, len(history.rounds) + 1)}
    return found


def _all_open(log: EventLog, table: TableProjection, principal: Principal) -> bool:
    entries = log.reader.entries_of_kind(table.id, WITH_MOVES)
    return all(sees_all(table, parse_entry(entry), principal) for entry in entries)


def read_record(value: Any) -> Record:
    """Parse and replay a posted record. Raises Problem."""
    try:
        record = parse_record(value)
        for _ in replay(record):
            pass
    except RecordError as error:
        raise from_record(error) from None
    return record
