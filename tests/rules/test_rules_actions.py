"""Action cards, wilds, and the challenge."""

import pytest

from tests.rules.builder import RULESETS, Table


@pytest.mark.parametrize("ruleset", RULESETS)
class TestColoredActions:
    def test_draw_two(self, ruleset: str) -> None:
        table = Table(ruleset).play(2, "red-draw-two", rule="card.draw-two")
        table.has(turn=1, hands=[7, 6, 9], awaiting="1 play")
        table.illegal(3, "play", "turn.order", card="blue-draw-two")

    def test_draw_two_is_not_stacked(self, ruleset: str) -> None:
        table = Table(ruleset).play(2, "red-draw-two").play(1, "blue-draw-two")
        table.has(turn=3, hands=[6, 8, 9])

    def test_skip(self, ruleset: str) -> None:
        table = Table(ruleset).play(2, "red-skip", rule="card.skip").has(turn=1, hands=[7, 6, 7])
        table.illegal(3, "play", "turn.order", card="red-3")

    def test_reverse(self, ruleset: str) -> None:
        table = Table(ruleset).play(2, "red-reverse", rule="card.reverse")
        table.has(turn=1, direction="counterclockwise").play(1, "red-3").has(turn=3)
        table.play(3, "blue-3").play(2, "blue-reverse").has(turn=3, direction="clockwise")

    def test_reverse_is_a_skip_for_two(self, ruleset: str) -> None:
        table = Table(ruleset, seats=2).play(2, "red-reverse")
        table.has(turn=2, direction="counterclockwise").illegal(1, "draw", "turn.order")

    def test_reverse_may_pass_the_turn_for_two(self, ruleset: str) -> None:
        table = Table(ruleset, seats=2, two_player_reverse="pass").play(2, "red-reverse")
        table.has(turn=1, direction="counterclockwise")

    def test_skip_and_draw_two_for_two(self, ruleset: str) -> None:
        Table(ruleset, seats=2).play(2, "red-skip").has(turn=2)
        Table(ruleset, seats=2).play(2, "red-draw-two").has(turn=2, hands=[9, 6])

    @pytest.mark.parametrize("card", ["draw-two", "skip", "reverse"])
    def test_an_action_needs_its_color_or_its_like(self, ruleset: str, card: str) -> None:
        Table(ruleset).illegal(2, "play", "match", card=f"blue-{card}")


def test_draw_one() -> None:
    table = Table("power-grab").play(2, "red-draw-one", rule="card.draw-one")
    table.has(turn=1, hands=[7, 6, 8]).play(1, "blue-draw-one").has(turn=3, hands=[6, 7, 8])
    Table("power-grab").illegal(2, "play", "match", card="blue-draw-one")


WILDS = [
    ("classic-108", "wild", "card.wild"),
    ("classic-112", "wild", "card.wild"),
    ("moomin", "wild", "card.wild"),
    ("power-grab", "wild-take-tower", "card.wild-take-tower"),
    ("color-powers", "wild-power-red", "card.wild-power"),
]


@pytest.mark.parametrize(("ruleset", "card", "rule"), WILDS)
class TestWild:
    def test_any_time_with_the_color_at_once(self, ruleset: str, card: str, rule: str) -> None:
        fields = {"powers": []} if ruleset == "power-grab" else {}
        table = Table(ruleset).play(2, card, color="red", rule=rule, **fields)
        table.has(turn=3, color="red", top=card, awaiting="3 play")

    def test_the_color_may_follow(self, ruleset: str, card: str, rule: str) -> None:
        fields = {"powers": []} if ruleset == "power-grab" else {}
        table = Table(ruleset).play(2, card, **fields)
        table.has(turn=2, color=None, awaiting="2 color")
        table.illegal(3, "color", "card.wild", color="blue")
        table.illegal(3, "play", "turn.order", card="blue-3")
        table.legal(2, "color", color="blue", rule="card.wild").has(turn=3, color="blue")
        table.illegal(2, "color", "card.wild", color="red").play(3, "blue-3")

    def test_not_out_of_turn(self, ruleset: str, card: str, rule: str) -> None:
        Table(ruleset).illegal(3, "play", "turn.order", card=card, color="red")


@pytest.mark.parametrize("ruleset", RULESETS)
class TestWildDrawFour:
    def test_accepted(self, ruleset: str) -> None:
        table = Table(ruleset).play(2, "wild-draw-four", color="blue", rule="card.wild-draw-four")
        table.has(turn=3, awaiting="3 respond", hands=[7, 6, 7], color="blue")
        table.illegal(1, "accept", "challenge").illegal(2, "accept", "challenge")
        table.illegal(3, "draw", "round.awaiting").illegal(3, "play", "round.awaiting", card="wild")
        table.legal(3, "accept").has(turn=1, hands=[7, 6, 11], color="blue", awaiting="1 play")

    def test_only_the_next_player_may_challenge(self, ruleset: str) -> None:
        table = Table(ruleset).illegal(3, "challenge", "challenge")
        table.play(2, "wild-draw-four", color="blue")
        table.illegal(1, "challenge", "challenge").illegal(2, "challenge", "challenge")
        table.legal(3, "challenge", rule="challenge").has(turn=3, awaiting="2 reveal")
        table.illegal(3, "accept", "challenge").illegal(3, "challenge", "challenge")

    def test_guilty(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 3, 7]).play(2, "wild-draw-four", color="blue")
        table.legal(3, "challenge").legal(2, "reveal", hand=["red-1", "green-3"])
        table.has(turn=3, hands=[7, 6, 7], color="blue", awaiting="3 play")
        table.has(evidence=[{"seat": 2, "move": 1, "rule": "card.wild-draw-four"}])
        table.play(3, "blue-3").has(turn=1)

    def test_innocent(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 3, 7]).play(2, "wild-draw-four", color="red")
        table.legal(3, "challenge").legal(2, "reveal", hand=["blue-7", "green-skip"])
        table.has(turn=1, hands=[7, 2, 13], color="red", awaiting="1 play", evidence=[])

    def test_matching_numbers_and_actions_are_no_guilt(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 3, 7], top="red-skip", color="red")
        table.play(2, "wild-draw-four", color="blue").legal(3, "challenge")
        table.legal(2, "reveal", hand=["blue-skip", "green-1"]).has(turn=1)

    def test_the_hand_shown_is_the_whole_hand(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 3, 7]).play(2, "wild-draw-four", color="red")
        table.illegal(2, "reveal", "round.awaiting", hand=["blue-7", "green-1"])
        table.legal(3, "challenge").illegal(2, "reveal", "hand.count", hand=["blue-7"])
        table.illegal(2, "reveal", "hand.count", hand=["blue-7", "blue-8", "blue-9"])
        table.illegal(2, "reveal", "deck.unknown", hand=["blue-7", "blue-11"])
        table.illegal(3, "reveal", "round.awaiting", hand=["blue-7", "green-1"])
        table.legal(2, "reveal", hand=["blue-7", "green-1"])

    def test_after_a_wild_the_named_color_counts(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 3, 7], top="wild-draw-four", color="green")
        table.play(2, "wild-draw-four", color="red").legal(3, "challenge")
        table.legal(2, "reveal", hand=["green-1", "blue-1"]).has(turn=3, hands=[7, 6, 7])

    def test_the_color_comes_before_the_answer(self, ruleset: str) -> None:
        table = Table(ruleset).play(2, "wild-draw-four").has(awaiting="2 color", turn=2)
        table.illegal(3, "challenge", "challenge").illegal(3, "accept", "challenge")
        table.legal(2, "color", color="green").has(awaiting="3 respond", turn=3, color="green")

    def test_a_drawn_one_is_judged_with_the_hand_after_it(self, ruleset: str) -> None:
        table = Table(ruleset).given(hands=[7, 2, 7]).legal(2, "draw")
        table.play(2, "wild-draw-four", color="blue").legal(3, "challenge")
        table.legal(2, "reveal", hand=["red-1", "green-1"]).has(turn=3, hands=[7, 6, 7])

    def test_for_two(self, ruleset: str) -> None:
        table = Table(ruleset, seats=2).play(2, "wild-draw-four", color="blue").legal(1, "accept")
        table.has(turn=2, hands=[11, 6])


def test_wild_cards_count_in_a_moomin_challenge() -> None:
    for card in ("wild", "wild-tales", "wild-draw-four"):
        table = Table("moomin").given(hands=[7, 2, 7]).play(2, "wild-draw-four", color="blue")
        table.legal(3, "challenge").legal(2, "reveal", hand=[card]).has(turn=3, hands=[7, 5, 7])
    table = Table("classic-112").given(hands=[7, 2, 7]).play(2, "wild-draw-four", color="blue")
    table.legal(3, "challenge").legal(2, "reveal", hand=["wild"]).has(turn=1, hands=[7, 1, 13])


class TestCardsTakenBeforeTheReveal:
    """Nobody is found guilty by cards taken since the wild-draw-four."""

    def caught(self) -> Table:
        table = Table("classic-112").given(hands=[7, 2, 7])
        table.play(2, "wild-draw-four", color="blue").legal(1, "catch", accused=2)
        return table.has(hands=[7, 3, 7]).legal(3, "challenge")

    def test_penalty_cards_that_match_prove_nothing(self) -> None:
        table = self.caught().legal(2, "reveal", hand=["red-1", "red-2", "green-1"])
        table.has(turn=1, hands=[7, 3, 13], evidence=[])

    def test_more_matching_cards_than_penalty_cards_prove_it(self) -> None:
        table = self.caught().legal(2, "reveal", hand=["red-1", "red-2", "red-3"])
        table.has(turn=3, hands=[7, 7, 7])

    def test_no_matching_card_is_innocence(self) -> None:
        self.caught().legal(2, "reveal", hand=["blue-1", "blue-2", "green-1"]).has(turn=1)

    def test_a_count_set_right_is_shown_whole(self) -> None:
        table = Table("classic-112").given(hands=[7, 3, 7]).play(2, "wild-draw-four", color="blue")
        table.legal(3, "challenge").illegal(2, "reveal", "hand.count", hand=["red-1"])
        table.legal(2, "hand-count", count=1).legal(2, "reveal", hand=["red-1"]).has(turn=3)


class TestWildTales:
    """card.wild-tales, R9."""

    def test_everybody_may_discard_one(self) -> None:
        table = Table("moomin").play(2, "wild-tales", color="blue", rule="card.wild-tales")
        table.has(turn=2, awaiting="2 discard, 3 discard, 1 discard", color="blue")
        table.legal(2, "discard", cards=["green-1"]).legal(3, "pass")
        table.has(awaiting="1 discard", turn=2)
        table.legal(1, "discard", count=1)
        table.has(turn=3, hands=[6, 5, 7], discard_pile=4, top="wild-tales", awaiting="3 play")

    def test_the_color_comes_first(self) -> None:
        table = Table("moomin").play(2, "wild-tales")
        table.illegal(2, "discard", "round.awaiting", count=1).legal(2, "color", color="red")
        table.has(awaiting="1 discard, 2 discard, 3 discard")

    def test_one_card_and_only_once(self) -> None:
        table = Table("moomin").play(2, "wild-tales", color="blue")
        table.illegal(2, "discard", "card.wild-tales", cards=["red-1", "red-2"])
        table.illegal(2, "discard", "card.wild-tales", count=2)
        table.legal(2, "discard", count=1).illegal(2, "discard", "round.awaiting", count=1)
        table.illegal(3, "play", "turn.order", card="blue-1")
        table.illegal(2, "play", "round.awaiting", card="blue-1")

    def test_who_has_one_card_draws_and_discards_one_of_two(self) -> None:
        table = Table("moomin").given(hands=[1, 3, 2], uno=[1])
        table.play(2, "wild-tales", color="blue").has(hands=[2, 2, 2], uno=[])
        table.illegal(1, "pass", "card.wild-tales")
        table.illegal(1, "discard", "card.wild-tales", count=0)
        table.legal(1, "discard", cards=["red-1"]).has(hands=[1, 2, 2], uno=[])
        table.legal(3, "catch", accused=1).has(hands=[3, 2, 2])
        table.legal(3, "pass").legal(2, "pass").has(turn=3)

    def test_so_does_the_player_of_the_card(self) -> None:
        table = Table("moomin").given(hands=[7, 2, 7]).play(2, "wild-tales", color="red", uno=True)
        table.has(hands=[7, 2, 7], uno=[]).legal(2, "discard", count=1).has(hands=[7, 1, 7])
        table.legal(2, "uno").has(uno=[2]).illegal(3, "catch", "uno.catch", accused=2)

    def test_with_nothing_left_to_draw_the_only_card_stays(self) -> None:
        table = Table("moomin").given(hands=[1, 1, 3], draw_pile=0, discard_pile=1, turn=3)
        table.given(awaiting=((3, "play"),)).play(3, "wild-tales", color="red")
        table.has(hands=[2, 1, 2], draw_pile=0)
        table.illegal(2, "discard", "card.wild-tales", count=1).legal(2, "pass")
        table.illegal(1, "pass", "card.wild-tales").legal(1, "discard", count=1)
        table.legal(3, "pass").has(turn=1, hands=[1, 1, 2])

    def test_discards_have_no_effect(self) -> None:
        table = Table("moomin").play(2, "wild-tales", color="blue")
        table.legal(2, "discard", cards=["red-draw-two"]).legal(3, "discard", cards=["wild"])
        table.legal(1, "discard", cards=["red-skip"]).has(turn=3, color="blue", top="wild-tales")

    def test_going_out_on_it_wins_at_once(self) -> None:
        table = Table("moomin").given(hands=[7, 1, 7]).play(2, "wild-tales")
        table.has(round_winner=2, winner=2, awaiting="", hands=[7, 0, 7])

    def test_nobody_discards_without_it(self) -> None:
        Table("moomin").illegal(2, "discard", "round.awaiting", count=1)

    def test_discarding_down_to_one_needs_the_call(self) -> None:
        table = Table("moomin").given(hands=[2, 5, 7]).play(2, "wild-tales", color="red")
        table.legal(1, "discard", count=1).legal(1, "uno").legal(2, "pass").legal(3, "pass")
        table.has(uno=[1], hands=[1, 4, 7]).illegal(2, "catch", "uno.catch", accused=1)


class TestWildShuffle:
    """card.wild-shuffle, R10."""

    def test_the_others_are_dealt_again(self) -> None:
        table = Table("classic-112", seats=4).given(hands=[3, 6, 7, 2], uno=[])
        table.play(2, "wild-shuffle", color="red", rule="card.wild-shuffle")
        # twelve cards, dealt to seats 3, 4, 1
        table.has(hands=[4, 5, 4, 4], turn=3, direction="clockwise", color="red")

    def test_the_first_ones_get_one_more(self) -> None:
        table = Table("classic-112", seats=4).given(hands=[3, 6, 7, 4])
        table.play(2, "wild-shuffle", color="red").has(hands=[4, 5, 5, 5])

    def test_the_deal_is_clockwise_whichever_way_play_runs(self) -> None:
        table = Table("classic-112", seats=4).given(hands=[3, 7, 7, 4]).play(2, "red-reverse")
        table.given(hands=[3, 6, 7, 4]).play(1, "wild-shuffle", color="red")
        # seventeen cards, dealt to seats 2, 3, 4
        table.has(hands=[2, 6, 6, 5], turn=4, direction="counterclockwise")

    def test_the_color_comes_first(self) -> None:
        table = Table("classic-112").given(hands=[3, 6, 8]).play(2, "wild-shuffle")
        table.has(hands=[3, 5, 8], awaiting="2 color").legal(2, "color", color="red")
        table.has(hands=[5, 5, 6], turn=3)

    def test_all_hands_by_house_rule(self) -> None:
        table = Table("classic-112", shuffle_hands="all").given(hands=[3, 2, 9])
        table.play(2, "wild-shuffle", color="red").has(hands=[4, 4, 5])

    def test_a_call_ends_with_the_hand(self) -> None:
        table = Table("classic-112").given(hands=[1, 5, 1], uno=[1, 3])
        table.play(2, "wild-shuffle", color="red").has(hands=[1, 4, 1], uno=[])
