"""A small sample of the rendered rounds that ``python -m bench.table`` plays."""

import pytest

from bench.table.rounds import Trial, play
from referee.demo.http.server_process import ServerProcess
from tests.table.conftest import FAULTS


@pytest.mark.parametrize(
    ("ruleset", "seed", "reader", "size"),
    [
        ("classic-112", 25, "networks", (1280, 720)),
        pytest.param("color-powers", 6, "networks", (1280, 720), marks=pytest.mark.soak),
        ("moomin", 17, "oracle", (640, 360)),
    ],
)
def test_a_round_is_followed_to_the_right_scores(
    server: ServerProcess, ruleset: str, seed: int, reader: str, size: tuple[int, int]
) -> None:
    result = play(Trial(ruleset, seed, reader, players=2, size=size), server.url)
    counts = result.counts
    assert not result.failure
    assert counts["right"] + counts["asked"] == counts["placed"] >= 10
    assert not any(counts[fault] for fault in FAULTS), result.troubles
    assert counts["asked"] <= 2, result.troubles
