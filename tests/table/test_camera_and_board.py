"""A table with a camera and a board: nobody enters what they lay or take."""

from collections.abc import Mapping
from random import Random
from typing import Any

from bench.table.rounds import PostingCamera
from referee.demo.http.server_process import ServerProcess
from referee.demo.rounds.camera_table import SEEN, CameraGame, CameraTable
from referee.demo.rounds.game import Plan
from tests.table.conftest import Unseen
from tests.table.told_pile import ToldPile


class FeelingBoard:
    """A board whose gateway posts at once."""

    def __init__(self, device: PostingCamera) -> None:
        self._device = device

    def put(self, power: str, place: int) -> None:
        self._device.post({"kind": "powers", "powers": {power: place}})

    def wait_until_delivered(self, count: int) -> None:
        """Everything was delivered at once."""


def test_towers_are_chosen_right_after_a_card_that_nobody_said(server: ServerProcess) -> None:
    # The camera's ruling on the card and the choice come between two looks at the log.
    plan = Plan("power-grab", 4, 1, 1, SEEN, 0)
    table = CameraTable(server.url, plan.ruleset, plan.names, {"target": 1})
    camera = PostingCamera(server.url, table.id, table.register_camera())
    board: Any = FeelingBoard(PostingCamera(server.url, table.id, table.register_board()))
    table.use(board, board)
    table.watch(ToldPile(4, camera.post, Random(1)), Random(3))
    CameraGame(plan, Unseen(), table).play()
    log = table._entries(0)
    chosen: list[Mapping[str, Any]] = [
        e["move"] for e in log if e["kind"] == "moved" and e["move"]["move"] == "powers"
    ]
    counts, by_device = table.tally.counts, table.counts["choices"]
    assert by_device == len(chosen) >= 3
    assert counts["right"] == counts["placed"], table.tally.troubles
