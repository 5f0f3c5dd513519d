"""A table whose towers stand on a sensor board, so that moving them needs no phone.

Its incidents: a misplaced tower, a pulled cable, a killed server.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

from referee.demo.http.client import Answer, DemoError, Json
from referee.demo.http.devices import Gateway, VirtualBoard, board_at, wait_until
from referee.demo.http.phone_table import PhoneTable
from referee.demo.http.server_process import ServerProcess
from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.ruleset import find_ruleset
from referee.texts.catalog import counted

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
        if any(open_item["power"] == item["power"] for open_item in view["discrepancies"]):
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
        (reported,) = table.wait_until_seen()["discrepancies"]
        expected = {"power": power, "kind": "misplaced", "is": thief, "should": holder}
        if {name: reported[name] for name in expected} != expected:
            raise DemoError(f"{power} was moved to seat {thief}, but the referee says {reported}.")
        table.tell(reported["text"])
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


@contextmanager
def table_with_board(
    server: ServerProcess, ruleset: str, names: tuple[str, ...]
) -> Iterator["BoardTable"]:
    """Start a table with a virtual board and a gateway; stop them at the end. Raises DemoError."""
    table = BoardTable(server.url, ruleset, names, {"target": 1})
    with tempfile.TemporaryDirectory(prefix="referee-board-") as name, ExitStack() as stack:
        folder = Path(name)
        board = VirtualBoard(folder, len(names), find_ruleset(ruleset).powers)
        stack.callback(board.stop)
        token = table.register_board()
        gateway = Gateway(folder, server.url, table.id, [board_at(board.port, token)])
        stack.callback(gateway.stop)
        table.use(board, gateway, Incidents(table, server))
        yield table


class BoardTable(PhoneTable):
    """A table with a board and a gateway.

    Cards are entered by phone. Players choose towers by moving them, and move the towers as the
    referee asks.
    """

    def __init__(self, server: str, ruleset: str, names: tuple[str, ...], options: Json) -> None:
        super().__init__(server, ruleset, names, options)
        self.counts: Counter[str] = Counter()
        self._board: VirtualBoard | None = None
        self._gateway: Gateway | None = None
        self._incidents: Incidents | None = None
        self.stands: dict[str, int] = {}

    def register_board(self) -> str:
        """Register a board and return its token."""
        wish = {"name": "Board", "kind": "board"}
        device = self._write(self.host, "devices", wish)
        return str(device["token"])

    def use(
        self, board: VirtualBoard, gateway: Gateway, incidents: Incidents | None = None
    ) -> None:
        """Play with a board from now on: put the powers into its tray, and await its report."""
        self._board, self._gateway, self._incidents = board, gateway, incidents
        for power in find_ruleset(self.ruleset).powers:
            self.put(power, 0)
        self.wait_until_seen()

    @property
    def board(self) -> VirtualBoard:
        """The board. Raises DemoError before ``use``."""
        if self._board is None:
            raise DemoError("There is no board at the table yet.")
        return self._board

    def look(self) -> Json:
        """Read the table."""
        return self.host.get(f"/tables/{self.id}")

    def put(self, power: str, place: int) -> None:
        """Move a power by hand."""
        self.board.put(power, place)
        self.stands[power] = place
        self.counts["moved"] += 1

    def wait_until_seen(self) -> Json:
        """Wait until the referee sees every power in its place, and return the table."""

        def seen() -> Json | None:
            view = self.look()
            return view if view["sensed"] == self.stands else None

        view = wait_until(
            seen, f"the referee does not see the powers where they are: {self.stands}"
        )
        self.version = max(self.version, view["version"])
        return view

    def move(self, move: Move, rng: Random) -> Json:
        """Make a move by phone or by moving towers, then put discrepancies right."""
        if self._board is None:
            return super().move(move, rng)
        incidents = self._incidents
        if incidents is not None:
            incidents.before(move)
        entry = self._choose(move) if isinstance(move, act.ChoosePowers) else None
        entry = entry or super().move(move, rng)
        if incidents is not None:
            incidents.after(entry)
        self._put_right(entry)
        return entry

    def settle(self) -> None:
        """Wait for the gateway, and check that the log has every observation once."""
        if self._board is None or self._gateway is None:
            return
        if self._incidents is not None:
            self._incidents.finish()
        self.wait_until_seen()
        self.version = self.look()["version"]
        entries = self._entries(0)
        observed = [entry for entry in entries if entry["kind"] == "observed"]
        self._gateway.wait_until_delivered(len(observed))
        self._check_each_once(observed)
        moved = [e for e in entries if e["kind"] == "moved" and e["by"]["role"] == "device"]
        chosen = [e for e in moved if e["move"]["move"] == "powers"]
        if len(chosen) != self.counts["choices"]:
            choices = self.counts["choices"]
            raise DemoError(f"{choices} choices were made by moving, {len(chosen)} are in the log.")
        self.counts["observations"] = len(observed)

    def report(self) -> tuple[str, ...]:
        """Summarise what the board reported."""
        moved = counted(self.counts["moved"], "time")
        chosen = counted(self.counts["choices"], "choice was", "choices were")
        seen = counted(self.counts["observations"], "observation")
        return (
            f"Powers were moved {moved}, only on the board; {chosen} made so.",
            "One was moved wrongly: the referee said where it belongs, and its light showed it.",
            f"Through a pulled cable and a killed server: {seen}, each logged once.",
        )

    def _choose(self, move: act.ChoosePowers) -> Json | None:
        """Move the chosen towers; return None if the choice still has to be entered by phone."""
        after = self.version
        for power in move.powers:
            self.put(power, move.seat)
        if self._incidents:
            self._incidents.plug_in()

        def settled() -> Json | None:
            moves = (e for e in self._entries(after) if e["kind"] == "moved")
            # The log may also have a card that the camera reported just before.
            return next((e for e in moves if e["move"]["move"] == "powers"), None)

        view = self.wait_until_seen()
        if {"seat": move.seat, "need": "powers"} in view["state"]["awaiting"]:
            return None
        entry = wait_until(settled, "the choice made by moving is not in the log")
        self.counts["choices"] += 1
        return entry

    def _put_right(self, entry: Json) -> None:
        """Move the powers as the referee asks."""
        if self._board is None:
            return
        due = powers_only(entry.get("discrepancies", ()))
        for item in due:
            if self.stands[item["power"]] != item["should"]:
                self.put(item["power"], item["should"])
        if self._incidents is not None and self._incidents.unplugged:
            return
        if due:
            view = self.wait_until_seen()
            left = powers_only(view["discrepancies"])
            if left:
                raise DemoError(f"Still reported after it was put right: {left}")

    def _check_each_once(self, observed: list[Json]) -> None:
        """Raise DemoError if a power is reported twice in a row at the same place."""
        seen: dict[str, Any] = {}
        for entry in observed:
            for power, position in entry["observation"].get("powers", {}).items():
                if seen.get(power) == position:
                    raise DemoError(f"Entry {entry['id']} reports {power} at {position} again.")
                seen[power] = position

    def _entries(self, after: int) -> list[Json]:
        entries: list[Json] = []
        while True:
            page = self.host.get(f"/tables/{self.id}/events?after={after}&limit=200")
            entries += page["items"]
            if page["next"] is None:
                return entries
            after = page["next"]

    def _if_match(self) -> int | None:
        """Write without If-Match, as the board's observations may come at any time."""
        return None

    def _check_version(self, answer: Answer) -> None:
        if answer.version <= self.version:
            raise DemoError(f"The table has version {answer.version} after {self.version}.")


def powers_only(discrepancies: Iterable[Json]) -> list[Json]:
    """Return the discrepancies of powers, without those of the pile."""
    return [item for item in discrepancies if "power" in item]
