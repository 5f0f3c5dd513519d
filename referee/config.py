"""Settings of a server, from flags or the environment (``REFEREE_…``)."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DATABASE = "referee.sqlite3"
MOST_STREAMS = 1_000
LARGEST_BODY = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server can be told.

    ``database`` is a file or an SQLAlchemy URL; ``variants`` are folders of further rulesets.
    ``keep_alive`` is how often, in seconds, a silent stream says that it is still there.
    """

    database: str = DATABASE
    variants: tuple[Path, ...] = ()
    most_streams: int = MOST_STREAMS
    largest_body: int = LARGEST_BODY
    keep_alive: float = 15.0


def settings_from_env(env: Mapping[str, str] | None = None) -> Settings:
    """The settings that the environment gives. Raises ValueError naming a bad one."""
    env = os.environ if env is None else env
    variants = tuple(Path(p) for p in env.get("REFEREE_VARIANTS", "").split(os.pathsep) if p)
    streams = env.get("REFEREE_MOST_STREAMS", str(MOST_STREAMS))
    if not streams.isdecimal() or not int(streams):
        raise ValueError("REFEREE_MOST_STREAMS must be a whole number above 0")
    return Settings(env.get("REFEREE_DATABASE", DATABASE), variants, int(streams))
