"""A recording of observations that went to the server in one request."""

import json
from pathlib import Path
from typing import Any

from hardware.gateway.api import Reply
from hardware.gateway.config import ServerConfig
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.poster import batch_body
from hardware.gateway.recording.tape import Tape, TapedApi
from tests.hardware.gateway.fakes import TOKEN, FakeReferee, seen


def test_observations_that_went_together_are_recorded_one_by_one(
    fake: FakeReferee, tmp_path: Path
) -> None:
    tape = Recorded()
    api = TapedApi(ServerConfig(fake.url, "t1"), TOKEN, "Board", tape)
    outbox = Outbox(tmp_path / "outbox", "t1")
    outbox.open()
    outbox.put("Board", [seen(number) for number in range(1, 11)], {})
    fake.most_of_batch = 9
    api.post(api.table_path("/observations/batch"), batch_body(outbox.oldest("Board", 50)), "k")
    outbox.close()
    api.close()
    assert [(body["powers"]["U"], status) for body, status in tape.posts] == [
        (number, 201) for number in range(1, 10)
    ]


class Recorded(Tape):
    """A tape that keeps what was posted."""

    def __init__(self) -> None:
        super().__init__()
        self.posts: list[tuple[Any, int]] = []

    def posted(self, device: str, key: str, body: bytes, reply: Reply | None) -> None:
        assert (device, bool(key)) == ("Board", True)
        self.posts.append((json.loads(body), reply.status if reply else 0))
