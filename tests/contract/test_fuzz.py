"""A short turn of what ``make fuzz`` does for an hour, with seeds that are kept."""

from tests.random_tables.driver import RandomTable
from tests.strike.stage import Client, stage

# Add a seed with which something was found.
SEEDS = (1, 10, 53)
STEPS = 24


def test_promises_are_kept() -> None:
    with stage(REFEREE_LIMITS="off") as on:
        for seed in SEEDS:
            RandomTable(Client(on.port), seed, "served").play(STEPS)
        assert on.normal.failed == []
