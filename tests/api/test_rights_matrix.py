"""Every operation in every role, as docs/rights.md says."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask

from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.service.log.table_projection import TableProjection
from tests.api.conftest import API, KEY, Frames, Reader, Seat, close, open_table, record

ROOT = Path(__file__).parents[2]
LINE = re.compile(r"^\| ([\w ]+) \| (.+) \|$", re.MULTILINE)
RIGHTS = (ROOT / "docs" / "rights.md").read_text(encoding="utf-8")
Matrix = dict[str, dict[str, str]]


def read_matrix(head: str) -> tuple[list[str], Matrix]:
    """Return the roles, and who may by operation, of the table with this head."""
    tables = RIGHTS.split("\n\n")
    (rows,) = (LINE.findall(table) for table in tables if table.startswith(f"| {head} |"))
    roles = rows[0][1].split(" | ")
    matrix = {name: dict(zip(roles, cells.split(" | "), strict=True)) for name, cells in rows[1:]}
    assert len(matrix) == len(rows) - 1
    return roles, matrix


# tests/api/test_tournament_rights.py and tests/api/test_groups.py read the rest.
ROLES, MATRIX = read_matrix("operation")
SECRET = "s" * 43
WEBHOOK = {"url": "https://hooks.invalid/"}
UNSURE = {
    "kind": "pile",
    "at": "2026-11-21T10:00:00.000+00:00",
    "number": 1,
    "event": "placed",
    "cards": {"red-6": 0.6, "red-9": 0.39},
}


def described() -> dict[str, tuple[str, str]]:
    """Map operations to method and path, from openapi.yaml."""
    text = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    paths = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))["paths"]
    return {
        operation["operationId"]: (method.upper(), path)
        for path, operations in paths.items()
        for method, operation in operations.items()
        if isinstance(operation, dict)
    }


EVERY_PATH = described()
ELSEWHERE = ("/tournaments", "/groups")
PATHS = {
    name: at for name, at in EVERY_PATH.items() if not any(part in at[1] for part in ELSEWHERE)
}


@dataclass
class World:
    """A table with a client in each role: their tokens and token ids."""

    host: Seat
    tokens: dict[str, str | None]
    ids: dict[str, str]
    code: str
    photo: str = ""
    webhook: str = ""
    computer: str = ""
    cards: dict[str, int] = field(default_factory=dict)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    database = tmp_path_factory.mktemp("rights") / "tables.sqlite3"
    guard = Guard(limits=NO_LIMITS, operator_key=KEY, metrics="operator")
    app = create_app(Settings(str(database), guard=guard), Reader(), frames=Frames())
    yield app
    close(app)


def new_world(app: Flask, operation: str) -> World:
    """Open a table, and its first round if the operation needs one."""
    begun = operation in ("makeMove", "correct", "observe", "answerQuestion")
    deck = "power-grab" if operation == "observe" else "classic-112"
    host = open_table(app.test_client(), deck, opening=("red-7",) if begun else None)
    code = host.get().get_json()["code"]
    watching = host.client.post(f"{API}/join", json={"code": code}).get_json()
    eyes = ("sendFrame", "observeMany", "answerQuestion")
    kind = "camera" if operation in eyes else "board"
    device = host.post("/devices", {"name": "Eye", "kind": kind}).get_json()
    world = World(
        host,
        {
            "nobody": None,
            "stranger": open_table(app.test_client()).token,
            "spectator": watching["token"],
            "device": device["token"],
            "seat": host.seats[2].token,
            "host": host.token,
            "operator": KEY,
        },
        {
            "spectator": watching["token_id"],
            "device": device["device"],
            "seat": host.seats[2].token_id(),
            "host": host.token_id(),
        },
        code,
    )
    if operation == "answerQuestion":
        eye = Seat(host.client, device["token"], host.table)
        asked = eye.post("/observations", UNSURE)
        assert asked.get_json()["meaning"] == "asked", asked.text
        world.cards["question"] = host.get("/questions").get_json()["items"][0]["id"]
    if operation in ("getPhoto", "deletePhoto"):
        world.photo = host.photo(query="?keep=true").get_json()["kept"]
    if "Webhook" in operation or operation == "listDeliveries":
        world.webhook = host.post("/webhooks", WEBHOOK).get_json()["id"]
    if operation == "correct":
        host.move(2, "draw")
    if operation in ("endGame", "startGame"):
        result = {"out": 1, "hands": {"2": 5, "3": 7}}
        assert host.post("/rounds", {"result": result}).status_code == 201
    if operation == "startGame":
        assert host.post("/games/end").status_code == 201
    if operation in ("approveCustomCard", "withdrawCustomCard"):
        for seat, whose in ((2, "own"), (3, "other")):
            card = {"text": f"Sing {seat}.", "effects": []}
            made = host.post("/custom-cards", {"card": card, "seat": seat})
            world.cards[whose] = made.get_json()["card_id"]
    if operation in ("answerHouseRules", "withdrawHouseRules"):
        proposer = 2
        if operation == "answerHouseRules":
            # The host answers for seats without a phone.
            host.delete(f"/tokens/{host.seats[3].token_id()}")
            proposer = 1
        made = host.seats[proposer].post("/house-rules", {"preset": "home"})
        world.cards["proposal"] = made.get_json()["id"]
    if operation == "reportTimeUp":
        timer = {"timer": {"seconds": 10}}
        host.call("PUT", f"{API}/tables/{host.table}/timer", timer)
        host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
        world.cards["began"] = long_ago(app.extensions["referee"].table(host.table))
    if operation in ("agreeToHost", "endHostRequest"):
        asking = 2 if operation == "endHostRequest" else 3
        assert host.seats[asking].post("/host-request").status_code == 201
    if operation in ("agreeToPair", "agreeAndKeep", "refuseToPair", "forgetComputer"):
        looking = Seat(host.client, watching["token"], host.table)
        known = {"computer": {"token": SECRET, "name": "Pi"}}
        asks = {**BODIES["askToPair"](world, "", True), **known}
        assert looking.post("/pairings", asks).status_code == 200
    if operation == "forgetComputer":
        host.create(f"/pairings/{world.ids['spectator']}/kept", {"key": SECRET})
        [one] = host.post("/computers", {"key": SECRET}).get_json()["items"]
        world.computer = one["id"]
    if operation == "endHost":
        assert host.call("PUT", f"{API}/tables/{host.table}/seats/3/host").status_code == 200
    if operation == "openTableAgain":
        close = f"{API}/operator/tables/{host.table}/closing"
        closed = Seat(host.client, KEY).call("POST", close, {})
        assert closed.status_code == 201, closed.text
    return world


def long_ago(table: TableProjection) -> int:
    """Let the running time be up, and return the entry with which it began."""
    timer = table.meta.timer
    assert timer.clock is not None
    clock = replace(timer.clock, since="2026-11-21T10:00:00.000+00:00")
    table.meta.timer = replace(timer, clock=clock)
    return clock.began


Body = Callable[[World, str, bool], Any]


def _seat(own: bool) -> int:
    return 2 if own else 3


# What is sent, so that only rights can be in the way. ``own``: for oneself.
BODIES: dict[str, Body] = {
    "checkMove": lambda *_: {
        "position": "classic-108 7,7 2> play red-7",
        "move": {"seat": 2, "move": "draw"},
    },
    "replayRecord": lambda *_: record({"dealer": 1, "opening": ["red-7"], "moves": []}),
    "createTable": lambda *_: {"ruleset": "classic-108", "seats": ["Ann", "Bo"]},
    "importRecord": lambda *_: record(),
    "joinTable": lambda world, *_: {"code": world.code},
    "makeMove": lambda world, role, own: {"seat": _seat(own), "move": "draw"},
    "drawForDeal": lambda world, role, own: {"draws": [{"seat": _seat(own), "card": "red-7"}]},
    "startRound": lambda world, role, own: {"opening": ["red-7"], "dealer": _seat(own)},
    "proposeCustomCard": lambda world, role, own: {
        "card": {"text": "Sing.", "effects": []},
        "seat": _seat(own),
    },
    "approveCustomCard": lambda world, role, own: {"seat": _seat(own)},
    "proposeHouseRules": lambda world, role, own: {
        "preset": "home",
        **({} if role == "host" else {"seat": _seat(own)}),
    },
    "answerHouseRules": lambda world, role, own: {
        "approve": True,
        "seat": _seat(own and role != "host"),
    },
    "chooseTimer": lambda *_: {"timer": {"seconds": 30, "then": "draw"}},
    "reportTimeUp": lambda world, *_: {"began": world.cards.get("began", 1)},
    "observe": lambda *_: {
        "kind": "powers",
        "at": "2026-11-21T10:00:00.000+00:00",
        "powers": {"U": 0},
    },
    "observeMany": lambda *_: {"observations": [{"key": "box-1", "observation": dict(UNSURE)}]},
    "promiseToBeHeard": lambda *_: {"within": 45},
    "chooseLanguage": lambda *_: {"language": "fi"},
    "answerQuestion": lambda world, role, own: {"card": "red-6", "seat": _seat(own)},
    "issueToken": lambda *_: {"role": "spectator"},
    "addWebhook": lambda *_: WEBHOOK,
    "changeWebhook": lambda *_: {"active": False},
    "registerDevice": lambda *_: {"name": "Board", "kind": "board"},
    "askToPair": lambda *_: {"devices": [{"name": "Board", "kind": "board"}]},
    "agreeAndKeep": lambda *_: {"key": SECRET},
    "bringComputers": lambda *_: {"key": SECRET},
    "forgetComputer": lambda world, *_: {"key": SECRET, "which": world.computer},
    "findComputer": lambda *_: {"token": SECRET},
    "correct": lambda _, role, own: {"kind": "undo"} if own else {"kind": "undo", "move": 1},
    "joinSeat": lambda *_: {"name": "Eve"},
    "renameSeat": lambda *_: {"name": "Eve"},
    "arrangeSeats": lambda *_: {"dealer": 2},
    "chooseMode": lambda *_: {"mode": "score"},
    "chooseGroup": lambda *_: {"token": None},
    "startGame": lambda *_: {},
    "closeTable": lambda *_: {"reason": "late"},
    "letHostIn": lambda *_: {"name": "Ann"},
}


def address(operation: str, world: World, role: str, own: bool) -> tuple[str, str]:
    method, path = PATHS[operation]
    token = world.ids.get(role, world.ids["seat"])
    if not own:
        token = world.ids["device" if role == "seat" else "seat"]
    if role == "host" and operation == "revokeToken":
        token = world.ids["seat"]
    if operation == "shutOut":
        token = world.ids["host"]
    # Whoever approves a card has not proposed it.
    card = "other" if own == (operation == "approveCustomCard") else "own"
    values = {
        "table_id": world.host.table,
        "token_id": token,
        "seat": 3 if operation == "endHost" or not own else 2,
        "webhook_id": world.webhook,
        "device_id": world.ids["device"],
        "pairing_id": world.ids["spectator"],
        "card_id": world.cards.get(card, 0),
        "proposal_id": world.cards.get("proposal", 0),
        "question_id": world.cards.get("question", 0),
        "photo_id": world.photo,
        "ruleset_id": "classic-108",
        "language_id": "sv",
        "rule_id": "turn.order",
    }
    return method, path.format(**values)


def send(operation: str, world: World, role: str, own: bool = True) -> Any:
    method, path = address(operation, world, role, own)
    speaker = Seat(world.host.client, world.tokens[role], world.host.table)
    if operation == "readPhoto":
        return speaker.photo()
    if operation == "sendFrame":
        return speaker.frame()
    if operation in ("endHostRequest", "withdrawHouseRules") and not own:
        speaker = world.host.seats[3]
    body = BODIES[operation](world, role, own) if operation in BODIES else None
    return speaker.call(method, path, body)


def test_every_operation_has_its_row() -> None:
    assert set(MATRIX) == set(PATHS), f"docs/rights.md: {set(MATRIX) ^ set(PATHS)}"
    for cells in MATRIX.values():
        assert set(cells.values()) <= {"yes", "no", "own"}


def as_it_is(host: Seat) -> Any:
    """Return the table, without what the server's clock says."""
    table = host.get().get_json()
    return {**table, "timer": table["timer"] and {**table["timer"], "now": None}}


@pytest.mark.parametrize("operation", sorted(PATHS))
def test_who_may(app: Flask, operation: str) -> None:
    rights = MATRIX[operation]
    world = new_world(app, operation)
    before = as_it_is(world.host)
    for role in (role for role in ROLES if rights[role] == "no"):
        refused = send(operation, world, role)
        expected = 401 if role == "nobody" else 403
        assert refused.status_code == expected, (role, refused.text)
        kind = "not-authenticated" if expected == 401 else "forbidden"
        assert refused.get_json()["type"] == f"/problems/{kind}"
    for role in (role for role in ROLES if rights[role] == "own"):
        refused = send(operation, world, role, own=False)
        assert refused.status_code == 403, (role, refused.text)
    assert as_it_is(world.host) == before
    reads = PATHS[operation][0] == "GET" or rights["nobody"] == "yes"
    for role in (role for role in ROLES if rights[role] != "no"):
        world = world if reads else new_world(app, operation)
        allowed = send(operation, world, role)
        assert 200 <= allowed.status_code < 300, (role, allowed.text)


@pytest.mark.parametrize("operation", sorted(PATHS))
def test_a_table_that_is_not_there_is_told_from_no_other(app: Flask, operation: str) -> None:
    """Without a right to a table, nobody learns whether it exists."""
    if "{table_id}" not in PATHS[operation][1]:
        return
    world = new_world(app, operation)
    found = send(operation, world, "stranger")
    world.host.table = "nothing-here"
    missing = send(operation, world, "stranger")
    assert (found.status_code, missing.status_code) == (403, 403)
    assert {**found.get_json(), "instance": "", "request_id": ""} == {
        **missing.get_json(),
        "instance": "",
        "request_id": "",
    }
