"""What a device has seen until the sink has taken it: nothing seen may be lost."""

import logging
from collections.abc import Iterable

from hardware.observation import Memory, Observation, Sink

log = logging.getLogger(__name__)

SINK_PAUSE = 0.5  # seconds before a sink that failed is tried again


class Telling:
    """Puts what was seen into the sink; what that does not take is kept and tried again.

    Args:
        name: The device's name, for the log.

    Attributes:
        sink: Where to put it; None before the device is started.
        trouble: What is wrong with the sink, in words; empty when nothing is.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.sink: Sink | None = None
        self._untold: list[Observation] = []
        self._again_at = float("-inf")
        self.trouble = ""

    @property
    def waiting(self) -> int:
        """How many observations the sink has not taken yet."""
        return len(self._untold)

    def add(self, observations: Iterable[Observation]) -> None:
        """These were seen; ``tell`` puts them into the sink."""
        self._untold += observations

    def tell(self, memory: Memory, now: float, *, anyhow: bool = False) -> bool:
        """Try the sink, unless it failed a moment ago; whether it took everything.

        Args:
            memory: The device's memory that goes with what was seen.
            now: Seconds, of a clock that never goes back.
            anyhow: Put the memory into the sink even if nothing was seen.
        """
        if not (self._untold or anyhow) or self.sink is None or now < self._again_at:
            return False
        try:
            self.sink(tuple(self._untold), memory)
        except Exception as error:  # whatever it is: nothing seen may be lost
            self._again_at = now + SINK_PAUSE
            if not self.trouble:
                log.warning("%s: what it sees cannot be kept: %r", self._name, error)
            self.trouble = f"what it sees cannot be kept on the disk ({error})"
            return False
        self._untold.clear()
        self.trouble = ""
        return True
