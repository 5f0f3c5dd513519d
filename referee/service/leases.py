"""Until when devices will be heard of again, as they have promised, at this process or another."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from referee.service.access import Principal

# What other processes are told of promises begins with this.
LEASE = "promise/"


@dataclass(frozen=True, slots=True)
class Lease:
    """A table's device will be heard of within so many seconds from ``at``, by this process."""

    table_id: str
    within: int
    at: float

    @property
    def broken(self) -> bool:
        """Whether that time is over."""
        return monotonic() - self.at > self.within


class Leases:
    """The last promise of each device. ``made`` is called at each, whoever it was made to.

    ``tell`` tells other processes, by a name and a value.
    """

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell
        self._of: dict[str, Lease] = {}
        self.made: Callable[[], None] = lambda: None

    def make(self, device: Principal, within: int) -> None:
        """A device promises to be heard of again within so many seconds."""
        self._tell(LEASE + device.id, f"{device.table_id},{within}")
        self._keep(device.id, device.table_id, within)

    def receive(self, device: str, value: str) -> None:
        """It has promised so at another process."""
        table_id, within = value.split(",")
        self._keep(device, table_id, int(within))

    def all(self) -> dict[str, Lease]:
        """The promises, by the device's id."""
        return dict(self._of)

    def release(self, device: str) -> None:
        """The device is not waited for any more."""
        self._of.pop(device, None)

    def _keep(self, device: str, table_id: str, within: int) -> None:
        self._of[device] = Lease(table_id, within, monotonic())
        self.made()
