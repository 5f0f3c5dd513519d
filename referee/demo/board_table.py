"""A table whose towers stand on a sensor board, so that moving them needs no phone."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

from referee.demo.client import Answer, DemoError, Json
from referee.demo.devices import Gateway, VirtualBoard, board_at, wait_until
from referee.demo.incidents import Incidents
from referee.demo.phone_table import PhoneTable
from referee.demo.server_process import ServerProcess
from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.ruleset import find_ruleset


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
        made = self._write(self.host, "devices", wish)
        return str(made["token"])

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
            made = self.counts["choices"]
            raise DemoError(f"{made} choices were made by moving, {len(chosen)} are in the log.")
        self.counts["observations"] = len(observed)

    def report(self) -> tuple[str, ...]:
        """Summarise what the board reported."""
        moved, chosen, seen = (self.counts[name] for name in ("moved", "choices", "observations"))
        return (
            f"Powers were moved {moved} times, only on the board; {chosen} choices were made so.",
            "One was moved wrongly: the referee said where it belongs, and its light showed it.",
            f"Through a pulled cable and a killed server: {seen} observations, each logged once.",
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
        found: list[Json] = []
        while True:
            page = self.host.get(f"/tables/{self.id}/events?after={after}&limit=200")
            found += page["items"]
            if page["next"] is None:
                return found
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
