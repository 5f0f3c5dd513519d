"""The notation of positions, moves and events: written, read back, and refused."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules import actions as act
from referee.rules.engine import decide, new_game, open_round
from referee.rules.move_fields import FieldError
from referee.rules.notation import (
    NotationError,
    event_to_text,
    move_from_text,
    move_to_text,
    position_from_text,
    position_to_text,
)
from referee.rules.notation.events import WRITE
from referee.rules.position import events as ev
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.rules.records.record import parse_record, replay
from referee.rules.ruleset import rulesets
from tests.rules.test_records import RECORDS
from tests.tables import tables

CASES = tables(__file__)

ROOT = Path(__file__).parents[2]
SAMPLES = CASES["positions"]
MOVES = [
    (act.Play(2, "red-3:U", uno=True), "2 red-3:U uno"),
    (act.Play(2, "wild", "blue"), "2 wild>blue"),
    (act.Play(2, "wild-take-tower", "red", ("U",), True), "2 wild-take-tower>red take U uno"),
    (act.Play(1, "red-take-two-towers", None, ()), "1 red-take-two-towers take -"),
    (act.Play(1, "my card"), "1 my%20card"),
    (act.Play(1, "draw"), "1 %64raw"),
    (act.Play(1, "-"), "1 %2D"),
    (act.Draw(3), "3 draw"),
    (act.Draw(3, 4), "3 draw 4"),
    (act.Play(2, "red-7", swap_with=3, uno=True), "2 red-7 swap 3 uno"),
    (act.Swap(2, 3), "2 swap 3"),
    (act.Play(1, "swap"), "1 %73wap"),
    (act.Pass(3), "3 pass"),
    (act.NameColor(2, "green"), "2 >green"),
    (act.ChoosePowers(2, ("U", "!")), "2 take U,!"),
    (act.ChoosePowers(2, ()), "2 take -"),
    (act.Accept(3), "3 accept"),
    (act.Challenge(3), "3 challenge"),
    (act.Reveal(2, ("red-1", "blue-2:O")), "2 shows red-1,blue-2:O"),
    (act.Reveal(2, ()), "2 shows -"),
    (act.CallUno(2), "2 uno"),
    (act.Catch(1, 2), "1 catch 2"),
    (act.Discard(2, ("red-1",)), "2 discards red-1"),
    (act.Discard(2, ("x2",)), "2 discards %782"),
    (act.Discard(2, ()), "2 discards -"),
    (act.Discard(2, count=2), "2 discards x2"),
    (act.Give(2, 3, ("red-1", "red-skip")), "2 gives 3 red-1,red-skip"),
    (act.Flip(2, "wild", "green"), "2 flips wild>green"),
    (act.Flip(2, "red-1"), "2 flips red-1"),
    (act.Report(1, 5), "1 drew 5"),
    (act.Judge(3, passed=True), "3 judge passed"),
    (act.Judge(3, passed=False), "3 judge failed"),
    (act.TimeUp(2), "2 timeout"),
    (act.SetHand(2, 6), "2 hand 6"),
    (act.Overruled(act.Play(2, "red-3"), "legal"), "2 red-3 =legal"),
    (act.Overruled(act.Draw(2), "illegal"), "2 draw =illegal"),
]


def shown_to_all(state: State) -> dict[str, Any]:
    public = public_state(state)
    del public["evidence"]
    return public


def check_there_and_back(state: State) -> None:
    line = position_to_text(state)
    again = position_from_text(line)
    assert shown_to_all(again) == shown_to_all(state), line
    assert position_to_text(again) == line


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_position_and_move_of_a_record_goes_there_and_back(path: Path) -> None:
    before = None
    for step in replay(parse_record(json.loads(path.read_text(encoding="utf-8")))):
        check_there_and_back(step.state)
        assert all(event_to_text(event) for event in step.events)
        if step.action is not None:
            assert move_from_text(move_to_text(step.action)) == step.action
        if isinstance(step.action, act.Reveal) and before is not None and before.in_progress:
            again = decide(position_from_text(position_to_text(before)), step.action)
            assert shown_to_all(again.state) == shown_to_all(step.state)
        before = step.state


@pytest.mark.parametrize("line", SAMPLES)
def test_a_position_is_set_up_from_its_line(line: str) -> None:
    state = position_from_text(line)
    check_there_and_back(state)
    fields, written = line.split(), position_to_text(state).split()
    assert fields[:6] == written[:6]
    assert {field for field in fields if field != "scores=0,0,0"} <= set(written)


def test_the_piles_may_be_left_out() -> None:
    state = position_from_text("power-grab 7,6,5 2> play red-7:U")
    assert (state.draw_pile, state.discard_pile) == (112 - 18 - 1, 1)


def test_what_the_table_wrote_on_a_card_is_in_the_line() -> None:
    cards = [
        {"text": "Nobody says: nø", "effects": [{"effect": "ban", "who": "next", "text": "a b"}]}
    ]
    state = new_game("classic-112", {"custom_cards": cards, "target": 300}, ["Ann", "Bo"])
    state, _ = open_round(state, 1, ["red-7"])
    state = decide(state, act.Play(2, "wild-custom-1", "blue")).state
    check_there_and_back(state)
    again = position_from_text(position_to_text(state))
    assert again.notices == state.notices
    assert again.game.options == state.game.options


def test_a_paused_custom_card_goes_on_from_its_line() -> None:
    dare = {
        "effect": "dare",
        "who": "next",
        "text": "hop",
        "failed": [{"effect": "draw", "who": "next", "count": 4}],
    }
    cards = [{"text": "dare", "effects": [dare, {"effect": "extra_turn"}]}]
    state = new_game("classic-112", {"custom_cards": cards}, ["Ann", "Bo", "Cy"])
    state, _ = open_round(state, 1, ["red-7"])
    state = decide(state, act.Play(2, "wild-custom-1", "blue")).state
    again = position_from_text(position_to_text(state))
    move = act.Judge(1, passed=False)
    assert shown_to_all(decide(again, move).state) == shown_to_all(decide(state, move).state)
    assert decide(again, move).state.hands == (7, 6, 11)


@pytest.mark.parametrize(
    ("more", "hand", "hands"),
    [
        ("", "green-1,blue-2", (5, 6)),
        ("", "red-1,blue-2", (11, 2)),
        ("taken=2", "green-1,blue-2", (11, 2)),
        ("taken=1", "green-1,green-2", (5, 6)),
        ("proved", "red-1,blue-2", (5, 6)),
    ],
)
def test_a_challenge_is_judged_from_its_line(more: str, hand: str, hands: tuple[int, ...]) -> None:
    line = f"classic-112 5,2 1> 2:reveal wild-draw-four>blue 90+12 laid=2:1 before=green {more}"
    decision = decide(position_from_text(line), move_from_text(f"2 shows {hand}"))
    assert decision.state.hands == hands


@pytest.mark.parametrize(("move", "line"), MOVES, ids=[line for _, line in MOVES])
def test_a_move_is_one_line(move: act.Action, line: str) -> None:
    assert move_to_text(move) == line
    assert move_from_text(line) == move


NAMES = st.text(min_size=1, max_size=20)


@settings(max_examples=30, deadline=None)
@given(card=NAMES, color=st.sampled_from([None, "red", "blue"]), powers=st.lists(NAMES, max_size=3))
def test_any_card_goes_there_and_back(card: str, color: str | None, powers: list[str]) -> None:
    for move in (
        act.Play(2, card, color),
        act.Play(2, card, color, tuple(powers), True),
        act.ChoosePowers(1, tuple(powers)),
        act.Discard(1, (card, *powers)),
        act.Overruled(act.Flip(1, card, color), "legal"),
    ):
        assert move_from_text(move_to_text(move)) == move


@pytest.mark.parametrize(
    ("line", "field"),
    [
        *CASES["wrong_moves"],
        ("2 drew " + "9" * 5000, "drawn"),
        ("2 shows " + ",".join(["red-1"] * 500), "hand"),
    ],
)
def test_a_move_that_cannot_be_read_names_the_part(line: str, field: str) -> None:
    with pytest.raises(FieldError) as caught:
        move_from_text(line)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("line", "field"),
    [
        *CASES["wrong_positions"],
        ("x" * 30_000, "position"),
        ("classic-112 7,7 2> play red-7 custom_cards=" + "[" * 9000, "options.custom_cards"),
    ],
)
def test_a_position_that_cannot_be_set_up_names_the_part(line: str, field: str) -> None:
    with pytest.raises(NotationError) as caught:
        position_from_text(line)
    assert caught.value.field == field


@settings(deadline=None)
@given(
    fields=st.lists(
        st.sampled_from([word for line in SAMPLES for word in line.split()]), max_size=9
    )
)
def test_words_in_any_order_are_set_up_or_refused(fields: list[str]) -> None:
    try:
        state = position_from_text(" ".join(fields))
    except NotationError:
        return
    check_there_and_back(state)


@settings(deadline=None)
@given(line=st.sampled_from(SAMPLES), move=st.sampled_from([move for move, _ in MOVES]))
def test_any_move_can_be_ruled_on_in_a_position_that_was_set_up(line: str, move: Any) -> None:
    state = position_from_text(line)
    inner = move.move if isinstance(move, act.Overruled) else move
    if max(inner.seat, getattr(inner, "to", 1), getattr(inner, "accused", 1)) <= len(state.hands):
        decision = decide(state, move)
        assert decision.ruling.rule
        assert all(event_to_text(event) for event in decision.events)


def test_every_kind_of_event_has_its_line() -> None:
    events: list[ev.Event] = [
        ev.Drew(3, 2),
        ev.TurnCame(3),
        ev.PowerMoved("!", 0),
        ev.PowerMoved("red", 2),
        ev.Discarded(2, 3),
        ev.Discarded(2, 1, ("red-1",)),
        ev.Awaited(2, ((2, "color"), (1, "reveal"))),
        ev.Awaited(None, ()),
        ev.Ruled(2, "NameColor", "legal", "card.wild"),
        ev.TurnedOver("red-3"),
        ev.Redealt((1, 3), (4, 2, 5)),
        ev.Announced((2,), "no words", until_uno=True),
        ev.Announced((), "sing", until=3),
        ev.GameWon((1, 3)),
    ]
    assert [event_to_text(event) for event in events] == [
        "3 +2",
        "turn 3",
        "! to tray",
        "red to 2",
        "2 discards x3",
        "2 discards red-1",
        "awaits 2:color,1:reveal",
        "awaits nothing",
        "2 color legal [card.wild]",
        "turned over red-3",
        "redeal 1,3 to 4,2,5",
        "text to 2: no words (until uno)",
        "text to all: sing (until 3)",
        "won by 1,3",
    ]


def test_no_kind_of_event_is_forgotten() -> None:
    assert set(WRITE) == set(get_args(ev.Event))


def test_the_document_shows_lines_that_can_be_read() -> None:
    text = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    lines = [line for block in text.split("```")[1::2] for line in block.splitlines()[1:]]
    ids = tuple(rulesets())
    positions = [line for line in lines if line.startswith(ids)]
    moves = [line for line in lines if line[:1].isdecimal()]
    assert len(positions) >= 5
    assert len(moves) >= 10
    for line in positions:
        check_there_and_back(position_from_text(line))
    for line in moves:
        assert move_to_text(move_from_text(line)) == line
