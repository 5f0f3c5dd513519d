"""Counted: observations through a bad wire, all in the server's log once and in order.

``python -m tests.hardware.fault_run --observations 10000``: the real server and the real gateway,
each a process, and a virtual board on a pseudo terminal whose wire corrupts and drops bytes, and
whose cable is pulled again and again. It prints what it found and exits 1 if anything is missing,
doubled or out of order. ``--kills 30`` kills the gateway as often, ``--outage 120`` the server, for
so many seconds, and ``--lost 0.5`` has half of the server's answers never arrive.
"""

import argparse
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.ports import PtyPort
from hardware.virtual_board.wire import Faults
from referee.demo.http.client import Client
from referee.demo.http.devices import Gateway, board_at
from referee.demo.http.server_process import ServerProcess, running_server
from tests.hardware.board.rigs import TOWERS, Firmware, Hand
from tests.hardware.lost_answers import LostAnswers
from tests.paging import all_items
from tests.waiting import PATIENCE, until

SEATS = 10
# How much faster than real time the board is: its debouncing takes most of the time.
SPEED = 20.0
# The board keeps 512 messages, two for each placement, and says so when it has to drop some, which
# is tested elsewhere. People rest before.
MOST_KEPT = 400


@dataclass
class Found:
    """What came of a run."""

    made: int
    arrived: int
    unknown: int
    again: int
    disconnects: int
    wire: dict[str, int]
    answers: int
    lost: int
    seconds: float


@dataclass(frozen=True)
class Run:
    """What to do: how many placements, disconnects and kills; the share of bytes lost; the seed.

    ``outage``: for how many seconds the server is dead, half way. ``lost``: the share of its
    answers that the gateway never hears.
    """

    observations: int = 10_000
    disconnects: int = 10
    rate: float = 0.01
    seed: int = 1
    kills: int = 0
    outage: float = 0.0
    lost: float = 0.0


def run(args: Run) -> Found:
    """Move powers about and compare the server's log with what was done. Raises AssertionError."""
    began = time.monotonic()
    bad = Faults(corrupt=args.rate, drop=args.rate)
    with tempfile.TemporaryDirectory() as name, running_server() as server:
        folder = Path(name)
        wish = {"ruleset": "power-grab", "seats": [f"P{n}" for n in range(SEATS)]}
        table = Client(server.url).post("/tables", wish).body
        table_id = table["table"]["id"]
        host = Client(server.url, table["token"])
        device = host.post(f"/tables/{table_id}/devices", {"name": "Board", "kind": "board"}).body
        firmware = Firmware(SEATS)
        board = VirtualBoard(
            PtyPort(folder / "board"),
            seats=SEATS,
            to_host=bad,
            to_board=bad,
            seed=args.seed,
            speed=SPEED,
            make_firmware=firmware,
        )
        for power in TOWERS:
            board.place(power, 0)
        way = LostAnswers(server.url, args.lost, args.seed)
        with closing(way), board:
            gateway = Gateway(
                folder, way.url, table_id, [board_at(folder / "board", device["token"])]
            )
            try:
                until(lambda: sensed(host, table_id) == dict.fromkeys(TOWERS, 0), 0.1, "no start")
                made = move_about(board, firmware, args, lambda: _kill(gateway), server)
                where = dict(made)
                _wait_until_all_is_there(gateway, lambda: sensed(host, table_id) == where)
                wire = board.view().to_host
            finally:
                gateway.stop()
        counts = compare(made, log(host, table_id))
    seconds = time.monotonic() - began
    return Found(len(made), *counts, args.disconnects, dict(wire), way.answers, way.lost, seconds)


def move_about(
    board: VirtualBoard,
    firmware: Firmware,
    args: Run,
    kill: Callable[[], None],
    server: ServerProcess,
) -> list[tuple[str, int]]:
    """Move powers one after another; in between pull the cable, kill the gateway and the server."""
    made = []
    rng = Random(args.seed)
    count = args.observations
    pulls = {count * (n + 1) // (args.disconnects + 1) for n in range(args.disconnects)}
    kills = {count * (n + 1) // (args.kills + 1) for n in range(args.kills)}
    revival = threading.Timer(args.outage, server.start)
    hand = Hand(board, firmware.wait, args.seed)
    for number in range(1, count + 1):
        made.append(hand.move())
        if number in pulls:
            # The short ones lose what is under way, the long ones make all unknown.
            board.unplug(rng.choice((0.1, 1.0, 3.0)) * SPEED)
        if number in kills:
            kill()
        if args.outage and number == count // 2:
            server.stop(kill=True)
            revival.start()
        until(lambda: firmware.unacknowledged() < MOST_KEPT, 0.002, "the board is not heard")
        if number % 1000 == 0:
            _say(f"{number} placements made")
    if args.outage:
        revival.join()
    return made


def _kill(gateway: Gateway) -> None:
    gateway._process._process.kill()
    gateway._process._process.wait()
    gateway.start()


def _wait_until_all_is_there(gateway: Gateway, at_its_end: Callable[[], bool]) -> None:
    """As long as the gateway gets rid of something: many wait after an outage."""
    end, most = time.monotonic() + PATIENCE, 0
    while not at_its_end():
        delivered = sum(one["queue"]["delivered"] for one in gateway.status().get("devices", []))
        if delivered > most:
            end, most = time.monotonic() + PATIENCE, delivered
        assert time.monotonic() < end, f"nothing comes any more: {gateway.status()}"
        time.sleep(0.5)


def sensed(host: Client, table_id: str) -> dict[str, object]:
    """Where the server has it that the powers are."""
    return host.get(f"/tables/{table_id}")["sensed"]


def log(host: Client, table_id: str):
    """All observations of the table's log, in order."""
    for entry in all_items(host.get, f"/tables/{table_id}/events"):
        if entry["kind"] == "observed":
            yield entry["observation"]["powers"]


def compare(made, observed):
    """Every placement is there once and in order; silences and returns from them are counted."""
    seen: dict[str, object] = {}
    dark: set[str] = set()
    unknown = again = arrived = 0
    wanted = iter(made)
    first = True
    late: deque[object] = deque(maxlen=6)
    for powers in observed:
        late.append(powers)
        if first:
            # The board as it was found.
            assert powers == dict.fromkeys(TOWERS, 0), powers
            seen, first = dict(powers), False
            continue
        for power, position in powers.items():
            if position in ("unknown", "lifted"):
                unknown += 1
                dark.add(power)
            elif power in dark and seen[power] == position:
                again += 1
                dark.discard(power)
            else:
                due = next(wanted, None)
                assert (power, position) == due, f"{made[arrived - 3 : arrived + 4]} came as {late}"
                seen[power] = position
                dark.discard(power)
                arrived += 1
    missing = list(wanted)
    assert not missing, f"{len(missing)} are missing, the first {missing[0]}"
    return arrived, unknown, again


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.hardware.fault_run", description=__doc__)
    parser.add_argument("--observations", type=int, default=10_000, metavar="N")
    parser.add_argument("--disconnects", type=int, default=10, metavar="N")
    parser.add_argument("--rate", type=float, default=0.01, help="of bytes corrupted, and dropped")
    parser.add_argument("--kills", type=int, default=0, metavar="N", help="of the gateway")
    parser.add_argument("--outage", type=float, default=0.0, help="seconds without a server")
    parser.add_argument("--lost", type=float, default=0.0, help="share of answers, lost")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        found = run(Run(**vars(args)))
    except AssertionError as error:
        _say(f"FAILED: {error}")
        return 1
    sys.stdout.write(
        f"{found.made} placements through {found.disconnects} disconnects, {args.kills} kills of "
        f"the gateway, {args.outage:.0f} s without a server, {found.lost} of {found.answers} "
        f"answers lost and a wire with {found.wire}: "
        f"{found.arrived} in the log, each once and in order; "
        f"{found.unknown} times a power was unknown or in hand, {found.again} times seen again "
        f"where it was; {found.seconds:.0f} s\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
