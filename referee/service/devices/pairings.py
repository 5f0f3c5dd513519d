"""A computer beside the table, or a phone, asks to be let in with its devices; a host agrees.

A computer holds a spectator's token, which the join code gives; a phone asks with the token that it
has. Both ask again and again until they are answered; whoever no longer asks is forgotten. Both
screens show the same number, so that a host knows who asks. What is agreed stands in the log: the
devices are registered.
"""

from typing import Any

from referee.service.access import Principal
from referee.service.devices.computers import keep_computer, owner_at
from referee.service.devices.derived_devices import are_in, device_keys, register_all, registered
from referee.service.log.event_log import EventLog
from referee.service.log.pairing_requests import PAIRING, Asking, Wish
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.names import check_device_name
from referee.service.problems import Problem, invalid

NUMBERS = 10_000


def ask_to_pair(log: EventLog, table: TableProjection, by: Principal, wish: Wish) -> dict[str, Any]:
    """Ask that devices be registered; return the digits to show, and the devices with their tokens.

    There are none until a host agrees. Raises Problem.
    """
    _check_wish(wish)
    table = log.fresh(table.id)
    given = _given(log, table, by.id, wish)
    if given is None:
        _check_code(log, table, by)
        log.pairings.ask(by.id, table.id, wish)
    return {
        "id": by.id,
        "digits": _digits(log, by.id),
        "devices": [registered(log, table, key) for key in given or ()],
    }


def list_pairings(log: EventLog, table: TableProjection) -> list[dict[str, Any]]:
    """Return who asks to be let in with which devices."""
    table = log.fresh(table.id)
    return [
        {
            "id": asking.id,
            "digits": _digits(log, asking.id),
            "seat": asking.wish.seat,
            "phone": asking.wish.phone,
            "computer": asking.wish.name if asking.wish.computer else None,
            "devices": [
                {"name": device.name, "kind": device.kind} for device in asking.wish.devices
            ],
            "quiet": log.pairings.is_quiet(asking),
        }
        for asking in _waiting(log, table)
    ]


def agree_to_pair(
    log: EventLog, table: TableProjection, request: WriteRequest, pairing: str
) -> LogEntry:
    """Register the devices of one that asks; return the last one's entry. Raises Problem."""
    wish = _asked(log, table, pairing)
    entry = register_all(log, table, request.principal, f"{PAIRING}{pairing}", wish.devices)
    log.pairings_changed(table.id)
    return entry


def agree_and_keep(
    log: EventLog, table: TableProjection, request: WriteRequest, pairing: str, key: str
) -> LogEntry:
    """Do the same, and let the computer come along to later tables of whoever has the key.

    Raises Problem.
    """
    wish = _asked(log, table, pairing)
    if not wish.computer:
        raise Problem("conflict", "This computer or phone does not come along to later tables.")
    entry = keep_computer(log, table, request.principal, key, wish)
    log.pairings_changed(table.id)
    return entry


def refuse_to_pair(log: EventLog, table: TableProjection, pairing: str) -> None:
    """Let one that asks know that it is refused. Raises Problem."""
    _asked(log, table, pairing)
    log.pairings.refuse(pairing, table.id)


def refuse_all(log: EventLog, table: TableProjection) -> None:
    """Let all that ask know that they are refused."""
    for asking in _waiting(log, log.fresh(table.id)):
        log.pairings.refuse(asking.id, table.id)


def sender_of(log: EventLog, address: str) -> str:
    """Return what stands for an address, which itself is kept nowhere."""
    return log.tokens.id("pairing-sender", address)


def _waiting(log: EventLog, table: TableProjection) -> list[Asking]:
    """Return who asks and has not been let in."""
    asking = log.pairings.at(table.id)
    return [request for request in asking if _given(log, table, request.id, request.wish) is None]


def _check_wish(wish: Wish) -> None:
    """Check what is asked for, and that people can read it. Raises Problem."""
    for number, device in enumerate(wish.devices):
        check_device_name(device.name, f"devices.{number}.name")
    if wish.computer:
        check_device_name(wish.name, "computer.name")
    if wish.phone and (wish.computer or [device.kind for device in wish.devices] != ["camera"]):
        raise invalid("devices", "a phone brings one camera")


def _check_code(log: EventLog, table: TableProjection, by: Principal) -> None:
    """Check that a guest has come by the join code that holds. Raises Problem.

    Else a stranger with many tokens of the old one would still ask.
    """
    if by.seat is not None or table.meta.code_since is None:
        return
    row = log.reader.token_by_id(by.id)
    if row is not None and row["created"] < table.meta.code_since:
        raise Problem("forbidden", "The join code has changed: join again with the new one.")


def _given(log: EventLog, table: TableProjection, by: str, wish: Wish) -> list[str] | None:
    """Return the keys of the devices that a host has let in; None if nobody has."""
    known = owner_at(log, table, wish.computer) if wish.computer else None
    for whose in (known, f"{PAIRING}{by}"):
        keys = device_keys(log, table, whose, wish.devices) if whose else []
        if keys and are_in(log, table, keys):
            return keys
    return None


def _asked(log: EventLog, table: TableProjection, pairing: str) -> Wish:
    asking = next((request for request in log.pairings.at(table.id) if request.id == pairing), None)
    if asking is None:
        raise Problem("not-found", "This computer no longer asks to join.")
    return asking.wish


def _digits(log: EventLog, by: str) -> str:
    drawn = log.tokens.secret("pairing-number", by)
    return f"{int.from_bytes(drawn[:8]) % NUMBERS:04}"
