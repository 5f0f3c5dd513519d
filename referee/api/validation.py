"""Validation errors of marshmallow as problems that can be translated."""

import re
from collections.abc import Mapping
from typing import Any

from referee.rules.message import WORD, Message
from referee.service.problems import Problem, invalid

# Marshmallow's messages, as patterns, because it fills in the values itself.
MARSHMALLOW = (
    "Field may not be null.",
    "Invalid input type.",
    "Invalid type.",
    "Invalid value.",
    "Length must be between {min} and {max}.",
    "Longer than maximum length {max}.",
    "Missing data for required field.",
    "Must be greater than or equal to {min} and less than or equal to {max}.",
    "Must be one of: {choices}.",
    "Not a valid aware datetime.",
    "Not a valid boolean.",
    "Not a valid datetime.",
    "Not a valid integer.",
    "Not a valid list.",
    "Not a valid mapping type.",
    "Not a valid string.",
    "Not a valid utf-8 string.",
    "Number too large.",
    "Shorter than minimum length {min}.",
    "Unknown field.",
)


def _shape(pattern: str) -> re.Pattern[str]:
    parts = WORD.split(pattern)
    literal = [re.escape(part) for part in parts[::2]]
    named = [f"(?P<{name}>.*)" for name in parts[1::2]]
    return re.compile("".join(a + b for a, b in zip(literal, [*named, ""], strict=True)), re.DOTALL)


SHAPES = tuple((pattern, _shape(pattern)) for pattern in MARSHMALLOW)


def recognise(text: str) -> str:
    """Turn marshmallow's text into a translatable message; return other text unchanged."""
    if isinstance(text, Message):
        return text
    for pattern, shape in SHAPES:
        found = shape.fullmatch(text)
        if found:
            return Message(pattern, **found.groupdict())
    return text


def validation(messages: Any) -> Problem:
    """Return the problem for marshmallow's errors in a body or a query."""
    errors = _flat("", messages)
    detail: str = Message("")
    for field, reason in errors:
        one = Message("{field}: {reason}", field=field, reason=reason)
        detail = Message("{before}; {one}", before=detail, one=one) if detail else one
    return Problem("invalid-request", detail, errors)


def check_fields_of_kind(
    body: Mapping[str, Any], kinds: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
) -> None:
    """Check the fields of a body, by its kind's required and optional ones. Raises Problem."""
    needed, allowed = kinds[body["kind"]]
    for field in needed:
        if field not in body:
            raise invalid(field, Message("is missing: {name} needs it", name=body["kind"]))
    for field in body:
        if field not in ("kind", *needed, *allowed):
            raise invalid(field, Message("is not a field of {name}", name=body["kind"]))


def _flat(path: str, messages: Any) -> list[tuple[str, str]]:
    if isinstance(messages, Mapping):
        found = []
        for key, value in messages.items():
            name = path if key == "_schema" else f"{path}.{key}" if path else str(key)
            found += _flat(name, value)
        return found
    if isinstance(messages, list):
        return [item for message in messages for item in _flat(path, message)]
    return [
        (path or "body", recognise(str(messages) if not isinstance(messages, str) else messages))
    ]
