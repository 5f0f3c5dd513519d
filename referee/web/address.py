"""Where other phones reach this server, when the one that asks is on the server's own machine.

Whoever opens the page on the machine that serves it has ``127.0.0.1`` in the address bar, which is
no use in a QR code. Then the machine's own address in the local network is tried instead.
"""

import ipaddress
import socket
from contextlib import suppress
from pathlib import Path

# Nothing is ever sent there: it only makes the system choose the address it would send from.
ELSEWHERE = ("192.0.2.1", 9)
PATIENCE = 0.3
# Inside a container the machine's address is one that nobody outside can reach.
CONTAINER = Path("/.dockerenv")


def reachable_origin(scheme: str, host: str, port: int) -> str | None:
    """The origin for others, with a slash at its end; None if they cannot get here.

    ``host`` is what the browser asked for, ``port`` where this server really listens.
    """
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    if not is_loopback(name):
        return f"{scheme}://{host}/"
    address = None if CONTAINER.exists() else own_address()
    if address is None or not listens(address, port):
        return None
    return f"{scheme}://{address}:{port}/"


def is_loopback(name: str) -> bool:
    """Whether a host name can only mean the machine itself."""
    if name.casefold() == "localhost":
        return True
    with suppress(ValueError):
        found = ipaddress.ip_address(name.strip("[]"))
        return found.is_loopback or found.is_unspecified
    return False


def own_address() -> str | None:
    """This machine's address in its network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(ELSEWHERE)
        except OSError:
            return None
        address = str(out.getsockname()[0])
    return None if is_loopback(address) else address


def listens(address: str, port: int) -> bool:
    """Whether somebody can connect there."""
    try:
        socket.create_connection((address, port), PATIENCE).close()
    except OSError:
        return False
    return True
