"""Ask a table's host to let in the devices that are here, and write what was agreed."""

import json
import platform
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hardware.backends import BOARD, CAMERA, BackendError, make_device
from hardware.commands.output import say
from hardware.commands.pairing.naming import kept_port, kept_source, missing_port, missing_source
from hardware.commands.pairing.pair import deck_option
from hardware.gateway.api import API, Api, Reply
from hardware.gateway.config import CAMERA_NAME, DeviceConfig, ServerConfig
from hardware.gateway.config_edit import with_device, without_backend
from hardware.gateway.deck import deck_at
from hardware.paths import write_private

# Seconds between two looks whether the host has agreed, and for how long it looks.
ASK_EVERY, ASK_FOR = 1.5, 600.0
KINDS = {BOARD: "board", CAMERA: "camera"}
VIDEO = Path("/dev")
NO_TOWERS = (
    "the table plays {}, which has neither towers nor powers: a sensor board is of no use there"
)
# Options by backend.
Devices = Mapping[str, Mapping[str, Any]]


class Denied(Exception):  # noqa: N818 - what the server did
    """It did not come to it; the text says why."""


def find_devices(
    port: str | None, source: str | None, leave_out: Callable[[str], None] | None = None
) -> dict[str, dict[str, Any]]:
    """Return the options of the devices that are here, by backend. Raises Denied or BackendError.

    ``port`` and ``source`` name a board's and a camera's, which are then not looked for.
    ``leave_out`` is told of those that are named and not here; without it they are an error.
    """
    for reason in missing(port, source):
        if leave_out is None:
            raise BackendError(reason)
        leave_out(reason)
    devices: dict[str, dict[str, Any]] = {}
    if port and not missing_port(port):
        devices[BOARD] = {"port": kept_port(port)}
    elif not port and has_board():
        devices[BOARD] = {"port": "auto"}
    if source and not missing_source(source):
        devices[CAMERA] = {"source": kept_source(source)}
    elif not source and any(VIDEO.glob("video*")):
        devices[CAMERA] = {"source": "0"}
    if not devices:
        raise Denied(
            "there is no sensor board and no camera here; --port and --source name them, and "
            "'referee-table doctor' says what is at each port"
        )
    for backend, options in devices.items():
        make_device(device_config(backend, options, "").name, backend, options)
    say(f"Here: {', '.join(KINDS[backend] for backend in devices)}.")
    return devices


def missing(port: str | None, source: str | None) -> list[str]:
    """Return a sentence for each named device that is not here."""
    sentences = (missing_port(port) if port else "", missing_source(source) if source else "")
    return [sentence for sentence in sentences if sentence]


def has_board() -> bool:
    """Return whether a board is at a serial port or on the network, and free."""
    from hardware.board.discovery import probe_all

    return any(report.hello for report in probe_all())


class JoinRequest:
    """A request to let devices in at the table of a code, made with a spectator's token.

    ``backends`` are asked for; a board is ``left_out`` where the deck has nothing that it senses.
    ``known`` is what this computer is known by at later tables; None for this table only. Raises
    Denied or Unreachable.
    """

    def __init__(self, url: str, code: str, devices: Devices, known: str | None) -> None:
        guest = Api(ServerConfig(url, ""))
        body = json.dumps({"code": code}).encode()
        joined = _checked(guest.post(f"{API}/join", body, str(uuid.uuid4())), 201)
        self._api = Api(ServerConfig(url, str(joined["table_id"])), str(joined["token"]))
        deck = deck_at(self._api)
        self.left_out = deck.has_none and BOARD in devices
        self._devices = {
            backend: options
            for backend, options in devices.items()
            if not (self.left_out and backend == BOARD)
        }
        if not self._devices:
            self.close()
            raise Denied(NO_TOWERS.format(deck.ruleset))
        self.backends = frozenset(self._devices)
        self._until = time.monotonic() + ASK_FOR
        self._waits = False
        self.digits = ""
        wanted = [
            {"name": device_config(backend, {}, "").name, "kind": KINDS[backend]}
            for backend in self._devices
        ]
        self._wish: dict[str, Any] = {"devices": wanted}
        if known is not None:
            self._wish["computer"] = {"token": known, "name": platform.node()[:80] or "Computer"}

    def ask(self) -> Sequence[Mapping[str, Any]]:
        """Ask once more; return the devices with their tokens, none yet if nobody has answered.

        Raises Denied or Unreachable.
        """
        if time.monotonic() > self._until:
            raise Denied("nobody let it in within ten minutes")
        body = json.dumps(self._wish).encode()
        reply = self._api.post(self._api.table_path("/pairings"), body, str(uuid.uuid4()))
        if reply.status == 409:
            self._wait(reply.detail)
            return ()
        if reply.status == 401 and self.digits:
            raise Denied("the host does not let it in")
        answer = _checked(reply, 200)
        given: Sequence[Mapping[str, Any]] = answer["devices"]
        if not given and not self.digits:
            self.digits = str(answer["digits"])
            # It may be in a line to open there: beside others, or where its like was refused.
            where = "on the phone, at the top of the page"
            say(f"The host lets it in {where}, by the same number: {self.digits}")
        return given

    def _wait(self, why: str) -> None:
        if not self._waits:
            say(f"{why} It asks on: the host can refuse the others, or change the join code.")
            self._waits = True

    def write(self, file: Path, url: str, given: Sequence[Mapping[str, Any]]) -> None:
        """Write the devices into a configuration. Raises ConfigError or OSError."""
        text = file.read_text("utf-8") if file.exists() else ""
        if self.left_out:
            text = without_backend(text, BOARD)
        deck = deck_option(self._api)
        for (backend, options), device in zip(self._devices.items(), given, strict=True):
            full = {**options, **(deck if backend == CAMERA else {})}
            paired = device_config(backend, full, str(device["token"]))
            text = with_device(text, url, str(device["table_id"]), paired)
        write_private(file, text)

    def close(self) -> None:
        """Let go of the token, with which one could ask for the devices' again. Raises Unreachable.

        Whoever asks no more is forgotten.
        """
        self._api.delete(self._api.table_path("/tokens/self"))
        self._api.close()


def device_config(backend: str, options: Mapping[str, Any], token: str) -> DeviceConfig:
    """Return a device as it is written into the configuration."""
    name = CAMERA_NAME if backend == CAMERA else "Board"
    return DeviceConfig(name, backend, dict(options), token)


def _checked(reply: Reply, status: int) -> Mapping[str, Any]:
    if reply.status == status and reply.body is not None:
        return reply.body
    if reply.problem is None:
        raise Denied(f"what answers ({reply.status}) is no referee; is --server right?")
    raise Denied(reply.detail)
