"""The file of learnt faces: looks of cards that people confirmed, of one table or shared.

A SQLite file on the computer beside the table. A look is what the describing network made of a
card's crop; pictures are never kept. Each change is one transaction, so the file is whole after a
crash. Looks belong to a version of the networks and to a ruleset, and are found only with both.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from hardware.camera.enrol.matcher import SIZE
from hardware.camera.thresholds import KEPT_DAYS, MOST_LOOKS
from hardware.camera.types import Array

FORMAT = 1
SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE look (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  table_id TEXT NOT NULL, ruleset TEXT NOT NULL, model TEXT NOT NULL, shared INTEGER NOT NULL,
  number INTEGER NOT NULL, card TEXT NOT NULL, confirmed TEXT NOT NULL,
  read TEXT NOT NULL, chance REAL NOT NULL,
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), descriptor BLOB NOT NULL
);
CREATE INDEX look_of_face ON look (ruleset, model, card);
PRAGMA user_version = {FORMAT};
COMMIT;
"""
_ALL_LOOKS = """
SELECT number, card, confirmed, read, chance, descriptor FROM look
WHERE ruleset = :ruleset AND model = :model AND (table_id = :table OR (:shared AND shared))
ORDER BY id
"""
_LOOKS_OF_CARD = """
SELECT id, confirmed, descriptor FROM look
WHERE ruleset = :ruleset AND model = :model AND (table_id = :table OR (:shared AND shared))
AND card = :card ORDER BY id
"""
Confirmed = Literal["people", "play"]
"""By whom a card was confirmed: people named it, or its ruling stood while play went on."""


class LookStoreError(Exception):
    """The file of learnt faces cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How a card looked once: ``SIZE`` numbers, and which card it was.

    ``number`` is the camera's observation that it comes from. ``read`` is what the networks alone
    took it for, "" for nothing, and ``chance`` how likely they held that.
    """

    number: int
    card: str
    confirmed: Confirmed
    read: str
    chance: float
    descriptor: Array


@dataclass(frozen=True, slots=True)
class LearntCount:
    """How many looks of a card a table has, and when the newest was learnt."""

    table: str
    ruleset: str
    card: str
    looks: int
    by_people: int
    newest: str
    shared: bool


class LookStore:
    """The looks that one table may use; from one thread.

    With ``shared``, its looks are for every table with this ruleset on this computer, and it uses
    those that others share. Raises LookStoreError, as all methods do.
    """

    def __init__(
        self, path: Path, table: str, ruleset: str, model: str, *, shared: bool = False
    ) -> None:
        self._path = path
        self._own = {"table": table, "ruleset": ruleset, "model": model, "shared": int(shared)}
        with _reported(path):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600)
            self._db = _connect(path)
            _check_format(self._db, path)
            self._db.execute(
                "DELETE FROM look WHERE at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?)",
                (f"-{KEPT_DAYS} days",),
            )

    def looks(self) -> list[Look]:
        """Return the looks, oldest first."""
        with _reported(self._path):
            rows = self._db.execute(_ALL_LOOKS, self._own).fetchall()
        return [
            Look(number, card, by, read, chance, np.frombuffer(raw, "<f2").astype(np.float32))
            for number, card, by, read, chance, raw in rows
        ]

    def add(self, look: Look) -> None:
        """Keep a look; of a face that has too many, the one that adds least goes."""
        if look.descriptor.shape != (SIZE,):
            raise ValueError(f"a look has {SIZE} numbers, not {look.descriptor.shape}")
        row = (look.number, look.card, look.confirmed, look.read, look.chance)
        with _reported(self._path), self._change():
            own = self._own
            where = (own["table"], own["ruleset"], own["model"], own["shared"])
            self._db.execute(
                "INSERT INTO look (table_id, ruleset, model, shared, number, card, confirmed, read,"
                " chance, descriptor) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*where, *row, look.descriptor.astype("<f2").tobytes()),
            )
            kept = self._db.execute(_LOOKS_OF_CARD, {**own, "card": look.card}).fetchall()
            if len(kept) > MOST_LOOKS:
                rows = np.array([np.frombuffer(raw, "<f2") for *_, raw in kept], np.float32)
                least = least_new(rows, [by == "people" for _, by, _ in kept])
                self._db.execute("DELETE FROM look WHERE id = ?", (kept[least][0],))

    def remove(self, number: int) -> None:
        """Forget what was learnt from an observation of this table."""
        with _reported(self._path), self._change():
            self._db.execute(
                "DELETE FROM look WHERE table_id = :table AND number = :number",
                {**self._own, "number": number},
            )

    @property
    def version(self) -> int:
        """A number that differs once another program has changed the file."""
        with _reported(self._path):
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def _change(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise


def least_new(descriptors: Array, by_people: Sequence[bool]) -> int:
    """Return which look of a face to give up: the one most like another.

    The newest, which comes last, stays; looks that people confirmed stay while there are others.
    """
    alike = descriptors @ descriptors.T
    np.fill_diagonal(alike, -np.inf)
    likest = alike.max(axis=1)
    likest[-1] = -np.inf
    if not all(by_people[:-1]):
        likest[[*by_people[:-1], False]] = -np.inf
    return int(np.argmax(likest))


def learnt_counts(path: Path) -> list[LearntCount]:
    """Return what a file holds, table by table; nothing if there is no file."""
    if not path.exists():
        return []
    with _reported(path), closing(_connect(path)) as db:
        _check_format(db, path)
        return [
            LearntCount(table, ruleset, card, looks, by_people, newest, bool(shared))
            for table, ruleset, card, looks, by_people, newest, shared in db.execute(
                "SELECT table_id, ruleset, card, count(*), sum(confirmed = 'people'), max(at), "
                "max(shared) FROM look GROUP BY 1, 2, 3 ORDER BY 1, 2, min(id)"
            )
        ]


def forget(path: Path, *, table: str | None = None, card: str | None = None) -> int:
    """Forget looks: of a table, of a card, of both; without either all. Returns how many."""
    if not path.exists():
        return 0
    with _reported(path), closing(_connect(path)) as db:
        _check_format(db, path)
        gone = db.execute(
            "DELETE FROM look WHERE (?1 IS NULL OR table_id = ?1) AND (?2 IS NULL OR card = ?2)",
            (table, card),
        ).rowcount
        # What was deleted must not stay readable in the file.
        db.execute("VACUUM")
        return int(gone)


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=2.0)
    try:
        db.execute("PRAGMA secure_delete = ON")
        if db.execute("PRAGMA user_version").fetchone()[0] == 0:
            db.executescript(SCHEMA)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _check_format(db: sqlite3.Connection, path: Path) -> None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != FORMAT:
        raise LookStoreError(
            f"the learnt faces in {path} are of format {version}, and this release knows format "
            f"{FORMAT}; use the release that made them, or remove the file"
        )


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise LookStoreError(
            f"the learnt faces in {path} cannot be used: {error}; remove the file to begin anew"
        ) from None
