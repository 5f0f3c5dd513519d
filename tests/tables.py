"""Tables of cases in TOML, beside the tests that go through them."""

import tomllib
from pathlib import Path
from typing import Any


def tables(module: str) -> dict[str, Any]:
    """Return the tables of a test module, given its ``__file__``; each row is a case."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))
