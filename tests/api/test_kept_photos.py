"""Photos kept on request."""

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select

from referee.service.log.event_log import EventLog
from referee.service.people.operator import purge_tables
from referee.service.records.photos import MOST_MB, MOST_PHOTOS, PhotoError
from referee.service.records.retention import RetentionPolicy, sweep
from referee.store.schema import photos
from tests.api.conftest import API, KEY, Reader, Seat, open_table
from tests.api.test_writes import problem
from tests.conftest import both_stores

PNG = b"\x89PNG a photo"
KEEP = "?keep=true"
pytestmark = [both_stores, pytest.mark.usefixtures("reader")]


def kept(host: Seat) -> list[dict[str, object]]:
    return host.get("/photos").get_json()["items"]


def stored(app: Flask, *hosts: Seat) -> int:
    """Return how many photos of these tables are stored."""
    event_log: EventLog = app.extensions["referee"]
    tables = [host.table for host in hosts]
    query = select(func.count()).where(photos.c.table_id.in_(tables))
    with event_log.engine.connect() as connection:
        return int(connection.execute(query).scalar_one())


def test_a_photo_is_kept_for_the_host_until_it_is_deleted(app: Flask, host: Seat) -> None:
    version = host.get().get_json()["version"]
    answer = host.seats[2].photo(PNG, mimetype="image/png", query=KEEP)
    assert answer.status_code == 200
    photo_id = answer.get_json()["kept"]
    (one,) = kept(host)
    assert (one["id"], one["media_type"], one["size"]) == (photo_id, "image/jpeg", len(PNG))
    assert one["by"] == host.seats[2].token_id()
    fetched = host.get(f"/photos/{photo_id}")
    assert (fetched.data, fetched.content_type) == (PNG, "image/jpeg")
    assert fetched.headers["X-Content-Type-Options"] == "nosniff"
    assert fetched.headers["Cache-Control"] == "no-store"
    elsewhere = open_table(app.test_client())
    problem(elsewhere.get(f"/photos/{photo_id}"), 404, "not-found")
    gone = host.delete(f"/photos/{photo_id}")
    assert (gone.status_code, gone.data) == (204, b"")
    problem(host.get(f"/photos/{photo_id}"), 404, "not-found")
    problem(host.delete(f"/photos/{photo_id}"), 404, "not-found")
    assert stored(app, host) == 0
    assert host.get().get_json()["version"] == version


def test_nothing_is_kept_unless_asked(app: Flask, host: Seat, reader: Reader) -> None:
    assert host.photo(query="?keep=false").get_json()["kept"] is None
    problem(host.photo(query="?keep=perhaps"), 422, "invalid-request")
    reader.trouble = PhotoError("unreadable", "the picture is cut short")
    problem(host.photo(query=KEEP), 422, "unreadable-photo")
    assert stored(app, host) == 0


def test_the_same_photo_is_kept_once_and_only_so_many_are(app: Flask, host: Seat) -> None:
    first = host.photo(query=KEEP).get_json()["kept"]
    assert host.seats[2].photo(query=KEEP).get_json()["kept"] == first
    for number in range(1, MOST_PHOTOS):
        assert host.photo(b"%d" % number, query=KEEP).status_code == 200
    detail = problem(host.photo(b"one more", query=KEEP), 409, "conflict")["detail"]
    assert str(MOST_PHOTOS) in str(detail)
    assert host.photo(query=KEEP).get_json()["kept"] == first
    assert stored(app, host) == len(kept(host)) == MOST_PHOTOS
    other = open_table(app.test_client())
    assert other.photo(query=KEEP).status_code == 200
    assert len(kept(other)) == 1


def test_only_so_many_bytes_are_kept(app: Flask, host: Seat) -> None:
    large = MOST_MB * 1_000_000 // 2
    assert host.photo(b"a" * large, query=KEEP).status_code == 200
    assert host.photo(b"b" * (large - 1), query=KEEP).status_code == 200
    detail = problem(host.photo(b"cc", query=KEEP), 409, "conflict")["detail"]
    assert f"{MOST_MB} MB" in str(detail)
    assert host.photo(b"d", query=KEEP).status_code == 200
    assert stored(app, host) == 3


def test_a_closed_table_keeps_no_more_but_lets_go(host: Seat) -> None:
    photo_id = host.photo(query=KEEP).get_json()["kept"]
    operator = Seat(host.client, KEY)
    closing = f"{API}/operator/tables/{host.table}/closing"
    assert operator.call("POST", closing, {}).status_code == 201
    problem(host.photo(PNG, query=KEEP), 409, "closed")
    assert host.photo(PNG, query="?keep=false").status_code == 200
    assert host.delete(f"/photos/{photo_id}").status_code == 204


def test_they_go_with_their_table(app: Flask, host: Seat) -> None:
    event_log: EventLog = app.extensions["referee"]
    old = open_table(app.test_client())
    for table in (host, old):
        assert table.photo(query=KEEP).status_code == 200
    assert purge_tables(event_log, [host.table]) == 1
    assert stored(app, host, old) == 1
    assert sweep(event_log, RetentionPolicy(idle=30), datetime.now(UTC) + timedelta(days=31))
    assert stored(app, host, old) == 0
