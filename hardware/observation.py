"""The types that devices and the gateway share: observations, hints and states."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

# Where a tower or power stand is: a seat, 0 for the tray, in a hand, or not known.
Position = int | Literal["lifted", "unknown"]
Memory = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Observation:
    """What a device saw: the body of ``POST /tables/{id}/observations`` without ``at``.

    ``at`` is when it was seen: UTC, ISO 8601, to the millisecond.
    """

    at: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Hint:
    """Where a misplaced power belongs; shown to players by light and sound.

    ``urgent``: it was moved wrongly, rather than not moved yet.
    """

    power: str
    place: int
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """A device's state, for the status display.

    ``state`` is "starting", "online", "silent" or "gone"; ``detail`` says why. ``positions`` maps
    powers to places; ``figures`` are counters by name (frames lost, retries …). ``sees`` is what
    else it sees, by name ("on top": "red-7").
    """

    state: str
    detail: str
    positions: Mapping[str, Position]
    figures: Mapping[str, int]
    sees: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CardLabel:
    """What the card of a device's pile observation ``number`` was, as the game has it.

    ``by``: "people" named the card, or its ruling stood while "play" went on. ``card`` is None if
    an earlier label does not hold any more.
    """

    number: int
    card: str | None
    by: Literal["people", "play"] = "people"


@runtime_checkable
class Learner(Protocol):
    """A device that learns from what its observations turned out to be."""

    def learn(self, labels: Sequence[CardLabel]) -> None:
        """Take labels, each once and in order; returns at once."""


@runtime_checkable
class Reteller(Protocol):
    """A device that can report its present state afresh.

    For others the gateway keeps the state itself (``hardware.gateway.posting.outbox_file``).
    """

    def tell_again(self) -> None:
        """Report the present state as if for the first time; returns at once."""


class Sink(Protocol):
    """Stores what a device saw."""

    def __call__(self, observations: Sequence[Observation], memory: Memory) -> None:
        """Store the observations together with the device's memory, durably, all or nothing.

        The device gets the latest memory back when it starts again. Raises OSError if they cannot
        be stored; the device then keeps them and tries again.
        """


class Device(Protocol):
    """A device beside the table; made by its backend (``hardware.backends``), then started."""

    name: str

    def start(self, sink: Sink, memory: Memory) -> None:
        """Begin to observe, in the background. Missing hardware is not an error."""

    def stop(self) -> None:
        """Stop; returns once nothing more will be put into the sink."""

    def status(self) -> DeviceStatus:
        """Return the current state."""

    def indicate(self, hints: Sequence[Hint]) -> None:
        """Show these hints and no others, as soon as the device can."""
