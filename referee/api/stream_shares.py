"""Who gets an event stream when many want one: shares by token, table, address and server.

A new stream of a token ends the oldest of the same token, which is often that of a phone that has
lost its connection. Where a table, an address or the server is full, spectators yield to players;
among equals, whoever holds most yields to whoever holds less. A host's newest streams
yield to nobody at its table.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.config import StreamLimits
from referee.service.access import Principal

Share = Literal["token", "table", "address", "server"]
SHARES: tuple[Share, ...] = ("token", "table", "address", "server")
SPECTATOR, PLAYER, HOST = range(3)
# So many streams of a token, the newest, and of a table's players go before spectators: ten phones
# with two each, a camera, a board, and a host's computer. Any more count as spectators.
FIRST_OF_TOKEN = 2
FIRST_OF_TABLE = 24
# Between whose parts a full share is divided evenly.
PARTS: Mapping[Share, Share] = {"table": "token", "address": "table", "server": "address"}
NO_SHARES: Mapping[Share, int] = {}


class FullError(Exception):
    """A share is used up; ``share`` says which."""

    def __init__(self, share: Share) -> None:
        super().__init__(share)
        self.share = share


@dataclass(frozen=True, slots=True)
class StreamHolder:
    """Whose a stream is."""

    token: str = ""
    table: str = ""
    address: str = ""
    rank: int = SPECTATOR

    def key(self, share: Share) -> str:
        """Return what the stream counts for in a share."""
        return {"token": self.token, "table": self.table, "address": self.address}.get(share, "")


def shares_of(limits: StreamLimits) -> dict[Share, int]:
    """Return the shares that are limited."""
    found: dict[Share, int] = {
        "token": limits.token,
        "table": limits.table,
        "address": limits.address,
    }
    return {share: most for share, most in found.items() if most}


def holder(principal: Principal, address: str) -> StreamHolder:
    """Return the holder of a token's stream; a ticket stands for the token it came from."""
    rank = HOST if principal.is_host else PLAYER
    if principal.role == "spectator":
        rank = SPECTATOR
    return StreamHolder(principal.id, principal.table_id, address, rank)


class Held:
    """A stream as it counts in the shares."""

    __slots__ = ("holder", "rank")

    def __init__(self, whose: StreamHolder) -> None:
        self.holder = whose
        self.rank = whose.rank


class StreamShares:
    """The streams that count, and who yields to a new one. The caller keeps a lock."""

    def __init__(self, most: Mapping[Share, int]) -> None:
        self._most = most
        # In the order in which they were opened.
        self._held: dict[tuple[Share, str], dict[Held, None]] = {}

    def admit(self, new: Held) -> list[tuple[Held, Share]]:
        """Add a stream; return those that end for it, and in which share. Raises FullError."""
        whose = new.holder
        self._rank(new)
        ended: dict[Held, Share] = {}
        for share in SHARES:
            held = [one for one in self._of(share, whose) if one not in ended]
            if len(held) < self._most.get(share, len(held) + 1):
                continue
            yielding = held[0] if share == "token" else _yielding(held, new, share)
            if yielding is None:
                raise FullError(share)
            ended[yielding] = share
        for one in ended:
            self.remove(one)
        for share in SHARES:
            self._held.setdefault((share, whose.key(share)), {})[new] = None
        return list(ended.items())

    def remove(self, gone: Held) -> None:
        """Remove a stream; nothing if it is removed already."""
        for share in SHARES:
            key = share, gone.holder.key(share)
            held = self._held.get(key, {})
            held.pop(gone, None)
            if not held:
                self._held.pop(key, None)

    def _of(self, share: Share, whose: StreamHolder) -> Mapping[Held, None]:
        return self._held.get((share, whose.key(share)), {})

    def _rank(self, new: Held) -> None:
        """Let the newest streams of a token go first: older ones may be of a lost connection."""
        own = list(self._of("token", new.holder))
        for older in own[: max(0, len(own) + 1 - FIRST_OF_TOKEN)]:
            older.rank = SPECTATOR
        players = sum(one.rank != SPECTATOR for one in self._of("table", new.holder))
        if players >= FIRST_OF_TABLE:
            new.rank = SPECTATOR


def _yielding(held: list[Held], new: Held, share: Share) -> Held | None:
    """Return the stream of a full share that yields to a new one."""

    def rank(one: Held) -> int:
        # Anybody may open a table and be its host, so beyond the table that counts no more.
        return one.rank if share == "table" else min(one.rank, PLAYER)

    lowest = min(map(rank, held))
    if lowest > rank(new):
        return None
    among = [one for one in held if rank(one) == lowest]
    part = PARTS[share]
    counts = Counter(one.holder.key(part) for one in among)
    largest, count = counts.most_common(1)[0]
    if lowest == rank(new) and count < counts[new.holder.key(part)] + 2:
        return None
    return min((one for one in among if one.holder.key(part) == largest), key=lambda one: one.rank)
