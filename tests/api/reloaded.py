"""Load a table as a restart would, and let the leases of devices run out."""

from typing import Any

import pytest

from referee.service import leases
from referee.service.devices.liveness import report_silent_devices
from referee.service.log.event_log import EventLog


def read_again(event_log: EventLog, table: str) -> Any:
    """Clear the cache and load the table from its log."""
    event_log.cache.clear()
    return event_log.table(table)


def from_snapshot(event_log: EventLog, table: str) -> Any:
    """Restore the table from its snapshot."""
    held = event_log.table(table)
    shot = held.snapshot()
    fresh = type(held)(held.id, held.code, held.created, held.state)
    fresh.restore(held.version, shot)
    return fresh


def out_of_time(event_log: EventLog) -> None:
    """Look at the leases once all of them have expired."""
    with pytest.MonkeyPatch.context() as patch:
        now = leases.monotonic()
        patch.setattr(leases, "monotonic", lambda: now + 1000)
        report_silent_devices(event_log)
