"""The strikes: each does harm if it can, and returns what it found wrong."""

import json
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from tests.strike.stage import PLAYERS, Answer, Client, Stage, Table

Strike = Callable[[Stage, Client], Iterator[str]]
CODES = 300
# Bytes of a record that fills the limit of 4 MiB, and moves of one that a table holds.
LARGE = 4_000_000
LONG = 25_000
# What the heaviest work may cost, in seconds and bytes.
HEAVY_WITHIN = 20.0
LARGEST_ANSWER = 4_000_000


def heavy_records(stage: Stage, nobody: Client) -> Iterator[str]:
    """Import, replay and overrule records as large as they may be, and larger."""
    game = _exported_game(nobody)
    for path in ("/records", "/records/replay"):
        full = _repeated(game, LARGE // len(json.dumps(game["rounds"][0]["moves"])))
        answer = yield from _heavy(stage, f"{path}, 4 MB", partial(nobody.post, path, full))
        if not answer.refused:
            yield f"{path}: a record without bounds is taken: {answer.status}"
    long = _repeated(game, LONG // len(game["rounds"][0]["moves"]))
    replayed = yield from _heavy(stage, "a replay", partial(nobody.post, "/records/replay", long))
    imported = yield from _heavy(stage, "an import", partial(nobody.post, "/records", long))
    if (replayed.status, imported.status) != (200, 201):
        yield f"a long record: {replayed.status}, {imported.status} {imported.data[:300]!r}"
        return
    made = imported.json
    table = Table(nobody.as_(made["token"]), made["table"]["id"], made["table"]["code"])
    change = {"kind": "overrule", "round": 1, "move": 1, "verdict": "illegal"}
    yield from _heavy(stage, "overruling move 1", partial(table.post, "/corrections", change))
    for path in ("/record", "/events", "/scores", "/rounds", ""):
        yield from _heavy(stage, f"GET {path}", partial(table.get, path))


def _heavy(stage: Stage, name: str, send: Callable[[], Answer]) -> Generator[str, None, Answer]:
    """Send something that may take its time, or be put off, but must not fail."""
    began = time.monotonic()
    answer = send()
    took = time.monotonic() - began
    if answer.status >= 500 and answer.status != 503:
        yield f"{name}: {answer.status}"
    if took > HEAVY_WITHIN:
        stage.slow.append(f"{name}: took {took:.0f} s")
    if len(answer.data) > LARGEST_ANSWER:
        yield f"{name}: answered {len(answer.data) / 1e6:.1f} MB"
    return answer


def _exported_game(client: Client) -> Any:
    """Return the record of a round in which everybody draws and passes, whole turns round."""
    table = client.table(options={"target": 1_000_000})
    table.open_round()
    for _ in range(10 * len(PLAYERS)):
        seat = table.get().json["state"]["turn"]
        table.post("/moves", {"seat": seat, "move": "draw"})
        table.post("/moves", {"seat": seat, "move": "pass"})
    return table.get("/record").json


def _repeated(game: Any, times: int) -> bytes:
    """Return the record with the moves of its round again and again."""
    (a_round,) = game["rounds"]
    return json.dumps({**game, "rounds": [{**a_round, "moves": a_round["moves"] * times}]}).encode()


def crowd_of_codes(stage: Stage, nobody: Client) -> Iterator[str]:
    """Try wrong codes from many addresses; an honest guest still gets in."""
    table = nobody.table()
    for i in range(CODES):
        guesser = Client(stage.port, address=f"127.0.{1 + i % 100}.{2 + i // 100}")
        answer = guesser.post("/join", {"code": f"WRONG{i:03d}"})
        if answer.status >= 500:
            yield f"a wrong code: {answer.status}"
            return
    guest = Client(stage.port, address="127.0.200.7")
    joined = guest.post("/join", {"code": table.code})
    if joined.status != 201:
        yield f"an honest guest is kept out: {joined.status} {joined.data[:200]!r}"
    # One who guesses is stopped, whatever he says of his address.
    tried = [
        nobody.post("/join", {"code": f"GUESS{i:03d}"}, {"X-Forwarded-For": f"9.9.{i}.9:{500 + i}"})
        for i in range(100)
    ]
    if not any(answer.status == 429 for answer in tried):
        yield "one address tries a hundred codes"


def secrets_in_the_log(stage: Stage, nobody: Client) -> Iterator[str]:
    """Send tokens where they do not belong, and look for them in the log."""
    table = nobody.table()
    token = str(table.host.token)
    for headers in (
        {"Authorization": token},
        {"Authorization": f"Token {token}"},
        {f"Authorization Bearer {token}": "x"},
        {"Cookie": f"token={token}"},
        {"X-Request-ID": token},
        {"User-Agent": token},
        {"Referer": f"http://x/{token}"},
    ):
        with suppress(Exception):
            nobody.get(f"/tables/{table.id}", headers)
    for path in (
        f"/tables/{token}",
        f"/{token}",
        f"/tables/{table.id}?token={token}&ticket={token}",
    ):
        nobody.get(path)
        table.host.get(path)
    time.sleep(0.3)
    if token in stage.said():
        yield "the log holds a token"


STRIKES: tuple[Strike, ...] = (heavy_records, crowd_of_codes, secrets_in_the_log)
