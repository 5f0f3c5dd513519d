"""Events that say why: cards that are due, turns that are lost, protection."""

import pytest

from referee.rules.position import events as ev
from tests.rules.builder import Table

TOLD = (ev.DrawDue, ev.TurnLost, ev.Protected)


def told(table: Table) -> list[ev.Event]:
    return [event for event in table.events if isinstance(event, TOLD)]


@pytest.mark.parametrize(
    ("ruleset", "card", "events"),
    [
        ("classic-112", "red-draw-two", [ev.DrawDue(3, 2, "card.draw-two", 2),
                                         ev.TurnLost(3, "card.draw-two")]),
        ("power-grab", "red-draw-one", [ev.DrawDue(3, 1, "card.draw-one", 2),
                                        ev.TurnLost(3, "card.draw-one")]),
        ("classic-112", "red-skip", [ev.TurnLost(3, "card.skip")]),
        ("classic-112", "red-reverse", []),
        ("classic-112", "red-3", []),
    ],
)  # fmt: skip
def test_of_a_card(ruleset: str, card: str, events: list[ev.Event]) -> None:
    assert told(Table(ruleset).play(2, card)) == events


def test_of_four_towers() -> None:
    table = Table("power-grab").holding(N=2, O=2, X=2).play(2, "red-3:U")
    moved = [event for event in table.events if isinstance(event, ev.PowerMoved)]
    assert [event.rule for event in moved] == [None, *["tower.all-four"] * 4]


def test_of_a_reverse_between_two() -> None:
    table = Table("classic-112", seats=2).play(2, "red-reverse")
    assert told(table) == [ev.TurnLost(1, "card.reverse")]
    assert not told(Table("classic-112", seats=2, two_player_reverse="pass").play(2, "red-reverse"))


@pytest.mark.parametrize(
    ("opening", "events"),
    [
        ("red-draw-two", [ev.DrawDue(2, 2, "opening.draw"), ev.TurnLost(2, "opening.draw")]),
        ("red-skip", [ev.TurnLost(2, "opening.skip")]),
        ("red-7", []),
    ],
)
def test_of_an_opening_card(opening: str, events: list[ev.Event]) -> None:
    assert told(Table("classic-112", opening)) == events


def test_of_a_wild_draw_four_and_its_challenge() -> None:
    rule = "card.wild-draw-four"
    laid = Table("classic-112").given(hands=[7, 3, 7]).play(2, "wild-draw-four", color="blue")
    assert not told(laid)
    before = laid.state
    assert told(laid.legal(3, "accept")) == [ev.DrawDue(3, 4, rule, 2), ev.TurnLost(3, rule)]
    laid.state = before
    laid.legal(3, "challenge").legal(2, "reveal", hand=["red-1", "green-2"])
    assert told(laid) == [ev.DrawDue(2, 4, "challenge", 3)]
    laid.state = before
    laid.legal(3, "challenge").legal(2, "reveal", hand=["green-1", "green-2"])
    assert told(laid) == [ev.DrawDue(3, 6, "challenge"), ev.TurnLost(3, "challenge")]


def test_of_a_card_turned_up_by_the_power_of_green() -> None:
    table = Table("color-powers").holding(green=2)
    table.legal(2, "flip", card="wild-draw-four", color="blue")
    rule = "card.wild-draw-four"
    assert told(table) == [ev.DrawDue(3, 4, rule, 2), ev.TurnLost(3, rule)]


def test_of_a_tower_and_a_power() -> None:
    table = Table("power-grab").holding(N=3).play(2, "red-draw-two").has(turn=3)
    assert told(table) == [ev.Protected(3, "N")]
    table = Table("color-powers").holding(yellow=3).play(2, "red-reverse").has(turn=3)
    assert told(table) == [ev.Protected(3, "yellow")]


def test_of_a_last_card() -> None:
    table = Table("classic-112").given(hands=[7, 1, 7]).play(2, "red-draw-two")
    assert told(table) == [ev.DrawDue(3, 2, "end.last-draw", 2)]
    table = Table("power-grab").given(hands=[7, 1, 7]).holding(N=3).play(2, "red-draw-two")
    assert told(table) == [ev.Protected(3, "N")]


def test_of_a_catch() -> None:
    table = (
        Table("classic-112").given(hands=[7, 2, 7]).play(2, "red-3").legal(1, "catch", accused=2)
    )
    assert told(table) == [ev.DrawDue(2, 2, "uno.catch", 1)]


def test_of_wild_tales_and_custom_cards() -> None:
    table = Table("moomin").given(hands=[7, 3, 1]).play(2, "wild-tales", color="red")
    assert told(table) == [ev.DrawDue(3, 1, "card.wild-tales", 2)]
    cards = [{"text": "x", "effects": [{"effect": "draw", "who": "next", "count": 3}]}]
    table = Table("classic-112", custom_cards=cards).play(2, "wild-custom-1", color="red")
    assert told(table) == [ev.DrawDue(3, 3, "card.wild-custom", 2)]
    cards = [{"text": "x", "effects": [{"effect": "hand_size", "who": "next", "count": 9}]}]
    table = Table("classic-112", custom_cards=cards).play(2, "wild-custom-1", color="red")
    assert told(table) == [ev.DrawDue(3, 2, "card.wild-custom", 2)]


def test_nothing_is_due_who_draws_of_their_own_accord() -> None:
    assert not told(Table("classic-112").legal(2, "draw"))
