"""How long to wait before the next try."""

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Backoff:
    """Waits that double from ``first`` to ``most`` seconds, each shortened by up to a half.

    The chance in it keeps several gateways from knocking at the same moment.
    """

    first: float = 0.1
    most: float = 5.0
    chance: random.Random = field(default_factory=random.Random)
    tries: int = 0

    def next(self) -> float:
        """The wait after one more try that failed, in seconds."""
        longest = min(self.most, self.first * 2.0 ** min(self.tries, 30))
        self.tries += 1
        return self.chance.uniform(max(longest / 2, min(self.first, longest)), longest)

    def reset(self) -> None:
        """It worked."""
        self.tries = 0
