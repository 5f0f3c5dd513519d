"""The camera's options in a configuration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.camera.deck_recogniser import recogniser_of
from hardware.camera.decks import RULESETS
from hardware.camera.learn.learner import LearnOptions
from hardware.camera.learn.recall import LearntFaces
from hardware.camera.reading.recognise import MODELS, CardRecogniser
from hardware.camera.source import SourceError, open_source

_NAMES = ("source", "ruleset", "setup", "models", "faces", "learn", "learnt", "table", "lock")
LEARN = ("table", "deck", "off")
"""What faces are learnt for: this table, every table here with its deck, or not at all."""


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """Options of a camera, named as for ``referee-table camera``; None means the default.

    ``lock``: keep focus, exposure and white balance as they are once the picture is good.
    """

    source: str
    ruleset: str | None = None
    setup: Path | None = None
    models: Path = MODELS
    faces: Path | None = None
    learn: LearnOptions | None = None
    lock: bool = True

    def recogniser(
        self, environ: Mapping[str, str], learnt: Sequence[LearntFaces] = ()
    ) -> CardRecogniser:
        """Return the recogniser of its cards. Raises ModelError."""
        return recogniser_of(self.ruleset, environ, self.models, self.faces, learnt)


def read_options(options: Mapping[str, Any]) -> CameraOptions:
    """Parse the options. Raises ValueError with a sentence for people."""
    unknown = sorted(options.keys() - set(_NAMES))
    if unknown:
        raise ValueError(f"there is no option {unknown[0]!r}; there are {', '.join(_NAMES)}")
    source = options.get("source", "0")
    if isinstance(source, int) and not isinstance(source, bool):
        source = str(source)
    if not isinstance(source, str) or not source.strip():
        raise ValueError('source is a camera\'s number as "0", an address, or a file')
    try:
        open_source(source)
    except SourceError as error:
        raise ValueError(f"source: {error}") from None
    ruleset = options.get("ruleset")
    if ruleset is not None and ruleset not in RULESETS:
        raise ValueError(f"ruleset is one of {', '.join(sorted(RULESETS))}, not {ruleset!r}")
    setup, models, faces = (_path(options, name) for name in ("setup", "models", "faces"))
    lock = options.get("lock", True)
    if not isinstance(lock, bool):
        raise ValueError(f"lock is true or false, not {lock!r}")
    learn = _learn(options, ruleset)
    return CameraOptions(source, ruleset, setup, models or MODELS, faces, learn, lock)


def _learn(options: Mapping[str, Any], ruleset: str | None) -> LearnOptions | None:
    """Return where faces are learnt; None if they are not, or without a deck to learn."""
    learn, file, table = (options.get(name) for name in ("learn", "learnt", "table"))
    if learn is not None and learn not in LEARN:
        raise ValueError(f"learn is one of {', '.join(LEARN)}, not {learn!r}")
    if learn == "off" or file is None or table is None or ruleset is None:
        return None
    return LearnOptions(Path(file), str(table), ruleset, shared=learn == "deck")


def _path(options: Mapping[str, Any], name: str) -> Path | None:
    text = options.get(name)
    if text is None:
        return None
    if not isinstance(text, str) or not text:
        raise ValueError(f"{name} is a path in quotes, not {text!r}")
    return Path(text).expanduser()
