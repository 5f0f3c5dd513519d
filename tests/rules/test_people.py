"""People leave, come and change places; hands and rounds by their points."""

import json
from random import Random
from typing import Any

import pytest

from referee.rules.cards import COLORS
from referee.rules.engine import decide, evolve_all
from referee.rules.play.rounds import RoundResult, break_off, count_round, end_game, next_dealer
from referee.rules.position.state import State
from referee.rules.records.record import parse_record, replay
from referee.rules.records.record_rounds import RecordError, round_to_json
from referee.rules.records.seating import SeatChange, change_seats
from referee.rules.records.serial import state_from_json, state_to_json
from referee.rules.rulings import RuleError
from tests.rules.builder import RULESETS, Table, legal_actions
from tests.rules.simulation import random_moves


def seated(state: State, **change: Any) -> State:
    return change_seats(state, SeatChange(**change))[0]


@pytest.mark.parametrize("ruleset", RULESETS)
class TestLeaving:
    def test_the_host_names_the_color(self, ruleset: str) -> None:
        wild = {"power-grab": "wild-take-tower", "color-powers": "wild-power-red"}
        table = Table(ruleset).play(2, wild.get(ruleset, "wild")).legal(2, "leave")
        table.has(awaiting="2 color").illegal(2, "uno", "turn.order")
        table.legal(2, "color", color="blue").has(color="blue", turn=3, awaiting="3 play")

    def test_a_proof_can_no_longer_come(self, ruleset: str) -> None:
        table = Table(ruleset).lay(2, "wild-draw-four").legal(3, "accept")
        assert 2 in table.state.ledgers
        assert 2 not in table.legal(2, "leave").state.ledgers


def custom(*effects: dict[str, Any], seats: int = 3) -> Table:
    card = {"text": "Rule", "effects": list(effects)}
    return Table("classic-112", seats=seats, custom_cards=[card]).lay(2, "wild-custom-1")


def test_a_dare_for_a_leaver_lapses() -> None:
    dare = {
        "effect": "dare",
        "who": "next",
        "text": "Sing",
        "failed": [{"effect": "draw", "who": "next", "count": 4}],
    }
    table = custom(dare, seats=4).legal(3, "leave")
    table.has(turn=4, awaiting="4 play", hands=[7, 6, 0, 7])


def test_a_report_of_a_leaver_lapses() -> None:
    table = custom({"effect": "draw_until_color", "who": "next", "color": "red"}).legal(3, "leave")
    table.has(turn=1, awaiting="1 play")


def test_an_extra_turn_of_a_leaver_is_the_next_ones() -> None:
    wilds = {"effect": "discard_wilds", "who": "others"}
    table = custom(wilds, {"effect": "extra_turn"}).legal(2, "leave")
    table.legal(3, "pass").legal(1, "pass").has(turn=3, awaiting="3 play")


def test_the_deal_passes_on_from_a_dealer_who_left() -> None:
    table = Table("classic-108", seats=4, dealer=2).legal(2, "leave")
    assert next_dealer(table.state) == 3


class TestSeats:
    def test_a_newcomer_sits_at_the_place_of_the_number(self) -> None:
        state = break_off(Table("classic-108").state, (0, 0, 0))[0]
        state = seated(state, join={4: 30}, names={4: "Di"})
        assert (state.order, state.scores, state.game.seats[3]) == (
            (1, 2, 3, 4),
            (0, 0, 0, 30),
            "Di",
        )
        assert seated(state, order=(4, 2, 1)).order == (4, 2, 1)

    def test_play_follows_the_new_order(self) -> None:
        state = seated(break_off(Table("classic-108").state, (0, 0, 0))[0], order=(3, 1, 2))
        table = Table("classic-108")
        table.state = state
        table.open("red-7", dealer=3).has(turn=1).play(1, "red-3").has(turn=2).play(2, "red-4")
        table.has(turn=3)

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"order": (1, 2, 9)}, "order[2]"),
            ({"order": (1, 1)}, "order[1]"),
            ({"join": {2: 0}}, "join.2"),
            ({"names": {1: "Player 2"}}, "names.2"),
            ({"names": {1: " "}}, "names.1"),
            ({"names": {7: "Gil"}}, "names.7"),
            ({"order": (1, 2), "dealer": 3}, "dealer"),
            ({"join": dict.fromkeys(range(4, 12), 0)}, "join"),
        ],
    )
    def test_what_cannot_be_names_its_field(self, change: dict[str, Any], field: str) -> None:
        state = break_off(Table("classic-108").state, (0, 0, 0))[0]
        with pytest.raises(RuleError) as refused:
            seated(state, **change)
        assert refused.value.field == field

    def test_in_a_round_only_names_change(self) -> None:
        state = Table("classic-108").state
        assert seated(state, names={2: "Bo"}).game.seats[1] == "Bo"
        with pytest.raises(RuleError, match="between rounds"):
            seated(state, order=(2, 1, 3))


class TestCounting:
    def test_a_round_by_its_result(self) -> None:
        state = break_off(Table("classic-108").state, (0, 0, 0))[0]
        hands = {1: ("red-9", "wild"), 3: None}
        after, _ = count_round(state, 1, RoundResult(2, hands))
        assert (after.scores, after.round, after.round_winner) == ((0, 59, 0), 2, 2)
        low = Table("classic-108", scoring="low", target=50)
        state = break_off(low.state, (0, 0, 0))[0]
        after, _ = count_round(state, 1, RoundResult(2, {1: 49, 3: 50}))
        assert (after.scores, after.winner) == ((49, 0, 50), 2)

    @pytest.mark.parametrize(
        ("result", "field"),
        [
            (RoundResult(4, {1: 0, 2: 0, 3: 0}), "out"),
            (RoundResult(2, {1: 0}), "hands.3"),
            (RoundResult(2, {1: 0, 2: 0, 3: 0}), "hands.2"),
            (RoundResult(2, {1: ("wild-shuffle",), 3: 0}), "hands"),
            (RoundResult(2, {1: ("red-0",), 3: ("red-0",)}), "hands"),
            (RoundResult(2, {1: 9999, 3: 0}), "hands.1"),
        ],
    )
    def test_a_result_that_cannot_be(self, result: RoundResult, field: str) -> None:
        state = break_off(Table("classic-108").state, (0, 0, 0))[0]
        with pytest.raises(RuleError) as refused:
            count_round(state, 1, result)
        assert refused.value.field == field

    def test_a_broken_off_round_counts_for_nothing_and_the_same_dealer_deals(self) -> None:
        table = Table("classic-108", dealer=3).play(1, "red-3")
        state, events = break_off(table.state, (5, 0, 0))
        assert (state.scores, state.turn, state.awaiting) == ((5, 0, 0), None, ())
        assert next_dealer(state) == 3
        assert evolve_all(table.state, events) == state

    def test_a_game_ends_early_with_what_stands(self) -> None:
        state = break_off(Table("classic-108").state, (40, 70, 70))[0]
        assert end_game(state)[0].winner == (2, 3)
        with pytest.raises(RuleError):
            end_game(Table("classic-108").state)


EVENING: dict[str, Any] = {
    "format": "referee-record/1",
    "ruleset": "classic-108",
    "options": {},
    "seats": ["Ann", "Bo", "Cy"],
    "rounds": [
        {
            "dealer": 1,
            "opening": ["red-7"],
            "moves": [
                {"seat": 2, "move": "play", "card": "red-3"},
                {"seat": 3, "move": "leave"},
                {"seat": 1, "move": "play", "card": "red-5", "expect": {"turn": 2}},
            ],
            "broken_off": True,
        },
        {
            "dealer": 1,
            "order": [1, 2, 4],
            "join": {"4": 20},
            "names": {"4": "Di", "1": "Anna"},
            "opening": ["red-7"],
            "expect": {"turn": 2, "hands": [7, 7, 0, 7], "scores": [0, 0, 0, 20]},
            "moves": [{"seat": 2, "move": "leave", "expect": {"turn": 4}}],
            "broken_off": True,
        },
        {
            "result": {"out": 4, "hands": {"1": ["red-9"]}},
            "expect": {"scores": [0, 0, 0, 29], "round_winner": 4, "turn": None},
        },
    ],
    "ended": True,
}


def test_a_record_holds_an_evening() -> None:
    record = parse_record(EVENING)
    steps = list(replay(record))
    assert not [step.mismatches for step in steps if step.mismatches]
    assert (steps[-1].state.winner, steps[-1].state.game.seats[0]) == (4, "Anna")
    assert [round_to_json(played) for played in record.rounds] == EVENING["rounds"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"order": "all"}, "order"),
        ({"order": [1, "2"]}, "order[1]"),
        ({"join": {"4": -1}}, "join.4"),
        ({"join": {"x": 1}}, "join.x"),
        ({"join": [4]}, "join"),
        ({"names": {"0": "Di"}}, "names.0"),
        ({"names": {"9" * 5000: "Di"}}, f"names.{'9' * 5000}"),
        ({"join": {"4": 0, "04": 0}}, "join.04"),
        ({"result": {"out": 2}}, "opening"),
        ({"result": [], "opening": None}, "result"),
        ({"broken_off": 1}, "broken_off"),
    ],
)
def test_a_record_that_cannot_be_read_names_its_field(change: dict[str, Any], field: str) -> None:
    rounds = [{**EVENING["rounds"][0], **change}]
    with pytest.raises(RecordError) as refused:
        list(replay(parse_record({**EVENING, "rounds": rounds})))
    assert refused.value.field == field


@pytest.mark.parametrize("ruleset", RULESETS)
def test_leaving_at_any_moment_leaves_a_round_that_goes_on(ruleset: str) -> None:
    """Random moves with leavers: cards stay as many, and somebody can always go on."""
    rng = Random(f"leave/{ruleset}")
    for _ in range(30):
        table = Table(ruleset, seats=rng.randint(3, 6), dealer=rng.randint(1, 3))
        if ruleset == "classic-112" and rng.random() < 0.7:
            effect = rng.choice(("draw_until_color", "discard_wilds", "dare", "hand_size"))
            more = {
                "draw_until_color": {"color": "red"},
                "discard_wilds": {},
                "dare": {"text": "Sing", "failed": [{"effect": "draw", "who": "self", "count": 4}]},
                "hand_size": {"count": 3},
            }[effect]
            who = rng.choice(("self", "next", "others", "all"))
            card = {"text": "Rule", "effects": [{"effect": effect, "who": who, **more}]}
            table = Table(ruleset, seats=5, custom_cards=[card])
        for _ in range(60):
            state = table.state
            if not state.in_progress:
                break
            leave = rng.random() < 0.05 or any(need == "reveal" for _, need in state.awaiting)
            moves = list(random_moves(state, rng, 12))
            if leave:
                table.move(rng.choice(state.order), "leave")
            else:
                for action in moves:
                    table.state = decide(table.state, action).state
            check_state(table.state, left=leave)


def check_state(state: State, left: bool) -> None:
    cards = sum(state.hands) + state.draw_pile + state.discard_pile
    assert cards == state.game.deck_size
    assert all(
        state.hands[s - 1] == 0 for s in range(1, len(state.hands) + 1) if s not in state.order
    )
    for seat, need in state.awaiting:
        assert seat in state.order or need == "color"
    if left and state.in_progress:
        shown = any(need == "reveal" for _, need in state.awaiting)
        assert shown or legal_actions(state), state
    written = json.loads(json.dumps(state_to_json(state)))
    assert state_from_json(state.game, written) == state
    assert state.color is None or state.color in COLORS
