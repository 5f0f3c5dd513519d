"""A sixth deck, added as one folder, played over HTTP: the server is only told where it lies."""

from pathlib import Path
from typing import Any

import requests

from tests.e2e.server import Server

DECK = Path(__file__).parents[1] / "toy_deck"


def test_a_toy_deck_is_played_over_http(tmp_path: Path) -> None:
    with Server(tmp_path / "toy.sqlite3", "--variants", str(DECK)) as server:
        api = f"{server.url}/api/v1"
        listed = requests.get(f"{api}/rulesets", timeout=10).json()["items"]
        assert "toy-leap" in [ruleset["id"] for ruleset in listed]
        new = {"ruleset": "toy-leap", "seats": ["Ann", "Bo", "Cy", "Di"]}
        made = requests.post(f"{api}/tables", json=new, timeout=10).json()
        table = f"{api}/tables/{made['table']['id']}"
        headers = {"Authorization": f"Bearer {made['token']}"}

        def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
            answer = requests.post(f"{table}{path}", json=body, headers=headers, timeout=10)
            assert answer.status_code == 201, answer.text
            return dict(answer.json())

        begun = post("/rounds", {"opening": ["red-3"], "dealer": 1})
        assert begun["state"]["hands"] == [4, 4, 4, 4]
        assert begun["state"]["draw_pile"] == 52 - 16 - 1
        leapt = post("/moves", {"seat": 2, "move": "play", "card": "red-leap"})
        assert leapt["ruling"]["rule"] == "card.leap"
        assert leapt["state"]["turn"] == 1
        unknown = post("/moves", {"seat": 1, "move": "play", "card": "red-7"})
        assert unknown["ruling"]["rule"] == "deck.unknown"
        for card in ("red-1", "red-2", "red-4"):
            post("/moves", {"seat": 1, "move": "play", "card": card})
            for seat in (2, 3, 4):
                post("/moves", {"seat": seat, "move": "draw"})
                post("/moves", {"seat": seat, "move": "pass"})
        post("/moves", {"seat": 1, "move": "uno"})
        out = post("/moves", {"seat": 1, "move": "play", "card": "red-5"})
        assert out["state"]["round_winner"] == 1
        # seat 2 holds 3 + 3 cards, seats 3 and 4 hold 4 + 3
        blues = ["blue-1", "blue-2", "blue-3", "blue-4", "blue-5", "blue-leap", "blue-leap"]
        greens = [card.replace("blue", "green") for card in blues]
        yellows = [card.replace("blue", "yellow") for card in blues]
        for seat, hand in ((2, blues[1:]), (3, greens), (4, yellows)):
            shown = post("/moves", {"seat": seat, "move": "reveal", "hand": hand})
            assert shown["ruling"]["verdict"] == "legal", shown["ruling"]
        assert shown["state"]["scores"] == [44 + 45 + 45, 0, 0, 0]
        record = requests.get(f"{table}/record", headers=headers, timeout=10).json()
        replayed = requests.post(f"{api}/records/replay", json=record, timeout=10).json()
        assert replayed["state"]["scores"] == [134, 0, 0, 0]
