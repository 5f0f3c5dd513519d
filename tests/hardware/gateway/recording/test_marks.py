"""Marks from a table's event stream, and what corrections do to them."""

from typing import Any

from hardware.gateway.recording.form import Mark, correct, read_marks


def moved(number: int, *events: dict[str, Any], role: str = "seat", **more: Any) -> dict[str, Any]:
    by = {"role": role, "seat": 1}
    return {"id": number, "kind": "moved", "by": by, "events": [*events], **more}


RED_7 = {"event": "played", "seat": 1, "card": "red-7"}
BLUE_7 = {"event": "played", "seat": 2, "card": "blue-7"}


def test_a_played_card_is_marked_without_its_player() -> None:
    turn = {"event": "turn-came", "seat": 2}
    assert read_marks(moved(4, RED_7, turn)) == [Mark("placed", "red-7", "phone", 4)]
    assert read_marks(moved(5, RED_7, role="device")) == [Mark("placed", "red-7", "camera", 5)]
    assert set(Mark("placed", "red-7", "phone", 4).fields()) == {
        *("what", "card", "by", "entry", "stands")
    }


def test_the_card_turned_up_was_found() -> None:
    opened = {"id": 2, "kind": "round-opened", "by": {"role": "host"}, "opening": ["wild", "red-5"]}
    assert read_marks(opened) == [Mark("found", "red-5", "phone", 2)]


def test_what_lays_no_card_is_not_marked() -> None:
    assert read_marks(moved(4, {"event": "drew", "seat": 1, "count": 1})) == []
    assert read_marks({"id": 9, "kind": "observed", "by": {"role": "device"}}) == []
    assert read_marks({"kind": "moved", "events": [{"event": "played", "card": 3}, "x"]}) == []


def test_a_correction_takes_marks_back_and_lets_them_stand_again() -> None:
    marks = [*read_marks(moved(4, RED_7)), *read_marks(moved(6, BLUE_7))]
    undone = {"kind": "corrected", "change": {"kind": "undo"}, "fell": [{"id": 6}], "stands": []}
    after = correct(marks, undone)
    assert [mark.stands for mark in after] == [True, False]
    again = {"kind": "corrected", "change": {"kind": "undo"}, "fell": [], "stands": [{"id": 6}]}
    assert correct(after, again) == marks
    long = {"kind": "corrected", "change": {}, "fell": [], "fell_entries": [[3, 6]]}
    assert [mark.stands for mark in correct(marks, long)] == [False, False]


def test_another_card_in_its_place_is_what_was_laid() -> None:
    marks = [*read_marks(moved(4, RED_7)), *read_marks(moved(6, BLUE_7))]
    replaced = {
        "kind": "corrected",
        "change": {"kind": "replace", "round": 1, "move": 1},
        "entered": {"round": 1, "move": 1, "kind": "play", "card": "red-1"},
        "fell": [{"id": 6, "round": 1, "move": 2}, {"id": 4, "round": 1, "move": 1}],
        "stands": [],
    }
    after = correct(marks, replaced)
    assert [(mark.card, mark.stands) for mark in after] == [("red-1", True), ("blue-7", False)]
