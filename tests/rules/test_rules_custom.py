"""Custom cards, the ten examples of the sheet and every effect."""

from typing import Any

import pytest

from referee.rules.custom import parse_custom_card
from referee.rules.rulings import RuleError
from tests.rules.builder import Table
from tests.rules.custom_cards import EXAMPLES


def table_with(*effects: dict[str, Any], seats: int = 3, **options: Any) -> Table:
    """A table where wild-custom-1 has these effects."""
    card = {"text": "as agreed", "effects": list(effects)}
    return Table("classic-112", seats=seats, custom_cards=[card], **options)


def example(number: int, seats: int = 3) -> Table:
    """A table with one of the ten examples, numbered as on the sheet."""
    return Table("classic-112", seats=seats, custom_cards=[EXAMPLES[number - 1]])


def lay(table: Table, seat: int = 2, color: str | None = "blue", **fields: Any) -> Table:
    named = {"color": color} if color else {}
    return table.play(seat, "wild-custom-1", rule="card.wild-custom", **named, **fields)


class TestExamples:
    def test_1_next_draws_until_a_color_comes(self) -> None:
        table = lay(example(1)).has(turn=2, awaiting="3 report", color="blue")
        table.illegal(2, "report", "round.awaiting", drawn=3)
        table.illegal(3, "report", "card.wild-custom", drawn=0)
        table.illegal(3, "report", "card.wild-custom", drawn=100)
        table.illegal(3, "play", "turn.order", card="blue-1")
        table.legal(3, "report", drawn=5).has(hands=[7, 6, 12], turn=3, awaiting="3 play")
        table.illegal(3, "report", "round.awaiting", drawn=1)

    def test_2_the_others_discard_their_wilds(self) -> None:
        table = lay(example(2)).has(awaiting="1 discard, 3 discard", turn=2)
        table.illegal(3, "discard", "card.wild-custom", cards=["red-1"])
        table.illegal(3, "discard", "hand.count", count=8)
        table.illegal(3, "discard", "deck.unknown", cards=["wild-tales"])
        table.illegal(3, "discard", "deck.count", cards=["wild-custom-1"])
        table.illegal(2, "discard", "round.awaiting", count=0)
        table.legal(3, "discard", cards=["wild", "wild-draw-four"]).has(awaiting="1 discard")
        table.legal(1, "discard", count=0)
        table.has(turn=3, hands=[7, 6, 5], discard_pile=4, top="wild-custom-1", color="blue")

    def test_3_three_cards_if_the_next_cannot_play(self) -> None:
        table = lay(example(3)).has(turn=3, hands=[7, 6, 7]).legal(3, "draw")
        table.has(hands=[7, 6, 10], awaiting="3 drawn").play(3, "blue-1").has(turn=1)
        table.legal(1, "draw").has(hands=[8, 6, 9])
        table.legal(1, "pass").play(2, "blue-2").legal(3, "draw").has(hands=[8, 5, 10])

    def test_3_ends_with_the_turn_that_was_played(self) -> None:
        table = lay(example(3)).play(3, "blue-1").play(1, "blue-2").play(2, "blue-3")
        table.legal(3, "draw").has(hands=[6, 5, 7])

    def test_4_an_extra_turn(self) -> None:
        table = lay(example(4)).has(turn=2, awaiting="2 play", color="blue")
        table.illegal(3, "draw", "turn.order").play(2, "blue-1").has(turn=3)

    @pytest.mark.parametrize("held", [3, 7, 9])
    def test_5_next_has_seven(self, held: int) -> None:
        table = lay(example(5).given(hands=[7, 7, held]))
        table.has(hands=[7, 6, 7], turn=3, discard_pile=2 + max(0, held - 7))

    def test_6_all_have_three(self) -> None:
        table = lay(example(6).given(hands=[1, 3, 9])).has(hands=[3, 3, 3], turn=3)
        table.has(discard_pile=2 + 6, uno=[])

    def test_7_open_hands_until_the_players_next_turn(self) -> None:
        table = lay(example(7)).has(open_hands=[1, 2, 3]).play(3, "blue-1")
        table.has(open_hands=[1, 2, 3]).play(1, "blue-2").has(open_hands=[], turn=2)

    def test_8_a_dare_for_oneself(self) -> None:
        table = lay(example(8)).has(turn=2, awaiting="1 judge, 3 judge")
        table.illegal(2, "judge", "round.awaiting", passed=True)
        table.legal(1, "judge", passed=True).has(hands=[7, 1, 7], turn=3, uno=[])
        table.illegal(3, "judge", "round.awaiting", passed=False)
        table.legal(2, "uno").has(uno=[2])
        table = lay(example(8)).legal(3, "judge", passed=False).has(hands=[7, 10, 7], turn=3)

    def test_8_whoever_forgets_the_call_is_caught(self) -> None:
        table = lay(example(8)).legal(1, "judge", passed=True).legal(3, "catch", accused=2)
        table.has(hands=[7, 3, 7])

    def test_9_a_ban_until_somebody_calls(self) -> None:
        table = lay(example(9)).has(turn=3)
        assert [notice.text for notice in table.state.notices] == ["No bending of elbows."]
        table.legal(1, "uno").has(uno=[], turn=3)
        assert table.state.notices == ()

    def test_9_ends_with_a_call_by_whoever_has_called_before(self) -> None:
        table = lay(example(9).given(hands=[1, 7, 7], uno=(1,)))
        assert table.legal(1, "uno").state.notices == ()

    def test_9_ends_with_a_call_that_comes_with_a_card(self) -> None:
        table = lay(example(9)).play(3, "blue-1", uno=True).has(uno=[], hands=[7, 6, 6])
        assert table.state.notices == ()

    def test_10_a_dare_for_the_next_player(self) -> None:
        table = lay(example(10)).has(awaiting="1 judge, 2 judge")
        table.illegal(3, "judge", "round.awaiting", passed=True)
        table.legal(2, "judge", passed=False).has(hands=[7, 6, 11], turn=3)
        lay(example(10)).legal(1, "judge", passed=True).has(hands=[7, 6, 7], turn=3)


class TestEffects:
    @pytest.mark.parametrize(
        ("who", "hands"),
        [("self", [7, 8, 7]), ("next", [7, 6, 9]), ("others", [9, 6, 9]), ("all", [9, 8, 9])],
    )
    def test_draw(self, who: str, hands: list[int]) -> None:
        lay(table_with({"effect": "draw", "who": who, "count": 2})).has(hands=hands, turn=3)

    def test_next_follows_the_direction(self) -> None:
        table = table_with({"effect": "draw", "who": "next", "count": 2}).given(direction=-1)
        lay(table).has(hands=[9, 6, 7], turn=1)

    def test_effects_wait_for_the_color(self) -> None:
        table = lay(table_with({"effect": "draw", "who": "next", "count": 2}), color=None)
        table.has(hands=[7, 6, 7], awaiting="2 color").legal(2, "color", color="red")
        table.has(hands=[7, 6, 9], turn=3, color="red")

    def test_one_after_another(self) -> None:
        table = lay(
            table_with(
                {"effect": "draw_until_color", "who": "all", "color": "red"},
                {"effect": "hand_size", "who": "others", "count": 5},
                {"effect": "extra_turn"},
            )
        )
        table.has(awaiting="1 report, 2 report, 3 report")
        table.legal(3, "report", drawn=1).legal(1, "report", drawn=2).has(hands=[9, 6, 8], turn=2)
        table.legal(2, "report", drawn=1).has(hands=[5, 7, 5], turn=2, awaiting="2 play")

    def test_a_pile_runs_out_in_playing_order_from_the_player(self) -> None:
        table = table_with({"effect": "draw", "who": "all", "count": 2})
        table.given(draw_pile=3, discard_pile=1)
        # two and one, then the one card under the top
        lay(table).has(hands=[7, 8, 9], draw_pile=0)

    def test_all_wilds_gone_leaves_one_card_to_call(self) -> None:
        table = table_with({"effect": "discard_wilds", "who": "others"}).given(hands=[2, 7, 7])
        lay(table).legal(1, "discard", cards=["wild"]).legal(3, "pass").has(hands=[1, 6, 7])
        table.legal(2, "catch", accused=1).has(hands=[3, 6, 7])

    def test_all_wilds_gone_may_be_the_end(self) -> None:
        table = table_with({"effect": "discard_wilds", "who": "others"}).given(hands=[2, 7, 7])
        lay(table).legal(1, "discard", cards=["wild", "wild"])
        table.has(round_winner=1, turn=None, awaiting="2 reveal, 3 reveal")

    @pytest.mark.parametrize(
        ("who", "winner", "hands"),
        [("all", 2, [7, 0, 7]), ("others", 3, [7, 6, 0]), ("self", 2, [7, 0, 7])],
    )
    def test_a_hand_of_none_is_out_at_once(self, who: str, winner: int, hands: list[int]) -> None:
        table = lay(
            table_with(
                {"effect": "hand_size", "who": who, "count": 0},
                {"effect": "draw", "who": "all", "count": 1},
            )
        )
        waiting = ", ".join(f"{s} reveal" for s, n in enumerate(hands, 1) if n)
        table.has(round_winner=winner, hands=hands, awaiting=waiting)

    def test_a_hand_of_one_needs_the_call(self) -> None:
        table = table_with({"effect": "hand_size", "who": "all", "count": 1})
        lay(table.given(hands=[1, 5, 7], uno=[1])).has(hands=[1, 1, 1], uno=[1])
        table.illegal(2, "catch", "uno.catch", accused=1).legal(3, "uno").has(uno=[1, 3])
        table.legal(3, "catch", accused=2).has(hands=[1, 3, 1])

    def test_the_call_with_the_card_counts(self) -> None:
        table = table_with({"effect": "hand_size", "who": "self", "count": 1})
        lay(table, uno=True).has(hands=[7, 1, 7], uno=[2])

    def test_a_card_drawn_at_once_needs_no_call(self) -> None:
        table = table_with({"effect": "draw", "who": "self", "count": 1}).given(hands=[7, 2, 7])
        lay(table, uno=True).has(hands=[7, 2, 7], uno=[])
        table.illegal(3, "catch", "uno.catch", accused=2)

    def test_a_dare_for_all_is_judged_by_anybody(self) -> None:
        dare = {"effect": "dare", "who": "all", "text": "sing", "passed": [], "failed": []}
        lay(table_with(dare)).has(awaiting="1 judge, 2 judge, 3 judge")

    def test_what_a_dare_brings_may_have_to_be_answered(self) -> None:
        until = {"effect": "draw_until_color", "who": "next", "color": "red"}
        dare = {"effect": "dare", "who": "next", "text": "sing", "failed": [until]}
        table = lay(table_with(dare, {"effect": "extra_turn"}))
        table.legal(1, "judge", passed=False).has(awaiting="3 report", turn=2)
        table.legal(3, "report", drawn=2).has(turn=2, hands=[7, 6, 9], awaiting="2 play")

    def test_an_extra_turn_is_not_lost_while_the_table_answers(self) -> None:
        until = {"effect": "draw_until_color", "who": "next", "color": "red"}
        extra = {"effect": "extra_turn"}
        table = lay(table_with(extra, extra, until)).has(awaiting="3 report", turn=2)
        table.legal(3, "report", drawn=2).has(turn=2, hands=[7, 6, 9], awaiting="2 play")

    def test_an_extra_turn_ends_open_hands(self) -> None:
        table = table_with({"effect": "open_hand", "who": "next"}, {"effect": "extra_turn"})
        lay(table).has(turn=2, open_hands=[])

    def test_a_text_is_shown(self) -> None:
        table = lay(table_with({"effect": "text", "text": "all change seats"})).has(turn=3)
        assert [notice.text for notice in table.state.notices] == ["all change seats"]

    def test_a_text_is_shown_until_its_players_next_turn(self) -> None:
        table = lay(table_with({"effect": "text", "text": "all change seats"})).play(3, "blue-1")
        assert len(table.state.notices) == 1
        assert table.play(1, "blue-2").state.turn == 2
        assert table.state.notices == ()

    def test_an_extra_turn_leaves_a_text_in_place(self) -> None:
        """Whichever stands first on the card, it is read by the others, not by nobody."""
        text, again = {"effect": "text", "text": "all sing"}, {"effect": "extra_turn"}
        for effects in ((text, again), (again, text)):
            table = lay(table_with(*effects)).has(turn=2)
            assert [notice.text for notice in table.state.notices] == ["all sing"]
            table.play(2, "blue-1").has(turn=3)
            assert len(table.state.notices) == 1
            assert table.play(3, "blue-2").has(turn=1).state.notices == ()

    def test_a_dare_is_shown_until_it_is_judged(self) -> None:
        table = lay(example(8))
        assert len(table.state.notices) == 1
        assert table.legal(1, "judge", passed=False).state.notices == ()

    def test_the_text_of_somebody_who_leaves_goes_too(self) -> None:
        table = lay(table_with({"effect": "text", "text": "all change seats"}))
        assert table.legal(2, "leave").state.notices == ()

    def test_a_call_with_a_zero_ends_a_ban(self) -> None:
        ban = {"effect": "ban", "who": "all", "text": "no elbows"}
        table = lay(table_with(ban, seven_zero="on"), color="red")
        assert table.state.notices
        assert table.play(3, "red-0", uno=True).state.notices == ()

    def test_an_early_call_counts_after_a_dare(self) -> None:
        one = {"effect": "hand_size", "who": "self", "count": 1}
        dare = {"effect": "dare", "who": "self", "text": "x", "passed": [one]}
        table = lay(table_with(dare).legal(2, "uno"), color="red")
        table.legal(1, "judge", passed=True).has(uno=[2], hands=[7, 1, 7], turn=3)

    def test_a_ban_stays_while_nobody_calls(self) -> None:
        table = lay(table_with({"effect": "ban", "who": "all", "text": "no talking"}))
        table.play(3, "blue-1").legal(1, "draw")
        assert len(table.state.notices) == 1

    def test_a_late_draw_waits_for_a_skipped_player(self) -> None:
        effects = ({"effect": "draw_if_cannot_play", "who": "next", "count": 3},)
        table = lay(table_with(*effects, {"effect": "extra_turn"})).play(2, "blue-skip")
        table.play(1, "blue-1").play(2, "blue-2").legal(3, "draw").has(hands=[6, 4, 10])

    def test_going_out_on_it_wins_without_effects(self) -> None:
        table = table_with({"effect": "draw", "who": "all", "count": 2}).given(hands=[7, 1, 7])
        lay(table, color=None).has(round_winner=2, hands=[7, 0, 7])

    def test_with_no_effects_it_is_a_wild(self) -> None:
        lay(table_with()).has(turn=3, color="blue")

    def test_for_two(self) -> None:
        table = lay(table_with({"effect": "draw", "who": "others", "count": 2}, seats=2))
        table.has(hands=[9, 6], turn=1)


class TestCards:
    def test_only_as_many_as_the_table_put_in(self) -> None:
        table = table_with()
        table.illegal(2, "play", "deck.unknown", card="wild-custom-2", color="red")
        Table("classic-112").illegal(2, "play", "deck.unknown", card="wild-custom-1")
        table.play(2, "wild-custom-1", color="red")
        table.illegal(3, "play", "deck.count", card="wild-custom-1", color="red")

    @pytest.mark.parametrize(
        "cards",
        [
            [{"text": "x"}] * 4,
            [{"effects": []}],
            [{"text": "x", "effects": [{"effect": "fly"}]}],
            [{"text": "x", "effects": [{"effect": "draw", "who": "nobody", "count": 1}]}],
            [{"text": "x", "effects": [{"effect": "draw", "who": "self", "count": -1}]}],
            [{"text": "x", "effects": [{"effect": "extra_turn", "who": "self"}]}],
            [{"text": "x", "effects": [{"effect": "draw_until_color", "who": "all"}]}],
        ],
    )
    def test_a_card_that_makes_no_sense(self, cards: list[dict[str, Any]]) -> None:
        with pytest.raises(RuleError) as error:
            Table("classic-112", custom_cards=cards)
        assert error.value.rule == "card.wild-custom"
        assert error.value.field.startswith("options.custom_cards")

    def test_its_texts_are_those_that_its_effects_announce(self) -> None:
        ban = {"effect": "ban", "who": "next", "text": "No talking"}
        sing = {"effect": "dare", "who": "next", "text": "Sing", "passed": [ban], "failed": []}
        effects = [sing, {"effect": "text", "text": "Cheers"}, {"effect": "extra_turn"}]
        card = parse_custom_card({"text": "as agreed", "effects": effects}, "card")
        assert card.announced_texts() == {"Sing", "No talking", "Cheers"}
