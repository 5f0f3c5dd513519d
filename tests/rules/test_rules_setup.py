"""The decks, and how a round is opened."""

import pytest

from referee.rules.engine import new_game, open_round
from referee.rules.play.rounds import next_dealer
from referee.rules.ruleset import find_ruleset
from referee.rules.rulings import RuleError
from tests.rules.builder import Table
from tests.tables import tables

DECKS = tables(__file__)["decks"]


@pytest.mark.parametrize("ruleset", DECKS)
def test_a_deck_has_the_cards_of_its_sheet(ruleset: str) -> None:
    symbols = dict(DECKS[ruleset])
    numbers = symbols.pop("numbers")
    deck = find_ruleset(ruleset).deck
    counted: dict[str, int] = {}
    for card in deck:
        if not card.number:
            counted[card.symbol] = counted.get(card.symbol, 0) + deck.limits[card.id]
    assert counted == symbols
    assert deck.size == 4 * numbers + sum(symbols.values())


@pytest.mark.parametrize("seats", [1, 11])
def test_two_to_ten_can_play(seats: int) -> None:
    with pytest.raises(RuleError, match="2 to 10"):
        new_game("classic-108", {}, [str(n) for n in range(seats)])


@pytest.mark.parametrize("opening", ["wild-shuffle", "wild-custom-1"])
def test_an_opening_wild_changes_no_hand(opening: str) -> None:
    card = {"text": "draw", "effects": [{"effect": "draw", "who": "all", "count": 2}]}
    table = Table("classic-112", opening, custom_cards=[card])
    table.legal(2, "color", color="red").has(hands=[7, 7, 7], turn=2)


@pytest.mark.parametrize("ruleset", ["classic-108", "classic-112", "power-grab", "color-powers"])
def test_a_wild_draw_four_goes_back_into_the_pile(ruleset: str) -> None:
    table = Table(ruleset, ["wild-draw-four", "wild-draw-four", "red-7"])
    table.has(top="red-7", discard_pile=1, draw_pile=Table(ruleset).state.draw_pile)
    with pytest.raises(RuleError, match=r"opening\.wild-draw-four"):
        Table(ruleset, "wild-draw-four")


def test_the_moomin_round_opens_on_a_number_however_many_are_turned() -> None:
    table = Table("moomin", ["wild-tales", "red-skip", "wild-draw-four", "blue-3"])
    table.has(turn=2, color="blue", discard_pile=4, draw_pile=112 - 21 - 4, hands=[7, 7, 7])
    for card in ("red-skip", "red-reverse", "red-draw-two", "wild", "wild-tales"):
        with pytest.raises(RuleError, match=r"opening\.ignore"):
            Table("moomin", card)


@pytest.mark.parametrize(
    ("ruleset", "opening", "rule"),
    [
        ("classic-108", [], "setup.opening"),
        ("classic-108", ["red-7", "red-8"], "setup.opening"),
        ("classic-108", ["red-10"], "deck.unknown"),
        ("classic-112", ["wild-custom-1"], "deck.unknown"),
        ("power-grab", ["red-0"], "deck.unknown"),
        ("moomin", ["wild-tales"] * 5 + ["red-7"], "deck.count"),
    ],
)
def test_an_opening_that_cannot_be(ruleset: str, opening: list[str], rule: str) -> None:
    with pytest.raises(RuleError) as error:
        Table(ruleset, opening)
    assert error.value.rule == rule


def test_a_round_is_not_opened_while_one_is_played() -> None:
    table = Table("classic-108")
    with pytest.raises(RuleError, match="still being played"):
        table.open()
    with pytest.raises(RuleError, match="no seat 4"):
        open_round(new_game("classic-108", {}, ["a", "b", "c"]), 4, ["red-7"])


def test_no_round_after_the_game() -> None:
    table = Table("classic-108", target=50).given(hands=[1, 1, 1]).play(2, "red-3")
    table.legal(1, "reveal", hand=["wild"]).legal(3, "reveal", hand=["red-1"]).has(winner=2)
    with pytest.raises(ValueError, match="the game is over"):
        table.open()


def test_no_round_before_the_hands_are_shown() -> None:
    table = Table("classic-108").given(hands=[7, 1, 7]).play(2, "red-3")
    with pytest.raises(ValueError, match="still to be shown"):
        table.open()


def test_the_deal_passes_to_the_left() -> None:
    table = Table("classic-108", dealer=2)
    assert next_dealer(table.state) == 3
    assert next_dealer(table.given(dealer=3).state) == 1
