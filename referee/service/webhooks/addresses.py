"""The URLs that webhooks may have, and the addresses that they may be sent to.

Anybody who may make a table names addresses that this server then connects to. So a name is
resolved here, each of its addresses is checked, and the connection is made to what was checked.
"""

import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from referee.rules.message import Message
from referee.service.problems import Problem, invalid

LONGEST_URL = 2000
# What the operator forgot, more often than not.
SETTING = "REFEREE_WEBHOOK_NETWORKS"
EXAMPLE = "https://lights.example/hook"
PORTS = {"http": 80, "https": 443}
FIRST_FREE_PORT = 1024
# Above that, and spoken to by no browser either: https://fetch.spec.whatwg.org/#bad-port
BAD_PORTS = frozenset(
    {
        *(1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566),
        *(*range(6665, 6670), 6679, 6697, 10080),
    }
)
VISIBLE = re.compile(r"[!-~]+")
HOST = re.compile(r"[A-Za-z0-9._:-]+")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
OFF, PUBLIC, PRIVATE_TOO = MODES = ("off", "public", "private-too")


def _networks(*written: str) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(network) for network in written)


# Whatever the settings say: nobody lives there, or a cloud tells its machines secrets.
NEVER = _networks(
    *("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32"),
    *("100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32"),
    *("::/128", "fe80::/10", "ff00::/8", "fd00:ec2::254/128", "fd20:ce::254/128"),
)
PRIVATE = _networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
# The part of IPv6 that is handed out, less what stands for something else: documentation, tunnels
# that end at an IPv4 address (Teredo, 6to4).
GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
NOT_GLOBAL = _networks(
    *("192.0.0.0/24", "192.88.99.0/24"),
    *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
)
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Where webhooks may go.

    Attributes:
        mode: "off", "public", or "private-too" for private networks as well.
        networks: Further networks that are allowed.
        http: Send to public addresses without encryption, too.
    """

    mode: str = PUBLIC
    networks: tuple[Network, ...] = ()
    http: bool = False

    def allows(self, address: str, encrypted: bool) -> bool:
        """Return whether to connect to an IP address; within a network of ours also by http."""
        try:
            parsed: Address = ipaddress.ip_address(address)
        except ValueError:
            return False
        if isinstance(parsed, ipaddress.IPv6Address):
            if parsed.scope_id is not None:
                return False
            parsed = parsed.ipv4_mapped or parsed
        if _within(parsed, NEVER):
            return False
        inside = self.mode == PRIVATE_TOO and _within(parsed, PRIVATE)
        if inside or _within(parsed, self.networks):
            return True
        return _is_public(parsed) and (encrypted or self.http)

    @property
    def http_somewhere(self) -> bool:
        """Whether there is any address that may be spoken to without encryption."""
        return self.http or bool(self.networks) or self.mode == PRIVATE_TOO


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address in NAT64:
        # Where a network speaks IPv6 only, a gateway passes on to the IPv4 address in it.
        inner = ipaddress.IPv4Address(address.packed[-4:])
        return not _within(inner, NEVER) and _is_public(inner)
    if isinstance(address, ipaddress.IPv6Address) and address not in GLOBAL_V6:
        return False
    return address.is_global and not address.is_multicast and not _within(address, NOT_GLOBAL)


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


@dataclass(frozen=True, slots=True)
class Target:
    """A URL in parts: ``host`` to resolve, ``named`` for the header Host, ``path`` with query."""

    encrypted: bool
    host: str
    port: int
    named: str
    path: str


def parse_url(url: str) -> Target | None:
    """Parse a URL; None unless it is plain: http or https, a host, no user and no fragment."""
    if len(url) > LONGEST_URL or not VISIBLE.fullmatch(url) or "\\" in url or "#" in url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    if parts.scheme not in PORTS or "@" in parts.netloc or not HOST.fullmatch(host) or port == 0:
        return None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(
        parts.scheme == "https", host, port or PORTS[parts.scheme], parts.netloc.lower(), path
    )


def check_url(url: str, policy: AddressPolicy) -> None:
    """Check the URL of a new webhook. Raises Problem.

    What a name stands for may change at any time: that is checked whenever something is sent.
    """
    target = parse_url(url)
    if target is None:
        raise invalid(
            "url",
            Message(
                "must be an address such as {example}, without user, password or fragment",
                example=EXAMPLE,
            ),
        )
    if not target.encrypted and not policy.http_somewhere:
        raise invalid(
            "url",
            Message(
                "must begin with {scheme} on this server, except in networks that {setting} lists",
                scheme="https://",
                setting=SETTING,
            ),
        )
    if (
        target.port not in PORTS.values() and target.port < FIRST_FREE_PORT
    ) or target.port in BAD_PORTS:
        raise invalid("url", Message("this server sends nothing to port {port}", port=target.port))
    for address in literal(target):
        if not policy.allows(address, target.encrypted):
            raise invalid(
                "url",
                Message(
                    "this server sends nothing to that address; {setting} lists further networks",
                    setting=SETTING,
                ),
            )


def literal(target: Target) -> list[str]:
    """Return the IP address that the host is, however it is written; none for a name."""
    try:
        answers = socket.getaddrinfo(
            target.host, target.port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST
        )
    except (OSError, UnicodeError):
        return []
    return [str(answer[4][0]) for answer in answers]


def check_on(policy: AddressPolicy) -> None:
    """Check that this server sends webhooks at all. Raises Problem."""
    if policy.mode == "off":
        raise Problem("forbidden", "This server sends no webhooks.")
