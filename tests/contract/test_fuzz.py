"""A short turn of what ``make fuzz`` does for an hour, with seeds that are kept."""

from tests.contract.stateful import Evening
from tests.strike.stage import Client, stage

# Add a seed with which something was found.
SEEDS = (1, 10, 53, 303927)
STEPS = 40


def test_promises_are_kept() -> None:
    with stage(REFEREE_LIMITS="off") as on:
        for seed in SEEDS:
            Evening(Client(on.port), seed).play(STEPS)
        assert on.normal.failed == []
