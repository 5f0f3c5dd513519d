"""``python -m tests.contract.level``: keep the description of the present feature level.

Do that with a release. The next change of the API then needs the next level.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

from referee.api.description import description

KEPT = Path(__file__).with_name("level.json.gz")


def kept() -> dict[str, Any]:
    """The description that is kept."""
    return json.loads(gzip.decompress(KEPT.read_bytes()))


def keep(spec: dict[str, Any]) -> None:
    """Keep a description."""
    text = json.dumps(spec, ensure_ascii=False, separators=(",", ":"))
    KEPT.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    keep(description())
    sys.stdout.write(f"kept: level {kept()['info']['x-feature-level']}\n")
