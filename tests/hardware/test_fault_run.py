"""A small sample of the fault run, with the real server and the real gateway."""

import pytest

pytest.importorskip("serial", reason="pyserial is not installed")

from tests.hardware.fault_run import Run, run


def test_all_arrive_once_and_in_order() -> None:
    found = run(Run(150, 2, 0.01, 4, kills=2, outage=2.0, lost=0.5))
    assert (found.made, found.arrived) == (150, 150)
    assert found.wire["corrupted"] > 0
    assert found.wire["dropped"] > 0
    assert found.lost > 0
