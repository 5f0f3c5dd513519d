"""Games with nonsense in their logs: whatever was accepted, no answer and no restart may break.

``python -m tests.service.nonsense_soak --tables 200`` plays a long run.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.rules.codec import move_to_json
from referee.rules.position.state import State
from referee.rules.records.record import parse_record, replay
from referee.rules.records.serial import game_from_json, state_to_json
from referee.rules.ruleset import find_ruleset
from referee.service.devices.devices import device_view
from referee.service.log.event_log import EventLog
from referee.service.log.table_cache import parse_entry
from referee.service.log.table_projection import TableProjection
from referee.service.play.intake import CHECKS, SEE
from referee.service.problems import Problem
from referee.service.reconcile.unit_of_work import UnitOfWork
from referee.texts.catalog import languages
from tests.api.conftest import API, Seat, close, open_table
from tests.rules.builder import legal_actions
from tests.rules.custom_cards import random_options
from tests.rules.simulation import RULESETS, random_moves

Json = dict[str, Any]
COLORS = ("red", "yellow", "green", "blue")
# Cards that some deck has, or none.
CARDS = (
    *sorted({card for ruleset in RULESETS for card in find_ruleset(ruleset).deck.cards}),
    *("purple-3", "red-99", "joker", "wild", "é", "red-7:Z", "-", " ", "{card}", "<b>"),
)
POWERS = ("U", "N", "O", "1", "red", "yellow", "green", "blue", "Z", "")
LANGUAGES = languages()
AT = "2026-11-05T20:00:00+01:00"
FILES = ("/scores", "/scores.csv", "/scores.svg", "/rounds", "/games", "/audit", "/legal-moves")
LOOKS = ("", "/questions", "/devices", "/custom-cards", *FILES)


@dataclass
class Tally:
    """Counts over a run."""

    tables: int = 0
    entries: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    meanings: Counter[str] = field(default_factory=Counter)


class NonsenseTable:
    """One table, determined by its seed; ``every`` so many entries all of it is looked at."""

    def __init__(self, app: Flask, seed: int, tally: Tally, every: int = 1) -> None:
        self.app, self.seed, self.tally, self.every = app, seed, tally, every
        self.rng = Random(f"nonsense/{seed}")
        self.log: EventLog = app.extensions["referee"]
        ruleset = RULESETS[seed % len(RULESETS)]
        names = ("Ann", "Bo", "Cy", "Di", "Eve")[: self.rng.randint(2, 5)]
        options = random_options(ruleset, self.rng)
        self.host = open_table(app.test_client(), ruleset, names, opening=None, **options)
        self.devices = [self.device(kind) for kind in ("camera", "board", "camera")]
        watcher = self.host.post("/tokens", {"role": "spectator"}).get_json()
        self.watcher = Seat(self.host.client, watcher["token"], self.host.table)
        self.numbers = 0
        self.seen = 0
        self.done: list[str] = []

    @property
    def table(self) -> TableProjection:
        return self.log.table(self.host.table)

    @property
    def state(self) -> State:
        return self.table.state

    def device(self, kind: str) -> Seat:
        """Register a device."""
        made = self.host.post("/devices", {"name": kind, "kind": kind}).get_json()
        return Seat(self.host.client, made["token"], self.host.table)

    def play(self, steps: int) -> None:
        """Do things, and look at what came of each."""
        for _ in range(steps):
            self.rng.choices(WHAT, WEIGHTS)[0](self)
            version = self.table.version
            if version > self.seen:
                try:
                    self.look(self.seen, thorough=self.rng.randrange(self.every) == 0)
                except Exception as error:
                    told = "\n".join(self.done[-8:])
                    raise AssertionError(f"seed {self.seed}, entry {version}\n{told}") from error
                self.seen = version
        self.tally.tables += 1

    def send(self, who: Seat, method: str, path: str, body: Any = None) -> TestResponse:
        """Send a request; the server must not fail."""
        answer = who.call(method, f"{API}/tables/{self.host.table}{path}", body)
        told = f"{method} {path} {body} -> {answer.status_code}"
        if method != "GET":
            self.done.append(told)
        if answer.status_code >= 500:
            before = "\n".join(self.done[-8:])
            raise AssertionError(f"seed {self.seed}: {told}\n{answer.text}\n{before}")
        if answer.status_code < 300 and method != "GET" and isinstance(answer.json, dict):
            self.tally.entries[str(answer.json.get("kind"))] += 1
            self.tally.rules[answer.json.get("ruling", {}).get("rule", "")] += 1
            self.tally.meanings[answer.json.get("meaning", "")] += 1
        elif method != "GET":
            kind = (answer.json or {}).get("type", "").rpartition("/")[2]
            self.tally.refused[f"{method} {path.split('/')[1]} {kind}"] += 1
        return answer

    # What must hold

    def look(self, after: int, thorough: bool) -> None:
        """Read everything as everybody, in some language; look through every camera and board."""
        people = [self.host, self.watcher, *self.devices, *self.host.seats.values()]
        first = 0 if thorough else after
        for lang in LANGUAGES if thorough else (self.rng.choice(LANGUAGES),):
            who = self.rng.choice(people)
            # A device or a player may have been sent away; the host stays.
            for reader in {id(self.host): self.host, id(who): who}.values():
                self.send(reader, "GET", f"/events?after={first}&limit=200&lang={lang}")
                self.send(reader, "GET", f"?lang={lang}")
        for path in LOOKS if thorough else (self.rng.choice(LOOKS),):
            self.send(self.host, "GET", f"{path}?lang={self.rng.choice(LANGUAGES)}")
        for seat in range(1, len(self.state.game.seats) + 1):
            self.send(self.host, "GET", f"/choices?seat={seat}&lang={self.rng.choice(LANGUAGES)}")
        for device in self.table.meta.devices.values():
            device_view(self.log, device)
        self.observe_all_ways()
        if thorough:
            self.check_record()
            self.check_loaded()

    def observe_all_ways(self) -> None:
        """Let each device see something of every kind now; nothing of it is kept."""
        table = self.table
        for device in [one for one in table.meta.devices.values() if not one.revoked][:2]:
            by = self.log.holders.by_id(device.id)
            assert by is not None
            for seen in self.sights():
                self.numbers += 1
                named = {"id": device.id, "name": device.name, "kind": device.kind}
                try:
                    if seen["kind"] in CHECKS:
                        CHECKS[seen["kind"]](table, seen)
                    work = UnitOfWork(self.log, table)
                    work.change(SEE[seen["kind"]](work, by, named, seen))
                except Problem as refused:
                    self.tally.refused[f"seen {seen['kind']} {refused.kind}"] += 1

    def check_record(self) -> None:
        """Each game is exported, and its record is imported and replayed."""
        for game in range(1, self.table.meta.game + 1):
            record = self.send(self.host, "GET", f"/record?game={game}").get_json()
            for step in replay(parse_record(record)):
                assert not step.mismatches, step.mismatches
            made = self.host.client.post(f"{API}/records", json=record)
            assert made.status_code == 201, made.text

    def check_loaded(self) -> None:
        """Read from the log, or from a snapshot, the table is the same."""
        held = self.table
        start = game_from_json(
            parse_entry(self.log.reader.entries(held.id, limit=1)[0]).body["game"]
        )
        folded = TableProjection(held.id, held.code, held.created, start)
        for entry in self.log.reader.entries(held.id):
            folded.take(parse_entry(entry))
        shot = TableProjection(held.id, held.code, held.created, start)
        shot.restore(held.version, held.snapshot())
        for read in (folded, shot):
            assert state_to_json(read.state) == state_to_json(held.state)
            assert read.state.game == held.state.game
            assert read.meta == held.meta, (read.meta, held.meta)
        self.log.cache.clear()

    # What people do

    def somebody(self) -> Seat:
        return self.rng.choice([self.host, self.host, *self.host.seats.values()])

    def seat(self) -> int:
        return self.rng.randint(1, len(self.state.game.seats) + (self.rng.random() < 0.03))

    def card(self) -> str:
        if self.rng.random() < 0.5:
            return self.rng.choice(list(self.state.game.cards))
        return self.rng.choice(CARDS)

    def cards(self, most: int = 4) -> list[str]:
        return [self.card() for _ in range(self.rng.randint(0, most))]

    def powers(self) -> list[str]:
        own = [*self.state.powers, *POWERS]
        return [self.rng.choice(own) or "x" for _ in range(self.rng.randint(0, 3))]

    def hand(self, seat: int) -> Json:
        """Return a hand to show: as many cards as it has, or odd ones."""
        rng, hands = self.rng, self.state.hands
        if rng.random() < 0.2:
            return rng.choice(({"points": rng.randint(0, 300)}, {"unknown": True}))
        count = hands[seat - 1] if seat <= len(hands) and rng.random() < 0.8 else rng.randint(0, 9)
        known = list(self.state.game.cards)
        odd = rng.random() < 0.4
        return {"hand": [self.card() if odd else rng.choice(known) for _ in range(count)]}

    def some_move(self) -> Json:
        """Return any move that can be read."""
        rng, seat = self.rng, self.seat()
        if rng.random() < 0.3 and self.state.round:
            return move_to_json(next(random_moves(self.state, rng, 1)))
        card, color = self.card(), rng.choice(COLORS)
        more: Json = rng.choice(
            (
                {"move": "play", "card": card},
                {"move": "play", "card": card},
                {"move": "play", "card": card, "color": color, "uno": True},
                {"move": "play", "card": card, "powers": self.powers()},
                {"move": "flip", "card": card, "color": color},
                {"move": "draw"},
                {"move": "pass"},
                {"move": "uno"},
                {"move": "catch", "accused": self.seat()},
                {"move": "accept"},
                {"move": "challenge"},
                {"move": "color", "color": color},
                {"move": "powers", "powers": self.powers()},
                {"move": "discard", "count": rng.randint(0, 9)},
                {"move": "discard", "cards": self.cards()},
                {"move": "give", "to": self.seat(), "cards": self.cards()},
                {"move": "report", "drawn": rng.randint(0, 112)},
                {"move": "judge", "passed": rng.random() < 0.5},
                {"move": "reveal", **self.hand(seat)},
                {"move": "leave"},
            )
        )
        if more == {"move": "leave"} and rng.random() < 0.8:
            more = {"move": "draw"}
        return {"seat": seat, **more}

    def move(self) -> None:
        """Go on as the game would, or with anything."""
        rng, state = self.rng, self.state
        if not state.awaiting:
            self.begin()
            return
        due = [seat for seat, need in state.awaiting if need == "reveal"]
        listed = legal_actions(state)
        if due and rng.random() < 0.8:
            move = {"seat": due[0], "move": "reveal", **self.hand(due[0])}
        elif listed and rng.random() < 0.85:
            plays = [one for one in listed if type(one).__name__ == "Play"]
            move = move_to_json(rng.choice(plays if plays and rng.random() < 0.8 else listed))
        else:
            move = self.some_move()
        self.send(self.host, "POST", "/moves", move)

    def nonsense(self) -> None:
        self.send(self.somebody(), "POST", "/moves", self.some_move())

    def begin(self) -> None:
        """Deal, enter a round by its result, or start another game."""
        rng, order = self.rng, self.state.order
        if self.state.winner is not None or rng.random() < 0.02:
            new: Json = {}
            if rng.random() < 0.5:
                new["ruleset"] = rng.choice(RULESETS)
                new["options"] = random_options(new["ruleset"], rng)
            self.send(self.host, "POST", "/games", new)
        elif rng.random() < 0.15:
            out = rng.choice(order)
            hands = {str(s): rng.choice((None, 30, self.cards())) for s in order if s != out}
            self.send(self.host, "POST", "/rounds", {"result": {"out": out, "hands": hands}})
        else:
            body = {"opening": [self.card()], "dealer": rng.choice((*order, self.seat()))}
            self.send(self.host, "POST", "/rounds", body)

    def people(self) -> None:
        rng, seat = self.rng, self.seat()
        order = rng.sample(self.state.order, len(self.state.order))
        name = rng.choice(("Fay", "{seat}", "<b>", "Ætla", f"N{self.table.version}", "%s"))
        method, path, body = rng.choice(
            (
                ("POST", "/seats", {"name": name, "place": rng.choice((None, 1, 2))}),
                ("POST", "/seats", {"seat": seat}),
                ("PATCH", f"/seats/{seat}", {"name": name}),
                ("DELETE", f"/seats/{seat}", None),
                ("PUT", "/seating", {"order": order}),
                ("PUT", "/seating", {"dealer": seat}),
                ("POST", "/games/end", None),
                ("PUT", "/mode", {"mode": rng.choice(("score", "referee"))}),
            )
        )
        if path != "/games/end" or rng.random() < 0.2:
            self.send(self.host, method, path, body)

    def before(self) -> None:
        """Draw for the deal, propose a card."""
        rng = self.rng
        card = {"text": "{card} sings.", "effects": [{"effect": "text", "text": "Sing {seat}!"}]}
        draws = [{"seat": self.seat(), "card": self.card()}]
        method, path, body = rng.choice(
            (
                ("POST", "/custom-cards", {"card": card, "seat": self.seat()}),
                ("POST", f"/custom-cards/{rng.randint(1, 3)}/approvals", {"seat": self.seat()}),
                ("DELETE", f"/custom-cards/{rng.randint(1, 3)}", None),
                ("POST", "/deal-draws", {"draws": draws}),
            )
        )
        self.send(self.host, method, path, body)

    def correction(self) -> None:
        rng = self.rng
        kinds = ("undo", "redo", "overrule", "replace", "insert", "hand-count", "opening", "result")
        kind = rng.choice((*kinds, "undo", "replace", "overrule", "break-off"))
        change: Json = {"kind": kind}
        if kind not in ("redo", "hand-count"):
            if rng.random() < 0.15:
                change["entry"] = rng.randint(1, self.table.version)
            else:
                if rng.random() < 0.3:
                    change["round"] = rng.randint(1, self.state.round + 1)
                if rng.random() < 0.6 and kind not in ("opening", "result", "break-off"):
                    change["move"] = rng.randint(1, max(1, self.state.moves))
        if kind == "overrule":
            change["verdict"] = rng.choice(("legal", "illegal"))
        elif kind == "replace":
            change["replacement"] = self.some_move()
        elif kind == "insert":
            change["inserted"] = self.some_move()
        elif kind == "hand-count":
            change |= {"seat": self.seat(), "count": rng.choice((0, 1, 2, 7, 100))}
        elif kind == "opening":
            change |= rng.choice(({"dealer": self.seat()}, {"opening": [self.card()]}))
        elif kind == "result":
            change["result"] = {"out": self.seat(), "hands": {str(self.seat()): self.cards()}}
        elif kind == "undo" and rng.random() < 0.3:
            change |= rng.choice(({"since": True}, {"count": rng.randint(1, 3)}))
        who = self.somebody() if rng.random() < 0.1 else self.host
        self.send(who, "POST", "/corrections", change)

    # What devices see

    def probabilities(self) -> dict[str, float]:
        """Return what a camera may say of one card: it names cards of the deck alone."""
        deck = list(self.state.game.ruleset.deck.cards)
        some = self.rng.sample(deck, self.rng.randint(0, 3))
        if self.state.top is not None and self.rng.random() < 0.3:
            some = list(dict.fromkeys((self.state.top, *some)))
        left, found = 1.0, {}
        for card in some:
            found[card] = round(left * self.rng.choice((0.0, 0.3, 0.6, 0.98, 1.0)), 4)
            left -= found[card]
        return found

    def sights(self) -> list[Json]:
        """Return an observation of each kind and event."""
        rng, number = self.rng, self.numbers + 1
        base: Json = {"kind": "pile", "at": AT, "number": number}
        cards = self.probabilities()
        seats = range(1, len(self.state.game.seats) + 1)
        origin = rng.choice(
            ({}, {"from": {str(rng.choice(seats)): 0.9}}, {"from": {"draw-pile": 0.8}})
        )
        arm = rng.choice(({}, {"arm": rng.uniform(0, 360)}))
        place = {str(power): rng.randint(0, 10) for power in self.state.powers}
        lifted = {power: rng.choice(("lifted", "unknown")) for power in self.state.powers}
        due = [seat for seat, need in self.state.awaiting if need == "reveal"]
        held = self.state.hands[due[0] - 1] if due else rng.randint(0, 3)
        shown = [self.probabilities() for _ in range(held)]
        return [
            {**base, "event": "placed", "cards": cards, **origin, **arm},
            {**base, "event": "placed", "cards": cards, "laid": rng.choice((0, 0.5, 1))},
            {**base, "event": "found", "cards": cards},
            {**base, "event": "lifted", "cards": self.probabilities()},
            {**base, "event": "lifted", "cards": {}},
            {**base, "event": "cleared"},
            {**base, "event": "unread", **arm},
            {**base, "event": "same"},
            {**base, "event": "unsure", "cards": cards, "readings": ["lifted", "placed", "same"]},
            {**base, "event": "unsure", "cards": cards, "likelihoods": {"placed": 0.5, "same": 1}},
            {**base, "event": "placed", "cards": cards, "resolves": rng.randint(0, number)},
            {"kind": "camera", "at": AT, "state": "blind", "reason": "no-pile"},
            {"kind": "camera", "at": AT, "state": "watching"},
            {"kind": "hand", "at": AT, "shown": shown, **({"seat": due[0]} if due else {})},
            {"kind": "hand", "at": AT, "shown": shown},
            {"kind": "powers", "at": AT, "powers": place},
            {"kind": "powers", "at": AT, "powers": lifted},
        ]

    def observation(self) -> None:
        """Let a device see something for good; cards laid more often than the rest."""
        sights = self.sights()
        seen = self.rng.choice([*sights[:3], *sights])
        self.numbers += self.rng.random() < 0.95
        self.send(self.rng.choice(self.devices), "POST", "/observations", seen)

    def answer(self) -> None:
        """Answer an open question with an option, or with nonsense."""
        rng = self.rng
        asked = self.send(self.host, "GET", "/questions").get_json()["items"]
        if not asked:
            self.observation()
            return
        question = rng.choice(asked)
        said: Json = rng.choice(
            (
                {"option": rng.randint(1, len(question["options"]))},
                {"card": self.card(), "seat": self.seat()},
                {"card": self.card()},
                {"hand": self.cards(9), "seat": self.seat()},
                {"hand": self.hand(question.get("seat", 1)).get("hand", [])},
            )
        )
        self.send(self.host, "POST", f"/questions/{question['id']}/answers", said)

    def change_devices(self) -> None:
        if self.rng.random() < 0.3:
            gone = self.rng.choice(list(self.table.meta.devices))
            self.send(self.host, "DELETE", f"/devices/{gone}")
            self.devices = [*self.devices[1:], self.device(self.rng.choice(("camera", "board")))]


Do = Callable[[NonsenseTable], None]
OFTEN: dict[Do, int] = {
    NonsenseTable.move: 40,
    NonsenseTable.nonsense: 20,
    NonsenseTable.observation: 20,
    NonsenseTable.answer: 8,
    NonsenseTable.correction: 14,
    NonsenseTable.people: 5,
    NonsenseTable.before: 2,
    NonsenseTable.change_devices: 2,
}
WHAT, WEIGHTS = list(OFTEN), list(OFTEN.values())


def play_tables(folder: Path, seeds: range, steps: int, every: int = 1) -> Tally:
    """Play a table for each seed on one server. Raises AssertionError."""
    tally = Tally()
    app = create_app(Settings(str(folder / "nonsense.sqlite3"), guard=Guard(limits=NO_LIMITS)))
    try:
        for seed in seeds:
            NonsenseTable(app, seed, tally, every).play(steps)
    finally:
        close(app)
    return tally


def main() -> int:
    """Play tables and print what was logged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1, help="of the first table")
    parser.add_argument("--every", type=int, default=8, help="look at all of it once in so many")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seeds = range(options.seed, options.seed + options.tables)
        tally = play_tables(Path(folder), seeds, options.steps, options.every)
    for name in ("entries", "refused", "rules", "meanings"):
        sys.stdout.write(f"{name}: {dict(getattr(tally, name).most_common())}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
