"""The gateway: starts, connects and stops the configured devices."""

import hashlib
import json
import os
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from hardware.backends import CAMERA, BackendError, make_device
from hardware.gateway.api import Api, Reply, Unreachable
from hardware.gateway.config import Config, DeviceConfig
from hardware.gateway.confirmed_cards import ConfirmedCards
from hardware.gateway.deck import NOTHING_TO_SEE, Deck, deck_at, other_deck
from hardware.gateway.discrepancies import DiscrepancyLights
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.outbox_file import Queue
from hardware.gateway.posting.poster import Poster
from hardware.gateway.recording.tape import Tape, TapedApi, record_device
from hardware.gateway.status import FORMAT, Document, device_document
from hardware.gateway.stream import StreamFollower
from hardware.observation import (
    Device,
    DeviceStatus,
    Hint,
    Learner,
    Memory,
    Observation,
    Reteller,
)
from hardware.times import utc

EVERY, WITHIN = 15.0, 45
"""Seconds between renewals, and seconds after which the server reports the gateway missing."""
REMOVED = "the host has removed this device from the table"
STOP_SECONDS = 0.5


class Presence:
    """Renews the lease of each token, in its own thread; failures are ignored.

    ``refused``: the tokens that the server does not accept.
    """

    def __init__(
        self, apis: Mapping[str, Api], *, every: float = EVERY, within: int = WITHIN
    ) -> None:
        self.refused: set[str] = set()
        self._apis = dict(apis)
        self._every = every
        self._body = json.dumps({"within": within}).encode()
        self._due = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="presence", daemon=True)

    def start(self) -> None:
        """Begin to renew."""
        self._thread.start()

    def renew(self) -> None:
        """Renew at once, as a token may have been revoked."""
        self._due.set()

    def stop(self) -> None:
        """Stop renewing."""
        self._stopped = True
        self._due.set()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._stopped:
            for token, api in self._apis.items():
                with suppress(Unreachable):
                    self._promise(token, api)
            self._due.wait(self._every)
            self._due.clear()

    def _promise(self, token: str, api: Api) -> None:
        reply = api.post(api.table_path("/promises"), self._body, str(uuid.uuid4()))
        if reply.status == 401:
            self.refused.add(token)
        else:
            self.refused.discard(token)


MakeDevice = Callable[[str, str, Mapping[str, Any]], Device]


class Gateway:
    """Runs the devices of a configuration.

    A device that cannot be made is listed in the status, and the others run. What an earlier run
    left in the outbox is posted in any case. ``tape`` records the session.
    """

    def __init__(
        self,
        config: Config,
        make: MakeDevice = make_device,
        clock: Callable[[], float] = time.time,
        tape: Tape | None = None,
    ) -> None:
        self._config = config
        self._tape = tape
        self._make = make
        self._clock = clock
        self._started = clock()
        self._outbox = Outbox(config.outbox, config.server.table, clock)
        self._lights = DiscrepancyLights(self._indicate)
        self._devices: dict[str, Device] = {}
        self._problems: dict[str, str] = {}
        self._hardware: dict[str, str] = {}
        self._swapped: dict[str, str] = {}
        self._disk: str | None = None
        self._posters = {
            device.name: Poster(
                device.name,
                self._outbox,
                self._api(device),
                partial(self._learn, device.name),
                tell_again=partial(self._tell_again, device.name),
                useless=partial(self._is_useless, device),
            )
            for device in config.devices
        }
        tokens = dict.fromkeys(device.token for device in config.devices)
        self._confirmed = ConfirmedCards()
        self._stream = StreamFollower(
            [Api(config.server, token) for token in tokens],
            self._lights,
            heard=self._heard,
            missed=self._confirmed.forget,
        )
        self._presence = Presence({token: Api(config.server, token) for token in tokens})

    def start(self) -> None:
        """Start everything. Raises OutboxError if the outbox cannot be used."""
        self._outbox.open()
        for poster in self._posters.values():
            poster.start()
        self._stream.start()
        self._presence.start()
        for device in self._config.devices:
            self._start(device)

    def stop(self) -> None:
        """Stop the devices first, so that the outbox has all they saw."""
        for device in self._devices.values():
            device.stop()
        self._stream.stop()
        self._presence.stop()
        for poster in self._posters.values():
            poster.stop()
        self._outbox.close()

    def problems(self) -> Mapping[str, str]:
        """Return why devices do not run, by name."""
        return dict(self._problems)

    @property
    def deck(self) -> Deck:
        """The deck that the table plays, once that is known."""
        return self._stream.deck

    def document(self) -> Document:
        """Return the content of the status file."""
        queues = {(queue.table, queue.device): queue for queue in self._queues()}
        server, stream = self._config.server, self._stream.status()
        names = {device.name for device in self._config.devices}
        return {
            "format": FORMAT,
            "at": utc(self._clock()),
            "started": utc(self._started),
            "pid": os.getpid(),
            "server": {
                "url": server.url,
                "table": server.table,
                "seats": list(self._stream.seats),
                "state": stream.state,
                "detail": stream.detail,
                "reconnects": stream.reconnects,
                "version": max(self._lights.version, 0),
            },
            "discrepancies": [discrepancy.to_json() for discrepancy in self._lights.discrepancies],
            "devices": [
                device_document(
                    device,
                    self._status(device.name),
                    queues.get((server.table, device.name), Queue(server.table, device.name)),
                    self._posters[device.name].status(),
                    self._swapped.get(device.name, ""),
                    self._notes(device),
                )
                for device in self._config.devices
            ],
            "outbox": {
                "path": str(self._config.outbox.absolute()),
                "problem": self._disk,
                "left_over": [
                    {"table": queue.table, "device": queue.device, "waiting": queue.waiting}
                    for queue in queues.values()
                    if queue.waiting and (queue.table != server.table or queue.device not in names)
                ],
            },
        }

    def _start(self, config: DeviceConfig) -> None:
        try:
            device = self._make(config.name, config.backend, config.options)
            # To the server a new token is a new device, which has reported nothing yet.
            known_by = hashlib.sha256(config.token.encode()).hexdigest()[:16]
            memory = self._outbox.memory(config.name, known_by)
        except (BackendError, OSError) as error:
            self._problems[config.name] = str(error)
            return
        if self._tape is not None:
            record_device(self._tape, config.name, device)
        self._hardware[config.name] = str(memory.get("board") or "")
        # Before it starts, since hints may come at once.
        self._devices[config.name] = device
        device.start(partial(self._keep, config.name), memory)

    def _api(self, device: DeviceConfig) -> Api:
        if self._tape is None:
            return Api(self._config.server, device.token)
        return TapedApi(self._config.server, device.token, device.name, self._tape)

    def _keep(self, name: str, observations: Sequence[Observation], memory: Memory) -> None:
        try:
            self._outbox.put(name, observations, memory)
        except OSError as error:
            self._disk = str(error)
            raise
        self._disk = None
        self._notice_swap(name, str(memory.get("board") or ""))
        self._posters[name].wake()

    def _notice_swap(self, name: str, board: str) -> None:
        """Notice that another board than before is there; what it sees counts all the same."""
        before = self._hardware.get(name, "")
        if board and board != before:
            self._hardware[name] = board
            if before:
                self._swapped[name] = f"board {board} is there now, before it was board {before}"

    def _learn(self, device: str, reply: Reply) -> None:
        body: Any = reply.body
        self._confirmed.observed(device, body)
        self._lights.learn(body.get("version", body["id"]), body.get("discrepancies"))

    def _tell_again(self, name: str) -> None:
        device = self._devices.get(name)
        if isinstance(device, Reteller):
            device.tell_again()

    def _heard(self, entry: Mapping[str, Any]) -> None:
        if self._tape is not None:
            self._tape.heard(entry)
        if entry.get("kind") == "token-revoked":
            self._presence.renew()
        for name, label in self._confirmed.follow(entry):
            device = self._devices.get(name)
            if isinstance(device, Learner):
                device.learn([label])

    def _indicate(self, hints: Sequence[Hint]) -> None:
        for device in self._devices.values():
            device.indicate(hints)

    def _queues(self) -> list[Queue]:
        try:
            return self._outbox.queues()
        except OSError as error:
            self._disk = str(error)
            return []

    def _notes(self, device: DeviceConfig) -> list[str]:
        """Return what people should look at, since device and table do not go together."""
        deck = self._stream.deck
        # Where no token is accepted, the server's own line tells of it.
        if device.token in self._presence.refused and self._stream.status().state == "following":
            return [REMOVED]
        if device.backend != CAMERA and deck.has_none:
            return [NOTHING_TO_SEE]
        other = other_deck(device, deck)
        return [f"{other}; 'referee-table doctor' says what to do"] if other else []

    def _is_useless(self, device: DeviceConfig) -> bool:
        """Return whether the table's deck has nothing that a device sees."""
        if device.backend == CAMERA:
            return False
        deck = self._stream.deck
        if not deck.ruleset and self._stream.status().state == "connecting":
            # The stream is about to ask, too.
            api = Api(self._config.server, device.token)
            with suppress(Unreachable):
                deck = deck_at(api)
            api.close()
        return deck.has_none

    def _status(self, name: str) -> DeviceStatus:
        if name in self._devices:
            return self._devices[name].status()
        why = self._problems.get(name, "not started yet").removeprefix(f"{name}: ")
        return DeviceStatus("gone", why, {}, {})
