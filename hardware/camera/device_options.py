"""The camera's options in a configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.camera.deck_recogniser import recogniser_of
from hardware.camera.decks import RULESETS
from hardware.camera.recognise import MODELS, CardRecogniser
from hardware.camera.source import SourceError, open_source

_NAMES = ("source", "ruleset", "setup", "models", "faces")


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """Options of a camera, named as for ``referee-table camera``; None means the default."""

    source: str
    ruleset: str | None = None
    setup: Path | None = None
    models: Path = MODELS
    faces: Path | None = None

    def recogniser(self, environ: Mapping[str, str]) -> CardRecogniser:
        """Return the recogniser of its cards. Raises ModelError."""
        return recogniser_of(self.ruleset, environ, self.models, self.faces)


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
    return CameraOptions(source, ruleset, setup, models or MODELS, faces)


def _path(options: Mapping[str, Any], name: str) -> Path | None:
    text = options.get(name)
    if text is None:
        return None
    if not isinstance(text, str) or not text:
        raise ValueError(f"{name} is a path in quotes, not {text!r}")
    return Path(text).expanduser()
