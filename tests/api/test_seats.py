"""People come and go: join, come back, leave, other names, other places."""

import csv
import io
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules import ruleset as registry
from referee.rules.ruleset import find_ruleset
from tests.api.conftest import API, Seat, imported, open_table, record
from tests.api.reloaded import reloaded
from tests.api.seating import (
    arrange,
    finish_round,
    join,
    order,
    play_round,
    rename,
    seats_of,
)
from tests.api.test_bad_input import problem


def test_a_newcomer_joins_between_rounds(app: Flask, host: Seat) -> None:
    problem(host.post("/seats", {"name": "Di"}), 409, "conflict")
    finish_round(host)
    made = join(host, name="Di", place=2)
    assert made["seats"] == {"order": [1, 4, 2, 3], "join": {"4": 0}, "names": {"4": "Di"}}
    assert made["announcements"] == ["Di joins the table with 0 points."]
    assert order(host) == [1, 4, 2, 3]
    assert seats_of(host)[3] == {
        "seat": 4,
        "name": "Di",
        "in": True,
        "out": False,
        "taken": False,
        "heard": False,
        "language": None,
        "host": False,
        "counted_hands": [1, 2, 3],
    }
    di = host.join(4)
    host.seats[4] = di
    # The deal passes to Di's left neighbour after Di: Ann dealt, so Di deals.
    assert host.get().get_json()["next_dealer"] == 4
    assert di.post("/rounds", {"opening": ["red-7"]}).status_code == 201
    assert host.state()["hands"] == [7, 7, 7, 7]
    assert host.state()["turn"] == 2
    finish_round(host)
    sheet = host.get("/scores").get_json()
    assert sheet["seats"] == ["Ann", "Bo", "Cy", "Di"]
    assert [one["points"] for one in sheet["rounds"]] == [[0, 10, 0, None], [0, 15, 0, 0]]
    assert [one["scores"][3] for one in sheet["rounds"]] == [None, 0]
    lines = list(csv.reader(io.StringIO(host.get("/scores.csv").text.lstrip("\ufeff"))))
    assert lines[0][3:] == ["Ann", "Bo", "Cy", "Di"]
    assert [line[-1] for line in lines[1:]] == ["", "0", "0"]
    assert host.get("/scores.svg").text.count("<polyline") == 4
    assert host.get("/rounds").get_json()["items"][0]["scores"][3] is None
    reloaded(app, host)


def test_a_record_holds_who_came_and_went(host: Seat) -> None:
    finish_round(host)
    join(host, name="Di", place=1, points=40)
    rename(host.seats[3], 3, "Cyd")
    play_round(host)
    host.delete("/seats/1")
    arrange(host, order=[2, 4, 3], dealer=3)
    host.post("/rounds", {"opening": ["red-7"]})
    host.move(2, "leave")
    rename(host, 4, "Dina")
    record = host.get("/record").get_json()
    assert record["rounds"][1]["order"] == [4, 1, 2, 3]
    assert record["rounds"][1]["join"] == {"4": 40}
    made = host.client.post(f"{API}/records", json=record)
    assert made.status_code == 201, made.text
    table = made.get_json()["table"]
    mine = host.get().get_json()
    assert table["state"] == mine["state"]
    assert [seat["name"] for seat in table["seats"]] == ["Ann", "Bo", "Cyd", "Dina"]
    assert (table["order"], mine["order"]) == ([4, 3], [4, 3])


def test_somebody_leaves_in_a_round_and_comes_back(app: Flask, host: Seat) -> None:
    bo = host.seats[2]
    problem(bo.delete("/seats/3"), 403, "forbidden")
    left = bo.delete("/seats/2").get_json()
    assert (left["kind"], left["move"]) == ("moved", {"seat": 2, "move": "leave"})
    assert (host.state()["turn"], host.state()["hands"]) == (3, [7, 0, 7])
    assert [seat["in"] for seat in seats_of(host)] == [True, False, True]
    assert order(bo) == [1, 3]
    code = host.get().get_json()["code"]
    bo.delete("/tokens/self")
    del host.seats[2]
    problem(host.client.post(f"{API}/join", json={"code": code, "seat": 2}), 409, "conflict")
    assert host.post("/moves", {"seat": 2, "move": "draw"}).get_json()["ruling"]["verdict"] == (
        "illegal"
    )
    finish_round(host)
    # Cy goes out; Bo was there when the round began.
    assert host.get("/scores").get_json()["rounds"][0]["points"] == [0, 0, 5]
    back = join(host, seat=2)
    assert back["announcements"] == ["Bo is back with 0 points."]
    assert order(host) == [1, 2, 3]
    problem(host.post("/seats", {"seat": 2}), 409, "conflict")
    play_round(host)
    reloaded(app, host)


def test_somebody_leaves_between_rounds(app: Flask, host: Seat) -> None:
    finish_round(host)
    scores = host.state()["scores"]
    gone = host.seats[2].post("/moves", {"move": "leave"}).get_json()
    assert gone["announcements"] == ["Bo leaves the table."]
    assert order(host) == [1, 3]
    assert host.state()["hands"][1] == 0
    again = imported(host.client, host.get("/record").get_json())
    assert again.state() == host.state()
    # Bo would have dealt.
    assert host.get().get_json()["next_dealer"] == 3
    problem(host.delete("/seats/2"), 409, "conflict")
    play_round(host)
    assert host.state()["scores"][1] == scores[1]
    assert host.get("/scores").get_json()["rounds"][1]["points"][1] is None
    # One comes back with the points on the sheet.
    host.delete("/seats/3")
    problem(host.delete("/seats/1"), 409, "conflict")
    problem(host.post("/rounds", {"opening": ["red-7"]}), 422, "invalid-request")
    assert join(host, seat=2)["seats"]["join"] == {"2": scores[1]}
    play_round(host)
    reloaded(app, host)


def test_down_to_one_the_round_is_over_without_points(host: Seat) -> None:
    host.delete("/seats/2")
    host.seats[3].delete("/seats/3")
    state = host.state()
    assert (state["turn"], state["awaiting"], state["scores"]) == (None, [], [0, 0, 0])
    assert order(host) == [1]
    problem(host.seats[1].delete("/seats/1"), 409, "conflict")
    assert host.get("/scores").get_json()["rounds"] == []
    join(host, name="Di")
    play_round(host, dealer=1)


def test_the_seats_change_before_the_first_round(client: FlaskClient, app: Flask) -> None:
    host = open_table(client, "classic-112", opening=None)
    host.post("/deal-draws", {"draws": [{"seat": 1, "card": "red-7"}]})
    host.post("/custom-cards", {"card": {"text": "Sing.", "effects": []}, "seat": 1})
    host.post("/custom-cards/1/approvals", {"seat": 3})
    host.seats[2].delete("/seats/2")
    assert host.get().get_json()["deal_draws"]["drawn"] == []
    (card,) = host.get("/custom-cards").get_json()["items"]
    assert card["missing"] == []
    join(host, name="Di", place=1)
    (card,) = host.get("/custom-cards").get_json()["items"]
    assert card["missing"] == [4]
    refused = problem(
        host.post("/rounds", {"opening": ["red-7"], "dealer": 4}), 409, "not-approved"
    )
    assert refused["seats"] == [4]
    host.post("/custom-cards/1/approvals", {"seat": 4})
    problem(
        host.post("/deal-draws", {"draws": [{"seat": 2, "card": "red-9"}]}), 422, "invalid-request"
    )
    draws = [{"seat": seat, "card": f"red-{seat}"} for seat in (1, 3, 4)]
    assert host.post("/deal-draws", {"draws": draws}).get_json()["dealer"] == 4
    assert host.post("/rounds", {"opening": ["red-7"]}).status_code == 201
    assert (host.state()["turn"], host.state()["hands"]) == (1, [7, 0, 7, 7])
    reloaded(app, host)


def test_a_new_name_shows_everywhere(app: Flask, host: Seat) -> None:
    host.move(2, "play", card="red-9")
    problem(rename(host.seats[3], 2, "Bob"), 403, "forbidden")
    named = rename(host.seats[2], 2, "Bob").get_json()
    assert named["announcements"] == ["Bo is now called Bob."]
    assert seats_of(host)[1]["name"] == "Bob"
    told = host.get("/events?limit=200").get_json()["items"]
    played = next(item for item in told if item["kind"] == "moved")
    assert played["announcements"][0] == "Bob plays a red 9."
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    assert seats_of(host)[1]["name"] == "Bob"
    finish_round(host)
    assert rename(host, 1, "Anna").status_code == 200
    assert host.get("/scores.csv").text.splitlines()[0].endswith("Anna,Bob,Cy")
    assert "Anna" in host.get("/scores.svg").text
    assert host.get("/record").get_json()["rounds"][0]["names"] == {"1": "Anna", "2": "Bob"}
    problem(rename(host, 1, "Bob"), 422, "invalid-request")
    problem(rename(host, 1, "  "), 422, "invalid-request")
    problem(rename(host, 9, "Di"), 422, "invalid-request")
    reloaded(app, host)


def test_a_name_is_right_in_the_record_before_the_first_round(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    rename(host, 1, "Anna")
    assert host.get("/record").get_json()["seats"] == ["Anna", "Bo", "Cy"]


def test_order_and_dealer_are_the_host_s_between_rounds(host: Seat) -> None:
    problem(arrange(host, order=[1, 3, 2]), 409, "conflict")
    finish_round(host)
    problem(arrange(host.seats[2], order=[1, 3, 2]), 403, "forbidden")
    for wrong in ({}, {"order": [1, 2]}, {"order": [1, 2, 2]}, {"dealer": 4}, {"order": [1, 2, 9]}):
        problem(arrange(host, **wrong), 422, "invalid-request")
    done = arrange(host, order=[1, 3, 2], dealer=2).get_json()
    assert done["announcements"] == [
        "At the table, clockwise: Ann, Cy and Bo.",
        "Bo deals next.",
    ]
    assert host.get().get_json()["next_dealer"] == 2
    host.post("/rounds", {"opening": ["red-7"]})
    assert host.state()["turn"] == 1
    host.move(1, "play", card="red-1")
    assert host.state()["turn"] == 3


def test_points_to_start_with(client: FlaskClient) -> None:
    host = open_table(client, scoring="low")
    finish_round(host)
    assert host.state()["scores"] == [5, 0, 5]
    assert join(host, name="Di")["seats"]["join"] == {"4": 5}
    assert join(host, name="Eve", points=1)["seats"]["join"] == {"5": 1}
    host.delete("/seats/3")
    assert join(host, seat=3, name="Cyd")["seats"]["join"] == {"3": 5}
    assert seats_of(host)[2]["name"] == "Cyd"


def test_a_table_seats_as_many_as_its_deck_allows(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(find_ruleset("classic-108"), id="small", most_seats=3)
    monkeypatch.setitem(registry._extra, "small", small)
    assert client.get(f"{API}/rulesets/small").get_json()["most_seats"] == 3
    four = client.post(f"{API}/tables", json={"ruleset": "small", "seats": [*"ABCD"]})
    assert problem(four, 422, "invalid-request")["errors"][0]["field"] == "seats"
    host = open_table(client, ruleset="small", names=tuple("ABC"), opening=None)
    full = problem(host.post("/seats", {"name": "D"}), 409, "conflict")
    assert full["detail"] == "At most 3 players can play."


def test_who_cannot_join(client: FlaskClient) -> None:
    names = tuple("ABCDEFGHIJ")
    host = open_table(client, names=names, opening=None)
    full = problem(host.post("/seats", {"name": "K"}), 409, "conflict")
    assert full["detail"] == "At most 10 players can play."
    host.delete("/seats/3")
    for wrong in (
        {},
        {"name": "A"},
        {"name": "K", "place": 11},
        {"name": "K", "points": -1},
        {"name": "K", "order": [1]},
        {"seat": 12},
        {"seat": 0},
    ):
        problem(host.post("/seats", wrong), 422, "invalid-request")
    problem(host.seats[2].post("/seats", {"name": "K"}), 403, "forbidden")


@pytest.mark.parametrize(
    "name",
    [
        "bo",
        " Bo ",
        "\uff22\uff4f",
        "B\u200bo",
        "B\u034fo",
        "B\u3164o",
        "Bo\ufe0f",
        "\u2800B\U000e0061o",
        "\u0412\u043e",  # Cyrillic
        "B\u03bf",  # with a Greek letter
    ],
)
def test_a_name_that_looks_like_another_is_taken(client: FlaskClient, name: str) -> None:
    host = open_table(client, opening=None)
    before = host.get().get_json()
    made = {"ruleset": "classic-108", "seats": ["Bo", name]}
    for answer, field in (
        (host.post("/seats", {"name": name}), "name"),
        (rename(host, 3, name), "name"),
        (client.post(f"{API}/tables", json=made), "seats[1]"),
    ):
        errors = problem(answer, 422, "invalid-request")["errors"]
        assert errors == [{"field": field, "reason": "the name 'Bo' is taken"}]
    assert host.get().get_json() == before
    assert rename(host, 2, name).status_code == 200


# Names that people have, by language.
NAMES: dict[str, tuple[str, ...]] = {
    "en": ("O'Brien", "Anne-Marie", "DJ Max 3"),
    "sv": ("Åsa", "Östen", "Märta"),
    "da": ("Søren", "Ægir", "Åge"),
    "no": ("Øystein", "Håkon", "Bjørg"),
    "fi": ("Väinö", "Päivi", "Yrjö"),
    "cs": ("Žofie", "Řehoř", "Tomáš"),
    "sk": ("Ľubica", "Štefan", "Ďurko"),
    "pl": ("Łukasz", "Świętosława", "Żaneta"),
    "hu": ("Ödön", "Ősz", "Gyöngyvér"),
    "ru": ("Дмитрий", "Ёжик", "Наталья"),
    "de": ("Weiß", "Jürgen", "Käthe"),
    "fr": ("François", "Zoë", "Hélène"),
    "es": ("Íñigo", "Begoña", "José"),
    "it": ("Niccolò", "Noè", "D'Angelo"),
    "nl": ("Thijs", "Daniël", "IJsbrand"),
    "pt": ("João", "Conceição", "Luís"),
    "others": (
        "Αλέξανδρος",
        "Սարգիս",
        "Віктор",
        "محمد",
        "דוד",
        "太郎",
        "지민",
        "Ann 👩‍👧 🫨",
        "𠮷野",
    ),
}


@pytest.mark.parametrize("lang", NAMES)
def test_names_that_people_have_are_taken(client: FlaskClient, lang: str) -> None:
    host = open_table(client, names=("Anna", *NAMES[lang]), opening=None)
    assert [seat["name"] for seat in seats_of(host)] == ["Anna", *NAMES[lang]]


def test_letters_of_one_script_stay_apart(client: FlaskClient) -> None:
    names = ("Нина", "Hanna", "Bob", "вов", "Вов", "ВОВА")
    for name in names:
        made = {"ruleset": "classic-108", "seats": ["BOBA", name]}
        status = client.post(f"{API}/tables", json=made).status_code
        assert status == (422 if name == "ВОВА" else 201), name
    made = {"ruleset": "classic-108", "seats": ["Вова", "вова"]}
    problem(client.post(f"{API}/tables", json=made), 422, "invalid-request")


@pytest.mark.parametrize(
    "name",
    [
        "\u200b",
        "a\nb",
        "\u202eyA",
        "\ufe0f",
        "a\u2028b",
        "\u3164\uffa0",
        "\u115f \u2800",
        "\u0301\u20dd",
        "\u200fa",
        "\uffffa",
        "\ufdd0a",
        "\U0010ffffa",
        "\ue000a",
        "a\ufffc",
        "a\ufffd",
        "a\u0378",
    ],
)
def test_a_name_can_be_read(client: FlaskClient, name: str) -> None:
    host = open_table(client, opening=None)
    made = {"ruleset": "classic-108", "seats": ["Ann", name]}
    for answer in (
        host.post("/seats", {"name": name}),
        rename(host, 2, name),
        client.post(f"{API}/tables", json=made),
    ):
        problem(answer, 422, "invalid-request")
    # Emoji may be joined by an unseen letter, and a record keeps the names it has.
    join(host, name="\U0001f469\u200d\U0001f466")
    imported(client, {**record(), "seats": ["Ann", name]})


def test_a_number_s_next_owner_is_rid_of_the_last_one_s_phone(app: Flask, host: Seat) -> None:
    finish_round(host)
    join(host, name="Di")
    di = host.join(4)
    host.post("/corrections", {"kind": "undo"})
    assert di.get().status_code == 200
    joined = join(host, name="Eve")
    assert joined["announcements"] == ["Eve joins the table with 0 points."]
    problem(rename(di, 4, "Mine"), 401, "not-authenticated")
    problem(di.get(), 401, "not-authenticated")
    assert not seats_of(host)[3]["taken"]
    assert host.seats[3].get().status_code == 200
    reloaded(app, host)
    problem(di.get(), 401, "not-authenticated")


def test_more_than_ten_have_had_a_seat(app: Flask) -> None:
    host = open_table(app.test_client(), names=tuple("ABCDEFGHIJ"), opening=None)
    host.delete("/seats/3")
    join(host, name="K", place=3)
    assert host.post("/rounds", {"opening": ["red-7"], "dealer": 2}).status_code == 201
    assert host.state()["turn"] == 11
    assert host.move(11, "draw")["ruling"]["verdict"] == "legal"
    rename(host, 11, "Kay")
    host.post("/corrections", {"kind": "undo"})
    assert (host.state()["turn"], seats_of(host)[10]["name"]) == (11, "Kay")
    reloaded(app, host)


def test_a_change_of_seats_is_made_once(host: Seat) -> None:
    finish_round(host)
    version = host.get().headers["ETag"]
    first = host.post("/seats", {"name": "Di"}, Idempotency_Key="join-1")
    again = host.post("/seats", {"name": "Di"}, Idempotency_Key="join-1")
    assert first.get_json() == again.get_json()
    problem(host.post("/seats", {"name": "Eve"}, If_Match=version), 412, "stale-version")
    problem(host.delete("/seats/4", If_Match=version), 412, "stale-version")
    assert order(host) == [1, 2, 3, 4]
