"""A faulty serial wire: bytes go in with a time, and come out when due or get lost."""

import random
from collections import deque
from dataclasses import dataclass

LONGEST_BURST = 32
# A byte that is to change places with its successor waits at most this long for one.
HELD_MS = 20.0


@dataclass(frozen=True, slots=True)
class Faults:
    """Faults of one direction of a wire.

    Attributes:
        corrupt: Probability that a byte is changed.
        drop: Probability that a byte is lost.
        duplicate: Probability that a byte comes twice.
        reorder: Probability that a byte changes places with the next one.
        garbage: Probability of a burst of 1 to 32 random bytes before a byte.
        delay_ms: Delay of each byte.
        jitter_ms: Maximum additional delay; bytes put in at the same time stay together, and
            none overtakes another.
    """

    corrupt: float = 0.0
    drop: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0
    garbage: float = 0.0
    delay_ms: float = 0.0
    jitter_ms: float = 0.0

    def __post_init__(self) -> None:
        for name in RATES:
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is a share of the bytes, from 0 to 1")
        if not (0 <= self.delay_ms < 1e6 and 0 <= self.jitter_ms < 1e6):
            raise ValueError("a delay is from 0 to 1000000 ms")

    @property
    def change_bytes(self) -> bool:
        """Whether any byte may come out changed."""
        return any(getattr(self, name) for name in RATES)


RATES = ("corrupt", "drop", "duplicate", "reorder", "garbage")
GOOD = Faults()


@dataclass(slots=True)
class WireCounts:
    """Counters of a wire, in bytes; ``bursts`` counts bursts of garbage."""

    put: int = 0
    taken: int = 0
    corrupted: int = 0
    dropped: int = 0
    duplicated: int = 0
    reordered: int = 0
    garbage: int = 0
    bursts: int = 0


class Wire:
    """One direction of a wire.

    The same seed, bytes, times and faults give the same bytes at the same times, whether the
    bytes are put in one by one or together. Times are in milliseconds and never go back.
    """

    def __init__(self, faults: Faults = GOOD, seed: int = 0) -> None:
        self.faults = faults
        self.counts = WireCounts()
        self._random = random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret
        self._under_way: deque[tuple[float, bytes]] = deque()
        self._held: tuple[float, int] | None = None
        self._put_at: float | None = None
        self._due = 0.0

    def put(self, data: bytes, now: float) -> None:
        """Put bytes into the wire."""
        if not data:
            return
        self._set_due(now)
        self.counts.put += len(data)
        if self.faults.change_bytes or self._held:
            data = self._spoil(data)
        if data:
            self._under_way.append((self._due, data))

    def inject(self, length: int, now: float) -> None:
        """Inject random bytes, as when a plug is wiggled. ``length`` is in bytes."""
        self._set_due(now)
        self._under_way.append((self._due, self._burst(length)))

    def take(self, now: float) -> bytes:
        """Return the bytes that have arrived by now."""
        if self._held and now >= self._held[0]:
            self._under_way.append((self._held[0], bytes([self._held[1]])))
            self._held = None
        arrived = bytearray()
        while self._under_way and self._under_way[0][0] <= now:
            arrived += self._under_way.popleft()[1]
        self.counts.taken += len(arrived)
        return bytes(arrived)

    def due(self) -> float | None:
        """Return when the next byte arrives; None if the wire is empty."""
        waiting = [first[0] for first in (self._held, *list(self._under_way)[:1]) if first]
        return min(waiting, default=None)

    def cut(self) -> None:
        """Lose all bytes under way."""
        lost = sum(len(data) for _, data in self._under_way) + (self._held is not None)
        self.counts.dropped += lost
        self._under_way.clear()
        self._held = None

    def _set_due(self, now: float) -> None:
        if now == self._put_at and self._due >= now + self.faults.delay_ms:
            return
        self._put_at = now
        delay = self.faults.delay_ms
        if self.faults.jitter_ms:
            delay += self._random.random() * self.faults.jitter_ms
        self._due = max(self._due, now + delay)

    def _spoil(self, data: bytes) -> bytes:
        faults, chance, counts = self.faults, self._random.random, self.counts
        spoilt = bytearray()
        for byte in data:
            if faults.garbage and chance() < faults.garbage:
                spoilt += self._burst(self._random.randint(1, LONGEST_BURST))
            if faults.drop and chance() < faults.drop:
                counts.dropped += 1
                continue
            if faults.corrupt and chance() < faults.corrupt:
                counts.corrupted += 1
                byte ^= self._random.randint(1, 255)
            if self._held:
                spoilt += bytes([byte, self._held[1]])
                self._held = None
            elif faults.reorder and chance() < faults.reorder:
                counts.reordered += 1
                self._held = (self._due + HELD_MS, byte)
                continue
            else:
                spoilt.append(byte)
            if faults.duplicate and chance() < faults.duplicate:
                counts.duplicated += 1
                spoilt.append(byte)
        return bytes(spoilt)

    def _burst(self, length: int) -> bytes:
        self.counts.bursts += 1
        self.counts.garbage += length
        return self._random.randbytes(length)
