import pytest

from hardware.virtual_board.table import MAGNET_MV, SUPPLY_MV, VirtualTable

REST = SUPPLY_MV // 2


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
    table.mend_sensor(0, "U")
    table.mend_sensor(2, "N")
    assert table.scan(0)[0][0] == REST + MAGNET_MV
    assert table.scan(0)[2][1] == REST


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
