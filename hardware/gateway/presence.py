"""Promises the server, again and again, that the gateway lives; else the table is told."""

import json
import threading
import uuid
from collections.abc import Sequence
from contextlib import suppress

from hardware.gateway.api import Api, Unreachable

EVERY, WITHIN = 15.0, 45
"""How often, in seconds, and how long the server waits for the next time before it tells."""
STOP_SECONDS = 0.5


class Presence:
    """One promise for each token, on a thread of its own; whether it arrives others find out."""

    def __init__(self, apis: Sequence[Api], *, every: float = EVERY, within: int = WITHIN) -> None:
        self._apis = list(apis)
        self._every = every
        self._body = json.dumps({"within": within}).encode()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="presence", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Promise nothing more."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while True:
            for api in self._apis:
                with suppress(Unreachable):
                    api.post(api.table_path("/promises"), self._body, str(uuid.uuid4()))
            if self._stop.wait(self._every):
                return
