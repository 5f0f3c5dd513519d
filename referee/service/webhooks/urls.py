"""The URLs that webhooks may have, as far as they can be judged without a network."""

import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from referee.rules.message import Message
from referee.service.problems import Problem, invalid
from referee.service.webhooks.addresses import AddressPolicy

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
        found = socket.getaddrinfo(
            target.host, target.port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST
        )
    except (OSError, UnicodeError):
        return []
    return [str(one[4][0]) for one in found]


def check_on(policy: AddressPolicy) -> None:
    """Check that this server sends webhooks at all. Raises Problem."""
    if policy.mode == "off":
        raise Problem("forbidden", "This server sends no webhooks.")
