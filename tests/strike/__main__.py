"""``python -m tests.strike``: strike a server as it comes, while people play on at a table beside.

Each strike has a server of its own and another address than the table; at the end all strike one
server together.
"""

import argparse
import sys
import threading
import time
from collections.abc import Sequence
from statistics import quantiles

from tests.strike.stage import Client, stage
from tests.strike.strikes import STRIKES, Strike

# Below this many moves a percentile says nothing.
FEWEST_MOVES = 50


def strike(strikes: Sequence[Strike]) -> tuple[list[str], list[str], str]:
    """Strike a fresh server, with several at once; return what was found, slow, and the figures."""
    found: list[str] = []
    with stage() as on:
        before, began = on.memory(), time.monotonic()

        def run(one: Strike, nobody: Client) -> None:
            try:
                found.extend(one(on, nobody))
            except Exception as error:
                found.append(f"{one.__name__} ended: {error!r}")

        attackers = [
            threading.Thread(target=run, args=(one, Client(on.port, address=f"127.0.66.{i}")))
            for i, one in enumerate(strikes, 1)
        ]
        for attacker in attackers:
            attacker.start()
        for attacker in attackers:
            attacker.join()
        took, grown, moves = time.monotonic() - began, on.memory() - before, on.normal.seconds
        found += [f"the table beside: {failure}" for failure in on.normal.failed]
        if "Traceback" in on.said():
            found.append("the log holds a traceback")
        if on.process.poll() is not None:
            found.append("the server has ended")
    beside = f"{len(moves)} moves beside"
    if len(moves) >= FEWEST_MOVES:
        beside += f", p99 {1000 * quantiles(moves, n=100)[-1]:.0f} ms"
    return found, on.slow, f"{took:6.1f} s {grown:+6.0f} MB  {beside}"


def main() -> int:
    """Strike with everything, or with what is named."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.strike",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = {one.__name__: one for one in STRIKES}
    parser.add_argument("strikes", nargs="*", metavar="STRIKE", help=", ".join(names))
    wanted = parser.parse_args().strikes
    if unknown := set(wanted) - set(names):
        parser.error(f"no such strike: {', '.join(sorted(unknown))}")
    runs: list[tuple[str, Sequence[Strike]]] = [(one, (names[one],)) for one in wanted or names]
    if not wanted:
        runs.append(("all together", STRIKES))
    failed = 0
    for name, strikes in runs:
        harm, slow, figures = strike(strikes)
        found = [*harm, *slow]
        failed += bool(found)
        sys.stdout.write(f"{'BROKEN' if found else 'held':6} {name:20} {figures}\n")
        sys.stdout.writelines(f"         {line}\n" for line in found)
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
