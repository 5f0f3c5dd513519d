"""Read and purge tournaments."""

from collections.abc import Sequence

from sqlalchemy import Engine, RowMapping, delete, func, select

from referee.store.reader import Entry, LogReader
from referee.store.schema import tournament_log, tournament_tokens, tournaments

ENTRY = (tournament_log.c.seq, tournament_log.c.kind, tournament_log.c.at, tournament_log.c.body)
# Rows that refer to a tournament must go before it.
TOURNAMENT_IDS = (
    tournament_log.c.tournament_id,
    tournament_tokens.c.tournament_id,
    tournaments.c.id,
)


class TournamentReader(LogReader):
    """Queries tournaments. Every method may raise StoreUnavailable."""

    def tournament(self, tournament_id: str) -> RowMapping | None:
        """Return the tournament's row."""
        return self._mapping(select(tournaments).where(tournaments.c.id == tournament_id))

    def tournament_entries(
        self, tournament_id: str, after: int = 0, limit: int | None = None
    ) -> list[Entry]:
        """Return a tournament's entries after number ``after``, oldest first."""
        query = select(*ENTRY).where(
            tournament_log.c.tournament_id == tournament_id, tournament_log.c.seq > after
        )
        rows = self._rows(query.order_by(tournament_log.c.seq).limit(limit))
        return [Entry(*row) for row in rows]

    def tournament_entry_by_key(self, tournament_id: str, key: str) -> tuple[Entry, str] | None:
        """Return the entry written under an Idempotency-Key, and its request's fingerprint."""
        query = select(*ENTRY, tournament_log.c.fingerprint).where(
            tournament_log.c.tournament_id == tournament_id, tournament_log.c.request_key == key
        )
        rows = self._rows(query)
        return (Entry(*rows[0][:4]), rows[0][4]) if rows else None

    def organiser(self, hashed: str) -> RowMapping | None:
        """Return the organiser's token with this hash."""
        return self._mapping(select(tournament_tokens).where(tournament_tokens.c.hash == hashed))

    def organiser_by_id(self, token_id: str) -> RowMapping | None:
        """Return the organiser's token with this id."""
        return self._mapping(select(tournament_tokens).where(tournament_tokens.c.id == token_id))

    def organisers_of(self, tournament_id: str) -> Sequence[RowMapping]:
        """Return the tokens of a tournament's organisers, oldest first."""
        query = select(tournament_tokens).where(tournament_tokens.c.tournament_id == tournament_id)
        rows = self._rows(query.order_by(tournament_tokens.c.created, tournament_tokens.c.id))
        return [row._mapping for row in rows]

    def quiet_since(self, before: str) -> list[str]:
        """Return the tournaments whose newest entry is older than a time."""
        newest = func.max(tournament_log.c.at)
        query = select(tournament_log.c.tournament_id).group_by(tournament_log.c.tournament_id)
        return [row[0] for row in self._rows(query.having(newest < before))]


def purge_tournament(engine: Engine, tournament_id: str) -> bool:
    """Delete a tournament in one transaction; its tables stay. Returns whether it existed."""
    with engine.begin() as connection:
        gone = 0
        for column in TOURNAMENT_IDS:
            gone = connection.execute(delete(column.table).where(column == tournament_id)).rowcount
    return gone > 0
