"""The visible state of the simulation: positions, lights, sounds, the board and its wires."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hardware.virtual_board.wire import Faults

PATTERNS = ("off", "on", "slow", "fast")
NOBODY = 255
REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class ShownLight:
    """A light that is on: its pattern ("on", "slow", "fast") and the power wanted there."""

    pattern: str
    power: str | None


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound: when (simulated ms), where (None: the board itself), and which pitch."""

    at_ms: float
    place: int | None
    pitch_hz: int


class LightPanel:
    """The lights and buzzers at the places, as the firmware drives them.

    Args:
        powers: The names of the powers, in the order of their numbers.
    """

    def __init__(self, powers: Sequence[str]) -> None:
        self.now_ms = 0.0
        self.shown: dict[int, ShownLight] = {}
        self.buzzes: deque[Sound] = deque(maxlen=REMEMBERED)
        self._powers = powers

    def show(self, place: int, pattern: int, power: int) -> None:
        """Light a place: pattern 0 … 3 and the number of a power (255: none) as on the wire."""
        if pattern == 0:
            self.shown.pop(place, None)
            return
        name = self._powers[power] if power < len(self._powers) else None
        self.shown[place] = ShownLight(PATTERNS[pattern], name)

    def buzz(self, place: int, ms: int, hz: int) -> None:
        """Sound a place's buzzer, or the board's own (255); 0 ms or 0 Hz ends a sound."""
        if not (ms and hz):
            return
        self.buzzes.append(Sound(self.now_ms, None if place == NOBODY else place, hz))

    def tick(self, now: int) -> None:
        """Do nothing: the view names the pattern instead of blinking."""

    def darken(self) -> None:
        """Switch all lights off."""
        self.shown.clear()


RunState = Literal["running", "hanging", "off"]


@dataclass(frozen=True, slots=True)
class BoardView:
    """The state of the simulation at one moment.

    Attributes:
        now_ms: The simulated time.
        positions: Each power's true place, 0 being the tray; None if lifted.
        lights: The lights that are on, by place.
        buzzes: The latest sounds, oldest first.
        sensor_faults: Faults of the sensors, by place.
        state: Whether the board runs, hangs, or has no power.
        plugged: Whether the port exists.
        trouble: Why the port cannot be created; empty if it can.
        starts: How often the board has started.
        to_host: Counters of the wire to the host, by name.
        to_board: Counters of the wire to the board, by name.
        faults: Faults of the wires to the host and to the board.
    """

    now_ms: float
    positions: dict[str, int | None]
    lights: dict[int, ShownLight]
    buzzes: tuple[Sound, ...]
    sensor_faults: dict[int, tuple[str, ...]]
    state: RunState
    plugged: bool
    trouble: str
    starts: int
    to_host: dict[str, int]
    to_board: dict[str, int]
    faults: tuple[Faults, Faults]

    def as_dict(self) -> dict[str, Any]:
        """Return the state as JSON."""
        return {
            "now_ms": round(self.now_ms),
            "state": self.state,
            "plugged": self.plugged,
            "trouble": self.trouble,
            "starts": self.starts,
            "positions": self.positions,
            "lights": {
                str(place): {"pattern": light.pattern, "power": light.power}
                for place, light in sorted(self.lights.items())
            },
            "buzzes": len(self.buzzes),
            "sensor_faults": {str(place): list(what) for place, what in self.sensor_faults.items()},
            "to_host": self.to_host,
            "to_board": self.to_board,
        }
