"""Find the address at which other phones reach this server.

A browser on the server's own machine may have opened ``127.0.0.1``, which is useless in a QR code.
The machine's address in the local network replaces it.
"""

import ipaddress
import socket
from contextlib import suppress
from pathlib import Path

# Never sent to: connecting a UDP socket only makes the system choose a source address.
REMOTE = ("192.0.2.1", 9)
# Seconds.
CONNECT_TIMEOUT = 0.3
# Of homes, and of the machine itself (RFC 1918, 4193); a house's authority certifies no others.
HOME_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8"),
        *("fc00::/7", "::1/128"),
    )
)
# What Docker and Podman leave in a container.
CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))


def reachable_origin(scheme: str, host: str, port: int) -> str | None:
    """Return the origin for other phones, with a trailing slash, or None if there is none.

    ``host`` is the Host header; ``port`` is where the server listens.
    """
    if not is_loopback(name_of(host)):
        return f"{scheme}://{host}/"
    address = address_for_phones()
    if address is None or not listens(address, port):
        return None
    return f"{scheme}://{address}:{port}/"


def at_port(scheme: str, name: str, port: int) -> str:
    """Return the origin of a host name or address at a port, with a trailing slash."""
    usual = {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{name}/" if port == usual else f"{scheme}://{name}:{port}/"


def name_of(host: str) -> str:
    """Return the name or address in a Host header, an IPv6 address in its brackets."""
    return host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host


def is_at_home(address: str) -> bool:
    """Return whether an IP address, in brackets or not, is one of a home's network."""
    try:
        ip = ipaddress.ip_address(address.strip("[]"))
    except ValueError:
        return False
    return any(ip in network for network in HOME_NETWORKS)


def is_loopback(name: str) -> bool:
    """Return whether a host name refers to the machine itself."""
    if name.casefold() == "localhost":
        return True
    with suppress(ValueError):
        ip = ipaddress.ip_address(name.strip("[]"))
        return ip.is_loopback or ip.is_unspecified
    return False


def own_address() -> str | None:
    """Return this machine's address in its network, None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(REMOTE)
        except OSError:
            return None
        address = str(out.getsockname()[0])
    return None if is_loopback(address) else address


def in_container() -> bool:
    """Return whether this is a container, whose own address cannot be reached from outside."""
    return any(mark.exists() for mark in CONTAINER_MARKS)


def address_for_phones() -> str | None:
    """Return the address at which phones reach this machine, None if nobody here knows it."""
    return None if in_container() else own_address()


def listens(address: str, port: int) -> bool:
    """Return whether a server accepts connections there."""
    try:
        socket.create_connection((address, port), CONNECT_TIMEOUT).close()
    except OSError:
        return False
    return True
