"""Which observations become labels: the log of a real server, and what may not be learnt."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.gateway.confirmed_cards import ConfirmedCards
from hardware.observation import CardLabel
from tests.table.rig import Rig, stopped


class LabelledTable:
    """A table with a camera whose log is followed."""

    def __init__(self, folder: Path) -> None:
        self.rig = Rig(folder).begin()
        self.cards = ConfirmedCards()
        self.labels: list[tuple[int, str | None, str]] = []
        self._read = 0
        self.read()

    def read(self) -> list[tuple[int, str | None, str]]:
        """Follow what is new; return all labels so far."""
        for entry in self.rig.log():
            if entry["id"] <= self._read:
                continue
            self._read = entry["id"]
            if entry["kind"] == "observed":
                self.cards.observed(entry["device"]["name"], entry)
            for device, label in self.cards.follow(entry):
                assert device == "camera"
                self.labels.append((label.number, label.card, label.by))
        return self.labels

    def see(self, **cards: float) -> int:
        """The camera sees a card laid; return the observation's number."""
        named = {card.replace("_", "-"): chance for card, chance in cards.items()}
        self.rig.camera_says(event="placed", cards=named)
        return self.rig.number

    def correct(self, **body: Any) -> None:
        self.rig.at("POST", "/corrections", body, self.rig.host)

    def last_move(self) -> int:
        return int([e for e in self.rig.log() if e["kind"] == "moved"][-1]["id"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LabelledTable]:
    made = LabelledTable(tmp_path)
    yield made
    assert made.rig.app is not None
    stopped(made.rig.app)


def test_a_ruling_is_learnt_once_three_more_moves_were_made(table: LabelledTable) -> None:
    first = table.see(red_7=0.99)
    for card in ("red_8", "red_9"):
        table.see(**{card: 0.99})
        assert table.read() == []
    table.see(red_1=0.99)
    assert table.read() == [(first, "red-7", "play")]


def test_a_card_that_people_named_is_learnt_after_one_more_move(table: LabelledTable) -> None:
    asked = table.see(red_7=0.5, blue_7=0.3)
    table.rig.answer("red-7", 1)
    assert table.read() == []
    table.see(red_9=0.99)
    assert table.read() == [(asked, "red-7", "people")]


def test_a_play_reported_by_phone_labels_the_card_that_was_asked_about(
    table: LabelledTable,
) -> None:
    table.rig.camera_says(event="unread")
    unread = table.rig.number
    table.rig.say(1, "play", card="red-7")
    table.see(red_9=0.99)
    assert table.read() == [(unread, "red-7", "people")]


def test_a_play_reported_before_the_camera_saw_it_counts_if_both_agree(
    table: LabelledTable,
) -> None:
    table.rig.say(1, "play", card="red-7")
    seen = table.see(red_7=0.99)
    table.see(red_9=0.99)
    assert table.read() == [(seen, "red-7", "people")]


def test_what_was_asked_and_not_answered_is_never_learnt(table: LabelledTable) -> None:
    asked = table.see(red_7=0.5, blue_7=0.3)
    for card in ("red_8", "red_9", "red_1", "red_2", "red_3", "red_4"):
        table.see(**{card: 0.99})
    log = table.rig.log()
    assert [e["why"] for e in log if e["kind"] == "lapsed"], "the referee went on unanswered"
    assert asked not in [number for number, *_ in table.read()]


def test_a_card_put_right_is_learnt_as_what_it_was(table: LabelledTable) -> None:
    seen = table.see(red_7=0.99)
    replacement = {"move": "play", "seat": 1, "card": "red-2"}
    table.correct(kind="replace", entry=table.last_move(), replacement=replacement)
    table.see(red_9=0.99)
    assert table.read() == [(seen, "red-2", "people")]


def test_a_later_correction_takes_the_label_back(table: LabelledTable) -> None:
    seen = table.see(red_7=0.99)
    wrong = table.last_move()
    for card in ("red_8", "red_9", "red_1"):
        table.see(**{card: 0.99})
    assert table.read() == [(seen, "red-7", "play")]
    table.correct(kind="undo", entry=wrong, count=1)
    assert (seen, None, "people") in table.read()


def test_an_undone_ruling_is_not_learnt(table: LabelledTable) -> None:
    table.see(red_7=0.99)
    table.correct(kind="undo")
    for card in ("red_8", "red_9", "red_1", "red_2"):
        table.see(**{card: 0.99})
    assert "red-7" not in [card for _, card, _ in table.read()]


def test_after_entries_were_missed_nothing_older_is_learnt(table: LabelledTable) -> None:
    table.see(red_7=0.99)
    table.read()
    table.cards.forget()
    for card in ("red_8", "red_9", "red_1"):
        table.see(**{card: 0.99})
    assert table.read() == []


@pytest.mark.parametrize("kind", ["fell", "stands"])
def test_long_corrections_list_entries_by_ranges(kind: str) -> None:
    cards = ConfirmedCards()
    by = {"role": "device"}
    seen = {"kind": "pile", "number": 4, "event": "placed", "cards": {"red-7": 1.0}}
    cards.observed("camera", {"id": 10, "observation": seen})
    play: Callable[..., Any] = lambda n, cause=None: {  # noqa: E731
        "id": n,
        "kind": "moved",
        "by": by,
        "move": {"move": "play", "card": "red-7"},
        "ruling": {"verdict": "legal"},
        **({} if cause is None else {"cause": cause}),
    }
    for entry in (play(11, 10), play(12), play(13), play(14)):
        found = cards.follow(entry)
    assert found == [("camera", CardLabel(4, "red-7", "play"))]
    change = {"id": 15, "kind": "corrected", "by": by, "change": {"kind": "undo"}}
    fallen = cards.follow({**change, "fell": [], "fell_entries": [[11, 14]]})
    assert fallen == [("camera", CardLabel(4, None))]
    if kind == "stands":
        assert cards.follow({**change, "id": 16, "stands": [], "stands_entries": [[11, 14]]}) == []
        for entry in (play(17), play(18), play(19)):
            found = cards.follow(entry)
        assert found == [("camera", CardLabel(4, "red-7", "play"))]
