"""What a device saw, and what it is told back: the words that devices and the gateway share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

# Where a tower or power stand is: a seat, 0 for the tray, in somebody's hand, or not known.
Position = int | Literal["lifted", "unknown"]
Memory = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen, as the body of ``POST /tables/{id}/observations`` (less ``at``).

    ``at`` is when it was seen: UTC, ISO 8601, to the millisecond.
    """

    at: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Hint:
    """Where a power belongs that stands elsewhere: shown to the people by light and sound.

    ``urgent``: it was moved wrongly, not just not moved yet.
    """

    power: str
    place: int
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """How a device does, in words and figures for the status display.

    ``state`` is "starting", "online", "silent" or "gone"; ``detail`` says why in plain words.
    ``positions`` is what is where; ``figures`` are counters by name (frames lost, retries …).
    ``sees`` is what else it sees, by name ("on top": "red-7").
    """

    state: str
    detail: str
    positions: Mapping[str, Position]
    figures: Mapping[str, int]
    sees: Mapping[str, str] = field(default_factory=dict)


class Sink(Protocol):
    """Where a device puts what it saw."""

    def __call__(self, observations: Sequence[Observation], memory: Memory) -> None:
        """Keep the observations, and the device's memory with them: all or nothing, on the disk.

        The device gets the latest memory back when it starts again. Raises OSError when the disk
        does not take them; the device then keeps them and tries again.
        """


class Device(Protocol):
    """A device beside the table; made by its backend (``hardware.backends``), then started."""

    name: str

    def start(self, sink: Sink, memory: Memory) -> None:
        """Begin to observe, in the background. It never fails because the device is not there."""

    def stop(self) -> None:
        """Stop; returns once nothing more will be put into the sink."""

    def status(self) -> DeviceStatus:
        """How it does."""

    def indicate(self, hints: Sequence[Hint]) -> None:
        """Show these and no others, as soon as the device can."""
