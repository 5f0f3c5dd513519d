"""Corrections over HTTP: what they answer, what they refuse, and who may make them."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.api.conftest import Seat, imported, open_table
from tests.api.test_devices import add_board
from tests.api.test_games import problem


def corrected(host: Seat, kind: str, **fields: Any) -> dict[str, Any]:
    """Preview a correction, make it, and check that it does what the preview said."""
    change = {"kind": kind, **fields}
    before = host.get("/events").get_json()["items"]
    tried = host.post("/corrections?preview=true", change, Idempotency_Key="try-it-1234567890")
    assert tried.status_code == 200, tried.text
    assert host.get("/events").get_json()["items"] == before
    body = host.create("/corrections", change)
    assert {**tried.get_json(), "at": ""} == {**body, "at": ""}
    return body


def undone(host: Seat) -> dict[int, int]:
    """Return the entries that do not stand any more, with the correction that undid each."""
    entries = host.get("/events").get_json()["items"]
    return {entry["id"]: entry["undone"] for entry in entries if "undone" in entry}


def last_id(host: Seat) -> int:
    return host.get().get_json()["version"]


@pytest.fixture
def host(client: FlaskClient) -> Seat:
    """Bo, Cy, Ann and Bo have played a card each."""
    host = open_table(client)
    for seat, card in ((2, "red-1"), (3, "red-2"), (1, "blue-2"), (2, "blue-3")):
        host.move(seat, "play", card=card)
    return host


def test_undo_names_what_falls_and_what_is_ruled_otherwise(host: Seat) -> None:
    third = last_id(host) - 1
    body = corrected(host, "undo", move=3)
    assert [(one["id"], one["seat"], one["card"]) for one in body["fell"]] == [(third, 1, "blue-2")]
    assert body["announcements"] == [
        "Ann's blue 2 in round 1 is undone.",
        "Bo's blue 3 in round 1 is illegal now. It is Ann's turn, not Bo's.",
        "Bo takes the blue 3 back.",
        "It is Ann's turn.",
        "The colour is red.",
        "On top of the discard pile now: red 2.",
        "Ann holds 7 cards now, not 6.",
        "Bo holds 6 cards now, not 5.",
    ]
    assert undone(host) == {third: body["id"]}


def test_undo_takes_everything_since_if_the_host_says_so(host: Seat) -> None:
    body = corrected(host, "undo", move=2, since=True)
    assert [one["card"] for one in body["fell"]] == ["red-2", "blue-2", "blue-3"]
    assert body["state"]["hands"] == [7, 6, 7]
    assert set(undone(host)) == {one["id"] for one in body["fell"]}
    bad = host.post("/corrections", {"kind": "undo", "move": 1, "since": True, "count": 1})
    assert problem(bad, 422, "invalid-request")["errors"][0]["field"] == "count"


def test_redo_takes_corrections_back_one_by_one(host: Seat) -> None:
    states = [host.state()]
    for change in ({"move": 2}, {"move": 1, "since": True}):
        corrected(host, "undo", **change)
        states.append(host.state())
    first = corrected(host, "redo")
    assert host.state() == states[1]
    second = corrected(host, "redo")
    assert host.state() == states[0]
    assert second["voids"] < first["voids"]
    assert set(undone(host)) == {first["voids"], second["voids"]}
    reason = problem(host.post("/corrections", {"kind": "redo"}), 409, "no-effect")["detail"]
    assert reason == "There is no correction to take back."


def test_a_redo_after_newer_moves_replays_them_too(host: Seat, app: Flask) -> None:
    corrected(host, "undo")
    host.move(2, "play", card="blue-9")
    body = corrected(host, "redo")
    assert [(one["card"], one["now"]["rule"]) for one in body["changed"]] == [
        ("blue-9", "turn.order")
    ]
    state, marks = host.state(), undone(host)
    app.extensions["referee"].cache.clear()
    assert (host.state(), undone(host)) == (state, marks)
    moves = host.get("/record").get_json()["rounds"][0]["moves"]
    assert [move["card"] for move in moves][-2:] == ["blue-3", "blue-9"]


def test_a_move_entered_by_a_correction_has_its_ruling(host: Seat) -> None:
    lays = {"seat": 2, "move": "play", "card": "green-9"}
    body = corrected(host, "replace", move=4, replacement=lays)
    assert (body["ruling"]["verdict"], body["ruling"]["rule"]) == ("illegal", "match")
    assert body["entered"] == {"round": 1, "move": 4, "seat": 2, "kind": "play", "card": "green-9"}
    said = f"Round 1: Bo's card was a green 9, not a blue 3. {body['ruling']['text']}"
    assert body["announcements"][0] == said
    body = corrected(host, "insert", move=4, inserted={**lays, "card": "blue-9"})
    assert body["ruling"]["verdict"] == "legal"
    assert body["changed"][0]["now"]["rule"] == "turn.order"


def test_a_card_that_was_another_one_and_does_not_fit_is_taken_back(host: Seat) -> None:
    lays = {"seat": 2, "move": "play", "card": "green-9"}
    body = corrected(host, "replace", move=4, replacement=lays)
    [banner] = [one for one in body["banners"] if one["seat"] == 2]
    assert (banner["event"], banner["title"]) == ("now-illegal", "Take the green 9 back")
    was = f"Round 1: Bo's card was a green 9, not a blue 3. {body['ruling']['text']}"
    assert banner["parts"][0]["text"] == was
    assert banner["others"] == f"{was} Bo takes the green 9 back."
    assert body["announcements"][:2] == [was, "Bo takes the green 9 back."]


@pytest.mark.parametrize("back", ["redo", "replace"])
def test_who_took_a_card_back_for_a_correction_lays_it_again(host: Seat, back: str) -> None:
    """Cy's red 2 was no red 9 after all: Ann's blue 2 is fine, and so is Bo's blue 3."""
    lays = {"seat": 3, "move": "play", "card": "red-2"}
    corrected(host, "replace", move=2, replacement={**lays, "card": "red-9"})
    fields = {"move": 2, "replacement": lays} if back == "replace" else {}
    banners = {banner["seat"]: banner for banner in corrected(host, back, **fields)["banners"]}
    for seat, card in ((1, "blue 2"), (2, "blue 3")):
        assert banners[seat]["event"] == "now-legal"
        assert f"Lay this card on the pile again: {card}." in banners[seat]["text"]
    # Cy's lies where it lay.
    assert "again" not in banners[3]["text"].replace("counts again", "")


@pytest.mark.parametrize("back", ["redo", "replace"])
def test_a_card_that_fits_after_all_is_laid_again(host: Seat, back: str) -> None:
    lays = {"seat": 2, "move": "play", "card": "blue-3"}
    corrected(host, "replace", move=4, replacement={**lays, "card": "green-9"})
    fields = {"move": 4, "replacement": lays} if back == "replace" else {}
    [banner] = [one for one in corrected(host, back, **fields)["banners"] if one["seat"] == 2]
    assert "Lay this card on the pile again: blue 3." in banner["text"]


def test_a_card_taken_back_before_a_missed_move_is_entered_is_laid_again(host: Seat) -> None:
    """Ann lays a blue 9 after Cy's turn, which nobody told: it counts once Cy's move is entered."""
    host.move(1, "play", card="blue-9")
    missed = {"seat": 3, "move": "play", "card": "blue-5"}
    banners = corrected(host, "insert", move=5, inserted=missed)["banners"]
    texts = {banner["seat"]: banner["text"] for banner in banners}
    assert "Lay this card on the pile again: blue 9." in texts[1]
    assert "pile again" not in texts.get(3, "")


def test_whom_a_correction_gives_a_tower_hears_it_and_who_loses_it_too(
    client: FlaskClient,
) -> None:
    host = open_table(client, "power-grab")
    host.move(2, "play", card="red-3:U")
    host.move(3, "play", card="red-4:N")
    lays = {"seat": 3, "move": "play", "card": "red-4:U"}
    banners = {
        banner["seat"]: banner
        for banner in corrected(host, "replace", move=2, replacement=lays)["banners"]
    }
    told = [(part["title"], part["text"]) for part in banners[3]["parts"]]
    assert ("Tower N is gone", "Put tower N back beside the tray.") in told
    mine = "Bo hands it to you. Draw one does nothing to you while you have it."
    assert ("Tower U is yours", mine) in told
    assert banners[2]["title"] == "Tower U is gone"
    assert banners[2]["text"] == "Cy has it now: hand it over."


def test_a_card_that_is_in_the_hand_already_is_not_taken_back_twice(host: Seat) -> None:
    host.move(3, "play", card="green-9")
    [banner] = [one for one in corrected(host, "undo")["banners"] if one["seat"] == 3]
    assert banner["event"] == "undone"
    assert banner["text"].startswith("Your green 9 in round 1 is undone.")


def test_who_has_not_made_a_move_takes_no_card_back(host: Seat) -> None:
    """Cy's red 2 was laid by Ann: Cy's hand has done nothing."""
    lays = {"seat": 1, "move": "play", "card": "red-2"}
    body = corrected(host, "replace", move=2, replacement=lays)
    banners = {banner["seat"]: banner for banner in body["banners"]}
    assert (banners[3]["event"], banners[3]["title"]) == ("undone", "Your move is undone")
    assert "belongs in your hand" not in banners[3]["text"]
    assert banners[1]["title"] == "Take the blue 2 back"


def test_what_was_illegal_and_has_no_card_is_replaced(host: Seat) -> None:
    host.move(2, "pass")
    made = corrected(host, "replace", replacement={"seat": 2, "move": "uno"})
    assert {banner["event"] for banner in made["banners"] if banner["seat"] == 2} == {"entered"}


def test_a_card_made_illegal_by_another_is_taken_back(host: Seat) -> None:
    """Ann's blue 2 lay on a red 2: it was a red 9."""
    third = last_id(host) - 1
    lays = {"seat": 3, "move": "play", "card": "red-9"}
    body = corrected(host, "replace", move=2, replacement=lays)
    banners = {banner["seat"]: banner for banner in body["banners"]}
    why = "The blue 2 does not match: the colour is red, and the red 9 lies on top."
    assert banners[1]["title"] == "Take the blue 2 back"
    assert banners[1]["text"].startswith(f"Round 1: Cy's card was a red 9, not a red 2. {why}")
    assert banners[1]["event"] == "now-illegal"
    # Bo's card was laid on that one.
    line = (
        "Cy's card was a red 9, not a red 2. Ann takes the blue 2 back. Bo takes the blue 3 back."
    )
    assert banners[1]["others"] == f"Round 1: {line}"
    assert banners[3]["text"] == "Round 1: Cy's card was a red 9, not a red 2."
    assert [(one["id"], one["now"]["text"]) for one in body["changed"]] == [
        (third, why),
        (third + 1, "It is Ann's turn, not Bo's."),
    ]


POSSIBLE = "at least 1, and at most 91, the hand and the draw pile together."
OPENED = "The round was dealt and opened like that already."
NO_EFFECT: list[tuple[dict[str, Any], str]] = [
    ({"kind": "hand-count", "seat": 2, "count": 5}, "By the referee's count Bo holds 5 already."),
    ({"kind": "hand-count", "seat": 2, "count": 0}, f"Bo cannot hold 0 cards: {POSSIBLE}"),
    ({"kind": "hand-count", "seat": 2, "count": 100}, f"Bo cannot hold 100 cards: {POSSIBLE}"),
    (
        {"kind": "overrule", "move": 1, "verdict": "legal"},
        "This move is ruled legal already.",
    ),
    (
        {
            "kind": "replace",
            "move": 1,
            "replacement": {"seat": 2, "move": "play", "card": "red-1"},
        },
        "This is the very move that stands there.",
    ),
    ({"kind": "opening", "dealer": 1}, OPENED),
    (
        {"kind": "opening", "opening": ["red-7"]},
        "The round was dealt and opened like that already.",
    ),
]


@pytest.mark.parametrize(("change", "reason"), NO_EFFECT)
def test_a_correction_without_effect_is_refused(
    host: Seat, change: dict[str, Any], reason: str
) -> None:
    version = last_id(host)
    for path in ("/corrections", "/corrections?preview=true"):
        assert problem(host.post(path, change), 409, "no-effect")["detail"] == reason
    assert last_id(host) == version


def test_a_ruling_that_cannot_be_overruled_says_so(host: Seat) -> None:
    host.move(3, "accept")
    refused = host.post("/corrections", {"kind": "overrule", "verdict": "legal"})
    body = problem(refused, 409, "no-effect")
    assert body["rule"] == "challenge"
    assert body["detail"].startswith("This ruling cannot be overruled")


def test_the_opening_card_and_the_dealer_are_put_right(host: Seat) -> None:
    body = corrected(host, "opening", opening=["red-skip"])
    assert [(one["card"], one["now"]["rule"]) for one in body["changed"]] == [
        ("red-1", "turn.order")
    ]
    assert body["announcements"][0] == "Turned up: red skip."
    body = corrected(host, "opening", dealer=3, opening=["red-7"])
    assert host.get().get_json()["dealer"] == 3
    bad = host.post("/corrections", {"kind": "opening", "opening": ["wild-draw-four"]})
    assert problem(bad, 422, "invalid-request")["errors"][0]["field"] == "opening"
    problem(host.post("/corrections", {"kind": "opening"}), 422, "invalid-request")


def test_a_round_undone_lists_no_hands(client: FlaskClient) -> None:
    host = open_table(client)
    body = corrected(host, "undo")
    assert body["differs"] == {"round": {"was": 1, "now": 0}}
    assert body["announcements"] == ["Round 1 is undone."]
    problem(host.post("/corrections", {"kind": "undo"}), 422, "invalid-request")
    body = corrected(host, "redo")
    assert body["announcements"] == [
        "The last correction is taken back.",
        "Round 1 counts again.",
    ]
    assert undone(host) == {body["voids"]: body["id"]}


def test_a_player_takes_back_own_entries_until_somebody_acts(host: Seat) -> None:
    ann, bo = host.seats[1], host.seats[2]
    refused = problem(ann.post("/corrections", {"kind": "undo"}), 409, "conflict")
    assert refused["detail"] == "Bo has acted since: only the host can take this back now."
    other = {"kind": "undo", "move": 4}
    problem(bo.post("/corrections", other), 403, "forbidden")
    problem(bo.post("/corrections", {"kind": "redo"}), 403, "forbidden")
    # Bo's card and a call that came to nothing: the newest first.
    assert bo.post("/moves", {"move": "draw"}).status_code == 201
    for left in (4, 3):
        assert corrected(bo, "undo")["by"] == {"role": "seat", "seat": 2}
        assert len(host.get("/record").get_json()["rounds"][0]["moves"]) == left
    refused = problem(bo.post("/corrections", {"kind": "undo"}), 409, "conflict")
    assert refused["detail"] == "Ann has acted since: only the host can take this back now."
    corrected(host, "redo")
    refused = problem(bo.post("/corrections", {"kind": "undo"}), 409, "conflict")
    assert refused["detail"] == "The host has acted since: only the host can take this back now."


def test_a_board_that_looks_on_is_nobody_who_acts(client: FlaskClient) -> None:
    host = open_table(client, "power-grab")
    board = add_board(host)
    host.move(2, "play", card="red-3:U")
    board.sees({"U": 2})
    assert corrected(host.seats[2], "undo")["state"]["powers"]["U"] == 0


def test_a_dealer_takes_back_an_opening_and_nobody_what_is_not_there(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    ann = host.seats[1]
    refused = problem(ann.post("/corrections", {"kind": "undo"}), 409, "conflict")
    assert refused["detail"] == "There is nothing of yours to take back."
    assert ann.post("/rounds", {"opening": ["red-7"], "dealer": 1}).status_code == 201
    assert corrected(ann, "undo")["round"] == 0


def test_a_record_with_corrections_is_that_of_the_game_as_it_stands(client: FlaskClient) -> None:
    host = open_table(client)
    host.move(2, "play", card="red-1")
    corrected(host, "opening", dealer=2, opening=["red-9"])
    corrected(host, "insert", move=1, inserted={"seat": 3, "move": "play", "card": "red-4"})
    exported = host.get("/record").get_json()
    assert imported(client, exported).state() == host.state()


def test_a_count_that_is_set_is_told_by_the_count_alone(host: Seat) -> None:
    told = corrected(host, "hand-count", seat=3, count=2)["announcements"]
    assert told == ["Cy holds 2 cards now, not 6."]


def won_in_two_rounds(client: FlaskClient) -> Seat:
    """Bo goes out twice, each time over a red 9 and a wild in Ann's hand: 59 points a round."""
    host = open_table(client, names=("Ann", "Bo"), target=100)
    for number in (1, 2):
        if number > 1:
            assert host.post("/rounds", {"opening": ["red-7"], "dealer": 1}).status_code == 201
        corrected(host, "hand-count", seat=1, count=2)
        corrected(host, "hand-count", seat=2, count=1)
        host.move(2, "play", card="red-1")
        host.move(1, "reveal", hand=["red-9", "wild"])
    return host


def test_rounds_after_the_end_of_the_game_are_kept_aside(client: FlaskClient) -> None:
    host = won_in_two_rounds(client)
    assert (host.state()["scores"], host.state()["winner"]) == ([0, 118], 2)
    marks = undone(host)
    dear = {"seat": 1, "move": "reveal", "hand": ["wild", "wild"]}
    body = corrected(host, "replace", round=1, move=4, replacement=dear)
    assert (body["aside"], body["state"]["scores"], body["state"]["winner"]) == ([2], [0, 100], 2)
    assert (
        "Round 2 is set aside, as the game was over before it. It is kept."
        in (body["announcements"])
    )
    assert len(host.get("/scores").get_json()["rounds"]) == 1
    assert {one["round"] for one in body["fell"] if one["id"] != 0} == {1, 2}
    aside = host.post("/corrections", {"kind": "undo", "round": 2})
    assert problem(aside, 409, "no-effect")["detail"] == (
        "Round 2 is set aside: the game was over before it."
    )
    # Without a round the last one that counts is meant.
    cheap = {**dear, "hand": ["red-9", "red-8"]}
    body = corrected(host, "replace", replacement=cheap)
    assert (body["state"]["scores"], body["state"]["winner"]) == ([0, 76], None)
    assert "Round 2 counts again." in body["announcements"]
    assert len(host.get("/scores").get_json()["rounds"]) == 2
    for _ in range(2):
        corrected(host, "redo")
    assert host.state()["scores"] == [0, 118]
    assert marks.items() <= undone(host).items()


def test_a_round_is_broken_off_and_comes_back(host: Seat) -> None:
    before = host.state()
    body = corrected(host, "break-off")
    assert body["announcements"] == [
        "Round 1 is broken off. Nothing of it counts, and the same player deals again."
    ]
    # Nobody takes a card back: all are collected.
    for banner in body["banners"]:
        together = "Put all the cards together: they are dealt anew."
        said = f"{body['announcements'][0]} {together}"
        assert (banner["event"], banner["text"]) == ("broken-off", said)
    assert len(undone(host)) == 5
    table = host.get().get_json()
    assert (table["next_dealer"], table["state"]["turn"]) == (1, None)
    again = host.post("/corrections", {"kind": "break-off"})
    problem(again, 409, "no-effect")
    assert host.get("/record").get_json()["rounds"][0]["broken_off"] is True
    corrected(host, "redo")
    assert host.state() == before
    corrected(host, "break-off")
    assert host.post("/rounds", {"opening": ["red-9"]}).status_code == 201
    assert host.state()["turn"] == 2


def test_an_entry_names_its_move_although_numbers_have_changed(host: Seat) -> None:
    fourth = last_id(host)
    corrected(host, "undo", move=1)
    body = corrected(host, "undo", entry=fourth)
    assert [one["id"] for one in body["fell"]] == [fourth]
    assert body["change"] == {"kind": "undo", "round": 1, "move": 3}
    problem(host.post("/corrections", {"kind": "undo", "entry": fourth}), 409, "no-effect")
    both = host.post("/corrections", {"kind": "undo", "entry": fourth, "move": 1})
    assert problem(both, 422, "invalid-request")["errors"][0]["field"] == "entry"
    corrected(host, "redo")
    assert fourth not in undone(host)
