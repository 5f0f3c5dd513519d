"""What can be seen of the simulation."""

from dataclasses import dataclass
from typing import Any, Literal

from hardware.virtual_board.lights import ShownLight, Sound
from hardware.virtual_board.wire import Faults

RunState = Literal["running", "hanging", "off"]


@dataclass(frozen=True, slots=True)
class BoardView:
    """The simulation at one moment.

    Attributes:
        now_ms: The simulation's time.
        positions: Where each power truly is, 0 being the tray; None: in somebody's hand.
        lights: What shines, by place.
        buzzes: The latest sounds, oldest first.
        sensor_faults: What is wrong at a place, in words.
        state: Whether the board runs, hangs, or is without power.
        plugged: Whether the port is there.
        trouble: Why the port cannot be there, in words; empty if it can.
        starts: How often the board has started.
        to_host: What the wire to the host has done, by name.
        to_board: What the wire to the board has done, by name.
        faults: How bad the wires are: to the host, to the board.
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
        """The same as JSON would have it, for another program to read."""
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
