"""The turn, matching, drawing, the reshuffle."""

from typing import Any

import pytest

from tests.rules.builder import RULESETS, Table


@pytest.mark.parametrize("ruleset", RULESETS)
def test_only_the_seat_on_turn_plays_draws_or_passes(ruleset: str) -> None:
    table = Table(ruleset)
    for seat in (1, 3):
        table.illegal(seat, "play", "turn.order", card="red-3")
        table.illegal(seat, "draw", "turn.order")
        table.illegal(seat, "pass", "turn.order")
    table.play(2, "red-3", rule="match").has(turn=3, hands=[7, 6, 7], top="red-3", discard_pile=2)
    table.illegal(2, "play", "turn.order", card="red-4")


MATCHES = [
    ("red-7", "red-3"),
    ("red-7", "red-draw-two"),
    ("red-7", "blue-7"),
    ("red-skip", "blue-skip"),
    ("red-reverse", "green-reverse"),
    ("red-draw-two", "yellow-draw-two"),
]
CLASHES = [
    ("red-7", "blue-3"),
    ("red-7", "blue-draw-two"),
    ("red-skip", "blue-reverse"),
    ("red-draw-two", "blue-2"),
    ("red-2", "blue-draw-two"),
]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("top", "card"), MATCHES)
def test_color_number_or_symbol_matches(ruleset: str, top: str, card: str) -> None:
    table = Table(ruleset).given(top=top, color="red")
    table.play(2, card).has(top=card, color=card.split("-")[0])


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("top", "card"), CLASHES)
def test_anything_else_clashes(ruleset: str, top: str, card: str) -> None:
    Table(ruleset).given(top=top, color="red").illegal(2, "play", "match", card=card)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_after_a_wild_the_named_color_matches(ruleset: str) -> None:
    table = Table(ruleset).given(top="wild-draw-four", color="green")
    table.illegal(2, "play", "match", card="red-7")
    table.play(2, "green-7")


@pytest.mark.parametrize("symbol", ["draw-one", "take-two-towers"])
def test_power_grab_symbols(symbol: str) -> None:
    table = Table("power-grab").given(top=f"red-{symbol}", color="red", opening=False)
    table.illegal(2, "play", "match", card="blue-2")
    table.illegal(2, "play", "match", card="blue-draw-two").play(2, f"blue-{symbol}")


def test_icons_never_match_each_other() -> None:
    table = Table("power-grab", "red-7:U")
    table.illegal(2, "play", "match.icon", card="blue-3:U")
    table.illegal(2, "play", "match", card="blue-3:N")
    table.play(2, "blue-7:U").has(color="blue")


def test_a_card_with_an_icon_matches_its_own_color_and_number() -> None:
    Table("power-grab", "red-7:U").play(2, "red-3:U").play(3, "green-3")


@pytest.mark.parametrize("ruleset", RULESETS)
class TestDraw:
    def test_one_card_and_then_play_or_pass(self, ruleset: str) -> None:
        table = Table(ruleset)
        pile = table.state.draw_pile
        table.illegal(2, "pass", "draw")
        table.legal(2, "draw", rule="draw").has(
            hands=[7, 8, 7], draw_pile=pile - 1, turn=2, awaiting="2 drawn"
        )
        table.illegal(2, "draw", "draw").illegal(2, "play", "match", card="blue-3")
        table.legal(2, "pass").has(turn=3, awaiting="3 play")

    def test_the_card_drawn_may_be_played(self, ruleset: str) -> None:
        table = Table(ruleset).legal(2, "draw").play(2, "red-3")
        table.has(hands=[7, 7, 7], turn=3).illegal(2, "pass", "turn.order")

    def test_drawing_waits_for_the_color(self, ruleset: str) -> None:
        table = Table(ruleset).play(2, "wild-draw-four").has(awaiting="2 color", turn=2, color=None)
        table.illegal(2, "draw", "round.awaiting").illegal(3, "draw", "turn.order")
        table.illegal(2, "play", "round.awaiting", card="red-1")

    def test_the_last_card_drawn_brings_the_reshuffle(self, ruleset: str) -> None:
        table = Table(ruleset).play(2, "red-3").play(3, "red-4").given(draw_pile=1)
        table.legal(1, "draw").has(draw_pile=2, discard_pile=1, top="red-4", color="red")

    def test_nothing_left_to_draw_passes_the_turn(self, ruleset: str) -> None:
        table = Table(ruleset).given(draw_pile=0, discard_pile=1)
        table.legal(2, "draw").has(turn=3, hands=[7, 7, 7], draw_pile=0, awaiting="3 play")
        table.play(3, "red-3").legal(1, "draw").has(turn=1, hands=[8, 7, 6], draw_pile=0)

    def test_a_penalty_takes_what_there_is(self, ruleset: str) -> None:
        table = Table(ruleset).given(draw_pile=1, discard_pile=1)
        table.play(2, "red-draw-two").has(hands=[7, 6, 9], draw_pile=0, discard_pile=1, turn=1)
        table = Table(ruleset).given(draw_pile=0, discard_pile=1)
        table.play(2, "red-draw-two").has(hands=[7, 6, 8], draw_pile=0, discard_pile=1, turn=1)


def test_a_penalty_goes_on_after_the_reshuffle() -> None:
    table = Table("classic-112").play(2, "red-3").play(3, "red-4").given(draw_pile=1)
    table.play(1, "red-draw-two").has(hands=[6, 8, 6], draw_pile=2, discard_pile=1)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_drawing_with_a_playable_card_is_settled_by_evidence_alone(ruleset: str) -> None:
    table = Table(ruleset).legal(2, "draw").legal(2, "pass").legal(3, "draw").legal(3, "pass")
    table.legal(1, "draw").legal(1, "pass").play(2, "red-1").legal(3, "draw").legal(3, "pass")
    table.legal(1, "draw").legal(1, "pass").play(2, "red-2")
    proofs = [{"seat": 2, "move": 1, "rule": "draw.forced"}] if ruleset == "classic-108" else []
    table.has(evidence=proofs)


class TestIdenticalCards:
    """house.identical, off by default."""

    @pytest.mark.parametrize(
        ("agreed", "moves", "card"),
        [
            (False, [(2, "play", "red-3")], "red-3"),
            (True, [(2, "play", "red-3"), (3, "play", "red-4")], "red-3"),
            (True, [(2, "play", "red-3"), (3, "draw", None)], "red-3"),
            (True, [(2, "play", "red-3"), (2, "pass", None)], "red-3"),
            (True, [(2, "play", "red-draw-two")], "red-draw-two"),
        ],
        ids=["off by default", "next play", "draw", "declined", "not a number"],
    )
    def test_when_no_twin_may_follow(self, agreed: bool, moves: list[Any], card: str) -> None:
        table = Table("classic-108", identical_cards=agreed)
        for seat, move, laid in moves:
            table.legal(seat, move, **({"card": laid} if laid else {}))
        table.illegal(2, "play", "turn.order", card=card)

    def test_the_twin_may_follow_until_the_next_player_acts(self) -> None:
        table = Table("classic-108", identical_cards=True).play(2, "red-3")
        table.illegal(2, "play", "turn.order", card="red-4")
        table.illegal(2, "play", "turn.order", card="blue-3")
        table.illegal(3, "play", "match", card="blue-4")
        table.play(2, "red-3").has(turn=3, hands=[7, 5, 7])
        table.illegal(2, "play", "turn.order", card="red-3")

    def test_the_twin_may_be_the_last_card(self) -> None:
        table = Table("classic-108", identical_cards=True).given(hands=[7, 2, 7])
        table.play(2, "red-3").play(2, "red-3").has(round_winner=2, awaiting="1 reveal, 3 reveal")
