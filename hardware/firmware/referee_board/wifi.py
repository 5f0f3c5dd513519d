"""The home's Wi-Fi: joined as it was told over the cable once, and again whenever it is lost."""

import binascii
import json
import os

from . import door, messages
from .ticks import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILE = "wifi.json"
LOOK_MS = 250
FIRST_PAUSE_MS = 2000  # between attempts to join, twice as long each time
LONGEST_PAUSE_MS = 60_000
JOINS_MS = 20_000  # an attempt that takes longer is begun anew

GOT_ADDRESS = 3  # what WLAN.status() returns
FAILURES = {-3: messages.WRONG_PASSWORD, -2: messages.NOT_FOUND, -1: messages.FAILED}


class Wifi:
    """Keeps the board in the Wi-Fi, without ever waiting.

    ``network`` is MicroPython's module. The Wi-Fi's password and the key of the door are in a file,
    and nowhere else.
    """

    def __init__(self, network: "Any", board_id: bytes) -> None:
        self.door = door.Door(board_id)
        self._network: Any = network
        self._name = "referee-board-" + binascii.hexlify(board_id[5:]).decode()
        self._wlan: Any = None  # the ``WLAN`` of MicroPython, once the radio is on
        self._settings: dict[str, str] = _stored()
        self._state = messages.NOT_SET
        self._address = bytes(4)
        self._looked_at = 0
        self._tried_at = 0
        self._pause = 0
        self._begin(0)

    def tick(self, now: int) -> None:
        """Look after the Wi-Fi and the door."""
        self.door.tick(now)
        wlan = self._wlan
        if wlan is None or elapsed(now, self._looked_at) < LOOK_MS:
            return
        self._looked_at = now
        status = wlan.status()
        if status == GOT_ADDRESS:
            # The port may have been taken when it was asked for: ask again until it is free.
            self._state = messages.JOINED if self._opened() else messages.FAILED
            self._address = bytes([int(part) for part in wlan.ifconfig()[0].split(".")])
            self._tried_at = now
            self._pause = FIRST_PAUSE_MS
            return
        if self._state == messages.JOINED:
            self._state = messages.JOINING
            self._address = bytes(4)
        # What went wrong last stands until it is joined.
        self._state = FAILURES.get(status, self._state)
        patience = self._pause + (JOINS_MS if status > 0 else 0)
        if elapsed(now, self._tried_at) >= patience:
            self._try(wlan, now)

    def join(self, key: bytes, name: bytes, password: bytes) -> None:
        """Join a Wi-Fi from now on, and let in hosts that know the key; no name: leave."""
        try:
            wanted = {"name": name.decode(), "password": password.decode()}
        except UnicodeError:
            return
        wanted["key"] = binascii.hexlify(key).decode()
        if wanted == self._settings and self._state in (messages.JOINING, messages.JOINED):
            return  # the host says it again
        self.door.close()
        if self._wlan is not None:
            self._wlan.disconnect()
            self._wlan.active(False)
            self._wlan = None
        self._state = messages.NOT_SET
        self._address = bytes(4)
        self._settings = wanted if name else {}
        _store(self._settings)
        self._begin(self._looked_at)

    def where(self) -> "tuple[int, bytes, int, bytes]":
        """Return state, address, port and name, as ``network`` reports them."""
        return self._state, self._address, door.PORT, self._name.encode()

    def _begin(self, now: int) -> None:
        if not self._settings:
            return
        self._pause = 0
        try:
            self._network.hostname(self._name)  # the radio answers to it once it is on
            self._wlan = self._network.WLAN(self._network.STA_IF)
            self._wlan.active(True)
            self._wlan.config(pm=self._wlan.PM_NONE)  # asleep, it would miss who asks for its name
        except OSError:  # the cable has to work all the same
            self._state = messages.FAILED
            return
        self._opened()
        self._state = messages.JOINING
        self._try(self._wlan, now)

    def _opened(self) -> bool:
        """Open the door if it is shut, and return whether it is open."""
        if not self.door.is_open():
            try:
                self.door.open(binascii.unhexlify(self._settings["key"]))
            except OSError:
                return False
        return True

    def _try(self, wlan: "Any", now: int) -> None:
        self._tried_at = now
        self._pause = min(max(2 * self._pause, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
        try:
            wlan.connect(self._settings["name"], self._settings["password"] or None)
        except OSError:
            self._state = messages.FAILED


def _stored() -> "dict[str, str]":
    """Return the settings; none where the file has none: the cable has to work all the same."""
    try:
        with open(FILE) as file:
            settings: dict[str, str] = json.load(file)
        binascii.unhexlify(settings["key"])
        return {field: str(settings[field]) for field in ("name", "password", "key")}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _store(settings: "dict[str, str]") -> None:
    """Replace the file whole, or not at all."""
    if not settings:
        try:  # noqa: SIM105 - MicroPython has no contextlib
            os.remove(FILE)
        except OSError:
            pass  # there is none
        return
    with open(FILE + ".new", "w") as file:
        json.dump(settings, file)
    os.rename(FILE + ".new", FILE)
