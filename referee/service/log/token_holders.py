"""Who holds which token, as this process knows it."""

import threading
from collections import OrderedDict
from dataclasses import replace

from sqlalchemy import RowMapping

from referee.service.access import Principal, hash_token, mark_of
from referee.service.log.table_cache import TableCache
from referee.service.problems import Problem
from referee.store.groups import GroupReader

MOST_KNOWN = 100_000


class TokenHolders:
    """The holders of tokens: read once, and forgotten when their token is void."""

    def __init__(self, reader: GroupReader, cache: TableCache) -> None:
        self._reader = reader
        self._cache = cache
        self._known: OrderedDict[str, Principal] = OrderedDict()
        self._guard = threading.Lock()

    def by_token(self, token: str) -> Principal | None:
        """Return the holder of a token; None if it does not exist or was revoked."""
        hashed = hash_token(token)
        with self._guard:
            known = self._known.get(hashed)
        if known is not None:
            return known if self.is_valid(known) else None
        row = self._reader.token(hashed)
        if row is None:
            holder = _organiser(self._reader.organiser(hashed))
            return holder or _group(self._reader.group_by_hash(hashed))
        if row["revoked"] is not None:
            return None
        holder = principal_of_row(row)
        with self._guard:
            self._known[hashed] = holder
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        return holder

    def by_id(self, token_id: str) -> Principal | None:
        """Return the holder of the token of this id; None if it was revoked."""
        row = self._reader.token_by_id(token_id)
        if row is None:
            return _organiser(self._reader.organiser_by_id(token_id))
        return None if row["revoked"] is not None else principal_of_row(row)

    def acting(self, principal: Principal, table_id: str | None = None) -> Principal:
        """Return the principal as its table knows it now.

        A seat's phone may be a host, too; an organiser is a host at a table of the tournament.
        """
        if principal.role == "organiser" and table_id:
            return self._hosting(principal, table_id)
        if principal.role != "seat":
            return principal
        table = self._cache.cached(principal.table_id)
        hosts = table is not None and principal.id in table.meta.hosts.held
        return principal if hosts is principal.host else replace(principal, host=hosts)

    def _hosting(self, organiser: Principal, table_id: str) -> Principal:
        try:
            theirs = self._cache.table(table_id).meta.tournament
        except Problem:  # no such table, which is for others to say
            return organiser
        if theirs is None or theirs["id"] != organiser.tournament_id:
            return organiser
        return replace(organiser, role="host", table_id=table_id)

    def forget(self, gone: str, hashed: str) -> None:
        """Forget a revoked token, or a secret it had: ``gone`` is its id, or the mark."""
        with self._guard:
            self._known.pop(hashed, None)
        self._cache.void.add(gone)

    def is_valid(self, principal: Principal) -> bool:
        """Return whether the principal's token is still valid."""
        return not self._cache.void & {principal.id, principal.mark}

    def forget_table(self, table_id: str) -> None:
        """Forget the tokens of a purged table."""
        with self._guard:
            gone = [h for h, known in self._known.items() if known.table_id == table_id]
            for hashed in gone:
                del self._known[hashed]


def _organiser(row: RowMapping | None) -> Principal | None:
    if row is None or row["revoked"] is not None:
        return None
    mark = mark_of(row["hash"])
    tournament_id = row["tournament_id"]
    return Principal(
        row["id"], "", "organiser", name=row["name"], mark=mark, tournament_id=tournament_id
    )


def _group(row: RowMapping | None) -> Principal | None:
    if row is None:
        return None
    return Principal(row["id"], "", "group", mark=mark_of(row["hash"]), group_id=row["id"])


def principal_of_row(row: RowMapping) -> Principal:
    """Return the holder of a stored token."""
    mark = mark_of(row["hash"])
    return Principal(row["id"], row["table_id"], row["role"], row["seat"], row["name"], mark)
