"""Boards to run the driver against, each with the same hands: the firmware, differently wired."""

import time
from random import Random

from hardware.board.wire.messages import PRESENT, readings
from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.circuit import referee_board
from hardware.virtual_board.ports import PtyPort, TcpPort
from tests.hardware.board.patience import SPEED, patient
from tests.hardware.firmware.rig import MAGNET, MicroPythonRig
from tests.hardware.firmware.wireless import Relay, WirelessRig
from tests.waiting import until

SEATS = 6
TOWERS = ("U", "N", "O", "!")


class Firmware:
    """The project's firmware, for a virtual board; it says what its sensors have seen."""

    def __init__(self, seats):
        self._make = referee_board("towers", seats, b"VIRTUAL1")
        self._board = None

    def __call__(self, *parts):
        self._board = self._make(*parts)
        return self._board

    def wait(self, power, place):
        """Until it has seen the power there and nowhere else: placements may be any time apart."""
        places = [] if place is None else [place]
        until(lambda: self._places(TOWERS.index(power)) == places)

    def unacknowledged(self):
        """How many messages it keeps until the host acknowledges them."""
        return len(self._board.link._ring)

    def acknowledged(self):
        """Its boot, and the number of the last message that the host acknowledged."""
        link = self._board.link
        return link._boot, link._ring.first - 1 & 0xFFFF

    def _places(self, power):
        cells = self._board.cells()
        return [place for place, cell in enumerate(cells) if readings(cell)[power] == PRESENT]


class Hand:
    """Moves one power after the other, once the sensors have seen the last."""

    def __init__(self, board, wait, seed):
        self.board = board
        self.wait = wait
        self.random = Random(seed)
        self.truth = {power: [0] for power in TOWERS}

    def move(self):
        """Put a random power at another place; return both."""
        power = self.random.choice(TOWERS)
        places = range(self.board.seats + 1)
        place = self.random.choice([at for at in places if at != self.truth[power][-1]])
        self.truth[power].append(place)
        self.board.place(power, place)
        self.wait(power, place)
        return power, place


class VirtualRig:
    """The firmware in this interpreter, behind one of the simulator's ports."""

    clock = staticmethod(patient)

    def __init__(self, port, speed=1.0):
        self.speed = speed
        firmware = Firmware(SEATS)
        options = {"seats": SEATS, "speed": speed, "clock": patient, "make_firmware": firmware}
        self._board = VirtualBoard(port, **options).start()
        self.wait = firmware.wait
        self.url = self._board.port.url
        for name in ("place", "lift", "break_sensor", "mend_sensor", "unplug", "plug", "close"):
            setattr(self, name, getattr(self._board, name))

    def double(self, power, place):
        """That place's sensor reports the power too."""
        self._board.stick_sensor(place, power)

    def undouble(self, power, place):
        self._board.mend_sensor(place, power)

    def lights(self):
        return {place: light.pattern for place, light in self._board.lights().items()}


class OnPico:
    """What the hands at a board in MicroPython do besides."""

    clock = staticmethod(time.monotonic)
    speed = 1.0

    def double(self, power, place):
        self.command(f"mv {4 * place + self._number(power)} {MAGNET}")

    def undouble(self, power, place):
        self.mend_sensor(place, power)


class PicoRig(OnPico, MicroPythonRig):
    """The firmware in MicroPython, with only the pins replaced."""

    def __init__(self):
        super().__init__(seats=SEATS)


class PicoWRig(OnPico, WirelessRig):
    """The same on the network, with the radio replaced, too."""

    def __init__(self):
        super().__init__(seats=SEATS)
        self._relay_there = Relay(self.door)

    @property
    def url(self):
        return self._relay_there.url

    def unplug(self):
        self._relay_there.down()

    def plug(self):
        self._relay_there.up()

    def close(self):
        self._relay_there.close()
        super().close()


RIGS = {
    "pty": lambda: VirtualRig(PtyPort(), SPEED),
    "tcp": lambda: VirtualRig(TcpPort()),
    "micropython": PicoRig,
    "micropython on the network": PicoWRig,
}
