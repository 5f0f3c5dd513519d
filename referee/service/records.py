"""Records of tables: export, and reading one for import or replay."""

from typing import Any

from referee.rules.record import (
    Record,
    RecordError,
    parse_record,
    record_head,
    replay,
    round_to_json,
)
from referee.service.history import read_history
from referee.service.house import House
from referee.service.live import LiveTable
from referee.service.problems import from_record

PRIVATE_MOVES = ("reveal", "give")


def export_record(house: House, table: LiveTable) -> dict[str, Any]:
    """The game as a record.

    While a round goes on in which a hand, or gifts, were shown to one player alone, the record ends
    with the round before: a record is for everybody.
    """
    history = read_history(house, table)
    rounds = [
        round_to_json(played.dealer, played.opening, [past.action for past in played.moves])
        for played in history.rounds
    ]
    hidden = rounds and any(move["move"] in PRIVATE_MOVES for move in rounds[-1]["moves"])
    if hidden and table.state.in_progress:
        rounds.pop()
    return {**record_head(history.start.game), "rounds": rounds}


def read_record(value: Any) -> Record:
    """A posted record. Raises Problem."""
    try:
        record = parse_record(value)
        for _ in replay(record):
            pass
    except RecordError as error:
        raise from_record(error) from None
    return record
