"""Settings of a server, from flags or the environment (``REFEREE_…``)."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.config_camera import prior_from_env
from referee.config_guard import OFF, Guard, guard_from_env, one_of
from referee.service.pile.prior import Prior

DATABASE = "referee.sqlite3"
MOST_STREAMS = 1_000
WORKERS = 1
LARGEST_BODY = 4 * 1024 * 1024
LARGEST_MESSAGE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server can be told.

    ``database`` is a file or an SQLAlchemy URL; ``variants`` are folders of further rulesets.
    ``most_streams`` are those that a process holds open, and ``workers`` the processes; ``pinned``
    ones stay on one core each.
    ``keep_alive`` is how often, in seconds, a silent stream says that it is still there. A body of
    at most ``largest_body`` bytes is read, and of ``largest_message`` where no record is sent.
    ``prior`` is how what a camera sees is weighed with the rules, and when it is believed.
    ``faces`` is a folder of enrolled faces that photos are read with.
    """

    database: str = DATABASE
    variants: tuple[Path, ...] = ()
    most_streams: int = MOST_STREAMS
    largest_body: int = LARGEST_BODY
    largest_message: int = LARGEST_MESSAGE
    keep_alive: float = 15.0
    guard: Guard = field(default_factory=Guard)
    workers: int = WORKERS
    pinned: bool = False
    prior: Prior = field(default_factory=Prior)
    faces: Path | None = None


def settings_from_env(env: Mapping[str, str] | None = None) -> Settings:
    """The settings that the environment gives. Raises ValueError naming a bad one."""
    env = os.environ if env is None else env
    variants = tuple(Path(p) for p in env.get("REFEREE_VARIANTS", "").split(os.pathsep) if p)
    return Settings(
        env.get("REFEREE_DATABASE", DATABASE),
        variants,
        _count(env, "REFEREE_MOST_STREAMS", MOST_STREAMS),
        workers=_count(env, "REFEREE_WORKERS", WORKERS),
        pinned=one_of(env, "REFEREE_PIN", OFF, (OFF, "on")) == "on",
        guard=guard_from_env(env),
        prior=prior_from_env(env),
        faces=Path(env["REFEREE_CAMERA_FACES"]) if env.get("REFEREE_CAMERA_FACES") else None,
    )


def _count(env: Mapping[str, str], name: str, otherwise: int) -> int:
    given = env.get(name, str(otherwise))
    if not given.isdecimal() or not int(given):
        raise ValueError(f"{name} must be a whole number above 0")
    return int(given)
