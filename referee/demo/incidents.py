"""The incidents of a board demo: a misplaced tower, a pulled cable, a killed server."""

import time
from typing import TYPE_CHECKING

from referee.demo.client import DemoError, Json
from referee.demo.devices import wait_until
from referee.demo.server_process import ServerProcess
from referee.rules import actions as act
from referee.rules.actions import Move

if TYPE_CHECKING:
    from referee.demo.board_table import BoardTable

# The earliest move of the round for each incident.
WRONG_MOVE = 5
CABLE = 9
KILL = 18
UNPLUGGED_SECONDS = 5.0
# Moves made by phone while the cable is out.
UNPLUGGED_MOVES = 3


class Incidents:
    """Causes each incident once, and checks that the referee recovers."""

    def __init__(self, table: "BoardTable", server: ServerProcess) -> None:
        self._table = table
        self._server = server
        self._moves = 0
        self._unplugged_at: float | None = None
        self._unplugged_moves = 0
        self.done: list[str] = []

    @property
    def unplugged(self) -> bool:
        """True while the board's cable is out."""
        return self._unplugged_at is not None

    def before(self, move: Move) -> None:
        """Misplace a tower or pull the cable, if it is time."""
        self._moves += 1
        if self.unplugged:
            self._unplugged_moves += 1
            if self._unplugged_moves > UNPLUGGED_MOVES:
                self.plug_in()
            return
        view = self._table.look()
        if self._moves >= WRONG_MOVE and "wrong move" not in self.done:
            self._move_wrongly(view)
        if "cable" not in self.done and (
            self._moves >= CABLE or isinstance(move, act.ChoosePowers)
        ):
            self._pull()

    def after(self, entry: Json) -> None:
        """Kill the server when a tower has to be moved, move it, and start the server again."""
        due = entry.get("discrepancies", ())
        if self.unplugged or self._moves < KILL or not due or "kill" in self.done:
            return
        self.done.append("kill")
        table, item = self._table, due[0]
        self._server.stop(kill=True)
        table.tell(f"The server is killed. {item['text']} Nobody can report it yet.")
        table.put(item["power"], item["should"])
        time.sleep(1)
        self._server.start()
        view = table.wait_until_seen()
        if any(found["power"] == item["power"] for found in view["discrepancies"]):
            raise DemoError(f"After its restart the server still reports {item['text']!r}")
        table.tell("The server is back, and the gateway has told it.")

    def plug_in(self) -> None:
        """Wait until the cable has been out long enough, and plug it in again."""
        if self._unplugged_at is None:
            return
        time.sleep(max(0.0, self._unplugged_at + UNPLUGGED_SECONDS - time.monotonic()))
        self._table.board.do("plug")
        self._unplugged_at = None
        view = self._table.wait_until_seen()
        self._table.tell("The cable is in again: the board says where everything stands.")
        choosing = any(need["need"] == "powers" for need in view["state"]["awaiting"])
        if view["discrepancies"] and not choosing:
            raise DemoError(f"Plugged in again, and wrong: {view['discrepancies']}")

    def finish(self) -> None:
        """Raise DemoError if an incident has not happened by the end of the round."""
        self.plug_in()
        missing = {"wrong move", "cable", "kill"} - set(self.done)
        if missing:
            raise DemoError(f"The round was too short for {', '.join(sorted(missing))}.")

    def _move_wrongly(self, view: Json) -> None:
        """Move a tower to the wrong seat, and put it back when the referee says so."""
        table, state = self._table, view["state"]
        if state["turn"] is None or view["discrepancies"]:
            return
        power, holder = next(iter(state["powers"].items()))
        seats = range(1, len(view["seats"]) + 1)
        thief = next(seat for seat in seats if seat not in (holder, state["turn"]))
        self.done.append("wrong move")
        table.put(power, thief)
        (found,) = table.wait_until_seen()["discrepancies"]
        expected = {"power": power, "kind": "misplaced", "is": thief, "should": holder}
        if {name: found[name] for name in expected} != expected:
            raise DemoError(f"{power} was moved to seat {thief}, but the referee says {found}.")
        table.tell(found["text"])
        wait_until(
            lambda: table.board.lit().get(holder), f"the light where {power} belongs is not on"
        )
        table.put(power, holder)
        if table.wait_until_seen()["discrepancies"]:
            raise DemoError(f"{power} was put back and is still reported.")
        wait_until(lambda: not table.board.lit() or None, "the lights stay on")
        table.tell("It is put back. The light that showed the place is out again.")

    def _pull(self) -> None:
        self.done.append("cable")
        self._table.board.do("unplug")
        self._unplugged_at = time.monotonic()
        self._table.tell(f"The board's cable is pulled, for {UNPLUGGED_SECONDS:.0f} seconds.")
