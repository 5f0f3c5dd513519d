"""Colour powers."""

import pytest

from tests.rules.builder import Table

NONE = {"red": 0, "yellow": 0, "green": 0, "blue": 0}


class TestGainingPowers:
    """card.wild-power, card.wild-choose-power, power.move, powers.choice."""

    @pytest.mark.parametrize("power", NONE)
    def test_a_character_card_brings_its_own_power(self, power: str) -> None:
        table = Table("color-powers").holding(**{power: 3})
        table.play(2, f"wild-power-{power}", color="green", rule="card.wild-power")
        table.has(powers={**NONE, power: 2}, color="green", turn=3)

    def test_a_power_stays_until_it_is_taken(self) -> None:
        table = Table("color-powers").play(2, "wild-power-red", color="red").play(3, "red-1")
        table.play(1, "wild-power-blue", color="red").has(powers={**NONE, "red": 2, "blue": 1})
        table.play(2, "red-2").play(3, "wild-power-red", color="red")
        table.has(powers={**NONE, "red": 3, "blue": 1})

    def test_the_power_comes_before_the_color(self) -> None:
        table = Table("color-powers").play(2, "wild-power-red")
        table.has(powers={**NONE, "red": 2}, awaiting="2 color")

    def test_a_power_of_choice(self) -> None:
        table = Table("color-powers").holding(green=1)
        table.play(2, "wild-choose-power", color="red", powers=["green"])
        table.has(powers={**NONE, "green": 2}, turn=3)

    def test_the_choice_may_follow_or_be_declined(self) -> None:
        table = Table("color-powers").play(2, "wild-choose-power")
        table.has(awaiting="2 color, 2 powers").legal(2, "powers", powers=["blue"])
        table.has(awaiting="2 color", powers={**NONE, "blue": 2}).legal(2, "color", color="red")
        table.has(turn=3)
        table = Table("color-powers").play(2, "wild-choose-power", color="red").legal(2, "pass")
        table.has(turn=3, powers=NONE)

    def test_one_and_not_one_held_already(self) -> None:
        table = Table("color-powers").holding(red=2)
        for powers in (["red"], ["blue", "green"], ["U"]):
            table.illegal(
                2, "play", "powers.choice", card="wild-choose-power", color="red", powers=powers
            )
        table.illegal(2, "play", "powers.choice", card="red-3", powers=["blue"])
        table.illegal(2, "powers", "round.awaiting", powers=["blue"])
        table.play(2, "wild-choose-power").illegal(2, "powers", "powers.choice", powers=["red"])


class TestRed:
    """power.red, R17."""

    def test_at_any_time_to_one_player(self) -> None:
        table = Table("color-powers").holding(red=1)
        table.legal(1, "give", to=3, cards=["red-1", "red-2"], rule="power.red")
        table.has(hands=[5, 7, 9], turn=2)

    def test_not_without_the_power_not_other_cards_not_nothing(self) -> None:
        table = Table("color-powers").holding(red=1, blue=2)
        table.illegal(2, "give", "power.red", to=3, cards=["red-1"])
        table.illegal(1, "give", "power.red", to=3, cards=["blue-1"])
        table.illegal(1, "give", "power.red", to=3, cards=["red-1", "wild-power-red"])
        table.illegal(1, "give", "power.red", to=3, cards=[])
        table.illegal(1, "give", "power.red", to=1, cards=["red-1"])
        table.illegal(1, "give", "deck.unknown", to=3, cards=["red-0"])
        table.illegal(1, "give", "deck.count", to=3, cards=["red-1"] * 3)

    def test_not_to_who_holds_yellow(self) -> None:
        table = Table("color-powers").holding(red=1, yellow=3)
        table.illegal(1, "give", "power.yellow", to=3, cards=["red-1"])
        table.legal(1, "give", to=2, cards=["red-1"])

    def test_not_more_than_the_hand(self) -> None:
        table = Table("color-powers").given(hands=[1, 7, 7]).holding(red=1)
        table.illegal(1, "give", "hand.count", to=3, cards=["red-1", "red-2"])

    def test_down_to_one_card_needs_the_call(self) -> None:
        table = Table("color-powers").given(hands=[2, 7, 7]).holding(red=1)
        table.legal(1, "give", to=3, cards=["red-1"]).has(hands=[1, 7, 8], uno=[])
        table.legal(2, "catch", accused=1).has(hands=[3, 7, 8])
        table = Table("color-powers").given(hands=[2, 7, 7]).holding(red=1)
        table.legal(1, "give", to=3, cards=["red-1"]).play(2, "red-3")
        table.illegal(3, "catch", "uno.catch", accused=1)

    def test_the_last_card_given_away_ends_the_round(self) -> None:
        table = Table("color-powers").given(hands=[2, 7, 7]).holding(red=1)
        table.legal(1, "give", to=3, cards=["red-1", "red-draw-two"])
        table.has(round_winner=1, turn=None, hands=[0, 7, 9], awaiting="2 reveal, 3 reveal")

    def test_the_last_card_played_still_hits(self) -> None:
        """R58."""
        table = Table("color-powers").given(hands=[7, 2, 7]).holding(red=2)
        table.play(2, "wild-draw-four", color="blue").legal(2, "give", to=1, cards=["red-5"])
        table.has(round_winner=2, hands=[8, 0, 11])
        table = Table("color-powers").given(hands=[7, 2, 7]).holding(red=2)
        table.play(2, "wild-draw-four").legal(2, "give", to=1, cards=["red-5"])
        table.has(round_winner=2, hands=[8, 0, 11])
        table = Table("color-powers").given(hands=[7, 2, 7]).holding(red=2, yellow=3)
        table.play(2, "wild-draw-four").legal(2, "give", to=1, cards=["red-5"])
        table.has(round_winner=2, hands=[8, 0, 7])
        table = Table("color-powers").given(hands=[1, 7, 7]).holding(red=1)
        table.play(2, "wild-power-blue").legal(1, "give", to=2, cards=["red-5"])
        table.has(round_winner=1, hands=[0, 7, 7])

    def test_the_whole_stack_hits(self) -> None:
        """R58 and R41."""
        table = Table("color-powers", stacking="any").given(hands=[7, 7, 7]).holding(red=2)
        table.play(2, "red-draw-two").play(3, "wild-draw-four", color="blue").given(hands=[7, 1, 6])
        table.legal(2, "give", to=3, cards=["red-5"]).has(round_winner=2, hands=[13, 0, 7])
        table = Table("color-powers", stacking="any").given(hands=[7, 7, 7]).holding(red=2)
        table.play(2, "red-draw-two").play(3, "wild-draw-four").given(hands=[7, 1, 6])
        table.legal(2, "give", to=3, cards=["red-5"]).has(round_winner=2, hands=[13, 0, 7])

    def test_who_is_hit_goes_not_out_before_the_answer(self) -> None:
        """R58."""
        for color in ({"color": "blue"}, {}):
            table = Table("color-powers").given(hands=[7, 7, 1]).holding(red=3)
            table.play(2, "wild-draw-four", **color)
            table.illegal(3, "give", "round.awaiting", to=1, cards=["red-5"])
        table.holding(yellow=3).legal(3, "give", to=1, cards=["red-5"]).has(round_winner=3)
        table = Table("color-powers").given(hands=[7, 7, 2]).holding(red=3)
        table.play(2, "wild-draw-four", color="blue").legal(3, "give", to=1, cards=["red-5"])

    def test_no_gift_ends_the_round_before_a_hand_is_shown(self) -> None:
        """R32."""
        table = Table("color-powers", seats=4).given(hands=[1, 7, 7, 2]).holding(red=1)
        table.play(2, "wild-draw-four", color="blue").legal(3, "challenge")
        table.illegal(1, "give", "round.awaiting", to=4, cards=["red-5"])
        table.holding(red=4).legal(4, "give", to=1, cards=["red-5"])

    def test_a_gift_ends_the_receivers_call(self) -> None:
        table = Table("color-powers").given(hands=[7, 7, 1], uno=[3]).holding(red=1)
        table.legal(1, "give", to=3, cards=["red-1"]).has(uno=[], hands=[6, 7, 2])

    def test_not_between_rounds_and_not_before_a_reveal(self) -> None:
        table = Table("color-powers").holding(red=2).play(2, "wild-draw-four", color="blue")
        table.legal(3, "challenge")
        table.illegal(2, "give", "round.awaiting", to=1, cards=["red-1"])
        table = Table("color-powers").given(hands=[7, 1, 7]).holding(red=1).play(2, "red-3")
        table.illegal(1, "give", "round.over", to=3, cards=["red-1"])

    def test_while_a_color_is_awaited(self) -> None:
        table = Table("color-powers").holding(red=1).play(2, "wild-power-blue")
        table.legal(1, "give", to=3, cards=["red-1"]).has(awaiting="2 color", hands=[6, 6, 8])


class TestBlue:
    """power.blue, R18."""

    def test_two_cards_in_one_turn(self) -> None:
        table = Table("color-powers").holding(blue=2).play(2, "red-3").has(turn=3)
        table.play(2, "blue-3").has(turn=3, hands=[7, 5, 7], color="blue")
        table.illegal(2, "play", "turn.order", card="blue-4").play(3, "blue-5")

    def test_the_second_has_to_match_the_first(self) -> None:
        table = Table("color-powers").holding(blue=2).play(2, "red-3")
        table.illegal(2, "play", "match", card="blue-4")

    def test_the_power_must_have_been_held_before(self) -> None:
        table = Table("color-powers").play(2, "wild-power-blue", color="red")
        table.illegal(2, "play", "turn.order", card="red-4")

    @pytest.mark.parametrize("move", ["draw", "play"])
    def test_until_the_next_player_acts(self, move: str) -> None:
        table = Table("color-powers").holding(blue=2).play(2, "red-3")
        table.legal(3, move, **({"card": "red-5"} if move == "play" else {}))
        table.illegal(2, "play", "turn.order", card="red-4")

    def test_it_may_be_declined(self) -> None:
        table = Table("color-powers").holding(blue=2).play(2, "red-3").legal(2, "pass")
        table.has(turn=3).illegal(2, "play", "turn.order", card="red-4")

    def test_effects_apply_in_order(self) -> None:
        table = Table("color-powers", seats=5).holding(blue=2)
        table.play(2, "red-skip").has(turn=4).play(2, "red-draw-two")
        table.has(turn=5, hands=[7, 5, 7, 9, 7])

    def test_a_reverse_as_the_second(self) -> None:
        table = Table("color-powers", seats=4).holding(blue=2).play(2, "red-1").has(turn=3)
        table.play(2, "red-reverse").has(turn=1, direction="counterclockwise")

    def test_a_wild_draw_four_ends_the_turn(self) -> None:
        table = Table("color-powers").holding(blue=2).play(2, "wild-draw-four", color="red")
        table.legal(3, "accept").illegal(2, "play", "turn.order", card="red-4")

    def test_a_wild_draw_four_as_the_second(self) -> None:
        table = Table("color-powers").holding(blue=2).play(2, "red-3")
        table.play(2, "wild-draw-four", color="green").has(turn=3, awaiting="3 respond")
        table.legal(3, "accept").has(turn=1, hands=[7, 5, 11])

    def test_a_protected_player_is_passed_the_turn_by_neither(self) -> None:
        table = Table("color-powers").holding(blue=2, yellow=3).play(2, "red-skip").has(turn=3)
        table.play(2, "red-draw-two").has(turn=3, hands=[7, 5, 7])

    def test_both_calls(self) -> None:
        table = Table("color-powers").given(hands=[7, 3, 7]).holding(blue=2)
        table.play(2, "red-3").play(2, "red-4", uno=True).has(uno=[2], hands=[7, 1, 7])
        table = Table("color-powers").given(hands=[7, 2, 7]).holding(blue=2)
        table.play(2, "red-3").play(2, "red-4").has(round_winner=2)

    def test_the_last_card_draws_for_who_is_then_to_play(self) -> None:
        table = Table("color-powers", seats=4).given(hands=[7, 2, 7, 7]).holding(blue=2)
        table.play(2, "red-skip").play(2, "red-draw-two").has(hands=[7, 0, 7, 9], round_winner=2)

    def test_a_drawn_card_is_the_only_one(self) -> None:
        table = Table("color-powers").holding(blue=2).legal(2, "draw").play(2, "red-3")
        table.illegal(2, "play", "turn.order", card="red-4").has(hands=[7, 7, 7], turn=3)


class TestGreen:
    """power.green, R19."""

    def test_the_top_card_is_laid_playable_or_not(self) -> None:
        table = Table("color-powers").holding(green=2)
        pile = table.state.draw_pile
        table.legal(2, "flip", card="blue-3", rule="power.green")
        table.has(turn=3, top="blue-3", color="blue", draw_pile=pile - 1, hands=[7, 7, 7])

    def test_not_without_the_power_nor_out_of_turn_nor_after_a_draw(self) -> None:
        Table("color-powers").illegal(2, "flip", "power.green", card="blue-3")
        table = Table("color-powers").holding(green=2)
        table.illegal(3, "flip", "turn.order", card="blue-3")
        table.illegal(2, "flip", "deck.unknown", card="blue-0")
        table.legal(2, "draw").illegal(2, "flip", "power.green", card="blue-3")

    def test_it_works_like_a_card_played(self) -> None:
        table = Table("color-powers").holding(green=2).legal(2, "flip", card="blue-draw-two")
        table.has(turn=1, hands=[7, 7, 9])
        table = Table("color-powers").holding(green=2).legal(2, "flip", card="blue-reverse")
        table.has(turn=1, direction="counterclockwise")

    def test_a_wild_brings_its_power_and_a_color(self) -> None:
        table = Table("color-powers").holding(green=2).legal(2, "flip", card="wild-power-red")
        table.has(powers={**NONE, "green": 2, "red": 2}, awaiting="2 color", turn=2)
        table.legal(2, "color", color="blue").has(turn=3)
        table = Table("color-powers").holding(green=2)
        table.legal(2, "flip", card="wild-choose-power", color="red").has(awaiting="2 powers")

    def test_a_wild_draw_four_cannot_be_challenged(self) -> None:
        table = Table("color-powers").holding(green=2)
        table.legal(2, "flip", card="wild-draw-four", color="red")
        table.has(turn=1, hands=[7, 7, 11]).illegal(3, "challenge", "challenge")

    def test_the_last_card_of_the_pile_brings_the_reshuffle(self) -> None:
        table = Table("color-powers").holding(green=2).given(draw_pile=1, discard_pile=5)
        table.legal(2, "flip", card="blue-3").has(draw_pile=5, discard_pile=1, top="blue-3")

    def test_nothing_to_flip(self) -> None:
        table = Table("color-powers").holding(green=2).given(draw_pile=0, discard_pile=1)
        table.illegal(2, "flip", "power.green", card="blue-3")

    def test_no_second_card_follows_it(self) -> None:
        table = Table("color-powers").holding(green=2, blue=2).legal(2, "flip", card="blue-3")
        table.illegal(2, "play", "turn.order", card="blue-4")


class TestYellow:
    """power.yellow, R20."""

    @pytest.mark.parametrize("card", ["red-skip", "red-draw-two", "wild-draw-four", "red-reverse"])
    def test_the_holder_plays_on(self, card: str) -> None:
        table = Table("color-powers").holding(yellow=3).lay(2, card)
        table.has(turn=3, hands=[7, 6, 7], direction="clockwise", awaiting="3 play")

    def test_a_reverse_towards_the_holder_works(self) -> None:
        table = Table("color-powers").holding(yellow=1).play(2, "red-reverse")
        table.has(turn=1, direction="counterclockwise")

    def test_on_a_last_card_too(self) -> None:
        table = Table("color-powers").given(hands=[7, 1, 7]).holding(yellow=3)
        table.play(2, "red-draw-two").has(round_winner=2, hands=[7, 0, 7])

    def test_a_flipped_wild_draw_four_too(self) -> None:
        table = Table("color-powers").holding(yellow=3, green=2)
        table.legal(2, "flip", card="wild-draw-four", color="red").has(turn=3, hands=[7, 7, 7])

    def test_the_holders_own_turn_is_as_ever(self) -> None:
        table = Table("color-powers").holding(yellow=2).play(2, "red-skip").has(turn=1)
        table.play(1, "red-draw-two").has(turn=2, hands=[6, 6, 7])
