"""What answers mean, and how long to wait."""

import pytest

from hardware.gateway.api import Reply
from hardware.gateway.posting.poster import judge_reply

PROBLEM = {"type": "/problems/any", "detail": "as it is"}


@pytest.mark.parametrize(
    ("status", "body", "fate"),
    [
        (201, {"id": 5}, "taken"),
        (200, {"id": 5}, "taken"),
        (200, {"welcome": "to the hotel's network"}, "again"),
        (204, None, "again"),
        (302, None, "again"),
        (400, PROBLEM, "unfit"),
        (401, PROBLEM, "refused"),
        (403, PROBLEM, "refused"),
        (404, PROBLEM, "refused"),
        (404, None, "again"),
        (404, {"type": "about:blank"}, "again"),
        (408, PROBLEM, "again"),
        (409, PROBLEM, "contested"),
        (412, PROBLEM, "contested"),
        (413, PROBLEM, "unfit"),
        (413, None, "again"),
        (422, PROBLEM, "unfit"),
        (422, None, "again"),
        (429, PROBLEM, "again"),
        (500, PROBLEM, "again"),
        (503, None, "again"),
    ],
)
def test_fates(status: int, body: dict[str, object] | None, fate: str) -> None:
    verdict = judge_reply(Reply(status, body), 0.0)
    assert verdict.fate == fate
    assert bool(verdict.why) == (fate != "taken")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("Thu, 01 Jan 1970 00:01:50 GMT", 10.0),
        ("Thu, 01 Jan 1970 00:00:50 GMT", 0.0),
        ("99999", 300.0),
        ("soon", 0.0),
        ("-5", 0.0),
        ("", 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(text: str, seconds: float) -> None:
    assert judge_reply(Reply(503, PROBLEM, 0.0, {"Retry-After": text}), 100.0).wait == seconds
