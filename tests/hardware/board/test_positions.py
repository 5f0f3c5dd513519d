import json

import pytest

from hardware.board.session.positions import Positions, Where, restored, where
from tests.hardware.board.vectors import cell_of

TOWERS = ("U", "N", "O", "!")
TRAY = [cell_of([1, 1, 1, 1]), 0, 0, 0, 0, 0, 0]


def cells(**places):
    """Cells of seven places: ``cells(U=2, N=[1, 3])``; the tray is 0, "x" before it is unknown."""
    readings = [[0] * 4 for _ in range(7)]
    for power, at in places.items():
        for place in at if isinstance(at, list) else [at]:
            index = TOWERS.index("!" if power == "B" else power)
            if isinstance(place, str):
                readings[int(place[1:])][index] = 2
            else:
                readings[place][index] = 1
    return [cell_of(cell) for cell in readings]


def tell(powers, **more):
    return {"kind": "powers", "powers": powers, **more}


@pytest.mark.parametrize(
    ("readings", "at"),
    [
        ([0, 0, 0], Where("lifted")),
        ([1, 0, 0], Where(0)),
        ([0, 0, 1], Where(2)),
        ([0, 1, 1], Where("unknown", (1, 2))),
        ([1, 1, 1], Where("unknown", (0, 1, 2))),
        ([2, 0, 0], Where("unknown")),
        ([2, 2, 2], Where("unknown")),
        ([2, 1, 0], Where(1)),
        ([2, 1, 1], Where("unknown", (1, 2))),
    ],
)
def test_where_a_power_is(readings, at):
    assert where(readings) == at


ALL_IN_TRAY = tell({"U": 0, "N": 0, "O": 0, "!": 0})

# What is done, in order, and the bodies told by it: "cells" is a snapshot, "clock" a heartbeat.
STORIES = {
    "a placement is told at once": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 50, 2, cell_of([1, 0, 0, 0]), []),  # both the tray and seat 2 for a moment
        ("change", 90, 0, cell_of([0, 1, 1, 1]), [tell({"U": 2})]),
        ("clock", 5000, []),
    ],
    "lifted is told after 300 ms": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 1000, 0, cell_of([0, 1, 1, 1]), []),
        ("clock", 1299, []),
        ("clock", 1300, [tell({"U": "lifted"})]),
        ("clock", 9000, []),
    ],
    "a bump says nothing": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 1000, 0, cell_of([0, 1, 1, 1]), []),
        ("change", 1250, 0, cell_of([1, 1, 1, 1]), []),
        ("clock", 9000, []),
    ],
    "moved in less than 300 ms it was never lifted": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 1000, 0, cell_of([0, 1, 1, 1]), []),
        ("change", 1200, 4, cell_of([1, 0, 0, 0]), [tell({"U": 4})]),
        ("clock", 9000, []),
    ],
    "a late message tells of both, in order": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 1000, 0, cell_of([0, 1, 1, 1]), []),
        ("change", 7000, 4, cell_of([1, 0, 0, 0]), [tell({"U": "lifted"}), tell({"U": 4})]),
    ],
    "the clock wraps while a tower is lifted": [
        ("cells", 0xFFFFFF00, TRAY, [ALL_IN_TRAY]),
        ("change", 0xFFFFFF80, 0, cell_of([0, 1, 1, 1]), []),
        ("clock", 0xFFFFFFFF, []),
        ("clock", 0xAB, []),
        ("clock", 0xAC, [tell({"U": "lifted"})]),
    ],
    "a clock that is late changes nothing": [
        ("cells", 5000, TRAY, [ALL_IN_TRAY]),
        ("change", 6000, 0, cell_of([0, 1, 1, 1]), []),
        ("clock", 5500, []),
        ("clock", 6300, [tell({"U": "lifted"})]),
    ],
    "two towers at one place is normal": [
        ("cells", 0, cells(U=2, N=2, O=0, B=1), [tell({"U": 2, "N": 2, "O": 0, "!": 1})]),
        ("clock", 9000, []),
    ],
    "a tower at two places is unknown, and where is said": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 1000, 2, cell_of([1, 0, 0, 0]), []),
        ("clock", 1299, []),
        ("clock", 1300, [tell({"U": "unknown"}, conflicts={"U": [0, 2]})]),
        ("change", 2000, 5, cell_of([1, 0, 0, 0]), []),
        ("clock", 2300, [tell({"U": "unknown"}, conflicts={"U": [0, 2, 5]})]),
        ("change", 3000, 0, cell_of([0, 1, 1, 1]), []),
        ("change", 3010, 2, 0, [tell({"U": 5})]),
        ("clock", 9000, []),
    ],
    "a dead sensor is told, and what it leaves unknown": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 1000, 0, cell_of([2, 1, 1, 1]), []),
        (
            "clock",
            1300,
            [tell({"U": "unknown"}, faults=[{"place": 0, "powers": ["U"]}])],
        ),
        ("change", 2000, 3, cell_of([1, 0, 0, 0]), [tell({"U": 3})]),
        ("change", 3000, 0, cell_of([0, 1, 1, 1]), []),
        ("clock", 3300, [tell({}, faults=[])]),
    ],
    "a dead sensor where nothing stands takes nothing away": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 1000, 3, cell_of([2, 2, 2, 2]), []),
        ("clock", 1300, [tell({}, faults=[{"place": 3, "powers": ["U", "N", "O", "!"]}])]),
        ("change", 2000, 0, cell_of([0, 1, 1, 1]), []),
        ("clock", 2300, [tell({"U": "unknown"})]),
    ],
    "a sensor that fails for a moment says nothing": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 1000, 0, cell_of([2, 2, 2, 2]), []),
        ("change", 1100, 0, cell_of([1, 1, 1, 1]), []),
        ("clock", 9000, []),
    ],
    "lifted, then unknown: each has its own 300 ms": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("change", 1000, 0, cell_of([0, 1, 1, 1]), []),
        ("change", 1200, 4, cell_of([2, 0, 0, 0]), []),
        ("clock", 1499, []),
        ("clock", 1500, [tell({"U": "unknown"}, faults=[{"place": 4, "powers": ["U"]}])]),
    ],
    "a snapshot tells only what differs": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("cells", 100, TRAY, []),
        ("cells", 200, cells(U=3, N=0, O=0), [tell({"U": 3})]),
        ("clock", 500, [tell({"!": "lifted"})]),
        ("cells", 600, cells(U=3, N=0, O=0), []),
    ],
    "nothing is known of a silent board, and all again afterwards": [
        ("cells", 0, TRAY, [ALL_IN_TRAY]),
        ("silent", [tell({"U": "unknown", "N": "unknown", "O": "unknown", "!": "unknown"})]),
        ("silent", []),
        ("cells", 5000, cells(U=0, N=0, O=0), [tell({"U": 0, "N": 0, "O": 0})]),
        ("clock", 5299, []),
        ("clock", 5300, [tell({"!": "lifted"})]),
    ],
    "before a snapshot a change tells of its own place alone": [
        ("cells", 70000, TRAY, [ALL_IN_TRAY]),
        ("change", 71000, 0, cell_of([0, 1, 1, 1]), []),
        ("anew",),
        ("clock", 90000, []),
        ("change", 5, 1, 0, []),
        ("change", 10, 3, cell_of([1, 2, 0, 0]), [tell({"U": 3})]),
        ("cells", 20, cells(U=2, N=0, O=0, B=0), [tell({"U": 2})]),
        ("change", 30, 2, 0, []),
        ("clock", 329, []),
        ("clock", 330, [tell({"U": "lifted"})]),
    ],
}


def act(positions, step):
    kind, *rest = step
    if kind == "anew":
        positions.restart()
        return [], []
    *args, expected = rest
    method = {"cells": positions.snapshot}.get(kind) or getattr(positions, kind)
    return method(*args), expected


@pytest.mark.parametrize("killed", [False, True], ids=["", "killed at every step"])
@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_observations(story, killed):
    positions = Positions(TOWERS)
    for step in story:
        observed, expected = act(positions, step)
        assert observed == expected, step
        if killed:
            positions = restored(json.loads(json.dumps(positions.memory())))


def test_stands_have_other_names():
    positions = Positions(("red", "blue", "green", "yellow"))
    assert positions.snapshot(0, [0, cell_of([1, 0, 0, 0]), cell_of([0, 1, 1, 1])]) == [
        tell({"red": 1, "blue": 2, "green": 2, "yellow": 2})
    ]
    assert positions.positions() == {"red": 1, "blue": 2, "green": 2, "yellow": 2}


def test_the_places_that_report_one_power_are_there_to_be_shown():
    positions = Positions(TOWERS)
    positions.snapshot(0, cells(U=[1, 2], N=0, O=0, B=0))
    positions.clock(300)
    assert positions.conflicts() == {"U": (1, 2)}
    assert positions.positions()["U"] == "unknown"
