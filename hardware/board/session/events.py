"""The events that a link reports to its caller."""

from dataclasses import dataclass

from hardware.board.wire.messages import Command, Hello, Levels, Reliable


@dataclass(frozen=True, slots=True)
class Connected:
    """The board said hello. ``resumed``: no message was missed since the last one taken."""

    hello: Hello
    resumed: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """The next reliable message, to be stored; None if it names a place that does not exist."""

    seq: int
    message: Reliable | None


@dataclass(frozen=True, slots=True)
class BoardClock:
    """The board's clock; nothing older is still to come."""

    time: int


@dataclass(frozen=True, slots=True)
class Measured:
    """What a place's sensors measure."""

    levels: Levels


@dataclass(frozen=True, slots=True)
class Silent:
    """The board is silent, so its positions are unknown; reported once until it reconnects.

    ``heard``: good frames come, but no answer to ``connect``.
    """

    heard: bool


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """The board speaks another version of the protocol; reported once per connection."""

    version: int


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """Another board than the required one answered."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class Unusable:
    """A board answered, but what it says about itself cannot be."""


@dataclass(frozen=True, slots=True)
class InUse:
    """Another host is connected to the board, or was until a few seconds ago."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of a command; None if the board never answered."""

    command: Command
    result: int | None


LinkEvent = (
    Connected
    | Taken
    | BoardClock
    | Measured
    | Silent
    | OtherVersion
    | OtherBoard
    | Unusable
    | InUse
    | Answered
)
