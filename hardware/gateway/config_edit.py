"""Putting a paired device into the configuration's text; comments and all else stay as they are."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from hardware.backends import CAMERA
from hardware.gateway.config import CAMERA_NAME, DeviceConfig
from hardware.gateway.fields import ConfigError

HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
Wanted = Mapping[str, str]


def with_device(text: str, url: str, table: str, device: DeviceConfig) -> str:
    """The text with the server, the table and the device in it.

    A device of that name is given the new token; its backend stays, and so do its options, but
    that the camera's ruleset is the new table's. The first camera is the section [camera], others
    are [[devices]]. Raises ConfigError
    when the text is written in a way that cannot be changed line by line.
    """
    before = _parse(text)
    server = {"url": json.dumps(url), "table": json.dumps(table)}
    lines = text.splitlines()
    lines = _set(lines, _section(lines, "server", 1), "[server]", server)
    names = [str(entry.get("name")) for entry in before.get("devices", [])]
    if _is_the_camera(before, device):
        span = _section(lines, "camera", 1)
        if span is None:
            lines = [*_stripped(lines), "", *_camera_entry(device)]
        else:
            wanted = {key: _quoted(value) for key, value in _of_the_camera(device, anew=True)}
            lines = _set(lines, span, "", wanted, without="token_file")
    elif device.name in names:
        span = _section(lines, "devices", names.index(device.name) + 1)
        lines = _set(lines, span, "", {"token": json.dumps(device.token)}, without="token_file")
    else:
        lines = [*_stripped(lines), "", *_entry(device)]
    changed = "\n".join(lines) + "\n"
    _check(before, changed, url, table, device)
    return changed


def _is_the_camera(before: Mapping[str, Any], device: DeviceConfig) -> bool:
    """Whether the device is, or is to become, the section [camera]."""
    there = before.get("camera")
    if device.backend != CAMERA or any(
        entry.get("name") == device.name for entry in before.get("devices", [])
    ):
        return False
    return there is None or there.get("name", CAMERA_NAME) == device.name


def _of_the_camera(device: DeviceConfig, *, anew: bool) -> Iterator[tuple[str, str]]:
    """What the section [camera] gets; of one that is there the rest stays."""
    if not anew and device.name != CAMERA_NAME:
        yield "name", device.name
    for key, value in device.options.items():
        if key == "ruleset" or not anew:
            yield key, str(value)
    yield "token", device.token


def _camera_entry(device: DeviceConfig) -> list[str]:
    said = _of_the_camera(device, anew=False)
    return ["[camera]", *(f"{key} = {_quoted(value)}" for key, value in said)]


def _stripped(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _entry(device: DeviceConfig) -> list[str]:
    lines = [
        "[[devices]]",
        f"name = {_quoted(device.name)}",
        f"backend = {_quoted(device.backend)}",
        f"token = {_quoted(device.token)}",
    ]
    if device.options:
        lines.append("[devices.options]")
        lines += [f"{key} = {_quoted(str(value))}" for key, value in device.options.items()]
    return lines


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _section(lines: list[str], name: str, number: int) -> tuple[int, int] | None:
    """The lines of the ``number``-th table of this name, after its header."""
    start, seen = None, 0
    for index, line in enumerate(lines):
        header = HEADER.match(line)
        if header is None:
            continue
        if start is not None:
            return start, index
        if header[2].strip("\"'") == name:
            seen += 1
            if seen == number:
                start = index + 1
    return None if start is None else (start, len(lines))


def _set(
    lines: list[str], span: tuple[int, int] | None, header: str, wanted: Wanted, without: str = ""
) -> list[str]:
    """The lines with these values in the table at ``span``, or with a new table at the top."""
    if span is None:
        new = [header, *(f"{key} = {value}" for key, value in wanted.items()), ""]
        # Keys before the first table would end up in the new one.
        top = next((i for i, line in enumerate(lines) if HEADER.match(line)), len(lines))
        return [*lines[:top], *new, *lines[top:]]
    start, end = span
    body, missing = [], dict(wanted)
    for line in lines[start:end]:
        key = line.split("=")[0].strip().strip("\"'") if "=" in line else ""
        if key in missing:
            body.append(f"{key} = {missing.pop(key)}")
        elif not without or key != without:
            body.append(line)
    added = [f"{key} = {value}" for key, value in missing.items()]
    return [*lines[:start], *added, *body, *lines[end:]]


def _check(
    before: Mapping[str, Any], text: str, url: str, table: str, device: DeviceConfig
) -> None:
    """Whether the new text says what it should, and for the rest what the old one said."""
    wanted: dict[str, Any] = json.loads(json.dumps(before, default=str))
    wanted.setdefault("server", {}).update(url=url, table=table)
    if _is_the_camera(before, device):
        there = "camera" in wanted
        section = wanted.setdefault("camera", {})
        section.pop("token_file", None)
        section.update(_of_the_camera(device, anew=there))
        _compare(text, wanted)
        return
    devices: list[dict[str, Any]] = wanted.setdefault("devices", [])
    mine = next((entry for entry in devices if entry.get("name") == device.name), None)
    if mine is not None:
        mine.pop("token_file", None)
        mine["token"] = device.token
    else:
        mine = {"name": device.name, "backend": device.backend, "token": device.token}
        devices.append({**mine, "options": dict(device.options)} if device.options else mine)
    _compare(text, wanted)


def _compare(text: str, wanted: Mapping[str, Any]) -> None:
    if json.loads(json.dumps(_parse(text), default=str)) != wanted:
        raise ConfigError(
            "it is written in a way that this command cannot change; "
            "write to another file with --config"
        )


def _parse(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"it is no TOML: {error}") from None
