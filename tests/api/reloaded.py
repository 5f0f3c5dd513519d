"""A table as it is after a restart: read from its log, or from a snapshot."""

from typing import Any

from referee.service.event_log import House


def read_again(house: House, table: str) -> Any:
    """The table, forgotten and read from its log."""
    house.memory._tables.clear()
    return house.table(table)


def from_snapshot(house: House, table: str) -> Any:
    """The table, out of its own snapshot."""
    held = house.table(table)
    shot = held.snapshot()
    fresh = type(held)(held.id, held.code, held.created, held.state)
    fresh.restore(held.version, shot)
    return fresh
