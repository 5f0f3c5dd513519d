"""Which list is the newest, and what is shown of it."""

from collections.abc import Sequence
from typing import Any

import pytest

from hardware.gateway.discrepancies import DiscrepancyLights, read_discrepancies
from hardware.observation import Hint


def found(power: str, kind: str, should: Any = 2, at: Any = 3) -> dict[str, Any]:
    return {"power": power, "kind": kind, "is": at, "should": should, "text": f"{power}!"}


class Shown:
    def __init__(self) -> None:
        self.hints: list[list[Hint]] = []

    def __call__(self, hints: Sequence[Hint]) -> None:
        self.hints.append(list(hints))


@pytest.fixture
def shown() -> Shown:
    return Shown()


@pytest.fixture
def lights(shown: Shown) -> DiscrepancyLights:
    return DiscrepancyLights(shown)


def test_kinds(lights: DiscrepancyLights, shown: Shown) -> None:
    lights.learn(
        1,
        [
            found("U", "to-move"),
            found("N", "misplaced", 0),
            found("O", "lifted", 4, "lifted"),
            found("!", "ahead"),
        ],
    )
    assert shown.hints == [[Hint("U", 2), Hint("N", 0, urgent=True), Hint("O", 4)]]
    assert [discrepancy.power for discrepancy in lights.discrepancies] == ["U", "N", "O", "!"]


def test_the_newest_version_wins_whatever_the_order(
    lights: DiscrepancyLights, shown: Shown
) -> None:
    lights.learn(5, [found("U", "to-move")])
    lights.learn(4, [])
    lights.learn(5, [found("U", "to-move")])
    assert shown.hints == [[Hint("U", 2)]]
    lights.learn(6, [])
    assert shown.hints == [[Hint("U", 2)], []]
    assert lights.version == 6


def test_a_server_that_went_back_is_believed_only_when_asked_afterwards(
    lights: DiscrepancyLights, shown: Shown
) -> None:
    lights.learn(50, [found("U", "to-move")])
    lights.learn(49, [], instead_of=48)
    assert lights.version == 50
    lights.learn(3, [], instead_of=50)
    assert lights.version == 3
    assert shown.hints[-1] == []


@pytest.mark.parametrize("items", [None, {}, "U", 5])
def test_what_brings_no_list_changes_nothing(
    lights: DiscrepancyLights, shown: Shown, items: Any
) -> None:
    lights.learn(9, items)
    assert lights.version == -1
    assert shown.hints == []


@pytest.mark.parametrize("version", [None, "7", True, 7.0])
def test_a_version_is_a_number(lights: DiscrepancyLights, version: Any) -> None:
    lights.learn(version, [])
    assert lights.version == -1


def test_what_lies_wrong_on_the_pile_is_said_and_lights_nothing(
    lights: DiscrepancyLights, shown: Shown
) -> None:
    wrong = {"kind": "take-back", "is": "blue-9", "should": "red-7", "text": "Take it back."}
    gone = {"kind": "not-on-top", "is": None, "should": "red-7", "text": "Nothing lies there."}
    lights.learn(4, [wrong, found("U", "to-move"), gone])
    assert shown.hints == [[Hint("U", 2)]]
    assert [(discrepancy.what, discrepancy.text) for discrepancy in lights.discrepancies] == [
        ("the pile (blue-9)", "Take it back."),
        ("U", "U!"),
        ("the pile (no card)", "Nothing lies there."),
    ]


def test_what_is_not_understood_is_left_out() -> None:
    read = read_discrepancies([5, {}, {"power": 1}, {"power": "U"}, found("N", "new", "x")])
    assert read is not None
    assert [(one.power, one.hint()) for one in read] == [("U", None), ("N", None)]
