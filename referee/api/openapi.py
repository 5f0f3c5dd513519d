"""``python -m referee.api.openapi``: write openapi.yaml and asyncapi.yaml; ``--check`` compares."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.api.asyncapi import describe_streams
from referee.api.description import description, to_yaml

# Type → what has to be said about a value of it.
LIMITS = {
    "integer": ("minimum", "maximum"),
    "string": ("maxLength",),
    "array": ("maxItems",),
}


def unlimited(part: Any, path: str = "") -> Iterator[str]:
    """Yield the places of values without limits."""
    if isinstance(part, list):
        for i, element in enumerate(part):
            yield from unlimited(element, f"{path}/{i}")
    if not isinstance(part, dict):
        return
    kinds = part.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "enum" not in part and "const" not in part and isinstance(kinds, list):
        wanted = {name for kind in kinds for name in LIMITS.get(str(kind), ())}
        shaped = "string" not in kinds or "pattern" in part or "format" in part
        if not wanted <= set(part) or not shaped:
            yield path
    for name, child in part.items():
        if name not in ("example", "examples", "default"):
            yield from unlimited(child, f"{path}/{name}")


def main() -> int:
    """Write the files, or compare them; return 1 if one differs or lacks limits."""
    spec = description()
    failed = 0
    for place in unlimited(spec):
        failed = 1
        sys.stderr.write(f"{place}: no limits; see referee/api/schemas/vocabulary.py\n")
    for path, text in (
        (Path("openapi.yaml"), to_yaml(spec)),
        (Path("asyncapi.yaml"), to_yaml(describe_streams(spec))),
    ):
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            failed = 1
            sys.stderr.write(f"{path} is out of date: run make openapi\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
