import pytest

from hardware.firmware.referee_board.sensing import ABSENT, PRESENT, UNKNOWN, SensorThresholds
from hardware.virtual_board.table import MAGNET_MV, SUPPLY_MV, VirtualTable

REST = SUPPLY_MV // 2


def test_all_stands_in_the_tray_at_first():
    assert VirtualTable("towers").positions() == {"U": 0, "N": 0, "O": 0, "!": 0}
    assert list(VirtualTable("stands").positions()) == ["red", "blue", "green", "yellow"]


def test_a_magnet_moves_its_own_sensor_only():
    table = VirtualTable(seats=3, noise_mv=0)
    table.place("N", 2)
    table.lift("O")
    there = REST + MAGNET_MV
    assert table.scan(0) == [
        [there, REST, REST, there],
        [REST] * 4,
        [REST, there, REST, REST],
        [REST] * 4,
    ]


def test_the_firmware_reads_the_truth_from_noisy_voltages():
    table = VirtualTable(seats=10, noise_mv=60, seed=5)
    table.place("U", 7)
    table.break_sensor(3, "O")
    judge = SensorThresholds().judge
    for now in range(50):
        for place, row in enumerate(table.scan(now)):
            for power, name in enumerate(table.powers):
                expected = PRESENT if table.positions()[name] == place else ABSENT
                if (place, name) == (3, "O"):
                    expected = UNKNOWN
                assert judge(row[power], ABSENT, 1650) == expected


def test_noise_is_within_its_bounds_and_repeats_with_its_seed():
    readings = [VirtualTable(noise_mv=9, seed=4).scan(0) for _ in range(2)]
    assert readings[0] == readings[1]
    off = {abs(value - REST) for row in readings[0][1:] for value in row}
    assert max(off) <= 9
    assert len(off) > 1


def test_a_knock_is_over_by_itself():
    table = VirtualTable(noise_mv=0)
    table.bump("U", until_ms=80)
    assert table.scan(79)[0][0] == REST
    assert table.scan(80)[0][0] == REST + MAGNET_MV
    assert table.positions()["U"] == 0


def test_sensors_break_stick_and_are_mended():
    table = VirtualTable(noise_mv=0)
    table.break_sensor(0, "U")
    table.stick_sensor(2, "N")
    assert table.scan(0)[0][0] == 0
    assert table.scan(0)[2][1] == REST + MAGNET_MV
    assert table.faults() == {0: ("U broken",), 2: ("N stuck",)}
    table.mend_sensor(0, "U")
    table.mend_sensor(2, "N")
    assert table.scan(0)[0][0] == REST + MAGNET_MV
    assert table.scan(0)[2][1] == REST
    assert table.faults() == {}


def test_a_station_without_its_cable_cannot_be_read():
    table = VirtualTable(seats=2)
    table.break_sensor(1, "U")
    table.break_station(1)
    assert table.scan(0)[1] is None
    assert table.faults() == {1: ("cable off", "U broken")}
    table.mend_station(1)
    assert table.scan(0)[1] is not None
    assert table.faults() == {}


def test_what_the_table_does_not_have_is_said():
    table = VirtualTable(seats=4)
    with pytest.raises(ValueError, match="no power 'X'; there are U, N, O, !"):
        table.place("X", 1)
    with pytest.raises(ValueError, match="no place 5; there are the tray and 4 seats"):
        table.place("U", 5)
    with pytest.raises(ValueError, match="no set 'cubes'"):
        VirtualTable("cubes")
    with pytest.raises(ValueError, match="1 to 10 seats, not 11"):
        VirtualTable(seats=11)
