"""house.timer: what follows for the game when the time of a turn is up."""

import pytest

from referee.rules import actions as act
from referee.rules.engine import decide, new_game, open_round
from referee.rules.position.state import State
from referee.rules.records.record import parse_record, replay
from referee.rules.ruleset import rulesets

RULE = "house.timer"


def opened(deck: str = "classic-112", opening: str = "red-7", **options: object) -> State:
    state = new_game(deck, options, ("Ann", "Bo", "Cy"))
    return open_round(state, 1, (opening,))[0]


def played(state: State, *actions: act.Action) -> State:
    for action in actions:
        decision = decide(state, action)
        assert decision.ruling.legal, (action, decision.ruling)
        state = decision.state
    return state


@pytest.mark.parametrize("deck", sorted(rulesets()))
def test_one_card_is_drawn_and_the_turn_is_over(deck: str) -> None:
    state = opened(deck, "red-5")
    seat = state.turn
    decision = decide(state, act.TimeUp(seat))
    assert (decision.ruling.verdict, decision.ruling.rule) == ("legal", RULE)
    after = decision.state
    assert after.hands[seat - 1] == state.hands[seat - 1] + 1
    assert after.draw_pile == state.draw_pile - 1
    assert after.turn == state.seat_after(seat)
    assert after.awaiting == ((after.turn, "play"),)


def test_who_has_drawn_keeps_the_card() -> None:
    state = played(opened(), act.Draw(2))
    after = played(state, act.TimeUp(2))
    assert (after.hands, after.turn) == (state.hands, 3)


def test_one_card_also_where_one_draws_until_one_can_play() -> None:
    after = played(opened(draw_until="playable"), act.TimeUp(2))
    assert (after.hands[1], after.turn) == (8, 3)


@pytest.mark.parametrize(("stacking", "count"), [("off", 4), ("any", 4)])
def test_who_is_hit_accepts(stacking: str, count: int) -> None:
    state = played(opened(stacking=stacking), act.Play(2, "wild-draw-four", "blue"))
    after = played(state, act.TimeUp(3))
    assert (after.hands[2], after.turn, after.stack) == (7 + count, 1, 0)


def test_it_claims_nothing_about_the_hand() -> None:
    state = opened(forced_play="any")
    timed, drew = played(state, act.TimeUp(2)), played(state, act.Draw(2), act.Pass(2))
    assert 2 in drew.ledgers
    assert 2 not in timed.ledgers
    # A card that fitted all along proves nothing.
    after = played(timed, act.TimeUp(3), act.TimeUp(1), act.Play(2, "red-1"))
    assert after.evidence == ()


def test_an_early_call_of_uno_lapses() -> None:
    state = played(opened(hand_size=2), act.CallUno(2))
    assert state.early_calls == (2,)
    assert played(state, act.TimeUp(2)).early_calls == ()


def test_it_is_ruled_on_like_any_move() -> None:
    state = opened()
    assert decide(state, act.TimeUp(3)).ruling.rule == "turn.order"
    wild = played(state, act.Play(2, "wild"))
    ruling = decide(wild, act.TimeUp(2)).ruling
    assert (ruling.verdict, ruling.rule) == ("illegal", "round.awaiting")
    before = new_game("moomin", {}, ("Ann", "Bo"))
    assert decide(before, act.TimeUp(1)).ruling.rule == "round.over"


def test_a_record_has_it_as_a_move() -> None:
    moves = [{"seat": 2, "move": "timeout", "expect": {"turn": 3, "hands": [7, 8, 7]}}]
    record = {
        "format": "referee-record/1",
        "ruleset": "classic-108",
        "seats": ["Ann", "Bo", "Cy"],
        "rounds": [{"dealer": 1, "opening": ["red-7"], "moves": moves}],
    }
    assert all(not step.mismatches for step in replay(parse_record(record)))
