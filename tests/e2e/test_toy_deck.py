"""Decks added as one folder, played over HTTP: the server is only told where they lie."""

from pathlib import Path

import requests

from tests.e2e.server import PATIENCE, Server
from tests.examples.playing import Host

TESTS = Path(__file__).parents[1]


def test_a_toy_deck_is_played_over_http(tmp_path: Path) -> None:
    with Server(tmp_path / "toy.sqlite3", "--variants", str(TESTS / "toy_deck")) as server:
        api = f"{server.url}/api/v1"
        listed = requests.get(f"{api}/rulesets", timeout=PATIENCE).json()["items"]
        assert "toy-leap" in [ruleset["id"] for ruleset in listed]
        host = Host(server, {"ruleset": "toy-leap", "seats": [*"ABCD"], "options": {}})
        begun = host.open({"opening": ["red-3"], "dealer": 1})
        assert begun["state"]["hands"] == [4, 4, 4, 4]
        assert begun["state"]["draw_pile"] == 52 - 16 - 1
        leapt = host.move({"seat": 2, "move": "play", "card": "red-leap"})
        assert leapt["ruling"]["rule"] == "card.leap"
        assert leapt["state"]["turn"] == 1
        unknown = host.move({"seat": 1, "move": "play", "card": "red-7"})
        assert unknown["ruling"]["rule"] == "deck.unknown"
        record = host.get("/record").json()
        replayed = requests.post(f"{api}/records/replay", json=record, timeout=PATIENCE).json()
        assert replayed["state"] == unknown["state"]


def test_a_deck_with_two_sides_is_played_over_http(tmp_path: Path) -> None:
    with Server(tmp_path / "toy.sqlite3", "--variants", str(TESTS / "toy_flip")) as server:
        api = f"{server.url}/api/v1"
        host = Host(server, {"ruleset": "toy-flip", "seats": [*"ABC"], "options": {}})
        begun = host.open({"opening": ["red-3"], "dealer": 1})
        assert begun["state"]["draw_pile"] == 52 - 15 - 1
        turned = host.move({"seat": 2, "move": "play", "card": "red-flip"})
        assert turned["state"]["top"] == "red-flop"
        assert {"event": "turned-over", "card": "red-flop"}.items() <= next(
            event for event in turned["events"] if event["event"] == "turned-over"
        ).items()
        light = host.move({"seat": 3, "move": "play", "card": "red-1"})
        assert light["ruling"]["rule"] == "card.flip"
        assert light["ruling"]["text"] == "The red 1 is on the side that is down now."
        record = host.get("/record").json()
        replayed = requests.post(f"{api}/records/replay", json=record, timeout=PATIENCE).json()
        assert replayed["state"] == light["state"]
