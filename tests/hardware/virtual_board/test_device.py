import pytest

from hardware.backends import BackendError, make_device
from hardware.observation import Hint
from tests.hardware.board.patience import Notebook
from tests.tables import tables
from tests.waiting import until


@pytest.fixture
def sink():
    return Notebook()


@pytest.fixture
def device(sink):
    made = make_device("table 1", "virtual-board", {})
    assert made.status().state == "starting"
    made.start(sink, {})
    yield made
    made.stop()


def at(device, power, place):
    return lambda: device.status().positions.get(power) == place


def test_what_hands_do_arrives_as_from_a_real_board(device, sink):
    until(at(device, "U", 0))
    device.board.place("U", 3)
    until(at(device, "U", 3))
    until(lambda: device.status().state == "online")
    assert any("U" in str(body) for body in sink.bodies)
    device.board.lift("U")
    until(at(device, "U", "lifted"))
    device.board.place("U", 1)
    device.board.break_sensor(0, "N")
    until(at(device, "N", "unknown"))


def test_hints_become_lights(device):
    until(at(device, "U", 0))
    device.indicate([Hint("U", 2)])
    until(lambda: 2 in device.board.lights())
    assert device.board.lights()[2].power == "U"
    device.indicate([])
    until(lambda: device.board.lights() == {})


def test_a_script_happens_to_it(tmp_path, sink):
    script = tmp_path / "script.txt"
    script.write_text("at 0.1 ! seat 2\n")
    device = make_device("d", "virtual-board", {"script": str(script)})
    device.start(sink, {})
    until(at(device, "!", 2))
    device.stop()
    assert device.status().positions["!"] == 2


@pytest.mark.parametrize(("options", "sentence"), tables(__file__)["wrong"])
def test_wrong_options_are_said(options, sentence):
    with pytest.raises(BackendError) as caught:
        make_device("d", "virtual-board", options)
    assert str(caught.value).startswith(sentence)
