"""Announces the server in the house by mDNS, so that nobody types an address."""

import ipaddress
import socket
from collections.abc import Callable, Sequence

import structlog
from zeroconf import (  # type: ignore[attr-defined] # AddressResolver is not in its __all__
    AddressResolver,
    BadTypeInNameException,
    DNSQuestionType,
    Error,
    ServiceInfo,
    Zeroconf,
)

from referee.home.names import LOCAL, Address

logger = structlog.get_logger(__name__)

SERVICE = "_referee._tcp.local."
# Milliseconds for another machine to answer that the name is its own. What was multicast within the
# last second is not repeated (RFC 6762, 6).
ASK_MS = 1500
# More servers than any house has.
MOST = 9


class Announcement:
    """Announces ``name.local`` and the service ``_referee._tcp`` once ``follow`` is called.

    Args:
        name: The host name that it would like, without ``.local``. ``name`` is the one it has: with
            a number behind it where another machine of the house has that name.
        reached: Says where this machine is reached now.
        port: The port of plain HTTP.
        secure_port: The port of HTTPS, which browsers of those who trust the house may use.
    """

    def __init__(
        self, name: str, reached: Callable[[], Sequence[Address]], port: int, secure_port: int
    ) -> None:
        self.name = name
        self._reached, self._ports = reached, (port, secure_port)
        self._at: Sequence[Address] = ()
        self._zeroconf: Zeroconf | None = None
        self._hindered: str | None = None

    def is_announced(self) -> bool:
        """Return whether it is announced just now."""
        return self._zeroconf is not None

    def look(self) -> None:
        """Announce the server at this computer's addresses, unless that is done. Raises OSError."""
        addresses = tuple(self._reached())
        if self._zeroconf is not None and addresses == self._at:
            return
        self.close()
        interfaces = [str(address) for address in addresses if address.version == 4]
        if not interfaces:
            raise OSError("this machine is in no network with IPv4 addresses")
        try:
            zeroconf = Zeroconf(interfaces=interfaces)
        except Error as error:
            raise OSError(f"mDNS: {error}") from None
        try:
            self.name = free_name(zeroconf, self.name, addresses)
            zeroconf.register_service(self._described(addresses), allow_name_change=True)
        except (Error, BadTypeInNameException) as error:
            zeroconf.close()
            raise OSError(f"mDNS: {error}") from None
        except BaseException:
            zeroconf.close()
            raise
        self._zeroconf, self._at = zeroconf, addresses

    def follow(self) -> str | None:
        """Announce it where it is now; return why that is not possible, None if it is.

        A reason is logged when it is new.
        """
        try:
            self.look()
        except OSError as error:
            if str(error) != self._hindered:
                logger.warning("not announced", name=self.name, reason=str(error))
            self._hindered = str(error)
        else:
            self._hindered = None
        return self._hindered

    def close(self) -> None:
        """Take it back."""
        if self._zeroconf is not None:
            self._zeroconf.close()
            self._zeroconf = None

    def _described(self, addresses: Sequence[Address]) -> ServiceInfo:
        port, secure_port = self._ports
        return ServiceInfo(
            SERVICE,
            f"Referee on {socket.gethostname()[:40]}.{SERVICE}",
            port=port,
            properties={"https": str(secure_port), "path": "/"},
            server=f"{self.name}.{LOCAL}.",
            addresses=[address.packed for address in addresses],
        )


def free_name(asking: Zeroconf, name: str, own: Sequence[Address]) -> str:
    """Return the name, with a number if another machine of the house has it. Raises OSError."""
    for number in range(1, MOST + 1):
        tried = name if number == 1 else f"{name}-{number}"
        if not set(resolve(asking, f"{tried}.{LOCAL}.")) - set(own):
            return tried
    raise OSError(f"{name}.{LOCAL} and {MOST - 1} more like it are taken")


def resolve(asking: Zeroconf, host: str, milliseconds: int = ASK_MS) -> list[Address]:
    """Return the addresses of a host name in the house (``name.local.``); none if it is unknown."""
    resolver = AddressResolver(host)
    # Asked for by multicast: another program of this machine may get what is sent to it alone.
    resolver.request(asking, milliseconds, question_type=DNSQuestionType.QM)
    return [ipaddress.ip_address(address) for address in resolver.parsed_addresses()]
