"""The tables of a process at which a phone has asked to become a host."""

from collections.abc import Callable

TAKEOVER_SECONDS = 60.0


class Takeovers:
    """Tables to look after until their request is settled.

    ``seconds`` is how long a host has to refuse; ``started`` is called for each table.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.started: Callable[[], None] = lambda: None
        self._tables: dict[str, None] = {}

    def wait_for(self, table_id: str) -> None:
        """Look after a table from now on."""
        self._tables[table_id] = None
        self.started()

    def waiting(self) -> list[str]:
        """Return the ids of the tables."""
        return list(self._tables)

    def forget(self, table_id: str) -> None:
        """Look after a table no more."""
        self._tables.pop(table_id, None)
