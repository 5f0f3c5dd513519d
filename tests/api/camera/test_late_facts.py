"""Late facts change which cards the camera saw."""

from tests.api.camera import Camera, wrong
from tests.api.conftest import Seat, imported
from tests.api.test_writes import problem


def test_an_illegal_play_noticed_two_turns_later(game: Seat, camera: Camera) -> None:
    for card in ("red-3", "red-5", "red-9"):
        camera.sees("placed", card)
    done = game.correct("replace", move=1, replacement={
        "seat": 2, "move": "play", "card": "blue-3"})  # fmt: skip
    assert [(item["move"], item["now"]["verdict"]) for item in done["changed"]] == []
    state = game.state()
    # Bo's card was against the rules; the cards after it are those of Bo and Cy.
    assert (state["turn"], state["hands"], state["top"]) == (1, [7, 6, 6], "red-9")
    assert done["differs"]["hands"] == {"was": [6, 6, 6], "now": [7, 6, 6]}
    assert "Ann holds 7 cards now, not 6." in done["announcements"]
    assert "It is Ann's turn." in done["announcements"]
    assert wrong(game) == [("take-back", "blue-3", "red-9")]


def test_a_draw_that_nobody_said_is_put_in_and_the_cards_find_their_players(
    game: Seat, camera: Camera
) -> None:
    for card in ("red-3", "red-5"):
        camera.sees("placed", card)
    # It was Cy who laid the red 3, and Ann the red 5: Bo had drawn and passed.
    game.correct("insert", move=1, inserted={"seat": 2, "move": "draw"})
    done = game.correct("insert", move=2, inserted={"seat": 2, "move": "pass"})
    assert game.state()["hands"] == [6, 8, 6]
    assert game.state()["turn"] == 2
    assert "Bo holds 8 cards now, not 7." in done["announcements"]
    record = game.get("/record").get_json()
    assert [(m["seat"], m["move"]) for m in record["rounds"][0]["moves"]] == [
        (2, "draw"), (2, "pass"), (3, "play"), (1, "play")]  # fmt: skip
    imported(game.client, record)
    # And it is so still when the log is read anew.
    game.correct("undo")
    assert (game.state()["hands"], game.state()["turn"]) == ([7, 8, 6], 1)


def test_a_reverse_that_was_read_as_another_card(game: Seat, camera: Camera) -> None:
    for card in ("red-skip", "red-5", "red-9"):
        camera.sees("placed", card)
    done = game.correct("replace", move=1, replacement={
        "seat": 2, "move": "play", "card": "red-reverse"})  # fmt: skip
    state = game.state()
    assert (state["direction"], state["turn"]) == ("counterclockwise", 2)
    assert state["hands"] == [6, 6, 6]
    assert "Play now goes anticlockwise." in done["announcements"]


def test_what_was_inserted_has_to_fit(game: Seat) -> None:
    for change in (
        {"kind": "insert"},
        {"kind": "insert", "move": 9, "inserted": {"seat": 2, "move": "draw"}},
        {"kind": "insert", "inserted": {"seat": 2, "move": "fly"}},
        {"kind": "undo", "move": 1, "count": 0},
    ):
        problem(game.post("/corrections", change), 422, "invalid-request")
