"""The score sheet by round, with catches, as CSV and as SVG."""

import csv
import io
from typing import Any
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.api.scoresheet import draw_sheet
from referee.api.scoresheet.chart import step
from referee.api.scoresheet.podium import on_steps, ranking
from referee.rules.records.record import FORMAT
from referee.service.log.caught_players import CHALLENGE, caught_by
from referee.texts import languages
from tests.api.conftest import Seat, imported, open_table
from tests.api.reloaded import reloaded
from tests.examples.playing import recorded

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def over(client: FlaskClient) -> Seat:
    """A game that Ann won with 90 points in its only round."""
    return imported(client, recorded("classic-112-custom-cards"))


def lines(host: Seat, query: str = "") -> list[list[str]]:
    answer = host.get(f"/scores.csv{query}")
    assert answer.status_code == 200
    assert answer.mimetype == "text/csv"
    return list(csv.reader(io.StringIO(answer.get_data().decode("utf-8-sig"))))


def words(host: Seat, query: str = "") -> list[str]:
    answer = host.get(f"/scores.svg{query}")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    return [
        element.text or "" for element in ElementTree.fromstring(answer.text).iter(f"{SVG}text")
    ]


def caught(host: Seat) -> list[tuple[str, int, int, bool]]:
    found = host.get("/scores").get_json()["caught"]
    return [(one["rule"], one["by"], one["of"], one["right"]) for one in found]


def test_catches_and_challenges_are_told_with_who_was_right(client: FlaskClient) -> None:
    # In the records: 3 catches 2 there, and here 3 is right in doubting the wild draw four of 2.
    assert caught(imported(client, recorded("power-grab-towers"))) == [("uno.catch", 3, 2, True)]
    assert caught(imported(client, recorded("moomin-wild-tales"))) == [("challenge", 3, 2, True)]


def test_a_lost_challenge_is_told_as_lost(host: Seat) -> None:
    host.move(2, "play", card="wild-draw-four", color="blue")
    host.move(3, "challenge")
    host.move(2, "reveal", hand=["blue-1"] * 2 + ["green-3"] * 2 + ["yellow-4"] * 2)
    assert caught(host) == [("challenge", 3, 2, False)]
    host.post("/corrections", {"kind": "undo"})
    assert caught(host) == []


def test_a_correction_and_a_restart_keep_who_caught_whom(app: Flask) -> None:
    host = imported(app.test_client(), recorded("power-grab-towers"))
    before = caught(host)
    assert before
    count = {"kind": "hand-count", "seat": 1, "count": 4}
    assert host.post("/corrections", count).status_code == 201
    assert caught(host) == before
    reloaded(app, host)


def test_nothing_but_a_catch_or_a_shown_hand_is_a_catch() -> None:
    assert caught_by(1, {"move": "catch", "seat": 1, "accused": 2}, False, ()) is None
    assert caught_by(1, {"move": "play", "seat": 1}, True, ()) is None
    # Shown to all at the end of a round, not to a challenger.
    shown = {"event": "revealed", "seat": 1, "hand": [], "to": None}
    assert caught_by(1, {"move": "reveal", "seat": 1}, True, [shown]) is None


def test_the_table_has_a_line_a_round_and_the_totals(over: Seat) -> None:
    assert lines(over) == [
        ["Round", "Dealer", "Went out", "Ann", "Bo", "Cy"],
        ["1", "Ann", "Ann", "90", "0", "0"],
        ["Total", "", "", "90", "0", "0"],
    ]
    assert lines(over, "?lang=fi")[0][:3] == ["Erä", "Jakaja", "Erän voittaja"]


def test_a_name_is_no_formula(client: FlaskClient) -> None:
    host = open_table(client, names=("=1+1", 'A "B", C', "Cy"), opening=None)
    assert lines(host)[0][3:] == ["'=1+1", 'A "B", C', "Cy"]


def test_the_picture_says_who_has_won_in_the_readers_language(over: Seat) -> None:
    said = words(over)
    assert "Ann wins the game." in said
    assert "1 round played · Playing to 50" in said
    assert said.index("Ann") < said.index("Bo")
    told = {lang: words(over, f"?lang={lang}") for lang in languages()}
    assert "Ann gewinnt das Spiel." in told["de"]
    assert not [lang for lang, texts in told.items() if lang != "en" and {*said} <= {*texts}]


def sheet_of(scores: list[int], rounds: int, winner: object, **more: Any) -> dict[str, Any]:
    """Return a score sheet as the server tells it, of so many rounds."""
    played = [{"scores": scores, "points": scores}] * rounds
    names = [f"Player {seat}" for seat in range(1, len(scores) + 1)]
    return {
        "seats": names,
        "scores": scores,
        "rounds": played,
        "winner": winner,
        "target": 500,
        "scoring": "standard",
        "caught": [],
        "options": {},
        **more,
    }


def drawn(sheet: dict[str, Any]) -> tuple[list[str], int]:
    """Return the texts of a sheet's picture and the number of its courses."""
    picture = ElementTree.fromstring(draw_sheet(sheet, "Deck", lambda key, **_: key))
    texts = [element.text or "" for element in picture.iter(f"{SVG}text")]
    return texts, len(list(picture.iter(f"{SVG}polyline")))


def test_the_places_are_by_points_and_equals_share_one() -> None:
    sides = ranking(sheet_of([40, 90, 40, 7], 2, None))
    assert [(side.seats[0], side.place) for side in sides] == [(2, 1), (1, 2), (3, 2), (4, 4)]
    assert on_steps(sides) == 3
    # Two more would be third.
    assert on_steps(ranking(sheet_of([40, 90, 7, 7], 2, None))) == 2
    assert on_steps(ranking(sheet_of([0] * 5, 2, None))) == 0
    both = ranking(sheet_of([40, 90, 70], 2, [1, 3]))
    assert [(one.seats[0], one.place) for one in both] == [(3, 1), (1, 1), (2, 3)]
    few = ranking(sheet_of([40, 90, 12], 2, 3, scoring="low"))
    assert [(one.seats[0], one.won) for one in few] == [(3, True), (1, False), (2, False)]
    late = sheet_of([40, 90, 0], 1, 2) | {"rounds": [{"points": [40, 90, None]}]}
    assert [one.name for one in ranking(late)] == ["Player 2", "Player 1"]
    together = ranking(sheet_of([40, 90, 70, 1], 2, None, options={"teams": [[1, 3], [2, 4]]}))
    assert [(one.name, one.points) for one in together] == [
        ("Player 1 + Player 3", 110),
        ("Player 2 + Player 4", 91),
    ]


def test_nothing_that_says_nothing_is_drawn() -> None:
    texts, courses = drawn(sheet_of([40, 90], 1, 2))
    assert courses == 0
    assert not {"uno", "right", "wrong"} & {*texts}
    catch = {"rule": CHALLENGE, "by": 1, "of": 2, "right": False}
    assert {"2. Player 1", "2. Player 3"} <= {*drawn(sheet_of([40, 90, 40, 40], 2, 2))[0]}
    texts, courses = drawn(sheet_of([40, 90], 2, 2, caught=[catch]))
    assert courses == 2
    assert {"uno", "right", "wrong"} & {*texts} == {"wrong"}


def test_without_points_only_the_winner_has_a_place() -> None:
    texts, _ = drawn(sheet_of([0, 0, 0], 1, 2))
    assert "Player 2" in texts
    assert not {"0", "2. Player 1", "2. Player 3"} & {*texts}


@pytest.mark.parametrize("seats", [2, 10])
def test_names_stay_text_in_the_picture(client: FlaskClient, seats: int) -> None:
    # An old record may hold names that are refused at a new table.
    names = ["<b>&", "Ann\u0007", *(f"Player number {n}" for n in range(3, seats + 1))]
    record = {"format": FORMAT, "ruleset": "classic-108", "seats": names, "rounds": []}
    host = imported(client, record)
    said = words(host)
    assert {"<b>&", "Ann", "No round is over yet."} <= {*said}
    assert len([text for text in said if text == "0"]) == seats


def test_a_picture_and_a_table_are_for_who_is_at_the_table(over: Seat) -> None:
    stranger = Seat(over.client, None, over.table)
    for path in ("/scores.csv", "/scores.svg"):
        assert stranger.get(path).status_code == 401
        assert over.get(path).headers["Content-Disposition"].endswith(f'"{path[1:]}"')


@pytest.mark.parametrize(
    ("most", "distance"), [(1, 1), (5, 1), (6, 2), (23, 5), (90, 20), (250, 50), (501, 200)]
)
def test_the_lines_behind_a_chart_are_round_numbers(most: int, distance: int) -> None:
    assert step(most) == distance
