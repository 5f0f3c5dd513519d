"""A hostile evening: everything at random moments, by random people, right or wrong.

``python -m tests.table.hostile --steps 20000`` plays one after the other for as long as is said.
Whatever is sent, the server never fails, refuses with a reason and then changes nothing, forgets
nothing that it acknowledged, and exports a game that replays.
"""

import argparse
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.rules.record import parse_record, replay
from referee.rules.ruleset import find_ruleset
from referee.rules.views import public_state
from tests.api.conftest import Seat, close
from tests.e2e.server import Server
from tests.table.phones import API, Answer, Json, Phone, open_table

DECKS = ("classic-112", "power-grab", "color-powers", "moomin", "classic-108")
COLORS = ("red", "yellow", "green", "blue")
OPTIONS: tuple[Json, ...] = (
    {"target": 100},
    {"target": 60, "scoring": "low"},
    {"target": 1000},
    {"scoring": "hand"},
    {},
)
# Nonsense that somebody may send anywhere.
NONSENSE: tuple[Any, ...] = (
    *(None, "", "x", "red-7", -1, 0, 1.5, 10**12, True, [], {}, [None], {"x": 1}, "é" * 90),
    *(["red-7"] * 120, "\u0000", "99"),
)
# By the table's agreement somebody becomes a host whenever the time to refuse is over.
BY_TIME = ("host-made", "host-request-ended")
CHECK_EVERY = 60
LOOKS = ("", "/scores", "/record", "/rounds", "/games", "/audit", "/tokens", "/custom-cards")
FILES = ("/scores.csv", "/scores.svg", "/legal-moves", "/choices", "/devices", "/questions")


class HostileEvening:
    """One table at which nobody keeps to anything; determined by its seed."""

    def __init__(self, server: Server, seed: int, tally: Counter[str]) -> None:
        self.server, self.tally = server, tally
        self.rng = Random(f"hostile/{seed}")
        self.name = f"seed {seed}"
        deck = DECKS[seed % len(DECKS)]
        names = ["Ann", "Bo", "Cy", "Dot", "Eve"][: self.rng.randint(2, 5)]
        self.acknowledged: dict[int, Json] = {}
        options = self.rng.choice(OPTIONS)
        self.host, self.seats, watcher = open_table(
            server.url, self.acknowledged, deck, names, options
        )
        other, *_ = open_table(server.url, {}, "classic-108", ["Ann", "Bo"], {})
        stranger = Phone(server.url, self.host.table, other.token, {})
        self.phones: list[Phone] = [self.host, *self.seats.values(), watcher, stranger]
        self.ids: list[str] = []
        self.view: Json = self.host.get()
        self.done: list[str] = []
        self.moves = 1

    def play(self, steps: int) -> None:
        """Do ``steps`` things."""
        for number in range(1, steps + 1):
            try:
                self.step()
                if number % CHECK_EVERY == 0 or number == steps:
                    self.check()
            except AssertionError as error:
                told = "\n".join(self.done[-12:])
                raise AssertionError(f"{self.name}, step {number}: {error}\n{told}") from error

    def step(self) -> None:
        """Do one thing, and look at what came of it."""
        method, path, body = self.rng.choices(WHAT, WEIGHTS)[0](self)
        if self.rng.random() < 0.06:
            body = self.spoilt(body)
        who = self.somebody(path, body)
        headers = {}
        if self.rng.random() < 0.02:
            headers["If-Match"] = f'"{self.rng.randint(0, self.view["version"] + 1)}"'
        if self.rng.random() < 0.3:
            headers["Accept-Language"] = self.rng.choice(("de", "fi", "ru", "xx", "pl, da;q=0.4"))
        answer = who.send(method, path, body, headers=headers)
        self.done.append(f"{method} {path} {body} -> {answer.status}")
        kind = path.partition("?")[0].strip("/").split("/")[0]
        self.tally[f"{method} {kind} {answer.status}"] += 1
        self.look(method, path, answer)

    def look(self, method: str, path: str, answer: Answer) -> None:
        """Compare the table's version with what was answered."""
        self.keep_tokens(answer)
        if answer.done and path == "/moves":
            self.moves = answer.body.get("number", self.moves)
        before = self.view["version"]
        self.view = self.find_host().get()
        now = self.view["version"]
        assert self.view["hosts"] >= 1, "nobody hosts the table"
        if answer.done and method != "GET" and "preview" not in path:
            assert now >= before
        elif now != before:
            news = self.host.get(f"/events?after={before}&limit=200")["items"]
            assert all(one["kind"] in BY_TIME for one in news), (
                f"{method} {path} was refused: {news}"
            )

    def somebody(self, path: str, body: Any) -> Phone:
        """Choose who does it: mostly somebody who may."""
        if self.rng.random() < 0.15:
            return self.rng.choice(self.phones)
        seat = body.get("seat") if isinstance(body, dict) else None
        if path in ("/moves", "/host-request", "/host-request/agreements") or path == "/language":
            phone = self.seats.get(seat) if isinstance(seat, int) else None
            if phone is not None and self.rng.random() < 0.7:
                return phone
            if path != "/moves":
                return self.rng.choice(list(self.seats.values()))
        return self.host

    def keep_tokens(self, answer: Answer) -> None:
        """Keep phones that were given tokens, and know some ids."""
        if not answer.done or not isinstance(answer.body, dict) or "token" not in answer.body:
            return
        if answer.body.get("table", {"id": self.host.table})["id"] != self.host.table:
            return
        phone = Phone(self.server.url, self.host.table, answer.body["token"], self.acknowledged)
        self.phones.append(phone)
        if isinstance(answer.body.get("seat"), int):
            self.seats[answer.body["seat"]] = phone
        self.ids += [str(answer.body[name]) for name in ("id", "token_id") if name in answer.body]

    def find_host(self) -> Phone:
        """Return a phone that is a host now; a table always has one."""
        for phone in (self.host, *reversed(self.phones)):
            answer = phone.send("GET", "/tokens/self")
            if answer.done and answer.body["host"]:
                self.host = phone
                return phone
        raise AssertionError("no phone is a host any more")

    def spoilt(self, body: Any) -> Any:
        """Change something in a body."""
        if not isinstance(body, dict) or self.rng.random() < 0.1:
            return self.rng.choice(NONSENSE)
        spoilt = dict(body)
        if spoilt and self.rng.random() < 0.8:
            name = self.rng.choice(list(spoilt))
            if self.rng.random() < 0.3:
                del spoilt[name]
            else:
                spoilt[name] = self.rng.choice(NONSENSE)
        else:
            spoilt[self.rng.choice(("count", "seat", "x", "round"))] = self.rng.choice(NONSENSE)
        return spoilt

    # What must hold

    def check(self) -> None:
        """Another server on the same file knows the same; the game's record replays."""
        self.check_record()
        phone, paths = self.find_host(), [*LOOKS]
        paths += [f"/scores?game={n}" for n in range(1, self.view["game"] + 1)]
        now = [phone.get(path) for path in paths]
        log = phone.entries()
        for bare in {False, self.rng.random() < 0.5}:
            with tempfile.TemporaryDirectory() as folder:
                copy = copied(Path(str(self.server.database)), Path(folder), bare)
                app = create_app(Settings(str(copy), guard=Guard(limits=NO_LIMITS)))
                again = Seat(app.test_client(), phone.token, phone.table)
                for path, known in zip(paths, now, strict=True):
                    assert again.get(path).get_json() == known, f"read again, {path} differs"
                entries = again.get(f"/events?limit=200&after={len(log) - 200}")
                if len(log) > 200:
                    assert entries.get_json()["items"] == log[-200:], "read again, the log differs"
                close(app)
        told = {entry["id"]: entry for entry in log}
        assert sorted(told) == list(range(1, len(told) + 1))
        for number, entry in self.acknowledged.items():
            for name in ("kind", "at", "round", "number", "state", "change"):
                assert told[number].get(name) == entry.get(name), f"entry {number}: {name}"

    def check_record(self) -> None:
        """Each game's record replays to the end without a difference, and can be imported."""
        for game in range(1, self.view["game"] + 1):
            record = self.host.get(f"/record?game={game}")
            parsed = parse_record(record)
            state = parsed.start
            for step in replay(parsed):
                assert not step.mismatches, f"game {game}: {step.mismatches}"
                state = step.state
            sheet = self.host.get(f"/scores?game={game}")
            found = public_state(state)
            assert found["scores"] == sheet["scores"][: len(found["scores"])], f"game {game}"
            copy = self.host.do("POST", f"{API}/records", record)
            assert copy["table"]["state"]["scores"] == found["scores"], f"game {game}, imported"

    # What people do

    def some_seat(self) -> int:
        return self.rng.randint(1, len(self.view["seats"]) + (self.rng.random() < 0.05))

    def some_card(self) -> str:
        deck = list(find_ruleset(self.view["ruleset"]).deck.cards)
        return self.rng.choice(deck)

    def legal_move(self) -> tuple[str, str, Any]:
        """Make a move that may be made, or what is due."""
        state = self.view["state"]
        if not state["awaiting"] and len(self.view["order"]) < 2:
            return "POST", "/seats", {"seat": self.some_seat()}
        if not state["awaiting"]:
            return self.deal() if state["winner"] is None else self.next_game()
        due = self.rng.choice(state["awaiting"])
        if due["need"] == "reveal" and self.rng.random() < 0.9:
            return self.reveal(due["seat"])
        moves = self.host.get("/legal-moves")["moves"]
        plays = [move for move in moves if move["move"] == "play"]
        if plays and self.rng.random() < 0.7:
            return "POST", "/moves", self.rng.choice(plays)
        return "POST", "/moves", self.rng.choice(moves) if moves else self.some_move()

    def reveal(self, seat: int) -> tuple[str, str, Any]:
        move: Json = {"seat": seat, "move": "reveal"}
        how = self.rng.random()
        if how < 0.2:
            return "POST", "/moves", {**move, "points": self.rng.choice((0, 5, 33, 2000, -4))}
        if how < 0.3:
            return "POST", "/moves", {**move, "unknown": True}
        count = self.view["state"]["hands"][seat - 1]
        return "POST", "/moves", {**move, "hand": [self.some_card() for _ in range(count)]}

    def some_move(self) -> Json:
        rng, seat = self.rng, self.some_seat()
        card = self.some_card()
        more: Json = rng.choice(
            (
                {"move": "play", "card": card},
                {"move": "play", "card": card, "color": rng.choice(COLORS), "uno": True},
                {"move": "draw"},
                {"move": "pass"},
                {"move": "uno"},
                {"move": "catch", "accused": self.some_seat()},
                {"move": "accept"},
                {"move": "challenge"},
                {"move": "color", "color": rng.choice(COLORS)},
                {"move": "powers", "powers": ["U", "N"][: rng.randint(0, 2)]},
                {"move": "discard", "count": rng.randint(0, 3)},
                {"move": "give", "to": self.some_seat(), "cards": [card]},
                {"move": "flip", "card": card, "color": rng.choice(COLORS)},
                {"move": "report", "drawn": rng.randint(0, 9)},
                {"move": "judge", "passed": rng.random() < 0.5},
                *([{"move": "leave"}] if rng.random() < 0.3 else []),
            )
        )
        return {"seat": seat, **more}

    def any_move(self) -> tuple[str, str, Any]:
        return "POST", "/moves", self.some_move()

    def deal(self) -> tuple[str, str, Any]:
        body: Json = {"opening": [self.some_card()]}
        if self.rng.random() < 0.7:
            body["dealer"] = self.rng.choice((*self.view["order"], self.some_seat()))
        return "POST", "/rounds", body

    def some_result(self) -> Json:
        rng = self.rng
        order = list(self.view["order"])
        out = rng.choice(order) if rng.random() < 0.95 else self.some_seat()
        hands = {
            str(seat): rng.choice((None, 0, 12, 55, ["red-9"], [self.some_card()]))
            for seat in order
            if seat != out
        }
        return {"out": out, "hands": hands}

    def result(self) -> tuple[str, str, Any]:
        return "POST", "/rounds", {"result": self.some_result()}

    def correction(self) -> tuple[str, str, Any]:
        rng = self.rng
        kinds = ("undo", "redo", "overrule", "replace", "insert", "hand-count", "opening")
        change: Json = {"kind": rng.choice((*kinds, "undo", "redo", "result", "break-off"))}
        kind = change["kind"]
        if rng.random() < 0.4:
            change["round"] = rng.randint(1, self.view["round"] + 1)
        if rng.random() < 0.5 and kind not in ("redo", "hand-count", "opening", "result"):
            change["move"] = rng.randint(1, self.moves + 1)
        elif rng.random() < 0.1:
            change["entry"] = rng.randint(1, self.view["version"] + 1)
        change |= {
            "undo": rng.choice(({}, {}, {"since": True}, {"count": rng.randint(0, 3)})),
            "overrule": {"verdict": rng.choice(("legal", "illegal"))},
            "replace": {"replacement": self.some_move()},
            "insert": {"inserted": self.some_move()},
            "hand-count": {"seat": self.some_seat(), "count": rng.choice((0, 1, 2, 5, 100))},
            "opening": rng.choice(({"dealer": self.some_seat()}, {"opening": [self.some_card()]})),
            "result": {"result": self.some_result()},
        }.get(kind, {})
        return "POST", f"/corrections{rng.choice(('', '', '?preview=true'))}", change

    def people(self) -> tuple[str, str, Any]:
        rng, seat = self.rng, self.some_seat()
        place = rng.choice((None, 1, 2, 3, 11))
        order = rng.sample(self.view["order"], len(self.view["order"]))
        name = rng.choice(("Fay", "Gus", "Ann", "  ", "Ætla", "x" * 81, f"N{self.view['version']}"))
        return rng.choice(
            (
                ("POST", "/seats", {"name": name, "place": place}),
                ("POST", "/seats", {"name": name, "points": rng.choice((0, 40, 5000))}),
                ("POST", "/seats", {"seat": seat}),
                ("POST", "/seats", {"seat": seat, "name": name, "place": place}),
                ("PATCH", f"/seats/{seat}", {"name": name}),
                ("DELETE", f"/seats/{seat}" if rng.random() < 0.5 else "/seats/99", None),
                ("PUT", "/seating", {"order": order}),
                ("PUT", "/seating", {"order": order[1:], "dealer": seat}),
                ("PUT", "/seating", {"dealer": seat}),
            )
        )

    def hosts(self) -> tuple[str, str, Any]:
        seat = self.some_seat()
        return self.rng.choice(
            (
                ("PUT", f"/seats/{seat}/host", None),
                ("DELETE", f"/seats/{seat}/host", None),
                ("POST", "/host-request", None),
                ("POST", "/host-request/agreements", None),
                ("POST", "/host-request/agreements", None),
                ("DELETE", "/host-request", None),
            )
        )

    def tokens(self) -> tuple[str, str, Any]:
        rng, seat = self.rng, self.some_seat()
        known = rng.choice([*self.ids, "self", "nobody"])
        role = rng.choice(("seat", "spectator", "host", "device"))
        code = self.view["code"] if rng.random() < 0.8 else "ABCD-EFGH"
        return rng.choice(
            (
                ("POST", "/tokens", {"role": role, "seat": seat if role == "seat" else None}),
                ("DELETE", f"/tokens/{known}", None),
                ("POST", f"/tokens/{known}/rotation", None),
                ("POST", "/join-code", None),
                ("POST", f"{API}/join", {"code": code, "seat": seat}),
                ("POST", f"{API}/join", {"code": code, "seat": seat}),
                ("PUT", "/language", {"language": rng.choice(("de", "fi", "xx", None))}),
            )
        )

    def games(self) -> tuple[str, str, Any]:
        rng = self.rng
        return rng.choice(
            (
                ("PUT", "/mode", {"mode": rng.choice(("score", "referee", "x"))}),
                ("POST", "/games/end", None),
                self.next_game(),
            )
        )

    def next_game(self) -> tuple[str, str, Any]:
        rng = self.rng
        wish: Json = {}
        if rng.random() < 0.3:
            wish["ruleset"] = rng.choice((*DECKS, "none"))
        if rng.random() < 0.5:
            wish["options"] = rng.choice(OPTIONS)
        return "POST", "/games", wish

    def before_the_game(self) -> tuple[str, str, Any]:
        rng = self.rng
        number = rng.randint(1, 3)
        card = {"text": "All sing.", "effects": [{"effect": "text", "text": "Sing!"}]}
        draws = [{"seat": self.some_seat(), "card": self.some_card()} for _ in range(2)]
        return rng.choice(
            (
                ("POST", "/custom-cards", {"card": card, "seat": self.some_seat()}),
                ("POST", f"/custom-cards/{number}/approvals", {"seat": self.some_seat()}),
                ("DELETE", f"/custom-cards/{number}", None),
                ("POST", "/deal-draws", {"draws": draws}),
            )
        )

    def read(self) -> tuple[str, str, Any]:
        game = self.rng.choice(("", "", "?game=1", "?game=2", "?game=0", "?game=x"))
        return "GET", f"{self.rng.choice((*LOOKS, *FILES))}{game}", None


Do = Callable[[HostileEvening], tuple[str, str, Any]]
OFTEN: dict[Do, int] = {
    HostileEvening.legal_move: 50,
    HostileEvening.any_move: 8,
    HostileEvening.deal: 3,
    HostileEvening.result: 4,
    HostileEvening.correction: 18,
    HostileEvening.people: 8,
    HostileEvening.hosts: 6,
    HostileEvening.tokens: 5,
    HostileEvening.games: 2,
    HostileEvening.before_the_game: 2,
    HostileEvening.read: 6,
}
WHAT, WEIGHTS = list(OFTEN), list(OFTEN.values())


def copied(database: Path, folder: Path, bare: bool) -> Path:
    """Copy a database that is in use; ``bare``: without snapshots, so that all is read again."""
    copy = folder / "copy.sqlite3"
    with sqlite3.connect(database) as source, sqlite3.connect(copy) as target:
        source.backup(target)
        if bare:
            target.execute("DELETE FROM snapshots")
            target.commit()
    source.close()
    target.close()
    return copy


def hostile_server(folder: Path) -> Server:
    """A server at which nobody has time to refuse a new host."""
    env = {"REFEREE_TAKEOVER_SECONDS": "0"}
    return Server(folder / "hostile.sqlite3", env=env, stays=True)


def play(folder: Path, seeds: range, steps: int) -> Counter[str]:
    """Play an evening for each seed, the server killed in the middle; return what was answered."""
    tally: Counter[str] = Counter()
    with hostile_server(folder) as server:
        for seed in seeds:
            evening = HostileEvening(server, seed, tally)
            evening.play(steps // 2)
            server.kill()
            server.start()
            evening.play(steps - steps // 2)
    return tally


def main(arguments: list[str] | None = None) -> int:
    """Play evenings and print what was answered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=10)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1, help="of the first evening")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        seeds = range(options.seed, options.seed + options.evenings)
        tally = play(Path(folder), seeds, options.steps)
    for name, count in sorted(tally.items()):
        sys.stdout.write(f"{count:6} {name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
