"""What a tournament is: its settings, its players, its rounds with their tables and results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FORMATS = ("swiss", "knockout", "free")
FINISHES = ("target", "time", "card-rounds")
POINTS = ("placing", "game")
TIES = ("share", "best")
STATUSES = ("in", "paused", "out")


@dataclass(frozen=True, slots=True)
class Settings:
    """How the tournament is played. ``low``: at its tables the lowest score wins."""

    name: str
    ruleset: str
    options: Mapping[str, Any]
    mode: str
    low: bool
    seed: str
    format: str = "swiss"
    table_size: int = 4
    smallest_table: int = 2
    rounds: int | None = None
    minutes: int | None = None
    finish: str = "target"
    card_rounds: int | None = None
    points: str = "placing"
    placing: tuple[int, ...] = (4, 2, 1, 0)
    ties: str = "share"
    bye: int | None = None
    advance: int = 2
    public: bool = True


@dataclass(frozen=True, slots=True)
class Player:
    """A person in the tournament: in, paused for a while, or out for good."""

    number: int
    name: str
    status: str = "in"


@dataclass(frozen=True, slots=True)
class Result:
    """A table's result, by seat. ``id`` is the entry of the log that reported it.

    ``decided``: an organiser confirmed it for everybody. ``source`` is who reported it: the table's
    own game, an organiser, or a seat.
    """

    id: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    source: str
    at: str
    confirmed: frozenset[int] = frozenset()
    disputed: Mapping[int, str | None] = field(default_factory=dict)
    decided: bool = False

    @property
    def counts(self) -> bool:
        """True once all seats agree, or an organiser has decided."""
        agreed = len(self.confirmed) == len(self.scores) and not self.disputed
        return self.decided or agreed


@dataclass(frozen=True, slots=True)
class Ending:
    """How a table's game has ended: scores by seat, and the seats that won."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of a round: players by seat, and its result.

    ``table_id`` is the table they play at, ``seen`` how its own game last ended, ``version`` the
    table's version then. ``void``: the round was closed without a result.
    """

    number: int
    players: tuple[int, ...]
    table_id: str | None = None
    result: Result | None = None
    seen: Ending | None = None
    version: int = 0
    void: bool = False

    @property
    def state(self) -> str:
        """What the table waits for."""
        if self.result is None:
            return "void" if self.void else "playing" if self.table_id else "drawn"
        if self.result.counts:
            return "confirmed"
        return "disputed" if self.result.disputed else "waiting"


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a round; ``spent`` are the seconds until it was last started or paused."""

    seconds: int
    spent: float
    since: str | None


@dataclass(frozen=True, slots=True)
class Round:
    """A tournament round: its tables, and who sits it out."""

    number: int
    tables: tuple[SeatedTable, ...]
    byes: tuple[int, ...]
    at: str
    started: str | None = None
    clock: Clock | None = None

    @property
    def over(self) -> bool:
        """True once every table has a result that counts, or none for good."""
        return all(table.state in ("confirmed", "void") for table in self.tables)

    @property
    def state(self) -> str:
        """How far the round is."""
        if self.started is None:
            return "drawn"
        return "over" if self.over else "playing"

    def players(self) -> list[int]:
        """Return everybody who was drawn, byes included."""
        return [*(player for table in self.tables for player in table.players), *self.byes]


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament after some entry of its log. ``organisers`` are tokens, with their names."""

    settings: Settings
    players: Mapping[int, Player]
    rounds: tuple[Round, ...] = ()
    organisers: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def present(self) -> Round | None:
        """The newest round."""
        return self.rounds[-1] if self.rounds else None
