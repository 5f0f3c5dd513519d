"""All tournaments of this process, and their only writer."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Executable, insert
from sqlalchemy.exc import IntegrityError

from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.log.entries import entry_row, number_entries, parse_entry
from referee.service.log.event_log import TRIES, Change, EventLog
from referee.service.log.preconditions import WriteRequest, check_same_request, check_version
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.problems import Problem
from referee.store.errors import StoreUnavailable
from referee.store.reader import Entry
from referee.store.schema import tournament_log, tournaments
from referee.store.writer import Row
from referee.tournaments.fold import create, evolve
from referee.tournaments.model import Tournament
from referee.tournaments.standings import Standing, standings

MOST_LIVE = 500
INSERT = insert(tournament_log)


@dataclass(frozen=True, slots=True)
class TournamentChange:
    """The result of a use case: entries (kind, body), rows of the database, and new tables."""

    entries: Sequence[tuple[str, Mapping[str, Any]]]
    before: Sequence[tuple[Executable, Row]] = ()
    tables: Sequence[tuple[TableProjection, Change]] = ()


class TournamentProjection:
    """A tournament in memory. Hold ``lock`` to write.

    ``state`` and ``version`` change together, as ``current``; ``ranked`` keeps standings.
    ``unsure``: a write was broken off, and the log may hold entries that are missing here.
    """

    def __init__(self, tournament_id: str, created: str, state: Tournament) -> None:
        self.id = tournament_id
        self.created = created
        self.current: tuple[int, Tournament] = (1, state)
        self.ranked: dict[tuple[int, int | None], list[Standing]] = {}
        self.lock = threading.Lock()
        self.unsure = False

    @property
    def version(self) -> int:
        """The number of the newest entry."""
        return self.current[0]

    @property
    def state(self) -> Tournament:
        """The tournament after its newest entry."""
        return self.current[1]

    def standings(self, upto: int | None) -> tuple[int, Tournament, list[Standing]]:
        """Return version, tournament and standings, which are counted once for each version."""
        version, state = self.current
        ranked = self.ranked.get((version, upto))
        if ranked is None:
            ranked = standings(state, upto)
            newest = {key: rows for key, rows in self.ranked.items() if key[0] == version}
            self.ranked = {**newest, (version, upto): ranked}
        return version, state, ranked

    def take(self, entry: LogEntry) -> None:
        """Fold an entry in."""
        state = evolve(self.state, entry.seq, entry.kind, entry.at, entry.body)
        self.current = (entry.seq, state)


class TournamentLog:
    """The tournaments of one server process. Several processes may share the database."""

    def __init__(self, events: EventLog) -> None:
        self.events = events
        self.reader = events.reader
        self.shared = events.engine.dialect.name == "postgresql"
        self._cache: OrderedDict[str, TournamentProjection] = OrderedDict()
        self._guard = threading.Lock()

    def tournament(self, tournament_id: str) -> TournamentProjection:
        """Return a tournament as it is in the log now. Raises Problem if there is none."""
        with self._guard:
            tournament = self._cache.get(tournament_id)
            if tournament is not None:
                self._cache.move_to_end(tournament_id)
        if tournament is None:
            return self._load(tournament_id)
        if self.shared or tournament.unsure:
            if self.reader.tournament(tournament_id) is None:
                self.drop(tournament_id)
                raise none_such(tournament_id)
            with tournament.lock:
                self._catch_up(tournament)
        return tournament

    def cached(self, tournament_id: str) -> TournamentProjection | None:
        """Return a tournament if it is in memory."""
        with self._guard:
            return self._cache.get(tournament_id)

    def drop(self, tournament_id: str) -> None:
        """Forget a tournament."""
        with self._guard:
            self._cache.pop(tournament_id, None)

    def create(
        self,
        tournament_id: str,
        request: WriteRequest,
        body: Mapping[str, Any],
        before: Sequence[tuple[Executable, Row]],
    ) -> TournamentProjection:
        """Write a new tournament. A repeated request gets the one that it made the first time."""
        repeated = self._repeated(tournament_id, request)
        if repeated is None:
            [entry] = number_entries(0, [("created", body)])
            row = {"id": tournament_id, "created": entry.at}
            logged = entry_row(tournament_id, entry, "tournament_id") | request.stored
            rows = [(insert(tournaments), row), (INSERT, logged), *before]
            try:
                self.events.create_with((), rows)
            except IntegrityError:
                if self._repeated(tournament_id, request) is None:
                    raise
        return self.tournament(tournament_id)

    def write(
        self,
        tournament: TournamentProjection,
        request: WriteRequest,
        decide: Callable[[], TournamentChange | None],
    ) -> bool:
        """Decide under the tournament's lock and write; return whether anything was written.

        A request with a used key writes nothing. If this raises Problem, nothing has changed.
        """
        with tournament.lock:
            for _ in range(TRIES):
                if self.shared or tournament.unsure:
                    self._catch_up(tournament)
                if self._repeated(tournament.id, request) is not None:
                    return False
                _check_if_match(tournament, request)
                _check_organiser(tournament, request.principal)
                change = decide()
                if change is None:
                    return False
                if self._try(tournament, request, change):
                    return True
        raise Problem("stale-version", "The tournament has changed meanwhile. Read it again.")

    def entries(self, tournament: TournamentProjection, after: int, limit: int) -> list[LogEntry]:
        """Return entries after number ``after``, oldest first."""
        stored = self.reader.tournament_entries(tournament.id, after, limit)
        return [parse_entry(entry) for entry in stored]

    def _try(
        self, tournament: TournamentProjection, request: WriteRequest, change: TournamentChange
    ) -> bool:
        entries = number_entries(tournament.version, change.entries)
        logged = [entry_row(tournament.id, entry, "tournament_id") for entry in entries]
        logged[0] |= request.stored
        try:
            rows = [*((INSERT, row) for row in logged), *change.before]
            self.events.create_with(change.tables, rows)
        except IntegrityError:
            # Another process was first, or a new table's join code is taken.
            self._catch_up(tournament)
            return False
        except StoreUnavailable:
            # It may have been written all the same.
            tournament.unsure = True
            raise
        for entry in entries:
            tournament.take(entry)
        return True

    def _catch_up(self, tournament: TournamentProjection) -> None:
        for entry in self.reader.tournament_entries(tournament.id, tournament.version):
            tournament.take(parse_entry(entry))
        tournament.unsure = False

    def _load(self, tournament_id: str) -> TournamentProjection:
        row = self.reader.tournament(tournament_id)
        stored = self.reader.tournament_entries(tournament_id) if row is not None else []
        if row is None or not stored:
            raise none_such(tournament_id)
        first, *others = (parse_entry(entry) for entry in stored)
        loaded = TournamentProjection(tournament_id, row["created"], create(first.body))
        for entry in others:
            loaded.take(entry)
        with self._guard:
            # Another thread may have loaded it meanwhile.
            loaded = self._cache.setdefault(tournament_id, loaded)
            if len(self._cache) > MOST_LIVE:
                unused = next(
                    k for k, tournament in self._cache.items() if not tournament.lock.locked()
                )
                self._cache.pop(unused)
        return loaded

    def _repeated(self, tournament_id: str, request: WriteRequest) -> Entry | None:
        """Return the entry made with this key. Raises Problem if another request made it."""
        if request.request_key is None:
            return None
        stored = self.reader.tournament_entry_by_key(tournament_id, request.request_key)
        if stored is None:
            return None
        check_same_request(stored[1], request.fingerprint)
        return stored[0]


def _check_if_match(tournament: TournamentProjection, request: WriteRequest) -> None:
    reason = "The tournament has changed: it is at version {version} now. Read it again."
    check_version(tournament.version, request, Message(reason, version=tournament.version))


def _check_organiser(tournament: TournamentProjection, by: Principal) -> None:
    if by.role == "organiser" and by.id not in tournament.state.organisers:
        raise Problem("not-authenticated", "The token is unknown or was revoked.")


def none_such(tournament_id: str) -> Problem:
    """Return the problem with a tournament that does not exist."""
    named = repr(tournament_id[:40])
    return Problem("not-found", Message("There is no tournament {tournament}.", tournament=named))
