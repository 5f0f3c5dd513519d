"""Let the leases of devices run out."""

import pytest

from referee.service import leases
from referee.service.event_log import EventLog
from referee.service.liveness import report_silent_devices


def out_of_time(event_log: EventLog) -> None:
    """Look at the leases once all of them have expired."""
    with pytest.MonkeyPatch.context() as patch:
        now = leases.monotonic()
        patch.setattr(leases, "monotonic", lambda: now + 1000)
        report_silent_devices(event_log)
