"""A contract fuzzer over openapi.yaml: no failure of the server, no answer that is not described.

The suite sends a few requests in the role that each operation needs. ``make fuzz`` runs
tests/contract/fuzz.py for longer and in every role.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from referee.api import create_app
from referee.api.description import description
from referee.config import NO_LIMITS, Guard, Settings
from tests.api.clubs import Club, open_club, sender
from tests.api.conftest import Reader, Seat, close, open_table
from tests.api.receiver import nowhere
from tests.api.test_rights_matrix import KEY

# Requests an operation, valid ones and as many invalid ones.
FEW, MANY = 1, 12
load_all_checks()
PROMISED = (
    CHECKS.get_one("not_a_server_error"),
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Seat]:
    """A table in the middle of a round, and its host."""
    guard = Guard(limits=NO_LIMITS, operator_key=KEY)
    settings = Settings(str(tmp_path / "fuzzed.sqlite3"), keep_alive=0.05, guard=guard)
    app = create_app(settings, Reader())
    nowhere(app)
    host = open_table(app.test_client(), "power-grab")
    host.move(2, "play", card="red-3:U")
    yield host
    close(app)


def filled_in(table: Seat, tournament: str = "") -> Any:
    """The description, with the paths of the table filled in so that the fuzzer gets somewhere."""
    known = {"table_id": table.table, "tournament_id": tournament}
    spec = json.loads(json.dumps(description()))
    paths = {}
    for path, operations in spec["paths"].items():
        if path.endswith("/events"):
            # A stream has no end: tests/api/test_events.py reads those.
            operations["get"]["parameters"] = [
                p for p in operations["get"]["parameters"] if p.get("name") != "Accept"
            ]
        named = [name for name, value in known.items() if value and f"{{{name}}}" in path]
        shared = [p for p in operations.pop("parameters", ()) if p.get("name") not in named]
        for operation in operations.values():
            own = [p for p in operation.get("parameters", ()) if p.get("name") not in named]
            operation["parameters"] = [*shared, *own]
        for name in named:
            path = path.replace(f"{{{name}}}", known[name])
        paths[path] = operations
    spec["paths"] = paths
    api = schemathesis.openapi.from_dict(spec)
    api.app = table.client.application
    return api


@pytest.fixture
def club(table: Seat) -> Club:
    """A tournament in its first round, on the same server."""
    club = open_club(sender(table.client))
    club.play()
    return club


@pytest.fixture
def described_api(table: Seat, club: Club) -> Any:
    return filled_in(table, club.id)


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
def test_answers_are_as_described(
    described_api: Any, table: Seat, club: Club, examples: int
) -> None:
    device = table.post("/devices", {"name": "Board", "kind": "board"}).get_json()["token"]
    operations = [found.ok() for found in described_api.get_all_operations()]
    assert len(operations) > 25
    # What ends the table comes last.
    last = ("/closing", f"/operator/tables/{table.table}", f"/operator/tournaments/{club.id}")
    operations.sort(key=lambda o: o.path.endswith(last))

    def speaker(path: str) -> dict[str, str]:
        """Who is listened to there: a device, the operator, or else the host."""
        organised = f"/tournaments/{club.id}" in path
        token = device if "observations" in path else club.token if organised else table.token
        token = KEY if "/operator/" in path else token
        return {"Authorization": f"Bearer {token}"}

    for operation, mode in product(operations, GenerationMode):

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=examples,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            database=None,
        )
        def answers_as_described(case: Any) -> None:
            case.call_and_validate(headers=speaker(case.operation.path), checks=PROMISED)

        # Where nothing can be sent wrong, there is nothing to break.
        nothing = Unsatisfiable if mode is GenerationMode.NEGATIVE else ()
        with suppress(nothing):
            answers_as_described()
