"""What can be wrong with a camera: each of its pictures lost, late, spoilt, or an old one."""

from dataclasses import dataclass, fields

import numpy as np


@dataclass(frozen=True, slots=True)
class PictureFaults:
    """How bad a camera is.

    Attributes:
        drop: Share of the pictures that get lost.
        garble: Share of the bytes of each picture that become others.
        lag_ms: How late each picture comes, in ms.
        every: Only each so-manieth picture is given: a slow camera.
    """

    drop: float = 0.0
    garble: float = 0.0
    lag_ms: float = 0.0
    every: int = 1

    def __post_init__(self) -> None:
        for name in ("drop", "garble"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is a share from 0 to 1, not {getattr(self, name)}")
        if not 0 <= self.lag_ms <= 60_000:
            raise ValueError(f"lag_ms is from 0 to 60000, not {self.lag_ms}")
        if self.every < 1:
            raise ValueError(f"every is at least 1, not {self.every}")

    def as_dict(self) -> dict[str, float]:
        """Them by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


NO_FAULTS = PictureFaults()


def garbled(data: bytes, share: float, rng: np.random.Generator) -> bytes:
    """The bytes with a share of them turned into others."""
    count = int(rng.binomial(len(data), share)) if share else 0
    if not count:
        return data
    spoilt = np.frombuffer(data, np.uint8).copy()
    places = rng.choice(len(data), count, replace=False)
    spoilt[places] ^= rng.integers(1, 256, count, dtype=np.uint8)
    return spoilt.tobytes()
