"""What a card on the pile may mean under house rules, without a server."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bench.rules.followed import follow
from referee.rules.actions import Accept, CallUno, Catch, Play, Swap
from referee.rules.codec import move_to_json
from referee.rules.engine import decide
from referee.rules.options import Options
from referee.rules.records.record import parse_record, replay
from referee.service.pile.inference import rank_hypotheses
from referee.service.pile.layers import Pile, Reading
from referee.service.pile.prior import prior_at
from referee.service.pile.seat_directions import learn_direction
from referee.service.pile.thresholds import Prior
from referee.service.pile.transitions import after_ruling
from referee.service.reconcile.act_on_pile import AcceptHypothesis, Ask, decide_first_waiting
from tests.rules.simulation import Simulation
from tests.service.situations import position, reading, situation, waiting, watched

HIT = "classic-108 7,5,7 3> respond red-draw-two laid=2:3 before=red stack=2"
ON_RED_7 = "classic-108 7,7,7 2> play red-7"
TO_SWAP = "classic-108 7,6,7 2> 2:swap red-7 laid=2:3 seven_zero=on"
SIDES = {1: 0.0, 2: 120.0, 3: 240.0}
DRAW_TWO = "blue-draw-two"


def known(pile: Pile) -> Pile:
    """A pile whose camera has seen three hands of each seat."""
    for seat, arm in SIDES.items():
        for swing in (-10.0, 0.0, 10.0):
            pile = learn_direction(pile, seat, Reading({"placed": 1.0}, arm=arm + swing))
    return pile


def decided(text: str, card: str, seat: int | None = None) -> Any:
    """What is decided about a card; ``seat``: its hand came from that side, and all are known."""
    state, seen = position(text), reading(**{card.replace("-", "_"): 0.9995})
    if seat is None:
        return decide_first_waiting(situation(state, watched(state, waiting(seen))))
    seen = replace(seen, arm=SIDES[seat])
    return decide_first_waiting(situation(state, known(watched(state, waiting(seen)))))


@pytest.mark.parametrize(
    ("text", "card", "seat", "moves"),
    [
        (f"{ON_RED_7} jump_in=on", "red-7", 1, (Play(1, "red-7"),)),
        (f"{ON_RED_7} jump_in=on", "red-7", 2, (Play(2, "red-7"),)),
        (f"{HIT} stacking=same", DRAW_TWO, 3, (Play(3, DRAW_TWO),)),
        (f"{HIT} stacking=any", "wild-draw-four", 3, (Play(3, "wild-draw-four"),)),
        (f"{HIT} stacking=same", DRAW_TWO, 1, (Accept(3), Play(1, DRAW_TWO))),
        (f"{HIT} stacking=same", "red-5", 1, (Accept(3), Play(1, "red-5"))),
        (f"{HIT} stacking=same", "red-5", None, (Accept(3), Play(1, "red-5"))),
    ],
)
def test_what_is_done_at_once(text: str, card: str, seat: int | None, moves: Any) -> None:
    found = decided(text, card, seat)
    assert isinstance(found, AcceptHypothesis)
    assert (found.hypothesis.kind, found.hypothesis.moves) == ("play", moves)


@pytest.mark.parametrize(
    ("text", "card", "seat", "likeliest"),
    [
        (f"{ON_RED_7} jump_in=on", "red-7", None, {(Play(s, "red-7"),) for s in (1, 2, 3)}),
        (
            f"{HIT} stacking=same",
            DRAW_TWO,
            None,
            {(Play(3, DRAW_TWO),), (Accept(3), Play(1, DRAW_TWO))},
        ),
        (
            f"{HIT} stacking=same jump_in=on",
            "red-draw-two",
            1,
            {(Play(1, "red-draw-two"),), (Accept(3), Play(1, "red-draw-two"))},
        ),
        (TO_SWAP, "red-5", 3, {(Swap(2, other), Play(3, "red-5")) for other in (1, 3)}),
    ],
)
def test_what_is_asked(text: str, card: str, seat: int | None, likeliest: Any) -> None:
    found = decided(text, card, seat)
    assert isinstance(found, Ask)
    assert {hypothesis.moves for hypothesis in found.hypotheses[: len(likeliest)]} == likeliest


@pytest.mark.parametrize(
    ("text", "card", "seat", "offered"),
    [
        (f"{ON_RED_7} jump_in=on", "red-5", 1, Play(1, "red-5")),
        (f"{HIT} stacking=same", "red-5", 3, Play(3, "red-5")),
    ],
)
def test_what_may_be_against_the_rules(text: str, card: str, seat: int, offered: Any) -> None:
    found = decided(text, card, seat)
    assert isinstance(found, Ask)
    assert (offered,) in {
        hypothesis.moves for hypothesis in found.hypotheses if hypothesis.kind == "illegal"
    }


def test_without_the_rules_there_is_neither_jump_in_nor_stack() -> None:
    out_of_turn = decided(ON_RED_7, "red-7", 1)
    assert isinstance(out_of_turn, Ask)
    assert "illegal" in {hypothesis.kind for hypothesis in out_of_turn.hypotheses}
    state = position(ON_RED_7)
    ranked = rank_hypotheses(
        state, watched(state, waiting(reading(red_7=0.9995))), Prior(), dealer=None
    )
    assert {one.moves[-1].seat for one in ranked if one.moves} == {2}


def test_a_swap_is_never_taken_to_be_the_likeliest() -> None:
    state = position(TO_SWAP)
    cards = [waiting(reading(red_5=0.9995)), waiting(reading(red_6=0.9995))]
    pile = watched(state, *cards, waiting(reading(red_8=0.9995)))
    assert isinstance(decide_first_waiting(situation(state, pile, prior=Prior(patience=0))), Ask)


def test_what_was_called_about_hands_that_moved_is_forgotten() -> None:
    state = position(TO_SWAP)
    words = [CallUno(3), Catch(1, 3), CallUno(1)]
    early = tuple({"entry": 9, "move": move_to_json(word)} for word in words)
    pile = replace(watched(state), early=early)
    swap = Swap(2, 3)
    after = after_ruling(pile, swap, decide(state, swap), 30, None, reported=True)
    assert [word["move"]["move"] for word in after.early] == ["uno"]
    assert after.early[0]["move"]["seat"] == 1


def test_a_table_s_house_rules_are_in_its_prior() -> None:
    usual = Prior()
    assert prior_at(usual, Options()) == usual
    drawing = prior_at(usual, Options(draw_until="playable"))
    assert 0 < drawing.implied < usual.implied
    assert 0 < drawing.kept < usual.kept
    assert drawing.certain == usual.certain


@pytest.mark.parametrize("silent", [True, False])
@pytest.mark.parametrize("sides", [True, False])
@pytest.mark.parametrize("seed", [4, 10])
def test_no_card_of_a_random_game_is_told_wrongly(seed: int, sides: bool, silent: bool) -> None:
    game = Simulation("classic-112", seed, house=("stacking", "jump_in", "seven_zero"))
    game.illegal_chance = 0.0
    game.play(80)
    steps = replay(parse_record(game.record))
    found = list(follow(steps, Prior(), Random(seed), sides=sides, silent=silent))
    jumps = Counter(card.outcome for card in found if card.kind == "jump-in")
    assert jumps["right" if sides else "asked"] >= 2
    assert {card.outcome for card in found} <= {"right", "asked"}
    asked = sum(card.outcome == "asked" for card in found if card.kind == "other card")
    assert asked <= len(found) / 10
