"""Exported records replay without a failed expectation, and are the same game when imported."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.cli import main
from tests.api.conftest import Seat, imported, open_table
from tests.rules.simulation import RULESETS, Simulation

Json = dict[str, Any]
MOVES = 120


def illegal(record: Json) -> list[Json]:
    """Return the illegal moves of a record."""
    moves = [move for played in record["rounds"] for move in played.get("moves", ())]
    return [move for move in moves if "expect" in move]


def check_export(host: Seat, folder: Path, game: int | None = None) -> Json:
    """Export a game, replay the file as people do, and import it; return the record.

    ``game`` is an earlier one of the table's games.
    """
    query = f"?game={game}" if game else ""
    exported: Json = host.get(f"/record{query}").get_json()
    file = folder / "evening.json"
    file.write_text(json.dumps(exported), encoding="utf-8")
    assert main(["replay", "--quiet", str(file)]) == 0
    copy = imported(host.client, exported)
    if game is None:
        assert copy.state() == host.state()
    assert copy.get("/record").get_json() == exported
    # A record holds one of the table's games.
    sheets = [copy.get("/scores"), host.get(f"/scores{query}")]
    of_copy, of_host = (sheet.get_json() | {"game": 1} for sheet in sheets)
    assert of_copy == of_host
    return exported


@pytest.mark.parametrize("ruleset", RULESETS)
def test_illegal_moves_are_expected(client: FlaskClient, ruleset: str, tmp_path: Path) -> None:
    game = Simulation(ruleset, 1)
    game.illegal_chance = 0.3
    game.play(MOVES)
    ruled = sum(n for name, n in game.tally.rulings.items() if name.startswith("illegal"))
    exported = check_export(imported(client, game.record), tmp_path)
    assert len(illegal(exported)) == ruled > 10
    for move in illegal(exported):
        assert move["expect"]["verdict"] == "illegal"
        assert move["expect"]["rule"]


def test_nothing_of_a_broken_round_is_exported_as_a_result(
    client: FlaskClient, tmp_path: Path
) -> None:
    host = open_table(client)
    host.post("/corrections", {"kind": "hand-count", "seat": 2, "count": 2})
    host.move(2, "play", card="red-1")
    assert host.move(3, "catch", accused=2)["ruling"]["verdict"] == "legal"
    host.post("/corrections", {"kind": "break-off"})
    host.post("/rounds", {"result": {"out": 2, "hands": {"1": 5, "3": 6}}})
    host.post("/corrections", {"kind": "break-off"})
    check_export(host, tmp_path)
    sheet = host.get("/scores").get_json()
    assert (sheet["rounds"], sheet["caught"], sheet["scores"]) == ([], [], [0, 0, 0])


def test_overruled_moves_and_corrections_are_expected(client: FlaskClient, tmp_path: Path) -> None:
    host = open_table(client)
    host.move(2, "play", card="blue-3")
    host.post("/corrections", {"kind": "overrule", "verdict": "legal"})
    host.move(3, "play", card="blue-4")
    host.post("/corrections", {"kind": "overrule", "verdict": "illegal"})
    host.move(1, "draw")
    host.post("/corrections", {"kind": "hand-count", "seat": 2, "count": 3})
    exported = check_export(host, tmp_path)
    rules = [(move["move"], move["expect"]["rule"]) for move in illegal(exported)]
    assert rules == [("play", "host.ruling"), ("draw", "turn.order")]
