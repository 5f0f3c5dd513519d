"""Where enrolled decks are kept."""

from collections.abc import Mapping
from pathlib import Path

from hardware.paths import default_file

SUFFIX = ".faces"


def deck_file(environ: Mapping[str, str], ruleset: str) -> Path:
    """A ruleset's enrolled faces, unless something else is asked for."""
    return default_file(environ).parent / "faces" / f"{ruleset}{SUFFIX}"
