import pytest

from hardware.board.framing import MAX_STUFFED
from tests.hardware.board.fuzz import fuzz


@pytest.mark.parametrize("seed", range(3))
def test_a_sample_of_the_fuzzing(seed):
    figures = fuzz(60_000, seed)
    assert figures["good frames sent"] > 300
    assert figures["of these garbage"] > 30_000
    assert figures["missed"] == 0
    assert figures["false"] == 0
    assert figures["most bytes held"] <= MAX_STUFFED
    assert figures["works afterwards"]
