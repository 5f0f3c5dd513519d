"""A client that plays, blunders and looks after each request whether all is as it was promised.

``python -m tests.contract.stateful --seed 7 --tables 3`` plays the tables with these numbers again.
"""

import argparse
import json
import random
import sys
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

from referee.rules.ruleset import rulesets
from tests.strike.stage import Answer, Client, Table, stage

Json = dict[str, Any]
STEPS = 60
PAGE = 200
ROLES = ("host", "seat 1", "seat 2", "seat 3", "spectator", "camera", "board")
# Kinds of entries after which the points may be others.
SCORING = ("moved", "corrected", "round-counted", "seats-changed", "game-started", "game-ended")
PLACES = ("round-opened", "round-counted", "seats-changed")
# What may change at a table by itself, because time passes.
PASSING = ("host_request", "discrepancies", "sensed", "camera")
NOW = "2026-11-21T10:00:00.000+00:00"
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1e308, 2**70, "", "x" * 300, "\u200b", "\u202e", [], {}, [[]]),
    *({"a": {"b": {}}}, "red 3", "purple-99", "wild-hold-hands", "１"),
)


class Broken(Exception):  # noqa: N818 - what it is
    """A promise was not kept."""


class Evening:
    """One table, and what is known of it."""

    def __init__(self, nobody: Client, number: int) -> None:
        self.number = number
        self.chance = random.Random(number)
        self.nobody = nobody
        self.answers: Counter[int] = Counter()
        self.done: list[str] = []
        deck = self.chance.choice(sorted(rulesets()))
        options: Json = {"target": 150} if self.chance.random() < 0.5 else {}
        made = nobody.post(
            "/tables", {"ruleset": deck, "seats": ["Ann", "Bo", "Cy"], "options": options}
        )
        if made.status != 201:
            raise Broken(f"no table: {made.status}")
        self.deck = deck
        self.table = Table(
            nobody.as_(made.json["token"]), made.json["table"]["id"], made.json["table"]["code"]
        )
        self.clients = {"host": self.table.host}
        for seat in (1, 2, 3):
            self.clients[f"seat {seat}"] = self.table.join(seat)
        self.clients["spectator"] = self.table.join()
        for kind in ("camera", "board"):
            device = self.table.post("/devices", {"name": kind, "kind": kind}).json
            self.clients[kind] = self.table.host.as_(device["token"])
        self.sighting = 0
        self.seen: Json = self.table.get().json
        self.log = self._entries_after(0)
        self.scores = self.seen["state"]["scores"]

    def play(self, steps: int = STEPS) -> None:
        """Do this and that, and look each time. Raises Broken."""
        for _ in range(steps):
            self.step()
        self._check_record()

    def step(self) -> None:
        """Send something as somebody, and compare. Raises Broken."""
        act, weight = zip(*self._acts().items(), strict=True)
        path, body = self.chance.choices(act, weight)[0]()
        role = self._role(path, body)
        headers = {}
        if self.chance.random() < 0.5:
            headers["Idempotency-Key"] = uuid.UUID(int=self.chance.getrandbits(128)).hex
        if self.chance.random() < 0.1:
            headers["If-Match"] = f'"{self.chance.choice((self.seen["version"], 1))}"'
        client = self.clients[role]
        self.done.append(f"{role} {path} {json.dumps(body, ensure_ascii=False)[:200]} {headers}")
        answer = client.post(f"/tables/{self.table.id}{path}", body, headers)
        self._look(role, path, answer)
        if "Idempotency-Key" in headers and answer.status == 201:
            self._repeat(client, path, body, headers, answer)

    def _role(self, path: str, body: Any) -> str:
        """Return mostly somebody who may do it."""
        if self.chance.random() < 0.3:
            return self.chance.choice(ROLES)
        if path == "/observations":
            return "camera"
        seat = body.get("seat") if isinstance(body, dict) else None
        own = f"seat {seat}"
        return own if own in self.clients and self.chance.random() < 0.5 else "host"

    def _look(self, role: str, path: str, answer: Answer) -> None:
        """Compare the table with what was answered."""
        self.answers[answer.status] += 1
        if answer.status >= 500:
            raise Broken(f"{answer.status} {answer.data[:300]!r}")
        now = self.table.get().json
        news = self._entries_after(len(self.log))
        self._check_log(news)
        if answer.status >= 400:
            if not answer.refused:
                raise Broken(f"no problem: {answer.status} {answer.data[:300]!r}")
            if news or _lasting(now) != _lasting(self.seen):
                raise Broken(f"refused with {answer.status}, and yet something has changed")
        elif "preview" in path:
            if news:
                raise Broken("a preview was written")
        else:
            if role == "spectator":
                raise Broken("a spectator is listened to")
            if sum(one["id"] == answer.json["id"] for one in news) != 1:
                raise Broken(f"the answer {answer.json['id']} is not in the log once")
        self.log += news
        if now["version"] != len(self.log):
            raise Broken(f"version {now['version']} after {len(self.log)} entries")
        told = [one["state"] for one in self.log if "state" in one]
        if told and told[-1] != now["state"]:
            raise Broken("the last event tells another state than the table")
        self.seen, self.scores = now, now["state"]["scores"]

    def _check_log(self, news: list[Json]) -> None:
        scores = self.scores
        for place, entry in enumerate(news, len(self.log) + 1):
            if entry["id"] != place:
                raise Broken(f"entry {entry['id']} in place {place}")
            after = entry.get("state", {}).get("scores", scores)
            illegal = entry.get("ruling", {}).get("verdict") == "illegal"
            if after != scores and (entry["kind"] not in SCORING or illegal):
                raise Broken(f"the points change by {entry['kind']}: {scores}, {after}")
            scores = after

    def _repeat(self, client: Client, path: str, body: Any, headers: Any, first: Answer) -> None:
        again = client.post(f"/tables/{self.table.id}{path}", body, headers)
        if again.status != 201 or again.json["id"] != first.json["id"]:
            raise Broken(f"repeated, it is answered {again.status} {again.data[:200]!r}")
        if self.table.get().json["version"] != self.seen["version"]:
            raise Broken("repeated, it was written again")

    def _entries_after(self, last: int) -> list[Json]:
        found: list[Json] = []
        while True:
            page = self.table.get(f"/events?limit={PAGE}&after={last + len(found)}").json
            found += page["items"]
            if page["next"] is None:
                return found

    def _check_record(self) -> None:
        """Export the game, import it, and export it again."""
        exported = self.table.get("/record")
        if exported.status != 200:
            raise Broken(f"no record: {exported.status}")
        made = self.nobody.post("/records", exported.json)
        if made.status == 409 and not exported.json["rounds"]:
            return
        if made.status != 201:
            raise Broken(f"its own record is refused: {made.status} {made.data[:300]!r}")
        copy = Table(self.nobody.as_(made.json["token"]), made.json["table"]["id"], "")
        if copy.get("/record").json != exported.json:
            raise Broken("exported again, the record is another one")
        # Who comes and goes after its last round, and a round in which a hand was shown to some
        # only, are not in the record yet.
        kinds = [one["kind"] for one in self.log if one["kind"] in PLACES]
        rests = not kinds or kinds[-1] != "seats-changed"
        whole = len(exported.json["rounds"]) == self.seen["round"]
        if rests and whole and copy.get("/scores").json["scores"] != self.scores:
            raise Broken("imported, the game has other scores")

    def _acts(self) -> dict[Callable[[], tuple[str, Any]], int]:
        state = self.seen["state"]
        between = state["turn"] is None and not state["awaiting"]
        return {
            self._legal: 5 if between else 30,
            self._move: 12,
            self._round: 40 if between else 4,
            self._reveal: 10,
            self._correction: 6,
            self._observation: 12,
            self._answer: 8,
            self._people: 3,
            self._nonsense: 8,
        }

    def _legal(self) -> tuple[str, Any]:
        moves = self.table.get("/legal-moves").json["moves"]
        return "/moves", self.chance.choice(moves) if moves else {"move": "draw", "seat": 1}

    def _move(self) -> tuple[str, Any]:
        kinds = ("play", "draw", "pass", "uno", "catch", "challenge", "accept", "color", "flip")
        move: Json = {"move": self.chance.choice((*kinds, "leave")), "seat": self._seat()}
        if move["move"] in ("play", "flip"):
            move["card"] = self._card()
        if move["move"] == "catch":
            move["accused"] = self._seat()
        if move["move"] == "color":
            move["color"] = self.chance.choice(("red", "blue"))
        return "/moves", move

    def _round(self) -> tuple[str, Any]:
        if self.chance.random() < 0.3:
            others = {str(seat): self.chance.choice((5, 60, None)) for seat in (2, 3)}
            return "/rounds", {"result": {"out": 1, "hands": others}, "dealer": self._seat()}
        return "/rounds", {"opening": [self._card()], "dealer": self._seat()}

    def _reveal(self) -> tuple[str, Any]:
        state = self.seen["state"]
        due = [one["seat"] for one in state["awaiting"] if one["need"] == "reveal"]
        seat = self.chance.choice(due or [self._seat()])
        count = state["hands"][seat - 1]
        return "/moves", {
            "move": "reveal",
            "seat": seat,
            "hand": [self._card() for _ in range(count)],
        }

    def _correction(self) -> tuple[str, Any]:
        change = self.chance.choice(
            (
                {"kind": "undo"},
                {"kind": "redo"},
                {"kind": "undo", "move": self.chance.randint(1, 9), "count": 2},
                {"kind": "overrule", "verdict": "legal"},
                {"kind": "overrule", "verdict": "illegal"},
                {"kind": "hand-count", "seat": self._seat(), "count": self.chance.randint(0, 3)},
                {"kind": "replace", "replacement": self._move()[1]},
                {"kind": "insert", "inserted": self._move()[1]},
                {"kind": "break-off"},
            )
        )
        preview = "?preview=true" if self.chance.random() < 0.3 else ""
        return f"/corrections{preview}", change

    def _observation(self) -> tuple[str, Any]:
        if self.chance.random() < 0.2:
            shown = [{self._card(): 0.9} for _ in range(self.chance.randint(0, 3))]
            return "/observations", {
                "kind": "hand",
                "at": NOW,
                "seat": self._seat(),
                "shown": shown,
            }
        self.sighting += 1
        event = self.chance.choice(("found", "placed", "placed", "placed", "lifted", "cleared"))
        seen: Json = {"kind": "pile", "at": NOW, "number": self.sighting, "event": event}
        share = self.chance.choice((0.99, 0.6))
        seen["cards"] = {} if event == "cleared" else {self._card(): share, self._card(): 1 - share}
        if self.chance.random() < 0.3:
            seen["from"] = {str(self._seat()): 0.9}
        return "/observations", seen

    def _answer(self) -> tuple[str, Any]:
        questions = self.table.get("/questions").json["items"]
        if not questions:
            return "/questions/1/answers", {"option": 1}
        asked = self.chance.choice(questions)
        said: Json = self.chance.choice(
            (
                {"option": self.chance.randint(1, len(asked["options"]))},
                {"card": self._card()},
                {"card": self._card(), "seat": self._seat()},
                {"hand": [self._card()]},
            )
        )
        return f"/questions/{asked['id']}/answers", said

    def _people(self) -> tuple[str, Any]:
        return self.chance.choice(
            (
                ("/seats", {"name": self.chance.choice(("Di", "Ann", "\u200b", "Eva"))}),
                ("/seats", {"seat": self._seat()}),
                ("/games/end", {}),
                ("/games", {}),
                ("/host-request", {}),
            )
        )

    def _nonsense(self) -> tuple[str, Any]:
        """Something sensible with one value replaced."""
        sensible = (self._move, self._round, self._correction, self._observation, self._answer)
        path, body = self.chance.choice(sensible)()
        spoilt = dict(body)
        name = self.chance.choice([*spoilt, "extra"])
        spoilt[name] = self.chance.choice(STRANGE)
        return path, spoilt

    def _seat(self) -> int:
        return self.chance.randint(1, 3)

    def _card(self) -> str:
        return self.chance.choice(sorted(rulesets()[self.deck].deck.cards))


def _lasting(table: Json) -> Json:
    return {name: value for name, value in table.items() if name not in PASSING}


def play_tables(
    nobody: Client, first: int, go_on: Callable[[], bool], found: list[str]
) -> Counter[int]:
    """Play tables from number ``first`` on while told to; add what is found, and the last steps."""
    answers: Counter[int] = Counter()
    number = first
    while go_on():
        evening = None
        try:
            evening = Evening(nobody, number)
            evening.play()
        except Exception as error:
            steps = "\n    ".join(evening.done[-3:] if evening else ())
            found.append(f"table {number}: {type(error).__name__}: {error}\n    {steps}")
        if evening is not None:
            answers += evening.answers
        number += 1
    return answers


def main() -> int:
    """Play the tables; 1 when a promise was not kept."""
    parser = argparse.ArgumentParser("python -m tests.contract.stateful", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first table (%(default)s)")
    parser.add_argument("--tables", type=int, default=10, help="how many (%(default)s)")
    args = parser.parse_args()
    found: list[str] = []
    left = iter(range(args.tables))
    with stage(REFEREE_LIMITS="off") as on:
        answers = play_tables(
            Client(on.port), args.seed, lambda: next(left, None) is not None, found
        )
    sys.stdout.write(f"{dict(sorted(answers.items()))}\n" + "".join(f"{one}\n" for one in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
