"""House rules where three meet, and where people leave: R37 to R55."""

import pytest

from referee.rules.engine import new_game, open_round
from referee.rules.play.rounds import RoundResult, count_round
from referee.rules.rulings import RuleError
from tests.rules.builder import Table

PARTY = {"stacking": "any", "jump_in": "on", "seven_zero": "on", "draw_until": "playable"}
TEAMS = [[1, 3], [2, 4]]


# Jumping in


def test_a_jump_onto_a_stack_hits_who_sits_after_the_jumper_a_partner_too() -> None:
    table = Table("classic-108", seats=4, teams=TEAMS, **PARTY).play(2, "red-draw-two")
    table.play(1, "red-draw-two", rule="house.jump-in").has(awaiting="2 respond", stack=4, turn=2)
    table.play(2, "blue-draw-two", rule="house.stacking").has(awaiting="3 respond", stack=6)
    table.legal(3, "accept").has(hands=[6, 5, 13, 7], turn=4, stack=0)


def test_a_jump_of_the_seat_that_is_hit_is_a_stacked_card() -> None:
    table = Table("classic-108", seats=4, **PARTY).play(2, "red-draw-two")
    table.play(3, "red-draw-two", rule="house.stacking").has(awaiting="4 respond", stack=4)


def test_a_jump_past_a_protected_seat_ends_the_stack() -> None:
    table = Table("power-grab", seats=4, **PARTY).holding(N=2).play(2, "red-draw-two")
    table.play(1, "red-draw-two", rule="house.jump-in").has(turn=2, stack=0, hands=[6, 6, 7, 7])
    table.has(awaiting="2 play")


def test_a_seven_that_jumps_in_swaps() -> None:
    table = Table("classic-108", "blue-3", seats=4, **PARTY).given(hands=[3, 4, 5, 6])
    table.play(2, "blue-7", swap_with=3).has(hands=[3, 5, 3, 6], turn=3)
    table.play(1, "blue-7", rule="house.jump-in").has(awaiting="1 swap", turn=1)
    table.illegal(3, "play", "turn.order", card="blue-1")
    table.legal(1, "swap", **{"with": 4}).has(hands=[6, 5, 3, 2], turn=2)


def test_a_seven_that_jumps_in_as_the_last_card_ends_the_round() -> None:
    table = Table("classic-108", "blue-7", seats=4, **PARTY).given(hands=[1, 4, 5, 6])
    table.play(1, "blue-7", swap_with=1, rule="house.jump-in").has(round_winner=1)


def test_a_skip_and_a_reverse_that_jump_in_work_from_the_jumper() -> None:
    table = Table("classic-108", "red-3", seats=4, **PARTY).play(2, "red-skip").has(turn=4)
    table.play(3, "red-skip", rule="house.jump-in").has(turn=1)
    table = Table("classic-108", "red-3", seats=4, **PARTY).play(2, "red-reverse").has(turn=1)
    table.play(3, "red-reverse", rule="house.jump-in").has(turn=4, direction="clockwise")


def test_between_two_a_skip_that_jumps_in_gives_another_turn() -> None:
    table = Table("classic-108", "red-skip", seats=2, **PARTY).has(turn=1)
    table.play(2, "red-skip", rule="house.jump-in").has(turn=2, hands=[7, 6])


def test_an_opening_stack_card_can_be_jumped_onto_and_then_stacks() -> None:
    table = Table("classic-108", "red-draw-two", seats=4, **PARTY).has(hands=[7, 9, 7, 7], turn=3)
    table.play(1, "red-draw-two", rule="house.jump-in").has(awaiting="2 respond", stack=2)


def test_after_a_jump_onto_an_opening_take_two_towers_symbols_match_again() -> None:
    table = Table("power-grab", "red-take-two-towers", seats=3, jump_in="on")
    table.illegal(2, "play", "opening.take-two-towers", card="blue-take-two-towers")
    table.given(known={}).play(3, "red-take-two-towers", powers=[], rule="house.jump-in")
    table.play(1, "blue-take-two-towers", powers=[]).has(turn=2)


def test_a_jumper_down_to_one_card_may_be_caught_until_the_next_one_plays() -> None:
    table = Table("classic-108", "red-3", seats=4, **PARTY).given(hands=[2, 7, 7, 7])
    table.play(2, "red-5").play(1, "red-5").has(uno=[])
    table.legal(3, "catch", accused=1).has(hands=[3, 6, 7, 7])
    called = Table("classic-108", "red-3", seats=4, **PARTY).given(hands=[2, 7, 7, 7])
    called.play(2, "red-5").legal(1, "uno").play(1, "red-5")
    # R38: made with two cards out of turn, the call counted for nothing.
    called.has(uno=[]).legal(3, "catch", accused=1)


# Hands that move


def test_between_two_a_zero_swaps_the_hands() -> None:
    table = Table("classic-108", "red-3", seats=2, seven_zero="on").given(hands=[3, 8])
    table.play(2, "red-0", rule="house.zero").has(hands=[7, 3], turn=1)


def test_a_zero_after_a_reverse_goes_the_other_way() -> None:
    table = Table("classic-108", "red-3", seats=4, seven_zero="on").given(hands=[1, 5, 3, 4])
    table.play(2, "red-reverse").has(turn=1, direction="counterclockwise")
    table.given(hands=[4, 4, 3, 2]).play(1, "red-0").has(hands=[4, 3, 2, 3], turn=4)


def test_who_is_out_of_the_game_or_has_left_gets_no_hand() -> None:
    table = Table("classic-108", "red-3", seats=4, seven_zero="on").given(hands=[2, 5, 3, 4])
    table.legal(3, "leave").play(2, "red-0").has(hands=[4, 2, 0, 4], turn=4)
    table.illegal(4, "play", "house.seven", card="red-7", swap_with=3)


def test_a_seven_as_the_second_card_of_a_turn_swaps_by_the_same_rule() -> None:
    table = Table("color-powers", "red-3", seven_zero="on").holding(blue=2)
    table.play(2, "red-4").play(2, "red-7", rule="house.seven").has(awaiting="2 swap")


def test_nothing_is_owed_or_caught_after_a_swap() -> None:
    table = Table("classic-108", "red-3", seven_zero="on").given(hands=[1, 2, 5], uno=(1,))
    table.play(2, "red-7", swap_with=1).has(hands=[1, 1, 5], uno=[])
    table.illegal(3, "catch", "uno.catch", accused=1).illegal(3, "catch", "uno.catch", accused=2)
    # A call of their own counts again.
    table.legal(1, "uno").has(uno=[1])


@pytest.mark.parametrize("card", ["red-0", "red-7"])
def test_a_call_with_the_card_lapses_with_the_hand_that_goes(card: str) -> None:
    table = Table("classic-108", "red-3", seven_zero="on").given(hands=[7, 2, 1])
    swap = {"swap_with": 3} if card == "red-7" else {}
    table.play(2, card, uno=True, **swap).has(uno=[])
    # Whoever holds one card now owes no call, and may make one.
    for accused in (1, 2, 3):
        table.illegal(2 if accused == 1 else 1, "catch", "uno.catch", accused=accused)


def test_a_call_with_a_zero_ends_a_ban() -> None:
    ban = [{"text": "Still!", "effects": [{"effect": "ban", "who": "all", "text": "no elbows"}]}]
    table = Table("classic-112", "red-3", seven_zero="on", custom_cards=ban)
    table.play(2, "wild-custom-1", color="red")
    assert table.state.notices
    table.play(3, "red-0", uno=True)
    assert not table.state.notices


def test_an_early_call_is_kept_by_the_seven_and_lapses_with_the_swap() -> None:
    table = Table("classic-108", "red-3", seven_zero="on").given(hands=[4, 2, 5]).legal(2, "uno")
    table.play(2, "red-7").has(uno=[2], awaiting="2 swap")
    table.illegal(1, "catch", "uno.catch", accused=2)
    table.legal(2, "swap", **{"with": 3}).has(uno=[], hands=[4, 5, 1])


def test_a_challenge_after_hands_have_moved_is_judged_by_what_can_be_proved() -> None:
    table = Table("classic-112", "blue-3", seats=3, seven_zero="on")
    table.play(2, "wild-draw-four", color="red").legal(3, "challenge")
    table.illegal(1, "swap", "round.awaiting", **{"with": 2})
    hand = ["blue-1", "red-1", "red-2", "red-3", "red-4", "green-1"]
    table.legal(2, "reveal", hand=hand).has(hands=[7, 10, 7], turn=3)


def test_forced_draws_are_not_proved_of_a_hand_that_went_away() -> None:
    table = (
        Table("classic-108", "red-3", seats=2, seven_zero="on").legal(2, "draw").legal(2, "pass")
    )
    table.play(1, "red-7", swap_with=2).play(2, "red-1").play(1, "red-2").play(2, "red-4")
    table.play(1, "red-5").play(2, "red-6").has(evidence=[])


def test_a_swap_lapses_and_towers_stay_when_the_only_other_hand_leaves() -> None:
    table = Table("power-grab", "red-3", seats=3, seven_zero="on").play(2, "red-7:U")
    table.has(awaiting="2 swap").legal(3, "leave").illegal(2, "swap", "house.seven", **{"with": 3})
    table.legal(2, "swap", **{"with": 1}).has(hands=[6, 7, 0], turn=1)
    assert table.state.powers["U"] == 2


# Stacks


@pytest.mark.parametrize("free", [False, True])
def test_a_wild_draw_four_stacks_on_anything_lower(free: bool) -> None:
    options = {"wild_draw_four": "free"} if free else {}
    table = Table("power-grab", stacking="any", **options).play(2, "red-draw-one")
    table.play(3, "wild-draw-four", color="blue").has(stack=5, turn=1)
    if free:
        table.illegal(1, "challenge", "house.free-wild").legal(1, "accept").has(hands=[12, 6, 6])
        return
    hand = ["red-1", "green-2", "green-3", "green-4", "green-5", "yellow-6"]
    table.legal(1, "challenge").legal(3, "reveal", hand=hand).has(hands=[7, 6, 11], turn=1)


def test_in_moomin_a_wild_in_the_hand_makes_a_stacked_challenge_right() -> None:
    table = Table("moomin", stacking="any").play(2, "red-draw-two")
    table.play(3, "wild-draw-four", color="blue").legal(1, "challenge").has(stack=6)
    hand = ["wild", "green-2", "green-3", "green-4", "green-5", "yellow-6"]
    table.legal(3, "reveal", hand=hand).has(hands=[7, 6, 12], turn=1)


def test_a_stack_greater_than_the_piles_takes_what_there_is() -> None:
    table = Table("classic-108", stacking="any").given(draw_pile=1, discard_pile=1)
    table.play(2, "red-draw-two").play(3, "wild-draw-four", color="red").legal(1, "accept")
    # The card in the pile and the two that lay below the top.
    table.has(hands=[10, 6, 6], turn=2)


def test_who_is_hit_may_be_caught_and_catch() -> None:
    table = Table("classic-108", stacking="same", uno_penalty=0).given(hands=[7, 2, 7])
    table.play(2, "red-draw-two").legal(3, "catch", accused=2).has(stack=2, hands=[7, 1, 7])
    table.illegal(1, "catch", "uno.catch", accused=2).legal(3, "accept").has(hands=[7, 1, 9])


def test_an_early_call_of_who_is_hit_counts_for_the_stacked_card() -> None:
    table = Table("classic-108", stacking="same").given(hands=[7, 7, 2]).play(2, "red-draw-two")
    table.legal(3, "uno").play(3, "blue-draw-two").has(uno=[3], awaiting="1 respond")
    lapsed = Table("classic-108", stacking="same").given(hands=[7, 7, 2]).play(2, "red-draw-two")
    lapsed.legal(3, "uno").legal(3, "accept").has(uno=[], hands=[7, 6, 4])


def test_yellow_ends_a_stack_whatever_lies_on_top() -> None:
    table = Table("color-powers", stacking="any").holding(yellow=1).play(2, "red-draw-two")
    table.play(3, "wild-draw-four", color="blue").has(turn=1, stack=0, awaiting="1 play")
    table.illegal(1, "challenge", "challenge").has(hands=[7, 6, 6])


def test_no_second_card_after_a_stack_and_one_where_nobody_is_hit() -> None:
    table = Table("color-powers", stacking="any").holding(blue=2).play(2, "red-draw-two")
    table.illegal(2, "play", "turn.order", card="red-5").legal(3, "accept").has(turn=1)
    table.illegal(2, "play", "turn.order", card="red-5")
    free = Table("color-powers", stacking="any").holding(blue=2, yellow=3)
    free.play(2, "red-draw-two").has(turn=3).play(2, "red-5", rule="match").has(hands=[7, 5, 7])


def test_the_hit_goes_with_the_challenger_who_leaves_and_with_the_challenged() -> None:
    for leaver, turn in ((3, 1), (2, 3)):
        table = Table("classic-112", seats=4, stacking="any")
        table.play(2, "wild-draw-four", color="blue").legal(3, "challenge").legal(leaver, "leave")
        hands = [7, 6, 7, 7]
        hands[leaver - 1] = 0
        table.has(turn=4 if leaver == 3 else turn, stack=0, hands=hands)


def test_a_stack_whose_colour_is_awaited_of_who_left_is_named_by_the_host() -> None:
    table = Table("classic-112", seats=4, stacking="any").play(2, "red-draw-two")
    table.play(3, "wild-draw-four").has(awaiting="3 color", stack=0).legal(3, "leave")
    table.legal(3, "color", color="green").has(awaiting="4 respond", stack=6, color="green")
    table.illegal(4, "challenge", "challenge").legal(4, "accept").has(hands=[7, 6, 0, 13], turn=1)


def test_who_stacked_may_leave_and_the_sum_stays() -> None:
    table = Table("classic-108", seats=4, stacking="same").play(2, "red-draw-two")
    table.play(3, "blue-draw-two").legal(3, "leave").has(awaiting="4 respond", stack=4)
    table.legal(4, "accept").has(hands=[7, 6, 0, 11], turn=1)


def test_a_last_stacked_card_passes_a_protected_player_by() -> None:
    table = Table("power-grab", stacking="any").holding(N=1).given(hands=[7, 7, 1])
    table.play(2, "red-draw-two").play(3, "blue-draw-two").has(hands=[7, 6, 0], round_winner=3)


# Drawing


def test_drawing_until_one_can_play_is_forced_at_both_ends() -> None:
    options = {"draw_until": "playable", "forced_play": "any"}
    table = Table("classic-112", "red-3", seats=2, **options).given(hands=[7, 2])
    table.legal(2, "draw", count=1, rule="house.draw-until").legal(2, "pass")
    table.play(1, "red-4").play(2, "red-5").has(evidence=[])
    # Two red cards shown, one taken: one was in hand at the draw.
    table.play(1, "red-6").play(2, "red-7").has(
        evidence=[{"seat": 2, "move": 1, "rule": "draw.forced"}]
    )
    # All three of the hand at the pass could have been laid.
    table.play(1, "red-8").play(2, "red-9").has(
        evidence=[{"seat": 2, "move": move, "rule": "draw.forced"} for move in (1, 2)]
    )


def test_accepting_a_stack_is_no_forced_draw() -> None:
    table = Table("classic-108", seats=2, stacking="same").play(2, "red-draw-two")
    table.legal(1, "accept").has(turn=2).play(2, "blue-draw-two").legal(1, "accept")
    for card in ("blue-1", "blue-2"):
        table.play(2, card)
        table.play(1, "blue-9" if card == "blue-1" else "blue-8")
    table.has(evidence=[])


# Numbers and scores


def test_hands_of_twenty_fit_five_players_and_no_sixth() -> None:
    five = [str(n) for n in range(5)]
    assert new_game("classic-108", {"hand_size": 20}, five).game.options.hand_size == 20
    with pytest.raises(RuleError, match="more than the deck has"):
        new_game("classic-108", {"hand_size": 20}, [*five, "6"])
    opened, _ = open_round(new_game("classic-108", {"hand_size": 20}, five), 1, ["red-1"])
    assert (opened.hands, opened.draw_pile) == ((20,) * 5, 7)


def result(table: Table, out: int, **hands: int | None) -> Table:
    """Enter a round by its result."""
    given = {int(seat[1:]): points for seat, points in hands.items()}
    table.state, _ = count_round(table.state, 0, RoundResult(out, given))
    return table


def between(seats: int, **options: object) -> Table:
    """Return a table before its first round."""
    table = Table("classic-108", seats=seats, **options)
    names = [f"Player {seat}" for seat in range(1, seats + 1)]
    table.state = new_game("classic-108", options, names)
    return table


def test_a_result_that_takes_all_but_one_out_ends_the_game() -> None:
    table = between(3, scoring="elimination", target=50)
    result(table, 1, s2=50, s3=60).has(winner=1, scores=[0, 50, 60])


def test_the_lowest_total_wins_where_all_that_are_left_are_taken() -> None:
    table = between(3, scoring="elimination", target=50)
    result(table, 1, s2=40, s3=40).has(winner=None)
    result(table, 2, s1=45, s3=5).has(winner=None, scores=[45, 40, 45])
    result(table, 2, s1=5, s3=5).has(winner=2, scores=[50, 40, 50])


def test_rounds_end_in_a_tie_of_those_still_in() -> None:
    table = between(3, scoring="elimination", target=50, rounds=2)
    result(table, 1, s2=10, s3=60).has(winner=None, scores=[0, 10, 60])
    result(table, 2, s1=10).has(winner=[1, 2])


def test_teams_tie_after_their_rounds() -> None:
    table = between(4, teams=TEAMS, rounds=2)
    result(table, 1, s2=10, s3=30, s4=5).has(team_scores=[15, 0], winner=None)
    result(table, 4, s1=10, s2=40, s3=5).has(
        team_scores=[15, 15], winner=[1, 2, 3, 4], scores=[15, 0, 0, 15]
    )


def test_a_team_goes_on_without_who_left() -> None:
    table = Table("classic-108", seats=4, teams=TEAMS, target=20).given(hands=[1, 1, 1, 1])
    table.legal(3, "leave").play(2, "red-5")
    table.legal(1, "reveal", hand=["red-skip"]).legal(4, "reveal", hand=["red-9"])
    table.has(scores=[0, 20, 0, 0], winner=[2, 4])


def test_the_last_but_one_to_leave_ends_the_round_without_points() -> None:
    table = Table("classic-108", seats=3, **PARTY).play(2, "red-draw-two").legal(3, "leave")
    table.legal(2, "leave").has(turn=None, scores=[0, 0, 0], stack=0, awaiting="")
