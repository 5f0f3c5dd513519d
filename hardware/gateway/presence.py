"""Leases that tell the server that the gateway is alive; players hear if they run out."""

import json
import threading
import uuid
from collections.abc import Sequence
from contextlib import suppress

from hardware.gateway.api import Api, Unreachable

EVERY, WITHIN = 15.0, 45
"""Seconds between renewals, and seconds after which the server reports the gateway missing."""
STOP_SECONDS = 0.5


class Presence:
    """Renews one lease for each token, in its own thread; failures are ignored."""

    def __init__(self, apis: Sequence[Api], *, every: float = EVERY, within: int = WITHIN) -> None:
        self._apis = list(apis)
        self._every = every
        self._body = json.dumps({"within": within}).encode()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="presence", daemon=True)

    def start(self) -> None:
        """Begin to renew."""
        self._thread.start()

    def stop(self) -> None:
        """Stop renewing."""
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
