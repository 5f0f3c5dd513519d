"""Leases of devices: each promises to report again by a certain time, to any process."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from referee.service.access import Principal

# Prefix of notifications about leases.
LEASE = "promise/"


@dataclass(frozen=True, slots=True)
class Lease:
    """A device's promise to report within ``within`` seconds of ``at``, this process's clock."""

    table_id: str
    within: int
    at: float

    @property
    def broken(self) -> bool:
        """Whether it has expired."""
        return monotonic() - self.at > self.within


class Leases:
    """The latest lease of each device.

    ``on_lease`` is called for each lease, made at any process. ``tell`` notifies other processes
    by a name and a value.
    """

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell
        self._of: dict[str, Lease] = {}
        self.on_lease: Callable[[], None] = lambda: None

    def make(self, device: Principal, within: int) -> None:
        """Record a device's promise to report again within ``within`` seconds."""
        self._tell(LEASE + device.id, f"{device.table_id},{within}")
        self._keep(device.id, device.table_id, within)

    def receive(self, device: str, value: str) -> None:
        """Receive a lease made at another process."""
        table_id, within = value.split(",")
        self._keep(device, table_id, int(within))

    def all(self) -> dict[str, Lease]:
        """Return the leases by device id."""
        return dict(self._of)

    def release(self, device: str) -> None:
        """Stop waiting for a device."""
        self._of.pop(device, None)

    def _keep(self, device: str, table_id: str, within: int) -> None:
        self._of[device] = Lease(table_id, within, monotonic())
        self.on_lease()
