"""A camera game with a server in the same process: the camera reads well, and reports late."""

from pathlib import Path
from random import Random
from typing import Any

from referee.demo.http.client import Client
from referee.demo.rounds.camera_table import SEEN, CameraGame, CameraTable
from referee.demo.rounds.game import Plan
from tests.demo.in_process import app_for_demos
from tests.table.conftest import Unseen


class BlindToLifting:
    """Hands at a pile whose camera reports what is laid, and not what is taken away."""

    def __init__(self, table: CameraTable) -> None:
        self._camera = Client(table.server, table.register_camera())
        self._path = f"/tables/{table.id}/observations"
        self._pile: list[str] = []
        self.lifted: list[str] = []

    def lay(self, card: str, seat: int | None = None) -> None:
        self._pile.append(card)
        number = len(self._pile) + len(self.lifted)
        seen = {"kind": "pile", "number": number, "event": "placed", "cards": {card: 0.99}}
        self._camera.post(self._path, {**seen, "at": "2026-11-21T10:00:00.000+00:00"})

    def turn_up(self, card: str, seat: int) -> None:
        self.lay(card, seat)

    def lift(self) -> None:
        self.lifted.append(self._pile.pop())

    def draw(self, seat: int) -> None:
        """Nothing of it is seen."""

    def clear(self) -> None:
        """The game ends before the pile is cleared."""

    def disturb(self) -> None:
        """Nothing of it is seen."""


def test_a_card_that_everybody_saw_taken_back_is_no_secret(tmp_path: Path) -> None:
    plan = Plan("classic-112", players=2, seed=6, target=1, habits=SEEN, illegal_moves_per_round=1)
    with app_for_demos(tmp_path):
        table = CameraTable("http://demo.example", plan.ruleset, plan.names, {"target": 1})
        pile = BlindToLifting(table)
        table.watch(pile, Random(6))
        CameraGame(plan, Unseen(), table).play()
        page: dict[str, Any] = table.host.get(f"/tables/{table.id}/events?limit=200")
    [card] = pile.lifted
    # The referee goes on to say so, on top of the next card.
    told = [entry["discrepancies"] for entry in page["items"] if entry.get("discrepancies")]
    assert told[0][0]["kind"] == "take-back"
    assert told[0][0]["is"] == card
