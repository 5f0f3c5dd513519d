"""The board: reads sensors, reports to the host, runs its commands."""

from . import VERSION, messages
from .levels import Levels
from .link import Link
from .sensing import POWERS, Sensing, SensorThresholds, Supply
from .ticks import MASK, elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .ports import Lights, Middles, Sensors, Uart
    from .wifi import Wifi

SCAN_MS = 5
MOST_SEATS = 10
PATTERNS = 4


class Board:
    """The board without its pins; ``step`` is one turn of the main loop.

    Args:
        uart: The line to the host.
        sensors: The sensors, place 0 (the tray) first.
        lights: The lights at the places, and the buzzer.
        clock: Returns milliseconds; may wrap at 2**32.
        board_id: Eight bytes that stay the same for the life of the board.
        boot: A random number of this start, 1 … 2**32 - 1.
        power_set: 1 towers, 2 stands.
        seats: 1 … 10.
        firmware: Major, minor, patch.
        thresholds: Limits between magnet, no magnet and fault.
        after_watchdog: The watchdog caused this start; reported to the host.
        middles: Where the sensors' middles are kept; without it they cannot be calibrated.
    """

    def __init__(
        self,
        uart: "Uart",
        sensors: "Sensors",
        lights: "Lights",
        clock: "Callable[[], int]",
        board_id: bytes,
        boot: int,
        power_set: int,
        seats: int,
        firmware: tuple[int, int, int] = VERSION,
        thresholds: SensorThresholds | None = None,
        after_watchdog: bool = False,
        middles: "Middles | None" = None,
    ) -> None:
        if len(board_id) != 8 or not 0 < boot <= MASK:
            raise ValueError("a board has an id of 8 bytes, and a boot number of 32 bits, not 0")
        if power_set not in (1, 2) or not 1 <= seats <= MOST_SEATS:
            raise ValueError("a set is 1 (towers) or 2 (stands), and there are 1 to 10 seats")
        self._sensors: Sensors = sensors
        self._lights: Lights = lights
        self._clock: Callable[[], int] = clock
        self._places: int = seats + 1
        limits = thresholds or SensorThresholds()
        self._sensing: Sensing = Sensing(self._places, limits)
        self._levels: Levels = Levels(self._sensing, limits, middles)
        self._supply: Supply = Supply()
        self._scanned_at: int | None = None
        self._after_watchdog: bool = after_watchdog
        features = messages.LIGHTS | messages.BUZZER | messages.MEASURES
        self._wifi: Wifi | None = None
        self.link: Link = Link(uart, self, board_id, boot, firmware, power_set, seats, features)

    def use(self, wifi: "Wifi") -> None:
        """Let hosts in over the Wi-Fi, too."""
        self._wifi = wifi
        self.link.add(wifi.door)

    def step(self) -> None:
        """Receive, scan and send, without waiting."""
        now = self._clock() & MASK
        if self._wifi:
            self._wifi.tick(now)
        self.link.receive(now)
        if self._scanned_at is None or elapsed(now, self._scanned_at) >= SCAN_MS:
            self._scanned_at = now
            self._look(now)
        self._lights.tick(now)
        self.link.send(now)

    def cells(self) -> bytes:
        """Return a cell for the tray and one for each seat."""
        return self._sensing.cells()

    def connected(self, now: int) -> None:
        """Turn the lights off; report a start by the watchdog, and a low supply.

        It is called before the snapshot of a new connection.
        """
        self._lights_out()
        if self._after_watchdog:
            self._after_watchdog = False
            self.link.error(now, messages.WATCHDOG_BIT, messages.NONE, 0)
        if self._supply.low:
            self._report_supply(now)

    def disconnected(self) -> None:
        """Turn the lights off, since a silent host no longer can."""
        self._lights_out()

    def command(self, kind: int, fields: tuple[int, ...]) -> int:
        """Run a ``light``, ``buzz`` or ``calibrate``; return the result for ``done``."""
        if kind == messages.CALIBRATE:
            return self._levels.calibrate()
        place = fields[0]
        if kind == messages.LIGHT:
            pattern, power = fields[1], fields[2]
            if pattern >= PATTERNS or (power >= POWERS and power != messages.NONE):
                return messages.NOT_UNDERSTOOD
            if place >= self._places:
                return messages.NOT_POSSIBLE
            self._lights.show(place, pattern, power)
            return messages.RESULT_DONE
        if place >= self._places and place != messages.NONE:
            return messages.NOT_POSSIBLE
        self._lights.buzz(place, fields[1], fields[2])
        return messages.RESULT_DONE

    def levels(self, place: int) -> bytes:
        """Return the ``levels`` of a place."""
        return self._levels.packet(place)

    def network(self, fields: "tuple[bytes, ...]") -> bytes:
        """Join the Wi-Fi of a ``join``'s fields, if there are any; return the ``network``."""
        if self._wifi is None:
            return messages.network(messages.NO_WIFI, bytes(4), 0, b"")
        if fields:
            self._wifi.join(*fields)
        return messages.network(*self._wifi.where())

    def _look(self, now: int) -> None:
        rows = self._sensors.scan()
        measuring = self.link.measuring
        if not measuring:
            self._levels.clear()
        for place in range(self._places):
            if measuring:
                self._levels.update(place, rows[place])
            changed, failed, works = self._sensing.update(place, rows[place], now)
            if changed:
                self.link.change(now, place, self._sensing.cell(place))
            if failed:
                self.link.error(now, messages.SENSOR_FAILED, place, failed)
            if works:
                self.link.error(now, messages.SENSOR_WORKS, place, works)

        if self._supply.update(self._sensors.supply(), now) and self.link.connected:
            self._report_supply(now)  # otherwise it is reported when a host connects

    def _report_supply(self, now: int) -> None:
        self.link.error(now, messages.SUPPLY_LOW, messages.NONE, self._supply.millivolts)

    def _lights_out(self) -> None:
        for place in range(self._places):
            self._lights.show(place, 0, messages.NONE)
