"""Random games with random corrections mixed in; what must hold after each of them.

``python -m tests.service.correction_soak --games 500`` plays a long run.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from referee.api.rendering import entry_json
from referee.rules.actions import Action, Leave, Reveal
from referee.rules.codec import move_to_json
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.rules.records.record import parse_record, replay
from referee.rules.records.serial import state_to_json
from referee.service.log.event_log import EventLog, dump
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry
from referee.service.people.seats import arrange_seats, join_seat, rename_seat
from referee.service.people.tables import create_table
from referee.service.play.adjudication import correct, make_move, preview_correction
from referee.service.play.games import end_present_game, start_next_game
from referee.service.play.rounds import enter_result, start_round
from referee.service.play.scores import score_sheet
from referee.service.problems import Problem
from referee.service.records.records import export_record
from referee.store.database import open_database
from tests.rules.builder import legal_actions
from tests.rules.custom_cards import HOUSE_RULES, house_options, random_options
from tests.rules.simulation import RULESETS, random_moves

MOST_STEPS = 100
KINDS = (
    *("undo", "undo", "redo", "redo", "overrule", "replace", "insert", "hand-count"),
    *("opening", "break-off"),
)


@dataclass
class Tally:
    """Counts over a run."""

    games: int = 0
    rounds: int = 0
    moves: int = 0
    made: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    people: Counter[str] = field(default_factory=Counter)
    changed: int = 0
    set_aside: int = 0


class CorrectedGames:
    """One game, determined by its seed."""

    def __init__(self, log: EventLog, ruleset: str, seed: int, tally: Tally) -> None:
        self.log, self.tally = log, tally
        self.name = f"{ruleset} seed {seed}"
        self.rng = Random(f"corrections {ruleset}/{seed}")
        options = random_options(ruleset, self.rng)
        if options.get("scoring") != "hand":
            options["target"] = self.rng.choice((30, 100, 200))
        names = ["Ann", "Bo", "Cy", "Di"][: self.rng.choice((2, 2, 3, 4))]
        # Every other game under some house rules.
        house = self.rng.sample(tuple(HOUSE_RULES), self.rng.randint(2, 6)) if seed % 2 else ()
        options |= house_options(ruleset, house, len(names), self.rng)
        self.table, token, _ = create_table(log, ruleset, options, names, None, "")
        host = log.holders.by_token(token)
        assert host is not None
        self.host = WriteRequest(host)
        self.often = self.rng.choice((0.05, 0.15, 0.3))

    @property
    def state(self) -> State:
        return self.table.state

    def play(self) -> None:
        """Play, and check what must hold after each correction."""
        for _ in range(MOST_STEPS):
            if self.rng.random() < self.often:
                self.correct()
            elif self.state.winner is None and not self.state.awaiting:
                self.open()
            elif self.state.winner is None or self.rng.random() < 0.1:
                self.move()
            else:
                self.correct()
        self.tally.games += 1

    def open(self) -> None:
        """Begin a round, enter one by its result, or have somebody come, go or change places."""
        try:
            if self.rng.random() < 0.2:
                self.change_people()
            elif self.rng.random() < 0.15:
                enter_result(self.log, self.table, self.host, self.result(), None)
        except Problem as error:
            self.tally.refused[f"people: {error.kind}"] += 1
        if self.state.winner is not None:
            return
        dealer = self.rng.choice(self.state.order)
        card = self.rng.choice(list(self.state.game.cards))
        try:
            start_round(self.log, self.table, self.host, [card], dealer)
        except Problem:
            return
        self.tally.rounds += 1

    def result(self) -> dict[str, Any]:
        out, *others = self.rng.sample(self.state.order, len(self.state.order))
        return {"out": out, "hands": {str(seat): self.rng.randint(0, 40) for seat in others}}

    def change_people(self) -> None:
        """Let somebody join, come back, leave, change places or take another name."""
        log, table, host, rng = self.log, self.table, self.host, self.rng
        what, known = rng.choice(("join", "back", "leave", "order", "name", "end")), self.state
        seat = rng.randint(1, len(known.game.seats))
        if what in ("join", "back"):
            came = None if what == "join" else seat
            name = f"New {table.version}" if what == "join" else None
            join_seat(log, table, host, name=name, seat=came, place=None, points=None)
        elif what == "leave" and len(known.order) > 2:
            make_move(log, table, host, {"move": "leave", "seat": seat})
        elif what == "order":
            order = rng.sample(known.order, len(known.order))
            arrange_seats(log, table, host, order, None)
        elif what == "name":
            rename_seat(log, table, host, seat, f"Name {table.version}")
        elif what == "end" and rng.random() < 0.3:
            end_present_game(log, table, host)
        self.tally.people[what] += 1

    def move(self) -> None:
        if not self.state.round:
            return
        if self.state.winner is not None and self.rng.random() < 0.3:
            start_next_game(self.log, self.table, self.host, None, None)
            return
        if self.state.winner is None and self.rng.random() < 0.005:
            end_present_game(self.log, self.table, self.host)
            return
        make_move(self.log, self.table, self.host, move_to_json(self.next_action()))
        self.tally.moves += 1

    def next_action(self) -> Action:
        """Choose a move, mostly a legal one."""
        needs = [seat for seat, need in self.state.awaiting if need == "reveal"]
        if needs and self.rng.random() < 0.9:
            return self.reveal(self.rng.choice(needs))
        listed = legal_actions(self.state)
        if self.rng.random() < 0.01 and len(self.state.order) > 1:
            return Leave(self.rng.choice(self.state.order))
        if listed and self.rng.random() < 0.8:
            plays = [one for one in listed if type(one).__name__ == "Play"]
            return self.rng.choice(plays if plays and self.rng.random() < 0.8 else listed)
        return next(random_moves(self.state, self.rng, 1))

    def reveal(self, seat: int) -> Reveal:
        deck = [c for c, n in self.state.game.ruleset.deck.limits.items() for _ in range(n)]
        cards = [card for card in deck if card in self.state.game.cards]
        return Reveal(seat, tuple(self.rng.sample(cards, self.state.hands[seat - 1])))

    def some_move(self) -> dict[str, Any]:
        if self.rng.random() < 0.6 and self.state.awaiting:
            return move_to_json(self.next_action())
        return move_to_json(next(random_moves(self.state, self.rng, 1)))

    def change(self) -> dict[str, Any]:
        """Return a random correction, sometimes of something that is not there."""
        rng, kind = self.rng, self.rng.choice(KINDS)
        change: dict[str, Any] = {"kind": kind}
        if kind == "redo":
            return change
        if kind == "hand-count":
            seat = rng.randint(1, len(self.state.hands))
            return {**change, "seat": seat, "count": rng.choice((0, 1, 2, 3, 7, 8, 100))}
        if rng.random() < 0.5:
            change["round"] = rng.randint(1, max(1, self.state.round + 1))
        if kind == "opening":
            if rng.random() < 0.5:
                change["dealer"] = rng.randint(1, len(self.state.hands))
            if rng.random() < 0.7:
                change["opening"] = [rng.choice(list(self.state.game.cards))]
            return change
        if kind == "break-off":
            return change
        if rng.random() < 0.6:
            change["move"] = rng.randint(1, max(1, self.state.moves))
        if kind == "undo" and rng.random() < 0.3:
            change["since"] = True
        elif kind == "undo" and rng.random() < 0.2:
            change["count"] = rng.randint(1, 3)
        elif kind == "overrule":
            change["verdict"] = rng.choice(("legal", "illegal"))
        elif kind == "replace":
            change["replacement"] = self.some_move()
        elif kind == "insert":
            change["inserted"] = self.some_move()
        return change

    def correct(self) -> None:
        """Make a correction, and check what must hold; sometimes take it back at once."""
        version, change = self.table.version, self.change()
        back = change["kind"] != "redo" and self.rng.random() < 0.4
        before = self.facts() if back else {}
        made = self.made(change)
        if made is None:
            self.check(self.table.version == version, f"{change} was refused and written")
            return
        self.tally.made[change["kind"]] += 1
        self.tally.changed += len(made.body["changed"])
        self.tally.set_aside += "aside" in made.body
        self.check_record(change)
        if self.rng.random() < 0.3:
            self.check_loaded(change)
        if back:
            self.check(self.made({"kind": "redo"}) is not None, f"no redo after {change}")
            again = self.facts()
            again["undone"].remove(made.seq)
            left = {
                name: (before[name], again[name]) for name in before if again[name] != before[name]
            }
            self.check(not left, f"{change} and a redo leave this changed: {left}")

    def made(self, change: dict[str, Any]) -> LogEntry | None:
        """Try the correction and make it; both say the same."""
        problem: tuple[str, str] | None = None
        tried = None
        try:
            tried = preview_correction(self.log, self.table, self.host, change)
        except Problem as error:
            problem = error.kind, str(error)
        try:
            made = correct(self.log, self.table, self.host, change)
        except Problem as error:
            self.check(problem == (error.kind, str(error)), f"{change}: {error}, not {problem}")
            self.tally.refused[f"{change['kind']}: {error.kind}"] += 1
            return None
        self.check(tried is not None and dump(tried.body) == dump(made.body), f"{change}: preview")
        told = entry_json(self.table, made, self.host.principal, "en")
        self.check(bool(told["announcements"]), f"{change}: nothing is said")
        return made

    def facts(self) -> dict[str, Any]:
        """Return everything that a table knows of its game."""
        meta = self.table.meta
        return {
            "state": json.loads(dump(state_to_json(self.state))),
            "undone": sorted(meta.undone),
            "caught": list(meta.caught),
            "sheet": json.loads(dump(score_sheet(self.table))),
            "record": json.loads(dump(export_record(self.log, self.table, self.host.principal))),
        }

    def check(self, holds: bool, reason: str) -> None:
        if not holds:
            raise AssertionError(f"{self.name}, entry {self.table.version}: {reason}")

    def check_record(self, change: dict[str, Any]) -> None:
        """A table that is given the exported record is in the same state."""
        record = parse_record(export_record(self.log, self.table, self.host.principal))
        state = record.start
        for step in replay(record):
            self.check(not step.mismatches, f"{change}: the record fails: {step.mismatches}")
            state = step.state
        found, wanted = public_state(state), public_state(self.state)
        for name in ("hands", "scores"):
            # Who joins after the last round is recorded with the next one.
            wanted[name] = wanted[name][: len(found[name])]
        differing = {key: (found[key], wanted[key]) for key in wanted if found[key] != wanted[key]}
        self.check(not differing, f"{change}: by the record {differing}")

    def check_loaded(self, change: dict[str, Any]) -> None:
        """A table that is read from the log again knows the same."""
        before = self.facts()
        self.log.cache.clear()
        self.table = self.log.table(self.table.id)
        self.check(self.facts() == before, f"{change}: read again it differs")


def soak(games: int, seed: int = 1) -> Tally:
    """Play games on every deck in turn. Raises AssertionError."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        log = EventLog(open_database(str(Path(folder) / "tables.sqlite3")))
        try:
            for game in range(games):
                ruleset = RULESETS[game % len(RULESETS)]
                CorrectedGames(log, ruleset, seed + game, tally).play()
        finally:
            log.close()
    return tally


def main(arguments: list[str] | None = None) -> int:
    """Play many games and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    options = parser.parse_args(arguments)
    tally = soak(options.games, options.seed)
    sys.stdout.write(f"{tally}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
