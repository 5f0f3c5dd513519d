"""Towers."""

import pytest

from referee.rules.position import events as ev
from tests.rules.builder import Table

TRAY = {"U": 0, "N": 0, "O": 0, "!": 0}


class TestTakingTowers:
    """tower.take, R22."""

    def test_the_icon_takes_the_tower(self) -> None:
        table = Table("power-grab").play(2, "red-3:U", rule="tower.take")
        table.has(powers={**TRAY, "U": 2})

    def test_from_another_player_in_any_color(self) -> None:
        table = Table("power-grab").play(2, "red-3:U").play(3, "blue-3:U")
        table.has(powers={**TRAY, "U": 3})

    def test_no_icon_and_no_illegal_play_take_one(self) -> None:
        table = Table("power-grab").illegal(2, "play", "match", card="blue-3:U")
        table.play(2, "red-3").has(powers=TRAY)

    def test_must_move_gives_it_once_it_is_moved(self) -> None:
        table = Table("power-grab", tower_claim="must-move").play(2, "red-3:U").has(powers=TRAY)
        table.illegal(3, "powers", "round.awaiting", powers=["U"])
        table.illegal(2, "powers", "round.awaiting", powers=["N"])
        table.legal(2, "powers", powers=["U"]).has(powers={**TRAY, "U": 2}, turn=3)
        table.illegal(2, "powers", "round.awaiting", powers=["U"])

    @pytest.mark.parametrize("move", ["draw", "play"])
    def test_must_move_lapses_when_the_next_player_acts(self, move: str) -> None:
        table = Table("power-grab", tower_claim="must-move").play(2, "red-3:U")
        table.legal(3, move, **({"card": "red-4"} if move == "play" else {}))
        table.illegal(2, "powers", "round.awaiting", powers=["U"]).has(powers=TRAY)

    def test_without_the_option_nothing_is_left_to_claim(self) -> None:
        table = Table("power-grab").play(2, "red-3:U")
        table.illegal(2, "powers", "round.awaiting", powers=["U"])


class TestTowersOfChoice:
    """card.take-two-towers, card.wild-take-tower, powers.choice, R21."""

    def test_up_to_two_at_once(self) -> None:
        table = Table("power-grab").holding(U=3)
        table.play(2, "red-take-two-towers", powers=["U", "O"], rule="card.take-two-towers")
        table.has(powers={"U": 2, "N": 0, "O": 2, "!": 0}, turn=3)

    def test_the_choice_may_follow(self) -> None:
        table = Table("power-grab").play(2, "red-take-two-towers").has(awaiting="2 powers", turn=2)
        table.illegal(3, "powers", "round.awaiting", powers=["U"])
        table.illegal(3, "play", "turn.order", card="red-1")
        table.legal(2, "powers", powers=["U"]).has(powers={**TRAY, "U": 2}, turn=3)

    @pytest.mark.parametrize("move", [("pass", {}), ("powers", {"powers": []})])
    def test_it_may_be_declined(self, move: tuple[str, dict[str, object]]) -> None:
        table = Table("power-grab").play(2, "red-take-two-towers").legal(2, move[0], **move[1])
        table.has(powers=TRAY, turn=3)

    def test_no_more_than_the_card_says(self) -> None:
        table = Table("power-grab")
        rule = "powers.choice"
        table.illegal(2, "play", rule, card="red-take-two-towers", powers=["U", "N", "O"])
        table.illegal(2, "play", rule, card="red-take-two-towers", powers=["U", "U"])
        table.illegal(2, "play", rule, card="wild-take-tower", color="red", powers=["U", "N"])
        table.illegal(2, "play", rule, card="red-3:U", powers=["N"])
        table.illegal(2, "play", rule, card="red-take-two-towers", powers=["red"])
        table.play(2, "red-take-two-towers").illegal(2, "powers", rule, powers=["U", "N", "O"])

    def test_none_that_is_held_already(self) -> None:
        table = Table("power-grab").holding(U=2)
        table.illegal(2, "play", "powers.choice", card="red-take-two-towers", powers=["U"])
        table.play(2, "wild-take-tower", color="red")
        table.illegal(2, "powers", "powers.choice", powers=["U"])
        table.legal(2, "powers", powers=["N"]).has(powers={**TRAY, "U": 2, "N": 2}, turn=3)

    def test_color_and_choice_in_either_order(self) -> None:
        table = Table("power-grab").play(2, "wild-take-tower")
        table.has(awaiting="2 color, 2 powers", color=None)
        table.legal(2, "powers", powers=["O"]).has(awaiting="2 color", turn=2)
        table.legal(2, "color", color="green").has(turn=3, color="green")
        table = Table("power-grab").play(2, "wild-take-tower").legal(2, "color", color="green")
        table.has(awaiting="2 powers", turn=2, color="green").legal(2, "pass").has(turn=3)

    def test_a_take_two_towers_needs_its_color_or_its_like(self) -> None:
        table = Table("power-grab")
        table.illegal(2, "play", "match", card="blue-take-two-towers")
        table.play(2, "red-take-two-towers", powers=[]).play(3, "blue-take-two-towers", powers=[])


PROTECTED = [
    ("U", "red-draw-one"),
    ("N", "red-draw-two"),
    ("O", "wild-draw-four"),
    ("X", "red-skip"),
]


class TestProtection:
    """tower.protect, R11, R15."""

    @pytest.mark.parametrize(("tower", "card"), PROTECTED)
    def test_the_holder_plays_on_as_if_nothing_was(self, tower: str, card: str) -> None:
        table = Table("power-grab").holding(**{tower: 3})
        table.lay(2, card).has(turn=3, hands=[7, 6, 7], awaiting="3 play", color="red")
        table.illegal(3, "challenge", "challenge").play(3, "red-1").has(turn=1)

    @pytest.mark.parametrize(("tower", "card"), PROTECTED)
    def test_not_by_another_tower_nor_for_another_seat(self, tower: str, card: str) -> None:
        awaited = "3 respond" if card == "wild-draw-four" else "1 play"
        others = {name: 3 for name, _ in PROTECTED if name != tower}
        for powers in (others, {tower: 1}):
            Table("power-grab").holding(**powers).lay(2, card).has(awaiting=awaited)

    def test_nothing_blocks_a_reverse(self) -> None:
        table = Table("power-grab").holding(U=3, N=3, O=3)
        table.play(2, "red-reverse").has(turn=1, direction="counterclockwise")

    @pytest.mark.parametrize(
        ("tower", "card", "drawn"),
        [("U", "red-draw-one", 1), ("N", "red-draw-two", 2), ("O", "wild-draw-four", 4)],
    )
    def test_on_a_last_card_too(self, tower: str, card: str, drawn: int) -> None:
        table = Table("power-grab").given(hands=[7, 1, 7]).holding(**{tower: 3}).play(2, card)
        table.has(round_winner=2, hands=[7, 0, 7])
        table = Table("power-grab").given(hands=[7, 1, 7]).play(2, card)
        table.has(round_winner=2, hands=[7, 0, 7 + drawn])


class TestAllFour:
    """tower.all-four, R16."""

    def test_all_cards_but_one_go_and_the_towers_too(self) -> None:
        table = Table("power-grab").holding(N=2, O=2, X=2).play(2, "red-3:U")
        table.has(hands=[7, 1, 7], powers=TRAY, discard_pile=7, top="red-3:U", turn=3, uno=[])
        moved = [event for event in table.events if isinstance(event, ev.PowerMoved)]
        assert [event.rule for event in moved] == [None, *["tower.all-four"] * 4]
        table.legal(3, "catch", accused=2).has(hands=[7, 3, 7])

    def test_uno_with_the_card(self) -> None:
        table = Table("power-grab").holding(N=2, O=2, X=2).play(2, "red-3:U", uno=True)
        table.has(uno=[2], hands=[7, 1, 7]).illegal(3, "catch", "uno.catch", accused=2)

    def test_three_towers_are_not_four(self) -> None:
        table = Table("power-grab").holding(N=2, O=2, X=3).play(2, "red-3:U")
        table.has(hands=[7, 6, 7], powers={"U": 2, "N": 2, "O": 2, "!": 3})

    def test_with_one_card_left_only_the_towers_go_back(self) -> None:
        table = Table("power-grab").given(hands=[7, 2, 7]).holding(N=2, O=2, X=2)
        table.play(2, "red-3:U", uno=True)
        table.has(hands=[7, 1, 7], powers=TRAY, discard_pile=2, uno=[2])
        assert table.state.owed == ()

    def test_with_one_card_left_the_call_is_owed_once(self) -> None:
        table = Table("power-grab").given(hands=[7, 2, 7]).holding(N=2, O=2, X=2)
        table.play(2, "red-3:U")
        assert table.state.owed == (2,)
        table.legal(2, "uno").has(uno=[2])

    def test_with_no_card_left_the_round_is_over(self) -> None:
        table = Table("power-grab").given(hands=[7, 1, 7]).holding(N=2, O=2, X=2)
        table.play(2, "red-3:U").has(round_winner=2, hands=[7, 0, 7])

    def test_through_two_towers_of_choice(self) -> None:
        table = Table("power-grab").holding(U=2, N=2)
        table.play(2, "red-take-two-towers", powers=["O", "!"], uno=True)
        table.has(hands=[7, 1, 7], powers=TRAY, uno=[2], turn=3)

    def test_through_a_wild_with_the_color_still_awaited(self) -> None:
        table = Table("power-grab").holding(U=2, N=2, O=2)
        table.play(2, "wild-take-tower", powers=["!"], uno=True)
        table.has(hands=[7, 1, 7], powers=TRAY, uno=[2], turn=2, awaiting="2 color")
        table.legal(2, "color", color="red").has(turn=3, hands=[7, 1, 7])

    def test_through_a_choice_that_follows(self) -> None:
        table = Table("power-grab").holding(U=2, N=2, O=2).play(2, "wild-take-tower", color="red")
        table.legal(2, "powers", powers=["!"]).has(hands=[7, 1, 7], powers=TRAY, turn=3, uno=[])
        table.legal(2, "uno").has(uno=[2])

    def test_once_moved_where_towers_must_be(self) -> None:
        table = Table("power-grab", tower_claim="must-move").holding(N=2, O=2, X=2)
        table.play(2, "red-3:U").has(hands=[7, 6, 7]).legal(2, "powers", powers=["U"])
        table.has(hands=[7, 1, 7], powers=TRAY, turn=3).legal(1, "catch", accused=2)

    def test_the_next_players_draw_two_still_works(self) -> None:
        table = Table("power-grab").holding(N=2, O=2, X=2).play(2, "red-3:U", uno=True)
        table.play(3, "red-draw-two").play(2, "red-4").has(hands=[9, 0, 6], round_winner=2)
