"""JSON from a file or from stdin, with errors that say where it is wrong."""

import json
from pathlib import Path
from typing import Any, NoReturn

DEEPEST = 50


class InputError(ValueError):
    """Input that cannot be read, in one sentence."""


def read_json(path: Path) -> Any:
    """The JSON in a file. Raises InputError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError((error.strerror or "cannot be read").lower()) from None
    return parse_json(content)


def parse_json(content: bytes) -> Any:
    """JSON as bytes, UTF-8. Raises InputError."""
    try:
        value = json.loads(content.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text (byte {error.start + 1})") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"is not JSON: {place}: {error.msg}") from None
    except RecursionError:
        raise InputError("is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"is not JSON: {error}") from None
    if _depth_exceeds(value, DEEPEST):
        raise InputError("is nested too deeply")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _depth_exceeds(value: Any, most: int) -> bool:
    level = [value]
    for _ in range(most):
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            return False
    return True
