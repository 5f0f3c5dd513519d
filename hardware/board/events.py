"""What a link tells its caller: the events of a connection."""

from dataclasses import dataclass

from hardware.board.messages import Command, Hello, Reliable


@dataclass(frozen=True, slots=True)
class Connected:
    """The board said hello. ``resumed``: no message of it was missed since the last one taken."""

    hello: Hello
    resumed: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """The next reliable message, to be kept; None if it tells of places that there are not."""

    seq: int
    message: Reliable | None


@dataclass(frozen=True, slots=True)
class BoardClock:
    """The board's clock, and that nothing older is still to come."""

    time: int


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing the board said before is to be relied on; said once, until it is connected again.

    ``heard``: good frames come, but no answer to ``connect``.
    """

    heard: bool


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """The board speaks another version of the protocol; said once a connection."""

    version: int


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """Another board than the one insisted on answered."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a command; ``result`` is None if the board never answered."""

    command: Command
    result: int | None


LinkEvent = Connected | Taken | BoardClock | Silent | OtherVersion | OtherBoard | Answered
