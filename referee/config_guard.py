"""Settings that keep a server safe and tell how it does: limits, access, logs, retention."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from limits import RateLimitItem, parse_many
from limits.errors import ConfigurationError
from limits.storage import storage_from_string

OFF = "off"
SHORTEST_OPERATOR_KEY = 32
METRICS = ("local", "operator", "open", OFF)
LOG_FORMATS = ("logfmt", "json")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one sender may ask for, each as "number/period", several separated by ";".

    "off" (or nothing) lifts a limit. ``misses`` are join codes that do not exist, for one address,
    ``all_misses`` for the whole server; ``work`` is what rules on posted positions and records.
    ``storage`` is where it is counted: "memory", each process for itself, or a URI of the package
    ``limits`` that all processes share.
    """

    address: str = "12000/minute"
    token: str = "1800/minute"  # noqa: S105 - a rate
    tables: str = "60/hour"
    misses: str = "10/minute; 60/hour"
    all_misses: str = "600/minute"
    work: str = "120/minute"
    photos: str = "60/minute"
    storage: str = "memory"


NO_LIMITS = Limits(*[OFF] * 7)


@dataclass(frozen=True, slots=True)
class Guard:
    """Who may do what a table's tokens do not speak for, and what is said and kept.

    ``operator_key`` makes its sender the server's operator; ``tables_by_operator``: nobody else
    makes tables. ``proxies`` is how many reverse proxies in front name the client's address.
    ``keep_finished`` and ``keep_idle`` are days without a new entry after which a finished table,
    and any table, is purged; 0: never.
    """

    limits: Limits = field(default_factory=Limits)
    operator_key: str = ""
    tables_by_operator: bool = False
    cors_origins: tuple[str, ...] = ()
    proxies: int = 0
    metrics: str = "local"
    log_format: str = "logfmt"
    log_requests: bool = False
    keep_finished: int = 0
    keep_idle: int = 0


def parse_limit(text: str) -> tuple[RateLimitItem, ...]:
    """A limit as written; none for "off". Raises ValueError."""
    text = text.strip()
    return () if text in ("", OFF) else tuple(parse_many(text))


def guard_from_env(env: Mapping[str, str]) -> Guard:
    """What the environment says of it. Raises ValueError naming a bad variable."""
    key = env.get("REFEREE_OPERATOR_KEY", "")
    if key and (len(key) < SHORTEST_OPERATOR_KEY or not key.isascii() or not key.isprintable()):
        raise ValueError(
            f"REFEREE_OPERATOR_KEY must have at least {SHORTEST_OPERATOR_KEY} printable characters"
        )
    makers = one_of(env, "REFEREE_TABLES", "open", ("open", "operator"))
    metrics = one_of(env, "REFEREE_METRICS", "local", METRICS)
    for name, needs in (("REFEREE_TABLES", makers), ("REFEREE_METRICS", metrics)):
        if needs == "operator" and not key:
            raise ValueError(f"{name}=operator needs REFEREE_OPERATOR_KEY")
    return Guard(
        limits=_limits(env),
        operator_key=key,
        tables_by_operator=makers == "operator",
        cors_origins=_origins(env.get("REFEREE_CORS_ORIGINS", "")),
        proxies=whole_number(env, "REFEREE_PROXIES", 0),
        metrics=metrics,
        log_format=one_of(env, "REFEREE_LOG_FORMAT", "logfmt", LOG_FORMATS),
        log_requests=one_of(env, "REFEREE_LOG_REQUESTS", OFF, (OFF, "on")) == "on",
        keep_finished=whole_number(env, "REFEREE_KEEP_FINISHED_DAYS", 0),
        keep_idle=whole_number(env, "REFEREE_KEEP_IDLE_DAYS", 0),
    )


def whole_number(env: Mapping[str, str], name: str, default: int, least: int = 0) -> int:
    """A whole number from the environment. Raises ValueError."""
    text = env.get(name, str(default))
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) < least:
        raise ValueError(f"{name} must be a whole number of at least {least}")
    return int(text)


def _limits(env: Mapping[str, str]) -> Limits:
    if one_of(env, "REFEREE_LIMITS", "on", ("on", OFF)) == OFF:
        return NO_LIMITS
    found = {}
    for one in fields(Limits):
        name = f"REFEREE_LIMIT_{one.name.upper()}"
        if name not in env:
            continue
        found[one.name] = env[name]
        if one.name == "storage":
            _check_storage(name, env[name])
            continue
        try:
            parse_limit(env[name])
        except ValueError:
            raise ValueError(f'{name} must be "off" or like "{one.default}"') from None
    return Limits(**found)


def _check_storage(name: str, uri: str) -> None:
    """Nothing is asked of it yet. The URI is not repeated: it may hold a password."""
    if uri == "memory":
        return
    try:
        storage_from_string(uri)
    except (ConfigurationError, ValueError, ImportError) as error:
        raise ValueError(
            f'{name} must be "memory" or the URI of a storage whose client is installed, such as '
            f"redis://host:6379 ({type(error).__name__})"
        ) from None


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(one.strip().rstrip("/") for one in text.split(",") if one.strip())
    for origin in origins:
        scheme, _, host = origin.partition("://")
        if origin != "*" and (scheme not in ("http", "https") or not host or "/" in host):
            raise ValueError(
                "REFEREE_CORS_ORIGINS must list origins such as https://app.example, separated by "
                "commas"
            )
    return origins


def one_of(env: Mapping[str, str], name: str, default: str, choices: tuple[str, ...]) -> str:
    """The value of a variable with few. Raises ValueError."""
    value = env.get(name, default)
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}")
    return value
