"""JSON Schema of what follows from a move (``events`` of an entry), from the rules' own events."""

import inspect
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from referee.api.schemas.vocabulary import (
    CARD,
    COUNT,
    NAME,
    POINTS,
    POWER,
    SEAT,
    SEAT_OR_NONE,
    TEXT,
    WORD,
    Limits,
    letters,
)
from referee.rules.cards import COLORS
from referee.rules.move_fields import MOST_CARDS
from referee.rules.records.seating import MOST_NUMBERS
from referee.rules.records.serial import BY_KIND
from referee.service.play.views import HIDDEN_EVENTS, TOLD

Json = dict[str, Any]
# What a field of an event may hold, by its name.
WHOLE: Mapping[str, Limits] = {
    **dict.fromkeys(("count", "number", "move", "hand", "draw_pile", "hands"), COUNT),
    **dict.fromkeys(("next_deal", "dealer", "to", "turn", "until", "was", "passed"), SEAT_OR_NONE),
    **dict.fromkeys(("scores", "points"), POINTS),
    "direction": {"enum": [1, -1], "minimum": -1, "maximum": 1},
}
TEXTS: Mapping[str, Limits] = {
    **dict.fromkeys(("card", "cards", "hand", "opening", "only"), CARD),
    "color": {"enum": list(COLORS)},
    "names": NAME,
    "power": POWER,
    "rule": WORD,
    "symbol": letters(40),
    "text": TEXT,
}
CARDS = ("cards", "hand", "opening", "discarded")
COUNTED = {
    "type": "object",
    "description": "how many cards a hand has that was shown to others",
    "properties": {"count": {"type": "integer", **COUNT}},
    "required": ["count"],
}


def consequences() -> dict[str, Json]:
    """Return the schema of each kind of consequence, and ``Consequence``, which is one of them."""
    kinds = {f"{_camel(kind)}Consequence": _one(kind) for kind in sorted(TOLD)}
    union = {
        "description": "What follows from a move, by its `event`.",
        "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in kinds],
        "discriminator": {
            "propertyName": "event",
            "mapping": {
                shape["properties"]["event"]["const"]: f"#/components/schemas/{name}"
                for name, shape in kinds.items()
            },
        },
    }
    return {**kinds, "Consequence": union}


def _one(kind: str) -> Json:
    event = BY_KIND[kind]
    hints = get_type_hints(event)
    stated = {field.name: _shape(field.name, hints[field.name]) for field in fields(event)}
    hidden = HIDDEN_EVENTS.get(kind)
    if hidden:
        stated[hidden] = {"oneOf": [stated[hidden], COUNTED]}
    # Older logs lack what an event has a default for.
    needed = [field.name for field in fields(event) if field.default is MISSING]
    return {
        "type": "object",
        "description": inspect.cleandoc(event.__doc__ or ""),
        "properties": {"event": {"type": "string", "const": kind}, **stated},
        "required": ["event", *needed],
    }


def _shape(name: str, hint: Any) -> Json:
    """Return the schema of a field by its type: of numbers, texts, tuples of them, or null."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        inner = _shape(name, next(arg for arg in args if arg is not type(None)))
        return {"anyOf": [inner, {"type": "null"}]} if type(None) in args else inner
    if origin is tuple and args[-1] is Ellipsis:
        most = MOST_CARDS if name in CARDS else MOST_NUMBERS
        return {"type": "array", "items": _shape(name, args[0]), "maxItems": most}
    if origin is tuple:
        one = {"oneOf": [_shape("seat", int), _shape("rule", str)]}
        return {"type": "array", "items": one, "minItems": len(args), "maxItems": len(args)}
    if origin is Literal:
        return {"type": "string", "enum": list(args)}
    if hint is bool:
        return {"type": "boolean"}
    if hint is int:
        return {"type": "integer", **WHOLE.get(name, SEAT)}
    return {"type": "string", **TEXTS.get(name, WORD)}


def _camel(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("-"))
