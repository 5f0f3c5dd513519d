"""Join a board to a Wi-Fi, over its cable."""

import secrets
import time

from hardware.board.ports.joined import JoinedBoard, forget, keep, key_of
from hardware.board.ports.transport import Transport
from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.messages import MessageError, pack, unpack
from hardware.board.wire.network_messages import (
    FAILED,
    JOINED,
    KEY,
    NO_WIFI,
    NOT_FOUND,
    NOT_SET,
    WRONG_PASSWORD,
    Ask,
    Join,
    Network,
)

ASK_EVERY = 0.5  # seconds
ANSWERS_WITHIN = 5.0  # the radio takes a second or two to start
JOINS_WITHIN = 45.0
# A radio says at times that there is no such Wi-Fi, or that the password is wrong, and gets in at
# the next attempt: what it says counts once it has said it for so long.
FAILS_AFTER = 8.0

LONGEST_NAME = 32  # bytes, by the standard of Wi-Fi
PASSWORD_LENGTHS = range(8, 64)

_FAILURES = {
    NO_WIFI: "this board has no radio: it is no Pico W, or its MicroPython is not that of one",
    WRONG_PASSWORD: "the board is told that the password is wrong",
    NOT_FOUND: "the board finds no Wi-Fi of this name; it hears those of 2.4 GHz only",
    FAILED: "the board does not get into this Wi-Fi; is it one with a password of its own (WPA2)?",
}
_UNKNOWN = "the board did not get into this Wi-Fi; is the password right, is the router near?"
_OLDER = "the board does not answer; is its program an older one? flash it"


class WifiError(Exception):
    """The board is not in the Wi-Fi; the text says why."""


def check_wifi(name: str, password: str) -> None:
    """Raise WifiError if there can be no such Wi-Fi. The error does not repeat the password."""
    if not 1 <= len(name.encode()) <= LONGEST_NAME:
        raise WifiError(f"the name of a Wi-Fi has 1 to {LONGEST_NAME} bytes")
    if password and len(password.encode()) not in PASSWORD_LENGTHS:
        raise WifiError("the password of a Wi-Fi has 8 to 63 characters; an open one has none")


def wifi_of(transport: Transport) -> Network:
    """Ask the board at an open cable for its Wi-Fi. Raises WifiError, TransportError."""
    return _answer(transport, Ask())


def join_wifi(transport: Transport, board: bytes, name: str, password: str) -> Network:
    """Join a board to a Wi-Fi; return its place there. This computer keeps the key to it.

    ``transport`` is its open cable, ``board`` its id. Raises WifiError, TransportError, and OSError
    if the key cannot be kept.
    """
    check_wifi(name, password)
    key = key_of(board) or secrets.token_bytes(KEY)
    network = _answer(transport, Join(key, name.encode(), password.encode()))
    if network.state != NO_WIFI:
        # Whatever comes of it: the board has the key from now on, and goes on trying.
        keep(JoinedBoard(board.hex(), network.name.decode("ascii", "replace"), key.hex()))
    begun = fine_at = time.monotonic()
    while network.state != JOINED:
        now = time.monotonic()
        if network.state not in _FAILURES:
            fine_at = now
        if network.state == NO_WIFI or now - fine_at >= FAILS_AFTER:
            raise WifiError(_FAILURES[network.state])
        if now - begun >= JOINS_WITHIN:
            raise WifiError(_UNKNOWN)
        time.sleep(ASK_EVERY)
        network = wifi_of(transport)
    return network


def leave_wifi(transport: Transport, board: bytes) -> None:
    """Have a board forget its Wi-Fi, and forget its key here. Raises as ``join_wifi`` does."""
    network = _answer(transport, Join(bytes(KEY), b"", b""))
    if network.state not in (NOT_SET, NO_WIFI):
        raise WifiError("the board did not forget its Wi-Fi; try again")
    forget(board)


def _answer(transport: Transport, wish: Ask | Join) -> Network:
    """Send a wish until the board tells of its network."""
    deframer = Deframer()
    until = time.monotonic() + ANSWERS_WITHIN
    again_at = 0.0
    while (now := time.monotonic()) < until:
        if now >= again_at:
            again_at = now + ASK_EVERY
            transport.write(encode(pack(wish)))
        for packet in deframer.feed(transport.read()):
            try:
                message = unpack(packet)
            except MessageError:
                continue
            if isinstance(message, Network):
                return message
    raise WifiError(_OLDER)
