"""Languages over HTTP: headers, ``?lang=``, a seat's choice, streams, problems, words."""

import pytest
from flask.testing import FlaskClient

from referee.texts import languages
from tests.api.conftest import API, Seat, open_table
from tests.api.test_bad_input import problem
from tests.api.test_events import STREAM, take


def test_the_languages_are_listed_by_their_own_names(client: FlaskClient) -> None:
    items = client.get(f"{API}/languages").get_json()["items"]
    names = {item["id"]: item["name"] for item in items}
    assert names["fi"] == "Suomi"
    assert set(names) == set(languages())


@pytest.mark.parametrize(
    ("accept", "query", "lang"),
    [
        ("sv", "", "sv"),
        ("nb-NO, sv;q=0.5", "", "no"),
        ("xx, cs;q=0.3, hu;q=0.4", "", "hu"),
        ("sv", "&lang=ru", "ru"),
        ("sv", "&lang=nn", "no"),
        ("xx", "", "en"),
    ],
)
def test_an_answer_says_its_language(
    client: FlaskClient, accept: str, query: str, lang: str
) -> None:
    answer = client.get(
        f"{API}/rulesets/classic-108/rules?limit=1{query}", headers={"Accept-Language": accept}
    )
    assert answer.headers["Content-Language"] == lang
    assert "Accept-Language" in answer.headers["Vary"]


def test_a_ruling_is_in_the_readers_language(host: Seat) -> None:
    answer = (
        host.seats[2]
        .post("/moves", {"seat": 2, "move": "play", "card": "blue-3"}, Accept_Language="pl")
        .get_json()
    )
    ruling = answer["ruling"]
    assert ruling["text"] == (
        "Niebieska 3 nie pasuje: kolor to czerwony, a na wierzchu leży czerwona 7."
    )
    assert ruling["put_right"] == "Zabierz wyłożoną kartę. Nic więcej się nie zmienia."


def test_a_problem_is_in_the_readers_language(client: FlaskClient) -> None:
    answer = client.get(f"{API}/rulesets/whist", headers={"Accept-Language": "da"}).get_json()
    assert answer["title"] == "Findes ikke"
    assert answer["detail"] == "Der er ikke noget regelsæt 'whist'."
    missing = client.post(f"{API}/join", json={"seat": 0}, headers={"Accept-Language": "sv"})
    errors = {e["field"]: e["reason"] for e in missing.get_json()["errors"]}
    assert errors["code"] == "Ett obligatoriskt fält saknas."
    assert errors["seat"] == "Måste vara minst 1 och högst 100."


def test_a_language_that_is_not_spoken_is_said(client: FlaskClient) -> None:
    answer = client.get(f"{API}/rulesets?lang=xx")
    assert answer.status_code == 422
    assert answer.get_json()["errors"][0]["field"] == "lang"
    assert ", ".join(languages()) in answer.get_json()["detail"]


def put(seat: Seat, language: str | None) -> int:
    path = f"{API}/tables/{seat.table}/language"
    return seat.call("PUT", path, {"language": language}).status_code


def test_a_seat_keeps_its_language(host: Seat) -> None:
    bo = host.seats[2]
    assert put(bo, "fi-FI") == 200
    assert bo.get(Accept_Language="sv").headers["Content-Language"] == "fi"
    assert host.get().headers["Content-Language"] == "en"
    assert [seat["language"] for seat in host.get().get_json()["seats"]] == [None, "fi", None]
    assert bo.get("?lang=cs").headers["Content-Language"] == "cs"
    assert put(bo, None) == 200
    assert bo.get(Accept_Language="sv").headers["Content-Language"] == "sv"
    assert put(bo, "xx") == 422
    assert put(host, "fi") == 403


def test_a_seat_that_is_taken_anew_starts_without_a_language(host: Seat) -> None:
    assert put(host.seats[2], "fi") == 200
    assert host.delete(f"/tokens/{host.seats[2].token_id()}").status_code == 200
    host.post("/tokens", {"role": "seat", "seat": 2})
    assert [seat["language"] for seat in host.get().get_json()["seats"]] == [None, None, None]


def test_an_open_stream_changes_its_language_with_the_seat(host: Seat) -> None:
    ann, bo = host.seats[1], host.seats[2]
    answer = ann.get("/events", Accept=STREAM, Last_Event_ID="5")
    assert put(ann, "sv") == 200
    bo.move(2, "draw")
    events = take(answer, 2)
    assert events[0][1] == "language-chosen"
    assert "Bo drar 1 kort." in events[1][2]["announcements"]  # type: ignore[operator]


def test_rules_are_found_by_card_and_by_power(client: FlaskClient) -> None:
    rules = f"{API}/rulesets/color-powers/rules"
    by_power = client.get(f"{rules}?power=blue").get_json()["items"]
    assert by_power[0]["id"] == "power.blue"
    by_card = client.get(f"{rules}?card=blue-skip").get_json()["items"]
    assert [rule["id"] for rule in by_card][:1] == ["card.skip"]
    assert {"opening.skip", "power.yellow"} <= {rule["id"] for rule in by_card}
    both = client.get(f"{rules}?card=wild-draw-four&q=challenge").get_json()["items"]
    assert "challenge" in [rule["id"] for rule in both]
    assert client.get(f"{rules}?card=pink-3").status_code == 422
    assert client.get(f"{rules}?power=pink").status_code == 422


def test_words_for_pickers_and_buttons(client: FlaskClient) -> None:
    words = client.get(f"{API}/rulesets/power-grab/words?lang=no").get_json()
    assert words["language"] == "no"
    assert words["cards"]["yellow-skip"] == "gult stå over-kort"
    assert words["powers"]["U"] == "tårn U"
    assert words["options"]["tower_claim.must-move"] == "Bare når noen flytter det"
    assert words["moves"]["challenge"] == "Utfordre"
    assert (
        client.get(f"{API}/rulesets/classic-112?lang=da").get_json()["custom_card_examples"][3][
            "text"
        ]
        == "Tag en ekstra tur."
    )


def test_what_may_i_do_now(client: FlaskClient) -> None:
    host = open_table(client, opening=("red-7",), dealer=1)
    answer = host.seats[2].get("/choices?lang=sv").get_json()
    assert answer["seat"] == 2
    assert answer["waiting"] == "Nu: Bo ska spela eller dra."
    by_kind = {choice["kind"]: choice for choice in answer["choices"]}
    assert by_kind["draw"]["text"] == "Dra ett kort."
    assert by_kind["draw"]["rule"]["source"] == "regelbladet till ”Klassisk, 108 kort”"
    assert {"seat": 2, "move": "draw"} in by_kind["draw"]["moves"]
    assert "röd 7" in next(
        choice["text"] for choice in answer["choices"] if choice["rule"]["id"] == "match"
    )
    assert host.get("/choices?seat=1").get_json()["choices"] == []
    assert host.get("/choices").get_json()["seat"] == 2
    assert host.get("/choices?seat=9").status_code == 422


def test_a_reason_within_a_sentence_is_translated(host: Seat) -> None:
    answer = host.post("/rounds", {"opening": ["red-7"]}, Accept_Language="de")
    assert problem(answer, 409, "conflict")["detail"].endswith(": eine Runde läuft noch.")
    host.post("/games/end")
    answer = host.call("PUT", f"{API}/tables/{host.table}/seating", {}, Accept_Language="de")
    told = problem(answer, 422, "invalid-request")
    assert told["detail"] == f"order: {told['errors'][0]['reason']}."
    assert "give the order" not in told["detail"]
