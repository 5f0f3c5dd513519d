"""The second way to sense: magnetometers behind a switch, on a simulated I2C bus."""

import numpy as np
import pytest

from hardware.firmware.referee_board.magnetometers import (
    ADDRESSES,
    COUNTS_A_MT,
    INVERSE,
    ONE_MV,
    RESULTS,
    SETTINGS,
    SWITCH,
    WHO_AM_I,
    Sensors,
)
from hardware.firmware.referee_board.sensing import SensorThresholds
from lab.plans.magnetometers import draw, inverse, judge, main, nominal
from lab.plans.table import read_table

TABLE = read_table()
LIMITS = SensorThresholds()


class Bus:
    """A switch with a station at each of some ports; fields in mT, six a station."""

    def __init__(self, fields):
        self.fields = {port: np.asarray(field, dtype=float) for port, field in fields.items()}
        self.port = None
        self.registers = {}
        self.identity = 0x3D
        self.switch_works = True

    def writeto(self, address, data):
        if address != SWITCH or not self.switch_works:
            raise OSError(5)
        self.port = [bit for bit in range(8) if data[0] >> bit & 1]

    def _chip(self, address):
        (port,) = self.port
        if port not in self.fields or address not in ADDRESSES:
            raise OSError(5)
        return port, address

    def writeto_mem(self, address, register, data):
        self.registers[(*self._chip(address), register)] = data[0]

    def readfrom_mem(self, address, register, count):
        port, _ = self._chip(address)
        if register == WHO_AM_I:
            return bytes([self.identity])
        assert (register, count) == (RESULTS, 6)
        measuring = all(self.registers.get((port, address, r)) == value for r, value in SETTINGS)
        first = 3 * ADDRESSES.index(address)
        field = self.fields[port][first : first + 3] if measuring else np.zeros(3)
        counts = np.clip(np.round(field * COUNTS_A_MT), -32768, 32767).astype("<i2")
        return counts.tobytes()

    def unplug(self, port):
        self.fields.pop(port)
        self.registers = {key: value for key, value in self.registers.items() if key[0] != port}


def words(row):
    off = [abs(millivolts - LIMITS.middle) for millivolts in row]
    return [1 if o >= LIMITS.present else 0 if o <= LIMITS.absent else 0.5 for o in off]


@pytest.mark.parametrize("there", [(0, 0, 0, 0), (1, 0, 0, 0), (0, -1, 1, 0), (-1, 1, 1, -1)])
def test_what_stands_there_is_told(there):
    bus = Bus({0: there @ nominal(TABLE), 1: np.zeros(6)})
    rows = Sensors(bus, 1).scan()
    assert words(rows[0]) == [abs(one) for one in there]
    assert [row - LIMITS.middle for row in rows[0]] == pytest.approx(
        [ONE_MV * one for one in there], abs=5
    )
    assert rows[1] == [LIMITS.middle] * 4


def test_random_stations_are_told_right_through_the_bus():
    there, fields = draw(TABLE, 300, seed=7)
    sensors = Sensors(bus := Bus({0: np.zeros(6), 1: np.zeros(6)}), 1)
    unclear = 0
    for station, field in zip(there, fields, strict=True):
        bus.fields[1] = field
        said = words(sensors.scan()[1])
        unclear += said.count(0.5)
        assert all(one in (abs(true), 0.5) for one, true in zip(said, station, strict=True))
    assert unclear <= 2


def test_the_matrix_is_the_one_that_is_calculated():
    assert pytest.approx(inverse(TABLE), abs=0.001) == np.array(INVERSE)


def test_a_station_that_is_unplugged_is_none_and_is_set_up_again_when_it_is_back():
    field = np.array((1, 0, 0, 0)) @ nominal(TABLE)
    bus = Bus({0: field, 1: field})
    sensors = Sensors(bus, 1)
    assert words(sensors.scan()[1]) == [1, 0, 0, 0]
    bus.unplug(1)
    rows = sensors.scan()
    assert rows[1] is None
    assert words(rows[0]) == [1, 0, 0, 0]
    bus.fields[1] = field
    assert words(sensors.scan()[1]) == [1, 0, 0, 0]


def test_without_the_switch_or_with_another_chip_every_place_is_none():
    bus = Bus({0: np.zeros(6), 1: np.zeros(6)})
    bus.identity = 0x33
    assert Sensors(bus, 1).scan() == [None, None]
    bus.identity, bus.switch_works = 0x3D, False
    assert Sensors(bus, 1).scan() == [None, None]


def test_a_magnet_held_to_the_sensor_is_no_fault():
    bus = Bus({0: [1.6, 0, -1.6, 0, 0, 0], 1: np.zeros(6)})
    assert all(LIMITS.broken < mv < LIMITS.short for mv in Sensors(bus, 1).scan()[0])


@pytest.mark.parametrize("seats", [0, 8])
def test_the_switch_has_eight_ports(seats):
    with pytest.raises(ValueError, match="7 seats"):
        Sensors(Bus({}), seats)


def test_of_many_random_stations_none_is_told_wrongly():
    there, fields = draw(TABLE, 20_000)
    said = judge(fields @ inverse(TABLE))
    assert not (np.abs(said - np.abs(there)) == 1).any()
    assert (said == 0.5).any(axis=1).mean() < 0.002


def test_what_it_cannot_do_is_in_the_figures(capsys):
    """A foot on top of another's pegs is often taken for one that is in."""
    assert main(["--draws", "2000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["5.0", "6.0", "7.0", "8.0", "9.0", "11.0"]
    chosen = lines[3].split()
    assert float(chosen[1]) == 0
    assert 0.5 < float(chosen[4]) < 0.8
