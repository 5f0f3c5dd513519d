"""Evidence: what later cards prove of an earlier move."""

from typing import Any

import pytest

from tests.rules.builder import RULESETS, Table

FOUR = "card.wild-draw-four"


def proof(seat: int, move: int, rule: str = FOUR) -> dict[str, Any]:
    return {"seat": seat, "move": move, "rule": rule}


def accepted(ruleset: str, color: str = "blue", **options: Any) -> Table:
    """Seat 2 of three laid a wild-draw-four on red; seat 3 took the cards; seat 1 is to play."""
    table = Table(ruleset, **options).play(2, "wild-draw-four", color=color)
    return table.legal(3, "accept").has(turn=1, evidence=[])


@pytest.mark.parametrize("ruleset", RULESETS)
class TestWildDrawFour:
    def test_a_card_of_the_color_played_later_proves_it(self, ruleset: str) -> None:
        accepted(ruleset).play(1, "blue-7").play(2, "red-7").has(evidence=[proof(2, 1)])

    def test_the_named_color_proves_nothing(self, ruleset: str) -> None:
        accepted(ruleset).play(1, "blue-1").play(2, "blue-2").has(evidence=[])

    def test_a_card_drawn_since_may_be_the_one(self, ruleset: str) -> None:
        table = accepted(ruleset).play(1, "blue-7").legal(2, "draw").play(2, "red-7")
        table.has(evidence=[]).play(3, "red-1").play(1, "red-2")
        table.play(2, "red-3").has(evidence=[proof(2, 1)])

    def test_a_penalty_counts_as_taken(self, ruleset: str) -> None:
        table = accepted(ruleset).play(1, "blue-draw-two").play(3, "blue-7").play(1, "red-7")
        table.play(2, "red-1").has(evidence=[]).play(3, "red-2").play(1, "red-3")
        table.play(2, "red-4").has(evidence=[]).play(3, "red-5").play(1, "red-6")
        table.play(2, "red-8").has(evidence=[proof(2, 1)])

    def test_it_is_reported_once(self, ruleset: str) -> None:
        table = accepted(ruleset).play(1, "blue-7").play(2, "red-7").play(3, "red-1")
        table.play(1, "red-2").play(2, "red-3").has(evidence=[proof(2, 1)])

    def test_illegal_moves_are_counted_as_moves(self, ruleset: str) -> None:
        table = Table(ruleset).illegal(3, "draw", "turn.order")
        table.illegal(2, "play", "match", card="blue-1").play(2, "wild-draw-four", color="blue")
        table.legal(3, "accept").play(1, "blue-7").play(2, "red-7").has(evidence=[proof(2, 3)])

    def test_a_hand_shown_at_the_end_proves_it(self, ruleset: str) -> None:
        table = Table(ruleset, scoring="winner").given(hands=[1, 3, 7])
        table.play(2, "wild-draw-four", color="blue").legal(3, "accept").play(1, "blue-1")
        table.legal(2, "reveal", hand=["red-1", "blue-2"]).has(evidence=[proof(2, 1)])

    def test_a_hand_shown_in_a_challenge_proves_an_earlier_one_too(self, ruleset: str) -> None:
        table = Table(ruleset, seats=2).given(hands=[7, 4])
        table.play(2, "wild-draw-four", color="blue").legal(1, "accept")
        table.play(2, "wild-draw-four", color="green").legal(1, "challenge")
        table.legal(2, "reveal", hand=["red-1", "yellow-1"])
        table.has(evidence=[proof(2, 1)], turn=2)

    def test_a_card_still_in_the_hand_shown_counts_once(self, ruleset: str) -> None:
        table = Table(ruleset, seats=2).given(hands=[7, 4])
        table.play(2, "wild-draw-four", color="red").legal(1, "accept").legal(2, "draw")
        table.legal(2, "pass").play(1, "red-1").play(2, "wild-draw-four", color="red")
        table.legal(1, "challenge").legal(2, "reveal", hand=["red-2", "green-1", "green-2"])
        found = [p for p in table.state.evidence if p.rule == FOUR]
        # the card drawn in between covers the one red card for the first, not for the second
        # (in moomin the second wild-draw-four is itself one more card of the first claim's kind)
        earlier = [(2, 1)] if ruleset == "moomin" else []
        assert [(p.seat, p.move) for p in found] == [*earlier, (2, 6)]

    def test_a_new_round_forgets(self, ruleset: str) -> None:
        table = Table(ruleset, scoring="winner").given(hands=[2, 7, 1])
        table.play(2, "wild-draw-four", color="blue").legal(3, "accept").given(hands=[1, 6, 5])
        table.play(1, "blue-7").legal(
            2, "reveal", hand=["blue-1"] * 2 + ["green-1"] * 2 + ["green-2"] * 2
        )
        table.legal(3, "reveal", hand=["blue-2"] * 2 + ["blue-3"] * 2 + ["blue-4"])
        table.open("blue-5").play(2, "blue-6").has(evidence=[])

    def test_a_last_one_claims_nothing(self, ruleset: str) -> None:
        table = Table(ruleset, scoring="winner").given(hands=[1, 1, 1]).play(2, "wild-draw-four")
        assert not table.state.ledgers


def test_the_wild_draw_four_itself_and_other_wilds_do_not_count() -> None:
    table = accepted("classic-112").play(1, "blue-1").play(2, "wild", color="blue").has(evidence=[])
    table.play(3, "blue-2").play(1, "blue-3").play(2, "wild-draw-four", color="red")
    table.has(evidence=[])


def test_wilds_count_in_moomin() -> None:
    table = accepted("moomin").play(1, "blue-1").play(2, "wild", color="blue")
    table.has(evidence=[proof(2, 1)])
    table = accepted("moomin").play(1, "wild-tales", color="blue")
    table.legal(2, "discard", cards=["wild"]).has(evidence=[proof(2, 1)])


def test_a_discard_that_is_named_proves_it() -> None:
    table = accepted("moomin").play(1, "wild-tales", color="blue")
    table.legal(2, "discard", cards=["red-1"]).has(evidence=[proof(2, 1)])
    table = accepted("moomin").play(1, "wild-tales", color="blue")
    table.legal(2, "discard", count=1).has(evidence=[])


def test_a_gift_proves_it_and_a_gift_received_covers_it() -> None:
    table = accepted("color-powers").holding(red=2)
    table.legal(2, "give", to=3, cards=["red-1"]).has(evidence=[proof(2, 1)])
    table = accepted("color-powers").holding(red=1)
    table.legal(1, "give", to=2, cards=["red-1", "red-2"]).play(1, "blue-7").play(2, "red-7")
    table.has(evidence=[]).play(3, "red-3").play(1, "red-4").play(2, "red-1")
    kept = proof(1, 3, "power.red")
    table.has(evidence=[kept]).play(3, "red-5").play(1, "red-6").play(2, "red-2")
    table.has(evidence=[kept, proof(2, 1)])


def test_a_shuffle_ends_what_could_be_proved() -> None:
    table = accepted("classic-112").play(1, "wild-shuffle", color="red").play(2, "red-1")
    table.has(evidence=[])
    # the player of the shuffle keeps the hand, and what it may prove
    table = accepted("classic-112").play(1, "blue-1").play(2, "wild-shuffle", color="red")
    table.play(3, "red-1").play(1, "red-2").play(2, "red-3").has(evidence=[proof(2, 1)])
    table = accepted("classic-112", shuffle_hands="all").play(1, "blue-1")
    table.play(2, "wild-shuffle", color="red").play(3, "red-1").play(1, "red-2")
    table.play(2, "red-3").has(evidence=[])


class TestForcedDraw:
    """draw.forced: classic-108 alone."""

    @pytest.mark.parametrize(
        ("ruleset", "between", "card", "proved"),
        [
            ("classic-108", ("red-4", "red-5"), "red-6", True),
            ("classic-108", ("red-7", "green-7"), "blue-7", True),
            ("classic-108", ("red-4", "red-5"), "wild", True),
            ("classic-108", ("blue-3", "blue-4"), "blue-5", False),
            *((other, ("red-4", "red-5"), "red-6", False) for other in RULESETS[1:]),
        ],
    )
    def test_two_playable_cards_for_one_drawn(
        self, ruleset: str, between: tuple[str, str], card: str, proved: bool
    ) -> None:
        table = Table(ruleset).legal(2, "draw").legal(2, "pass").play(3, "red-1").play(1, "red-2")
        table.play(2, "red-3").has(evidence=[]).play(3, between[0]).play(1, between[1])
        table.lay(2, card).has(evidence=[proof(2, 1, "draw.forced")] if proved else [])

    def test_the_card_drawn_covers_one(self) -> None:
        Table("classic-108").legal(2, "draw").play(2, "red-3").has(evidence=[])

    def test_several_at_once(self) -> None:
        table = Table("classic-108", seats=2)
        table.legal(2, "draw").legal(2, "pass").play(1, "red-skip").play(1, "red-1")
        table.legal(2, "draw").legal(2, "pass").play(1, "red-2")
        table.play(2, "red-3").play(1, "red-4").play(2, "red-5").play(1, "red-6")
        # three red cards shown, two taken: the first draw; one taken since the second: that too
        table.has(evidence=[proof(2, 5, "draw.forced")])
        table.play(2, "red-8").has(
            evidence=[proof(2, 5, "draw.forced"), proof(2, 1, "draw.forced")]
        )


class TestGreenFlip:
    """power.green: only with no playable card."""

    def flipped(self) -> Table:
        table = Table("color-powers").holding(green=2).legal(2, "flip", card="blue-3")
        return table.play(3, "blue-4").play(1, "blue-7")

    @pytest.mark.parametrize("card", ["red-7", "green-7", "wild-power-red"])
    def test_a_card_that_was_playable_proves_it(self, card: str) -> None:
        self.flipped().lay(2, card).has(evidence=[proof(2, 1, "power.green")])

    def test_another_does_not(self) -> None:
        self.flipped().play(2, "blue-1").has(evidence=[])

    def test_a_card_taken_since_covers_it(self) -> None:
        self.flipped().legal(2, "draw").play(2, "red-7").has(evidence=[])


class TestChangedHandInAChallenge:
    """R31 and R32: cards that came or went between the wild-draw-four and the showing."""

    def laid(self) -> Table:
        """Seat 2 laid a wild-draw-four on red and holds two cards; seat 1 has the power of red."""
        table = Table("color-powers").holding(red=1).given(hands=[7, 3, 7])
        return table.play(2, "wild-draw-four", color="blue")

    def test_cards_taken_since_may_be_the_matching_ones(self) -> None:
        table = self.laid().legal(1, "give", to=2, cards=["red-1"]).legal(3, "challenge")
        table.legal(2, "reveal", hand=["red-1", "green-1", "green-2"]).has(hands=[6, 3, 13], turn=1)

    def test_more_matching_cards_than_were_taken_are_a_proof(self) -> None:
        table = self.laid().legal(1, "give", to=2, cards=["red-1"]).legal(3, "challenge")
        table.legal(2, "reveal", hand=["red-1", "red-2", "green-2"]).has(hands=[6, 7, 7], turn=3)

    def test_matching_cards_given_away_since_count(self) -> None:
        table = Table("color-powers").holding(red=2).given(hands=[7, 4, 7])
        table.play(2, "wild-draw-four", color="blue")
        table.legal(2, "give", to=1, cards=["red-1"]).legal(3, "challenge")
        table.legal(2, "reveal", hand=["green-1", "green-2"]).has(hands=[8, 6, 7], turn=3)

    def test_nobody_gives_to_or_by_whoever_has_to_show(self) -> None:
        table = self.laid().legal(3, "challenge")
        table.illegal(1, "give", "round.awaiting", to=2, cards=["red-1"])
        table.legal(1, "give", to=3, cards=["red-1"])
        table = self.laid().legal(3, "challenge").holding(red=2)
        table.illegal(2, "give", "round.awaiting", to=1, cards=["red-1"])


class TestGifts:
    """R57 and R59: what openly given cards explain, and that all red ones are given."""

    def test_a_red_gift_explains_no_blue_card(self) -> None:
        table = Table("color-powers", "blue-7").holding(red=1)
        table.play(2, "wild-draw-four", color="blue")
        table.legal(1, "give", to=2, cards=["red-5", "red-6"]).legal(3, "accept")
        table.play(1, "blue-1").play(2, "blue-2").has(evidence=[proof(2, 1)])

    def test_it_is_no_excuse_in_a_challenge(self) -> None:
        hand = ["red-5", "red-6", *["green-1", "green-2", "green-3", "green-4", "green-5"]]
        for last, turn in (("blue-9", 3), ("green-6", 1)):
            table = Table("color-powers", "blue-7").holding(red=1)
            table.play(2, "wild-draw-four", color="red")
            table.legal(1, "give", to=2, cards=["red-5", "red-6"]).legal(3, "challenge")
            table.legal(2, "reveal", hand=[*hand, last]).has(turn=turn)

    def test_a_hand_that_is_shown_holds_the_gifts(self) -> None:
        table = Table("color-powers").holding(red=1).given(hands=[7, 2, 1])
        table.legal(1, "give", to=2, cards=["red-5", "red-5"]).play(2, "red-5")
        table.play(3, "red-1").illegal(
            2, "reveal", "hand.known", hand=["red-6", "blue-1", "blue-2"]
        )
        table.illegal(1, "reveal", "hand.count", hand=["red-5"])
        table.legal(2, "reveal", hand=["red-5", "blue-1", "blue-2"])

    def test_a_gift_passed_on_is_known_of_the_other(self) -> None:
        table = Table("color-powers").holding(red=1).given(hands=[7, 2, 1])
        table.legal(1, "give", to=2, cards=["red-5"]).holding(red=2)
        table.legal(2, "give", to=1, cards=["red-5"]).play(2, "red-1").play(3, "red-2")
        table.illegal(
            1,
            "reveal",
            "hand.known",
            hand=["blue-1"] * 2 + ["blue-2"] * 2 + ["blue-3"] * 2 + ["blue-4"],
        )
        table.legal(2, "reveal", hand=["blue-1"])

    def test_a_swap_ends_what_is_known(self) -> None:
        table = Table("color-powers", seven_zero="on").holding(red=1).given(hands=[7, 3, 2])
        table.legal(1, "give", to=2, cards=["red-5"]).play(2, "red-7", swap_with=3)
        table.play(3, "red-1").play(1, "red-2").play(2, "red-3").play(3, "red-4")
        assert not any(table.state.gifts.values())

    def test_a_gift_is_all_red_cards(self) -> None:
        table = Table("color-powers").holding(red=2).legal(2, "give", to=1, cards=["red-5"])
        table.legal(2, "give", to=3, cards=["red-7"]).has(evidence=[proof(2, 1, "power.red")])
        table = Table("color-powers").holding(red=2).legal(2, "give", to=1, cards=["red-5"])
        table.play(2, "red-7").has(evidence=[proof(2, 1, "power.red")])

    def test_a_red_card_taken_since_is_no_proof(self) -> None:
        table = Table("color-powers").holding(red=2).legal(2, "give", to=1, cards=["red-5"])
        table.legal(2, "draw").play(2, "red-7").has(evidence=[])
        table = Table("color-powers").holding(red=2).legal(2, "give", to=1, cards=["red-5"])
        table.holding(red=1).legal(1, "give", to=2, cards=["red-6"]).play(2, "red-6")
        table.has(evidence=[])
