"""Being forgotten by the host is told once, also between two tables."""

import threading
from typing import Any

import pytest

from hardware.gateway.along import Along
from hardware.gateway.api import Api, Reply
from hardware.gateway.config import ServerConfig
from tests.waiting import until

SERVER = ServerConfig("http://referee.test", "t1")


def asked(monkeypatch: pytest.MonkeyPatch, known: threading.Event, body: Any) -> Along:
    """Return what has had this answer from the server at least once."""
    answered = threading.Event()

    def post(*_: object) -> Reply:
        if not answered.is_set():
            answered.set()
            return Reply(200, body)
        return Reply(503, None)

    monkeypatch.setattr(Api, "post", post)
    along = Along(SERVER, "key", known)
    with along:
        until(answered.is_set)
    return along


def test_a_host_who_has_not_answered_yet_has_not_forgotten_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not asked(monkeypatch, threading.Event(), {"known": False}).notice_forgotten()


def test_being_forgotten_while_it_moves_to_another_table_is_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = threading.Event()
    assert not asked(monkeypatch, known, {"known": True}).notice_forgotten()
    along = asked(monkeypatch, known, {"known": False})
    assert along.notice_forgotten()
    assert not along.notice_forgotten()
    assert not asked(monkeypatch, known, {"known": False}).notice_forgotten()
