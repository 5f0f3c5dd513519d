"""Come along with a host to the next table: the server says where this computer is to be."""

import hashlib
import hmac
import json
import secrets
import threading
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from hardware.gateway.api import API, Api, Unreachable
from hardware.gateway.config import Config, ServerConfig
from hardware.paths import write_private

# Seconds between two questions where to be; longer once no host lets this computer come along.
ASK_EVERY, SELDOM = 3.0, 60.0
FILE = "computer.key"


@dataclass(frozen=True, slots=True)
class Place:
    """A table where this computer is to be, its deck, and the devices' tokens by their names."""

    table: str
    ruleset: str
    tokens: Mapping[str, str]

    def is_of(self, config: Config) -> bool:
        """Return whether a configuration is for this place already, or has none of its devices."""
        named = {device.name: device.token for device in config.devices}
        known = {name: token for name, token in self.tokens.items() if name in named}
        same = all(named[name] == token for name, token in known.items())
        return not known or (config.server.table == self.table and same)


def known_as(config: Path, url: str) -> str:
    """Return what this computer is known by at a server, and keep what it follows from.

    It is another one for each server, so that none can pretend to be this computer elsewhere.
    Raises OSError.
    """
    file = config.with_name(FILE)
    if not file.exists():
        write_private(file, f"{secrets.token_urlsafe(32)}\n")
    kept = file.read_text("ascii").strip()
    return hmac.digest(kept.encode(), url.encode(), hashlib.sha256).hex()


def comes_along(config: Path) -> bool:
    """Return whether this computer was ever let in by a host whom it would follow."""
    return config.with_name(FILE).exists()


class Along:
    """Asks where to be, in a thread, within its context.

    Args:
        server: The server to ask.
        token: What this computer is known by there.
        known: Set once a host lets this computer come along, until ``notice_forgotten`` tells that
            none does. It outlives this object, as the host may forget the computer while it
            moves to another table.
    """

    def __init__(self, server: ServerConfig, token: str, known: threading.Event) -> None:
        self._api = Api(server)
        self._body = json.dumps({"token": token}).encode()
        self._stop = threading.Event()
        self._place: Place | None = None
        self._known = known
        self._refused = False
        self._thread = threading.Thread(target=self._run, name="along", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._api.close()

    def moved_from(self, config: Config) -> Place | None:
        """Return where to be instead of where a configuration says; None if it is right."""
        place = self._place
        return None if place is None or place.is_of(config) else place

    def notice_forgotten(self) -> bool:
        """Return whether no host lets this computer come along any more; True is told once."""
        forgotten = self._refused and self._known.is_set()
        if forgotten:
            self._known.clear()
        return forgotten

    def _run(self) -> None:
        pause = 0.0
        while not self._stop.wait(pause):
            pause = ASK_EVERY
            with suppress(Unreachable):
                pause = self._ask()

    def _ask(self) -> float:
        """Ask once; return the seconds until the next time. Raises Unreachable."""
        reply = self._api.post(f"{API}/computers/place", self._body, str(uuid.uuid4()))
        body: Mapping[str, Any] = reply.body or {}
        if reply.status != 200:
            # A server that does not know of this answers 404.
            return SELDOM if reply.status == 404 else ASK_EVERY
        if body.get("table_id") and body.get("devices"):
            tokens = {str(device["name"]): str(device["token"]) for device in body["devices"]}
            self._place = Place(str(body["table_id"]), str(body.get("ruleset")), tokens)
        self._refused = not body.get("known")
        if self._refused:
            return SELDOM
        self._known.set()
        return ASK_EVERY
