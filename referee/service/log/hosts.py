"""Who hosts a table, and who asks to, as folded from the table's log."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

# Kinds of entries by which somebody becomes a host, or stops being one.
HOST_KINDS = ("created", "token-issued", "token-revoked", "host-made", "host-ended")
# How long a host has to refuse another.
TAKEOVER_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Host:
    """A host, known by its token's id; ``seat``: it is the phone of that seat.

    ``since`` is the entry by which the table's agreement or the operator made it a host; 0 if a
    host did. A host who was there before cannot take that back.
    """

    seat: int | None = None
    since: int = 0


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A seat's phone asks to become a host; ``agreed`` are the tokens that agree, its own too.

    ``until`` is the time that the hosts have to refuse.
    """

    seat: int
    token: str
    at: str
    until: str
    agreed: tuple[str, ...] = ()


@dataclass(slots=True)
class Hosts:
    """The hosts of a table by token, and the open request of a phone to become one."""

    held: dict[str, Host] = field(default_factory=dict)
    request: HostRequest | None = None

    def take(self, seq: int, kind: str, at: str, body: Mapping[str, Any]) -> None:
        """Fold an entry of the log in."""
        if kind == "created":
            self.held = {body["by"]["token"]: Host()}
        elif kind == "token-issued" and body["role"] == "host":
            self._add(body["token"], Host(None, seq if body["by"]["role"] == "operator" else 0))
        elif kind == "host-made":
            self._add(body["token"], Host(body["seat"], 0 if body["how"] == "host" else seq))
            if self.request is not None and self.request.token == body["token"]:
                self.request = None
        elif kind in ("host-ended", "token-revoked"):
            self.held = {token: host for token, host in self.held.items() if token != body["token"]}
        elif kind == "host-asked":
            token = body["by"]["token"]
            self.request = HostRequest(body["seat"], token, at, body["until"], (token,))
        elif kind == "host-agreed" and self.request is not None:
            self._agree((*self.request.agreed, body["by"]["token"]))
        elif kind == "host-request-ended":
            self.request = None
        if kind == "token-revoked" and self.request is not None:
            if self.request.token == body["token"]:
                self.request = None
            else:
                self._agree(tuple(token for token in self.request.agreed if token != body["token"]))

    def to_json(self) -> dict[str, Any]:
        """Return the hosts as a snapshot stores them."""
        request = self.request
        return {
            "held": {token: [host.seat, host.since] for token, host in self.held.items()},
            "request": request
            and [request.seat, request.token, request.at, request.until, list(request.agreed)],
        }

    def _add(self, token: str, host: Host) -> None:
        self.held = {**self.held, token: host}

    def _agree(self, agreed: tuple[str, ...]) -> None:
        asked = self.request
        if asked is not None:
            self.request = replace(asked, agreed=agreed)


def hosts_from_json(value: Mapping[str, Any]) -> Hosts:
    """Return the hosts from a snapshot."""
    held = {token: Host(*fields) for token, fields in value["held"].items()}
    asked = value["request"]
    if asked is None:
        return Hosts(held)
    seat, token, at, until, agreed = asked
    return Hosts(held, HostRequest(seat, token, at, until, tuple(agreed)))


class Takeovers:
    """The tables of a process at which a phone has asked to become a host.

    They are looked after until that is settled. ``seconds`` is how long a host has to refuse;
    ``started`` is called for each table.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.started: Callable[[], None] = lambda: None
        self._tables: dict[str, None] = {}

    def wait_for(self, table_id: str) -> None:
        """Look after a table from now on."""
        self._tables[table_id] = None
        self.started()

    def waiting(self) -> list[str]:
        """Return the ids of the tables."""
        return list(self._tables)

    def forget(self, table_id: str) -> None:
        """Look after a table no more."""
        self._tables.pop(table_id, None)
