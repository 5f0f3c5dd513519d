"""A small sample of the fault run, with the real server and the real gateway."""

import pytest

pytest.importorskip("serial", reason="pyserial is not installed")

from tests.hardware.fault_run import Run, compare, run


@pytest.mark.parametrize("older_board", [False, True])
def test_all_arrive_once_and_in_order(older_board: bool) -> None:
    wanted = Run(150, 2, 0.01, 4, kills=2, outage=2.0, lost=0.5, older_board=older_board)
    found = run(wanted)
    assert (found.made, found.arrived) == (150, 150)
    assert found.wire["corrupted"] > 0
    assert found.wire["dropped"] > 0
    assert found.lost > 0


START = dict.fromkeys("UNO!", 0)
MADE = [("U", 1), ("N", 2), ("U", 3)]


@pytest.mark.parametrize(
    "observed",
    [
        [START, {"U": 1}, {"U": 3}],
        [START, {"U": 1}, {"U": 1}, {"N": 2}, {"U": 3}],
        [START, {"N": 2}, {"U": 1}, {"U": 3}],
        [START, {"U": 1}, {"N": 2}],
    ],
)
def test_a_log_with_one_missing_doubled_or_out_of_order_is_caught(observed: list[dict]) -> None:
    with pytest.raises(AssertionError):
        compare(MADE, observed)


def test_silence_and_return_are_no_placements() -> None:
    dark = dict.fromkeys("UNO!", "unknown")
    back = {"U": 1, "N": 0, "O": 0, "!": 0}
    assert compare(MADE, [START, {"U": 1}, dark, back, {"N": 2}, {"U": 3}]) == (3, 4, 4)
