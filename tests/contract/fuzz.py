"""``python -m tests.contract.fuzz --hours 1``: the whole API as everybody, for as long as is said.

Round after round a fresh table of another deck is played some way on, and every operation is sent
requests that its description allows, and some that it does not, as everybody in turn. Reported are
a failure of the server, an answer that is not described, and somebody who is listened to but must
not be (docs/rights.md), each with the request.

Meanwhile random tables (tests/random_tables) are played on a server of their own and compared with
what was promised after every request, beside people who play. In a quarter of an hour or more its
memory at the end may be 1.2 times what it was after the warm-up. The seed is printed first, and
last.
"""

import argparse
import json
import logging
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count, takewhile
from pathlib import Path
from statistics import quantiles
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from referee.api import close_app, create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.rules.ruleset import rulesets
from tests.api.conftest import API, Reader, Seat, open_table
from tests.api.receiver import nowhere
from tests.api.test_rights_matrix import KEY, MATRIX, ROLES
from tests.contract.test_contract import PROMISED, filled_in
from tests.random_tables.driver import play_tables
from tests.strike.stage import Client, stage

EXAMPLES = 4
MOVES = 25
STEPS = 60
# The part of the time after which the server's memory has to stay, and how far it may grow.
# In a shorter run than this many seconds its caches are still filling.
WARM_UP, GROWTH, LONG_ENOUGH = 0.25, 1.2, 900.0


class Found(Exception):  # noqa: N818 - what it is
    """Something that must not be."""


def table_of(app: Any, chance: random.Random) -> tuple[Seat, dict[str, str | None]]:
    """A table of some deck in the middle of its game, or before it, and everybody's token."""
    begun = chance.random() < 0.8
    deck = chance.choice(sorted(rulesets()))
    host = open_table(app.test_client(), deck, opening=("red-7",) if begun else None)
    for _ in range(chance.randrange(MOVES) if begun else 0):
        legal = host.get("/legal-moves").get_json()["moves"]
        if legal:
            host.post("/moves", chance.choice(legal))
    code = host.get().get_json()["code"]
    watching = host.client.post(f"{API}/join", json={"code": code}).get_json()["token"]
    kind = chance.choice(("board", "camera"))
    device = host.post("/devices", {"name": "Eye", "kind": kind}).get_json()["token"]
    tokens = {
        "nobody": None,
        "stranger": open_table(app.test_client()).token,
        "spectator": watching,
        "device": device,
        "seat": host.seats[2].token,
        "host": host.token,
        "operator": KEY,
    }
    return host, tokens


class Fuzzer:
    """Sends, and counts what comes back."""

    def __init__(self, app: Any, first: int) -> None:
        self.app = app
        self.number = first
        self.sent: Counter[str] = Counter()
        self.answers: Counter[int] = Counter()
        self.found: dict[str, str] = {}

    def run(self, until: float) -> None:
        """Round after round, until it is time."""
        while time.monotonic() < until:
            chance = random.Random(self.number)
            for name in chance.sample(sorted(MATRIX), len(MATRIX)):
                self._try(name, *table_of(self.app, chance))
                if time.monotonic() > until:
                    break
            self.number += 1
            sys.stderr.write(f"round {self.number}: {self.sent.total()} requests\n")

    def _try(self, name: str, host: Seat, tokens: dict[str, str | None]) -> None:
        api = filled_in(host)
        operation = next(o.ok() for o in api.get_all_operations() if _is(o.ok(), name))
        mode = GenerationMode.NEGATIVE if self.number % 3 == 2 else GenerationMode.POSITIVE

        @seed(self.number)
        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            phases=[Phase.explicit, Phase.generate],
        )
        def sends(case: Any) -> None:
            for role in ROLES:
                self._send(name, role, case, tokens[role])

        # Where nothing can be sent wrong, there is nothing to break.
        with suppress(Unsatisfiable):
            sends()

    def _send(self, name: str, role: str, case: Any, token: str | None) -> None:
        answer = case.call(headers={"Authorization": f"Bearer {token}"} if token else {})
        self.sent[role] += 1
        self.answers[answer.status_code] += 1
        try:
            case.validate_response(answer, checks=PROMISED)
            if MATRIX[name][role] == "no" and answer.status_code < 400:
                raise Found(f"{role} is listened to")
        except (Exception, BaseExceptionGroup) as error:
            self._note(name, role, case, answer, error)

    def _note(self, name: str, role: str, case: Any, answer: Any, error: BaseException) -> None:
        reason = str(error).splitlines()[0]
        key = f"{name} {answer.status_code} {type(error).__name__} {reason}"
        if key not in self.found:
            self.found[key] = f"{key}, as {role}\n  {case.as_curl_command()}\n  {answer.text[:500]}"
            sys.stderr.write(self.found[key] + "\n")


@contextmanager
def struck(number: int, began: float, seconds: float) -> Iterator[dict[str, Any]]:
    """Strike a server until the time is over; yield the report, which is whole at the end."""
    report: dict[str, Any] = {"found": {}}
    with stage(REFEREE_LIMITS="off") as on:
        broken: list[str] = []

        def play() -> None:
            client = Client(on.port, address="127.0.0.3")
            seeds = takewhile(lambda _: time.monotonic() < began + seconds, count(number))
            tally = play_tables(client, "served", seeds, STEPS, broken)
            report["random tables"] = dict(tally["answers"])

        def weigh() -> None:
            time.sleep(WARM_UP * seconds)
            report["warm"] = on.memory()

        jobs = [threading.Thread(target=job, daemon=True) for job in (play, weigh)]
        for job in jobs:
            job.start()
        yield report
        for job in jobs:
            job.join()
        memory = on.memory()
        report["found"] |= {one: one for one in broken}
        report["found"] |= {one: f"the table beside: {one}" for one in on.normal.failed}
        if seconds >= LONG_ENOUGH and memory > GROWTH * report["warm"]:
            report["found"]["memory"] = f"memory: {report['warm']:.0f} MB, then {memory:.0f} MB"
        if "Traceback" in on.said():
            report["found"]["log"] = on.said()[on.said().index("Traceback") :][:3_000]
        report |= {
            "moves beside": len(on.normal.seconds),
            "p99 ms beside": round(1000 * quantiles(on.normal.seconds, n=100)[-1]),
            "memory MB": [round(report.pop("warm")), round(memory)],
        }


def _is(operation: Any, name: str) -> bool:
    return bool(operation.definition.raw.get("operationId") == name)


def main() -> int:
    """Fuzz; 1 when something was found."""
    parser = argparse.ArgumentParser("python -m tests.contract.fuzz", description=__doc__)
    parser.add_argument("--hours", type=float, default=1.0, help="how long (%(default)s)")
    parser.add_argument("--seed", type=int, help="where to begin; another one each time")
    args = parser.parse_args()
    first = random.SystemRandom().randrange(10**6) if args.seed is None else args.seed
    sys.stderr.write(f"seed {first}: --seed {first} sends the same again\n")
    logging.disable(logging.WARNING)
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        struck(first, began, args.hours * 3600) as strikes,
    ):
        guard = Guard(limits=NO_LIMITS, operator_key=KEY, metrics="operator")
        database = str(Path(folder) / "fuzzed.sqlite3")
        app = create_app(Settings(database, keep_alive=0.05, guard=guard), Reader())
        nowhere(app)
        fuzzer = Fuzzer(app, first)
        fuzzer.run(began + args.hours * 3600)
        close_app(app)
    minutes = (time.monotonic() - began) / 60
    found = [*fuzzer.found.values(), *strikes.pop("found").values()]
    report = {
        "seed": first,
        "minutes": round(minutes, 1),
        "requests": fuzzer.sent.total(),
        "by role": dict(fuzzer.sent),
        "answers": {str(status): fuzzer.answers[status] for status in sorted(fuzzer.answers)},
        **strikes,
        "found": len(found),
    }
    print(json.dumps(report, indent=1))  # noqa: T201
    for line in found:
        print(line)  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
