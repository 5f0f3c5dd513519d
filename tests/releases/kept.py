"""``python -m tests.releases.kept``: keep a database of this release, and what it answers.

Do that with a release. Both are one file, ``VERSION.json.gz``: the rows, which fit either store,
and the answers about them.
"""

import base64
import gzip
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine, MetaData, select

from referee.api import close_app, create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.store.database import open_database
from referee.store.migration import revisions, upgrade
from tests.api.clubs import open_club, sender
from tests.random_tables.driver import RandomTable
from tests.random_tables.transports import InProcess, in_process

Json = dict[str, Any]
FOLDER = Path(__file__).parent
FRAMES = FOLDER.parents[1] / "hardware" / "board" / "vectors.json"
# Decks come in turn with the seeds, and every other table plays house rules.
SEEDS = {"corrections": range(301, 306), "nonsense": range(306, 311)}
STEPS = 40
PAGE = 200


class Kept(NamedTuple):
    """A table, tournament or group: its path below the API's, a token that reads it, answers."""

    path: str
    token: str
    answers: Json


class Release(NamedTuple):
    """What is kept of a release; bytes in ``rows`` are a list with their base64.

    ``records`` are each a record, and what a table answers that is made of it. ``frames`` are the
    golden frames of the board's protocol.
    """

    revision: str
    rows: dict[str, list[Json]]
    kept: list[Kept]
    records: list[tuple[Json, Json]]
    frames: dict[str, list[Json]]


def read(file: Path) -> Release:
    """Read what is kept in a file."""
    revision, rows, kept, *more = json.loads(gzip.decompress(file.read_bytes()))
    return Release(revision, rows, [Kept(*one) for one in kept], *more)


def imported(nobody: InProcess, record: Json) -> Json:
    """Return what a table answers that is made of a record: each move is ruled on anew."""
    made = nobody.send("POST", "/records", record)
    assert made.status == 201, made.data
    return answers(nobody, f"/tables/{made.json['table']['id']}", made.json["token"])


def answers(nobody: InProcess, path: str, token: str) -> Json:
    """Return what a table, tournament or group answers, without sentences, which may change."""
    reader = nobody.as_(token)

    def get(more: str = "") -> Any:
        answer = reader.send("GET", path + more)
        assert answer.status == 200, (path, more, answer.data)
        return answer.json

    kind = path.split("/")[1]
    if kind == "groups":
        group = get()
        return {name: group[name] for name in ("people", "games", "games_kept")}
    if kind == "tournaments":
        return {"standings": get("/standings")["items"]}
    table = get()
    entries: list[Json] = []
    while len(entries) < table["version"]:
        entries += get(f"/events?limit={PAGE}&after={len(entries)}")["items"]
    return {
        **{name: table[name] for name in ("version", "game", "round", "options", "state")},
        "scores": get("/scores")["scores"],
        "records": [get(f"/record?game={game}") for game in range(1, table["game"] + 1)],
        "entries": [
            {
                "kind": entry["kind"],
                "move": entry.get("move"),
                "undone": entry.get("undone"),
                "ruling": {name: entry.get("ruling", {}).get(name) for name in ("verdict", "rule")},
            }
            for entry in entries
        ],
    }


def fill(engine: Engine, release: Release) -> None:
    """Make an empty database one that the release has written."""
    upgrade(engine, release.revision)
    with engine.begin() as connection:
        # In the order of foreign keys.
        for table in _schema(engine).sorted_tables:
            if rows := release.rows.get(table.name):
                connection.execute(table.insert(), [_bytes(row) for row in rows])


def rows_of(engine: Engine) -> dict[str, list[Json]]:
    """Return the rows of all tables but the revision's."""
    tables = [table for table in _schema(engine).sorted_tables if table.name != revisions.name]
    with engine.connect() as connection:
        return {
            table.name: [_text(dict(row)) for row in connection.execute(select(table)).mappings()]
            for table in tables
        }


def _schema(engine: Engine) -> MetaData:
    schema = MetaData()
    schema.reflect(engine)
    return schema


def _text(row: Json) -> Json:
    return {
        name: [base64.b64encode(value).decode()] if isinstance(value, bytes) else value
        for name, value in row.items()
    }


def _bytes(row: Json) -> Json:
    return {
        name: base64.b64decode(value[0]) if isinstance(value, list) else value
        for name, value in row.items()
    }


def _play(nobody: InProcess) -> list[Kept]:
    """Play tables of every deck, a tournament, and games that a group keeps."""
    made = nobody.send("POST", "/groups", {"name": "Thursdays"}).json
    group = f"/groups/{made['group']['id']}", made["token"]
    paths = [group]
    for mix, seeds in SEEDS.items():
        for seed in seeds:
            table = RandomTable(nobody, seed, mix)
            table.send("host", "PUT", "/group", {"token": group[1]})
            table.read()
            table.play(STEPS)
            paths.append((f"/tables/{table.id}", str(table.clients["host"].token)))

    club = open_club(sender(nobody.app.test_client()))
    drawn = club.play()
    for table in drawn["tables"]:
        club.count(table, 1, range(0, 10 * len(table["seats"]), 10))
    paths.append((f"/tournaments/{club.id}", club.token))
    return [Kept(*path, answers(nobody, *path)) for path in paths]


def keep(file: Path) -> None:
    """Play, and keep the database."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/tables.sqlite3"
        app = create_app(Settings(database, guard=Guard(limits=NO_LIMITS)))
        kept = _play(InProcess(app))
        close_app(app)
        engine = open_database(database)
        with engine.connect() as connection:
            revision = connection.execute(select(revisions.c.version_num)).scalar_one()
        rows = rows_of(engine)
        engine.dispose()
    with in_process() as nobody:
        games = [game for one in kept for game in one.answers.get("records", ()) if game["rounds"]]
        records = [(game, imported(nobody, game)) for game in games]
    frames = json.loads(FRAMES.read_text(encoding="utf-8"))
    release = Release(revision, rows, kept, records, frames)
    packed = gzip.compress(json.dumps(release, separators=(",", ":")).encode(), mtime=0)
    file.write_bytes(packed)


if __name__ == "__main__":
    target = FOLDER / f"{version('table-referee')}.json.gz"
    keep(target)
    sys.stdout.write(f"kept: {target} ({target.stat().st_size // 1000} kB)\n")
