"""Hands at the draw pile tell whether a card was turned up there."""

import cv2
import numpy as np
import pytest

from hardware.camera.track.outcome.drawpile import DrawPileWatcher
from lab.measure.track_tables import drawpile
from tests.hardware.camera.track.drawn import LIMITS

PLACE = np.array([(100, 60), (200, 60), (200, 200), (100, 200)], np.float32)
RATE = 8.0


class Table:
    """A picture in which a hand may be over the place."""

    def __init__(self) -> None:
        self.watcher, self.time = DrawPileWatcher(), 0.0
        self._rng = np.random.default_rng(6)
        self._ground = self._rng.integers(90, 120, (260, 400, 3)).astype(np.uint8)

    def go_on(self, seconds: float, hand: bool) -> None:
        for _ in range(round(seconds * RATE)):
            picture = self._ground.copy()
            if hand:
                middle = 150 + int(self._rng.integers(-3, 4)), 130 + int(self._rng.integers(-3, 4))
                cv2.circle(picture, middle, 40, (120, 150, 220), -1)
            self.watcher.watch(picture, self.time, PLACE)
            self.time += 1 / RATE


@pytest.fixture
def table() -> Table:
    shown = Table()
    shown.go_on(4, hand=False)
    return shown


FROM_THERE, FROM_ELSEWHERE = LIMITS.draw_pile.from_there, LIMITS.draw_pile.from_elsewhere
Spells = list[tuple[float, bool]]
"""Seconds, and whether a hand is at the draw pile meanwhile."""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([(0.6, True)], [(1.0, False)], FROM_THERE),
        ([], [(0.3, False), (0.6, True), (0.8, False)], FROM_THERE),
        ([], [(1.2, True)], FROM_ELSEWHERE),
        ([(0.8, True), (1.0, False)], [(1.0, False)], FROM_ELSEWHERE),
    ],
    ids=["goes on to the pile", "arm over the pile first", "only passes over", "drew earlier"],
)
def test_a_hand_that_goes_on_to_the_pile_has_turned_a_card_up(
    table: Table, before: Spells, after: Spells, expected: float
) -> None:
    for seconds, hand in before:
        table.go_on(seconds, hand)
    seen = table.time
    for seconds, hand in after:
        table.go_on(seconds, hand)
    assert table.watcher.drawn_probability(seen, table.time) == expected


def test_a_hand_that_stays_long_is_not_how_the_place_looks(table: Table) -> None:
    for seconds in (2.8, 2.8):
        table.go_on(seconds, hand=True)
        table.go_on(0.6, hand=False)
    seen = table.time
    table.go_on(1.0, hand=False)
    assert table.watcher.drawn_probability(seen, table.time) == FROM_ELSEWHERE
    # What stays for good becomes how the place looks.
    table.go_on(8.0, hand=True)
    seen = table.time
    table.go_on(1.0, hand=True)
    assert table.watcher.drawn_probability(seen, table.time) == FROM_ELSEWHERE


def test_nothing_is_said_before_it_was_watched_for_long() -> None:
    table = Table()
    table.go_on(1.0, hand=False)
    assert table.watcher.drawn_probability(table.time, table.time) is None
    with pytest.raises(ValueError, match="place"):
        table.watcher.watch(np.zeros((40, 40, 3), np.uint8), table.time, PLACE)


def test_drawn_hands_at_the_mat(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawpile(["--tables", "1", "--hands", "8", "--seed", "21"]) == 0
    lines = [line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    counts = {" ".join(what.split()): int(count) for what, count in lines}
    assert sum(counts.values()) == 8
    assert set(counts) == {
        "drawn told: no card",
        "laid told: from the hand",
        "turned up told: from the draw pile",
    }
