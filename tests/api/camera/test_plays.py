"""Cards laid, lifted and moved, and the rulings on them."""

from tests.api.camera import Camera, kinds, moves, options, question, wrong
from tests.api.conftest import Seat
from tests.api.test_writes import problem

UNSURE = {"kind": "pile", "number": 5, "event": "unsure"}
SAYING_NOTHING: tuple[dict[str, float], ...] = (
    *({}, {"found": 0.5}, {"placed": 1.5}, {"same": 0}),
)


def test_a_card_that_fits_is_the_play_of_whoever_is_on_turn(game: Seat, camera: Camera) -> None:
    seen = camera.sees("placed", "red-3")
    assert (seen["meaning"], seen["discrepancies"]) == ("settled", [])
    assert moves(game) == ["2 play red-3 device"]
    entry = game.get(f"/events?after={seen['id']}").get_json()["items"][0]
    assert entry["cause"] == seen["id"]
    assert entry["presumed"] is True
    assert entry["announcements"] == ["Bo plays a red 3.", "It is Cy's turn."]
    assert game.state()["hands"] == [7, 6, 7]
    assert game.get().get_json()["camera"]["sees"] == "red-3"


def test_a_card_that_does_not_fit_is_ruled_illegal_until_it_is_lifted(
    game: Seat, camera: Camera
) -> None:
    seen = camera.sees("placed", "blue-9")
    assert seen["meaning"] == "illegal"
    assert seen["announcements"] == [
        "Take this card back: blue 9. On top of the pile belongs: red 7."
    ]
    assert moves(game) == ["2 play blue-9 device match"]
    assert wrong(game) == [("take-back", "blue-9", "red-7")]
    assert game.state()["turn"] == 2
    assert camera.sees("lifted", "red-7")["meaning"] == "put-right"
    assert wrong(game) == []
    camera.sees("placed", "red-9")
    assert moves(game)[1:] == ["2 play red-9 device"]


def test_an_illegal_card_that_stays_below_is_still_to_be_taken_back(
    game: Seat, camera: Camera
) -> None:
    camera.sees("placed", "blue-9")
    assert camera.sees("placed", "red-1")["meaning"] == "settled"
    assert wrong(game) == [("take-back", "blue-9", "red-1")]


def test_a_return_to_the_card_before_is_a_take_back(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    seen = camera.sees("lifted", "red-7")
    assert seen["meaning"] == "taken-back"
    assert (game.state()["turn"], game.state()["top"]) == (2, "red-7")
    assert game.state()["hands"] == [7, 7, 7]
    assert "corrected" in kinds(game, seen["id"])
    camera.sees("placed", "red-5")
    assert (game.state()["turn"], game.state()["top"]) == (3, "red-5")


def test_a_take_back_after_others_have_gone_on_is_asked_about(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    game.move(3, "draw")
    assert camera.sees("lifted", "red-7")["meaning"] == "asked"
    assert options(game)[0] == "take-back red-7"
    game.seats[1].post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert game.state()["turn"] == 2
    assert game.state()["hands"] == [7, 7, 7]


def test_a_wild_waits_for_its_colour_and_the_next_card_for_the_wild(
    game: Seat, camera: Camera
) -> None:
    camera.sees("placed", "wild")
    assert game.state()["awaiting"] == [{"seat": 2, "need": "color"}]
    seen = camera.sees("placed", "blue-4")
    assert seen["meaning"] == "waiting"
    assert game.get().get_json()["camera"]["waiting"] == ["blue-4"]
    assert wrong(game) == []
    game.move(2, "color", color="blue")
    assert moves(game) == ["2 play wild device", "2 color blue seat", "3 play blue-4 device"]


def test_a_card_laid_before_a_wrong_colour_is_named_is_ruled_on_then(
    game: Seat, camera: Camera
) -> None:
    camera.sees("placed", "wild")
    camera.sees("placed", "blue-4")
    game.move(2, "color", color="green")
    assert moves(game)[-1] == "3 play blue-4 device match"


def test_who_takes_four_cards_need_not_say_so(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "wild-draw-four")
    game.move(2, "color", color="blue")
    camera.sees("placed", "blue-4")
    assert moves(game)[2:] == ["3 accept device", "1 play blue-4 device"]
    assert game.state()["hands"] == [6, 6, 11]


def test_a_card_out_of_turn_is_noticed_where_the_camera_knows_whose_it_is(
    game: Seat, camera: Camera
) -> None:
    assert camera.sees("placed", "red-3", origin={"1": 0.98})["meaning"] == "asked"
    assert options(game)[:2] == ["illegal 1 play red-3", "play 2 play red-3"]
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert moves(game) == ["1 play red-3 host turn.order"]
    assert wrong(game) == [("take-back", "red-3", "red-7")]


def test_a_draw_that_nobody_said_is_asked_about(game: Seat, camera: Camera) -> None:
    assert camera.sees("placed", "red-3", origin={"3": 0.98})["meaning"] == "asked"
    assert options(game)[0] == "play 2 draw 2 pass 3 play red-3"
    assert question(game)["options"][0]["text"] == "Bo draws 1 card. Cy plays a red 3."
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert game.state()["hands"] == [7, 8, 6]


def test_a_catch_that_comes_before_the_card_counts_with_it(game: Seat, camera: Camera) -> None:
    game.count_hands(2, 2)
    caught = game.move(3, "catch", accused=2)
    assert caught["ruling"]["verdict"] == "illegal"
    camera.sees("placed", "red-3")
    assert moves(game)[-1] == "3 catch seat"
    assert game.state()["hands"] == [7, 3, 7]


def test_an_observation_that_comes_again_counts_once(game: Seat, camera: Camera) -> None:
    body = {"kind": "pile", "number": 9, "event": "placed", "cards": {"red-3": 0.999}}
    first = camera.posts(body, Idempotency_Key="box-9")
    assert camera.posts(body, Idempotency_Key="box-9") == first
    assert camera.posts(body)["meaning"] == "repeated"
    assert moves(game) == ["2 play red-3 device"]


def test_an_outbox_that_begins_anew_counts_from_1_again(game: Seat, camera: Camera) -> None:
    def placed(number: int, card: str, outbox: str | None) -> str:
        body = {"kind": "pile", "number": number, "event": "placed", "cards": {card: 0.999}}
        named = {} if outbox is None else {"outbox": outbox}
        meaning = camera.posts({**body, **named})["meaning"]
        assert isinstance(meaning, str)
        return meaning

    assert placed(9, "red-3", None) == "settled"
    assert placed(1, "red-4", "first") == "settled"
    assert placed(1, "red-5", "first") == "repeated"
    assert placed(1, "red-5", "second") == "settled"
    # An older gateway names none, and goes on counting as before.
    assert placed(9, "red-6", None) == "repeated"
    assert placed(10, "red-6", None) == "settled"
    # The first one is put back in its place.
    assert placed(1, "red-9", "first") == "repeated"
    for name in ("third", "fourth", "fifth"):
        placed(7, "red-9", name)
    assert placed(7, "red-9", "fourth") == "repeated"


def test_an_unread_card_is_answered_in_its_own_outbox(game: Seat, camera: Camera) -> None:
    unread = {"kind": "pile", "number": 3, "event": "unread", "cards": {}, "outbox": "old"}
    assert camera.posts(unread)["meaning"] in ("waiting", "asked")
    read = {"kind": "pile", "event": "placed", "cards": {"red-3": 0.9995}, "resolves": 3}
    assert camera.posts({**read, "number": 4, "outbox": "new"})["meaning"] == "agrees"
    assert moves(game) == []
    camera.posts({**read, "number": 5, "outbox": "old"})
    assert moves(game) == ["2 play red-3 device"]


def test_what_no_camera_can_have_seen_is_refused(game: Seat, camera: Camera) -> None:
    for body in (
        {"kind": "pile", "number": 5, "event": "placed", "cards": {"pink-1": 0.9}},
        {"kind": "pile", "number": 5, "event": "placed", "cards": {"red-1": 0.9, "red-2": 0.9}},
        {"kind": "pile", "number": 5, "event": "placed", "cards": {"red-1": 1.5}},
        {"kind": "pile", "number": 5, "event": "unsure", "cards": {"red-1": 0.9}},
        {"kind": "pile", "event": "placed", "cards": {"red-1": 0.9}},
        {"kind": "pile", "number": 5, "event": "placed", "from": {"9": 0.9}},
        {"kind": "pile", "number": 5, "event": "placed", "powers": {}},
        *({**UNSURE, "likelihoods": some} for some in SAYING_NOTHING),
        {"kind": "pile", "number": 5, "event": "placed", "cards": {"red-1": 0.9}, "arm": 400},
        {"kind": "camera"},
        {"kind": "hand", "shown": [{"red-1": 0.9}], "seat": 9},
    ):
        answer = camera.post("/observations", {"at": "2026-11-21T10:00:00.000+00:00", **body})
        problem(answer, 422, "invalid-request")
    assert moves(game) == []
