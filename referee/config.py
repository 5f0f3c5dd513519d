"""Server settings: their defaults, and how the environment (``REFEREE_…``) changes them."""

import ipaddress
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from limits import RateLimitItem, parse_many
from limits.errors import ConfigurationError
from limits.storage import storage_from_string

from referee.service.log.hosts import TAKEOVER_SECONDS
from referee.service.log.preconditions import MOST_ENTRIES
from referee.service.pile.thresholds import Prior
from referee.service.webhooks.addresses import MODES, AddressPolicy, Network

OFF = "off"
SHORTEST_OPERATOR_KEY = 32
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """Rate limits for one sender, each as "number/period", several separated by ";".

    "off" or an empty string lifts a limit.

    Attributes:
        address: Requests of one address.
        token: Requests with one token; a photo is many.
        frames: Pictures of a phone that is the camera, with one token.
        tables: New tables of one address.
        misses: Join codes typed at one address that do not exist. A multiple of it is allowed in
            the address's wider network and everywhere.
        work: Moves to play again for imports, replays, exports and corrections, of one address and
            of one table; rulings without a table and work on tournaments are many.
        storage: Where requests are counted: "memory", each process for itself, or a URI of the
            package ``limits`` that all processes share.
    """

    address: str = "12000/minute"
    token: str = "1800/minute"  # noqa: S105 - a rate
    frames: str = "30/2 seconds"
    tables: str = "60/hour"
    misses: str = "10/minute; 60/hour"
    work: str = "120000/minute"
    storage: str = "memory"


NO_LIMITS = Limits(*[OFF] * 6)


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """How many event streams of one process others leave to one sender; 0 for any number.

    Attributes:
        token: Streams of one token: a phone opens one or two.
        table: Streams of one table, its players and spectators.
        address: Streams of one address, which may be a whole club.
    """

    token: int = 6
    table: int = 120
    address: int = 400


NO_STREAM_LIMITS = StreamLimits(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Guard:
    """Limits, access, logs and retention.

    Attributes:
        limits: The rate limits.
        streams: The shares in event streams.
        operator_key: Makes its sender the server's operator; "" for no operator.
        tables_by_operator: Only the operator creates tables.
        cors_origins: Origins whose pages may use the API.
        proxies: The number of trusted reverse proxies in front of the server.
        metrics: Who reads ``/metrics``: "local", "operator", "open" or "off".
        log_format: "logfmt" or "json".
        log_requests: Log every request, not only slow and failed ones.
        keep_finished: Days after the last entry until a finished table is purged; 0 for never.
        keep_idle: The same for any table.
    """

    limits: Limits = field(default_factory=Limits)
    streams: StreamLimits = field(default_factory=StreamLimits)
    operator_key: str = ""
    tables_by_operator: bool = False
    cors_origins: tuple[str, ...] = ()
    proxies: int = 0
    metrics: str = "local"
    log_format: str = "logfmt"
    log_requests: bool = False
    keep_finished: int = 0
    keep_idle: int = 0


@dataclass(frozen=True, slots=True)
class Home:
    """HTTPS beside plain HTTP, as ``referee home`` serves it.

    Attributes:
        port: The port of plain HTTP.
        secure_port: The port of HTTPS.
        name: The host name that HTTPS is certified for, whatever addresses the machine has.
        authority: The certificate of the house's authority (DER), which phones may trust; None
            where they trust the server's certificate anyway.
        fingerprint: Its SHA-256, as phones show it.
        is_announced: Says whether the house's network hears of the server by mDNS just now.
    """

    port: int
    secure_port: int
    name: str
    authority: bytes | None = None
    fingerprint: str = ""
    is_announced: Callable[[], bool] = bool


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server.

    Attributes:
        database: An SQLite file or an SQLAlchemy URL.
        variants: Folders of further rulesets.
        max_streams: Event streams that one process holds open.
        max_body: The largest request body, in bytes, if it is a record.
        max_message: The largest request body, in bytes, of everything else, unless its operation
            says otherwise.
        max_entries: Entries in the log of one table, and moves and rounds in a record.
        keep_alive: Seconds after which a silent stream sends a comment.
        takeover_seconds: Seconds that a host has to refuse another phone's wish to become one.
        guard: Limits, access, logs and retention.
        workers: Server processes.
        pinned: Keep each process on one core.
        prior: How camera readings are weighed with the rules, and from when they are believed.
        faces: A folder of enrolled card faces for reading photos.
        watcher: Start the worker for phones that are cameras, where its packages are installed.
        webhooks: Where webhooks may go.
        home: HTTPS beside plain HTTP; None without.
    """

    database: str = "referee.sqlite3"
    variants: tuple[Path, ...] = ()
    max_streams: int = 1_000
    max_body: int = 4 * 1024 * 1024
    max_message: int = 16 * 1024
    max_entries: int = MOST_ENTRIES
    keep_alive: float = 15.0
    takeover_seconds: float = TAKEOVER_SECONDS
    guard: Guard = field(default_factory=Guard)
    workers: int = 1
    pinned: bool = False
    prior: Prior = field(default_factory=Prior)
    faces: Path | None = None
    watcher: bool = True
    webhooks: AddressPolicy = field(default_factory=AddressPolicy)
    home: Home | None = None


class Environment:
    """Reads variables, and collects what is wrong with them."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self.problems: list[str] = []

    def read(self, name: str, parse: Callable[[str], T], default: T) -> T:
        """Return the value of a variable, or the default if it is unset or invalid."""
        if name not in self._variables:
            return default
        try:
            return parse(self._variables[name])
        except ValueError as error:
            self.problems.append(f"{name} {error}")
            return default


def settings_from_env(variables: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings from the environment. Raises ValueError naming each invalid variable."""
    env, default = Environment(variables), Settings()
    settings = Settings(
        database=env.read("REFEREE_DATABASE", str, default.database),
        variants=env.read("REFEREE_VARIANTS", _folders, ()),
        max_streams=env.read("REFEREE_MOST_STREAMS", at_least(1), default.max_streams),
        max_entries=env.read("REFEREE_MOST_ENTRIES", at_least(100), default.max_entries),
        workers=env.read("REFEREE_WORKERS", at_least(1), default.workers),
        takeover_seconds=env.read(
            "REFEREE_TAKEOVER_SECONDS", at_least(0), default.takeover_seconds
        ),
        pinned=env.read("REFEREE_PIN", _switch, default.pinned),
        guard=_guard(env),
        prior=Prior(
            certain=env.read("REFEREE_CAMERA_CERTAIN", _probability, default.prior.certain),
            mention=env.read("REFEREE_CAMERA_MENTION", _probability, default.prior.mention),
            patience=env.read("REFEREE_CAMERA_PATIENCE", at_least(0), default.prior.patience),
        ),
        faces=env.read("REFEREE_CAMERA_FACES", lambda text: Path(text) if text else None, None),
        watcher=env.read("REFEREE_WATCHER", _switch, default.watcher),
        webhooks=AddressPolicy(
            mode=env.read("REFEREE_WEBHOOKS", one_of(*MODES), default.webhooks.mode),
            networks=env.read("REFEREE_WEBHOOK_NETWORKS", _networks, ()),
            http=env.read("REFEREE_WEBHOOK_HTTP", _switch, default.webhooks.http),
        ),
    )
    if env.problems:
        raise ValueError("; ".join(env.problems))
    return settings


def _guard(env: Environment) -> Guard:
    default = Guard()
    key = env.read("REFEREE_OPERATOR_KEY", _operator_key, default.operator_key)
    tables = env.read("REFEREE_TABLES", one_of("open", "operator"), "open")
    metrics = env.read("REFEREE_METRICS", one_of("local", "operator", "open", OFF), default.metrics)
    for name, value in (("REFEREE_TABLES", tables), ("REFEREE_METRICS", metrics)):
        if value == "operator" and not key:
            env.problems.append(f"{name}=operator needs REFEREE_OPERATOR_KEY")
    limited = env.read("REFEREE_LIMITS", _switch, True)
    return Guard(
        limits=_limits(env) if limited else NO_LIMITS,
        streams=_stream_limits(env) if limited else NO_STREAM_LIMITS,
        operator_key=key,
        tables_by_operator=tables == "operator",
        cors_origins=env.read("REFEREE_CORS_ORIGINS", _origins, ()),
        proxies=env.read("REFEREE_PROXIES", at_least(0), default.proxies),
        metrics=metrics,
        log_format=env.read("REFEREE_LOG_FORMAT", one_of("logfmt", "json"), default.log_format),
        log_requests=env.read("REFEREE_LOG_REQUESTS", _switch, default.log_requests),
        keep_finished=env.read("REFEREE_KEEP_FINISHED_DAYS", at_least(0), default.keep_finished),
        keep_idle=env.read("REFEREE_KEEP_IDLE_DAYS", at_least(0), default.keep_idle),
    )


def _limits(env: Environment) -> Limits:
    rates = {}
    for name, default in asdict(Limits()).items():
        parse = _storage if name == "storage" else partial(_rate, example=default)
        rates[name] = env.read(f"REFEREE_LIMIT_{name.upper()}", parse, default)
    return Limits(**rates)


def _stream_limits(env: Environment) -> StreamLimits:
    shares = {
        name: env.read(f"REFEREE_MOST_STREAMS_{name.upper()}", at_least(0), default)
        for name, default in asdict(StreamLimits()).items()
    }
    return StreamLimits(**shares)


def parse_limit(text: str) -> tuple[RateLimitItem, ...]:
    """Parse a limit; none for "off". Raises ValueError."""
    text = text.strip()
    return () if text in ("", OFF) else tuple(parse_many(text))


def at_least(minimum: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from ``minimum`` to 999,999,999."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) < minimum:
            raise ValueError(f"must be a whole number of at least {minimum}")
        return int(text)

    return parse


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a parser that accepts only these words."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text

    return parse


def _switch(text: str) -> bool:
    return one_of("on", OFF)(text) == "on"


def _folders(text: str) -> tuple[Path, ...]:
    return tuple(Path(folder) for folder in text.split(os.pathsep) if folder)


def _networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError:
        raise ValueError("must list networks such as 192.168.1.0/24, separated by commas") from None


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise ValueError("must be a number above 0, and 1 at most")
    return value


def _operator_key(text: str) -> str:
    if text and (len(text) < SHORTEST_OPERATOR_KEY or not text.isascii() or not text.isprintable()):
        raise ValueError(f"must have at least {SHORTEST_OPERATOR_KEY} printable characters")
    return text


def _rate(text: str, example: str) -> str:
    try:
        parse_limit(text)
    except ValueError:
        raise ValueError(f'must be "{OFF}" or like "{example}"') from None
    return text


def _storage(uri: str) -> str:
    # The URI may hold a password, so the message does not repeat it.
    try:
        if uri != "memory":
            storage_from_string(uri)
    except (ConfigurationError, ValueError, ImportError) as error:
        raise ValueError(
            'must be "memory" or the URI of a storage whose client is installed, such as '
            f"redis://host:6379 ({type(error).__name__})"
        ) from None
    return uri


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip().rstrip("/") for part in text.split(",") if part.strip())
    for origin in origins:
        scheme, _, host = origin.partition("://")
        if origin != "*" and (scheme not in ("http", "https") or not host or "/" in host):
            raise ValueError("must list origins such as https://app.example, separated by commas")
    return origins
