"""The list of legal moves: counted by hand, and to a depth of some moves (perft)."""

import pytest

from referee.rules import actions as act
from referee.rules.engine import decide
from referee.rules.legal import choices, offered_actions
from referee.rules.position.state import State
from tests.rules.builder import Table, legal_actions


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of legal moves of this length."""
    actions = legal_actions(state)
    if depth == 1:
        return len(actions)
    return sum(perft(decide(state, action).state, depth - 1) for action in actions)


def test_the_first_move_of_a_classic_round() -> None:
    # on red-7: red 0-9 and three actions, the other sevens, two wilds with four colours or none
    moves = legal_actions(Table("classic-108").state)
    assert len(moves) == 13 + 3 + 2 * 5 + 1
    assert act.Draw(2) in moves
    assert act.Play(2, "wild") in moves
    assert act.Play(2, "wild", "red") in moves
    assert act.Pass(2) not in moves


def test_nothing_is_legal_between_rounds() -> None:
    table = Table("classic-108").given(hands=[7, 1, 7]).play(2, "red-3")
    assert legal_actions(table.state) == []


def test_towers_and_colors_of_a_wild() -> None:
    moves = legal_actions(Table("power-grab").holding(U=2).state)
    wilds = [m for m in moves if isinstance(m, act.Play) and m.card == "wild-take-tower"]
    # any colour or none yet; one of three towers, no tower, or no word of it yet
    assert len(wilds) == 5 * 5
    pairs = [m for m in moves if isinstance(m, act.Play) and m.card == "red-take-two-towers"]
    assert len(pairs) == 1 + 1 + 3 + 3


def test_what_is_awaited() -> None:
    table = Table("classic-112").play(2, "wild-draw-four", color="red")
    assert legal_actions(table.state) == [act.Accept(3), act.Challenge(3)]
    assert legal_actions(table.legal(3, "challenge").state) == []
    table = Table("classic-112").play(2, "wild")
    assert legal_actions(table.state) == [
        act.NameColor(2, color) for color in ("red", "yellow", "green", "blue")
    ]
    table = Table("moomin").given(hands=[7, 3, 1]).play(2, "wild-tales", color="red")
    assert legal_actions(table.state) == [
        act.Pass(1),
        act.Discard(1, count=1),
        act.Pass(2),
        act.CallUno(2),
        act.Discard(2, count=1),
        act.Discard(3, count=1),
    ]


def test_calls_and_catches() -> None:
    table = Table("classic-112").given(hands=[7, 2, 7]).play(2, "red-3")
    moves = legal_actions(table.state)
    assert [m for m in moves if isinstance(m, act.Catch)] == [act.Catch(1, 2), act.Catch(3, 2)]
    assert [m for m in moves if isinstance(m, act.CallUno)] == [act.CallUno(2)]
    moves = legal_actions(table.legal(2, "uno").state)
    assert not [m for m in moves if isinstance(m, act.Catch)]


def test_nothing_offered_tells_who_has_not_called() -> None:
    table = Table("classic-112").given(hands=[7, 2, 7]).play(2, "red-3")
    forgot = offered_actions(table.state)
    assert [m for m in forgot if isinstance(m, act.Catch)] == [act.Catch(1, 2), act.Catch(3, 2)]
    called = table.legal(2, "uno").state
    assert offered_actions(called) == forgot
    for seat in (1, 3):
        assert choices(called, seat) == choices(table.state, seat)
    begun = Table("classic-112").given(hands=[7, 2, 7]).play(2, "red-3").play(3, "red-4")
    assert act.Catch(1, 2) in offered_actions(begun.state)
    assert act.Catch(1, 2) not in legal_actions(begun.state)


def test_a_challenge_says_whose_card_it_is_and_what_was_to_be_matched() -> None:
    table = Table("classic-112").play(2, "wild-draw-four", color="blue")
    (choice,) = [one for one in choices(table.state, 3) if one.kind == "challenge"]
    assert (choice.by, choice.color) == (2, "red")


def test_a_call_is_offered_once() -> None:
    early = Table("classic-112").given(hands=[7, 2, 7])
    assert "uno" in [choice.kind for choice in choices(early.state, 2)]
    assert "uno" not in [one.kind for one in choices(early.legal(2, "uno").state, 2)]
    late = Table("classic-112").given(hands=[7, 2, 7]).play(2, "red-3")
    assert [one.kind for one in choices(late.state, 2)] == ["uno"]
    assert choices(late.legal(2, "uno").state, 2) == []


def test_a_call_that_ends_a_ban_is_offered_to_whoever_has_called() -> None:
    ban = {"effect": "ban", "who": "all", "text": "no talking"}
    table = Table("classic-112", custom_cards=[{"text": "x", "effects": [ban]}])
    table = table.given(hands=[7, 2, 7]).play(2, "red-3", uno=True)
    assert choices(table.state, 2) == []
    table.play(3, "wild-custom-1", color="blue")
    assert [choice.kind for choice in choices(table.state, 2)] == ["uno"]


def test_reports_and_judges() -> None:
    until_red = {"effect": "draw_until_color", "who": "next", "color": "red"}
    dare = {"effect": "dare", "who": "self", "text": "x"}
    cards = [{"text": "x", "effects": [effect]} for effect in (until_red, dare)]
    table = Table("classic-112", custom_cards=cards).given(draw_pile=4, discard_pile=2)
    table.play(2, "wild-custom-1", color="red")
    assert legal_actions(table.state) == [act.Report(3, drawn) for drawn in range(1, 7)]
    table = Table("classic-112", custom_cards=cards).play(2, "wild-custom-2", color="red")
    assert legal_actions(table.state) == [
        act.Judge(seat, passed) for seat in (1, 3) for passed in (True, False)
    ]


def test_the_power_of_red_says_what_may_be_given() -> None:
    table = Table("color-powers").holding(red=1, yellow=2)
    gift = next(choice for choice in choices(table.state, 1) if choice.kind == "give")
    assert gift.to == (3,)
    # Characters name a colour and have none.
    numbers = {f"red-{number}" for number in range(1, 10)}
    assert set(gift.cards) == numbers | {"red-draw-two", "red-reverse", "red-skip"}


PERFT = [
    ("classic-108", "red-7", 2, [27, 569]),
    ("classic-112", "wild", 2, [4, 116, 2704]),
    ("moomin", "red-7", 2, [32, 694]),
    ("power-grab", "red-7:U", 2, [112]),
    ("power-grab", "red-take-two-towers", 3, [85, 6882]),
    ("color-powers", "red-7", 2, [71, 3663]),
]


@pytest.mark.parametrize(("ruleset", "opening", "seats", "counts"), PERFT)
def test_perft(ruleset: str, opening: str, seats: int, counts: list[int]) -> None:
    state = Table(ruleset, opening, seats=seats).state
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts
