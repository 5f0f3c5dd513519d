"""The lights and sounds of the virtual board."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

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
    """A sound: when (simulated ms), where (None: the board itself), and which."""

    at_ms: float
    place: int | None
    duration_ms: int
    pitch_hz: int


class LightPanel:
    """The lights and buzzers at the places, as the firmware drives them.

    Args:
        powers: The names of the powers, in the order of their numbers.
    """

    def __init__(self, powers: Sequence[str]) -> None:
        self.now = 0.0
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
        self.buzzes.append(Sound(self.now, None if place == NOBODY else place, ms, hz))

    def tick(self, now: int) -> None:
        """Do nothing: the view names the pattern instead of blinking."""

    def darken(self) -> None:
        """Switch all lights off."""
        self.shown.clear()
