"""Who may do what: roles, tokens, join codes."""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass, replace

from referee.rules.message import Message
from referee.service.problems import Problem, invalid

# Roles of people; devices are registered (service.devices).
ROLES = ("host", "seat", "spectator")
# The id by which a token names itself.
SELF = "self"
# Without letters and digits that look alike.
CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
# Of the seal that makes a code an invitation.
SEAL_LENGTH = 8
SHORTEST_OPEN_KEY = 16


@dataclass(frozen=True, slots=True)
class Principal:
    """The holder of a token.

    ``mark`` identifies the token's present secret. ``host``: a seat's phone that is a host as well.
    ``tournament_id``: an organiser's tournament, at whose tables they are a host. ``group_id``: the
    group whose games the token reads.
    """

    id: str
    table_id: str
    role: str
    seat: int | None = None
    name: str | None = None
    mark: str = ""
    host: bool = False
    tournament_id: str = ""
    group_id: str = ""

    @property
    def is_host(self) -> bool:
        """True for a host of the table."""
        return self.role == "host" or self.host

    @property
    def is_operator(self) -> bool:
        """True for the operator of the server."""
        return self.role == "operator"

    def to_json(self) -> dict[str, object]:
        """Return the principal as the log stores it."""
        by: dict[str, object] = {"token": self.id, "role": self.role}
        if self.seat is not None:
            by["seat"] = self.seat
        return {**by, "host": True} if self.host else by


# The operator of the server, who belongs to no table.
OPERATOR = Principal("operator", "", "operator")


def hash_token(token: str) -> str:
    """Return the hash under which a token is stored. Tokens are random, so no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


def mark_of(hashed: str) -> str:
    """Return a mark that identifies a token's secret in the log without revealing it."""
    return hashed[:16]


def new_id() -> str:
    """Return a random identifier."""
    return _short(secrets.token_bytes(10))


def new_code() -> str:
    """Return a random join code of 40 bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def read_code(written: str) -> str:
    """Return a join code as people type it: in small letters, with spaces or hyphens."""
    return "".join(c for c in written.upper() if not c.isspace() and c != "-")


def is_code(written: str) -> bool:
    """Return whether a text looks like a join code, or an invitation."""
    code = read_code(written)
    return len(code) in (CODE_LENGTH, CODE_LENGTH + SEAL_LENGTH) and set(code) <= set(CODE_ALPHABET)


class TokenMaker:
    """Makes tokens and ids; a repeated request with the same key gets the same ones again.

    Only hashes of tokens are stored, so a retried request could not be answered with the token that
    it missed. Tokens are derived instead, from the request's key and a secret of the server.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def token(self, purpose: str, key: str | None) -> str:
        """Return a token of nearly 256 bits that no command line mistakes for an option."""
        drawn = secrets.token_bytes(32) if key is None else self._derive(f"token:{purpose}", key)
        text = base64.urlsafe_b64encode(drawn).decode().rstrip("=")
        return f"_{text[1:]}" if text.startswith("-") else text

    def secret(self, purpose: str, key: str | None) -> bytes:
        """Return a secret of 256 bits, to sign with."""
        return secrets.token_bytes(32) if key is None else self._derive(f"secret:{purpose}", key)

    def id(self, purpose: str, key: str | None) -> str:
        """Return an id of 80 bits."""
        return new_id() if key is None else _short(self._derive(f"id:{purpose}", key)[:10])

    def invitation(self, code: str) -> str:
        """Return a join code with its seal: 80 bits, for a link or a QR code, not to be typed."""
        derived = self._derive("seal", code)
        return code + "".join(
            CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in derived[:SEAL_LENGTH]
        )

    def is_invitation(self, written: str) -> bool:
        """Return whether a code as it was read ends with its seal; its table may be gone."""
        sealed = self.invitation(written[:-SEAL_LENGTH])
        return hmac.compare_digest(sealed.encode(), written.encode())

    def signature(self, text: str) -> str:
        """Return a signature of 128 bits that only servers of this database can make."""
        derived = self._derive("signature", text)[:16]
        return base64.urlsafe_b64encode(derived).decode().rstrip("=")

    def signed(self, text: str, signature: str) -> bool:
        """Return whether the signature is that of the text."""
        return hmac.compare_digest(self.signature(text).encode(), signature.encode())

    def _derive(self, purpose: str, key: str) -> bytes:
        return hmac.digest(self._secret, f"{purpose}\0{key}".encode(), "sha256")


def _short(raw: bytes) -> str:
    return base64.b32encode(raw).decode().lower()


def check_open_key(key: str | None) -> None:
    """Check a key sent without a token: it identifies its sender, so guessing must be hard."""
    if key is not None and len(key) < SHORTEST_OPEN_KEY:
        raise invalid(
            "Idempotency-Key",
            Message("must have at least {fewest} characters here", fewest=SHORTEST_OPEN_KEY),
        )


@dataclass(frozen=True, slots=True)
class Rights:
    """The roles that may use an operation, and the sentence that refuses all others.

    ``holder``: the holder of the token concerned may use it, too. ``public``: so may anybody else,
    without a token, where the tournament is public.
    """

    roles: tuple[str, ...]
    refusal: str
    holder: bool = False
    public: bool = False


# Declared at the routes of the API, which check them before anything else.
ANYBODY = Rights(("host", "seat", "spectator", "device"), "This token belongs to another table.")
HOST = Rights(("host",), "Only the host of the table may do this.")
HOST_OR_HOLDER = replace(HOST, holder=True)
HOST_OR_OWN_SEAT = Rights(("host", "seat"), "Only a host, or the seat itself, may do this.")
PLAYERS = Rights(("host", "seat"), "A spectator or a device makes no moves.")
SEAT_ACTORS = Rights(("host", "seat"), "Nobody may act for another seat but the host.")
DEALERS = Rights(("host", "seat"), "Only the host, or whoever deals, may start a round.")
SEATS = Rights(("seat",), "Only a seat keeps a language: send Accept-Language instead.")
SEATED = Rights(("seat",), "Only whoever has a seat at the table may do this.")
PHOTOGRAPHERS = Rights(("host", "seat", "device"), "A spectator has no cards to show.")
ASKERS = Rights(("seat", "spectator"), "Ask with a spectator's token, which the join code gives.")
OBSERVERS = Rights(("device",), "Observations come from the table's devices only.")
CAMERAS = Rights(("device",), "Only a camera of this table sends its pictures.")
DEVICES = Rights(("device",), "This device is not registered at the table.")
OPERATORS = Rights(("operator",), "Only the operator of this server may do this.")
GROUPS = Rights(("group",), "This token belongs to another group.")
ORGANISERS = Rights(("organiser",), "Only an organiser of the tournament may do this.")
TABLE_PLAYERS = Rights(("organiser", "seat"), "Only the players of this table may do this.")
ONLOOKERS = Rights(
    ("organiser", "host", "seat", "spectator", "device"),
    "This tournament is not public: a token of one of its tables is needed.",
    public=True,
)


def check_rights(principal: Principal, rights: Rights, token_id: str | None = None) -> None:
    """Check that a principal has the rights; ``token_id``: for this token. Raises Problem."""
    holds = rights.holder and token_id in (SELF, principal.id)
    as_host = principal.is_host and "host" in rights.roles
    if principal.role not in rights.roles and not as_host and not holds:
        raise Problem("forbidden", rights.refusal)


def check_acts_for(principal: Principal, seat: int | None, refusal: str = "") -> None:
    """Check that a principal may act for a seat: its own or, for the host, any. Raises Problem.

    ``seat`` None: only the host acts for the table as a whole.
    """
    if not (principal.is_host or (principal.role == "seat" and principal.seat == seat)):
        raise Problem("forbidden", refusal or (SEAT_ACTORS if seat else HOST).refusal)
