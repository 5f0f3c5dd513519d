"""Faults of a camera: lost, late and corrupted pictures."""

from dataclasses import dataclass, fields

import numpy as np


@dataclass(frozen=True, slots=True)
class PictureFaults:
    """Rates of a camera's faults."""

    drop: float = 0.0  # Share of pictures lost
    garble: float = 0.0  # Share of corrupted bytes in each picture
    lag_ms: float = 0.0  # Delay of each picture in ms
    every: int = 1  # Deliver only every n-th picture

    def __post_init__(self) -> None:
        for name in ("drop", "garble"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is a share from 0 to 1, not {getattr(self, name)}")
        if not 0 <= self.lag_ms <= 60_000:
            raise ValueError(f"lag_ms is from 0 to 60000, not {self.lag_ms}")
        if self.every < 1:
            raise ValueError(f"every is at least 1, not {self.every}")

    def as_dict(self) -> dict[str, float]:
        """Return the fields as a dictionary."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


NO_FAULTS = PictureFaults()


def garbled(data: bytes, share: float, rng: np.random.Generator) -> bytes:
    """Return the bytes with a share of them corrupted."""
    count = int(rng.binomial(len(data), share)) if share else 0
    if not count:
        return data
    spoilt = np.frombuffer(data, np.uint8).copy()
    places = rng.choice(len(data), count, replace=False)
    spoilt[places] ^= rng.integers(1, 256, count, dtype=np.uint8)
    return spoilt.tobytes()
