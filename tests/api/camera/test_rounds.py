"""A camera from the opening to the scores: rounds, gaps in what it sees, hands, and late facts."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.api import create_app
from referee.config import Settings
from referee.service.house import House
from tests.api.camera import Camera, add_camera, kinds, moves, options, question, wrong
from tests.api.conftest import API, Seat, open_table
from tests.api.test_devices import _from_snapshot, _read_again
from tests.api.test_writes import problem


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One server for all: every test has a table of its own."""
    folder = tmp_path_factory.mktemp("camera")
    app = create_app(Settings(database=str(folder / "tables.sqlite3"), keep_alive=0.2))
    yield app
    app.extensions["referee"].close()
    app.extensions["referee-lock"].close()


@pytest.fixture
def game(client: FlaskClient) -> Seat:
    """Ann dealt, a red 7 lies there, Bo begins."""
    return open_table(client)


@pytest.fixture
def camera(game: Seat) -> Camera:
    return add_camera(game)


def end_round(game: Seat, camera: Camera) -> None:
    """Bo goes out; Ann and Cy hold one card each."""
    for seat in (1, 2, 3):
        game.post("/corrections", {"kind": "hand-count", "seat": seat, "count": 1})
    camera.sees("placed", "red-9")
    assert game.state()["round_winner"] == 2


def correct(game: Seat, **change: object) -> dict[str, object]:
    answer = game.post("/corrections", change)
    assert answer.status_code == 201, answer.text
    return answer.get_json()


# Openings


def test_the_card_turned_up_opens_the_round_once_the_dealer_is_known(client: FlaskClient) -> None:
    game = open_table(client, opening=None)
    camera = add_camera(game)
    assert camera.sees("placed", "red-7")["meaning"] == "asked"
    assert question(game)["text"] == "Which card opens the round, and who deals?"
    assert [option["dealer"] for option in question(game)["options"][:3]] == [1, 2, 3]
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 2})
    table = game.get().get_json()
    assert (table["round"], table["dealer"], table["state"]["turn"]) == (1, 2, 3)
    camera.sees("placed", "red-3")
    assert moves(game) == ["3 play red-3 device"]


def test_who_has_drawn_for_the_deal_is_known(client: FlaskClient) -> None:
    game = open_table(client, opening=None)
    camera = add_camera(game)
    cards = ("red-3", "red-9", "red-5")
    draws = [{"seat": seat, "card": card} for seat, card in enumerate(cards, 1)]
    game.post("/deal-draws", {"draws": draws})
    assert camera.sees("placed", "blue-7")["meaning"] == "settled"
    assert game.get().get_json()["dealer"] == 2


def test_a_wild_draw_four_does_not_stay_on_top(client: FlaskClient) -> None:
    game = open_table(client, opening=None)
    camera = add_camera(game)
    assert camera.sees("placed", "wild-draw-four")["meaning"] == "waiting"
    camera.sees("cleared")
    camera.sees("placed", "red-7")
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert game.state()["top"] == "red-7"
    assert game.get().get_json()["camera"]["sees"] == "red-7"


def test_cards_that_are_ignored_at_the_opening_lie_below(client: FlaskClient) -> None:
    game = open_table(client, "moomin", opening=None)
    camera = add_camera(game)
    for card in ("red-skip", "wild", "red-7"):
        camera.sees("placed", card)
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert game.state()["discard_pile"] == 3


def test_an_opening_by_phone_and_the_card_are_one(client: FlaskClient) -> None:
    game = open_table(client, opening=None)
    camera = add_camera(game)
    game.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    assert camera.sees("placed", "red-7")["meaning"] == "agrees"
    assert game.state()["turn"] == 2
    game = open_table(client, opening=None)
    camera = add_camera(game)
    camera.sees("placed", "red-7")
    game.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    assert game.get("/questions").get_json()["items"] == []
    assert game.get().get_json()["camera"]["waiting"] == []
    camera.sees("placed", "red-8")
    assert moves(game) == ["2 play red-8 device"]


def test_another_card_turned_up_instead(game: Seat, camera: Camera) -> None:
    camera.sees("cleared")
    assert camera.sees("placed", "red-5")["meaning"] == "asked"
    number = options(game).index("opening red-5") + 1
    game.post(f"/questions/{question(game)['id']}/answers", {"option": number})
    assert (game.state()["top"], game.get().get_json()["round"]) == ("red-5", 1)


def test_the_next_round_opens_by_itself(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    assert camera.sees("placed", "blue-1")["meaning"] == "idle"
    game.move(1, "reveal", hand=["blue-1"])
    game.move(3, "reveal", hand=["blue-2"])
    assert camera.sees("placed", "blue-3")["meaning"] == "idle"
    camera.sees("cleared")
    assert camera.sees("placed", "blue-5")["meaning"] == "settled"
    table = game.get().get_json()
    assert (table["round"], table["dealer"], table["state"]["turn"]) == (2, 2, 3)


# Gaps


def test_a_camera_that_is_lost_says_so_and_the_game_goes_on(game: Seat, camera: Camera) -> None:
    seen = camera.state_is("blind", reason="no-pictures")
    assert seen["meaning"] == "unknown"
    assert seen["announcements"] == ["The camera does not see the pile. Say the cards by phone."]
    assert game.get().get_json()["camera"]["sight"] == "blind"
    game.move(2, "play", card="red-3")
    game.move(3, "play", card="red-5")
    assert camera.state_is("watching")["announcements"] == ["The camera sees the pile."]
    assert camera.sees("found", "red-5")["meaning"] == "agrees"
    assert wrong(game) == []
    camera.sees("placed", "red-6")
    assert moves(game)[2:] == ["1 play red-6 device"]


def test_a_camera_that_is_back_finds_exactly_one_play_missing(game: Seat, camera: Camera) -> None:
    camera.state_is("blind", reason="no-pile")
    game.move(2, "play", card="red-3")
    camera.state_is("watching")
    assert camera.sees("found", "red-5")["meaning"] == "settled"
    assert moves(game) == ["2 play red-3 seat", "3 play red-5 device"]


def test_a_camera_that_is_back_finds_what_nobody_can_explain(game: Seat, camera: Camera) -> None:
    camera.state_is("blind", reason="no-pictures")
    camera.state_is("watching")
    seen = camera.sees("found", "blue-5")
    assert seen["meaning"] == "discrepancy"
    assert wrong(game) == [("not-on-top", "blue-5", "red-7")]
    assert moves(game) == []
    # What was played meanwhile is said, and all is well.
    game.move(2, "play", card="red-5")
    game.move(3, "play", card="blue-5")
    camera.sees("found", "blue-5")
    assert wrong(game) == []


def test_nothing_is_concluded_from_what_no_camera_sees(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "blue-9")
    assert wrong(game) != []
    camera.state_is("blind", reason="no-pictures")
    assert wrong(game) == []


def test_a_revoked_camera_asks_nothing_more(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    game.delete(f"/devices/{camera.id}")
    assert game.get("/questions").get_json()["items"] == []
    assert game.get().get_json()["camera"]["sight"] == "none"
    game.move(2, "play", card="red-9")
    assert game.state()["turn"] == 3


def test_the_pile_is_reshuffled_and_its_top_put_back(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    camera.sees("cleared")
    assert wrong(game) == [("not-on-top", None, "red-3")]
    assert camera.sees("placed", "red-3")["meaning"] == "agrees"
    assert wrong(game) == []
    assert moves(game) == ["2 play red-3 device"]
    camera.sees("placed", "red-3")
    assert moves(game)[1:] == ["3 play red-3 device"]


def test_the_pile_survives_a_restart(app: Flask, game: Seat, camera: Camera) -> None:
    camera.sees("placed", "blue-9")
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    house: House = app.extensions["referee"]
    held = house.table(game.table)
    whole = (held.snapshot(), held.version)
    for restored in (_read_again(house, game.table), _from_snapshot(house, game.table)):
        assert (restored.snapshot(), restored.version) == whole
        assert restored.meta.pile == held.meta.pile


def test_a_table_without_a_camera_knows_of_no_pile(game: Seat) -> None:
    assert game.get().get_json()["camera"] is None
    entry = game.move(2, "play", card="red-3")
    assert "discrepancies" not in entry


# The end of a round


def test_hands_shown_are_read_confirmed_and_scored(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    seen = camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-8": 0.99}]})
    assert seen["meaning"] == "asked"
    asked = question(game)
    assert (asked["about"], asked["seat"], asked["count"]) == ("hand", 1, 1)
    assert asked["hand"][0]["card"] == "blue-8"
    assert asked["text"] == "Are these the cards that Ann holds?"
    assert game.state()["scores"] == [0, 0, 0]
    path = f"/questions/{asked['id']}/answers"
    assert game.seats[2].post(path, {"option": 1}).status_code == 201
    camera.posts({"kind": "hand", "shown": [{"wild": 0.6, "wild-draw-four": 0.39}]})
    asked = question(game)
    assert (asked["seat"], asked["hand"][0]["sure"]) == (3, False)
    assert asked["hand"][0]["alternatives"] == ["wild-draw-four"]
    game.post(f"/questions/{asked['id']}/answers", {"hand": ["green-2"]})
    assert game.state()["scores"] == [0, 10, 0]
    assert game.get("/questions").get_json()["items"] == []


def test_a_hand_of_another_size_than_the_tracked_one(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-8": 0.99}, {"blue-1": 0.99}]})
    asked = question(game)
    assert (asked["count"], len(asked["hand"])) == (1, 2)
    game.post(f"/questions/{asked['id']}/answers", {"option": 1})
    last = game.get("/events?limit=200").get_json()["items"][-1]
    assert last["ruling"]["rule"] == "hand.count"
    assert game.state()["awaiting"] == [{"seat": s, "need": "reveal"} for s in (1, 3)]


def test_a_hand_shown_again_is_the_one_that_counts(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-8": 0.99}]})
    camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-3": 0.99}]})
    assert question(game)["hand"][0]["card"] == "blue-3"
    game.move(1, "reveal", hand=["blue-3"])
    assert game.get("/questions").get_json()["items"] == []
    assert "lapsed" in kinds(game)


def test_two_hands_at_once_are_asked_whose_they_are(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    camera.posts({"kind": "hand", "shown": [{"blue-3": 0.99}]})
    path = f"/questions/{question(game)['id']}/answers"
    problem(game.post(path, {"option": 1}), 422, "invalid-request")
    assert game.post(path, {"option": 1, "seat": 3}).status_code == 201
    assert game.state()["awaiting"] == [{"seat": 1, "need": "reveal"}]


def test_a_hand_cannot_hold_more_copies_than_the_deck_has(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    game.post("/corrections", {"kind": "hand-count", "seat": 1, "count": 2})
    shown = [{"red-9": 0.6, "red-6": 0.39}, {"red-9": 0.9, "red-6": 0.05}]
    # One red 9 was the last card played: only one more can be.
    camera.posts({"kind": "hand", "seat": 1, "shown": shown})
    assert [card["card"] for card in question(game)["hand"]] == ["red-6", "red-9"]


def test_a_hand_shown_in_the_middle_of_a_round_is_not_kept(game: Seat, camera: Camera) -> None:
    seen = camera.posts({"kind": "hand", "seat": 2, "shown": [{"blue-3": 0.99}]})
    assert seen["meaning"] == "unknown"
    assert "blue-3" not in game.get("/events?limit=200").text
    assert game.get("/questions").get_json()["items"] == []


# Late facts


def test_an_illegal_play_noticed_two_turns_later(game: Seat, camera: Camera) -> None:
    for card in ("red-3", "red-5", "red-9"):
        camera.sees("placed", card)
    done = correct(game, kind="replace", move=1, replacement={
        "seat": 2, "move": "play", "card": "blue-3"})  # fmt: skip
    assert [(item["move"], item["now"]["verdict"]) for item in done["changed"]] == []
    state = game.state()
    # Bo's card was against the rules; the cards after it are those of Bo and Cy.
    assert (state["turn"], state["hands"], state["top"]) == (1, [7, 6, 6], "red-9")
    assert done["differs"]["hands"] == {"was": [6, 6, 6], "now": [7, 6, 6]}
    assert "Ann holds 7 now, not 6." in done["announcements"]
    assert "It is Ann's turn." in done["announcements"]
    assert wrong(game) == [("take-back", "blue-3", "red-9")]


def test_a_draw_that_nobody_said_is_put_in_and_the_cards_find_their_players(
    game: Seat, camera: Camera
) -> None:
    for card in ("red-3", "red-5"):
        camera.sees("placed", card)
    # It was Cy who laid the red 3, and Ann the red 5: Bo had drawn and passed.
    correct(game, kind="insert", move=1, inserted={"seat": 2, "move": "draw"})
    done = correct(game, kind="insert", move=2, inserted={"seat": 2, "move": "pass"})
    assert game.state()["hands"] == [6, 8, 6]
    assert game.state()["turn"] == 2
    assert "Bo holds 8 now, not 7." in done["announcements"]
    record = game.get("/record").get_json()
    assert [(m["seat"], m["move"]) for m in record["rounds"][0]["moves"]] == [
        (2, "draw"), (2, "pass"), (3, "play"), (1, "play")]  # fmt: skip
    again = game.client.post(f"{API}/records", json=record)
    assert again.status_code in (200, 201), again.text
    # And it is so still when the log is read anew.
    correct(game, kind="undo")
    assert (game.state()["hands"], game.state()["turn"]) == ([7, 8, 6], 1)


def test_a_reverse_that_was_read_as_another_card(game: Seat, camera: Camera) -> None:
    for card in ("red-skip", "red-5", "red-9"):
        camera.sees("placed", card)
    done = correct(game, kind="replace", move=1, replacement={
        "seat": 2, "move": "play", "card": "red-reverse"})  # fmt: skip
    state = game.state()
    assert (state["direction"], state["turn"]) == ("counterclockwise", 2)
    assert state["hands"] == [6, 6, 6]
    assert "Play now goes counterclockwise." in done["announcements"]


def test_what_was_inserted_has_to_fit(game: Seat) -> None:
    for change in (
        {"kind": "insert"},
        {"kind": "insert", "move": 9, "inserted": {"seat": 2, "move": "draw"}},
        {"kind": "insert", "inserted": {"seat": 2, "move": "fly"}},
        {"kind": "undo", "move": 1, "count": 0},
    ):
        problem(game.post("/corrections", change), 422, "invalid-request")
