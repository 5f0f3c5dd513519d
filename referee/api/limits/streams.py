"""Limits on open event streams: their number, who gets one, and how slow a reader may be.

Many want one: a new stream of a token ends the oldest of the same token, which is often that of a
phone that has lost its connection. Where a table, an address or the server is full, spectators
yield to players; among equals, whoever holds most yields to whoever holds less. A host's newest
streams yield to nobody at its table.

The server closes a stream whose reader has gone or is too slow; the reader can resume from the last
event it received.
"""

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from referee.config import StreamLimits
from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.problems import Problem

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
# Streams beyond the most that may still be ending.
MOST_ENDING = 32
# Seconds until a stream that was told to end is cut off.
ENDING_SECONDS = 2.0
# Seconds after which a refused reader may try again.
TRY_AGAIN = 10


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
    shares: dict[Share, int] = {
        "token": limits.token,
        "table": limits.table,
        "address": limits.address,
    }
    return {share: most for share, most in shares.items() if most}


def holder(principal: Principal, address: str) -> StreamHolder:
    """Return the holder of a token's stream; a ticket stands for the token it came from."""
    rank = HOST if principal.is_host else PLAYER
    if principal.role == "spectator":
        rank = SPECTATOR
    return StreamHolder(principal.id, principal.table_id, address, rank)


class Peer(Protocol):
    """The connection of a stream's reader."""

    def send_from_small_buffer(self) -> None:
        """Let writes block soon after the reader has stopped reading."""

    def cut(self, after: float = 0) -> None:
        """Close the connection in so many seconds, whatever is unsent; from any thread."""


class OpenStream:
    """One open stream, which ends once ``over`` is set and ``wake`` called.

    ``shed``: it ends because others need its place.
    """

    __slots__ = ("holder", "is_writing", "over", "peer", "rank", "shed", "wake")

    def __init__(self, wake: Callable[[], None], peer: Peer | None, whose: StreamHolder) -> None:
        self.holder = whose
        self.rank = whose.rank
        self.wake = wake
        self.peer = peer
        self.is_writing = False
        self.over = False
        self.shed = False

    def end(self) -> None:
        """End it soon, though its reader may not read."""
        self.over = True
        if self.peer is not None:
            self.peer.cut(0 if self.is_writing else ENDING_SECONDS)
        self.wake()


class StreamShares:
    """The streams that count, and who yields to a new one. The caller keeps a lock."""

    def __init__(self, most: Mapping[Share, int]) -> None:
        self._most = most
        # In the order in which they were opened.
        self._held: dict[tuple[Share, str], dict[OpenStream, None]] = {}

    def admit(self, new: OpenStream) -> list[tuple[OpenStream, Share]]:
        """Add a stream; return those that end for it, and in which share. Raises FullError."""
        whose = new.holder
        self._rank(new)
        ended: dict[OpenStream, Share] = {}
        for share in SHARES:
            held = [stream for stream in self._of(share, whose) if stream not in ended]
            if len(held) < self._most.get(share, len(held) + 1):
                continue
            yielding = held[0] if share == "token" else _yielding(held, new, share)
            if yielding is None:
                raise FullError(share)
            ended[yielding] = share
        for stream in ended:
            self.remove(stream)
        for share in SHARES:
            self._held.setdefault((share, whose.key(share)), {})[new] = None
        return list(ended.items())

    def remove(self, gone: OpenStream) -> None:
        """Remove a stream; nothing if it is removed already."""
        for share in SHARES:
            key = share, gone.holder.key(share)
            held = self._held.get(key, {})
            held.pop(gone, None)
            if not held:
                self._held.pop(key, None)

    def _of(self, share: Share, whose: StreamHolder) -> Mapping[OpenStream, None]:
        return self._held.get((share, whose.key(share)), {})

    def _rank(self, new: OpenStream) -> None:
        """Let the newest streams of a token go first: older ones may be of a lost connection."""
        own = list(self._of("token", new.holder))
        for older in own[: max(0, len(own) + 1 - FIRST_OF_TOKEN)]:
            older.rank = SPECTATOR
        players = sum(stream.rank != SPECTATOR for stream in self._of("table", new.holder))
        if players >= FIRST_OF_TABLE:
            new.rank = SPECTATOR


def _yielding(held: list[OpenStream], new: OpenStream, share: Share) -> OpenStream | None:
    """Return the stream of a full share that yields to a new one."""

    def rank(stream: OpenStream) -> int:
        # Anybody may open a table and be its host, so beyond the table that counts no more.
        return stream.rank if share == "table" else min(stream.rank, PLAYER)

    lowest = min(map(rank, held))
    if lowest > rank(new):
        return None
    among = [stream for stream in held if rank(stream) == lowest]
    part = PARTS[share]
    counts = Counter(stream.holder.key(part) for stream in among)
    largest, count = counts.most_common(1)[0]
    if lowest == rank(new) and count < counts[new.holder.key(part)] + 2:
        return None
    return min(
        (stream for stream in among if stream.holder.key(part) == largest),
        key=lambda stream: stream.rank,
    )


class StreamLimit:
    """The open streams, at most ``most`` of them.

    ``shares``: how many of them a token, a table and an address may hold. ``shed`` is called with
    the share in which a stream yielded, ``refused`` with the one that refused another.
    """

    def __init__(
        self,
        most: int,
        shares: Mapping[Share, int] = NO_SHARES,
        shed: Callable[[Share], None] = lambda _: None,
        refused: Callable[[Share], None] = lambda _: None,
    ) -> None:
        self.most = most
        self.closing = False
        self._shares = StreamShares({**shares, "server": most})
        self._was_shed, self._was_refused = shed, refused
        self._streams: set[OpenStream] = set()
        self._guard = threading.Lock()

    @property
    def open(self) -> int:
        """The number of open streams."""
        return len(self._streams)

    def enter(
        self,
        wake: Callable[[], None],
        peer: Peer | None = None,
        whose: StreamHolder | None = None,
    ) -> OpenStream:
        """Add a stream to ``peer``. Raises Problem if there are too many."""
        open_stream = OpenStream(wake, peer, whose or StreamHolder())
        if peer is not None:
            peer.send_from_small_buffer()
        with self._guard:
            if self.closing:
                raise Problem("not-ready", "The server is being stopped; try again.")
            if len(self._streams) >= self.most + MOST_ENDING:
                raise self._refusal("server")
            try:
                ended = self._shares.admit(open_stream)
            except FullError as full:
                raise self._refusal(full.share) from None
            self._streams.add(open_stream)
        try:
            for held, share in ended:
                self._end(held, share)
        except BaseException:
            self.leave(open_stream)
            raise
        return open_stream

    def leave(self, open_stream: OpenStream) -> None:
        """Remove a stream; nothing if it is removed already."""
        with self._guard:
            self._streams.discard(open_stream)
            self._shares.remove(open_stream)
        if open_stream.shed and open_stream.peer is not None:
            # The server would wait for its reader to close the connection.
            open_stream.peer.cut()

    def close(self) -> None:
        """End all streams, as the server stops."""
        self.closing = True
        for open_stream in self._all():
            open_stream.end()

    def _end(self, open_stream: OpenStream, share: Share) -> None:
        """End a stream that yields to another."""
        self._was_shed(share)
        open_stream.shed = True
        open_stream.end()

    def _refusal(self, share: Share) -> Problem:
        self._was_refused(share)
        again = {"retry_after": TRY_AGAIN}
        if share == "table":
            detail = Message("Too many streams of this table are open; try again later.")
            return Problem("too-many-requests", detail, extra=again)
        if share == "address":
            detail = Message("Too many streams are open from this address; try again later.")
            return Problem("too-many-requests", detail, extra=again)
        detail = Message("Too many streams are open; try again later.")
        return Problem("too-many-streams", detail, extra=again)

    def _all(self) -> list[OpenStream]:
        with self._guard:
            return list(self._streams)
