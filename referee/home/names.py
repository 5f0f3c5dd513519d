"""Under which names and addresses a machine is reached at home."""

import ipaddress
import re
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import ifaddr

from referee.web.address import is_at_home, own_address

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LOCAL = "local"
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Names:
    """How a machine is reached.

    Attributes:
        hosts: Its host names.
        addresses: Those of home networks and of the machine itself, which are certified.
        reached: Where others in the house reach it, IPv4 first.
    """

    hosts: tuple[str, ...]
    addresses: tuple[Address, ...]
    reached: tuple[Address, ...]


def own_names(name: str) -> Names:
    """Return how this machine is reached; ``name`` is the one that it announces, without .local."""
    hosts = [f"{name}.{LOCAL}", f"{_host()}.{LOCAL}", "localhost"]
    adapters = own_adapters()
    everything = [address for adapter in adapters for address in adapter]
    return Names(tuple(dict.fromkeys(hosts)), at_home(everything), reached(adapters, own_address()))


def at_home(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Return those of a home's network and of the machine itself, in a fixed order, IPv4 first."""
    return tuple(sorted({address for address in addresses if is_at_home(str(address))}, key=_rank))


def reached(adapters: Sequence[Sequence[Address]], usual: str | None) -> tuple[Address, ...]:
    """Return where others reach a machine with these adapters, IPv4 first.

    ``usual`` is the address that it uses towards others. Only its adapter counts then: phones
    cannot reach the networks of containers and tunnels, and would try them one by one.
    """
    main = [adapter for adapter in adapters if usual in {str(address) for address in adapter}]
    own = {address for adapter in main or adapters for address in adapter}
    return tuple(sorted((address for address in own if not _is_own(address)), key=_rank))


def checked_name(text: str) -> str:
    """Return a name for mDNS, in lower case. Raises ValueError."""
    name = text.strip().casefold().removesuffix(f".{LOCAL}")
    if not NAME.fullmatch(name):
        raise ValueError(f"{text!r} is no name: letters a to z, digits and hyphens, at most 63")
    return name


def own_adapters() -> list[list[Address]]:
    """Return the addresses of this machine, adapter by adapter."""
    adapters = []
    for adapter in ifaddr.get_adapters():
        texts = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for ip in adapter.ips]
        adapters.append([ipaddress.ip_address(text.partition("%")[0]) for text in texts])
    return adapters


def _rank(address: Address) -> tuple[bool, int, bool, int]:
    return address.is_loopback, address.version, not is_at_home(str(address)), int(address)


def _is_own(address: Address) -> bool:
    # An address of the link alone means nothing without the link's name, which differs by machine.
    return address.is_loopback or (address.version == 6 and address.is_link_local)


def _host() -> str:
    first = socket.gethostname().partition(".")[0].casefold()
    return first if NAME.fullmatch(first) else "referee-host"
