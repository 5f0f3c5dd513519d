"""Records of tables: export, and reading one for import or replay."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.rules.actions import Action, Leave
from referee.rules.codec import move_to_json, parse_move
from referee.rules.message import Message
from referee.rules.move_fields import FieldError
from referee.rules.position.state import State
from referee.rules.records.record import Record, Step, parse_record, record_head, replay
from referee.rules.records.record_rounds import RecordError, RecordRound, round_to_json
from referee.rules.records.seating import NO_CHANGE, SeatChange, change_seats
from referee.rules.rulings import RuleError
from referee.service.access import Principal
from referee.service.history.standing_moves import read_history
from referee.service.log.entries import parse_entry
from referee.service.log.event_log import EventLog
from referee.service.log.long_games import paced
from referee.service.log.past_rounds import History, PastMove, PastRound, play_again
from referee.service.log.table_projection import TableProjection
from referee.service.play.games import check_game
from referee.service.play.views import sees_all
from referee.service.problems import from_record

WITH_MOVES = ("moved", "corrected")
# The results and catches before it that the entry of a round that was broken off repeats, for the
# cost of a move.
REPEATED_AS_ONE = 30
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
    with log.long_games.turn(table.version):
        return _exported(log, table, principal, game)


def _exported(
    log: EventLog, table: TableProjection, principal: Principal, game: int | None
) -> dict[str, Any]:
    history = read_history(log.reader, table, game=game)
    last = _last_state(history)
    _name_at_once(history, last)
    _leave_at_once(history, last)
    _drop_early_guests(history)
    expected, ended_early = _illegal_moves(history)
    rounds = [
        round_to_json(_as_recorded(played, expected.get(number, {})))
        for number, played in enumerate(history.rounds, 1)
    ]
    # The game ended before any other rounds, which are kept aside.
    rounds = rounds[: max(expected, default=0)]
    earlier = game is not None and game < table.meta.game
    if rounds and not earlier and not _all_open(log, table, history, principal):
        rounds.pop()
    ended = {"ended": True} if ended_early else {}
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


def _name_at_once(history: History, last: State | None) -> None:
    """Use names given since the last round already; a record has no other place for them."""
    state = last or history.start
    given = history.seats.then(history.seats_after).then(history.seats_aside).names
    names = {seat: name for seat, name in given.items() if seat <= len(state.game.seats)}
    if history.rounds:
        played = history.rounds[state.round - 1]
        played.seats = played.seats.then(SeatChange(names=names))
    else:
        history.start, _ = change_seats(history.start, SeatChange(names=names))


def _leave_at_once(history: History, last: State | None) -> None:
    """Let who left since the last round do so in it; a record has no other place for that."""
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
    last = None
    try:
        for step in paced(play_again(so_far)):
            last = step.state
    except RuleError:
        return None
    return last if history.rounds else None


def _as_recorded(played: PastRound, expected: Mapping[int, Expectation]) -> RecordRound:
    moves = [(past.action, expected.get(number, {})) for number, past in enumerate(played.moves, 1)]
    # A record has no place for moves after a round was broken off. Of these only leaving matters,
    # and it comes to the same before.
    moves += [
        (past.action, {})
        for number, past in enumerate(played.late, len(moves) + 1)
        if isinstance(past.action, Leave) and number not in expected
    ]
    parts = played.seats, played.result, played.broken_off, played.options
    return RecordRound(played.dealer, played.opening, tuple(moves), {}, *parts)


def _illegal_moves(history: History) -> tuple[dict[int, dict[int, Expectation]], bool]:
    """Return the verdicts of illegal moves by round and move; rounds kept aside are missing.

    Also return whether it was ending the game that decided it, not a round that was corrected.
    """
    illegal: dict[int, dict[int, Expectation]] = {}
    ended = False
    try:
        for step in paced(play_again(history)):
            ended |= step.ended
            played = illegal.setdefault(step.round, {})
            if step.decision is not None and not step.decision.ruling.legal:
                ruling = step.decision.ruling
                played[step.move] = {"verdict": ruling.verdict, "rule": ruling.rule}
    except RuleError:
        # A log of older rules may hold a round that could not begin by the present ones.
        numbers = range(1, len(history.rounds) + 1)
        return {number: illegal.get(number, {}) for number in numbers}, ended
    return illegal, ended


def _all_open(
    log: EventLog, table: TableProjection, history: History, principal: Principal
) -> bool:
    # The hands of rounds before the present one are open.
    number = max(1, min(table.state.round, len(history.rounds)))
    since = history.rounds[number - 1].seq - 1
    entries = log.reader.entries_of_kind(table.id, WITH_MOVES, since)
    return all(sees_all(table, parse_entry(entry), principal) for entry in entries)


def check_length(value: Any, most: int) -> int:
    """Return how many moves and rounds a posted record has, before anything is made of it.

    A round that was broken off counts for its entry in a table's log too, which repeats what came
    before it. Raises Problem if they are too many.
    """
    rounds = value.get("rounds") if isinstance(value, Mapping) else None
    if not isinstance(rounds, list):
        return 0
    count = len(rounds)
    if count <= most:
        count, repeated = _counted(rounds)
        count += repeated // REPEATED_AS_ONE
    if count > most:
        reason = "has {count} moves and rounds; at most {most} are allowed"
        raise from_record(RecordError("rounds", Message(reason, count=count, most=most)))
    return count


def _counted(rounds: list[Any]) -> tuple[int, int]:
    """Return how many entries rounds make, and how many others some of these repeat."""
    count = repeated = 0
    for played in rounds:
        count += 1
        # JSON's own types, which are quicker to tell than what is like them.
        if isinstance(played, dict):
            moves = played.get("moves")
            count += len(moves) if isinstance(moves, list) else 0
            if played.get("broken_off") is True:
                count += 1
                repeated += count
    return count, repeated


def read_record(value: Any) -> Record:
    """Parse a posted record. Raises Problem."""
    try:
        return parse_record(value)
    except RecordError as error:
        raise from_record(error) from None


def replayed(record: Record) -> Iterator[Step]:
    """Replay a record; others get their turns meanwhile. Raises Problem."""
    try:
        yield from paced(replay(record))
    except RecordError as error:
        raise from_record(error) from None
