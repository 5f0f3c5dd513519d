"""People at the simulated table correct a camera that mistakes what hands do."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from bench.table.rounds import PostingCamera
from referee.demo.http.server_process import running_server
from referee.demo.players.captions import Caption, Snapshot
from referee.demo.rounds.camera_table import SEEN, CameraGame, CameraTable, CameraTally
from referee.demo.rounds.game import Plan


class Unseen:
    def update(self, scene: Snapshot, line: Caption) -> None:
        """Nobody watches."""


class MistakenCamera:
    """Sees every card, and takes anything else hands do for a lift of the top card."""

    def __init__(self, post: Callable[[Mapping[str, Any]], None]) -> None:
        self._post, self._number = post, 0
        self.cards: list[str] = []
        self.mistaken = 0
        post({"kind": "camera", "state": "watching"})

    def _tell(self, event: str, card: str | None = None) -> None:
        self._number += 1
        cards = {"cards": {card: 0.9999}} if card else {}
        self._post({"kind": "pile", "number": self._number, "event": event, **cards})

    def lay(self, card: str, seat: int | None = None) -> None:
        self.cards.append(card)
        self._tell("placed", card)

    def turn_up(self, card: str, seat: int) -> None:
        self.lay(card)

    def draw(self, seat: int) -> None:
        """It does not look at the draw pile."""

    def lift(self) -> None:
        self.cards.pop()
        self._tell("lifted", self.cards[-1])

    def clear(self) -> None:
        self.cards.clear()
        self._tell("cleared")

    def disturb(self) -> None:
        if len(self.cards) > 1 and len(set(self.cards[-2:])) == 2:
            self.mistaken += 1
            self._tell("lifted", self.cards[-2])


class ImaginingCamera(MistakenCamera):
    """Takes a pile that is picked up for shuffling for an illegal card laid on it."""

    def disturb(self) -> None:
        """It is not disturbed."""

    def clear(self) -> None:
        color, _, sign = self.cards[-1].partition("-")
        self.cards.clear()
        if not sign.isdecimal():
            self._tell("cleared")
            return
        other = "blue" if color != "blue" else "green"
        self.mistaken += 1
        self._tell("placed", f"{other}-{(int(sign) + 4) % 9 + 1}")


def played(players: int, camera: type[MistakenCamera]) -> tuple[MistakenCamera, CameraTally]:
    plan = Plan("classic-108", players, 5, 1, SEEN, 0)
    with running_server() as server:
        table = CameraTable(server.url, plan.ruleset, plan.names, {"target": 1})
        pile = camera(PostingCamera(server.url, table.id, table.register_camera()).post)
        table.watch(pile, Random(3))
        CameraGame(plan, Unseen(), table).play()
    return pile, table.tally


def test_what_was_made_of_the_pile_being_shuffled_is_undone() -> None:
    pile, tally = played(10, ImaginingCamera)
    assert pile.mistaken == tally.counts["wrong"] > 0, tally.troubles
    assert tally.counts["right"] == tally.counts["placed"]


def test_a_card_that_lies_there_still_is_said_again() -> None:
    pile, tally = played(3, MistakenCamera)
    counts = tally.counts
    assert pile.mistaken >= 2
    assert counts["invented"] >= 2, tally.troubles
    assert counts["right"] + counts["asked"] + counts["missed"] == counts["placed"]
