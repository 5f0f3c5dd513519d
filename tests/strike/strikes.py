"""The strikes: each does harm if it can, and returns what it found wrong."""

import http.client
import io
import json
import os
import socket
import stat
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from tests.strike.stage import (
    API,
    DECK,
    HOME,
    JSON,
    PLAYERS,
    TIMEOUT,
    Answer,
    Client,
    Stage,
    Table,
)

Strike = Callable[[Stage, Client], Iterator[str]]
# What the server may spend on a message that is refused, in seconds.
REFUSED_WITHIN = 2.0
CODES = 300
STREAMS = 600
# Bytes of a record that fills the limit of 4 MiB, and moves of one that a table holds.
LARGE = 4_000_000
LONG = 25_000
# What the heaviest work may cost, in seconds and bytes.
HEAVY_WITHIN = 20.0
LARGEST_ANSWER = 4_000_000
NOW = "2026-11-21T10:00:00.000+00:00"


def _refused(stage: Stage, name: str, send: Callable[[], Answer]) -> Iterator[str]:
    """Send what has to be refused, soon and shortly."""
    began = time.monotonic()
    answer = send()
    took = time.monotonic() - began
    if not answer.refused:
        yield f"{name}: {answer.status}, {len(answer.data)} bytes, {answer.data[:120]!r}"
    if took > REFUSED_WITHIN:
        stage.slow.append(f"{name}: took {took:.1f} s")


def monstrous_bodies(stage: Stage, nobody: Client) -> Iterator[str]:
    """Send many, deep and long values without a token."""
    table = {"ruleset": DECK, "seats": list(PLAYERS)}
    bodies: dict[str, tuple[str, Any]] = {
        "30,000 seats": ("/tables", {**table, "seats": list(range(30_000))}),
        "8,000 unknown fields": ("/join", {f"field-{i}": i for i in range(8_000)}),
        "2,000 options": ("/tables", {**table, "options": {f"o{i}": i for i in range(2_000)}}),
        "a long name": ("/tables", {**table, "seats": ["x" * 60_000, "y"]}),
        "a long code": ("/join", {"code": "A" * 60_000}),
        "a long field": ("/join", {"x" * 60_000: 1}),
        "deep lists": ("/tables", b"[" * 30_000 + b"]" * 30_000),
        "deep objects": ("/tables", b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
        "deep seats": ("/tables", b'{"seats":' + b"[" * 900 + b"]" * 900 + b"}"),
        "a huge number": ("/join", b'{"code": ' + b"9" * 50_000 + b"}"),
        "a megabyte": ("/tables", {**table, "note": "x" * 1_000_000}),
    }
    for name, (path, body) in bodies.items():
        yield from _refused(stage, name, partial(nobody.post, path, body))
    wrong = {f"fält-{i}": "é" * 50 for i in range(500)}
    said = {"Accept-Language": "sv", "X-Request-ID": "500-wrong-fields"}
    yield from _refused(
        stage, "500 wrong fields in Swedish", lambda: nobody.post("/tables", wrong, said)
    )
    if (
        sum(map(len, (line for line in stage.said().splitlines() if said["X-Request-ID"] in line)))
        > 2_000
    ):
        yield "500 wrong fields in Swedish: the log is flooded"


def greedy_spectator(stage: Stage, nobody: Client) -> Iterator[str]:
    """Open streams with one spectator's token until no more are given, then be somebody else."""
    table = nobody.table()
    watcher = table.join()
    path, beside = f"{API}/tables/{table.id}/events", stage.normal.table
    own = f"{API}/tables/{beside.id}/events"
    streams = _Streams()
    try:
        taken = sum(streams.open(watcher, path) for _ in range(STREAMS))
        if not streams.fall_to(STREAMS // 2):
            yield f"one spectator holds {streams.alive()} of {taken} streams"
        others = {
            "the host": table.host,
            "a seat": table.join(1, HOME),
            "the people beside": beside.host,
        }
        for name, client in others.items():
            if not streams.open(client, own if client is beside.host else path):
                yield f"{name} gets no stream"
    finally:
        streams.close()


class _Streams:
    def __init__(self) -> None:
        self._open: list[Any] = []

    def open(self, client: Client, path: str) -> bool:
        connection = http.client.HTTPConnection(
            "127.0.0.1", client.port, TIMEOUT, source_address=(client.address, 0)
        )
        headers = {"Authorization": f"Bearer {client.token}", "Accept": "text/event-stream"}
        try:
            connection.request("GET", path, headers=headers)
            # The answer takes it over.
            held = connection.sock
            answer = connection.getresponse()
        except OSError:
            connection.close()
            return False
        if answer.status != 200:
            connection.close()
            return False
        self._open.append((connection, answer, held))
        return True

    def alive(self) -> int:
        """Return how many the server has not ended."""
        return sum(not _ended(held) for *_, held in self._open)

    def fall_to(self, most: int) -> bool:
        """Wait until no more than so many are alive; return whether it comes to that."""
        until = time.monotonic() + TIMEOUT
        while self.alive() > most and time.monotonic() < until:
            time.sleep(0.1)
        return self.alive() <= most

    def close(self) -> None:
        for connection, answer, _ in self._open:
            answer.close()
            connection.close()


def _ended(stream: socket.socket) -> bool:
    stream.settimeout(0)
    with suppress(BlockingIOError):
        while data := stream.recv(65536):
            if data.endswith(b"0\r\n\r\n"):
                return True
        return True
    return False


def foreign_cards(stage: Stage, nobody: Client) -> Iterator[str]:
    """Lay out of turn what the deck lacks, then let a camera look."""
    table = nobody.table()
    table.open_round()
    made = table.post("/devices", {"name": "Eye", "kind": "camera"}).json
    camera = table.host.as_(made["token"])
    cards = ("wild-hold-hands", "purple-99", "red-7:heart", "moomin", "wild-shuffle-hands", "x")
    for seat in (4, 3, 1):
        for card in cards:
            laid = table.post("/moves", {"seat": seat, "move": "play", "card": card})
            if laid.status >= 500:
                yield f"{card} laid by seat {seat}: {laid.status}"
    for number, card in enumerate(("red-7", "blue-7", "green-7", "blue-2"), 1):
        seen = {
            "kind": "pile",
            "at": NOW,
            "number": number,
            "event": "placed",
            "cards": {card: 0.99},
        }
        answer = table.post("/observations", {**seen, "cards": {card: 0.99}}, camera)
        if answer.status >= 400:
            yield f"the camera sees {card}: {answer.status} {answer.data[:200]!r}"
    for path in ("", "/events", "/choices", "/scores", "/record", "/legal-moves", "/questions"):
        answer = table.get(path)
        if answer.status != 200:
            yield f"GET {path}: {answer.status}"


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


def foreign_answers(stage: Stage, nobody: Client) -> Iterator[str]:
    """Answer as seat 2 what a camera asks about the hand of seat 1."""
    table = nobody.table()
    table.open_round()
    camera = table.host.as_(table.post("/devices", {"name": "Eye", "kind": "camera"}).json["token"])
    other = table.join(2)
    # The round is over at once: the host says so, and everybody shows their hand.
    won = {
        "kind": "hand",
        "at": NOW,
        "seat": 1,
        "shown": [{"blue-8": 0.7, "blue-3": 0.29}],
    }
    table.post("/corrections", {"kind": "hand-count", "seat": 2, "count": 1})
    table.post("/moves", {"seat": 2, "move": "play", "card": "red-3", "uno": True})
    seen = table.post("/observations", won, camera)
    if seen.status != 201:
        yield f"the hand was not seen: {seen.data[:200]!r}"
    open_questions = table.get("/questions").json["items"]
    for question in open_questions:
        answer = table.post(f"/questions/{question['id']}/answers", {"option": 1}, other)
        if answer.status < 400:
            yield "seat 2 answers for the hand of seat 1"
    if not open_questions:
        yield "no question was asked"


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
    held = _mode(stage.folder / "referee.sqlite3")
    if held & 0o077:
        yield f"the database is {held:o}"


def _mode(path: os.PathLike[str]) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def proxied_metrics(stage: Stage, nobody: Client) -> Iterator[str]:
    """Ask for the metrics as a proxy on the same machine would pass it on."""
    near = Client(stage.port, address=HOME)
    for headers in (
        {"X-Forwarded-For": "9.9.9.9"},
        {"Forwarded": "for=9.9.9.9"},
        {"X-Real-IP": "9.9.9.9"},
        {"Via": "1.1 proxy"},
        {"Host": "referee.example"},
    ):
        answer = near.get("/metrics", headers)
        if answer.status == 200:
            yield f"metrics with {headers}"
    if near.get("/metrics").status != 200:
        yield "no metrics on the machine itself"


def strange_names(stage: Stage, nobody: Client) -> Iterator[str]:
    """Make seats whose names nobody can see, or tell from one another."""
    for names in (
        ["Ann", "\u200b\u200b"],
        ["Ann", "\u202e\u2066"],
        ["Ann", "\u3164"],
        ["Ann", "A\u200bnn"],
        ["Ann", "Ａｎｎ"],
        ["Ann", "ANN"],
        ["\u00c5sa", "A\u030asa"],
        ["Ann", "Bo\nhost"],
    ):
        yield from _refused(
            stage,
            repr(names),
            lambda names=names: nobody.post("/tables", {"ruleset": DECK, "seats": names}),  # type: ignore[misc]
        )


def errors_that_help(stage: Stage, nobody: Client) -> Iterator[str]:
    """Make an app developer's mistakes; the field and what is possible have to be named."""
    table = nobody.table()
    wrong = table.post("/rounds", {"dealer": 7, "opening": ["red-7"]})
    yield from _names("dealer 7", wrong, "dealer")
    table.open_round()
    laid = table.post("/moves", {"seat": 2, "move": "play", "card": "red 3"})
    if "red-3" not in laid.data.decode():
        yield f"card 'red 3': {laid.status} {laid.data[:300]!r}"
    deck = nobody.post("/tables", {"ruleset": "classic", "seats": list(PLAYERS)})
    yield from _names("ruleset 'classic'", deck, "ruleset", DECK)


def _names(what: str, answer: Answer, field: str, possible: str = "") -> Iterator[str]:
    if not answer.refused:
        yield f"{what}: {answer.status} {answer.data[:200]!r}"
        return
    errors = answer.json.get("errors", ())
    if [error["field"] for error in errors] != [field]:
        yield f"{what}: blames {errors}"
    if possible not in json.dumps(answer.json):
        yield f"{what}: does not say {possible}"


def photos_with_places(stage: Stage, nobody: Client) -> Iterator[str]:
    """Keep a photo that says where it was taken."""
    try:
        from PIL import Image
    except ImportError:
        return
    table = nobody.table()
    table.open_round()
    picture = Image.new("RGB", (320, 240), "white")
    exif = picture.getexif()
    exif[0x010E] = "SECRET-PLACE"
    exif.get_ifd(0x8825)[1] = "N"
    data = io.BytesIO()
    picture.save(data, "JPEG", exif=exif)
    sent = {"Content-Type": "image/jpeg"}
    answer = table.host.send(
        "POST", f"/tables/{table.id}/photos?seat=1&keep=true", data.getvalue(), {**JSON, **sent}
    )
    if answer.status == 503:
        return
    kept = table.get("/photos")
    if kept.status == 200:
        for one in kept.json.get("items", ()):
            photo = table.get(f"/photos/{one['id']}")
            if b"SECRET-PLACE" in photo.data:
                yield "a kept photo says where it was taken"


STRIKES: tuple[Strike, ...] = (
    monstrous_bodies,
    greedy_spectator,
    foreign_cards,
    heavy_records,
    foreign_answers,
    crowd_of_codes,
    secrets_in_the_log,
    proxied_metrics,
    strange_names,
    errors_that_help,
    photos_with_places,
)
