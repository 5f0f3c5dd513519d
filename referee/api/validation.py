"""Validation errors of marshmallow as problems that can be translated."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from marshmallow import Schema, fields

from referee.rules.message import WORD, Message, sent
from referee.rules.suggestions import hinted, must_be_one_of
from referee.service.problems import Problem, invalid

# How many errors a problem names, and how many of them its sentence.
MOST_ERRORS = 20
MOST_TOLD = 3
# Characters of a field's name, which the client has chosen.
LONGEST_FIELD = 60
UNKNOWN = "Unknown field."
NOT_ONE_OF = "Must be one of: {choices}."
# Marshmallow's messages about types, as ours, which say what to send instead.
TYPES: Mapping[str, Message] = {
    "Not a valid aware datetime.": Message(
        "must be a time with its zone, such as {example}", example="2026-11-21T18:00:00Z"
    ),
    "Not a valid boolean.": Message("must be true or false"),
    "Not a valid integer.": Message("must be a whole number"),
    "Not a valid list.": Message("must be a list"),
    "Not a valid mapping type.": Message("must be an object"),
    "Not a valid number.": Message("must be a number"),
    "Not a valid string.": Message("must be a text"),
    "Special numeric values (nan or infinity) are not permitted.": Message("must be a number"),
}
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
    "Not a valid datetime.",
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
        match = shape.fullmatch(text)
        if match:
            return Message(pattern, **match.groupdict())
    return text


def validation(messages: Any, schema: Schema | None = None, body: Any = None) -> Problem:
    """Return the problem for marshmallow's errors in a body or a query.

    The first errors are named and the others counted, however many there are. With the ``schema``
    of what was sent, an unknown field's error says which ones are known; with the ``body`` errors
    say what was sent, and what may have been meant.
    """
    errors: list[tuple[str, str]] = []
    total = 0
    for path, text in _flat((), messages):
        if total < MOST_ERRORS:
            errors.append((".".join(path) or "body", _reason(path, text, schema, body)))
        total += 1
    return Problem("invalid-request", _detail(errors, total), errors, count=total)


def _detail(errors: Sequence[tuple[str, str]], total: int) -> str:
    told = {
        f"error{number}": Message("{field}: {reason}", field=cut(field), reason=reason)
        for number, (field, reason) in enumerate(errors[:MOST_TOLD], 1)
    }
    # One message beside the other: nested ones would take as many levels as there are errors.
    first = Message("; ".join(f"{{{name}}}" for name in told), **told)
    if total == len(told):
        return first
    return Message("{first}; and {count} more", first=first, count=total - len(told))


def _reason(path: tuple[str, ...], text: Any, schema: Schema | None, body: Any) -> str:
    if text == UNKNOWN and schema is not None:
        return hinted("unknown field", path[-1], _names(schema, path[:-1]))
    if text == "Invalid input type.":
        return sent("must be an object", body) if not path else Message("must be an object")
    text = text if isinstance(text, str) else str(text)
    reason, value = recognise(text), _value(body, path)
    if isinstance(reason, Message) and reason.pattern == NOT_ONE_OF:
        return must_be_one_of(value, str(reason.words["choices"]).split(", "))
    if text not in TYPES:
        return reason
    return TYPES[text] if value is None else sent(TYPES[text], value)


def _value(body: Any, path: tuple[str, ...]) -> Any:
    """Return what stands at a path of a body; None where nothing does."""
    for part in path:
        if isinstance(body, list) and part.isdecimal() and int(part) < len(body):
            body = body[int(part)]
        elif part != "value" or isinstance(body, dict):
            body = body.get(part) if isinstance(body, dict) else None
    return body


def _names(schema: Schema, path: tuple[str, ...]) -> list[str]:
    """Return the names of the fields that the schema knows at a path."""
    schema_part: Any = schema
    for part in path:
        if isinstance(schema_part, Schema):
            named = {field.data_key or name: field for name, field in schema_part.fields.items()}
            schema_part = named.get(part)
        elif isinstance(schema_part, fields.List):
            schema_part = schema_part.inner
        if isinstance(schema_part, fields.Nested):
            schema_part = schema_part.schema
    if not isinstance(schema_part, Schema):
        return []
    return [field.data_key or name for name, field in schema_part.fields.items()]


def cut(text: str, most: int = LONGEST_FIELD) -> str:
    """Return a text that holds what a client has sent, cut if it is long."""
    return text if len(text) <= most else f"{text[:most]}…"


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
            reason = Message("is not a field of {name}", name=body["kind"])
            raise invalid(field, hinted(reason, field, ("kind", *needed, *allowed)))


def _flat(path: tuple[str, ...], messages: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each error with the path to its field."""
    if isinstance(messages, Mapping):
        for key, value in messages.items():
            yield from _flat(path if key == "_schema" else (*path, str(key)), value)
    elif isinstance(messages, list):
        for message in messages:
            yield from _flat(path, message)
    else:
        yield path, messages
