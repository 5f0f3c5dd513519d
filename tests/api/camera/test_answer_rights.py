"""Who may answer a question: whoever may do what follows from the answer."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.camera import Camera, add_camera, end_round, moves, question
from tests.api.conftest import Seat, open_table
from tests.api.test_writes import problem

ROLES = (1, 2, 3, "host", "spectator", "device")
ANY = {1, 2, 3, "host"}
Ask = Callable[[Seat, Camera], Any]


def two_readings(game: Seat, camera: Camera) -> None:
    """Bo's card is a red 6 or a red 9."""
    camera.sees("placed", "red-6", "red-9", chance=0.99)


def right_or_wrong(game: Seat, camera: Camera) -> None:
    """Bo's card is a red 6, or a blue 8, which would be illegal."""
    camera.sees("placed", cards={"blue-8": 0.9, "red-6": 0.02})


def whose(game: Seat, camera: Camera) -> None:
    """Bo laid the red 6, or Cy did: after a draw of Bo's, or out of turn."""
    camera.sees("placed", cards={"red-6": 0.95}, origin={"3": 0.9})


def lifted_twice(game: Seat, camera: Camera) -> None:
    """Bo's card was taken back after Cy drew, or somebody looked at the one below."""
    camera.sees("placed", "red-3")
    game.move(3, "draw")
    camera.sees("lifted", "red-7")


def lifted_after_the_round(game: Seat, camera: Camera) -> None:
    """Bo's last card and Ann's before it were taken away once the round was over."""
    game.post("/corrections", {"kind": "hand-count", "seat": 2, "count": 2})
    camera.sees("placed", "red-9")
    game.move(2, "uno")
    camera.sees("placed", "red-1")
    camera.sees("placed", "red-2")
    camera.sees("placed", "red-3")
    assert game.state()["round_winner"] == 2
    camera.sees("lifted", "red-1")


def anns_hand(game: Seat, camera: Camera) -> None:
    """Ann's last card was shown; Bo has gone out."""
    end_round(game, camera)
    camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-8": 0.99}]})


def a_hand(game: Seat, camera: Camera) -> None:
    """A hand was shown, Ann's or Cy's."""
    end_round(game, camera)
    camera.posts({"kind": "hand", "shown": [{"blue-8": 0.99}]})


def turned_up(game: Seat, camera: Camera) -> None:
    """Somebody turned up the first card."""
    camera.sees("placed", "red-6")


def option(kind: str, seat: int | None = None, **found: Any) -> Callable[[Any], dict[str, Any]]:
    """Return an answer by the option of this kind, whose last move is this seat's."""

    def choose(asked: Any) -> dict[str, Any]:
        for number, one in enumerate(asked["options"], 1):
            last = (one["moves"] or [{}])[-1]
            meant = one["kind"] == kind and found.items() <= one.items()
            if meant and seat in (None, last.get("seat")):
                return {"option": number}
        raise AssertionError((kind, asked))

    return choose


def words(**answer: Any) -> Callable[[Any], dict[str, Any]]:
    """Return an answer in one's own words."""
    return lambda asked: answer


def taken_for_a_card(game: Seat, camera: Camera) -> None:
    """A hand was taken for a red 6 or a red 9; then Bo laid a red 1."""
    two_readings(game, camera)
    camera.sees("placed", "red-1")


CASES: dict[str, tuple[Ask, Callable[[Any], dict[str, Any]], set[Any]]] = {
    "which card it is": (two_readings, option("play", card="red-9"), ANY),
    "which card it is, named": (two_readings, words(card="red-9"), ANY),
    "that Bo laid it": (
        two_readings,
        words(card="red-9", seat=2),
        {2, "host"},
    ),
    "that Cy laid it": (two_readings, words(card="red-9", seat=3), {"host"}),
    "another card": (two_readings, words(card="red-1"), {2, "host"}),
    "another card, a wrong one": (two_readings, words(card="blue-1"), {2, "host"}),
    "a later card was the only one": (taken_for_a_card, words(card="red-1"), ANY),
    "nothing was laid": (two_readings, option("nothing"), ANY),
    "the right one of two": (right_or_wrong, option("play", card="red-6"), ANY),
    "the wrong one of two": (right_or_wrong, option("illegal"), {2, "host"}),
    "Bo laid it": (whose, option("play", 2), ANY),
    "Bo drew, and Cy laid it": (whose, option("play", 3), {2, "host"}),
    "Cy laid it out of turn": (whose, option("illegal", 3), {3, "host"}),
    "a card was taken back": (lifted_twice, option("take-back"), ANY),
    "the end of the round was taken back": (lifted_after_the_round, option("take-back"), {"host"}),
    "Ann's hand was read rightly": (anns_hand, option("hand"), {1, "host"}),
    "what Ann holds": (anns_hand, words(hand=["wild"]), {1, "host"}),
    "what Ann holds, and that it is hers": (anns_hand, words(hand=["wild"], seat=1), {1, "host"}),
    "that Ann's cards are Cy's": (anns_hand, option("hand"), {1, "host"}),
    "that Ann holds Cy's": (anns_hand, words(hand=["wild"], seat=3), {"host"}),
    "a hand is one's own": (a_hand, option("hand"), {1, 3}),
    "a hand is Cy's": (a_hand, lambda asked: {"option": 1, "seat": 3}, {3, "host"}),
    "Ann has dealt": (turned_up, option("opening", dealer=1), {1, "host"}),
    "Cy has dealt": (turned_up, option("opening", dealer=3), {3, "host"}),
}


def sender(game: Seat, camera: Camera, role: Any) -> Seat:
    if role == "spectator":
        return game.join()
    return {"host": game, "device": camera}.get(role) or game.seats[role]


@pytest.mark.parametrize("said", CASES)
def test_who_may_say(client: FlaskClient, said: str) -> None:
    ask, choose, allowed = CASES[said]
    opening = None if ask is turned_up else ("red-7",)
    for role in ROLES:
        game = open_table(client, opening=opening)
        camera = add_camera(game)
        ask(game, camera)
        asked = question(game)
        who, answer = sender(game, camera, role), choose(asked)
        before = game.get().get_json()
        got = who.post(f"/questions/{asked['id']}/answers", answer)
        if role in allowed:
            assert got.status_code in (201, 409), (role, got.text)
        elif role == "host":
            problem(got, 422, "invalid-request")
        else:
            problem(got, 403, "forbidden")
            assert game.get().get_json() == before
        if isinstance(role, int) and "option" in answer and "seat" not in answer:
            offered = asked["options"][answer["option"] - 1]["may_answer"]
            assert (role in offered) is (role in allowed), (role, offered)


def test_the_winner_makes_no_points_of_a_hand_that_was_shown(game: Seat, camera: Camera) -> None:
    for seat, count in ((1, 7), (2, 1), (3, 1)):
        game.post("/corrections", {"kind": "hand-count", "seat": seat, "count": count})
    camera.sees("placed", "red-9")
    camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-1": 0.99}] * 7})
    asked = question(game)
    assert (asked["may_name"], asked["options"][0]["may_answer"]) == ([1], [1])
    wilds = ["wild"] * 4 + ["wild-draw-four"] * 3
    for answer in ({"hand": wilds}, {"hand": wilds, "seat": 1}, {"hand": wilds, "seat": 2}):
        path = f"/questions/{asked['id']}/answers"
        problem(game.seats[2].post(path, answer), 403, "forbidden")
    assert game.state()["awaiting"] == [{"seat": seat, "need": "reveal"} for seat in (1, 3)]
    assert question(game)["id"] == asked["id"]


def test_whose_card_another_has_named_may_still_report_it(game: Seat, camera: Camera) -> None:
    two_readings(game, camera)
    game.seats[3].post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert moves(game) == ["2 play red-6 seat"]
    # Sent before the answer was known.
    assert game.seats[2].post("/moves", {"move": "play", "card": "red-9"}).status_code == 201
    assert (game.state()["top"], game.state()["turn"]) == ("red-9", 3)


def test_whose_card_another_has_named_may_take_it_back(game: Seat, camera: Camera) -> None:
    two_readings(game, camera)
    game.seats[3].post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    problem(game.seats[1].post("/corrections", {"kind": "undo"}), 409, "conflict")
    assert game.seats[2].post("/corrections", {"kind": "undo"}).status_code == 201
    assert game.state()["turn"] == 2


def test_who_goes_on_costs_nobody_a_draw_that_the_camera_speaks_against(
    game: Seat, camera: Camera
) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99, origin={"2": 0.95, "3": 0.05})
    game.seats[1].post("/moves", {"move": "draw"})
    assert moves(game)[0].startswith("1 draw seat turn.")
    assert game.state()["hands"] == [7, 7, 7]


def test_nobody_claims_the_card_that_has_ended_the_round(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    before = game.state()
    claimed = game.seats[3].post("/moves", {"move": "play", "card": "red-9"}).get_json()
    assert claimed["ruling"]["verdict"] == "illegal"
    assert game.state() == before


def test_only_a_host_says_that_another_deals(client: FlaskClient) -> None:
    game = open_table(client)
    game.count_hands(1, 1, 2, 3)
    game.move(2, "play", card="red-9")
    for seat in (1, 3):
        game.move(seat, "reveal", hand=["red-0"] if seat == 1 else ["blue-0"])
    result = {"result": {"out": 3, "hands": {"1": 400, "2": 400}}, "dealer": 3}
    problem(game.seats[3].post("/rounds", result), 403, "forbidden")
    problem(game.seats[3].post("/rounds", {"opening": ["red-7"], "dealer": 3}), 403, "forbidden")
    problem(game.seats[2].post("/rounds", {"opening": ["red-7"], "dealer": 3}), 403, "forbidden")
    assert game.seats[2].post("/rounds", {"opening": ["red-7"]}).status_code == 201
