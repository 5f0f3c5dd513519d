"""House rules where they meet decks and each other: R37 to R55."""

import pytest

from tests.rules.builder import RULESETS, Table

EVERY_DECK = pytest.mark.parametrize("ruleset", RULESETS)


# house.stacking


@EVERY_DECK
def test_like_is_stacked_on_like_and_the_sum_is_drawn(ruleset: str) -> None:
    table = Table(ruleset, stacking="same").play(2, "red-draw-two")
    table.has(turn=3, stack=2, hands=[7, 6, 7], awaiting="3 respond")
    table.play(3, "blue-draw-two", rule="house.stacking").has(turn=1, stack=4)
    table.illegal(1, "play", "house.stacking", card="blue-5")
    table.illegal(1, "draw", "house.stacking").illegal(1, "pass", "house.stacking")
    table.illegal(1, "play", "deck.unknown", card="blue-55")
    table.illegal(2, "play", "turn.order", card="blue-5")
    table.legal(1, "accept", rule="house.stacking").has(turn=2, stack=0, hands=[11, 6, 6])


def test_a_stack_goes_up_only() -> None:
    table = Table("power-grab", stacking="any").play(2, "red-draw-one").play(3, "blue-draw-two")
    table.illegal(1, "play", "house.stacking", card="blue-draw-one")
    table.play(1, "wild-draw-four").has(stack=0, awaiting="1 color", turn=1)
    table.legal(1, "color", color="green").has(stack=7, turn=2, color="green")
    table.illegal(2, "play", "house.stacking", card="green-draw-two")
    table.legal(2, "accept").has(hands=[6, 13, 6], turn=3)


def test_the_opening_card_hits_at_once() -> None:
    Table("classic-108", "red-draw-two", stacking="any").has(hands=[7, 9, 7], turn=3, stack=0)


def test_a_challenge_in_a_stack_is_about_the_last_card_alone() -> None:
    stack = Table("classic-112", stacking="same").play(2, "wild-draw-four", color="blue")
    stack.play(3, "wild-draw-four", color="green").has(stack=8)
    table = stack.legal(1, "challenge").has(stack=8, awaiting="3 reveal")
    # Against the colour in force before it, which was blue.
    hand = ["red-1", "red-2", "red-3", "green-4", "green-5", "yellow-6"]
    table.legal(3, "reveal", hand=hand).has(hands=[17, 6, 6], turn=2, stack=0)


def test_the_guilty_draw_the_whole_stack() -> None:
    table = Table("classic-112", stacking="any").play(2, "red-draw-two")
    table.play(3, "wild-draw-four", color="green").legal(1, "challenge")
    hand = ["red-1", "green-2", "green-3", "green-4", "green-5", "yellow-6"]
    table.legal(3, "reveal", hand=hand).has(hands=[7, 6, 12], turn=1, awaiting="1 play")


def test_only_a_wild_draw_four_can_be_challenged() -> None:
    table = Table("classic-108", stacking="any").play(2, "red-draw-two")
    table.illegal(3, "challenge", "challenge")
    free = Table("classic-108", stacking="any", wild_draw_four="free")
    free.play(2, "wild-draw-four", color="red").has(stack=4, awaiting="3 respond")
    free.illegal(3, "challenge", "house.free-wild")


def test_only_the_last_card_is_protected_from() -> None:
    table = Table("power-grab", stacking="any").holding(N=1, U=3).play(2, "red-draw-two")
    # U protects from a draw-one, which does not lie on top.
    table.has(awaiting="3 respond", stack=2).play(3, "blue-draw-two")
    # R40: the holder of N is not hit, and the whole sum is gone.
    table.has(turn=1, stack=0, hands=[7, 6, 6], awaiting="1 play")
    table.play(1, "blue-5").play(2, "blue-draw-one").has(turn=3, stack=0, awaiting="3 play")


def test_the_last_card_of_a_hand_hits_with_the_sum() -> None:
    table = Table("classic-108", stacking="same").given(hands=[7, 7, 1]).play(2, "red-draw-two")
    table.play(3, "red-draw-two").has(round_winner=3, hands=[11, 6, 0], stack=0)
    table = Table("moomin", stacking="same", scoring="winner").given(hands=[7, 7, 1])
    # R42: nobody draws for a last card there, not the sum either.
    table.play(2, "red-draw-two").play(3, "red-draw-two").has(round_winner=3, hands=[7, 6, 0])


def test_a_flipped_card_can_be_stacked_on_and_not_challenged() -> None:
    table = Table("color-powers", stacking="any").holding(green=2)
    table.legal(2, "flip", card="wild-draw-four", color="blue").has(stack=4, awaiting="3 respond")
    table.illegal(3, "challenge", "challenge").play(3, "wild-draw-four", color="red")
    table.has(stack=8).legal(1, "challenge").has(awaiting="3 reveal")


def test_a_hit_closes_the_uno_window_once_it_is_answered() -> None:
    table = Table("classic-108", stacking="same").given(hands=[7, 2, 7]).play(2, "red-draw-two")
    table.legal(1, "catch", accused=2).has(stack=2, awaiting="3 respond")
    table = Table("classic-108", stacking="same").given(hands=[7, 2, 7]).play(2, "red-draw-two")
    table.legal(3, "accept").illegal(1, "catch", "uno.catch", accused=2)


def test_who_is_hit_and_leaves_takes_the_stack_along() -> None:
    table = Table("classic-108", stacking="same").play(2, "red-draw-two").legal(3, "leave")
    table.has(turn=1, stack=0, awaiting="1 play")


def test_a_round_that_ends_by_a_gift_ends_the_stack() -> None:
    table = Table("color-powers", stacking="any").holding(red=1).given(hands=[1, 7, 7])
    table.play(2, "red-draw-two").has(stack=2)
    table.legal(1, "give", to=2, cards=["red-5"]).has(stack=0, round_winner=1, hands=[0, 7, 9])


# house.jump-in


@EVERY_DECK
def test_the_very_card_is_laid_out_of_turn(ruleset: str) -> None:
    table = Table(ruleset, jump_in="on", seats=4).play(2, "red-5").has(turn=3)
    table.illegal(1, "play", "turn.order", card="blue-5")
    table.play(1, "red-5", rule="house.jump-in").has(turn=2, hands=[6, 6, 7, 7])
    table.illegal(3, "draw", "turn.order")


def test_a_jump_onto_the_opening_card_and_onto_ones_own() -> None:
    table = Table("classic-108", jump_in="on", seats=4)
    table.play(4, "red-7", rule="house.jump-in").has(turn=1)
    table = Table("classic-108", jump_in="on", seats=4).play(2, "red-5")
    table.play(2, "red-5", rule="house.jump-in").has(turn=3, hands=[7, 5, 7, 7])


def test_the_seat_on_turn_simply_plays() -> None:
    table = Table("classic-108", jump_in="on", identical_cards=True, seats=4)
    # So it may add another card, and what is raised for its draw is used up.
    table.given(raised={2: 3}, known={}).play(2, "red-7", rule="match")
    table.play(2, "red-7", rule="house.identical").has(turn=3)
    assert not table.state.raised


def test_two_players_jump_in_too() -> None:
    table = Table("classic-112", jump_in="on", seats=2).play(2, "red-5")
    table.play(2, "red-5", rule="house.jump-in").has(turn=1)


def test_wilds_and_single_cards_do_not_jump_in() -> None:
    table = Table("classic-112", jump_in="on", seats=4).play(2, "wild", color="red")
    table.illegal(1, "play", "turn.order", card="wild", color="red")
    table = Table("classic-112", jump_in="on", seats=4).play(2, "red-0")
    table.illegal(1, "play", "deck.count", card="red-0")


def test_nobody_jumps_in_while_something_else_is_awaited() -> None:
    table = Table("classic-108", jump_in="on", seven_zero="on", seats=4).play(2, "red-7")
    table.illegal(1, "play", "turn.order", card="red-7")
    table = Table("classic-108", jump_in="on", seats=4).play(2, "red-5").legal(3, "draw")
    table.illegal(1, "play", "turn.order", card="red-5")


def test_a_jump_keeps_other_windows_open_and_ends_early_calls() -> None:
    table = Table("classic-108", jump_in="on", seats=4).given(hands=[7, 2, 2, 7])
    table.play(2, "red-5").legal(3, "uno").play(1, "red-5")
    # Ann's jump closes no window of Bo's, but ends Cy's call before the turn.
    table.legal(4, "catch", accused=2).has(hands=[6, 3, 2, 7], turn=2)
    table.play(2, "red-1").play(3, "red-2").has(uno=[])


def test_a_jump_closes_a_second_card_and_opens_none() -> None:
    table = Table("color-powers", jump_in="on", seats=4).holding(blue=2).play(2, "red-5")
    table.play(1, "red-5", rule="house.jump-in").illegal(2, "pass", "draw")
    table.has(turn=2)
    twin = Table("classic-108", jump_in="on", identical_cards=True, seats=4).play(2, "red-5")
    # R43: where a second card is open for a seat, its card is that.
    twin.play(2, "red-5", rule="house.identical").has(turn=3)
    late = Table("classic-112", jump_in="on", identical_cards=True, seats=4).play(2, "red-5")
    late.play(4, "red-5", rule="house.jump-in").illegal(4, "pass", "turn.order").has(turn=1)


def test_an_open_second_card_hits_who_is_on_turn_and_does_not_jump() -> None:
    """R43: where a second card is open for a seat, its card is that."""
    table = Table("color-powers", jump_in="on", seats=4).holding(blue=2).play(2, "red-draw-two")
    table.has(turn=4, hands=[7, 6, 9, 7]).play(2, "red-draw-two", rule="card.draw-two")
    table.has(turn=1, hands=[7, 5, 9, 9])


def test_a_jump_takes_the_tower_and_does_not_use_up_a_raised_draw() -> None:
    table = Table("power-grab", jump_in="on", seats=4).play(2, "red-5")
    table.play(1, "red-5:U").has(turn=2, powers={"U": 1, "N": 0, "O": 0, "!": 0})
    raised = Table("classic-112", jump_in="on", seats=4).given(raised={1: 3}).play(2, "red-5")
    raised.play(1, "red-5").play(2, "red-1").play(3, "red-2").play(4, "red-3")
    raised.legal(1, "draw").has(hands=[9, 5, 6, 6])


def test_a_jump_onto_a_stack_stacks() -> None:
    table = Table("classic-108", jump_in="on", stacking="same", seats=4).play(2, "red-draw-two")
    table.illegal(1, "play", "turn.order", card="blue-draw-two")
    table.play(1, "red-draw-two", rule="house.jump-in").has(turn=2, stack=4, awaiting="2 respond")


# house.seven and house.zero


@EVERY_DECK
def test_a_seven_swaps_hands(ruleset: str) -> None:
    table = Table(ruleset, "red-3", seven_zero="on").given(hands=[3, 7, 9])
    table.play(2, "red-7").has(awaiting="2 swap", turn=2)
    for other in (2, 0, 4):
        table.illegal(2, "swap", "house.seven", **{"with": other})
    table.illegal(1, "swap", "round.awaiting", **{"with": 2})
    table.legal(2, "swap", rule="house.seven", **{"with": 1}).has(hands=[6, 3, 9], turn=3)
    table.illegal(3, "play", "house.seven", card="red-7", swap_with=3)
    table.play(3, "red-7", swap_with=1).has(hands=[8, 3, 6], turn=1)


def test_a_swap_without_effect_is_ignored() -> None:
    Table("classic-108", "red-3").play(2, "red-7", swap_with=2).has(turn=3)
    Table("classic-108", "red-3", seven_zero="on").play(2, "red-6", swap_with=2).has(turn=3)
    last = Table("classic-108", "red-3", seven_zero="on").given(hands=[7, 1, 7])
    last.play(2, "red-7", swap_with=2).has(round_winner=2, hands=[7, 0, 7])
    Table("classic-108", "red-7", seven_zero="on").has(awaiting="2 play")


def test_a_zero_passes_hands_on_in_the_direction_of_play() -> None:
    table = Table("classic-108", seven_zero="on", seats=4).given(hands=[2, 7, 5, 9])
    table.play(2, "red-0", rule="house.zero").has(hands=[9, 2, 6, 5], turn=3)
    table.play(3, "red-reverse").play(2, "red-1").play(1, "blue-1")
    table.play(4, "blue-0").has(hands=[1, 5, 4, 8], turn=3)


def test_calls_and_windows_end_with_the_hand_that_moves() -> None:
    table = Table("classic-108", "red-3", seven_zero="on").given(hands=[7, 2, 1], uno=(3,))
    table.play(2, "red-7").legal(1, "catch", accused=2).has(hands=[7, 3, 1])
    table = Table("classic-108", "red-3", seven_zero="on").given(hands=[7, 2, 1], uno=(3,))
    table.play(2, "red-7", uno=True, swap_with=3).has(hands=[7, 1, 1], uno=[])
    for accused in (2, 3):
        table.illegal(1, "catch", "uno.catch", accused=accused)


def test_proofs_against_hands_that_moved_end() -> None:
    table = Table("classic-112", "blue-2", seven_zero="on").play(2, "wild-draw-four", color="red")
    table.legal(3, "accept").play(1, "red-7", swap_with=2).play(2, "red-8")
    table.play(3, "blue-8").play(1, "blue-1").play(2, "blue-5").has(evidence=[])
    table = Table("classic-112", "blue-2", seven_zero="on").play(2, "wild-draw-four", color="red")
    table.legal(3, "accept").play(1, "red-7", swap_with=3).play(2, "blue-7", swap_with=1)
    assert table.state.evidence[0][:2] == (2, 1)


def test_four_towers_come_before_the_swap() -> None:
    table = Table("power-grab", seven_zero="on").holding(U=2, N=2, O=2).given(hands=[4, 5, 7])
    table.play(2, "red-7:!", swap_with=1).has(hands=[1, 4, 7])
    assert set(table.state.powers.values()) == {0}


def test_a_tower_can_be_claimed_while_the_swap_is_awaited() -> None:
    table = Table("power-grab", "red-3", seven_zero="on", tower_claim="must-move")
    table.play(2, "red-7:U").legal(2, "powers", powers=["U"]).has(awaiting="2 swap")
    assert table.state.powers["U"] == 2


def test_towers_of_two_cards_stand_open_until_the_next_player_acts() -> None:
    """R22: neither a second card of the same player nor a jump-in is the next player's act."""
    rules = {"tower_claim": "must-move", "identical_cards": True, "jump_in": "on"}
    table = Table("power-grab", **rules).play(2, "red-8:U").play(2, "red-8:N")
    table.legal(2, "powers", powers=["U"]).legal(2, "powers", powers=["N"])
    table.has(powers={"U": 2, "N": 2, "O": 0, "!": 0}, turn=3)
    jumped = Table("power-grab", seats=4, **rules).play(2, "red-8:U").play(4, "red-8:N")
    for seat, tower, others in ((2, "U", "N"), (4, "N", "U")):
        jumped.illegal(seat, "powers", "round.awaiting", powers=[others])
        jumped.legal(seat, "powers", powers=[tower])
    jumped.illegal(2, "powers", "round.awaiting", powers=["U"])
    late = Table("power-grab", seats=4, **rules).play(2, "red-8:U").play(4, "red-8:N")
    late.play(1, "red-1").illegal(2, "powers", "round.awaiting", powers=["U"])


def test_a_tower_that_stands_open_outlasts_another_player_who_leaves() -> None:
    table = Table("power-grab", seats=4, tower_claim="must-move", identical_cards=True)
    table.holding(U=1).play(2, "red-8:U").play(2, "red-8:N").legal(1, "leave")
    table.legal(2, "powers", powers=["U"]).legal(2, "powers", powers=["N"])
    assert (table.state.powers["U"], table.state.powers["N"]) == (2, 2)


def test_a_flipped_seven_swaps_and_a_discarded_one_does_not() -> None:
    table = Table("color-powers", "red-3", seven_zero="on").holding(green=2)
    table.legal(2, "flip", card="blue-7").has(awaiting="2 swap")
    tales = Table("moomin", seven_zero="on").play(2, "wild-tales", color="red")
    for seat in (2, 3, 1):
        tales.legal(seat, "discard", cards=[f"blue-{7 * (seat % 2)}"])
    tales.has(hands=[6, 5, 6], awaiting="3 play")


def test_no_second_card_after_a_seven_or_zero() -> None:
    table = Table("classic-108", "red-3", seven_zero="on", identical_cards=True)
    table.play(2, "red-7", swap_with=1).illegal(2, "play", "turn.order", card="red-7")
    blue = Table("color-powers", "red-3", seven_zero="on").holding(blue=2)
    blue.play(2, "red-7", swap_with=1).illegal(2, "play", "turn.order", card="red-6")


def test_a_swap_lapses_when_its_player_leaves() -> None:
    table = Table("classic-108", "red-3", seven_zero="on").play(2, "red-7").legal(2, "leave")
    table.has(turn=3, awaiting="3 play", hands=[7, 0, 7])


# house.draw-until and draw.forced


@EVERY_DECK
def test_a_draw_says_how_many(ruleset: str) -> None:
    table = Table(ruleset, draw_until="playable").given(draw_pile=3, discard_pile=4)
    for count in (0, -1, 7):
        table.illegal(2, "draw", "draw", count=count)
    table.legal(2, "draw", rule="house.draw-until", count=6).has(hands=[7, 13, 7], turn=2)
    table.illegal(2, "draw", "draw", count=1).legal(2, "pass").legal(3, "draw").has(turn=1)


def test_one_card_is_drawn_where_the_table_says_so() -> None:
    table = Table("classic-112").illegal(2, "draw", "draw", count=2)
    table.legal(2, "draw", count=1, rule="draw")
    table = Table("classic-112").given(draw_pile=0, discard_pile=1)
    table.illegal(2, "draw", "draw", count=1).legal(2, "draw").has(turn=3)


def test_a_card_that_raises_the_draw_overrides_the_count() -> None:
    table = Table("classic-112", draw_until="playable").given(raised={2: 3})
    table.legal(2, "draw", count=99, rule="draw").has(hands=[7, 10, 7])


@EVERY_DECK
def test_a_drawn_card_that_can_be_played_must_be(ruleset: str) -> None:
    table = Table(ruleset, forced_play="drawn", seats=2).given(hands=[7, 1])
    table.legal(2, "draw").legal(2, "pass").has(hands=[7, 2], evidence=[])
    table.play(1, "red-1").play(2, "red-2").has(evidence=[])
    table.play(1, "red-3").play(2, "red-4")
    # Both cards of the hand could have been laid on the red 7.
    table.has(evidence=[{"seat": 2, "move": 2, "rule": "draw.forced"}], round_winner=2)


@pytest.mark.parametrize("given", [False, True])
def test_the_drawn_card_may_be_the_one_that_was_given_away(given: bool) -> None:
    table = Table("color-powers", forced_play="drawn", seats=2)
    powers = table.state.powers | {"red": 2}
    table.given(hands=[7, 2 if given else 1], powers=powers).legal(2, "draw")
    if given:
        table.legal(2, "give", to=1, cards=["red-9"])
    table.legal(2, "pass").has(hands=[8 if given else 7, 2])
    table.play(1, "blue-7").play(2, "green-7").play(1, "yellow-7").play(2, "yellow-7")
    broken = {"seat": 2, "move": 2, "rule": "draw.forced"}
    table.has(evidence=[] if given else [broken], round_winner=2)


def test_with_any_card_taken_since_nothing_is_proved() -> None:
    table = Table("moomin", forced_play="drawn", seats=2).given(hands=[7, 1])
    table.legal(2, "draw").legal(2, "pass").play(1, "red-1").legal(2, "draw")
    table.play(2, "red-2").play(1, "red-3").play(2, "red-4").has(evidence=[])


def test_forced_play_counts_what_can_be_laid_on_an_opening_take_two_towers() -> None:
    table = Table("power-grab", "red-take-two-towers", seats=2, forced_play="any")
    table.legal(2, "draw").legal(2, "pass").play(1, "red-1").play(2, "red-2").has(evidence=[])
    table.play(1, "blue-2").play(2, "blue-take-two-towers", powers=[])
    # The same symbol in another colour could not have been laid on it; a red card could.
    table.has(evidence=[]).play(1, "blue-3").play(2, "red-3")
    table.has(evidence=[{"seat": 2, "move": 1, "rule": "draw.forced"}])


def test_off_takes_the_deck_its_own_rule() -> None:
    table = Table("classic-108", forced_play="off").legal(2, "draw").legal(2, "pass")
    table.play(3, "red-1").play(1, "red-2").play(2, "red-3").play(3, "red-4").play(1, "red-5")
    table.play(2, "red-6").has(evidence=[])


# house.free-wild, identical cards, numbers


@EVERY_DECK
def test_a_free_wild_hits_at_once(ruleset: str) -> None:
    table = Table(ruleset, wild_draw_four="free")
    table.play(2, "wild-draw-four", color="blue", rule="house.free-wild")
    table.has(hands=[7, 6, 11], turn=1, color="blue")
    table.illegal(3, "challenge", "house.free-wild").illegal(1, "challenge", "house.free-wild")
    table.play(1, "blue-5").play(2, "red-5").has(evidence=[])


def test_protection_from_a_free_wild_stays() -> None:
    table = Table("power-grab", wild_draw_four="free").holding(O=3)
    table.play(2, "wild-draw-four", color="blue").has(turn=3, hands=[7, 6, 7])


@EVERY_DECK
def test_an_identical_card_follows(ruleset: str) -> None:
    table = Table(ruleset, identical_cards=True).play(2, "red-5", rule="match")
    table.play(2, "red-5", rule="house.identical")
    table.has(turn=3, hands=[7, 5, 7]).illegal(2, "play", "turn.order", card="red-5")
    drawn = Table(ruleset, identical_cards=True).legal(2, "draw").play(2, "red-5")
    # R37: a drawn card is the only one.
    drawn.illegal(2, "play", "turn.order", card="red-5")


def test_icons_do_not_keep_cards_from_being_identical() -> None:
    table = Table("power-grab", identical_cards=True).play(2, "red-5:U").play(2, "red-5")
    table.has(hands=[7, 5, 7])


def test_blue_and_identical_cards_are_one_more_card_in_all() -> None:
    table = Table("color-powers", identical_cards=True).holding(blue=2).play(2, "red-5")
    table.play(2, "red-6").illegal(2, "play", "turn.order", card="red-6").has(hands=[7, 5, 7])


def test_an_early_call_counts_for_the_second_card() -> None:
    table = Table("classic-112", identical_cards=True).given(hands=[7, 3, 7]).play(2, "red-5")
    table.legal(2, "uno").play(2, "red-5").has(uno=[2], hands=[7, 1, 7])


@EVERY_DECK
def test_a_catch_cites_the_penalty_that_the_table_agreed_on(ruleset: str) -> None:
    Table(ruleset).given(hands=[7, 2, 7]).play(2, "red-5").legal(
        1, "catch", rule="uno.catch", accused=2
    )
    table = Table(ruleset, uno_penalty=4).given(hands=[7, 2, 7]).play(2, "red-5")
    table.legal(1, "catch", rule="house.uno-penalty", accused=2).has(hands=[7, 5, 7])
    table.illegal(1, "catch", "uno.catch", accused=2)


def test_the_number_of_cards_and_the_penalty() -> None:
    Table("classic-108", hand_size=1).has(hands=[1, 1, 1]).illegal(
        2, "catch", "uno.catch", accused=3
    )
    table = Table("classic-108", hand_size=2, uno_penalty=0).play(2, "red-5")
    table.legal(1, "catch", accused=2).has(hands=[2, 1, 2])
    table.illegal(1, "catch", "uno.catch", accused=2)
