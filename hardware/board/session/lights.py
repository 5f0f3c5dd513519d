"""Turn hints into light and buzzer commands. No I/O."""

from collections.abc import Sequence

from hardware.board.wire.messages import (
    BUZZER,
    FAST,
    LIGHTS,
    NO_PLACE,
    NO_POWER,
    OFF,
    POWER_NAMES,
    SLOW,
    Buzz,
    Command,
    Hello,
    Light,
)
from hardware.observation import Hint

BUZZ_MS = 120
BUZZ_HZ = 2000
RETRY_AFTER = 1.0  # seconds, after a command the board never answered

LightState = tuple[int, int]  # pattern and power


class Lights:
    """Compares the lights that the hints want with those that the board shows."""

    def __init__(self) -> None:
        self._wanted: dict[int, Hint] = {}
        self._shown: dict[int, LightState | None] = {}
        self._urgent: frozenset[Hint] = frozenset()
        self._buzz = False
        self._not_before = 0.0

    @property
    def lit(self) -> bool:
        """Whether any light may be on."""
        return any(self._shown.values())

    def want(self, hints: Sequence[Hint]) -> None:
        """Show these hints and no others; at a shared place, an urgent one wins."""
        urgent = frozenset(hint for hint in hints if hint.urgent)
        if urgent - self._urgent:
            self._buzz = True
        elif not urgent:
            self._buzz = False
        self._urgent = urgent
        self._wanted = {hint.place: hint for hint in sorted(hints, key=lambda hint: hint.urgent)}

    def connected(self) -> None:
        """Start with no lights: the board switches them off at a connection."""
        self._shown.clear()
        self._not_before = 0.0

    def next(self, hello: Hello, now: float) -> Command | None:
        """Return the next command towards the wanted lights, or None."""
        if now < self._not_before:
            return None
        if hello.features & LIGHTS:
            for place in sorted(self._shown.keys() | self._wanted.keys()):
                wanted = _shown(self._wanted.get(place), POWER_NAMES[hello.set])
                if place <= hello.seats and self._shown.get(place) != wanted:
                    return Light(0, place, *(wanted or (OFF, NO_POWER)))
        if self._buzz and hello.features & BUZZER:
            return Buzz(0, NO_PLACE, BUZZ_MS, BUZZ_HZ)
        return None

    def answered(self, command: Command, result: int | None, now: float) -> None:
        """Note a command's result. A refused command is not repeated."""
        if isinstance(command, Buzz):
            self._buzz = False
        elif result is None:
            self._not_before = now + RETRY_AFTER
        elif isinstance(command, Light):
            lit = command.pattern != OFF
            self._shown[command.place] = (command.pattern, command.power) if lit else None


def _shown(hint: Hint | None, names: Sequence[str]) -> LightState | None:
    if hint is None:
        return None
    power = names.index(hint.power) if hint.power in names else NO_POWER
    return (FAST if hint.urgent else SLOW, power)
