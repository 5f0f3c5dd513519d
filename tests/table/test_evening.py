"""A whole evening at one table, over HTTP with a server of its own: nothing is lost.

The cards are real ones, dealt here and never shown to the referee; the points are counted on paper.
"""

import csv
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.demo.http.spectator import Spectator
from tests.e2e.server import Server
from tests.table.evening import Evening, Paper
from tests.table.phones import API, Json, Phone, open_table
from tests.table.real_cards import worth

NAMES = ["Ann", "Bo", "Cy", "Dot"]
LONG, SHORT = {"target": 100_000}, {"scoring": "low", "target": 60}
TAKEOVER = "1"
PATIENCE = 60.0
DECKS = ("classic-112", "power-grab")
ALL_DECKS = ("classic-108", "classic-112", "moomin", "power-grab", "color-powers")
SEEDS = range(1, 7)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    # A busy machine takes its time to start a server again.
    monkeypatch.setattr("referee.demo.http.spectator.PATIENCE", PATIENCE)
    env = {"REFEREE_TAKEOVER_SECONDS": TAKEOVER}
    # Phones and streams find it again after a restart.
    with Server(tmp_path / "evening.sqlite3", env=env, stays=True) as running:
        yield running


@pytest.mark.parametrize("ruleset", DECKS)
def test_a_whole_evening(server: Server, tmp_path: Path, ruleset: str) -> None:
    play_evening(server, tmp_path, ruleset, 1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ruleset", ALL_DECKS)
def test_many_evenings(server: Server, tmp_path: Path, ruleset: str, seed: int) -> None:
    play_evening(server, tmp_path, ruleset, seed + 1)


def play_evening(server: Server, folder: Path, ruleset: str, seed: int) -> None:
    """Play two games with everything that may happen at a table."""
    scoring = {"scoring": "winner"} if ruleset == "moomin" else {}
    options = {**LONG, **scoring}
    phones = open_table(server.url, {}, ruleset, NAMES, options)
    table = Evening(ruleset, seed, NAMES, options, phones)
    spectator = Spectator(server.url, table.host.table, table.watcher.token)
    spectator.start()
    misdeal_and_leave(table)
    people_change(table)
    keep_score_only(table)
    cy_comes_back_and_the_server_dies(table, server)
    host_is_lost(table, server)
    end_early(table)
    first = table.paper
    play_another_game(table, server)
    told_in_order(spectator, table)
    table.check_log()
    check_files(table, folder, first)
    forget_nothing(table, server)


def misdeal_and_leave(table: Evening) -> None:
    """A misdeal; then a round with corrections in which Cy leaves, and a hand cannot be shown."""
    dealer = table.rng.choice(table.order)
    table.deal(dealer)
    table.play(4)
    table.misdeal()
    table.deal(None)
    assert table.host.get()["dealer"] == dealer
    table.play_until(table.quiet)
    while not table.lay_wrong():
        assert table.quiet() or table.play_until(table.quiet)
    for _ in range(3):
        table.step()
    table.find_wrong()
    table.play(3)
    table.undo_and_redo(1)
    table.undo_and_redo(len(table.past))
    table.undo(2)
    table.play(2)
    table.take_own_entry_back()
    assert table.play_until(table.quiet)
    table.leave(3)
    table.play_until(lambda: False)
    shown = [seat for seat in table.order if seat != table.state["round_winner"]]
    table.show_hands(unknown=shown[0], points=shown[1])


def people_change(table: Evening) -> None:
    """Eve joins with points, Bo takes another name, the order changes."""
    table.phones[2].refused("POST", "/seats", {"name": "Eve"})
    eve = table.join("Eve", place=2, points=15)
    assert eve == 5
    table.rename(2, "Bob")
    table.phones[4].refused("PATCH", "/seats/2", {"name": "Bobby"})
    table.arrange([1, 2, 5, 4])


def keep_score_only(table: Evening) -> None:
    """One round without moves: cards, points, and a hand nobody knows, which turns up later."""
    table.host.do("PUT", "/mode", {"mode": "score"})
    due = table.host.get()["next_dealer"]
    table.cards.seat_down(tuple(table.order))
    table.cards.deal()
    out, shown, counted, unknown = table.rng.sample(table.order, 4)
    cards = list(table.cards.hand(shown))
    hands: Json = {str(shown): cards, str(counted): table.cards.points(counted)}
    result: Json = {"out": out, "hands": {**hands, str(unknown): None}}
    table.phones[due].refused("POST", "/rounds", {"result": result})
    entry = table.host.do("POST", "/rounds", {"result": result})
    assert entry["dealer"] == due
    known = {shown: sum(worth(card) for card in cards), counted: table.cards.points(counted)}
    table.write(out, {**known, unknown: 0})
    table.check_sheet()
    result["hands"][str(unknown)] = table.cards.points(unknown)
    table.correct(table.host, {"kind": "result", "result": result})
    table.paper.rounds[-1] = table.counted(out, {**known, unknown: table.cards.points(unknown)})
    table.check_sheet()
    table.host.do("PUT", "/mode", {"mode": "referee"})


def cy_comes_back_and_the_server_dies(table: Evening, server: Server) -> None:
    """Cy is back with the old points; kill -9 in the middle of the round."""
    table.come_back(3, place=3)
    table.deal(None)
    table.play(6)
    last = table.step()
    key = "the-answer-was-lost"
    sent = {"kind": "hand-count", "seat": table.order[0], "count": 99}
    before = table.host.send("POST", "/corrections", sent, key)
    server.kill()
    server.start()
    assert table.host.send("POST", "/corrections", sent, key).status == before.status == 409
    version = table.host.get()["version"]
    assert (version, table.host.get()["state"]) == (last["id"], table.state)
    table.undo_and_redo(3)
    table.play(5)


def host_is_lost(table: Evening, server: Server) -> None:
    """The host's phone is gone: Bob asks, the others agree, and the server dies meanwhile."""
    lost, bob = table.host, table.phones[2]
    old = bob_asks(table)
    server.kill()
    server.start()
    until(lambda: hosting(bob) == [2])
    table.host = bob
    own = bob.get("/tokens/self")["id"]
    for method, path in (
        ("DELETE", "/seats/2/host"),
        ("DELETE", f"/tokens/{own}"),
        ("POST", f"/tokens/{own}/rotation"),
    ):
        lost.refused(method, path)
    bob.do("DELETE", f"/tokens/{old}")
    assert lost.send("GET", "").status == 401
    table.play_until(lambda: False)
    table.show_hands()


def bob_asks(table: Evening) -> str:
    """Ask to become a host, and agree; return the id of the old host's token."""
    lost, bob = table.host, table.phones[2]
    old: str = lost.get("/tokens/self")["id"]
    bob.refused("GET", "/tokens")
    bob.do("POST", "/host-request")
    table.watcher.refused("POST", "/host-request/agreements")
    asking = bob.get()["host_request"]
    for seat in table.order:
        if seat != 2 and asking["missing"]:
            table.phones[seat].do("POST", "/host-request/agreements")
            asking = bob.get()["host_request"] or {"missing": 0}
    return old


def end_early(table: Evening) -> None:
    """End the game in the middle of a round: what stands decides."""
    table.deal(None)
    table.play(5)
    standing = [number for number in table.of_round if number not in table.marks]
    ended = table.host.do("POST", "/games/end")
    broken = next(e for e in reversed(table.host.entries()) if e["kind"] == "corrected")
    assert sorted(deed["id"] for deed in broken["fell"]) == standing
    table.marks |= dict.fromkeys(standing, broken["id"])
    best = max(table.scores())
    winners = [seat for seat, score in enumerate(table.scores(), 1) if score == best]
    assert won(ended["state"]) == winners
    table.check_sheet()


def play_another_game(table: Evening, server: Server) -> None:
    """A rematch with the same phones, in which the operator lets another host in."""
    table.host.refused("POST", "/rounds", {"opening": ["red-7"]})
    table.host.do("POST", "/games", {"options": SHORT})
    table.begin(SHORT)
    assert table.state["scores"] == [0] * len(table.names)
    table.check_people()
    table.deal(None)
    table.play(4)
    given = admin(server, "host", table.host.table, "--name", "Zoe")
    gone = table.host
    table.host = Phone(server.url, gone.table, given["token"], table.acknowledged)
    table.host.do("DELETE", "/seats/2/host")
    gone.refused("POST", "/corrections", {"kind": "break-off"})
    table.undo_and_redo(2)
    while table.state["winner"] is None:
        if table.state["turn"] is None:
            table.deal(None)
        table.play_until(lambda: False)
        table.show_hands()
    low = min(table.paper.total(seat) for seat in table.order)
    winners = sorted(seat for seat in table.order if table.paper.total(seat) == low)
    assert won(table.state) == winners
    assert max(table.scores()) >= SHORT["target"]


def won(state: Json) -> list[int]:
    """Return who has won, several in a tie."""
    winner = state["winner"]
    return sorted(winner) if isinstance(winner, list) else [winner]


def admin(server: Server, *words: str) -> Json:
    """Run an operator's command beside the server."""
    command = [sys.executable, "-m", "referee", "admin", *words, "--json"]
    env = {**os.environ, "REFEREE_DATABASE": str(server.database)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    found: Json = json.loads(done.stdout)
    return found


def hosting(phone: Phone) -> list[int]:
    return [one["seat"] for one in phone.get()["seats"] if one["host"]]


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it does not come to hold"
        time.sleep(0.05)


def told_in_order(spectator: Spectator, table: Evening) -> None:
    """The stream of somebody who watched brought every entry once and in order."""
    version = table.host.get()["version"]
    spectator.wait_for(version)
    seen = spectator.seen
    assert [entry["id"] for entry in seen] == list(range(1, version + 1))
    for told, kept in zip(seen, table.watcher.entries(), strict=True):
        for name in ("kind", "at", "by", "round", "number", "state", "change", "seats", "result"):
            assert told.get(name) == kept.get(name), (told["id"], name)
    token = table.watcher.get("/tokens/self")["id"]
    table.host.do("DELETE", f"/tokens/{token}")
    spectator.check_ended()


def check_files(table: Evening, folder: Path, first: Paper) -> None:
    """The files of both games open and name everybody; the records replay and can be imported."""
    names = [table.names[seat] for seat in sorted(table.names)]
    games = table.host.get("/games")["items"]
    papers = {1: first, 2: table.paper}
    assert [game["game"] for game in games] == [1, 2]
    for game in games:
        number, paper = game["game"], papers[game["game"]]
        wanted = [paper.total(seat) for seat in sorted(table.names)]
        sheet = table.host.get(f"/scores?game={number}")
        assert (sheet["seats"], sheet["scores"]) == (names, wanted)
        rows = list(csv.reader(io.StringIO(table.host.get(f"/scores.csv?game={number}"))))
        assert all(any(name in cell for row in rows for cell in row) for name in names), rows
        picture = ElementTree.fromstring(table.host.get(f"/scores.svg?game={number}"))
        drawn = " ".join(picture.itertext())
        assert all(name in drawn for name in names)
        record = table.host.get(f"/record?game={number}")
        file = folder / f"game-{number}.json"
        file.write_text(json.dumps(record), encoding="utf-8")
        command = [sys.executable, "-m", "referee", "replay", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        assert "FAIL" not in done.stdout
        copy = table.host.do("POST", f"{API}/records", record)
        again = Phone(table.host.server, copy["table"]["id"], copy["token"], {})
        assert again.get("/record") == record
        assert {**again.get("/scores"), "game": number} == sheet
        if number == len(games):
            assert again.get()["state"] == table.host.get()["state"]


def forget_nothing(table: Evening, server: Server) -> None:
    """Another server on the same file knows all that this one knows."""
    paths = ["", "/scores?game=1", "/scores", "/record?game=1", "/record", "/audit", "/tokens"]
    before = [table.host.get(path) for path in paths]
    log = table.phones[2].entries()
    server.stop()
    server.start()
    assert [table.host.get(path) for path in paths] == before
    assert table.phones[2].entries() == log
    table.check_log()
