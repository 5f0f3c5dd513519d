"""Facts about a table beside the state of its game."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from referee.service.log.hosts import Hosts, hosts_from_json
from referee.service.pile.layers import Pile, pile_from_json
from referee.service.pile.tower_positions import TowerSighting

# Fields of Meta by seat or entry; JSON has text for keys.
BY_NUMBER = ("claims", "draws", "languages", "undone")
# What a table does: rule on every move, or keep the score only.
REFEREE, SCORE = MODES = ("referee", "score")
# What follows when the time of a turn is over.
SAY, DRAW = THEN = ("say", "draw")
# The seconds of a turn.
SHORTEST, LONGEST = 10, 300
# What a seat decides by itself. Showing or counting hands, and dares, take the time they take.
TIMED = frozenset({"play", "drawn", "color", "powers", "respond", "swap"})


@dataclass(slots=True)
class Proposal:
    """A custom card that a seat wants in the game (seat None: the host's)."""

    id: int
    card: dict[str, Any]
    seat: int | None
    approved: list[int] = field(default_factory=list)

    def missing(self, seats: Iterable[int]) -> list[int]:
        """Return those of the seats that have not approved it yet."""
        return [s for s in sorted(seats) if s != self.seat and s not in self.approved]


@dataclass(slots=True)
class HouseProposal:
    """House rules that a seat wants from the next round on (seat None: the host does).

    ``id`` is the log entry with which they came. ``options`` are as in a record's round, and
    ``changes`` those of them that are new. ``settled``: all have approved; who comes later is not
    asked any more. ``instead``: what had been agreed on before, which holds until all approve this.
    """

    id: int
    options: Mapping[str, Any]
    changes: Mapping[str, Any]
    seat: int | None
    approved: list[int] = field(default_factory=list)
    settled: bool = False
    instead: "HouseProposal | None" = None

    def missing(self, seats: Iterable[int]) -> list[int]:
        """Return those of the seats that have not approved yet."""
        return [] if self.settled else [s for s in sorted(seats) if s not in self.approved]


@dataclass(frozen=True, slots=True)
class TableDevice:
    """A camera or board of the table, known by its token's id.

    ``seen`` is when its last observation came, ``conflicts`` maps a power to the places that report
    it at once, ``faults`` lists the sensors that do not work: ``{"place", "powers"}``. ``silent``
    is when it was reported missing.
    """

    id: str
    name: str
    kind: str
    seen: str | None = None
    revoked: bool = False
    conflicts: Mapping[str, list[int]] = field(default_factory=dict)
    faults: tuple[Mapping[str, Any], ...] = ()
    silent: str | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of a seat: ``began`` is the log entry, ``since`` its time, with which it began.

    ``needs`` are what is awaited of it. ``up``: the table has been told that time is up.
    """

    began: int
    since: str
    seat: int
    needs: tuple[str, ...]
    up: bool = False


@dataclass(frozen=True, slots=True)
class Timer:
    """A table's timer: the seconds of a turn, and what is done ``then``, when they are over.

    ``clock`` is the time that is running; None while none is, as between rounds, while the referee
    asks about the pile, or while hands are shown.
    """

    seconds: int
    then: str = SAY
    clock: Clock | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the timer as a snapshot has it."""
        return asdict(self)

    def left(self, now: datetime) -> float | None:
        """Return the seconds left, below 0 once time is up; None if no time is running."""
        if self.clock is None:
            return None
        return self.seconds - (now - datetime.fromisoformat(self.clock.since)).total_seconds()


@dataclass(slots=True)
class Meta:
    """Facts about a table beside the state of its game.

    ``turn_since`` is the entry with which the present turn began, ``turn_before`` that of the turn
    before; both are kept only for tables with devices. ``closed`` is when the table was closed,
    ``pile`` the discard pile, None without a camera. ``lapsed`` is the last offer of a tower not
    claimed: seat, power, number and time of the move that ended it. ``caught`` lists who caught
    whom, ``hosts`` who may act for all seats. ``undone`` maps an entry whose move, opening or
    correction does not stand any more to the correction that undid it. ``mode`` is "score" while
    the table enters results and no moves. ``game`` counts the table's games, the present one
    included; ``game_since`` is the entry with which it began. ``decks`` are the rulesets
    that were played with before, each with the entry that ended its use, and its options.
    ``tournament`` is the tournament that the table belongs to: its id, the round, and the table's
    number in it. ``open``: whoever has the join code takes a seat of their own between rounds.
    ``asking`` are the names of those who would like to join, by their tokens. ``group`` is the id
    of the group that keeps the games. ``house`` are house rules that are proposed, or agreed for
    the next round. ``timer`` is the time that turns have, None if they take as long as they take.
    ``code_since`` is when the join code was changed last.
    """

    claims: dict[int, str] = field(default_factory=dict)
    draws: dict[int, str] = field(default_factory=dict)
    tied: list[int] = field(default_factory=list)
    dealer: int | None = None
    proposals: list[Proposal] = field(default_factory=list)
    next_proposal: int = 1
    results: list[dict[str, Any]] = field(default_factory=list)
    devices: dict[str, TableDevice] = field(default_factory=dict)
    sightings: dict[str, TowerSighting] = field(default_factory=dict)
    turn_since: int = 0
    turn_before: int = 0
    closed: str | None = None
    languages: dict[int, str] = field(default_factory=dict)
    pile: Pile | None = None
    lapsed: Mapping[str, Any] | None = None
    caught: list[dict[str, Any]] = field(default_factory=list)
    hosts: Hosts = field(default_factory=Hosts)
    undone: dict[int, int] = field(default_factory=dict)
    mode: str = REFEREE
    game: int = 1
    game_since: int = 0
    decks: list[tuple[int, str, Mapping[str, Any] | None]] = field(default_factory=list)
    tournament: Mapping[str, Any] | None = None
    open: bool = False
    asking: dict[str, str] = field(default_factory=dict)
    group: str | None = None
    house: HouseProposal | None = None
    timer: Timer | None = None
    code_since: str | None = None

    @property
    def silent(self) -> frozenset[str]:
        """The devices that have gone silent."""
        return frozenset(device.id for device in self.devices.values() if device.silent is not None)


def meta_to_json(facts: Meta) -> dict[str, Any]:
    """Return the facts as JSON, for a snapshot."""
    meta = asdict(facts)
    for name in BY_NUMBER:
        meta[name] = {str(number): value for number, value in meta[name].items()}
    return {**meta, "hosts": facts.hosts.to_json()}


def meta_from_json(value: Mapping[str, Any]) -> Meta:
    """Read what ``meta_to_json`` wrote."""
    meta = dict(value)
    for name in BY_NUMBER:
        meta[name] = {int(number): item for number, item in meta[name].items()}
    meta["proposals"] = [Proposal(**item) for item in meta["proposals"]]
    meta["timer"] = timer_from_json(meta["timer"])
    meta["house"] = _house_from_json(meta["house"])
    meta["devices"] = {
        device_id: TableDevice(**{**item, "faults": tuple(item["faults"])})
        for device_id, item in meta["devices"].items()
    }
    seen = meta["sightings"].items()
    meta["sightings"] = {power: TowerSighting(**item) for power, item in seen}
    meta["decks"] = [tuple(item) for item in meta["decks"]]
    meta["pile"] = pile_from_json(meta["pile"]) if meta["pile"] else None
    meta["hosts"] = hosts_from_json(meta["hosts"])
    return Meta(**meta)


def timer_from_json(value: Mapping[str, Any] | None) -> Timer | None:
    """Read what ``Timer.to_json`` wrote, or what an entry says about a timer."""
    if value is None:
        return None
    clock = value.get("clock")
    if clock is not None:
        clock = Clock(**{**clock, "needs": tuple(clock["needs"])})
    return Timer(value["seconds"], value["then"], clock)


def _house_from_json(value: Mapping[str, Any] | None) -> HouseProposal | None:
    if not value:
        return None
    return HouseProposal(**{**value, "instead": _house_from_json(value["instead"])})
