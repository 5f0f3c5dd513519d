"""The visible state of the simulation."""

from dataclasses import dataclass
from typing import Any, Literal

from hardware.virtual_board.lights import ShownLight, Sound
from hardware.virtual_board.wire import Faults

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
