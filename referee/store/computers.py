"""Read the computers that hosts let come along."""

from typing import Any

from sqlalchemy import select

from referee.store.groups import GroupReader
from referee.store.schema import computers


class ComputerReader(GroupReader):
    """Queries computers. Every method may raise StoreUnavailable."""

    def computers_of(self, computer: str) -> list[dict[str, Any]]:
        """Return what hosts know a computer as, by its hash; the one that brought it last first."""
        query = select(computers).where(computers.c.computer == computer)
        newest_first = query.order_by(computers.c.brought.desc(), computers.c.id)
        return [dict(row._mapping) for row in self._rows(newest_first)]

    def computers_by(self, host: str) -> list[dict[str, Any]]:
        """Return the computers that come along with a host, by the hash of the host's key."""
        query = select(computers).where(computers.c.host == host)
        by_name = query.order_by(computers.c.name, computers.c.id)
        return [dict(row._mapping) for row in self._rows(by_name)]
