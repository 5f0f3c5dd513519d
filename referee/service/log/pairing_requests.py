"""Computers and phones that ask to be a table's devices, as any process knows of them."""

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any

from referee.rules.message import Message
from referee.service.problems import Problem

# Prefix of notifications about pairings.
PAIRING = "pairing/"
# Seconds for which one that asked counts as asking.
PATIENCE = 10.0
# Seconds for which one that was refused cannot ask again, and for which others from there are
# quiet: one of them at a time may ask, and hosts are not disturbed by it.
REFUSED_FOR, QUIET_FOR = 30.0, 600.0
# How many may ask at a table, and how many of them from one address. Players' phones always may.
MOST_ASKING, MOST_FROM_ONE = 12, 4
# What else is told of those that asked.
REFUSED, DROPPED = "refused", "dropped"


@dataclass(frozen=True, slots=True)
class NewDevice:
    """A device that is to be registered."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: devices, by a computer or a ``phone``.

    ``seat`` is the seat whose phone it is; ``computer`` the hash of what a computer is known by at
    later tables, "" if it does not want to be known, and ``name`` what it is called. ``sender``
    stands for the address that it comes from.
    """

    devices: tuple[NewDevice, ...]
    seat: int | None = None
    phone: bool = False
    computer: str = ""
    name: str = ""
    sender: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, by their token's id, and when they last did, by this process's clock."""

    id: str
    table_id: str
    wish: Wish
    at: float


class Pairings:
    """Who asks at present, at any process.

    ``tell`` notifies the others by a name and a value; ``changed`` is called with the id of a table
    where somebody begins to ask, or was answered.
    """

    def __init__(self, tell: Callable[[str, str], None], changed: Callable[[str], None]) -> None:
        self._tell, self._changed = tell, changed
        self._asking: dict[str, Asking] = {}
        self._refused: dict[str, float] = {}
        self._quiet: dict[tuple[str, str], float] = {}

    def ask(self, by: str, table_id: str, wish: Wish) -> None:
        """Record that somebody asks. Raises Problem if they were refused, or too many ask."""
        left = self._refused.get(by, 0.0) - monotonic()
        if left > 0:
            raise _refusal(wish, left)
        if wish.seat is None:
            self._make_room(by, table_id, wish.sender)
        self._tell(PAIRING + by, _written([table_id, asdict(wish)]))
        self._keep(by, table_id, wish)

    def refuse(self, by: str, table_id: str) -> None:
        """Record that a host refuses them."""
        self._tell(PAIRING + by, _written([table_id, REFUSED]))
        self._refuse(by, table_id)

    def receive(self, by: str, value: str) -> None:
        """Receive what was asked, or refused, at another process."""
        table_id, told = json.loads(value)
        if told == REFUSED:
            self._refuse(by, table_id)
        elif told == DROPPED:
            self._drop(by, table_id)
        else:
            devices = tuple(NewDevice(**device) for device in told.pop("devices"))
            self._keep(by, table_id, Wish(devices, **told))

    def at(self, table_id: str) -> list[Asking]:
        """Return who asks at a table, in a fixed order."""
        since = monotonic() - PATIENCE
        waiting = [
            asking
            for asking in list(self._asking.values())
            if asking.table_id == table_id and asking.at > since
        ]
        return sorted(waiting, key=lambda asking: asking.id)

    def is_quiet(self, asking: Asking) -> bool:
        """Return whether hosts are not to be disturbed: they have refused it, or its like."""
        return self._quiet.get(_source(asking), 0.0) > monotonic()

    def _make_room(self, by: str, table_id: str, sender: str) -> None:
        """See that there is room for one more. Raises Problem.

        Whoever fills a table from few addresses makes way for one from another address.
        """
        asking = [request for request in self.at(table_id) if request.wish.seat is None]
        if any(request.id == by for request in asking):
            return
        senders = Counter(request.wish.sender for request in asking)
        quiet = self._quiet.get((table_id, sender), 0.0) > monotonic()
        if senders[sender] >= (1 if quiet else MOST_FROM_ONE):
            raise Problem("conflict", "Too many at this address ask to be let in.")
        if len(asking) < MOST_ASKING:
            return
        crowd, most = senders.most_common(1)[0]
        if most <= senders[sender] + 1:
            raise Problem("conflict", "Too many computers ask to join this table.")
        gone = next(request.id for request in reversed(asking) if request.wish.sender == crowd)
        self._tell(PAIRING + gone, _written([table_id, DROPPED]))
        self._drop(gone, table_id)

    def _keep(self, by: str, table_id: str, wish: Wish) -> None:
        now = monotonic()
        for asking in list(self._asking.values()):
            if asking.at <= now - PATIENCE:
                self._asking.pop(asking.id, None)
        before = self._asking.get(by)
        self._asking[by] = Asking(by, table_id, wish, now)
        if before is None or before.wish != wish:
            self._changed(table_id)

    def _refuse(self, by: str, table_id: str) -> None:
        now = monotonic()
        _forget(self._refused, now)
        _forget(self._quiet, now)
        self._refused[by] = now + REFUSED_FOR
        if by in self._asking:
            self._quiet[_source(self._asking[by])] = now + QUIET_FOR
        self._drop(by, table_id)

    def _drop(self, by: str, table_id: str) -> None:
        self._asking.pop(by, None)
        self._changed(table_id)


def _source(asking: Asking) -> tuple[str, str]:
    """Return what is quiet once one was refused: an address at a table, or a player's phone."""
    return asking.table_id, asking.wish.sender if asking.wish.seat is None else asking.id


def _refusal(wish: Wish, left: float) -> Problem:
    seconds = max(1, math.ceil(left))
    again = {"retry_after": seconds}
    if not wish.phone:
        return Problem("forbidden", "The host does not let this in.", extra=again)
    told = Message(
        "The host does not want this phone as the camera. Ask again in {seconds} s.",
        seconds=seconds,
    )
    return Problem("forbidden", told, extra=again)


def _forget(until: dict[Any, float], now: float) -> None:
    """Forget what is over."""
    for key, end in list(until.items()):
        if end <= now:
            until.pop(key, None)


def _written(text: Any) -> str:
    """Return JSON without a space, as notifications are."""
    return json.dumps(text, separators=(",", ":")).replace(" ", r"\u0020")
