"""Sensor boards: moves made by moving towers, discrepancies and repeated observations."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.service.reconcile import unit_of_work as work
from tests.api.conftest import Seat, imported, open_table
from tests.api.reloaded import reloaded
from tests.api.test_writes import problem

AT = "2026-11-21T10:00:00.000+00:00"
IN_THE_TRAY = {"U": 0, "N": 0, "O": 0, "!": 0}


@dataclass
class Board(Seat):
    """A registered sensor board."""

    id: str = ""

    def sees(self, powers: dict[str, Any], **more: Any) -> dict[str, Any]:
        headers = more.pop("headers", {})
        body = {"kind": "powers", "at": AT, "powers": powers} | more
        return self.create("/observations", body, **headers)


def add_board(host: Seat, name: str = "Board") -> Board:
    body = host.create("/devices", {"name": name, "kind": "board"})
    return Board(host.client, body["token"], host.table, id=body["device"])


def wrong(host: Seat) -> dict[str, tuple[str, Any, int]]:
    """Return the discrepancies by power: kind, actual place, expected place."""
    found = host.get().get_json()["discrepancies"]
    assert all(item["text"] for item in found)
    return {item["power"]: (item["kind"], item["is"], item["should"]) for item in found}


def moves(host: Seat) -> list[tuple[int, str, str]]:
    items = host.get("/events?limit=200").get_json()["items"]
    return [
        (item["move"]["seat"], item["move"]["move"], item["by"]["role"])
        for item in items
        if item["kind"] == "moved"
    ]


@pytest.fixture
def game(client: FlaskClient) -> Seat:
    """Power Grab; Ann dealt and Bo begins on red."""
    return open_table(client, "power-grab")


@pytest.fixture
def board(game: Seat) -> Board:
    board = add_board(game)
    assert board.sees(IN_THE_TRAY)["meaning"] == "agrees"
    return board


@pytest.mark.parametrize(
    "at",
    [
        "1970-01-01T00:00:07.000+00:00",
        "2038-01-19T03:14:07.000+00:00",
        "0001-01-01T00:00:00.000+00:00",
        "9999-12-31T23:59:59.999+00:00",
    ],
)
def test_a_time_that_cannot_be_is_replaced_and_told(game: Seat, board: Board, at: str) -> None:
    game.move(2, "play", card="red-3:U")
    before = datetime.now(UTC) - timedelta(seconds=1)
    seen = board.sees({"U": 2}, at=at)
    assert seen["meaning"] == "agrees"
    assert wrong(game) == {}
    said = seen["observation"]
    assert datetime.fromisoformat(said["said_at"]) == datetime.fromisoformat(at)
    assert before <= datetime.fromisoformat(said["at"]) <= datetime.now(UTC)


def test_a_time_that_can_be_stays(game: Seat, board: Board) -> None:
    for minutes in (-9, 9):
        at = datetime.now(UTC) + timedelta(minutes=minutes)
        seen = board.sees({"U": 0}, at=at.isoformat())["observation"]
        assert seen["at"] == at.isoformat(timespec="milliseconds")
        assert "said_at" not in seen


def test_only_the_server_says_that_it_replaced_a_time(game: Seat, board: Board) -> None:
    body = {"kind": "powers", "at": AT, "said_at": AT, "powers": {"U": 0}}
    assert board.post("/observations", body).status_code == 422


def test_a_tower_of_an_icon_has_to_be_moved_and_then_all_is_well(game: Seat, board: Board) -> None:
    played = game.move(2, "play", card="red-3:U")
    assert played["state"]["powers"]["U"] == 2
    assert wrong(game) == {"U": ("to-move", 0, 2)}
    assert played["discrepancies"] == game.get().get_json()["discrepancies"]
    assert played["discrepancies"][0]["text"] == "Move tower U to Bo."
    assert board.sees({"U": "lifted"})["meaning"] == "discrepancy"
    assert wrong(game) == {"U": ("lifted", "lifted", 2)}
    seen = board.sees({"U": 2})
    assert (seen["meaning"], seen["discrepancies"]) == ("agrees", [])
    assert seen["announcements"] == ["Everything stands where it belongs."]
    assert wrong(game) == {}
    assert game.get().get_json()["sensed"] == {**IN_THE_TRAY, "U": 2}


def test_a_tower_moved_wrongly_is_said_until_it_is_put_right(game: Seat, board: Board) -> None:
    seen = board.sees({"N": 3})
    assert seen["meaning"] == "discrepancy"
    assert seen["announcements"] == ["Wrongly at Cy's place: tower N. Put it back beside the tray."]
    assert wrong(game) == {"N": ("misplaced", 3, 0)}
    # Play goes on, and the discrepancy with it.
    played = game.move(2, "play", card="red-4")
    assert played["ruling"]["verdict"] == "legal"
    assert played["discrepancies"][0]["power"] == "N"
    assert wrong(game) == {"N": ("misplaced", 3, 0)}
    board.sees({"N": "lifted"})
    assert board.sees({"N": 0})["meaning"] == "agrees"
    assert wrong(game) == {}
    assert game.state()["powers"] == IN_THE_TRAY


def test_the_choice_of_two_towers_is_made_by_moving_them(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-take-two-towers")
    assert game.state()["awaiting"] == [{"seat": 2, "need": "powers"}]
    assert board.sees({"U": "lifted"})["meaning"] == "lifted"
    assert wrong(game) == {}
    assert board.sees({"U": 2})["meaning"] == "choosing"
    assert wrong(game) == {}
    last = board.sees({"O": 2})
    assert last["meaning"] == "settled"
    state = game.state()
    assert state["powers"] == {"U": 2, "N": 0, "O": 2, "!": 0}
    assert state["turn"] == 3
    entry = game.get(f"/events?after={last['id']}").get_json()["items"][0]
    assert entry["kind"] == "moved"
    assert entry["move"] == {"seat": 2, "move": "powers", "powers": ["U", "O"]}
    assert (entry["by"]["role"], entry["cause"]) == ("device", last["id"])
    assert wrong(game) == {}


def test_one_tower_of_two_is_the_choice_once_the_next_player_plays(
    game: Seat, board: Board
) -> None:
    game.move(2, "play", card="red-take-two-towers")
    board.sees({"N": 2})
    played = game.move(3, "play", card="red-9")
    assert played["ruling"]["verdict"] == "legal"
    assert game.state()["powers"]["N"] == 2
    assert moves(game) == [(2, "play", "seat"), (2, "powers", "device"), (3, "play", "seat")]


def test_a_play_out_of_turn_does_not_end_the_choice(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-take-two-towers")
    board.sees({"N": 2})
    assert game.move(1, "play", card="red-9")["ruling"]["verdict"] == "illegal"
    assert game.state()["awaiting"] == [{"seat": 2, "need": "powers"}]
    assert board.sees({"!": 2})["meaning"] == "settled"


def test_with_no_tower_moved_the_choice_is_still_awaited(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-take-two-towers")
    played = game.move(3, "play", card="red-9")
    assert played["ruling"]["verdict"] == "illegal"
    assert game.state()["awaiting"] == [{"seat": 2, "need": "powers"}]


def test_towers_moved_before_the_card_was_said_are_its_choice(game: Seat, board: Board) -> None:
    board.sees({"U": 2})
    assert wrong(game) == {"U": ("ahead", 2, 0)}
    board.sees({"O": 2})
    game.move(2, "play", card="red-take-two-towers")
    assert game.state()["powers"] == {"U": 2, "N": 0, "O": 2, "!": 0}
    assert wrong(game) == {}


def test_more_towers_than_the_card_allows_settle_nothing(game: Seat, board: Board) -> None:
    for tower in ("U", "N", "O"):
        board.sees({tower: 2})
    game.move(2, "play", card="red-take-two-towers")
    assert game.state()["awaiting"] == [{"seat": 2, "need": "powers"}]
    assert set(wrong(game)) == {"U", "N", "O"}
    # One is put back: two are left, and that is the choice.
    assert board.sees({"N": 0})["meaning"] == "settled"
    assert game.state()["powers"] == {"U": 2, "N": 0, "O": 2, "!": 0}
    assert wrong(game) == {}


def test_a_tower_that_stood_there_wrongly_before_the_turn_is_no_choice(
    game: Seat, board: Board
) -> None:
    board.sees({"U": 3})
    game.move(2, "play", card="red-9")
    game.move(3, "play", card="red-take-two-towers")
    board.sees({"N": 3})
    assert game.state()["awaiting"] == [{"seat": 3, "need": "powers"}]
    assert wrong(game) == {"U": ("misplaced", 3, 0)}
    assert board.sees({"!": 3})["meaning"] == "settled"
    assert game.state()["powers"] == {"U": 0, "N": 3, "O": 0, "!": 3}


def test_a_wild_is_settled_by_colour_and_tower_in_either_order(game: Seat, board: Board) -> None:
    game.move(2, "play", card="wild-take-tower")
    assert board.sees({"O": 2})["meaning"] == "settled"
    assert game.state()["awaiting"] == [{"seat": 2, "need": "color"}]
    game.move(2, "color", color="blue")
    assert game.state()["turn"] == 3
    game.move(3, "play", card="wild-take-tower", color="green")
    assert board.sees({"O": 3})["meaning"] == "settled"
    assert game.state()["powers"]["O"] == 3


def test_all_four_send_the_towers_back_to_the_tray(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-3:U", powers=None)
    game.move(3, "play", card="red-9")
    game.move(1, "play", card="red-8")
    board.sees({"U": 2})
    game.move(2, "play", card="red-3:N")
    board.sees({"N": 2})
    game.move(3, "play", card="red-6")
    game.move(1, "play", card="red-5")
    game.move(2, "play", card="red-take-two-towers")
    board.sees({"O": 2})
    assert board.sees({"!": 2})["meaning"] == "settled"
    assert game.state()["powers"] == IN_THE_TRAY
    assert {kind for kind, _, _ in wrong(game).values()} == {"to-move"}
    board.sees(IN_THE_TRAY)
    assert wrong(game) == {}


def test_an_icon_tower_is_taken_only_by_moving_it(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "GRACE", 0.0)
    game = open_table(client, "power-grab", tower_claim="must-move")
    board = add_board(game)
    board.sees(IN_THE_TRAY)
    game.move(2, "play", card="red-3:U")
    assert game.get().get_json()["offer"] == {"seat": 2, "power": "U"}
    assert wrong(game) == {}
    assert board.sees({"U": 2})["meaning"] == "settled"
    assert game.state()["powers"]["U"] == 2
    # Nobody moves N before the next player acts, so it is not taken, and taking it late is wrong.
    game.move(3, "play", card="red-4:N")
    game.move(1, "play", card="red-9")
    assert board.sees({"N": 3})["meaning"] == "discrepancy"
    assert game.state()["powers"]["N"] == 0
    # Moved before the play was said, which is how it goes when phones are slow.
    board.sees({"N": 0})
    board.sees({"!": 2})
    game.move(2, "play", card="red-5:!")
    assert game.state()["powers"]["!"] == 2


def test_a_claim_that_was_heard_a_moment_late_counts(client: FlaskClient) -> None:
    game = open_table(client, "power-grab", tower_claim="must-move")
    board = add_board(game)
    board.sees(IN_THE_TRAY)
    game.move(2, "play", card="red-3:!")
    game.move(3, "play", card="red-skip")
    seen = board.sees({"!": 2})
    assert seen["meaning"] == "settled"
    entry = game.get(f"/events?after={seen['id']}").get_json()["items"][0]
    assert (entry["kind"], entry["cause"]) == ("corrected", seen["id"])
    assert "Bo takes tower !." in entry["announcements"]
    assert game.state()["powers"]["!"] == 2
    assert wrong(game) == {}


def test_a_power_stand_is_chosen_by_moving_it(client: FlaskClient) -> None:
    game = open_table(client, "color-powers")
    board = add_board(game)
    board.sees(dict.fromkeys(("red", "blue", "green", "yellow"), 0))
    game.move(2, "play", card="wild-choose-power", color="red")
    assert board.sees({"green": 2})["meaning"] == "settled"
    assert game.state()["powers"]["green"] == 2
    assert game.state()["turn"] == 3


def test_a_silent_board_is_unknown_and_comes_back_without_inventing_moves(
    game: Seat, board: Board
) -> None:
    game.move(2, "play", card="red-3:U")
    board.sees({"U": 2})
    seen = board.sees(dict.fromkeys(IN_THE_TRAY, "unknown"))
    assert seen["meaning"] == "unknown"
    assert "cannot say where" in seen["announcements"][0]
    assert wrong(game) == {}
    game.move(3, "play", card="red-take-two-towers")
    # U came to seat 2 before the silence; it is still there, and nobody has chosen it.
    board.sees({**IN_THE_TRAY, "U": 2})
    assert game.state()["awaiting"] == [{"seat": 3, "need": "powers"}]
    # Another silence, and what was moved during it counts.
    board.sees(dict.fromkeys(IN_THE_TRAY, "unknown"))
    assert board.sees({**IN_THE_TRAY, "U": 3, "N": 3})["meaning"] == "settled"
    assert game.state()["powers"] == {"U": 3, "N": 3, "O": 0, "!": 0}


def test_towers_that_were_never_in_the_tray_are_to_be_moved(client: FlaskClient) -> None:
    game = open_table(client, "power-grab")
    board = add_board(game)
    board.sees({"U": 7, "N": 0, "O": 2, "!": "lifted"})
    assert wrong(game) == {
        "U": ("to-move", 7, 0),
        "O": ("to-move", 2, 0),
        "!": ("lifted", "lifted", 0),
    }


def test_an_undone_choice_is_not_made_again_by_what_stands_there(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-take-two-towers")
    board.sees({"U": 2})
    board.sees({"O": 2})
    undone = game.post("/corrections", {"kind": "undo"}).get_json()
    assert {item["power"] for item in undone["discrepancies"]} == {"U", "O"}
    game.move(2, "uno")
    assert game.state()["awaiting"] == [{"seat": 2, "need": "powers"}]
    game.move(2, "powers", powers=["N"])
    assert wrong(game) == {"U": ("to-move", 2, 0), "O": ("to-move", 2, 0), "N": ("to-move", 0, 2)}


def test_a_new_round_wants_the_towers_in_the_tray(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-3:U")
    board.sees({"U": 2})
    game.count_hands(1, 1, 2, 3)
    game.move(3, "play", card="red-9")
    game.move(1, "reveal", hand=["blue-1"])
    game.move(2, "reveal", hand=["blue-2"])
    assert game.state()["round_winner"] == 3
    started = game.post("/rounds", {"opening": ["blue-3"]}).get_json()
    assert started["discrepancies"][0]["text"] == "Put tower U back beside the tray."
    assert wrong(game) == {"U": ("to-move", 2, 0)}


def test_the_tower_of_who_leaves_belongs_beside_the_tray(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-3:U")
    board.sees({"U": 2})
    left = game.seats[2].delete("/seats/2").get_json()
    assert left["discrepancies"][0]["text"] == "Put tower U back beside the tray."
    assert wrong(game) == {"U": ("to-move", 2, 0)}
    board.sees({"U": 0})
    assert wrong(game) == {}
    # The empty place still is a place.
    assert board.sees({"U": 2})["meaning"] == "discrepancy"
    board.sees({"U": 0})
    game.count_hands(1, 1, 3)
    game.move(3, "play", card="red-9")
    game.move(1, "reveal", hand=["blue-1"])
    assert game.post("/seats", {"name": "Di", "place": 2}).status_code == 201
    assert game.post("/rounds", {"opening": ["blue-3"], "dealer": 1}).status_code == 201
    game.move(4, "play", card="blue-4:N")
    assert wrong(game) == {"N": ("to-move", 0, 4)}
    assert board.sees({"N": 4})["meaning"] == "agrees"


def test_two_places_that_report_one_tower_are_said(game: Seat, board: Board) -> None:
    seen = board.sees({"U": "unknown"}, conflicts={"U": [0, 3]})
    (said,) = seen["announcements"]
    assert said.startswith(
        "Reported at several places at once (beside the tray and Cy's place): tower U."
    )
    (listed,) = game.get("/devices").get_json()["items"]
    assert listed["conflicts"] == [{"power": "U", "places": [0, 3]}]
    board.sees({"N": 2})
    assert game.get("/devices").get_json()["items"][0]["conflicts"] == listed["conflicts"]
    board.sees({"U": 0})
    assert game.get("/devices").get_json()["items"][0]["conflicts"] == []


def test_sensors_that_do_not_work_are_said(game: Seat, board: Board) -> None:
    fault = {"place": 3, "powers": ["U", "O"]}
    seen = board.sees({}, faults=[fault])
    assert seen["announcements"][0] == "Sensors that do not work (Cy's place): tower U and tower O."
    assert game.get("/devices").get_json()["items"][0]["faults"] == [fault]
    board.sees({"N": 2})
    assert game.get("/devices").get_json()["items"][0]["faults"] == [fault]
    board.sees({}, faults=[])
    assert game.get("/devices").get_json()["items"][0]["faults"] == []


def test_an_observation_that_comes_again_is_applied_once(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-take-two-towers")
    key = {"headers": {"Idempotency_Key": "box-1"}}
    board.sees({"U": 2}, headers={"Idempotency_Key": "box-0"})
    first = board.sees({"N": 2}, **key)
    assert first["meaning"] == "settled"
    version = game.get().get_json()["version"]
    assert board.sees({"N": 2}, **key) == first
    assert game.get().get_json()["version"] == version
    body = {"kind": "powers", "at": AT, "powers": {"N": 3}}
    problem(board.post("/observations", body, Idempotency_Key="box-1"), 422, "key-reused")


def test_sightings_survive_a_restart(app: Flask, game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-take-two-towers")
    board.sees({"U": 2}, faults=[{"place": 1, "powers": ["N"]}])
    reloaded(app, game)


def test_boards_of_one_name_are_told_apart_and_keep_their_numbers(game: Seat, board: Board) -> None:
    long = "x" * 80

    def shown() -> list[str]:
        items = game.get("/devices").get_json()["items"]
        return [item["name"] for item in items if not item["revoked"]]

    for name in ("Board", long, long):
        add_board(game, name)
    assert shown() == ["Board", "Board 2", long, "x" * 78 + " 2"]
    assert game.delete(f"/devices/{board.id}").status_code == 200
    assert shown()[0] == "Board 2"
    add_board(game)
    assert shown()[-1] == "Board"


def test_the_stream_carries_discrepancies(game: Seat, board: Board) -> None:
    after = game.get().get_json()["version"]
    game.move(2, "play", card="red-3:U")
    board.sees({"U": 2})
    items = board.get(f"/events?after={after}").get_json()["items"]
    assert [item["kind"] for item in items] == ["moved", "observed"]
    assert items[0]["discrepancies"][0]["should"] == 2
    assert items[1]["discrepancies"] == []
    assert board.get("/events", Accept="application/json").status_code == 200


def test_an_exported_game_holds_the_choices_made_by_moving(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-take-two-towers")
    board.sees({"U": 2})
    board.sees({"N": 2})
    record = game.get("/record").get_json()
    assert record["rounds"][0]["moves"][1] == {"seat": 2, "move": "powers", "powers": ["U", "N"]}
    imported(game.client, record)
