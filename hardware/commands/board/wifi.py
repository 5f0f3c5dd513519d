"""``referee-table wifi``: join a board to the home's Wi-Fi, once, over its cable."""

import argparse
import getpass
import ipaddress
import secrets
import sys
import time

from hardware.board.discovery import NoBoardError, choose, ports, probe_all
from hardware.board.options import AUTO
from hardware.board.ports.network_port import (
    SCHEME,
    JoinedBoard,
    forget_joined,
    keep_joined,
    key_of,
    messages_in,
)
from hardware.board.ports.transport import Transport, TransportError
from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.messages import Hello, pack
from hardware.board.wire.network_messages import (
    FAILED,
    JOINED,
    JOINING,
    KEY,
    NO_WIFI,
    NOT_FOUND,
    NOT_SET,
    WRONG_PASSWORD,
    Ask,
    Join,
    Network,
)
from hardware.commands import CommandError, exits
from hardware.commands.output import say

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
        keep_joined(JoinedBoard(board.hex(), network.name.decode("ascii", "replace"), key.hex()))
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
    forget_joined(board)


def _answer(transport: Transport, wish: Ask | Join) -> Network:
    """Send a wish until the board tells of its network."""
    deframer = Deframer()
    until = time.monotonic() + ANSWERS_WITHIN
    again_at = 0.0
    while (now := time.monotonic()) < until:
        if now >= again_at:
            again_at = now + ASK_EVERY
            transport.write(encode(pack(wish)))
        for message in messages_in(transport.read(), deframer):
            if isinstance(message, Network):
                return message
    raise WifiError(_OLDER)


NAME = "wifi"
HELP = "join a board to the home's Wi-Fi, over its cable"
DESCRIPTION = """\
Join a sensor board with a Pico W to the home's Wi-Fi. It needs its USB cable for this once; from
then on any USB charger will do, and this computer finds the board by itself.
"""
EPILOG = """\
The password is asked for, and never shown; from a pipe it is the first line. It goes over the cable
to the board, which keeps it in a file, and nowhere else. This computer keeps a key that the board
asks for; joined from another computer, the board lets in that one instead.

examples:
  referee-table wifi --ssid "Our Wi-Fi"
  referee-table wifi                           what Wi-Fi the board is in
  referee-table wifi --forget                  the board forgets the Wi-Fi and its password

exit status: 0 joined, told or forgotten; 1 not joined, or no board; 2 a wrong flag
"""
STATES = {
    NO_WIFI: "The board has no radio: it is no Pico W, or its MicroPython is not that of a Pico W.",
    NOT_SET: "The board is told no Wi-Fi: referee-table wifi --ssid NAME",
    JOINING: "The board is joining its Wi-Fi.",
    WRONG_PASSWORD: "The board is not in its Wi-Fi: the password is wrong.",
    NOT_FOUND: "The board is not in its Wi-Fi: it finds none of this name.",
    FAILED: "The board is not in its Wi-Fi: it does not get in.",
}


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    parser.add_argument(
        "--port",
        metavar="PORT",
        default=AUTO,
        help="its cable, or auto: one with the USB identity of a board (auto)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--ssid", metavar="NAME", help="the name of the Wi-Fi, as phones list it")
    what.add_argument("--forget", action="store_true", help="forget the Wi-Fi, here and there")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    if args.port.startswith(SCHEME):
        raise CommandError(2, "--port: a board is joined over its cable")
    password = ""
    if args.ssid is not None:
        with exits(2, WifiError):
            check_wifi(args.ssid, "")
            password = _password()
            check_wifi(args.ssid, password)
    try:
        port, hello = _find(args.port)
        transport = Transport(port)
        transport.open()
        try:
            return _do(transport, hello, args, password)
        finally:
            transport.close()
    except (NoBoardError, TransportError, WifiError) as error:
        raise CommandError(1, str(error)) from None
    except OSError as error:
        raise CommandError(1, f"the board's key cannot be kept here: {error.strerror}") from None


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return getpass.getpass("The password of the Wi-Fi: ")


def _find(port: str) -> tuple[str, Hello]:
    """Return the board's cable, and what it says of itself. Raises NoBoardError."""
    likely, others = ports()
    reports = [*probe_all(likely), *others] if port == AUTO else probe_all([port])
    chosen = choose(reports, None, b"")
    return next((r.port, r.hello) for r in reports if r.port == chosen and r.hello)


def _do(transport: Transport, hello: Hello, args: argparse.Namespace, password: str) -> int:
    if args.forget:
        leave_wifi(transport, hello.board)
        say("The board has forgotten the Wi-Fi; it answers over its cable alone.")
        return 0
    if args.ssid is None:
        network = wifi_of(transport)
        joined = network.state == JOINED
        say(_place(network) if joined else STATES.get(network.state, STATES[FAILED]))
        return 0
    say("The board joins the Wi-Fi. This may take half a minute.")
    say(_place(join_wifi(transport, hello.board, args.ssid, password)))
    say("A charger is cable enough now; 'auto' finds the board, when no board is plugged in.")
    return 0


def _place(network: Network) -> str:
    address = ipaddress.IPv4Address(network.address)
    name = network.name.decode("ascii", "replace")
    return f"The board is in the Wi-Fi: {SCHEME}{name}.local, at {address} port {network.port}."
