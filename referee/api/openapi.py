"""``python -m referee.api.openapi``: write openapi.yaml, or with ``--check`` compare it."""

import sys
import tempfile
from pathlib import Path

from referee.api import create_app
from referee.api.spec import to_yaml
from referee.config import Settings

COMMITTED = Path("openapi.yaml")


def described() -> str:
    """Return the description of the API as YAML."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(database=str(Path(folder) / "empty.sqlite3")))
        text = to_yaml(app.extensions["referee-spec"])
        app.extensions["referee"].close()
    return text


def main() -> int:
    """Write the file, or compare it and return 1 if it differs."""
    text = described()
    if "--check" not in sys.argv:
        COMMITTED.write_text(text, encoding="utf-8")
        return 0
    if COMMITTED.exists() and COMMITTED.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write("openapi.yaml is out of date: run make openapi\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
