import pytest

from hardware.board.wire.framing import MAX_STUFFED
from tests.hardware.board.fuzz import WRONG, fuzz


@pytest.mark.parametrize("size", [60_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_fuzzing(size):
    figures = fuzz(size, 0)
    assert figures["good frames sent"] > size / 200
    assert figures["of these garbage"] > size / 2
    assert {name: figures[name] for name in WRONG} == dict.fromkeys(WRONG, 0)
    assert figures["most bytes held"] <= MAX_STUFFED
    assert figures["works afterwards"]
