"""A card can be tried before it is laid, and what people wrote on cards is read by all."""

from flask.testing import FlaskClient

from referee.rules.ruleset import find_ruleset
from tests.api.conftest import open_table

EXAMPLES = [card.to_json() for card in find_ruleset("classic-112").custom_examples]
AGAIN, CROW = EXAMPLES[3], EXAMPLES[9]
SING = {"effect": "text", "text": "Sing!"}
IN_CZECH = {**AGAIN, "text": "Máš tah navíc."}


def test_a_card_that_is_tried_is_ruled_on_and_not_laid(client: FlaskClient) -> None:
    host = open_table(client)
    before = host.get().get_json()["version"]
    fits = host.seats[2].post("/moves?preview=true", {"move": "play", "card": "red-5"})
    assert fits.status_code == 200
    assert fits.get_json()["ruling"]["verdict"] == "legal"
    refused = host.seats[2].post("/moves?preview=true", {"move": "play", "card": "blue-3"})
    ruling = refused.get_json()["ruling"]
    assert (ruling["verdict"], ruling["rule"]) == ("illegal", "match")
    assert "the colour is red" in ruling["text"]
    assert host.get().get_json()["version"] == before


def test_only_cards_are_tried_and_only_by_who_may_lay_them(client: FlaskClient) -> None:
    host = open_table(client)
    # Whether UNO was called is for the players to notice.
    catch = {"move": "catch", "accused": 1}
    answer = host.seats[2].post("/moves?preview=true", catch)
    assert answer.status_code == 422
    play = {"seat": 2, "move": "play", "card": "red-5"}
    assert host.seats[3].post("/moves?preview=true", play).status_code == 403


def test_a_ready_made_card_is_read_in_each_language_and_named_by_its_text(
    client: FlaskClient,
) -> None:
    host = open_table(client, "classic-112", opening=None)
    for card in (IN_CZECH, CROW, {"text": "Sing!", "effects": [SING]}):
        made = host.seats[1].post("/custom-cards", {"card": card}).get_json()
        for seat in (2, 3):
            host.seats[seat].post(f"/custom-cards/{made['card_id']}/approvals", {})
    for lang, said in (("de", "Du bist noch einmal dran."), ("en", "Take an extra turn.")):
        items = host.get("/custom-cards", Accept_Language=lang).get_json()["items"]
        assert [item["card"]["text"] for item in items][::2] == [said, "Sing!"]
    assert host.post("/rounds", {"opening": ["red-7"], "dealer": 1}).status_code == 201
    host.move(2, "play", card="wild-custom-1", color="blue")
    cards = host.get(Accept_Language="fr").get_json()["options"]["custom_cards"]
    assert [card["text"] for card in cards][::2] == ["Rejoue une fois.", "Sing!"]
    newest = host.get("/events?limit=200", Accept_Language="de").get_json()["items"][-1]
    assert newest["announcements"][0].endswith("Blankokarte 1 „Du bist noch einmal dran“.")
    assert newest["banners"][0]["title"] == "Du bist noch einmal dran"
    host.move(2, "play", card="wild-custom-2", color="blue")
    newest = host.get("/events?limit=200", Accept_Language="cs").get_json()["items"][-1]
    [dared] = [banner for banner in newest["banners"] if banner["event"] == "dare"]
    assert dared["text"] == (
        "Zakokrhej jako kohout. Bylo to přesvědčivé? Jinak si vezmi 4. Rozhodnou ostatní."
    )
    notices = host.get(Accept_Language="sv").get_json()["notices"]
    assert [("Crow" in notice["text"], notice["on_top"]) for notice in notices] == [(False, True)]
    host.move(1, "judge", passed=True)
    host.move(3, "play", card="wild-custom-3", color="blue")
    for card, lies in (("blue-5", True), ("blue-6", False)):
        assert [one["on_top"] for one in host.get().get_json()["notices"]] == [lies]
        host.move(1, "play", card=card)


def test_a_card_that_was_not_agreed_on_is_refused_in_plain_words(client: FlaskClient) -> None:
    host = open_table(client, "classic-112")
    laid = host.move(2, "play", card="wild-custom-3", color="blue")
    assert laid["ruling"]["rule"] == "deck.unknown"
    assert laid["ruling"]["text"] == "This game is played without this card: wild custom 3."
