"""What answers mean, and how long to wait."""

import pytest

from hardware.gateway.api import Reply
from hardware.gateway.posting.poster import judge_reply
from tests.tables import tables

CASES = tables(__file__)


@pytest.mark.parametrize(("status", "body", "fate"), CASES["fates"])
def test_fates(status: int, body: str, fate: str) -> None:
    verdict = judge_reply(Reply(status, CASES["bodies"].get(body)), 0.0)
    assert verdict.fate == fate
    assert bool(verdict.why) == (fate != "taken")


@pytest.mark.parametrize(("text", "seconds"), CASES["waits"])
def test_retry_after_is_seconds_or_a_date(text: str, seconds: float) -> None:
    reply = Reply(503, CASES["bodies"]["problem"], 0.0, {"Retry-After": text})
    assert judge_reply(reply, 100.0).wait == seconds
