"""The UNO call and the catch (R29)."""

from typing import Any

import pytest

from referee.rules.position import events as ev
from tests.rules.builder import RULESETS, Table


def down_to_one(ruleset: str = "classic-112", **fields: Any) -> Table:
    """Seat 2 has just played down to one card."""
    return Table(ruleset).given(hands=[7, 2, 7]).play(2, "red-3", **fields)


@pytest.mark.parametrize("ruleset", RULESETS)
class TestCall:
    def test_with_the_card(self, ruleset: str) -> None:
        table = down_to_one(ruleset, uno=True).has(uno=[2])
        table.illegal(3, "catch", "uno.catch", accused=2)

    def test_after_the_card(self, ruleset: str) -> None:
        table = down_to_one(ruleset).has(uno=[]).legal(2, "uno", rule="uno.call").has(uno=[2])
        table.illegal(1, "catch", "uno.catch", accused=2)

    def test_late_is_in_time_until_the_catch(self, ruleset: str) -> None:
        down_to_one(ruleset).play(3, "red-4").legal(2, "uno").has(uno=[2])

    def test_too_early_or_by_mistake_costs_nothing(self, ruleset: str) -> None:
        table = Table(ruleset).legal(2, "uno").legal(3, "uno").has(uno=[], hands=[7, 7, 7])
        table.play(2, "red-3", uno=True).has(uno=[], hands=[7, 6, 7])

    def test_before_the_card(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 2, 7]).legal(2, "uno").has(uno=[])
        table.play(2, "red-3").has(uno=[2])
        table.illegal(3, "catch", "uno.catch", accused=2)

    def test_before_the_card_lapses_with_the_turn(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 2, 7]).legal(2, "uno").legal(2, "draw")
        table.legal(2, "pass").play(3, "red-4").play(1, "red-5")
        table.given(hands=[6, 2, 6]).play(2, "red-3").has(uno=[])
        table.legal(3, "catch", accused=2)

    def test_out_of_turn_it_does_not_count(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 7, 2]).legal(3, "uno").play(2, "red-3")
        table.play(3, "red-4").has(uno=[])

    def test_it_ends_when_the_hand_grows(self, ruleset: str) -> None:
        table = down_to_one(ruleset, uno=True).play(3, "red-reverse").has(turn=2)
        table.legal(2, "draw").has(uno=[], hands=[7, 2, 6]).play(2, "red-5").has(uno=[])
        table.legal(1, "catch", accused=2)


@pytest.mark.parametrize("ruleset", RULESETS)
class TestCatch:
    def test_two_cards(self, ruleset: str) -> None:
        table = down_to_one(ruleset).legal(1, "catch", accused=2, rule="uno.catch")
        table.has(hands=[7, 3, 7], uno=[], turn=3)
        table.illegal(3, "catch", "uno.catch", accused=2)

    @pytest.mark.parametrize("move", ["draw", "play"])
    def test_until_the_next_player_begins(self, ruleset: str, move: str) -> None:
        table = down_to_one(ruleset).legal(3, move, **({"card": "red-4"} if move == "play" else {}))
        table.illegal(1, "catch", "uno.catch", accused=2)

    def test_a_refused_play_begins_nothing(self, ruleset: str) -> None:
        table = down_to_one(ruleset).illegal(3, "play", "match", card="blue-4")
        table.illegal(1, "draw", "turn.order").legal(1, "catch", accused=2)

    def test_not_without_cause_and_not_oneself(self, ruleset: str) -> None:
        table = Table(ruleset)
        table.illegal(1, "catch", "uno.catch", accused=2)
        table.illegal(1, "catch", "uno.catch", accused=1)
        table = down_to_one(ruleset).illegal(2, "catch", "uno.catch", accused=2)
        table.illegal(1, "catch", "uno.catch", accused=3)

    @pytest.mark.parametrize("answer", ["accept", "challenge"])
    def test_until_a_wild_draw_four_is_answered(self, ruleset: str, answer: str) -> None:
        table = Table(ruleset).given(hands=[7, 2, 7]).play(2, "wild-draw-four", color="red")
        table.legal(3, answer).illegal(1, "catch", "uno.catch", accused=2)
        table = Table(ruleset).given(hands=[7, 2, 7]).play(2, "wild-draw-four")
        table.legal(1, "catch", accused=2).has(hands=[7, 3, 7], awaiting="2 color")

    def test_after_a_skip_until_the_seat_then_on_turn_begins(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 2, 7]).play(2, "red-skip")
        table.legal(3, "catch", accused=2).has(hands=[7, 3, 7], turn=1)

    def test_with_two_players_the_own_next_card_ends_it(self, ruleset: str) -> None:
        table = Table(ruleset, seats=2).given(hands=[7, 3]).play(2, "red-skip")
        table.given(hands=[7, 2]).play(2, "blue-skip").has(hands=[7, 1], turn=2)
        table.legal(2, "draw").illegal(1, "catch", "uno.catch", accused=2)

    def test_not_after_the_round(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 1, 7]).play(2, "red-3")
        table.illegal(1, "catch", "uno.catch", accused=2)


def test_a_late_catch_draws_what_is_left() -> None:
    table = down_to_one().given(draw_pile=1, discard_pile=1).legal(1, "catch", accused=2)
    table.has(hands=[7, 2, 7], draw_pile=0)


def test_two_can_owe_a_call_at_once() -> None:
    table = Table("moomin").given(hands=[2, 3, 2]).play(2, "wild-tales", color="red")
    table.legal(1, "discard", count=1).legal(3, "discard", count=1).legal(2, "discard", count=1)
    table.has(hands=[1, 1, 1], uno=[], turn=3)
    table.legal(3, "catch", accused=1).legal(1, "catch", accused=2).legal(3, "uno")
    table.has(hands=[3, 3, 1], uno=[3])


def test_the_flip_of_the_next_player_ends_it() -> None:
    table = Table("color-powers").given(hands=[7, 2, 7]).holding(green=3).play(2, "red-3")
    table.legal(3, "flip", card="blue-1").illegal(1, "catch", "uno.catch", accused=2)


class TestEarlyCall:
    """R33, R38 and R56: a call by the seat whose turn it is, before it is down to one card."""

    def test_it_is_told_and_kept(self) -> None:
        table = Table("classic-112").given(hands=[7, 2, 7]).legal(2, "uno")
        assert ev.UnoCalled(2, early=True) in table.events
        table.play(2, "red-3").has(uno=[2])
        assert ev.UnoKept(2) in table.events

    def test_a_second_call_does_nothing(self) -> None:
        table = Table("classic-112").given(hands=[7, 2, 7]).legal(2, "uno").legal(2, "uno")
        assert ev.UnoCalled(2, early=True) not in table.events
        table.play(2, "red-3").has(uno=[2]).legal(2, "uno")
        assert not [one for one in table.events if isinstance(one, ev.UnoCalled)]

    def test_it_is_told_that_it_lapses(self) -> None:
        table = Table("classic-112").given(hands=[7, 2, 7]).legal(2, "uno").legal(2, "draw")
        assert ev.UnoLapsed(2) not in table.events
        table.legal(2, "pass")
        assert ev.UnoLapsed(2) in table.events

    def test_for_the_challenger_who_was_right(self) -> None:
        table = Table("classic-112").given(hands=[7, 7, 2])
        table.play(2, "wild-draw-four", color="blue").legal(3, "uno").legal(3, "challenge")
        table.legal(
            2, "reveal", hand=["red-1", *["green-1", "green-2", "blue-1"], "blue-2", "blue-3"]
        )
        table.has(turn=3, hands=[7, 10, 2]).play(3, "blue-5").has(uno=[3])

    def test_while_a_second_card_is_open(self) -> None:
        table = Table("color-powers").holding(blue=2).given(hands=[7, 3, 7])
        table.play(2, "red-3").legal(2, "uno").has(turn=3, uno=[])
        table.play(2, "red-4").has(uno=[2], hands=[7, 1, 7])
        table.illegal(1, "catch", "uno.catch", accused=2)

    def test_the_next_player_ends_the_second_card_and_the_call(self) -> None:
        table = Table("color-powers").holding(blue=2).given(hands=[7, 3, 7])
        table.play(2, "red-3").legal(2, "uno").legal(3, "draw")
        assert ev.UnoLapsed(2) in table.events

    def test_a_gift_leaves_one_card_as_well(self) -> None:
        table = Table("color-powers").holding(red=2).given(hands=[7, 2, 7]).legal(2, "uno")
        table.legal(2, "give", to=3, cards=["red-1"]).has(uno=[2])

    def test_with_more_cards_before_two_of_them(self) -> None:
        table = Table("color-powers").holding(blue=2).given(hands=[7, 3, 7]).legal(2, "uno")
        table.play(2, "red-3").has(uno=[]).play(2, "red-4").has(uno=[2])
        table.illegal(3, "catch", "uno.catch", accused=2)

    def test_before_all_four_towers(self) -> None:
        table = Table("power-grab").holding(U=2, N=2, O=2).legal(2, "uno").play(2, "red-7:!")
        table.has(uno=[2], hands=[7, 1, 7]).illegal(1, "catch", "uno.catch", accused=2)
        table = Table("power-grab").holding(U=2, N=2)
        table.play(2, "red-take-two-towers", uno=True).legal(2, "powers", powers=["O", "!"])
        table.has(uno=[2], hands=[7, 1, 7])

    def test_before_a_gift_and_a_card(self) -> None:
        table = Table("color-powers").holding(red=2).given(hands=[7, 4, 7]).legal(2, "uno")
        table.legal(2, "give", to=3, cards=["red-1", "red-2"]).play(2, "blue-7").has(uno=[2])

    def test_before_a_dare(self) -> None:
        one = {"effect": "hand_size", "who": "self", "count": 1}
        dare = {"effect": "dare", "who": "self", "text": "x", "passed": [one]}
        table = Table("classic-112", custom_cards=[{"text": "x", "effects": [dare]}])
        table.legal(2, "uno").play(2, "wild-custom-1", color="red")
        table.legal(1, "judge", passed=True).has(uno=[2], hands=[7, 1, 7], turn=3)

    @pytest.mark.parametrize("at_once", [True, False])
    def test_before_wild_tales_brings_a_card(self, at_once: bool) -> None:
        table = Table("moomin").given(hands=[7, 2, 7])
        table.play(2, "wild-tales", uno=True, **({"color": "red"} if at_once else {}))
        if not at_once:
            table.legal(2, "color", color="red")
        table.has(hands=[7, 2, 7], uno=[]).legal(2, "discard", count=1).has(uno=[2])
        table.illegal(3, "catch", "uno.catch", accused=2)

    def test_one_made_with_a_card_ends_with_that_turn(self) -> None:
        table = Table("classic-108", seats=2).given(hands=[7, 2])
        table.play(2, "red-skip", uno=True).has(turn=2, uno=[2])
        assert ev.UnoSettled(2) in table.events
        table.legal(2, "draw").play(2, "red-3").has(uno=[]).legal(1, "catch", accused=2)
