"""The upper of two cards is found."""

import numpy as np
import pytest

from hardware.camera.track.reading import sightings
from hardware.camera.track.reading.sightings import lies_on, remaining_colour, visible_edge
from lab.measure.track_order import main as measure_order
from tests.hardware.camera.track.drawn import LIMITS, at, laid, noisy, table

LOW, HIGH = at(-20, 8, 15), at(18, -6, 80)


def view_of(dim: float = 1.0) -> np.ndarray:
    """A red 7, and a green 3 on it."""
    view = laid(laid(table(), "red-7", LOW), "green-3", HIGH)
    return noisy((view * dim).astype(np.uint8), 3)


@pytest.mark.parametrize("dim", [1.0, 0.3])
def test_the_edge_of_the_card_on_top_is_seen_all_along(dim: float) -> None:
    view = view_of(dim)
    assert lies_on(HIGH, LOW, view, LIMITS)
    assert not lies_on(LOW, HIGH, view, LIMITS)
    whole, part = visible_edge(HIGH, LOW, view, LIMITS), visible_edge(LOW, HIGH, view, LIMITS)
    assert whole is not None
    assert part is not None
    assert whole > 0.9
    assert part < 0.6


def test_where_edges_tell_nothing_the_colours_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sightings, "visible_edge", lambda *_: None)
    view = view_of(0.5)
    assert lies_on(HIGH, LOW, view, LIMITS)
    assert not lies_on(LOW, HIGH, view, LIMITS)
    assert (remaining_colour(LOW, HIGH, view, [HIGH], LIMITS) or 0.0) < 0.1
    assert (remaining_colour(HIGH, LOW, view, [LOW], LIMITS) or 0.0) > 0.5


def test_where_colours_tell_nothing_the_edges_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sightings, "remaining_colour", lambda *_: None)
    view = view_of()
    assert lies_on(HIGH, LOW, view, LIMITS)
    assert not lies_on(LOW, HIGH, view, LIMITS)


def test_what_lies_on_the_card_below_elsewhere_is_not_its_colour() -> None:
    third = at(-60, 40, 60)
    view = noisy(laid(laid(laid(table(), "red-7", LOW), "green-3", HIGH), "blue-1", third), 3)
    among = [LOW, HIGH, third]
    assert (remaining_colour(LOW, HIGH, view, among, LIMITS) or 0.0) < 0.1
    assert lies_on(HIGH, LOW, view, LIMITS, among)
    assert lies_on(third, LOW, view, LIMITS, among)
    assert not any(lies_on(LOW, other, view, LIMITS, among) for other in (HIGH, third))


def test_outlines_may_be_off_by_a_pixel_or_two() -> None:
    off = np.random.default_rng(4).normal(0, 1.0, (2, 4, 2))
    assert lies_on(HIGH + off[0], LOW + off[1], view_of(), LIMITS)


def test_cards_that_lie_apart_are_not_on_one_another() -> None:
    left, right = at(-85, 0), at(85, 0)
    view = laid(laid(table(), "red-7", left), "green-3", right)
    assert visible_edge(left, right, view, LIMITS) is None
    assert not lies_on(left, right, view, LIMITS)
    assert not lies_on(right, left, view, LIMITS)


def test_nothing_is_concluded_in_the_dark() -> None:
    dark = np.zeros_like(view_of())
    assert not lies_on(HIGH, LOW, dark, LIMITS)
    assert not lies_on(LOW, HIGH, dark, LIMITS)


def test_in_a_drawn_film(capsys: pytest.CaptureFixture[str]) -> None:
    assert measure_order(["--films", "1", "--seed", "2", "--placements", "3"]) == 0
    counts = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert int(counts.pop("right")) >= 5
    assert not counts
