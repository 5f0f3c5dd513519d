"""``referee-table follow``: serve the tables that are opened at a server, for ``referee table``."""

import argparse
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from hardware.backends import BOARD, BackendError
from hardware.board.options import AUTO
from hardware.commands.output import complain, say
from hardware.commands.pairing.joining import (
    ASK_EVERY,
    KINDS,
    Denied,
    JoinRequest,
    find_devices,
    has_board,
    missing,
)
from hardware.commands.pairing.naming import kept_port, missing_port
from hardware.gateway.along import comes_along, known_as
from hardware.gateway.api import Api, Unreachable
from hardware.gateway.config import Config, ConfigError, Flags, load_config
from hardware.gateway.deck import deck_at
from hardware.paths import default_file
from hardware.retry import Retry

# Seconds for a host to bring this computer along without being asked; between two looks for devices
# or whether a round is over; for the devices to stop in order.
COME_ALONG, LOOK_EVERY, STOP_SECONDS = 8.0, 5.0, 15.0
NOT_UNDERSTOOD = 2
# An address may hold a password, which a flag would show to all users of this computer.
CAMERA_VARIABLE = "REFEREE_TABLE_CAMERA"
HELP = "serve each table that is opened at a server (for 'referee table')"
DESCRIPTION = """\
Run the devices that are here at the tables of a server. Each line on standard input is the id of a
table that was opened and its join code; its host is asked to let the devices in, unless a round
elsewhere needs them. Ends with its input.
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("--server", metavar="URL", required=True, help="the referee's address")
    add("--port", help="the board's port (every serial port is tried)")
    add("--source", help=f"the camera, as for 'referee-table camera' (or {CAMERA_VARIABLE})")
    add("--config", metavar="FILE", type=Path, help="the TOML file to write")


def run(args: argparse.Namespace) -> int:
    """Follow until the input ends, or a signal comes; return the exit status."""
    file = args.config or default_file(os.environ)
    # No other process needs it.
    camera = os.environ.pop(CAMERA_VARIABLE, None)
    opened = OpenedTables(sys.stdin)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: opened.over.set())
    say("Open a table on a phone: it then asks whether to let in the board and the camera here.")
    opened.start()
    source = args.source or camera
    for reason in missing(args.port, source):
        complain("follow", reason)
    devices = DeviceProcess(file, args.server.rstrip("/"))
    following = Following(file, args.server.rstrip("/"), args.port, source, devices)
    try:
        while not opened.over.wait(ASK_EVERY):
            devices.look()
            following.look(opened.take())
    finally:
        devices.stop()
    return 0


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """A table that was opened, by its id and join code, and when it was told of."""

    id: str
    code: str
    at: float


class OpenedTables:
    """The newest table of which a stream of lines tells; ``over`` is set when the stream ends."""

    def __init__(self, lines: TextIO) -> None:
        self._lines = lines
        self._newest: OpenedTable | None = None
        self.over = threading.Event()

    def start(self) -> None:
        """Read in a thread."""
        threading.Thread(target=self._read, name="opened", daemon=True).start()

    def take(self) -> OpenedTable | None:
        """Return a table that was not taken yet, the newest."""
        newest, self._newest = self._newest, None
        return newest

    def _read(self) -> None:
        for line in self._lines:
            with suppress(ValueError):
                table, code = line.split()
                self._newest = OpenedTable(table, code, time.monotonic())
        self.over.set()


class DeviceProcess:
    """``referee-table run`` as a process, while a configuration names devices at this server."""

    def __init__(self, file: Path, url: str) -> None:
        self._file, self._url = file, url
        self._process: subprocess.Popen[bytes] | None = None
        self._retry, self._due = Retry(), 0.0
        self._refused: float | None = None

    def config(self) -> Config | None:
        """Return the configuration; None unless it is of this server and names devices."""
        try:
            config = load_config(self._file, Flags(), {}) if self._file.exists() else None
        except ConfigError:
            return None
        return config if config and config.devices and config.server.url == self._url else None

    def look(self) -> None:
        """Start it where it should run and does not; say so of one that has ended."""
        if self._process is not None and (status := self._process.poll()) is not None:
            self._process = None
            self._due = time.monotonic() + self._retry.failed()
            if status == NOT_UNDERSTOOD:
                self._refused = self._changed()
            else:
                complain("follow", f"the devices have stopped ({status}) and are started again")
        if self._process is None and time.monotonic() >= self._due and self.config() is not None:
            if self._refused is not None and self._refused == self._changed():
                return
            command = [sys.executable, "-m", "hardware", "run", "--plain"]
            self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
                [*command, "--config", str(self._file), "--parent", str(os.getpid())],
                stdin=subprocess.DEVNULL,
            )

    def stop(self) -> None:
        """Stop it, so that it has delivered, or kept, what it saw."""
        process, self._process = self._process, None
        self._retry, self._due, self._refused = Retry(), 0.0, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _changed(self) -> float:
        return self._file.stat().st_mtime if self._file.exists() else 0.0


class Following:
    """Asks to be let in at the newest table, when no round needs the devices elsewhere."""

    def __init__(
        self, file: Path, url: str, port: str | None, source: str | None, devices: DeviceProcess
    ) -> None:
        self._file, self._url, self._port, self._source = file, url, port, source
        self._devices = devices
        self._table: OpenedTable | None = None
        self._request: JoinRequest | None = None
        self._due, self._said = 0.0, ""

    def look(self, opened: OpenedTable | None) -> None:
        """Do what is due, given a table that was just opened, if one was."""
        if opened is not None:
            self._let_go()
            self._table, self._due = opened, 0.0
        if self._table is None or time.monotonic() < self._due:
            return
        try:
            self._go_on(self._table)
        except (Denied, ConfigError, BackendError) as error:
            self._tell(str(error))
            self._let_go()
        except Unreachable:
            # The server is being started again, say.
            self._due = time.monotonic() + LOOK_EVERY
        except OSError as error:
            self._tell(f"{self._file} cannot be written: {error.strerror}")
            self._let_go()

    def _go_on(self, table: OpenedTable) -> None:
        config = self._devices.config()
        here = config is not None and config.server.table == table.id
        if config is not None and here and not self._asks_for_more(config):
            # It was here already, or came along with the host.
            self._let_go()
        elif self._request is None:
            self._begin(table, config)
        elif given := self._request.ask():
            self._request.write(self._file, self._url, given)
            self._devices.stop()
            say("Let in: the devices are at the table.")
            self._let_go()

    def _begin(self, table: OpenedTable, config: Config | None) -> None:
        if comes_along(self._file) and time.monotonic() < table.at + COME_ALONG:
            return
        if config is not None and _plays(config):
            self._tell("another table was opened; the devices stay until this round is over")
            self._due = time.monotonic() + LOOK_EVERY
            return
        devices: Mapping[str, Mapping[str, Any]]
        if config is not None:
            devices = self._known(config)
        else:
            try:
                # What is named and not here was told at the start.
                devices = find_devices(self._port, self._source, lambda _: None)
            except Denied:
                self._tell("no sensor board and no camera is here yet; phones can play without")
                self._due = time.monotonic() + LOOK_EVERY
                return
        self._request = JoinRequest(self._url, table.code, devices, known_as(self._file, self._url))
        if self._request.left_out and config is not None and _needs_board(config):
            self._tell("another table was opened, whose deck has no towers: the devices stay")
            self._let_go()

    def _asks_for_more(self, config: Config) -> bool:
        """Return whether a host is asked for a device that has not come along."""
        there = {device.backend for device in config.devices}
        return self._request is not None and not self._request.backends <= there

    def _known(self, config: Config) -> Mapping[str, Mapping[str, Any]]:
        """Return the devices of a configuration, and a board that has come since."""
        known = {
            device.backend: device.options for device in config.devices if device.backend in KINDS
        }
        devices = {backend: _chosen(options) for backend, options in known.items()}
        port = self._port
        if BOARD not in devices and (not missing_port(port) if port else has_board()):
            devices[BOARD] = {"port": kept_port(port) if port else AUTO}
        return devices

    def _let_go(self) -> None:
        request, self._request, self._table = self._request, None, None
        self._said = ""
        if request is not None:
            with suppress(Unreachable):
                request.close()

    def _tell(self, text: str) -> None:
        if text != self._said:
            complain("follow", text)
            self._said = text


def _chosen(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a device's options without those that go with a table, or with this computer."""
    return {key: value for key, value in options.items() if key in ("port", "source")}


def _needs_board(config: Config) -> bool:
    """Return whether a board is of use at the table of a configuration. Raises Unreachable."""
    board = next((device for device in config.devices if device.backend == BOARD), None)
    if board is None:
        return False
    api = Api(config.server, board.token)
    deck = deck_at(api)
    api.close()
    return bool(deck.powers)


def _plays(config: Config) -> bool:
    """Return whether a round is played at the table of a configuration."""
    api = Api(config.server, config.devices[0].token)
    reply = api.get(api.table_path())
    api.close()
    state: Mapping[str, Any] = (reply.body or {}).get("state") or {}
    played = state.get("turn") is not None or bool(state.get("awaiting"))
    return reply.status == 200 and played
