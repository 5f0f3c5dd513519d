"""Rights, If-Match and leases: who may, on what version, and until when a device is believed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.service import access, leases
from referee.service.access import OPERATOR, Principal, Rights, check_acts_for, check_rights
from referee.service.leases import Leases
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import TableProjection
from referee.service.people.tables import create_table
from referee.service.problems import Problem
from referee.service.reconcile.unit_of_work import UnitOfWork
from referee.store.database import open_database

HOST = Principal("ann", "table", "host")
SEAT = Principal("bo", "table", "seat", 2)
SPECTATOR = Principal("cy", "table", "spectator")
DEVICE = Principal("eye", "table", "device")
EVERYBODY = (HOST, SEAT, SPECTATOR, DEVICE, OPERATOR)


@pytest.mark.parametrize(
    ("rights", "token", "allowed"),
    [
        (access.ANYBODY, None, {HOST, SEAT, SPECTATOR, DEVICE}),
        (access.HOST, "bo", {HOST}),
        (access.HOST_OR_HOLDER, "bo", {HOST, SEAT}),
        (access.HOST_OR_HOLDER, "self", set(EVERYBODY)),
        (access.PLAYERS, None, {HOST, SEAT}),
        (access.SEATS, None, {SEAT}),
        (access.PHOTOGRAPHERS, None, {HOST, SEAT, DEVICE}),
        (access.OBSERVERS, None, {DEVICE}),
        (access.OPERATORS, None, {OPERATOR}),
    ],
)
def test_who_has_which_rights(rights: Rights, token: Any, allowed: set[Principal]) -> None:
    for who in EVERYBODY:
        if who in allowed:
            check_rights(who, rights, token)
        else:
            with pytest.raises(Problem, match="^" + rights.refusal[:20]) as refused:
                check_rights(who, rights, token)
            assert refused.value.kind == "forbidden"


@pytest.mark.parametrize(
    ("who", "seat", "allowed"),
    [(HOST, 3, True), (HOST, None, True), (SEAT, 2, True), (SEAT, 3, False), (SEAT, None, False)],
)
def test_a_seat_acts_for_itself_and_the_host_for_all(who: Any, seat: Any, allowed: bool) -> None:
    if allowed:
        check_acts_for(who, seat)
    else:
        with pytest.raises(Problem):
            check_acts_for(who, seat)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[EventLog]:
    found = EventLog(open_database(str(tmp_path / "tables.sqlite3")))
    yield found
    found.close()


@pytest.fixture
def table(log: EventLog) -> TableProjection:
    return create_table(log, "classic-108", {}, ["Ann", "Bo"], None, "")[0]


@pytest.mark.parametrize("may_confirm", [False, True])
@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize(
    ("versions", "current"),
    [(None, True), ({1}, True), ({3, 1}, True), ({2}, False), (set(), False)],
)
def test_if_match(
    log: EventLog,
    table: TableProjection,
    versions: Any,
    current: bool,
    may_confirm: bool,
    confirmed: bool,
) -> None:
    host = Principal("ann", table.id, "host")
    request = WriteRequest(host, if_match=versions, may_confirm=may_confirm)
    change = Change([("closed", {"by": host.to_json(), "reason": None})], confirmed=confirmed)
    if current or (may_confirm and confirmed):
        assert log.write(table, request, lambda: change)[0].seq == 2
    else:
        with pytest.raises(Problem) as refused:
            log.write(table, request, lambda: change)
        assert (refused.value.kind, refused.value.extra) == ("stale-version", {"version": 1})
        assert table.version == 1


@pytest.mark.parametrize("name", ["state", "pile", "next", "situation", "anything"])
def test_a_unit_of_work_is_changed_by_its_own_methods_only(
    log: EventLog, table: TableProjection, name: str
) -> None:
    with pytest.raises(AttributeError):
        setattr(UnitOfWork(log, table), name, None)


def test_a_lease_runs_out_unless_it_is_renewed_here_or_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(leases, "monotonic", lambda: now)
    told: list[tuple[str, str]] = []
    held = Leases(lambda name, value: told.append((name, value)))
    held.make(DEVICE, 45)
    assert told == [("promise/eye", "table,45")]
    now = 145.0
    assert not held.all()["eye"].broken
    now = 146.0
    assert held.all()["eye"].broken
    held.receive("eye", "table,45")
    assert not held.all()["eye"].broken
    held.release("eye")
    assert held.all() == {}
