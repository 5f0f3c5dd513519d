"""Time goes by for devices that have promised to be heard of again."""

import pytest

from referee.service import leases as promises
from referee.service.event_log import House
from referee.service.liveness import missed


def out_of_time(house: House) -> None:
    """Nothing was heard of any device for longer than any of them has promised."""
    with pytest.MonkeyPatch.context() as patch:
        now = promises.monotonic()
        patch.setattr(promises, "monotonic", lambda: now + 1000)
        missed(house)
