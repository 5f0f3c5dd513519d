"""``python -m tests.random_tables --mix corrections --tables 500``: random tables, as many as said.

``--http`` plays on a server of its own instead of in this process.
"""

import argparse
import sys

from tests.random_tables.driver import MIXES, play_tables
from tests.random_tables.transports import in_process
from tests.strike.stage import Client, Stage, stage


def main() -> int:
    """Play the tables and print what was done; 1 when a promise was not kept."""
    parser = argparse.ArgumentParser("python -m tests.random_tables", description=__doc__)
    parser.add_argument("--mix", choices=MIXES, default="nonsense", help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first table (%(default)s)")
    parser.add_argument("--tables", type=int, default=10, help="how many (%(default)s)")
    parser.add_argument("--steps", type=int, default=60, help="at each (%(default)s)")
    parser.add_argument("--http", action="store_true", help="on a server of its own")
    args = parser.parse_args()
    found: list[str] = []
    seeds = range(args.seed, args.seed + args.tables)
    with stage(REFEREE_LIMITS="off") if args.http else in_process() as server:
        nobody = Client(server.port) if isinstance(server, Stage) else server
        tally = play_tables(nobody, args.mix, seeds, args.steps, found)
    for name, counter in tally.items():
        sys.stdout.write(f"{name}: {dict(counter.most_common())}\n")
    sys.stdout.writelines(f"{one}\n" for one in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
