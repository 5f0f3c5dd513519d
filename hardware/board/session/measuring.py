"""Ask a board for its sensors' levels, and have it keep where they rest. No I/O."""

from enum import StrEnum

from hardware.board.wire.messages import DONE, MEASURES, Calibrate, Command, Hello, Levels, Measure

ASK_FOR = 6  # seconds; asked again before they are over
ASK_EVERY = 2.0
STALE = 1.0  # levels come five times a second


class Calibration(StrEnum):
    """How a calibration stands."""

    NONE = "not asked for"
    ASKED = "asked for"
    DONE = "done"
    REFUSED = "not possible on this board"


class Measuring:
    """Which levels are wanted, and which have come. Times are in seconds, as in ``Link``."""

    def __init__(self) -> None:
        self.wanted = False
        self.calibration = Calibration.NONE
        self._levels: dict[int, tuple[float, Levels]] = {}
        self._ask_at = 0.0

    def connected(self) -> None:
        """Ask anew: the board forgets at a connection."""
        self._levels = {}
        self._ask_at = 0.0

    def calibrate(self) -> None:
        """Have the present levels of sensors without a magnet made their middles."""
        self.calibration = Calibration.ASKED

    def taken(self, levels: Levels, now: float) -> None:
        """Take a place's levels."""
        self._levels[levels.place] = (now, levels)

    def levels(self, now: float) -> dict[int, Levels]:
        """Return the latest levels by place, without those older than ``STALE`` seconds."""
        current = sorted(self._levels.copy().items())
        return {place: levels for place, (at, levels) in current if now - at < STALE}

    def next(self, hello: Hello, now: float) -> Command | None:
        """Return the next command, or None. A board that cannot measure is not asked."""
        if not hello.features & MEASURES:
            if self.calibration is Calibration.ASKED:
                self.calibration = Calibration.REFUSED
            return None
        if self.wanted and now >= self._ask_at:
            return Measure(0, ASK_FOR)
        if self.calibration is Calibration.ASKED and self.levels(now):
            return Calibrate(0)
        return None

    def answered(self, command: Command, result: int | None, now: float) -> None:
        """Note a command's result; None: the board never answered, and is asked again."""
        if isinstance(command, Measure):
            self._ask_at = now + ASK_EVERY
        elif isinstance(command, Calibrate) and result is not None:
            done = result == DONE
            self.calibration = Calibration.DONE if done else Calibration.REFUSED
