"""Evidence: what later cards prove of an earlier move."""

import pytest

from tests.rules.builder import RULESETS, Table

FOUR = "card.wild-draw-four"


@pytest.mark.parametrize("ruleset", RULESETS)
class TestWildDrawFour:
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

    def test_a_last_one_claims_nothing(self, ruleset: str) -> None:
        table = Table(ruleset, scoring="winner").given(hands=[1, 1, 1]).play(2, "wild-draw-four")
        assert not table.state.ledgers


class TestGifts:
    """R57 and R59: what openly given cards explain, and that all red ones are given."""

    def test_a_swap_ends_what_is_known(self) -> None:
        table = Table("color-powers", seven_zero="on").holding(red=1).given(hands=[7, 3, 2])
        table.legal(1, "give", to=2, cards=["red-5"]).play(2, "red-7", swap_with=3)
        table.play(3, "red-1").play(1, "red-2").play(2, "red-3").play(3, "red-4")
        assert not any(table.state.gifts.values())
