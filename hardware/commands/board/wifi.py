"""``referee-table wifi``: join a board to the home's Wi-Fi, once, over its cable."""

import argparse
import getpass
import ipaddress
import sys
from typing import Any

from hardware.board.discovery import NoBoardError, choose, ports, probe_all
from hardware.board.join_wifi import WifiError, check_wifi, join_wifi, leave_wifi, wifi_of
from hardware.board.options import AUTO
from hardware.board.ports.network_port import SCHEME
from hardware.board.ports.transport import Transport, TransportError
from hardware.board.wire.messages import Hello
from hardware.board.wire.network_messages import (
    FAILED,
    JOINED,
    JOINING,
    NO_WIFI,
    NOT_FOUND,
    NOT_SET,
    WRONG_PASSWORD,
    Network,
)
from hardware.commands.output import complain, say

NAME = "wifi"
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


def add_parser(commands: Any) -> None:
    """Add the command ``wifi``."""
    parser = commands.add_parser(
        NAME,
        help="join a board to the home's Wi-Fi, over its cable",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--port",
        metavar="PORT",
        default=AUTO,
        help="its cable, or auto: one with the USB identity of a board (auto)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--ssid", metavar="NAME", help="the name of the Wi-Fi, as phones list it")
    what.add_argument("--forget", action="store_true", help="forget the Wi-Fi, here and there")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    if args.port.startswith(SCHEME):
        complain(NAME, "--port: a board is joined over its cable")
        return 2
    password = ""
    try:
        if args.ssid is not None:
            check_wifi(args.ssid, "")
            password = _password()
            check_wifi(args.ssid, password)
    except WifiError as error:
        complain(NAME, str(error))
        return 2
    try:
        port, hello = _find(args.port)
        transport = Transport(port)
        transport.open()
        try:
            return _do(transport, hello, args, password)
        finally:
            transport.close()
    except (NoBoardError, TransportError, WifiError) as error:
        complain(NAME, str(error))
    except OSError as error:
        complain(NAME, f"the board's key cannot be kept here: {error.strerror}")
    return 1


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return getpass.getpass("The password of the Wi-Fi: ")


def _find(port: str) -> tuple[str, Hello]:
    """Return the board's cable, and what it says of itself. Raises NoBoardError."""
    likely, others = ports()
    reports = [*probe_all(likely), *others] if port == AUTO else probe_all([port])
    chosen = choose(reports, None, b"")
    return next((one.port, one.hello) for one in reports if one.port == chosen and one.hello)


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
