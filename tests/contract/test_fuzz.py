"""A short turn of what ``make fuzz`` does for an hour, with seeds that are kept."""

from tests.contract.shapes import Shapes
from tests.contract.stateful import Evening
from tests.strike.stage import Client, stage

# Add a seed with which something was found.
SEEDS = (1, 10, 53, 303927)
STEPS, SHAPES = 40, 60


def test_promises_are_kept_and_hostile_shapes_refused() -> None:
    with stage(REFEREE_LIMITS="off") as on:
        for seed in SEEDS:
            Evening(Client(on.port), seed).play(STEPS)
            found: dict[str, str] = {}
            left = iter(range(SHAPES))
            shapes = Shapes(on.port, seed, found)
            shapes.run(lambda left=left: next(left, None) is not None)  # type: ignore[misc]
            assert not found
            assert sum(shapes.answers.values()) == SHAPES
        assert on.normal.failed == []
