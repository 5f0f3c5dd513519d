"""Banners: what an entry means to each seat."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.rules.codec import move_to_json
from referee.rules.position.views import public_state
from referee.rules.records.record import parse_record, replay
from referee.rules.records.serial import event_to_json
from referee.rules.ruleset import find_ruleset
from referee.texts import describe_banners, languages
from referee.texts.catalog import FOLDER, read_catalog
from referee.texts.touches import KINDS, NEEDS

STATE = {
    "turn": 2,
    "color": "red",
    "top": "red-7",
    "hands": [3, 4, 5],
    "scores": [0, 0, 0],
    "round_winner": None,
    "awaiting": [{"seat": 2, "need": "play"}],
}
ROOT = Path(__file__).parents[2]
SEATS = ("Ann", "Bo", "Cy")


def said(*events: dict[str, Any], **entry: Any) -> dict[int, tuple[str, str]]:
    """Return title and text by seat."""
    whole = {"kind": "moved", "state": STATE, **entry}
    banners = describe_banners(whole, events, "en", SEATS)
    return {banner["seat"]: (banner["title"], banner["text"]) for banner in banners}


def test_the_weightiest_thing_is_the_title_and_the_rest_follows() -> None:
    found = said(
        {"event": "protected", "seat": 2, "power": "N"},
        {"event": "turn-came", "seat": 2},
    )
    assert found[2] == (
        "N protects you",
        (
            "The card does nothing to you. Your turn. Colour: red. On top: red 7. "
            "Lay a card that matches, or draw."
        ),
    )


def test_who_is_next_waits_for_a_second_card() -> None:
    found = said(
        {"event": "follow-up-opened", "seat": 1, "rule": "power.blue", "only": None},
        {"event": "turn-came", "seat": 2},
    )
    assert found[2] == ("Your turn", "Wait a moment: Ann may lay another card first.")
    assert found[1][0] == "One more card?"


def test_cards_given_away_as_the_last_are_taken_before_hands_are_shown() -> None:
    shows = {**STATE, "round_winner": 1, "awaiting": [{"seat": 2, "need": "reveal"}]}
    found = said(
        {"event": "gave", "seat": 1, "to": 2, "cards": {"count": 3}},
        {"event": "awaited", "needs": [[2, "reveal"]]},
        state=shows,
    )
    assert found[2][0] == "Ann gives you 3 cards"
    assert found[2][1].startswith("Take them into your hand. Show your cards")


def test_who_is_skipped_and_the_others_read_by_whom() -> None:
    lost = {"event": "turn-lost", "seat": 3, "rule": "card.skip"}
    move = {"move": "play", "seat": 2, "card": "red-skip"}
    entry = {"kind": "moved", "state": STATE, "move": move}
    (banner,) = describe_banners(entry, [lost], "en", SEATS)
    assert banner["text"] == "Bo laid a red skip. You lay nothing this time."
    assert banner["others"] == "Cy is skipped: Bo laid a red skip."


def test_whoever_is_given_too_few_cards_and_the_others_read_that_the_table_decides() -> None:
    gave = {"event": "gave", "seat": 1, "to": 2, "cards": {"count": 1}}
    kept = {"event": "proved", "seat": 1, "move": 3, "rule": "power.red", "color": None}
    entry = {"kind": "moved", "state": STATE}
    rules = find_ruleset("color-powers")
    giver, taker = describe_banners(entry, [gave, kept], "en", SEATS, rules)
    proof = "When Ann gave red cards away, Ann kept a red one: the cards shown since say so."
    follows = "The referee changes nothing: settle at the table what follows."
    assert giver["others"] == f"Ann gives Bo 1 card. {proof} {follows}"
    assert taker["text"] == f"Take it into your hand. {proof} {follows}"


def test_who_finds_fewer_cards_draws_those() -> None:
    due = {"event": "draw-due", "seat": 3, "count": 4, "rule": "card.wild-draw-four", "by": 1}
    some = [{"event": "drew", "seat": 3, "count": 1}, {"event": "drew", "seat": 3, "count": 2}]
    assert said(due, some[0], {"event": "reshuffled"}, some[1])[3][0] == "+3! Draw 3 cards"
    assert said(due) == {}


def test_who_takes_the_last_card_and_the_others_read_that_the_discard_pile_is_shuffled() -> None:
    shuffled = "When the draw pile is used up, the discard pile is shuffled into a new one"
    waits = {**STATE, "awaiting": [{"seat": 2, "need": "drawn"}]}
    drew = {"event": "drew", "seat": 2, "count": 1}
    owed = {"event": "awaited", "turn": 2, "needs": [[2, "drawn"]]}
    title, text = said(drew, {"event": "reshuffled"}, owed, state=waits)[2]
    assert (title, shuffled in text) == ("Play it or pass", True)
    due = {"event": "draw-due", "seat": 3, "count": 2, "rule": "card.draw-two", "by": 2}
    some = {"event": "drew", "seat": 3, "count": 1}
    events = [due, some, {"event": "reshuffled"}, some]
    (banner,) = describe_banners({"kind": "moved", "state": STATE}, events, "en", SEATS)
    assert shuffled in banner["text"]
    assert banner["others"].startswith(f"Cy has to draw 2 cards: Bo laid a draw two. {shuffled}")


def test_whoever_owes_the_same_still_is_not_told_again() -> None:
    owed = {"event": "awaited", "turn": None, "needs": [[2, "reveal"], [3, "reveal"]]}
    shown = [{"seat": seat, "need": "reveal"} for seat in (2, 3)]
    state = {**STATE, "turn": None, "round_winner": 1, "awaiting": shown}
    first = said(
        {"event": "round-won", "seat": 1}, owed, state=state, move={"move": "play", "seat": 1}
    )
    assert first[2] == first[3]
    later = said(owed, state=state, move={"move": "reveal", "seat": 4})
    assert later == {}


def test_a_late_catch_is_told_to_whoever_was_late_alone() -> None:
    ruling = {"verdict": "illegal", "rule": "uno.catch", "remedy": None, "text": "Why."}
    ruled = {**ruling, "put_right": None, "args": {"seat": 1, "accused": 2, "by": 3}}
    entry = {"kind": "moved", "state": STATE, "ruling": ruled}
    late = {**entry, "move": {"move": "catch", "seat": 1, "accused": 2}}
    (banner,) = describe_banners(late, (), "en", SEATS)
    assert (banner["seat"], banner["tone"], banner["title"]) == (1, "info", "Cy was quicker")
    assert (banner["text"], banner["others"]) == ("", "")
    # Who taps twice was not late.
    again = {**entry, "move": {"move": "catch", "seat": 3, "accused": 2}}
    assert describe_banners(again, (), "en", SEATS) == []


def test_everything_awaited_has_a_banner() -> None:
    needs = read_catalog(FOLDER / "en.toml")["need"].keys() - {"nothing"}
    # Those that are awaited under another name for some cards are only worded otherwise.
    assert {need.partition("-")[0] for need in needs} <= set(NEEDS)
    assert set(NEEDS.values()) <= set(KINDS)
    assert {kind.need for kind in KINDS.values() if kind.until == "done"} <= set(NEEDS)


def test_titles_are_short_enough_for_large_type_on_a_small_phone() -> None:
    for lang in languages():
        for name, sentences in read_catalog(FOLDER / f"{lang}.toml")["banner"].items():
            assert all(len(text) <= 60 for text in sentences), (lang, name)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.json")), ids=lambda p: p.stem)
def test_no_banner_of_a_game_has_a_gap(path: Path) -> None:
    record = parse_record(json.loads(path.read_text(encoding="utf-8")))
    game = record.start.game
    for step in replay(record):
        events = [event_to_json(event) for event in step.events]
        entry: dict[str, Any] = {"kind": "moved", "state": public_state(step.state)}
        if step.action is not None and step.ruling is not None:
            entry["move"] = move_to_json(step.action)
            verdict, remedy = step.ruling.verdict, step.ruling.remedy
            words = {"rule": step.ruling.rule, "text": "Why.", "put_right": None}
            entry["ruling"] = {"verdict": verdict, "remedy": remedy, **words}
        seen = set()
        for banner in describe_banners(entry, events, "en", game.seats, game.ruleset):
            assert banner["title"]
            assert "{" not in banner["title"] + banner["text"] + banner["others"]
            assert banner["seat"] not in seen, "a seat has one banner"
            seen.add(banner["seat"])
        # Whoever comes on turn is told so, or something that outweighs it.
        waits = {need["seat"] for need in entry["state"]["awaiting"] if need["need"] == "play"}
        came = {event["seat"] for event in events if event["event"] == "turn-came"}
        assert came & waits <= seen
