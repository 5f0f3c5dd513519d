"""Read groups of people and the games that they keep."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Engine, RowMapping, delete, func, insert, select, update

from referee.store.schema import group_forgotten, group_games, group_tables, log, player_groups
from referee.store.tournaments import TournamentReader


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A table of a group: its first game that may still change, how far its log was read, its end.

    ``newest`` is the number of its last entry, 0 if the table is gone.
    """

    table_id: str
    game: int
    seq: int
    newest: int


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A finished game of a group; ``body`` is JSON."""

    table_id: str
    game: int
    at: str
    body: str


class GroupReader(TournamentReader):
    """Queries groups. Every method may raise StoreUnavailable."""

    def group(self, group_id: str) -> RowMapping | None:
        """Return the group's row."""
        return self._mapping(select(player_groups).where(player_groups.c.id == group_id))

    def group_by_hash(self, hashed: str) -> RowMapping | None:
        """Return the group whose token has this hash."""
        return self._mapping(select(player_groups).where(player_groups.c.hash == hashed))

    def group_tables(self, group_id: str) -> list[KeptTable]:
        """Return the tables of a group."""
        newest = select(func.max(log.c.seq)).where(log.c.table_id == group_tables.c.table_id)
        query = select(
            group_tables.c.table_id,
            group_tables.c.game,
            group_tables.c.seq,
            func.coalesce(newest.scalar_subquery(), 0),
        ).where(group_tables.c.group_id == group_id)
        return [KeptTable(*row) for row in self._rows(query)]

    def groups_of(self, table_id: str) -> list[str]:
        """Return the groups that keep a table's games."""
        query = select(group_tables.c.group_id).where(group_tables.c.table_id == table_id)
        return [row[0] for row in self._rows(query)]

    def group_games(self, group_id: str) -> list[KeptGame]:
        """Return the games of a group, the newest first."""
        games = group_games.c
        query = select(games.table_id, games.game, games.at, games.body)
        query = query.where(games.group_id == group_id)
        newest_first = query.order_by(games.at.desc(), games.table_id, games.game.desc())
        return [KeptGame(*row) for row in self._rows(newest_first)]

    def group_forgotten(self, group_id: str) -> dict[str, str]:
        """Map the names that a group has forgotten, as signatures, to when."""
        query = select(group_forgotten.c.name, group_forgotten.c.at)
        rows = self._rows(query.where(group_forgotten.c.group_id == group_id))
        return {row[0]: row[1] for row in rows}


def keep_games(
    engine: Engine, group_id: str, before: KeptTable, after: KeptTable, games: Sequence[KeptGame]
) -> bool:
    """Store the games played since ``before``; return False if somebody else already has.

    In one transaction: games that may have changed are replaced.
    """
    tables, kept = group_tables.c, group_games.c
    place = update(group_tables).where(
        tables.group_id == group_id, tables.table_id == before.table_id, tables.seq == before.seq
    )
    old = delete(group_games).where(
        kept.group_id == group_id, kept.table_id == before.table_id, kept.game >= before.game
    )
    with engine.begin() as connection:
        if not connection.execute(place.values(game=after.game, seq=after.seq)).rowcount:
            return False
        connection.execute(old)
        if games:
            rows = [{"group_id": group_id, **asdict(game)} for game in games]
            connection.execute(insert(group_games), rows)
    return True
