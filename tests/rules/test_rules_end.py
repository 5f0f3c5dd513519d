"""The end of a round, last-card draws, revealing and scores."""

from typing import Any

import pytest

from referee.rules.play.rounds import next_dealer
from tests.rules.builder import RULESETS, Table

SCORED = ("classic-108", "classic-112", "power-grab", "color-powers")


def last_card(ruleset: str, hands: list[int], **options: Any) -> Table:
    """Seat 2 is about to play its last card; the others hold ``hands``."""
    seats = len(hands) + 1
    table = Table(ruleset, seats=seats, **options)
    return table.given(hands=[hands[0], 1, *hands[1:]])


@pytest.mark.parametrize("ruleset", SCORED)
class TestOut:
    def test_the_hands_are_shown_and_counted(self, ruleset: str) -> None:
        table = last_card(ruleset, [1, 2]).play(2, "red-3")
        table.has(turn=None, round_winner=2, winner=None, awaiting="1 reveal, 3 reveal")
        table.has(scores=[0, 0, 0], uno=[])
        table.legal(3, "reveal", hand=["red-skip", "wild-draw-four"])
        table.has(awaiting="1 reveal", scores=[0, 0, 0])
        table.legal(1, "reveal", hand=["blue-9"]).has(scores=[0, 79, 0], awaiting="")

    def test_nothing_is_played_after_it(self, ruleset: str) -> None:
        table = last_card(ruleset, [1, 2]).play(2, "red-3")
        for move, fields in (("play", {"card": "red-4"}), ("draw", {}), ("pass", {}), ("uno", {})):
            table.illegal(3, move, "round.over", **fields)
        table.illegal(2, "reveal", "round.awaiting", hand=[])
        table.illegal(3, "reveal", "hand.count", hand=["red-1"])
        table.illegal(3, "reveal", "deck.unknown", hand=["red-1", "red-99"])

    def test_all_hands_shown_together_fit_the_deck(self, ruleset: str) -> None:
        table = last_card(ruleset, [1, 2]).play(2, "red-3")
        table.illegal(3, "reveal", "deck.count", hand=["red-3", "red-3"])
        table.legal(3, "reveal", hand=["red-3", "red-4"])
        table.illegal(1, "reveal", "deck.count", hand=["red-3"])
        table.legal(1, "reveal", hand=["red-4"]).has(scores=[0, 11, 0])

    def test_a_last_wild_needs_no_color(self, ruleset: str) -> None:
        table = last_card(ruleset, [7, 7]).play(2, "wild-draw-four")
        table.has(round_winner=2, hands=[7, 0, 11], awaiting="1 reveal, 3 reveal")
        table.illegal(3, "challenge", "round.over")

    @pytest.mark.parametrize(("card", "drawn"), [("red-draw-two", 2), ("wild-draw-four", 4)])
    def test_a_last_card_is_still_drawn_for(self, ruleset: str, card: str, drawn: int) -> None:
        last_card(ruleset, [3, 3]).play(2, card).has(hands=[3, 0, 3 + drawn], round_winner=2)

    @pytest.mark.parametrize("card", ["red-skip", "red-reverse", "red-7"])
    def test_other_last_cards_draw_nothing(self, ruleset: str, card: str) -> None:
        last_card(ruleset, [3, 3]).play(2, card).has(hands=[3, 0, 3], round_winner=2)

    def test_a_card_just_drawn_may_be_the_last(self, ruleset: str) -> None:
        table = last_card(ruleset, [3, 3]).given(hands=[3, 1, 3]).legal(2, "draw")
        table.play(2, "red-3").legal(3, "draw").legal(3, "pass").play(1, "red-4")
        table.play(2, "red-5").has(round_winner=2)

    def test_the_next_round(self, ruleset: str) -> None:
        table = last_card(ruleset, [1, 1]).play(2, "red-3")
        table.legal(1, "reveal", hand=["red-1"]).legal(3, "reveal", hand=["red-2"])
        table.open("blue-7", dealer=2).has(turn=3, hands=[7, 7, 7], scores=[0, 3, 0])
        table.has(round_winner=None, top="blue-7", discard_pile=1, evidence=[])


def test_draw_one_as_the_last_card() -> None:
    last_card("power-grab", [3, 3]).play(2, "red-draw-one").has(hands=[3, 0, 4])


@pytest.mark.parametrize("card", ["red-draw-two", "wild-draw-four"])
def test_nobody_draws_for_a_last_card_in_moomin(card: str) -> None:
    table = last_card("moomin", [3, 3], scoring="winner").play(2, card)
    table.has(hands=[3, 0, 3], awaiting="1 reveal, 3 reveal")


POINTS = [
    ("classic-108", ["red-0", "red-9", "wild"], 59),
    ("classic-108", ["red-draw-two", "red-reverse", "red-skip"], 60),
    ("classic-108", ["wild", "wild-draw-four"], 100),
    ("classic-112", ["wild-shuffle", "wild-custom-1", "wild-draw-four", "wild"], 180),
    ("moomin", ["wild-tales", "wild", "wild-draw-four", "red-skip"], 170),
    ("power-grab", ["red-draw-one", "red-draw-two", "red-skip", "red-reverse"], 80),
    ("power-grab", ["red-take-two-towers", "red-9:U"], 29),
    ("power-grab", ["wild-take-tower", "wild-draw-four"], 100),
    ("color-powers", ["wild-power-red", "wild-choose-power", "wild-draw-four"], 150),
    ("color-powers", ["red-draw-two", "red-reverse", "red-skip", "red-1"], 61),
]


@pytest.mark.parametrize(("ruleset", "hand", "points"), POINTS)
def test_points(ruleset: str, hand: list[str], points: int) -> None:
    options: dict[str, Any] = {"scoring": "winner"}
    if ruleset == "classic-112":
        options["custom_cards"] = [{"text": "x"}]
    table = Table(ruleset, seats=2, **options).given(hands=[len(hand), 1]).play(2, "red-3")
    table.legal(1, "reveal", hand=hand).has(scores=[0, points])


def test_a_wild_take_tower_may_count_twenty() -> None:
    table = Table("power-grab", seats=2, wild_tower_points=20).given(hands=[2, 1])
    table.play(2, "red-3").legal(1, "reveal", hand=["wild-take-tower", "wild-draw-four"])
    table.has(scores=[0, 70])


def end_round(table: Table, hands: dict[int, list[str]]) -> Table:
    """Seat 2 goes out and the others show these hands."""
    counts = [len(hands.get(seat, ["last"])) for seat in range(1, len(table.state.hands) + 1)]
    table.given(hands=counts).play(2, "red-3")
    for seat, hand in hands.items():
        table.legal(seat, "reveal", hand=hand)
    return table


# ruleset, scoring, scores before, hands of seats 1 and 3, scores after, winner
TOTALS: list[tuple[str, str, list[int], str, str, list[int], Any]] = [
    ("classic-108", "winner", [499, 400, 0], "wild", "wild-draw-four", [499, 500, 0], 2),
    ("classic-108", "winner", [0, 400, 0], "wild", "red-9", [0, 459, 0], None),
    ("moomin", "winner", [0, 0, 0], "wild", "red-9", [0, 59, 0], None),
    ("moomin", "low", [0, 0, 0], "wild", "red-9", [50, 0, 9], None),
    ("classic-112", "low", [0, 0, 0], "wild", "red-9", [50, 0, 9], None),
    ("classic-108", "low", [400, 0, 0], "wild", "red-9", [450, 0, 9], None),
    ("power-grab", "low", [460, 300, 200], "wild-draw-four", "red-9", [510, 300, 209], 3),
    ("color-powers", "low", [460, 209, 200], "wild-draw-four", "red-9", [510, 209, 209], [2, 3]),
]


@pytest.mark.parametrize(
    ("ruleset", "scoring", "before", "first", "third", "scores", "winner"), TOTALS
)
def test_scores_and_winners(
    ruleset: str,
    scoring: str,
    before: list[int],
    first: str,
    third: str,
    scores: list[int],
    winner: Any,
) -> None:
    """score.winner (R14) and score.low."""
    table = end_round(
        Table(ruleset, scoring=scoring).given(scores=before), {1: [first], 3: [third]}
    )
    table.has(scores=scores, winner=winner)
    if winner is None:
        table.open(dealer=2)


class TestBetweenRounds:
    def test_no_round_after_a_shorter_game(self) -> None:
        table = Table("classic-108", target=50)
        end_round(table, {1: ["wild"], 3: ["red-1"]}).has(winner=2)
        with pytest.raises(ValueError, match="the game is over"):
            table.open()

    def test_no_round_before_the_hands_are_shown(self) -> None:
        table = Table("classic-108").given(hands=[7, 1, 7]).play(2, "red-3")
        with pytest.raises(ValueError, match="still to be shown"):
            table.open()


class TestHand:
    """score.hand."""

    def test_whoever_goes_out_wins_the_moomin_game(self) -> None:
        table = Table("moomin").given(hands=[7, 1, 7]).play(2, "red-3")
        table.has(round_winner=2, winner=2, awaiting="", scores=[0, 0, 0], turn=None)
        table.illegal(3, "reveal", "round.awaiting", hand=["red-1"] * 7)

    def test_other_decks_may_be_played_for_one_hand(self) -> None:
        table = Table("classic-112", scoring="hand").given(hands=[7, 1, 7])
        table.play(2, "red-draw-two").has(winner=2, hands=[7, 0, 9], awaiting="")


class TestDealer:
    """setup.dealer: the deal is named for every round."""

    def test_the_turn_follows_the_dealer(self) -> None:
        for dealer, first in ((1, 2), (2, 3), (3, 1)):
            Table("classic-108", dealer=dealer).has(turn=first)

    def test_the_deal_passes_to_the_left(self) -> None:
        table = Table("classic-108", dealer=2)
        assert next_dealer(table.state) == 3
        assert next_dealer(table.given(dealer=3).state) == 1


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_protected_or_drawing_last_card_still_ends_the_round(ruleset: str) -> None:
    table = Table(ruleset, seats=2, scoring="winner").given(hands=[7, 1], draw_pile=0)
    table.given(discard_pile=1).play(2, "red-draw-two").has(round_winner=2)
    drawn = 0 if ruleset == "moomin" else 1
    table.has(hands=[7 + drawn, 0])
