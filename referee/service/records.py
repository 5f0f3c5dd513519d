"""Records of tables: export, and reading one for import or replay."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from referee.rules.record import (
    Record,
    RecordError,
    parse_record,
    record_head,
    replay,
    round_to_json,
)
from referee.rules.rulings import RuleError
from referee.service.access import Principal
from referee.service.event_log import EventLog
from referee.service.history import play_again, read_history
from referee.service.past_rounds import History
from referee.service.problems import from_record
from referee.service.table_cache import parse_entry
from referee.service.table_projection import TableProjection
from referee.service.views import sees_all

WITH_MOVES = ("moved", "corrected")


def export_record(log: EventLog, table: TableProjection, principal: Principal) -> dict[str, Any]:
    """Return the game as a record.

    Each illegal move carries its verdict as what a replay has to expect. While a round goes on in
    which a hand, or gifts, were shown to others than ``principal``, the record ends with the round
    before: it could not be replayed without those cards.
    """
    history = read_history(log.reader, table)
    rounds = [
        round_to_json(played.dealer, played.opening, [past.action for past in played.moves])
        for played in history.rounds
    ]
    _expect_illegal_moves(history, rounds)
    if rounds and not _all_open(log, table, principal):
        rounds.pop()
    return {**record_head(history.start.game), "rounds": rounds}


def _expect_illegal_moves(history: History, rounds: Sequence[dict[str, Any]]) -> None:
    # A log of older rules may hold a round that could not begin by the present ones.
    with suppress(RuleError):
        for step in play_again(history):
            if step.decision is not None and not step.decision.ruling.legal:
                ruling = step.decision.ruling
                expect = {"verdict": ruling.verdict, "rule": ruling.rule}
                rounds[step.round - 1]["moves"][step.move - 1]["expect"] = expect


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
