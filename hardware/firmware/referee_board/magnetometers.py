"""The cheap way to sense: two LIS3MDL magnetometers a station behind one TCA9548A, all on I2C.

The sensors lie under the middle between two sockets, at addresses 1C (between U and N) and 1E (O
and !). From six field strengths the strengths of four magnets follow by a matrix, which
``lab/plans/magnetometers.py`` calculates; they are given as the millivolts of a hall sensor.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .ports import Bus

SWITCH = 0x70
ADDRESSES = (0x1C, 0x1E)
WHO_AM_I, IDENTITY = 0x0F, 0x3D
# ±1.6 mT, 80 measurements a second, all the time, both bytes of one measurement.
SETTINGS = ((0x20, 0x7C), (0x21, 0x60), (0x23, 0x0C), (0x24, 0x40), (0x22, 0x00))
RESULTS = 0x28 | 0x80  # the high bit counts the register up while reading
COUNTS_A_MT = 17110
MIDDLE_MV = 1650
ONE_MV = 800  # of a magnet in its socket: well over PRESENT_MV, and twice more in range
MOST_MV = 1400
# Strength of each power from each field strength in mT: x, y, z of the sensor at 1C, then at 1E.
INVERSE = (
    (-0.878, 0.878, 0.020, -0.020),
    (0.027, 0.027, -0.093, -0.093),
    (-1.329, -1.329, 0.193, 0.193),
    (0.020, -0.020, -0.878, 0.878),
    (0.093, 0.093, -0.027, -0.027),
    (0.193, 0.193, -1.329, -1.329),
)


class Sensors:
    """The magnetometers of the tray and the seats, the tray's at the switch's port 0.

    Args:
        bus: The I2C bus.
        seats: 1 … 7.
    """

    def __init__(self, bus: "Bus", seats: int) -> None:
        if not 1 <= seats <= 7:
            raise ValueError("the switch has ports for a tray and 1 to 7 seats")
        self._bus = bus
        self._rows: list[list[int] | None] = [None] * (seats + 1)
        self._ready = [False] * (seats + 1)

    def scan(self) -> "list[list[int] | None]":
        """Return each place's four readings in millivolts; None for one that does not answer."""
        for place in range(len(self._rows)):
            try:
                self._bus.writeto(SWITCH, bytes((1 << place,)))
                if not self._ready[place]:
                    self._set_up()
                    self._ready[place] = True
                self._rows[place] = self._read()
            except OSError:
                # Unplugged: when it is back it has forgotten its settings.
                self._ready[place] = False
                self._rows[place] = None
        return self._rows

    def supply(self) -> int:
        """Return 0: nothing measures this board's supply."""
        return 0

    def _set_up(self) -> None:
        for address in ADDRESSES:
            if self._bus.readfrom_mem(address, WHO_AM_I, 1)[0] != IDENTITY:
                raise OSError("another chip answers")
            for register, value in SETTINGS:
                self._bus.writeto_mem(address, register, bytes((value,)))

    def _read(self) -> list[int]:
        strengths = [0.0] * 4
        row = 0
        for address in ADDRESSES:
            data = self._bus.readfrom_mem(address, RESULTS, 6)
            for axis in range(3):
                count = data[2 * axis] | data[2 * axis + 1] << 8
                if count >= 0x8000:
                    count -= 0x10000
                for power in range(4):
                    strengths[power] += count * INVERSE[row][power]
                row += 1
        return [_millivolts(strength / COUNTS_A_MT) for strength in strengths]


def _millivolts(strength: float) -> int:
    off = int(strength * ONE_MV)
    return MIDDLE_MV + min(max(off, -MOST_MV), MOST_MV)
