"""What a camera's observation of the pile means, without a server and without time."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from referee.rules.actions import CallUno, Draw, NameColor, Play
from referee.rules.codec import move_to_json
from referee.rules.engine import decide, new_game, open_round
from referee.service.log.past_rounds import PastMove
from referee.service.pile.discrepancies import pile_discrepancies
from referee.service.pile.hypothesis import Hypothesis
from referee.service.pile.layers import Layer, Pile, Question
from referee.service.pile.observation import read, take_in
from referee.service.pile.thresholds import Prior
from referee.service.reconcile.act_on_pile import (
    AcceptHypothesis,
    Ask,
    decide_first_waiting,
    pile_question,
)
from referee.service.reconcile.apply_hypothesis import consequences
from tests.service.situations import (
    BO,
    CAMERA,
    TIME,
    laid,
    position,
    reading,
    situation,
    waiting,
    watched,
)

BEFORE_THE_GAME = new_game("classic-108", {}, ["Ann", "Bo", "Cy"])
AFTER_A_WILD = decide(position(), Play(2, "wild")).state
UNSURE = waiting(reading(red_6=0.5, red_9=0.49))
RED_3, GREEN_3 = waiting(reading(red_3=0.999)), waiting(reading(green_3=0.9995))
# A red 3 was played on the red 7; then the red 7 shows again.
TAKEN_BACK = (laid("red-3", 12, 2), waiting(reading("lifted", red_7=0.999)))
PLAYED = PastMove(12, Play(2, "red-3"))


IDS = [
    "play",
    "play-by-rules",
    "illegal",
    "ask",
    "patience",
    "same",
    "wait",
    "take-back",
    "its-color",
    "went-on",
    "put-right",
    "opening",
]


@pytest.mark.parametrize(
    ("state", "layers", "moves", "expected"),
    [
        (position(), [RED_3], [], ("play", True)),
        (position(), [waiting(reading(red_6=0.69, blue_6=0.3))], [], ("play", True)),
        (position(), [GREEN_3], [], ("illegal", True)),
        (position(), [UNSURE], [], Ask),
        (position(), [UNSURE, UNSURE, UNSURE], [], ("play", False)),
        (position(), [waiting(reading("same", red_7=0.999))], [], ("nothing", True)),
        (AFTER_A_WILD, [RED_3], [], None),
        (position(), TAKEN_BACK, [PLAYED], ("take-back", True)),
        (position(), TAKEN_BACK, [PLAYED, PastMove(13, NameColor(2, "red"))], ("take-back", True)),
        (position(), TAKEN_BACK, [PLAYED, PastMove(13, Draw(3))], Ask),
        (
            position(),
            [laid("green-3", 12, 2, "wrong"), waiting(reading("lifted", red_7=0.999))],
            [],
            ("put-right", True),
        ),
        (BEFORE_THE_GAME, [waiting(reading(red_5=0.999))], [], ("opening", True)),
    ],
    ids=IDS,
)
def test_what_is_decided(state: Any, layers: Any, moves: Any, expected: Any) -> None:
    decided = decide_first_waiting(situation(state, watched(state, *layers), moves))
    if isinstance(expected, tuple):
        assert isinstance(decided, AcceptHypothesis)
        assert (decided.hypothesis.kind, decided.certain) == expected
    else:
        assert decided is None if expected is None else isinstance(decided, expected)


def test_an_unanswered_take_back_becomes_a_discrepancy() -> None:
    pile = watched(position(), *TAKEN_BACK)
    now = situation(position(), pile, [PLAYED, PastMove(13, Draw(3))], prior=Prior(patience=0))
    assert decide_first_waiting(now) == AcceptHypothesis(
        Hypothesis("differs", "red-7", 1.0), certain=True
    )


def test_cards_that_do_not_fit_are_not_explained_by_a_wild_that_nobody_saw() -> None:
    """Three cards against the rules; after a wild, any of the later ones might have fitted."""
    state = position("classic-108 7,7 2> play yellow-5")
    cards = [waiting(reading(**{card: 0.99999})) for card in ("red_9", "blue_9", "green_3")]
    pile = watched(state, Layer("red-7", "aside", True, 19), *cards)
    decided = decide_first_waiting(situation(state, pile))
    assert isinstance(decided, AcceptHypothesis)
    assert (decided.hypothesis.kind, decided.hypothesis.card) == ("illegal", "red-9")


def test_a_copy_too_many_is_not_explained_by_a_wild_that_nobody_saw() -> None:
    """A third blue 2, then what fits nothing: only the likeliest answer asked for is presumed."""
    state, _ = open_round(new_game("classic-108", {}, ["Ann", "Bo"]), 2, ("red-5",))
    for seat, card in ((1, "red-7"), (2, "blue-7"), (1, "blue-2"), (2, "blue-7"), (1, "blue-2")):
        state = decide(state, Play(seat, card)).state
    arms = {"1": [1.6, -3.3, 3.7], "2": [1.6, 0.8, 1.8]}
    from_ann, from_bo = (
        {"arm": arm, "from": {"draw-pile": 0.005}, "event": "placed"} for arm in (301.3, 24.9)
    )
    pile = replace(watched(state), arms=arms)
    for number, seen in enumerate(
        (
            {"cards": {"blue-2": 0.99999}, **from_ann},
            {"cards": {"green-9": 0.99999}, **from_bo},
            {"cards": {"red-5": 0.99999}, "event": "found"},
        )
    ):
        pile = pile.put(waiting(read({"number": number, **seen}), entry=20 + number))
    decided = decide_first_waiting(situation(state, pile))
    assert isinstance(decided, AcceptHypothesis)
    (move,) = decided.hypothesis.moves
    assert (decided.hypothesis.kind, move) == ("illegal", Play(1, "blue-2"))


def test_nothing_is_entered_if_even_the_likeliest_answer_is_unlikely() -> None:
    alike = ("red_1", "red_2", "red_4", "red_5", "red_6", "red_8")
    unread = waiting(reading(**dict.fromkeys(alike, 0.16)))
    now = situation(position(), watched(position(), unread, unread, unread))
    decided = decide_first_waiting(now)
    assert isinstance(decided, AcceptHypothesis)
    assert decided.hypothesis.kind == "differs"
    assert decided.hypothesis.moves == ()


@pytest.mark.parametrize(
    ("offered", "presumed"), [("red-9", ("play", "red-9")), ("red-8", ("differs", "red-6"))]
)
def test_what_nobody_was_asked_about_is_not_presumed(
    offered: str, presumed: tuple[str, str]
) -> None:
    question = Question(1, UNSURE.entry, "pile", ({"kind": "play", "card": offered},))
    pile = replace(watched(position(), UNSURE, UNSURE, UNSURE), question=question)
    decided = decide_first_waiting(situation(position(), pile))
    assert isinstance(decided, AcceptHypothesis)
    assert (decided.hypothesis.kind, decided.hypothesis.card) == presumed


def test_a_question_offers_the_likely_answers_and_nothing() -> None:
    now = situation(position(), watched(position(), UNSURE))
    decided = decide_first_waiting(now)
    assert isinstance(decided, Ask)
    question = pile_question(now, decided.hypotheses)
    assert [(option["kind"], option["card"]) for option in question.options] == [
        ("play", "red-6"),
        ("play", "red-9"),
        ("nothing", None),
    ]
    assert question.entry == UNSURE.entry


def test_an_opening_whose_dealer_is_open_asks_for_the_dealer() -> None:
    pile = watched(BEFORE_THE_GAME, waiting(reading(red_5=0.999)))
    now = situation(BEFORE_THE_GAME, pile, dealer=None)
    decided = decide_first_waiting(now)
    assert isinstance(decided, Ask)
    options = pile_question(now, decided.hypotheses).options
    assert [option["dealer"] for option in options if option["kind"] == "opening"] == [1, 2, 3]


def decided_change(state: Any, *layers: Layer, by: Any = CAMERA, **more: Any) -> Any:
    moves = more.pop("moves", [])
    now = situation(state, watched(state, *layers), moves, **more)
    decided = decide_first_waiting(now)
    assert isinstance(decided, AcceptHypothesis)
    return consequences(now, decided.hypothesis, by)


@pytest.mark.parametrize(("by", "presumed"), [(CAMERA, True), (BO, False)])
def test_a_play_is_one_move_caused_by_the_observation(by: Any, presumed: bool) -> None:
    change = decided_change(position(), RED_3, by=by)
    (move,) = change.moves
    assert (move.action, move.by, move.cause) == (Play(2, "red-3"), by, RED_3.entry)
    assert (move.explains_card, move.presumed) == (True, presumed)


@pytest.mark.parametrize(("seconds", "counts"), [(1, True), (6, False)])
def test_a_call_shortly_before_the_card_counts_with_it(seconds: float, counts: bool) -> None:
    said = (TIME - timedelta(seconds=seconds)).isoformat()
    call = {"entry": 15, "move": move_to_json(CallUno(2)), "by": BO.to_json(), "at": said}
    pile = replace(watched(position(), RED_3), early=(call,))
    now = situation(position(), pile)
    decided = decide_first_waiting(now)
    assert isinstance(decided, AcceptHypothesis)
    change = consequences(now, decided.hypothesis, CAMERA)
    assert change.pile.early == ()
    words = [(move.action, move.by.id, move.if_owed) for move in change.moves[1:]]
    assert words == ([(CallUno(2), "bo", 2)] if counts else [])


def test_a_take_back_undoes_the_play_and_what_was_said_for_it() -> None:
    change = decided_change(
        position(), *TAKEN_BACK, moves=[PLAYED, PastMove(13, NameColor(2, "red"))]
    )
    assert change.correction == {"kind": "undo", "round": 1, "move": 1, "count": 2}
    assert [layer.card for layer in change.pile.layers] == ["red-7"]


def test_a_take_back_waits_for_rulings_that_the_log_lacks() -> None:
    assert decided_change(position(), *TAKEN_BACK, moves=[PLAYED], ruled=True) is None


def test_an_opening_is_dealt_and_replaces_one_in_progress() -> None:
    change = decided_change(BEFORE_THE_GAME, waiting(reading(red_5=0.999)))
    assert (change.opening, change.correction) == ((("red-5",), 1), None)
    again = Hypothesis("opening", "red-5", 1.0, dealer=1, opening=("red-5",))
    now = situation(position(), watched(position(), waiting(reading(red_5=0.999))))
    change = consequences(now, again, CAMERA)
    assert change.correction == {"kind": "undo"}


@pytest.mark.parametrize(
    ("event", "layers", "meaning", "left"),
    [
        ({"event": "placed", "cards": {"red-3": 0.9}}, [], None, ["in", "waiting"]),
        ({"event": "same"}, [], "agrees", ["in"]),
        ({"event": "cleared"}, [laid("green-3", 9, 2, "wrong")], "agrees", ["in"]),
        ({"event": "lifted", "cards": {"red-7": 0.99}}, [RED_3], "put-right", ["in"]),
        (
            {"event": "lifted", "cards": {"red-9": 0.99}},
            [RED_3],
            None,
            ["in", "waiting", "waiting"],
        ),
        ({"event": "same", "resolves": 0}, [RED_3], "agrees", ["in"]),
        ({"event": "placed", "resolves": 0}, [RED_3], None, ["in", "waiting"]),
        ({"event": "placed", "resolves": 5}, [], "agrees", ["in"]),
    ],
)
def test_how_an_observation_is_taken_in(event: Any, layers: Any, meaning: Any, left: Any) -> None:
    pile, found = take_in(watched(position(), *layers), {"number": 7, **event}, 30)
    assert (found, [layer.standing for layer in pile.layers]) == (meaning, left)


@pytest.mark.parametrize(
    ("seen", "kinds"),
    [
        ({"event": "found"}, {"found": 1}),
        ({"event": "placed"}, {"placed": 1}),
        ({"event": "placed", "laid": 0.25}, {"placed": 0.25, "same": 0.75}),
        (
            {"event": "placed", "likelihoods": {"placed": 0.985, "same": 0.015}},
            {"placed": 0.985, "same": 0.015},
        ),
        ({"event": "unread"}, {"placed": 0.8, "same": 0.2}),
        ({"event": "unsure", "readings": ["same", "placed"]}, {"same": 2 / 3, "placed": 1 / 3}),
        (
            {"event": "unsure", "likelihoods": {"placed": 0.1, "same": 0.3}},
            {"placed": 0.25, "same": 0.75},
        ),
        ({"event": "unsure", "likelihoods": {"placed": 0.4}, "readings": ["same"]}, {"placed": 1}),
    ],
)
def test_what_an_observation_says(seen: Any, kinds: Any) -> None:
    assert read({"number": 1, **seen}).kinds == pytest.approx(kinds)


@pytest.mark.parametrize(
    ("layers", "changes", "found"),
    [
        ([], {}, []),
        ([laid("green-3", 9, 2, "wrong")], {}, [("take-back", "green-3")]),
        ([laid("green-3", 9, 2, "wrong")], {"sight": "blind"}, []),
        ([laid("green-3", 9, 2, "aside")], {}, [("not-on-top", "green-3")]),
        ([laid("green-3", 9, 2, "aside"), RED_3], {}, []),
        ([], {"gone": True}, [("not-on-top", None)]),
    ],
)
def test_what_is_out_of_place(layers: Any, changes: Any, found: Any) -> None:
    pile: Pile = replace(watched(position(), *layers), **changes)
    items = pile_discrepancies(position(), pile)
    assert [(item["kind"], item["is"]) for item in items] == found
    assert {one["should"] for one in items} <= {"red-7"}
