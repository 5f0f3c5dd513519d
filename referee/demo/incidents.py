"""What goes wrong in a game with a board: a wrong move, a pulled cable, a server that is killed."""

import time
from typing import TYPE_CHECKING

from referee.demo.client import DemoError, Json
from referee.demo.devices import wait_until
from referee.demo.server_process import ServerProcess
from referee.rules import actions as act
from referee.rules.actions import Move

if TYPE_CHECKING:
    from referee.demo.board_table import BoardTable

# Before which move of the round each happens, at the earliest.
WRONG_MOVE = 5
CABLE = 9
KILL = 18
DARK_SECONDS = 5.0
# So many moves are made by phone while the cable is out.
DARK_MOVES = 3


class Incidents:
    """Each happens once; ``done`` says which have."""

    def __init__(self, table: "BoardTable", server: ServerProcess) -> None:
        self._table = table
        self._server = server
        self._moves = 0
        self._dark_since: float | None = None
        self._dark_moves = 0
        self.done: list[str] = []

    @property
    def dark(self) -> bool:
        """Whether the board's cable is out."""
        return self._dark_since is not None

    def before(self, move: Move) -> None:
        """Something goes wrong before a move."""
        self._moves += 1
        if self.dark:
            self._dark_moves += 1
            if self._dark_moves > DARK_MOVES:
                self.in_the_dark()
            return
        view = self._table.look()
        if self._moves >= WRONG_MOVE and "wrong move" not in self.done:
            self._move_wrongly(view)
        if "cable" not in self.done and (
            self._moves >= CABLE or isinstance(move, act.ChoosePowers)
        ):
            self._pull()

    def after(self, entry: Json) -> None:
        """When a move leaves a tower to be moved, the server is killed, and the tower moved."""
        due = entry.get("discrepancies", ())
        if self.dark or self._moves < KILL or not due or "kill" in self.done:
            return
        self.done.append("kill")
        table, item = self._table, due[0]
        self._server.kill()
        table.tell(f"The server is killed. {item['text']} Nobody hears of it yet.")
        table.put(item["power"], item["should"])
        time.sleep(1)
        self._server.start()
        view = table.wait_until_seen()
        if any(found["power"] == item["power"] for found in view["discrepancies"]):
            raise DemoError(f"After its restart the server still has {item['text']!r}")
        table.tell("The server is back, and the gateway has told it.")

    def in_the_dark(self) -> None:
        """Wait until the cable has been out long enough, and plug it in again."""
        if self._dark_since is None:
            return
        time.sleep(max(0.0, self._dark_since + DARK_SECONDS - time.monotonic()))
        self._table.board.do("plug")
        self._dark_since = None
        view = self._table.wait_until_seen()
        self._table.tell("The cable is in again: the board says where everything stands.")
        choosing = any(need["need"] == "powers" for need in view["state"]["awaiting"])
        if view["discrepancies"] and not choosing:
            raise DemoError(f"Back from the dark, and wrong: {view['discrepancies']}")

    def finish(self) -> None:
        """The round is over. Raises DemoError when something that should go wrong has not."""
        self.in_the_dark()
        missing = {"wrong move", "cable", "kill"} - set(self.done)
        if missing:
            raise DemoError(f"The round was too short for this: {', '.join(sorted(missing))}.")

    def _move_wrongly(self, view: Json) -> None:
        """Somebody moves a tower that is not theirs to move, and puts it back when told."""
        table, state = self._table, view["state"]
        if state["turn"] is None or view["discrepancies"]:
            return
        power, holder = next(iter(state["powers"].items()))
        seats = range(1, len(view["seats"]) + 1)
        thief = next(seat for seat in seats if seat not in (holder, state["turn"]))
        self.done.append("wrong move")
        table.put(power, thief)
        (said,) = table.wait_until_seen()["discrepancies"]
        expected = {"power": power, "kind": "misplaced", "is": thief, "should": holder}
        if {name: said[name] for name in expected} != expected:
            raise DemoError(f"Moved wrongly to seat {thief}: {power}. The referee says {said}.")
        table.tell(said["text"])
        wait_until(
            lambda: table.board.lit().get(holder), f"the light where {power} belongs is not on"
        )
        table.put(power, holder)
        if table.wait_until_seen()["discrepancies"]:
            raise DemoError(f"Put back, and still wrong: {power}.")
        wait_until(lambda: not table.board.lit() or None, "the lights stay on")
        table.tell("It is put back. The light that showed the place is out again.")

    def _pull(self) -> None:
        self.done.append("cable")
        self._table.board.do("unplug")
        self._dark_since = time.monotonic()
        self._table.tell(f"The board's cable is pulled, for {DARK_SECONDS:.0f} seconds.")
