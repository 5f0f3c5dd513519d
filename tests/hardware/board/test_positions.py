import json

import pytest

from hardware.board.session.positions import Positions, Where, restored, where
from tests.hardware.board.vectors import cell_of
from tests.tables import tables

TOWERS = ("U", "N", "O", "!")
STORIES = tables(__file__)


def cells(places):
    """Cells of a tray and six seats, given each power's place, or several."""
    readings = [[0] * 4 for _ in range(7)]
    for power, at in places.items():
        for place in at if isinstance(at, list) else [at]:
            readings[place][TOWERS.index(power)] = 1
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


def act(positions, step):
    """Do the step; return what it told."""
    match step:
        case {"anew": True}:
            positions.restart()
            return []
        case {"silent": True}:
            return positions.silent()
        case {"at": at, "cells": places}:
            return positions.snapshot(at, cells(places))
        case {"at": at, "place": place, "cell": readings}:
            return positions.change(at, place, cell_of(map(int, readings)))
        case {"at": at}:
            return positions.clock(at)


@pytest.mark.parametrize("killed", [False, True], ids=["", "killed at every step"])
@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_observations(story, killed):
    positions = Positions(TOWERS)
    for step in story:
        told = [tell(**body) for body in step.get("told", [])]
        assert act(positions, step) == told, step
        if killed:
            positions = restored(json.loads(json.dumps(positions.memory())))


def test_the_places_that_report_one_power_are_there_to_be_shown():
    positions = Positions(TOWERS)
    positions.snapshot(0, cells({"U": [1, 2], "N": 0, "O": 0, "!": 0}))
    positions.clock(300)
    assert positions.conflicts() == {"U": (1, 2)}
    assert positions.positions()["U"] == "unknown"
