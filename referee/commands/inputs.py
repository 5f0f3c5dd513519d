"""Command input: JSON, with errors that name the place, and ``--lang``."""

import argparse
import json
from pathlib import Path
from typing import Any, NoReturn

from referee.texts import as_language, languages

DEEPEST = 50


class InputError(ValueError):
    """Input cannot be read; the message is one sentence."""


def read_json(path: Path) -> Any:
    """Read JSON from a file. Raises InputError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError((error.strerror or "cannot be read").lower()) from None
    return parse_json(content)


def parse_json(content: bytes) -> Any:
    """Parse JSON in UTF-8. Raises InputError."""
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


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add ``--lang`` to a command."""
    parser.add_argument(
        "--lang",
        metavar="LANG",
        type=_language,
        default="en",
        help=f"language of the output: {', '.join(languages())} (%(default)s)",
    )


def _language(tag: str) -> str:
    language = as_language(tag)
    if language is None:
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(languages())}, not {tag!r}")
    return language
