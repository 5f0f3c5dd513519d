"""The gateway's configuration: one TOML file, and flags that override it."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hardware.backends import BACKENDS, BOARD, CAMERA
from hardware.gateway.fields import (
    TOKEN_VARIABLE,
    ConfigError,
    Fields,
    check_token,
    open_to_others,
    read_token,
    token_of,
)
from hardware.paths import default_file, state_folder

__all__ = ["Config", "ConfigError", "DeviceConfig", "Flags", "ServerConfig", "load_config"]

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
CAMERA_NAME = "Camera"


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The referee's address and the table's id.

    ``url`` has no trailing slash; ``ca_file`` holds certificates to trust instead of the usual.
    """

    url: str
    table: str
    verify: bool = True
    ca_file: Path | None = None


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """A device: its backend, that backend's options, and the token it posts with."""

    name: str
    backend: str
    options: Mapping[str, Any] = field(default_factory=dict)
    token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration; ``warnings`` are sentences about unsafe settings."""

    server: ServerConfig
    devices: tuple[DeviceConfig, ...]
    outbox: Path
    status: Path
    file: Path | None = None
    warnings: tuple[str, ...] = ()

    @property
    def learnt(self) -> Path:
        """The file of the faces that tables learn, beside the outbox."""
        return learnt_beside(self.outbox)


@dataclass(frozen=True, slots=True)
class Flags:
    """Settings of the command line; None if not given."""

    url: str | None = None
    table: str | None = None
    token_file: Path | None = None
    outbox: Path | None = None
    status: Path | None = None
    port: str | None = None


def load_config(file: Path | None, flags: Flags, environ: Mapping[str, str]) -> Config:
    """Load the configuration from a file, flags, or both. Raises ConfigError.

    Without ``file``, the default file is read if it exists.
    """
    chosen = file or default_file(environ)
    if file is None and not chosen.exists():
        return _build({}, None, flags, environ)
    try:
        with chosen.open("rb") as handle:
            raw = tomllib.load(handle)
    except OSError as error:
        raise ConfigError(f"{chosen} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{chosen} is no TOML: {error}") from None
    try:
        return _build(raw, chosen, flags, environ)
    except ConfigError as error:
        raise ConfigError(f"{chosen}: {error}") from None


def learnt_beside(outbox: Path) -> Path:
    """Return the file of learnt faces that belongs to an outbox."""
    return outbox.with_name("faces.sqlite3")


def read_server(text: str, home: Path) -> ServerConfig:
    """Read the server's section of a configuration's text. Raises ConfigError.

    ``home``: the folder of the file.
    """
    fields = Fields(tomllib.loads(text)).table("server")
    return _server(fields, home, Flags(), {}, [])[0]


def read_outbox(text: str, home: Path, environ: Mapping[str, str]) -> Path:
    """Read where the outbox is from a configuration's text. Raises ConfigError.

    ``home``: the folder of the file.
    """
    given = _only_path(Fields(tomllib.loads(text)).table("outbox"), home)
    return given or _usual_outbox(environ)


def _usual_outbox(environ: Mapping[str, str]) -> Path:
    return state_folder(environ) / "outbox.sqlite3"


def _build(
    raw: Mapping[str, Any], file: Path | None, flags: Flags, environ: Mapping[str, str]
) -> Config:
    home = Path() if file is None else file.parent
    top = Fields(raw)
    warnings: list[str] = []
    server, shared = _server(top.table("server"), home, flags, environ, warnings)
    outbox = _only_path(top.table("outbox"), home)
    status = _only_path(top.table("status"), home)
    devices = tuple(_device(entry, home, shared, warnings) for entry in top.tables("devices"))
    camera = _camera(top.table("camera"), home, shared, warnings) if "camera" in raw else None
    kept = flags.outbox or outbox or _usual_outbox(environ)
    top.finish()
    if not devices and flags.port is not None:
        devices = (DeviceConfig("Board", BOARD, {}, shared),)
    devices = _with_port(devices, flags.port)
    named = {f"devices[{number}]": device for number, device in enumerate(devices, 1)}
    if camera is not None:
        own = {"learnt": str(learnt_beside(kept)), "table": server.table}
        named["camera"] = replace(camera, options={**camera.options, **own})
    _check_devices(named)
    devices = tuple(named.values())
    if file is not None and _holds_token(raw):
        warnings += open_to_others(file)
    shown = flags.status or status or kept.with_name(kept.name + ".status.json")
    return Config(server, devices, kept, shown, file, tuple(warnings))


def _server(
    fields: Fields,
    home: Path,
    flags: Flags,
    environ: Mapping[str, str],
    warnings: list[str],
) -> tuple[ServerConfig, str]:
    url, table = fields.text("url"), fields.text("table")
    verify = fields.flag("verify", True)
    ca_file = fields.path("ca_file", home)
    own = token_of(fields, home, warnings)
    fields.finish()
    where = _url(fields, flags.url or url)
    if not verify:
        warnings.append("server.verify is false: anybody on the way can read and change all")
    table = flags.table or table
    if table is None:
        raise fields.wrong("table", "is missing: the id of the table, as the host's page shows it")
    if not TABLE_ID.fullmatch(table):
        raise fields.wrong("table", f"{table!r} is no id of a table: letters and digits only")
    if ca_file is not None and not ca_file.is_file():
        raise fields.wrong("ca_file", f"names {ca_file}, which is not there")
    if flags.token_file is not None:
        warnings += open_to_others(flags.token_file)
        own = read_token(fields, "token_file", flags.token_file)
    elif environ.get(TOKEN_VARIABLE):
        own = check_token(fields, TOKEN_VARIABLE, environ[TOKEN_VARIABLE].strip())
    return ServerConfig(where, table, verify, ca_file), own


def _url(fields: Fields, url: str | None) -> str:
    if url is None:
        raise fields.wrong("url", "is missing: where the referee listens, as http://host:8000")
    try:
        return read_address(url)
    except ConfigError as error:
        raise fields.wrong("url", str(error)) from None


def read_address(url: str) -> str:
    """Return a server's address as requests begin with it. Raises ConfigError."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment or parts.username or re.search(r"\s", url):
        raise ConfigError(f"{url!r} is no address such as http://host:8000")
    return url.rstrip("/").removesuffix("/api/v1")


def _device(fields: Fields, home: Path, shared: str, warnings: list[str]) -> DeviceConfig:
    name, backend = fields.text("name"), fields.text("backend")
    options = fields.anything("options")
    token = token_of(fields, home, warnings) or shared
    fields.finish()
    if name is None:
        raise fields.wrong("name", "is missing: what people call the device")
    _check_name(fields, name)
    if backend is None:
        raise fields.wrong("backend", f"is missing; there are {', '.join(sorted(BACKENDS))}")
    return DeviceConfig(name, backend, options, token)


def _camera(fields: Fields, home: Path, shared: str, warnings: list[str]) -> DeviceConfig:
    """Read the section [camera]: the one camera of most tables."""
    name = fields.text("name") or CAMERA_NAME
    options = {key: fields.text(key) for key in ("source", "ruleset", "learn")}
    for key in ("setup", "models", "faces"):
        path = fields.path(key, home)
        options[key] = None if path is None else str(path)
    lock = fields.flag("lock", default=True)
    token = token_of(fields, home, warnings) or shared
    fields.finish()
    _check_name(fields, name)
    given: dict[str, Any] = {key: value for key, value in options.items() if value is not None}
    if not lock:
        given["lock"] = False
    return DeviceConfig(name, CAMERA, given, token)


def _check_name(fields: Fields, name: str) -> None:
    if len(name) > 80 or not name.isprintable():
        raise fields.wrong("name", "must be at most 80 characters that can be printed")


def _with_port(devices: tuple[DeviceConfig, ...], port: str | None) -> tuple[DeviceConfig, ...]:
    if port is None:
        return devices
    boards = [device for device in devices if device.backend == BOARD]
    if len(boards) != 1:
        raise ConfigError(
            f"--port says where the serial board is, but {len(boards)} of the devices are one"
        )
    return tuple(
        DeviceConfig(device.name, device.backend, {**device.options, "port": port}, device.token)
        if device is boards[0]
        else device
        for device in devices
    )


def _check_devices(devices: Mapping[str, DeviceConfig]) -> None:
    """Check names and tokens; the keys say where each device is in the file."""
    seen: set[str] = set()
    for where, device in devices.items():
        if device.name in seen:
            raise ConfigError(f"{where}.name {device.name!r} is another device's already")
        seen.add(device.name)
        if not device.token:
            raise ConfigError(
                f"{where}.token is missing: {device.name!r} needs a token of the table; "
                "'referee-table pair' gets one"
            )


def _only_path(fields: Fields, home: Path) -> Path | None:
    path = fields.path("path", home)
    fields.finish()
    return path


def _holds_token(raw: Mapping[str, Any]) -> bool:
    tables = [raw.get("server", {}), raw.get("camera", {}), *raw.get("devices", [])]
    return any("token" in table for table in tables)
