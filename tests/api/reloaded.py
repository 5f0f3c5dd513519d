"""Load a table as a restart would, and let the leases of devices run out."""

import pytest
from flask import Flask

from referee.service import leases
from referee.service.devices.liveness import report_silent_devices
from referee.service.log.event_log import EventLog
from tests.api.conftest import Seat


def reloaded(app: Flask, host: Seat) -> None:
    """Check that a table read from its log, or its snapshot, is the same."""
    log: EventLog = app.extensions["referee"]
    known = log.table(host.table)
    before, shot = host.get().get_json(), known.snapshot()
    restored = type(known)(known.id, known.code, known.created, known.state)
    restored.restore(known.version, shot)
    log.cache.clear()
    assert host.get().get_json() == before
    for again in (log.table(host.table), restored):
        assert (again.state, again.meta, again.version) == (known.state, known.meta, known.version)
        assert again.snapshot() == shot


def out_of_time(event_log: EventLog) -> None:
    """Look at the leases once all of them have expired."""
    with pytest.MonkeyPatch.context() as patch:
        now = leases.monotonic()
        patch.setattr(leases, "monotonic", lambda: now + 1000)
        report_silent_devices(event_log)
