"""What an assistant can ask without a table: rules, cards, rulings, records."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.rules.ruleset import rulesets
from referee.texts import deck_words, languages
from referee.texts.catalog import find
from tests.cli.mcp_server.talking import MCPError, call, make_server, program, refused, talk

POSITION = "classic-108 7,7,7 2> play red-7"
GAME = json.loads(
    (Path(__file__).parents[3] / "examples" / "power-grab-towers.json").read_text("utf-8")
)


def test_a_program_speaks_to_it_over_stdin_and_stdout() -> None:
    async def ask(client: Any) -> Any:
        tools = (await client.list_tools()).tools
        ruling = await client.call_tool("rule_on_move", {"position": POSITION, "move": "2 blue-3"})
        book = await client.read_resource("referee://rules/moomin/sv")
        await client.call_tool("rule_on_move", {"position": 7, "move": "x"})
        return tools, ruling.structured_content, book.contents[0].text

    tools, ruling, book = talk(program(), ask)
    assert {tool.name for tool in tools} == {
        *("list_decks", "search_rules", "get_rule", "explain_card"),
        *("rule_on_move", "legal_moves", "replay_record"),
    }
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert tool.description
        assert tool.output_schema
        assert all("description" in one for one in tool.input_schema["properties"].values())
    assert (ruling["verdict"], ruling["rule"]) == ("illegal", "match")
    assert ruling["source"] == "the rule sheet of “Classic, 108 cards”"
    assert ruling["put_right"] == "Take back what was laid. Nothing else changes."
    assert book.startswith("# Sagor från Mumindalen")


def test_decks_are_told_apart() -> None:
    decks = {deck["id"]: deck for deck in call("list_decks")["decks"]}
    assert decks["power-grab"]["powers"] == ["U", "N", "O", "!"]
    assert "wild-tales" in decks["moomin"]["symbols"]
    assert "two_player_reverse" in decks["classic-108"]["options"]


@pytest.mark.parametrize(
    ("query", "deck", "lang", "rule"),
    [
        ("challenge", "classic-112", "en", "challenge"),
        ("tower.protect", "power-grab", "en", "tower.protect"),
        ("hoppa över", None, "en", "card.skip"),
        ("can I put a draw two on a draw two?", None, "en", "card.draw-two"),
        ("somebody forgot to say UNO and the next one has played", None, "en", "uno.catch"),
        ("stacking", None, "en", "house.stacking"),
        ("stack", "moomin", "fr", "house.stacking"),
        ("stapeln", "power-grab", "de", "card.draw-one"),
        ("jump-in", "classic-112", "en", "turn.order"),
        ("7-0", None, "en", "match"),
        ("darf man auf eine Zieh zwei eine andere legen?", None, "de", "card.draw-two"),
    ],
)
def test_rules_are_found_by_words_in_any_language(
    query: str, deck: Any, lang: str, rule: str
) -> None:
    found = call("search_rules", query=query, deck=deck, lang=lang)["rules"]
    assert rule in [one["id"] for one in found[:3]]
    assert all(one["source"] for one in found)


def test_a_clarification_is_found_by_its_number() -> None:
    (note,) = call("search_rules", query="what is r7?")["clarifications"]
    assert (note["id"], note["why"]) == ("R7", note["why"])
    assert "two players" in note["text"]


def test_a_rule_brings_the_decisions_behind_it() -> None:
    rule = call("get_rule", rule_id="challenge", deck="moomin")
    assert {note["id"] for note in rule["clarifications"]} >= {"R8"}


@pytest.mark.parametrize("card", ["draw-two", "red-draw-two", "Red draw two", "red draw-two"])
def test_a_card_is_explained_by_id_or_name(card: str) -> None:
    found = call("explain_card", card=card, deck="classic-108")
    assert (found["id"], found["points"], found["copies"]) == ("red-draw-two", 20, 2)
    assert found["rules"][0]["id"] == "card.draw-two"


@pytest.mark.parametrize(
    ("card", "lang", "found"),
    [
        ("blue seven", "en", "blue-7"),
        ("blue seven", "de", "blue-7"),
        ("blå sjua", "sv", "blue-7"),
        ("blå 7", "sv", "blue-7"),
        ("rød 7'er", "da", "red-7"),
        ("sept bleu", "fr", "blue-7"),
        ("rött hoppa-över-kort", "sv", "red-skip"),
    ],
)
def test_a_card_is_found_as_people_say_it(card: str, lang: str, found: str) -> None:
    assert call("explain_card", card=card, deck="classic-108", lang=lang)["id"] == found


@pytest.mark.parametrize("lang", languages())
def test_every_card_is_found_by_its_name_with_its_digit_in_words(lang: str) -> None:
    words = deck_words(rulesets()["classic-108"], lang)["cards"]
    for digit in range(10):
        in_words = find("digit", str(digit), lang)[0].split("/")
        said = words[f"green-{digit}"].replace(str(digit), in_words[0])
        found = call("explain_card", card=said, deck="classic-108", lang=lang)
        assert found["id"] == f"green-{digit}"


def test_an_argument_that_a_tool_lacks_is_refused() -> None:
    said = refused("search_rules", query="match", ruleset="moomin")
    assert said == "ruleset: there is no such argument. The tool has query, deck, limit, lang."


def test_a_prompt_without_its_argument_is_refused_in_a_sentence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def ask(client: Any) -> Any:
        await client.get_prompt("settle_a_dispute", {})

    with pytest.raises(ExceptionGroup) as refusal:
        talk(make_server(), ask)
    assert refusal.group_contains(MCPError, match="Missing required arguments: .*what_happened")
    assert not caplog.records


def test_a_position_goes_from_call_to_call() -> None:
    position = "classic-112 5,6 2> play green-4"
    wild = call("rule_on_move", position=position, move="2 wild-draw-four>blue")
    assert (wild["verdict"], "challenge" in wild["waiting"]) == ("legal", True)
    reply = {"seat": 1, "move": "challenge"}
    challenged = call("rule_on_move", position=wild["position"], move=reply)
    shown = call(
        "rule_on_move",
        position=challenged["position"],
        move="2 shows " + ",".join(["green-1", *["red-1", "red-2", "red-3", "red-4"]]),
    )
    assert shown["verdict"] == "legal"
    choices = call("legal_moves", position=shown["position"], seat=1)
    assert {choice["seat"] for choice in choices["choices"]} == {1}


def test_a_record_is_replayed_in_pages() -> None:
    whole = call("replay_record", record=GAME, limit=3)
    assert whole["moves"] == whole["left_out"] + 3
    second = call("replay_record", record=GAME, limit=3, after=2)
    assert second["rulings"][0] == whole["rulings"][2]
    assert (whole["deck"], whole["holds"]) == ("power-grab", True)
    wrong = call("replay_record", record=GAME, only_illegal=True, limit=100)
    assert len(wrong["rulings"]) == whole["illegal"]
    at_end = call("rule_on_move", record=GAME, move="1 uno")
    assert at_end["position"].startswith("power-grab")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search_rules", {"query": "xyzzy"}, "No rule mentions 'xyzzy'."),
        ("search_rules", {"query": "  "}, "query: say what to look for"),
        ("search_rules", {"limit": 99}, "query: Field required; limit: Input should be less than"),
        ("get_rule", {"rule_id": "chalenge", "deck": "moomin"}, "Did you mean challenge?"),
        ("get_rule", {"rule_id": "match", "deck": "clasic-108"}, "did you mean classic-108?"),
        ("explain_card", {"card": "red tree", "deck": "moomin"}, "Did you mean red"),
        ("list_decks", {"lang": "tlh"}, "lang: must be one of"),
        ("rule_on_move", {"move": "2 draw"}, "Give either position or record."),
        ("rule_on_move", {"move": "2 draw", "position": "classic-108 7"}, "position: must give"),
        ("rule_on_move", {"move": "2", "position": POSITION}, "move: must be a seat and what"),
        ("rule_on_move", {"move": {"seat": 9, "move": "draw"}, "position": POSITION}, "seat: must"),
        ("rule_on_move", {"move": "2 draw", "record": {"format": 1}}, "format: must be"),
        ("replay_record", {"record": {**GAME, "rounds": [{}] * 4_000}}, "more than 3000 moves"),
        ("replay_record", {"record": {**GAME, "rounds": [{"moves": 7}]}}, "round 1, "),
        ("replay_record", {"record": []}, "record: Input should be a valid dictionary"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    tool: str, arguments: dict[str, Any], said: str
) -> None:
    text = refused(tool, **arguments)
    assert said in text
    assert len(text) < 500
    assert "pydantic" not in text


def test_rule_books_and_notation_are_resources() -> None:
    async def read(client: Any) -> Any:
        listed = (await client.list_resources()).resources
        texts = {str(one.uri): await client.read_resource(str(one.uri)) for one in listed}
        notes = await client.read_resource("referee://clarifications/fi")
        prompt = await client.get_prompt("settle_a_dispute", {"what_happened": "a +2 on a +2"})
        return {uri: text.contents[0].text for uri, text in texts.items()}, notes, prompt

    texts, notes, prompt = talk(program(), read)
    assert "## Positions" in texts["referee://notation"]
    assert "`card.wild-draw-four`" in texts["referee://rules/classic-112"]
    assert "## R7" in notes.contents[0].text
    assert "a +2 on a +2" in prompt.messages[0].content.text
