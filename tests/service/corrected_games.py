"""Games of an independent referee, entered with mistakes that people find and correct.

``python -m tests.service.corrected_games FOLDER`` takes the records of a folder instead.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from referee.rules.record import compare
from referee.service.adjudication import correct, make_move
from referee.service.event_log import EventLog
from referee.service.preconditions import WriteRequest
from referee.service.problems import Problem
from referee.service.records import export_record
from referee.service.rounds import start_round
from referee.service.tables import create_table
from referee.store.database import open_database
from tests.rules.independent_games import independent_games

Json = dict[str, Any]
# Fields of rounds that are not entered move by move.
WITHOUT_MOVES = frozenset({"order", "join", "names", "result", "broken_off"})
RULED = ("verdict", "rule")
# Moves after which a mistake is found, at most.
LATE = 3


class CorrectedGame:
    """Enters one record at a table, with mistakes by ``rng``."""

    def __init__(self, log: EventLog, record: Json, rng: Random, tally: Counter[str]) -> None:
        self.log, self.record, self.rng, self.tally = log, record, rng, tally
        options, seats = record["options"], record["seats"]
        self.table, token, _ = create_table(log, record["ruleset"], options, seats, None, "")
        host = log.holders.by_token(token)
        assert host is not None
        self.host = WriteRequest(host)

    def play(self) -> None:
        """Enter the game; in the end the table's record must be this one."""
        for number, played in enumerate(self.record["rounds"], 1):
            start_round(self.log, self.table, self.host, played["opening"], played["dealer"])
            self.check(played["expect"])
            moves, i = played["moves"], 0
            while i < len(moves):
                i = self.enter(number, moves, i)
        exported = export_record(self.log, self.table, self.host.principal)
        assert _moves_of(exported) == _moves_of(self.record), "another game is exported"
        self.tally["games"] += 1

    def enter(self, number: int, moves: list[Json], i: int) -> int:
        """Enter a move, now and then wrongly at first; return the index of the next one."""
        chance = self.rng.random()
        right = _plain(moves[i])
        if chance < 0.04:
            self.undo_nonsense(moves)
        elif chance < 0.07 and self.move(wrong := self.nonsense(moves)):
            last = self.enter_later(moves, i)
            if wrong != right:
                self.correct(kind="replace", round=number, move=i + 1, replacement=right)
            return self.go_on(moves, last)
        elif 0.07 <= chance < 0.09 and (last := self.enter_later(moves, i)) > i:
            self.correct(kind="insert", round=number, move=i + 1, inserted=right)
            return self.go_on(moves, last)
        assert self.move(right), right
        return self.go_on(moves, i)

    def go_on(self, moves: list[Json], last: int) -> int:
        """Check the state after the last move that was entered."""
        expect = moves[last]["expect"]
        self.check({name: value for name, value in expect.items() if name not in RULED})
        self.tally["moves"] += 1
        return last + 1

    def enter_later(self, moves: list[Json], i: int) -> int:
        """Enter up to three moves that come after one; return the index of the last."""
        last = i
        for move in moves[i + 1 : i + 1 + self.rng.randint(1, LATE)]:
            if not self.move(_plain(move)):
                break
            last += 1
        return last

    def undo_nonsense(self, moves: list[Json]) -> None:
        """Enter a move that nobody made and take it back, perhaps twice."""
        if self.move(self.nonsense(moves)):
            self.correct(kind="undo")
            if self.rng.random() < 0.5:
                self.correct(kind="redo")
                self.correct(kind="undo")

    def nonsense(self, moves: list[Json]) -> Json:
        """Return some move of the round, by some seat."""
        seat = self.rng.randint(1, len(self.record["seats"]))
        return {**_plain(self.rng.choice(moves)), "seat": seat}

    def move(self, move: Json) -> bool:
        """Enter a move; return whether it could be."""
        try:
            make_move(self.log, self.table, self.host, move)
        except Problem:
            return False
        return True

    def correct(self, **change: Any) -> None:
        """Make a correction."""
        correct(self.log, self.table, self.host, change)
        self.tally[change["kind"]] += 1

    def check(self, expect: Mapping[str, Any]) -> None:
        """Compare the table with what the independent referee expects."""
        found = compare(expect, self.table.state, None)
        assert not found, (self.table.version, found)


def _plain(move: Json) -> Json:
    return {name: value for name, value in move.items() if name != "expect"}


def _moves_of(record: Json) -> list[list[Json]]:
    """Return the moves of each round, without what may be left out."""
    return [
        [
            {name: value for name, value in _plain(move).items() if value not in (None, False)}
            for move in played["moves"]
        ]
        for played in record["rounds"]
    ]


def with_moves_only(record: Json) -> bool:
    """Return whether all of the record is entered move by move."""
    return not any(
        WITHOUT_MOVES & played.keys() or any(m["move"] == "leave" for m in played["moves"])
        for played in record["rounds"]
    )


def play_all(games: Mapping[str, Json]) -> Counter[str]:
    """Enter all games that have moves only. Raises AssertionError."""
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        log = EventLog(open_database(str(Path(folder) / "tables.sqlite3")))
        try:
            for name, record in games.items():
                if with_moves_only(record):
                    CorrectedGame(log, record, Random(name), tally).play()
        finally:
            log.close()
    return tally


def main() -> int:
    """Enter the records of a folder and print what was done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    folder = parser.parse_args().folder
    paths = sorted(folder.glob("*.json")) if folder else []
    games = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in paths}
    sys.stdout.write(f"{dict(play_all(games or independent_games()))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
