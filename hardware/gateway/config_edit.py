"""Write a paired device into the configuration's text, keeping its comments and layout."""

import tomllib
from collections.abc import Iterator, MutableMapping
from typing import Any

import tomlkit
import tomlkit.items
from tomlkit.exceptions import TOMLKitError

from hardware.backends import CAMERA
from hardware.gateway.config import CAMERA_NAME, DeviceConfig
from hardware.gateway.fields import ConfigError

Table = MutableMapping[str, Any]


def with_device(text: str, url: str, table: str, device: DeviceConfig) -> str:
    """Return the text with the server, the table and the device in it.

    An entry of that name gets the new token and, for a camera, the ruleset; the rest of it stays.
    The first camera is the section [camera], other devices are [[devices]]. Raises ConfigError if
    the text is no TOML or cannot be changed without changing anything else.
    """
    wanted, document = _parsed(text)
    try:
        for tree in (wanted, document):
            _edit(tree, url, table, device)
        changed = tomlkit.dumps(document)
        # tomlkit has misplaced tables before: trust only what reads back as wanted.
        safe = tomllib.loads(changed) == tomlkit.item(wanted).unwrap()
    except (AttributeError, KeyError, TypeError, ValueError, TOMLKitError):
        safe = False
    if not safe:
        raise ConfigError(
            "it is written in a way that this command cannot change; "
            "write to another file with --config"
        )
    return changed


def with_deck(text: str, ruleset: str) -> str:
    """Return the text with every camera that names a deck naming this one. Raises ConfigError."""
    wanted, document = _parsed(text)
    for tree in (wanted, document):
        entries = [entry for entry in tree.get("devices", []) if entry.get("backend") == CAMERA]
        for camera in (tree.get("camera", {}), *(entry.get("options", {}) for entry in entries)):
            if "ruleset" in camera:
                camera["ruleset"] = ruleset
    changed = tomlkit.dumps(document)
    if tomllib.loads(changed) != wanted:
        raise ConfigError("it is written in a way that this command cannot change")
    return changed


def without_backend(text: str, backend: str) -> str:
    """Return the text without the devices of a backend. Raises ConfigError."""
    _, document = _parsed(text)
    entries = document.get("devices", [])
    for at in reversed(range(len(entries))):
        if entries[at].get("backend") == backend:
            del entries[at]
    if "devices" in document and not entries:
        del document["devices"]
    return tomlkit.dumps(document)


def _parsed(text: str) -> tuple[dict[str, Any], tomlkit.TOMLDocument]:
    """Return what a text says, and the text as it can be edited. Raises ConfigError."""
    try:
        return tomllib.loads(text), tomlkit.parse(text)
    except (tomllib.TOMLDecodeError, TOMLKitError) as error:
        raise ConfigError(f"it is no TOML: {error}") from None


def _edit(tree: Table, url: str, table: str, device: DeviceConfig) -> None:
    tree.setdefault("server", tomlkit.table()).update(url=url, table=table)
    entries = tree.get("devices", [])
    entry = next((other for other in entries if other.get("name") == device.name), None)
    camera = tree.get("camera")
    if entry is not None:
        _renew(entry, token=device.token)
    elif device.backend != CAMERA or (camera and camera.get("name", CAMERA_NAME) != device.name):
        tree.setdefault("devices", tomlkit.aot()).append(_new_entry(device, first=not entries))
    elif camera is None:
        tree["camera"] = tomlkit.item(dict(_camera_fields(device)))
    else:
        ruleset = device.options.get("ruleset")
        _renew(camera, token=device.token, **({"ruleset": ruleset} if ruleset else {}))


def _renew(entry: Table, **fields: str) -> None:
    entry.pop("token_file", None)
    entry.update(fields)


def _new_entry(device: DeviceConfig, *, first: bool) -> tomlkit.items.Table:
    entry = tomlkit.table()
    entry.update(name=device.name, backend=device.backend, token=device.token)
    if device.options:
        entry["options"] = {key: str(value) for key, value in device.options.items()}
    if first:  # tomlkit adds the empty line before all others
        entry.trivia.indent = "\n"
    return entry


def _camera_fields(device: DeviceConfig) -> Iterator[tuple[str, str]]:
    if device.name != CAMERA_NAME:
        yield "name", device.name
    yield from ((key, str(value)) for key, value in device.options.items())
    yield "token", device.token
