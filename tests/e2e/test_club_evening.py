"""A club evening of eight tables and 32 players, each with a phone, over real HTTP.

Three Swiss rounds with a late player, a drop-out, a dispute, and kill -9 in the middle. The
standings are counted again here, from the exported results alone.
"""

import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import requests

from tests.api.clubs import Club, Json, open_club
from tests.e2e.server import PATIENCE, Server

PLAYERS = [f"Player {n}" for n in range(1, 33)]
PLACING = (4, 2, 1, 0)
TARGET = 60


class Phones:
    """Sends requests as phones do: with a key, again and again until there is an answer."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.local = threading.local()
        self.answered = 0
        self.repeated = 0

    def send(
        self, method: str, path: str, token: str | None = None, body: Any = None, **headers: str
    ) -> tuple[int, Json]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if method != "GET":
            named.setdefault("Idempotency-Key", f"evening-{uuid.uuid4()}")
        if token:
            named["Authorization"] = f"Bearer {token}"
        until = time.monotonic() + PATIENCE
        while True:
            session = self.local.__dict__.setdefault("session", requests.Session())
            try:
                url = f"{self.server.url}/api/v1{path}"
                answer = session.request(method, url, json=body, headers=named, timeout=PATIENCE)
            except requests.RequestException:
                self.repeated += 1
                assert time.monotonic() < until, f"no answer: {method} {path}"
                time.sleep(0.05)
                continue
            self.answered += 1
            if "json" not in answer.headers.get("Content-Type", ""):
                return answer.status_code, {"text": answer.text}
            return answer.status_code, answer.json()


def at_once(calls: list[Callable[[], object]]) -> None:
    """Make calls in a thread each; fail if one of them does."""
    failed: list[BaseException] = []

    def guarded(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guarded, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


class TableOfPhones:
    """A table of a round, its players' phones, and how they play."""

    def __init__(self, club: Club, number: int, table: Json, random: Random) -> None:
        self.club, self.number, self.table, self.random = club, number, table, random
        self.seats = len(table["seats"])
        self.tokens: dict[int, str] = {}

    def join(self) -> None:
        for seat in range(1, self.seats + 1):
            self.tokens[seat] = self.club.join(self.table, seat)

    def play(self) -> None:
        """Enter rounds of cards by their results until somebody has reached the target."""
        self.join()
        scores = [0] * self.seats
        while max(scores) < TARGET:
            out = self.random.randint(1, self.seats)
            held = [self.random.randrange(0, 25) * 2 for _ in range(self.seats)]
            entry = self.club.count(self.table, out, held)
            scores[out - 1] += sum(held) - held[out - 1]
            assert entry["state"]["scores"] == scores

    def make_moves(self, moves: int) -> None:
        """Play with every move ruled on, and do not get to an end."""
        self.join()
        path = f"/tables/{self.table['table_id']}"
        begun = {"opening": ["red-7"], "dealer": 1}
        status, entry = self.club.send("POST", f"{path}/rounds", self.club.token, begun)
        assert status == 201, entry
        for _ in range(moves):
            turn, need = entry["state"]["turn"], entry["state"]["awaiting"][0]["need"]
            move = {"seat": turn, "move": "draw" if need == "play" else "pass"}
            status, entry = self.club.send("POST", f"{path}/moves", self.tokens[turn], move)
            assert (status, entry["ruling"]["verdict"]) == (201, "legal")

    def confirm(self, seat: int, agrees: bool = True) -> str:
        path = f"/rounds/{self.number}/tables/{self.table['table']}/confirmations"
        said = {"agrees": agrees, "reason": None if agrees else "Count again."}
        return str(self.club.call("POST", path, said, self.tokens[seat])["state"])

    def confirm_all(self) -> None:
        for seat in self.tokens:
            self.confirm(seat)


def start(club: Club, number: int) -> list[TableOfPhones]:
    begun = club.play()
    assert begun["round"] == number
    random = Random(number)
    seeds = [Random(random.random()) for _ in begun["tables"]]
    pairs = zip(begun["tables"], seeds, strict=True)
    return [TableOfPhones(club, number, table, seed) for table, seed in pairs]


def test_an_evening(database: str) -> None:
    with Server(database) as server:
        phones = Phones(server)
        settings = {"options": {"target": TARGET}, "rounds": 3, "minutes": 40}
        club = open_club(phones.send, PLAYERS, **settings)

        # The first round: one table argues, and the organiser decides.
        tables = start(club, 1)
        assert [table.seats for table in tables] == [4] * 8
        at_once([table.play for table in tables])
        states = {one["state"] for one in club.call("GET", "/rounds/1")["tables"]}
        assert states == {"waiting"}
        assert tables[2].confirm(4, agrees=False) == "disputed"
        at_once([table.confirm_all for table in tables if table is not tables[2]])
        assert club.refused("POST", "/rounds", {})[0] == 409
        club.enter(1, 3, [60, 30, 30, 0])

        # The second: somebody came late. The server is killed while results come in.
        club.call("POST", "/players", {"players": ["Late"]})
        tables = start(club, 2)
        assert sorted(table.seats for table in tables) == [3] * 3 + [4] * 6

        before = phones.answered

        def kill() -> None:
            while phones.answered < before + 40:
                time.sleep(0.001)
            server.kill()
            server.start()

        at_once([kill, *(table.play for table in tables)])
        assert phones.repeated
        at_once([table.confirm_all for table in tables])

        # The third: somebody has gone, and one table plays with every move ruled on.
        club.call("PATCH", "/players/5", {"status": "out"})
        tables = start(club, 3)
        slow, *quick = tables
        at_once([lambda: slow.make_moves(12), *(table.play for table in quick)])
        assert club.call("GET", "/rounds/3")["tables"][0]["state"] == "playing"
        club.call("POST", "/rounds/3/end")
        at_once([table.confirm_all for table in tables])

        assert club.call("GET")["state"] == "over"
        check(club)
        server.kill()
        server.start()
        check(club)


def check(club: Club) -> None:
    """Compare the standings with a recount of the exported results."""
    export = club.call("GET", "/export")
    rounds = export["rounds_played"]
    met: dict[tuple[int, int], int] = defaultdict(int)
    for played in rounds:
        seen = [seat["player"] for table in played["tables"] for seat in table["seats"]]
        assert len(seen) == len(set(seen))
        assert not played["byes"]
        for table in played["tables"]:
            for a, b in combinations(sorted(seat["player"] for seat in table["seats"]), 2):
                met[a, b] += 1
    assert set(met.values()) == {1}, "somebody met twice"
    assert 5 not in {s["player"] for table in rounds[2]["tables"] for s in table["seats"]}
    rows = recount(export)
    shown = [
        (
            *(row["rank"], row["player"], row["points"], row["wins"], row["game_points"]),
            row["opponents"],
        )
        for row in club.standings()
    ]
    assert len(shown) == 33
    assert sorted(shown) == sorted(rows)
    assert [row[0] for row in shown] == sorted(row[0] for row in shown)


def recount(export: Json) -> list[tuple[int, int, float, int, int, float]]:
    """Count the standings: places 4-2-1-0 shared, then wins, game points, strength of opponents."""
    points: dict[int, Fraction] = defaultdict(Fraction)
    wins: dict[int, int] = defaultdict(int)
    game: dict[int, int] = defaultdict(int)
    opponents: dict[int, list[int]] = defaultdict(list)
    for played in export["rounds_played"]:
        for table in played["tables"]:
            seats = table["result"]["seats"]
            assert table["result"]["counts"]
            ordered = sorted((seat["score"] for seat in seats), reverse=True)
            for seat in seats:
                score, player = seat["score"], seat["player"]
                worth = [
                    PLACING[n] if n < len(PLACING) else 0
                    for n, other in enumerate(ordered)
                    if other == score
                ]
                points[player] += Fraction(sum(worth), len(worth))
                wins[player] += score == ordered[0]
                game[player] += score
                opponents[player] += [s["player"] for s in seats if s["player"] != player]
    keys = {}
    for one in export["players"]:
        player = one["player"]
        strength = Fraction(0)
        if opponents[player]:
            strength = sum((points[n] for n in opponents[player]), Fraction(0)) / len(
                opponents[player]
            )
        keys[player] = (points[player], wins[player], game[player], strength)
    return [
        (
            1 + sum(other > key for other in keys.values()),
            *(player, float(key[0]), key[1], key[2], float(key[3])),
        )
        for player, key in keys.items()
    ]
