"""The decks, and how a round is opened."""

from typing import Any

import pytest

from referee.rules.engine import new_game, open_round
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
        if card.number is None:
            counted[card.symbol] = counted.get(card.symbol, 0) + deck.limits[card.id]
    assert counted == symbols
    assert deck.size == 4 * numbers + sum(symbols.values())
    zeros = [card.id for card in deck if card.number == 0]
    assert bool(zeros) == (numbers == 19)


@pytest.mark.parametrize(
    ("ruleset", "options", "size"),
    [
        ("classic-108", {}, 108),
        ("classic-112", {}, 109),
        ("classic-112", {"custom_cards": [{"text": "a"}, {"text": "b"}]}, 111),
        ("classic-112", {"custom_cards": [{"text": "a"}, {"text": "b"}, {"text": "c"}]}, 112),
        ("moomin", {}, 112),
        ("power-grab", {}, 112),
        ("color-powers", {}, 108),
    ],
)
def test_what_is_left_to_draw_from(ruleset: str, options: dict[str, Any], size: int) -> None:
    table = Table(ruleset, "red-7", seats=4, **options)
    table.has(draw_pile=size - 4 * 7 - 1, discard_pile=1, hands=[7, 7, 7, 7])


@pytest.mark.parametrize("seats", [1, 11])
def test_two_to_ten_can_play(seats: int) -> None:
    with pytest.raises(RuleError, match="2 to 10"):
        new_game("classic-108", {}, [str(n) for n in range(seats)])


@pytest.mark.parametrize("ruleset", DECKS)
@pytest.mark.parametrize("seats", [2, 10])
def test_the_smallest_and_the_largest_table(ruleset: str, seats: int) -> None:
    Table(ruleset, seats=seats, dealer=seats).has(turn=1, hands=[7] * seats)


# ruleset, opening, expected state with three seats, dealer 1
NUMBER = {"turn": 2, "direction": "clockwise", "color": "red", "awaiting": "2 play"}
DRAW_TWO = {"turn": 3, "hands": [7, 9, 7], "awaiting": "3 play"}
REVERSE = {"turn": 1, "direction": "counterclockwise", "awaiting": "1 play"}
SKIP = {"turn": 3, "direction": "clockwise", "awaiting": "3 play"}
COLOR = {"turn": 2, "color": None, "hands": [7, 7, 7], "awaiting": "2 color"}
OPENINGS: list[tuple[str, str, dict[str, Any]]] = [
    *((ruleset, "red-7", NUMBER) for ruleset in DECKS),
    ("power-grab", "red-7:U", {**NUMBER, "powers": {"U": 0, "N": 0, "O": 0, "!": 0}}),
    ("power-grab", "red-draw-one", {"turn": 3, "hands": [7, 8, 7]}),
    ("power-grab", "blue-take-two-towers", {"turn": 2, "color": "blue", "awaiting": "2 play"}),
    ("power-grab", "wild-take-tower", {**COLOR, "powers": {"U": 0, "N": 0, "O": 0, "!": 0}}),
    ("classic-108", "wild", COLOR),
    ("classic-112", "wild", COLOR),
    ("classic-112", "wild-shuffle", COLOR),
    ("color-powers", "wild-choose-power", COLOR),
    *((("color-powers", f"wild-power-{c}", COLOR)) for c in ("red", "yellow", "green", "blue")),
]
for _ruleset in ("classic-108", "classic-112", "power-grab", "color-powers"):
    OPENINGS += [
        (_ruleset, "red-draw-two", DRAW_TWO),
        (_ruleset, "red-reverse", REVERSE),
        (_ruleset, "red-skip", SKIP),
    ]


@pytest.mark.parametrize(("ruleset", "card", "expected"), OPENINGS)
def test_an_opening_card_works(ruleset: str, card: str, expected: dict[str, Any]) -> None:
    Table(ruleset, card).has(top=card, discard_pile=1, **expected)


@pytest.mark.parametrize(
    ("card", "turn"), [("red-draw-two", 1), ("red-reverse", 1), ("red-skip", 1), ("red-7", 2)]
)
def test_an_opening_card_with_two_players(card: str, turn: int) -> None:
    Table("classic-112", card, seats=2).has(turn=turn)


def test_an_opening_wild_lets_the_first_player_name_the_color_and_play() -> None:
    table = Table("classic-112", "wild")
    table.illegal(2, "play", "round.awaiting", card="red-3")
    table.illegal(3, "color", "card.wild", color="red")
    table.legal(2, "color", color="green").has(turn=2, color="green", awaiting="2 play")
    table.illegal(2, "play", "match", card="red-3").play(2, "green-3").has(turn=3)


def test_an_opening_character_card_gives_nobody_its_power() -> None:
    table = Table("color-powers", "wild-power-blue").legal(2, "color", color="red")
    table.has(powers={"red": 0, "yellow": 0, "green": 0, "blue": 0})


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


def test_ignored_cards_lie_on_the_pile_and_are_counted() -> None:
    table = Table("moomin", ["wild-tales"] * 4 + ["blue-3"])
    table.illegal(2, "play", "deck.count", card="wild-tales")


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


class TestTakeTwoTowersTurnedUp:
    """opening.take-two-towers, R5."""

    def test_only_the_color_matches(self) -> None:
        table = Table("power-grab", "red-take-two-towers")
        rule = "opening.take-two-towers"
        table.illegal(2, "play", rule, card="blue-take-two-towers")
        table.illegal(2, "play", rule, card="blue-3")
        table.play(2, "red-3").has(turn=3, powers={"U": 0, "N": 0, "O": 0, "!": 0})

    @pytest.mark.parametrize("card", ["wild-take-tower", "wild-draw-four"])
    def test_a_wild_matches(self, card: str) -> None:
        Table("power-grab", "red-take-two-towers").play(2, card, color="blue")

    def test_the_drawn_card_too_has_to_match_the_color(self) -> None:
        table = Table("power-grab", "red-take-two-towers").legal(2, "draw")
        table.illegal(2, "play", "opening.take-two-towers", card="blue-take-two-towers")
        table.legal(2, "pass")

    def test_the_second_player_matches_as_usual(self) -> None:
        table = Table("power-grab", "red-take-two-towers").legal(2, "draw").legal(2, "pass")
        table.play(3, "blue-take-two-towers", powers=["U", "N"])
