"""Keys that move the powers of a virtual board and disturb its cable."""

from collections.abc import Callable, Mapping
from functools import partial

from hardware.virtual_board.board import VirtualBoard

RATE = 0.01
LAG_MS = 50.0
BURST = 60
PULLED_S = 5.0

HELP = """\
choose a power by its capital (U N O ! or R B G Y) or Tab, then: 0 tray  1-9 x seat  space lift
k knock it   s break / mend its sensor   z unplug / plug in the cable of its place
u unplug / plug in   p unplug for 5 s   f hang / go on   r restart   b cut the power for a moment
c corrupt 1 %   d drop 1 %   t twice 1 %   o wrong order 1 %   g garbage   l lag 50 ms   w wire good
q quit"""


class Keys:
    """Runs the action of each key (``HELP``).

    Attributes:
        chosen: The power that keys move.
        message: What the last key did.
    """

    def __init__(self, board: VirtualBoard) -> None:
        self.chosen = board.powers[0]
        self.message = ""
        self._board = board
        self._actions: Mapping[str, Callable[[], str]] = {
            "\t": self._choose_next,
            " ": self._lift,
            "x": partial(self._put, 10),
            **{str(place): partial(self._put, place) for place in range(10)},
            **{name[0].upper(): partial(self._choose, name) for name in board.powers},
            "k": self._knock,
            "s": self._sensor,
            "z": self._station,
            "u": self._cable,
            "p": self._pull,
            "f": self._hang,
            "r": self._reboot,
            "b": self._brown_out,
            "c": partial(self._rate, "corrupt"),
            "d": partial(self._rate, "drop"),
            "t": partial(self._rate, "duplicate"),
            "o": partial(self._rate, "reorder"),
            "g": self._garbage,
            "l": self._lag,
            "w": self._wire_good,
        }

    def press(self, key: str) -> bool:
        """Run the key's action; return False for quit."""
        if key in ("q", "\x03", "\x04"):
            return False
        action = self._actions.get(key)
        try:
            self.message = action() if action else f"{key!r} is no key of this table"
        except (ValueError, OSError) as error:
            self.message = str(error)
        return True

    def _choose(self, power: str) -> str:
        self.chosen = power
        return f"{power} is chosen"

    def _choose_next(self) -> str:
        powers = self._board.powers
        return self._choose(powers[(powers.index(self.chosen) + 1) % len(powers)])

    def _put(self, place: int) -> str:
        self._board.place(self.chosen, place)
        return f"{self.chosen} stands {_where(place)}"

    def _lift(self) -> str:
        self._board.lift(self.chosen)
        return f"{self.chosen} is in the hand"

    def _knock(self) -> str:
        self._board.bump(self.chosen)
        return f"{self.chosen} was knocked"

    def _sensor(self) -> str:
        place = self._place()
        if f"{self.chosen} broken" in self._board.view().sensor_faults.get(place, ()):
            self._board.mend_sensor(place, self.chosen)
            return f"the sensor for {self.chosen} {_where(place)} is good again"
        self._board.break_sensor(place, self.chosen)
        return f"the sensor for {self.chosen} {_where(place)} is broken"

    def _station(self) -> str:
        place = self._place()
        if "cable off" in self._board.view().sensor_faults.get(place, ()):
            self._board.mend_station(place)
            return f"the sensors {_where(place)} are on again"
        self._board.break_station(place)
        return f"the sensors {_where(place)} are off"

    def _place(self) -> int:
        place = self._board.positions()[self.chosen]
        if place is None:
            raise ValueError(f"{self.chosen} is in the hand; put it down first")
        return place

    def _cable(self) -> str:
        if self._board.view().plugged:
            self._board.unplug()
            return "the cable is out"
        self._board.plug()
        return "the cable is in"

    def _pull(self) -> str:
        self._board.unplug(PULLED_S)
        return f"the cable is out for {PULLED_S:g} s"

    def _hang(self) -> str:
        if self._board.view().state == "hanging":
            self._board.thaw()
            return "the board goes on"
        self._board.freeze()
        return "the board hangs"

    def _reboot(self) -> str:
        self._board.reboot()
        return "the board has restarted"

    def _brown_out(self) -> str:
        self._board.brown_out()
        return "the board's power fails for a moment"

    def _rate(self, name: str) -> str:
        on = not getattr(self._board.view().faults[0], name)
        self._board.set_faults("both", **{name: RATE if on else 0.0})
        return f"{name} {RATE if on else 0:g}"

    def _garbage(self) -> str:
        self._board.garbage(BURST)
        return f"{BURST} random bytes each way"

    def _lag(self) -> str:
        on = not self._board.view().faults[0].delay_ms
        self._board.set_faults(delay_ms=LAG_MS if on else 0.0)
        return f"every byte takes {LAG_MS if on else 0:g} ms"

    def _wire_good(self) -> str:
        self._board.mend_wire()
        return "the wire is good"


def _where(place: int) -> str:
    return f"at seat {place}" if place else "in the tray"
