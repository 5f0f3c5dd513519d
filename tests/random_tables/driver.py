"""A table at which somebody does something at random, step by step, and all is looked at."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from tests.random_tables import promises
from tests.random_tables.menu import Json, Menu, Request, random_game
from tests.random_tables.transports import InProcess, Transport
from tests.strike.stage import Answer

PAGE = 200
# Counters by what they count: answers, entries, refused, rules, meanings, corrections.
Tally = defaultdict[str, Counter[Any]]
Acts = Mapping[Callable[[Menu], Request], int]


class Mix(NamedTuple):
    """How often what is done, by whoever, and how often how much is looked at."""

    acts: Acts
    anybody: float
    glance: float
    whole: float


SENSIBLE: Acts = {Menu.go_on: 80, Menu.correction: 40, Menu.people: 1}
ODD: Acts = {
    Menu.go_on: 40,
    Menu.any_move: 20,
    Menu.observation: 20,
    Menu.answer: 8,
    Menu.correction: 14,
    Menu.people: 5,
    Menu.before: 2,
    Menu.change_devices: 2,
    Menu.spoilt: 8,
}
MIXES = {
    "corrections": Mix(SENSIBLE, 0.01, 0, 0),
    "nonsense": Mix(ODD, 0.1, 1, 0.05),
    "served": Mix(ODD, 0.1, 0.1, 0),
}


@dataclass(frozen=True)
class Step:
    """A request, its answer, the table before it and the entries that it wrote."""

    request: Request
    headers: Mapping[str, str]
    answer: Answer
    before: Json
    news: list[Json]


class RandomTable(Menu):
    """One table, determined by its mix and seed, and what is known of it."""

    def __init__(self, nobody: Transport, seed: int, mix: str, tally: Tally | None = None) -> None:
        super().__init__(Random(f"{mix}/{seed}"))
        self.nobody, self.mix, self.name = nobody, MIXES[mix], f"{mix} table {seed}"
        self.tally: Tally = defaultdict(Counter) if tally is None else tally
        self.done: list[str] = []
        game = random_game(seed, self.chance)
        made = nobody.send("POST", "/tables", game)
        assert made.status == 201, (game, made.data)
        self.id, code = made.json["table"]["id"], made.json["table"]["code"]
        self.clients = {"host": nobody.as_(made.json["token"])}
        for seat in range(1, len(game["seats"]) + 1):
            self.let_in(f"seat {seat}", nobody.send("POST", "/join", {"code": code, "seat": seat}))
        self.let_in("spectator", nobody.send("POST", "/join", {"code": code}))
        for kind in ("camera", "board"):
            device = {"name": kind, "kind": kind}
            self.let_in(kind, self.send("host", "POST", "/devices", device))
        log = nobody.app.extensions["referee"] if isinstance(nobody, InProcess) else None
        self.inside = promises.Inside(log, self.id) if log else None
        self.read()

    def let_in(self, role: str, answer: Answer) -> None:
        """Keep a token that was answered; a device's id, too."""
        assert answer.status == 201, answer.data
        self.clients[role] = self.nobody.as_(answer.json["token"])
        if role in ("camera", "board"):
            self.devices[answer.json["device"]] = role

    def send(
        self, role: str, method: str, path: str, body: Any = None, headers: Any = None
    ) -> Answer:
        """Send a request below the table's path; the server must not fail."""
        answer = self.clients[role].send(method, f"/tables/{self.id}{path}", body, headers)
        if method != "GET":
            self.done.append(f"{role} {method} {path} {body} {headers or ''} -> {answer.status}")
        assert answer.status < 500, f"{method} {path}: {answer.status} {answer.data[:2000]!r}"
        return answer

    def get(self, path: str = "") -> Json:
        """Read below the table's path as the host."""
        answer = self.send("host", "GET", path)
        assert answer.status == 200, f"{path}: {answer.status} {answer.data[:300]!r}"
        return answer.json

    def read(self) -> list[Json]:
        """Read the table and what is new in its log; return that."""
        self.seen, news = self.get(), list[Json]()
        more = self.seen["version"] != len(self.log)
        while more:
            page = self.get(f"/events?limit={PAGE}&after={len(self.log) + len(news)}")
            news += page["items"]
            more = page["next"] is not None
        self.log += news
        return news

    def play(self, steps: int) -> None:
        """Do this and that, and look at what came of each, and of all. Raises AssertionError."""
        try:
            for _ in range(steps):
                self.step()
            for act in self.mix.acts:
                self.do(act(self)._replace(role="spectator"))
            promises.record_comes_back(self)
            if self.mix.whole:
                promises.can_be_read(self, whole=True)
        except Exception as error:
            where = f"{self.name}, entry {self.seen['version']}"
            told = "\n    ".join((f"{where}: {type(error).__name__}: {error}", *self.done[-8:]))
            raise AssertionError(told) from error
        self.tally["tables"][self.name] += 1

    def step(self) -> None:
        """Do something at random; now and then, look at more than what came of it."""
        chance, mix = self.chance, self.mix
        request, headers = chance.choices(list(mix.acts), list(mix.acts.values()))[0](self), {}
        if chance.random() < mix.anybody or request.role not in self.clients:
            request = request._replace(role=chance.choice(list(self.clients)))
        if chance.random() < 0.2 and request.method == "POST":
            headers["Idempotency-Key"] = uuid.UUID(int=chance.getrandbits(128)).hex
        if chance.random() < 0.03:
            headers["If-Match"] = f'"{chance.choice((self.seen["version"], 1))}"'
        if not self.do(request, headers).news:
            return
        whole = chance.random() < mix.whole
        if whole or chance.random() < mix.glance:
            promises.can_be_read(self, whole)
            if self.inside:
                self.inside.is_seen(self.sights(), 2 if whole else 1)
        if whole:
            promises.record_comes_back(self)
        if self.inside and (whole or chance.random() < 0.15):
            self.inside.is_loaded_again()

    def do(self, request: Request, headers: Mapping[str, str] | None = None) -> Step:
        """Send a request, and hold the server to what was promised."""
        headers, before = headers or {}, self.seen
        corrects = request.path == "/corrections"
        checks = [
            correction(self, request, headers) for correction in promises.CORRECTIONS if corrects
        ]
        answer = self.send(*request, headers)
        if request.path == "/devices" and answer.status == 201:
            self.let_in(request.body["kind"], answer)
        elif request.path.startswith("/devices/") and answer.status < 300:
            del self.devices[request.path.rpartition("/")[2]]
        step = Step(request, headers, answer, before, self.read())
        self.count(step)
        for promise in promises.STEPS:
            promise(self, step)
        for check in checks:
            check(step)
        return step

    def count(self, step: Step) -> None:
        """Add to the tally what was answered and written."""
        tally, answer = self.tally, step.answer
        tally["answers"][answer.status] += 1
        for entry in step.news:
            tally["entries"][entry["kind"]] += 1
            tally["rules"][entry.get("ruling", {}).get("rule")] += 1
            tally["meanings"][entry.get("meaning")] += 1
            tally["corrections"][entry.get("change", {}).get("kind")] += 1
            tally["corrections"]["rounds aside"] += "aside" in entry
        if answer.status >= 400:
            kind = answer.json["type"].rpartition("/")[2]
            tally["refused"][f"{step.request.path.split('/')[1]}: {kind}"] += 1


def play_tables(
    nobody: Transport, mix: str, seeds: Iterable[int], steps: int, found: list[str]
) -> Tally:
    """Play a table for each seed; add what is found."""
    tally: Tally = defaultdict(Counter)
    for seed in seeds:
        try:
            RandomTable(nobody, seed, mix, tally).play(steps)
        except Exception as error:
            found.append(f"{mix} table {seed}: {error}")
    return tally
