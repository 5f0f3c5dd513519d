"""The doctor's checks of the server: reachability, tokens, and the table's deck."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

from hardware.backends import CAMERA
from hardware.check_findings import Finding, ok, problem, warning
from hardware.gateway.api import API, Api, Reply, Unreachable
from hardware.gateway.config import Config, DeviceConfig
from hardware.times import span, utc

MOST_SKEW = 5.0
PAIR = (
    "join again with the table's code: referee-table join CODE; or by a host's token: "
    "referee-table pair --server URL --table ID"
)
SERVER = "server"


@dataclass(slots=True)
class TableFacts:
    """Facts about the table; None until known."""

    powers: tuple[str, ...] | None = None
    seats: int | None = None
    ruleset: str = ""


def check_server(config: Config, facts: TableFacts, now: float) -> Iterator[Finding]:
    """Check that the server accepts observations; fill in ``facts``.

    ``now``: seconds since 1970, by this computer.
    """
    api = Api(config.server)
    try:
        well = api.get("/ready")
    except Unreachable as error:
        yield problem(SERVER, str(error), "is server.url right, and does the server run?")
        return
    finally:
        api.close()
    if well.status != 200 or (well.body or {}).get("status") != "ok":
        what = well.detail if well.problem else f"what answers ({well.status}) is no referee"
        yield problem(SERVER, f"{config.server.url}: {what}", "look at the server's own log")
        return
    yield ok(SERVER, f"{config.server.url} answers in {well.seconds * 1000:.0f} ms{_release(api)}")
    yield from _check_clock(well, now)
    for device in config.devices:
        yield from _check_device(Api(config.server, device.token), device, facts, now)
    if facts.ruleset:
        boards = any(device.backend != CAMERA for device in config.devices)
        yield from _check_deck(api, facts, boards=boards)


def _release(api: Api) -> str:
    """Return the server's release, if it says so."""
    try:
        described: Any = api.get("/openapi.json").body or {}
        return f", release {described['info']['version']}"
    except (Unreachable, KeyError, TypeError):
        return ""
    finally:
        api.close()


def _check_clock(reply: Reply, now: float) -> Iterator[Finding]:
    try:
        date = parsedate_to_datetime(reply.headers.get("Date", ""))
    except ValueError:
        return
    # The header has whole seconds, half a second early on average.
    skew = now - date.replace(tzinfo=date.tzinfo or UTC).timestamp() - 0.5
    if abs(skew) > MOST_SKEW:
        way = "ahead of" if skew > 0 else "behind"
        text = f"this computer's clock is {span(abs(skew))} {way} the server's"
        yield warning("clock", text, "let the network set it: sudo timedatectl set-ntp true")
    else:
        yield ok("clock", "agrees with the server's")


def _check_device(
    api: Api, device: DeviceConfig, facts: TableFacts, now: float
) -> Iterator[Finding]:
    about = f"{device.name}: token"
    try:
        table = api.get(api.table_path())
        if table.status in (401, 403, 404):
            yield problem(about, table.detail, PAIR)
            return
        if table.status != 200 or table.body is None:
            yield problem(about, f"the table cannot be read: {table.detail}", "try again")
            return
        yield from _learn(table.body, facts)
        yield _may_post(api, about, now)
    except Unreachable as error:
        yield problem(about, str(error), "try again")
    finally:
        api.close()


def _learn(table: Any, facts: TableFacts) -> Iterator[Finding]:
    if facts.seats is not None:
        return
    facts.seats, facts.ruleset = len(table.get("seats", [])), str(table.get("ruleset", ""))
    wrong = len(table.get("discrepancies", []))
    rest = f", {wrong} to put right" if wrong else ""
    yield ok("table", f"{facts.ruleset}, {facts.seats} seats{rest}")


def _may_post(api: Api, about: str, now: float) -> Finding:
    """Post an unknown power: a device gets 422, anybody else 401 or 403."""
    trial = {"at": utc(now), "kind": "powers", "powers": {"doctor": "unknown"}}
    reply = api.post(api.table_path("/observations"), json.dumps(trial).encode(), f"doctor-{now}")
    if reply.status in (401, 403):
        return problem(about, f"it may read, but not tell what a device sees: {reply.detail}", PAIR)
    if reply.status == 422:
        return ok(about, "is accepted")
    return problem(about, f"observations cannot be posted: {reply.detail}", "update the server")


def _check_deck(api: Api, facts: TableFacts, *, boards: bool) -> Iterator[Finding]:
    try:
        reply = api.get(f"{API}/rulesets/{facts.ruleset}")
    except Unreachable as error:
        yield problem("deck", str(error), "try again")
        return
    finally:
        api.close()
    powers = (reply.body or {}).get("powers")
    if reply.status != 200 or not isinstance(powers, list):
        yield problem("deck", f"the ruleset cannot be read: {reply.detail}", "update the server")
        return
    facts.powers = tuple(str(power) for power in powers)
    if powers:
        yield ok("deck", f"{facts.ruleset} has {', '.join(facts.powers)}")
    elif boards:
        yield problem(
            "deck",
            f"{facts.ruleset} has neither towers nor powers: nothing that a board sees fits it",
            "make a table with a deck that has them, and pair with that one",
        )
