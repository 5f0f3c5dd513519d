"""Limits on open event streams: their number, who gets one, and how slow a reader may be.

Many want one: a new stream of a token ends the oldest of the same token, which is often that of a
phone that has lost its connection. Where a table, an address or the server is full, spectators
yield to players; among equals, whoever holds most yields to whoever holds less. A host's newest
streams yield to nobody at its table.

A stream whose reader has gone or is too slow is closed; the reader can resume from the last event
it received.
"""

import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

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
LOOK_EVERY = 1.0
# Seconds that a reader may block a write.
PATIENCE = 20.0
# The kernel's send buffer for a reader; when it is full, writes block.
BUFFER_BYTES = 64 * 1024
# Streams beyond the most that may still be ending.
MOST_ENDING = 32
# Seconds until a stream that was told to end is cut off.
ENDING_SECONDS = 2.0
# Seconds after which a refused reader may try again.
TRY_AGAIN = 10
GONE = select.POLLRDHUP | select.POLLHUP | select.POLLERR | select.POLLNVAL


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


class OpenStream:
    """One open stream, which ends once ``over`` is set and ``wake`` called.

    ``shed``: it ends because others need its place.
    """

    __slots__ = ("ending_since", "holder", "over", "peer", "rank", "shed", "wake", "writing_since")

    def __init__(
        self, wake: Callable[[], None], peer: socket.socket | None, whose: StreamHolder
    ) -> None:
        self.holder = whose
        self.rank = whose.rank
        self.wake = wake
        self.peer = peer
        self.writing_since: float | None = None
        self.ending_since: float | None = None
        self.over = False
        self.shed = False


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
        players = sum(one.rank != SPECTATOR for one in self._of("table", new.holder))
        if players >= FIRST_OF_TABLE:
            new.rank = SPECTATOR


def _yielding(held: list[OpenStream], new: OpenStream, share: Share) -> OpenStream | None:
    """Return the stream of a full share that yields to a new one."""

    def rank(one: OpenStream) -> int:
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


class StreamLimit:
    """The open streams, at most ``most`` of them.

    ``shares``: how many of them a token, a table and an address may hold. ``shed`` is called with
    the share in which a stream yielded, ``refused`` with the one that refused another.
    """

    def __init__(
        self,
        most: int,
        patience: float = PATIENCE,
        shares: Mapping[Share, int] = NO_SHARES,
        shed: Callable[[Share], None] = lambda _: None,
        refused: Callable[[Share], None] = lambda _: None,
    ) -> None:
        self.most = most
        self.closing = False
        self._patience = patience
        self._shares = StreamShares({**shares, "server": most})
        self._was_shed, self._was_refused = shed, refused
        self._streams: set[OpenStream] = set()
        self._guard = threading.Lock()
        self._looking = False

    @property
    def open(self) -> int:
        """The number of open streams."""
        return len(self._streams)

    def enter(
        self,
        wake: Callable[[], None],
        peer: socket.socket | None = None,
        whose: StreamHolder | None = None,
    ) -> OpenStream:
        """Add a stream to ``peer``. Raises Problem if there are too many."""
        open_stream = OpenStream(wake, peer, whose or StreamHolder())
        if peer is not None:
            _bound(peer)
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
            if not self._looking and peer is not None:
                self._looking = True
                threading.Thread(target=self._look_after, name="streams", daemon=True).start()
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
        if open_stream.shed:
            # Some servers would wait for its reader to close the connection.
            _cut(open_stream)

    def close(self) -> None:
        """End all streams, as the server stops."""
        self.closing = True
        for open_stream in self._all():
            open_stream.ending_since = time.monotonic()
            open_stream.over = True
            open_stream.wake()

    def shed(self, now: float) -> None:
        """End the streams whose readers have gone or block for too long."""
        readers: dict[int, OpenStream] = {}
        poll = select.poll()
        for open_stream in self._all():
            if open_stream.peer is None:
                continue
            descriptor = open_stream.peer.fileno()
            if descriptor >= 0:
                readers[descriptor] = open_stream
                poll.register(descriptor, select.POLLRDHUP)
            else:
                # Whatever became of it, its place is free.
                open_stream.over = True
                open_stream.wake()
                self.leave(open_stream)
        gone = {readers[descriptor] for descriptor, found in poll.poll(0) if found & GONE}
        for open_stream in readers.values():
            since = open_stream.writing_since
            if open_stream in gone:
                open_stream.over = True
                open_stream.wake()
            ending = open_stream.ending_since
            if (
                open_stream in gone
                or (since is not None and now - since > self._patience)
                or (ending is not None and now - ending > ENDING_SECONDS)
            ):
                _cut(open_stream)

    def _end(self, open_stream: OpenStream, share: Share) -> None:
        """End a stream that yields to another."""
        self._was_shed(share)
        open_stream.shed = open_stream.over = True
        open_stream.ending_since = time.monotonic()
        if open_stream.writing_since is not None:
            # Its reader does not read: it would hold its thread until it is cut off.
            _cut(open_stream)
        open_stream.wake()

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

    def _look_after(self) -> None:
        while True:
            time.sleep(LOOK_EVERY)
            with self._guard:
                if not self._streams:
                    self._looking = False
                    return
            self.shed(time.monotonic())


def _bound(peer: socket.socket) -> None:
    """Keep the kernel's buffer small, and give up on a peer that acknowledges nothing."""
    # The ValueError is of a socket that is closed already.
    with suppress(OSError, ValueError):
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * PATIENCE))


def _cut(open_stream: OpenStream) -> None:
    """Close the connection, so that a blocked write fails."""
    if open_stream.peer is not None:
        with suppress(OSError):
            open_stream.peer.shutdown(socket.SHUT_RDWR)
