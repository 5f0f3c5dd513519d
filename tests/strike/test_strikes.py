"""No strike does harm; its figures are told by ``python -m tests.strike``."""

import pytest

from tests.strike.__main__ import strike
from tests.strike.strikes import STRIKES, Strike


@pytest.mark.parametrize("one", STRIKES, ids=lambda one: one.__name__)
def test_a_strike_does_no_harm(one: Strike) -> None:
    found, _, figures = strike((one,))
    assert not found, figures


def test_all_together_do_no_harm() -> None:
    found, _, figures = strike(STRIKES)
    assert not found, figures
