"""Devices whose ids and tokens follow from who asked for them, so that they can be told again."""

from collections.abc import Iterator, Sequence

from referee.service.access import Principal
from referee.service.devices.devices import register_device
from referee.service.log.event_log import EventLog
from referee.service.log.pairing_requests import NewDevice
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection


def register_all(
    log: EventLog, table: TableProjection, by: Principal, whose: str, devices: Sequence[NewDevice]
) -> LogEntry:
    """Register devices, again if that is repeated; return the last one's entry. Raises Problem."""
    keys = device_keys(log, log.fresh(table.id), whose, devices)
    for key, device in zip(keys, devices, strict=True):
        # The same key makes the same token when it is asked for.
        write = WriteRequest(by, shared_key=key)
        _, _, entry = register_device(log, table, write, device.name, device.kind)
    return entry


def device_keys(
    log: EventLog, table: TableProjection, whose: str, devices: Sequence[NewDevice]
) -> list[str]:
    """Return the keys from which somebody's devices are derived; other ones once those are revoked.

    ``whose`` names who asks.
    """
    return [
        next(
            key
            for key in _keys(f"{whose}:{at}:{device.kind}:{device.name}")
            if not _is_revoked(table, log.tokens.id("device", key))
        )
        for at, device in enumerate(devices)
    ]


def was_revoked(
    log: EventLog, table: TableProjection, whose: str, devices: Sequence[NewDevice]
) -> bool:
    """Return whether a host has taken one of somebody's devices out."""
    firsts = (f"{whose}:{at}:{device.kind}:{device.name}" for at, device in enumerate(devices))
    return any(_is_revoked(table, log.tokens.id("device", key)) for key in firsts)


def are_in(log: EventLog, table: TableProjection, keys: Sequence[str]) -> bool:
    """Return whether the devices of these keys are registered."""
    return all(log.tokens.id("device", key) in table.meta.devices for key in keys)


def present(
    log: EventLog, table: TableProjection, whose: str, devices: Sequence[NewDevice]
) -> list[tuple[NewDevice, str]]:
    """Return those of somebody's devices that are registered and not revoked, with their keys."""
    keys = device_keys(log, table, whose, devices)
    return [pair for pair in zip(devices, keys, strict=True) if are_in(log, table, [pair[1]])]


def registered(log: EventLog, table: TableProjection, key: str) -> dict[str, str]:
    """Return the device of a key, with its token."""
    return {
        "table_id": table.id,
        "device": log.tokens.id("device", key),
        "token": log.tokens.token("device", key),
    }


def _keys(key: str) -> Iterator[str]:
    yield key
    number = 1
    while True:
        yield f"{key}:{number}"
        number += 1


def _is_revoked(table: TableProjection, device: str) -> bool:
    source = table.meta.devices.get(device)
    return source is not None and source.revoked
