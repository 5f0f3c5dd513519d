"""A server for all rounds of a module, and what counts as a fault of a round."""

from collections.abc import Iterator

import cv2
import pytest

from referee.demo.http.server_process import ServerProcess, running_server
from referee.demo.players.captions import Caption, Snapshot

FAULTS = ("wrong", "missed", "doubled", "invented", "puzzled")


class Unseen:
    def update(self, scene: Snapshot, line: Caption) -> None:
        """Nobody watches."""


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    cv2.setNumThreads(1)
    with running_server() as running:
        yield running
