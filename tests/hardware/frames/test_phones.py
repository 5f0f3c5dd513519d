"""The phones of a worker: begun, replaced, closed, and refused before anything is decoded."""

import argparse
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.commands.worker import _Worker
from hardware.frames import phones as module
from hardware.frames.answer import View, paced, starting
from hardware.frames.listener import FrameListener
from hardware.frames.phone import Place, Sender
from hardware.frames.phones import KEPT, MAY_GO, MOST_PHONES, Phones, Refused
from hardware.gateway.posting.outbox_file import OutboxError
from tests.waiting import until

SENDER = Sender("t1", "d1", "secret", "classic-112")
TIMES = (1.0, 1.0)


class Fake:
    """A phone that reads nothing."""

    def __init__(self, sender: Sender, _: Place) -> None:
        self.sender = sender
        self.taken: list[Any] = []
        self.idle_for = 0.0
        self.refused = False
        self.closed = 0

    def take(self, *frame: Any) -> View:
        self.taken.append(frame)
        return paced(starting(), 0)

    def close(self) -> None:
        self.closed += 1


class Made(list[Fake]):
    """All that were made, in order."""

    def __call__(self, sender: Sender, place: Place) -> Any:
        self.append(Fake(sender, place))
        return self[-1]


@pytest.fixture
def made() -> Made:
    return Made()


@pytest.fixture
def phones(tmp_path: Path, made: Made, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(module, "LOOK_EVERY", 0.02)
    phones = Phones(Place("http://127.0.0.1:1", tmp_path / "state"), made)
    yield phones
    phones.close()


def jpeg(width: int, height: int) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))[1].tobytes()


def test_a_phone_is_begun_with_its_first_frame_and_kept(phones: Phones, made: Made) -> None:
    data = jpeg(64, 36)
    assert phones.take(SENDER, data, TIMES, (0.5, 0.5)) == paced(starting(), 0)
    phones.take(SENDER, None, TIMES, None)
    phones.take(replace(SENDER, device="d2"), data, TIMES, None)
    assert [one.sender.device for one in made] == ["d1", "d2"]
    assert made[0].taken == [(data, 1.0, 1.0, (0.5, 0.5)), (None, 1.0, 1.0, None)]
    phones.close()
    assert [one.closed for one in made] == [1, 1]


@pytest.mark.parametrize("change", [{"token": "renewed"}, {"ruleset": "power-grab"}])
def test_another_token_or_another_game_begins_anew(
    phones: Phones, made: Made, change: dict[str, str]
) -> None:
    phones.take(SENDER, None, TIMES, None)
    phones.take(replace(SENDER, **change), None, TIMES, None)
    assert [one.closed for one in made] == [1, 0]


def test_of_two_phones_with_one_token_one_is_the_camera(
    phones: Phones, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sends(name: str, *, take_over: bool = False) -> bool:
        try:
            phones.take(SENDER, None, TIMES, None, name, take_over)
        except Refused as refused:
            return refused.why != "another-phone"
        return True

    assert [sends("a"), sends("b"), sends("a")] == [True, False, True]
    assert [sends("b", take_over=True), sends("a"), sends("b")] == [True, False, True]
    # A phone that has gone leaves its place to the next one.
    monkeypatch.setattr(module, "LET_GO", 0.0)
    assert sends("a")
    assert len(made) == 1


def test_the_worker_says_which_phone_is_refused(tmp_path: Path, phones: Phones) -> None:
    said = {"table": "t1", "device": "d1", "token": "secret", "ruleset": "classic-112"}
    times = {"captured": 1.0, "sent": 1.0, "pile": None}
    args = argparse.Namespace(server="http://127.0.0.1:1", state=tmp_path, faces=None)
    worker = _Worker(args, FrameListener)
    worker._phones = phones
    for phone, take_over, refused in (("a", False, False), ("b", False, True), ("b", True, False)):
        answer = worker.take({**said, **times, "phone": phone, "take_over": take_over}, b"")
        assert (answer.get("refused") == "another-phone") is refused
    assert worker.take({**said, **times, "phone": None, "take_over": False}, b"") == {
        "refused": "another-phone"
    }


def test_what_idles_or_was_revoked_is_closed(phones: Phones, made: Made) -> None:
    for device in ("d1", "d2", "d3"):
        phones.take(replace(SENDER, device=device), None, TIMES, None)
    made[0].idle_for, made[1].refused = 601.0, True
    until(lambda: made[0].closed and made[1].closed)
    assert made[2].closed == 0


def test_a_phone_more_takes_the_place_of_one_that_idles(phones: Phones, made: Made) -> None:
    for number in range(MOST_PHONES):
        phones.take(replace(SENDER, device=f"d{number}"), None, TIMES, None)
    with pytest.raises(Refused, match="no-watcher"):
        phones.take(replace(SENDER, device="more"), None, TIMES, None)
    made[3].idle_for = MAY_GO + 1
    phones.take(replace(SENDER, device="more"), None, TIMES, None)
    assert [one.closed for one in made].index(1) == 3


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "unreadable-photo"),
        (b"no picture", "unreadable-photo"),
        (jpeg(64, 36)[:-40], "unreadable-photo"),
        (cv2.imencode(".png", np.zeros((36, 64, 3), np.uint8))[1].tobytes(), "unreadable-photo"),
        (jpeg(8, 8), "unreadable-photo"),
        (jpeg(1921, 40), "too-large"),
        (jpeg(64, 36) + bytes(600 * 1024), "too-large"),
    ],
)
def test_what_is_no_frame_is_refused_before_it_is_decoded(
    phones: Phones, made: Made, data: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(Refused, match=why):
        phones.take(SENDER, data, TIMES, None)
    assert not made


def test_a_deck_that_the_networks_do_not_know_is_refused(phones: Phones, made: Made) -> None:
    with pytest.raises(Refused, match="no-reader"):
        phones.take(replace(SENDER, ruleset="toy-leap"), None, TIMES, None)
    assert not made


def test_an_outbox_that_fails_is_no_watcher(tmp_path: Path) -> None:
    def make(*_: Any) -> Any:
        raise OutboxError("the disk is full")

    phones = Phones(Place("http://127.0.0.1:1", tmp_path), make)
    with pytest.raises(Refused, match="no-watcher"):
        phones.take(SENDER, None, TIMES, None)
    phones.close()


def test_outboxes_of_long_ago_are_deleted(tmp_path: Path, made: Made) -> None:
    old, new, faces = (tmp_path / name for name in ("a-b.sqlite3", "c-d.sqlite3", "faces.sqlite3"))
    for file in (old, new, faces):
        file.write_bytes(b"")
    then = time.time() - KEPT - 60
    os.utime(old, (then, then))
    os.utime(faces, (then, then))
    Phones(Place("http://127.0.0.1:1", tmp_path), made).close()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["c-d.sqlite3", "faces.sqlite3"]
