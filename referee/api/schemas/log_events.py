"""The schema of each kind of event of a table: what an entry of its log says, by ``kind``.

``EntrySchema`` has all fields of all kinds; here is which of them a kind has. What follows from a
move (``events`` of an entry) is described from the rules' own events.
"""

import inspect
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from referee.api.problems import PREFIX
from referee.api.schemas.moves import SEAT as SEAT_SHAPE
from referee.api.schemas.moves import SHAPES
from referee.api.schemas.vocabulary import (
    CARD,
    COUNT,
    NAME,
    POINTS,
    POWER,
    SAFE,
    SEAT,
    SEAT_OR_NONE,
    TEXT,
    WORD,
    Limits,
    letters,
)
from referee.rules.actions import GRAMMAR
from referee.rules.cards import COLORS
from referee.rules.move_fields import MOST_CARDS
from referee.rules.records.seating import MOST_NUMBERS
from referee.rules.records.serial import BY_KIND
from referee.service.log.fold import FOLDS
from referee.service.play.views import HIDDEN_EVENTS, HIDDEN_FIELDS
from referee.service.play.views import TOLD as CONSEQUENCES

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
    kinds = {f"{_camel(kind)}Consequence": _one(kind) for kind in sorted(CONSEQUENCES)}
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
        either = {"oneOf": [_shape("seat", int), _shape("rule", str)]}
        return {"type": "array", "items": either, "minItems": len(args), "maxItems": len(args)}
    if origin is Literal:
        return {"type": "string", "enum": list(args)}
    if hint is bool:
        return {"type": "boolean"}
    if hint is int:
        return {"type": "integer", **WHOLE.get(name, SEAT)}
    return {"type": "string", **TEXTS.get(name, WORD)}


def _camel(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("-"))


SCHEMAS = "#/components/schemas/"
EVERY_ENTRY = ("id", "kind", "at", "by")
# Any entry may be undone by a correction later, and name what is out of place after it.
MAYBE = ("undone", "discrepancies", "cause", "banners")
TOLD = ("announcements",)
PLAYED = ("round", "state", "events", "announcements")
# kind → what happened, the fields that it has, and those that it may have
FIELDS: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "created": ("The table was made.", (), ("mode", "timer")),
    "mode-chosen": ("The table only keeps the score from now on, or not.", ("mode", *TOLD), ()),
    "group-chosen": ("A group keeps the games from now on, or none.", (), ()),
    "joined": ("Somebody took a seat, or watches.", ("seat",), ()),
    "token-issued": ("The host gave a token out.", ("seat", "role"), ()),
    "language-chosen": ("A seat has chosen its language.", ("seat", "language"), ()),
    "token-revoked": ("A token is void.", (), ()),
    "token-rotated": ("A token has a new secret.", (), ()),
    "host-made": ("A seat's phone became a host.", ("seat", "how", *TOLD), ()),
    "host-ended": ("A seat's phone is no host any more.", ("seat", *TOLD), ()),
    "host-asked": ("A phone asks to become a host.", ("seat", "until", *TOLD), ()),
    "host-agreed": ("A seat agrees to that.", ("seat", *TOLD), ()),
    "host-request-ended": ("That request is over.", ("seat", "why", *TOLD), ()),
    "code-renewed": ("The table has a new join code.", (), ()),
    "closed": ("The operator closed the table.", (), ()),
    "opened-again": ("The operator opened it again.", (), ()),
    "device-registered": ("A camera or a board was registered.", ("device",), ()),
    "device-silent": ("A device did not report in time.", ("device", *TOLD), ("sight", "powers")),
    "device-heard": ("It reported again.", ("device", *TOLD), ("sight", "powers")),
    "observed": (
        "A device saw something.",
        ("round", "device", "observation", "meaning", "discrepancies", *TOLD),
        (),
    ),
    "dealer-drawn": ("Seats drew for the deal.", ("dealer", "drawn", "tied"), ()),
    "custom-proposed": ("A seat proposed a card.", ("seat", "card", "card_id"), ()),
    "custom-approved": ("A seat approved a card.", ("seat", "card_id"), ()),
    "custom-withdrawn": (
        "A proposed card was withdrawn, or a seat refused it.",
        ("card_id",),
        ("seat", "card", "why", *TOLD),
    ),
    "house-rules-proposed": (
        "House rules were proposed for the rounds to come.",
        ("seat", "options", "changes", *TOLD),
        (),
    ),
    "house-rules-approved": (
        "A seat approved proposed house rules.",
        ("proposal", "seat", "agreed", *TOLD),
        (),
    ),
    "house-rules-ended": (
        "Proposed house rules were refused or withdrawn.",
        ("proposal", "seat", "why", *TOLD),
        (),
    ),
    "timer-chosen": ("Turns have so many seconds from now on, or not.", ("timer", *TOLD), ()),
    "time-up": ("The time of a seat is up.", ("round", "seat", "needs", *TOLD), ()),
    "round-opened": ("A round began.", ("dealer", "opening", *PLAYED), ("options",)),
    "round-counted": (
        "A round was entered by its result.",
        ("dealer", "result", *PLAYED),
        ("options",),
    ),
    "seats-changed": ("People came, went or changed places.", ("seats", "was", *PLAYED), ()),
    "game-ended": ("The game was ended early.", PLAYED, ()),
    "game-started": (
        "The next game began.",
        ("dealer", "game_number", "state", "events", *TOLD),
        (),
    ),
    "moved": (
        "A move was made and ruled on.",
        ("number", "move", "ruling", *PLAYED),
        ("presumed",),
    ),
    "confirmed": (
        "A player reported a move that a camera had seen.",
        ("round", "number", "move", "ruling", "state"),
        TOLD,
    ),
    "corrected": (
        "The game was put right.",
        ("round", "state", "change", "changed", "scores_before", "results", "differs", *TOLD),
        (
            *("entered", "ruling", "fell", "stands", "aside", "voids", "hands_passed"),
            *("hands_go", "hands_entry", "hands_kept", "cards_drawn", "follow_up", "counts"),
            *("fell_entries", "stands_entries"),
        ),
    ),
    "asked": ("The referee asks the table.", ("round", "question", *TOLD), ()),
    "answered": ("A question was answered.", ("round", "question_id"), ("option", "seat")),
    "lapsed": ("A question needs no answer any more.", ("round", "question_id", "why", *TOLD), ()),
}
# Events about the stream itself, which have no id.
STREAM: Mapping[str, str] = {
    "closing": "The server stops, or, where `data` says `shed`, the stream makes room for others: "
    "connect again after `retry` milliseconds.",
    "revoked": "The token or the table is gone: the stream is over.",
    "unavailable": "Nothing can be written just now; `data` is the problem.",
    "available": "It can be written again.",
    "pairings": "Where `pairings` was asked for: somebody asks to be let in with devices, or was "
    "answered (`listPairings`).",
}


def log_events(entry: Json) -> dict[str, Json]:
    """Return the schemas of all events, by the fields of an entry's schema."""
    missing = set(FOLDS) - set(FIELDS)
    if missing:
        raise ValueError(f"log_events.FIELDS lacks {', '.join(sorted(missing))}")
    typed = {
        **entry["properties"],
        "move": {"$ref": f"{SCHEMAS}LoggedMove"},
        "events": {
            **entry["properties"]["events"],
            "items": {"$ref": f"{SCHEMAS}Consequence"},
        },
    }
    kinds = {event_name(kind): _event(kind, typed) for kind in FIELDS}
    union = {
        "description": "An event of a table, by its `kind`.",
        "oneOf": [{"$ref": f"{SCHEMAS}{name}"} for name in kinds],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {kind: f"{SCHEMAS}{event_name(kind)}" for kind in FIELDS},
        },
    }
    return {"LoggedMove": _logged_move(), **consequences(), **kinds, "Event": union, **_stream()}


def event_name(kind: str) -> str:
    """Return the name of a kind's schema."""
    return "".join(part.capitalize() for part in kind.split("-")) + "Event"


def _event(kind: str, typed: Json) -> Json:
    about, has, may_have = FIELDS[kind]
    names = dict.fromkeys((*EVERY_ENTRY, *has, *may_have, *MAYBE))
    return {
        "type": "object",
        "description": about,
        "properties": {
            name: {"type": "string", "const": kind} if name == "kind" else typed[name]
            for name in names
        },
        "required": [*EVERY_ENTRY, *has],
    }


def _logged_move() -> Json:
    """Return the schema of a move as the log has it: who made it, and what was said."""
    shapes: Json = {}
    for given, _ in SHAPES.values():
        shapes.update(given)
    for name in HIDDEN_FIELDS.values():
        shapes[name] = {"oneOf": [shapes[name], COUNTED]}
    return {
        "type": "object",
        "description": "A move of the game record. Cards of a hand that was shown to others are "
        "only counted.",
        "properties": {
            "seat": SEAT_SHAPE,
            "move": {"type": "string", "enum": list(GRAMMAR)},
            **{name: {"anyOf": [shape, {"type": "null"}]} for name, shape in shapes.items()},
            "ruled": {"type": "string", "enum": ["legal", "illegal"]},
        },
        "required": ["seat", "move"],
    }


def _stream() -> dict[str, Json]:
    """Return the schemas of a stream's lines: an event of the table, or one about the stream."""
    number = letters(16, "^[0-9]+$")
    table = {
        "type": "object",
        "description": "An event of the table. `id` is the version after it.",
        "properties": {
            "id": {"type": "string", **number},
            "event": {"type": "string", "enum": list(FIELDS)},
            "data": {"$ref": f"{SCHEMAS}Event"},
        },
        "required": ["id", "event", "data"],
    }
    about = {
        "type": "object",
        "description": "\n".join(f"`{name}`: {text}" for name, text in STREAM.items()),
        "properties": {
            "event": {"type": "string", "enum": list(STREAM)},
            "retry": {"type": "integer", "minimum": 0, "maximum": SAFE},
            "data": {
                "anyOf": [
                    {"$ref": f"{SCHEMAS}{name}"}
                    for name in ("StoreTrouble", "StreamEnd", "Nothing")
                ]
            },
        },
        "required": ["event", "data"],
    }
    trouble = {
        "type": "object",
        "description": "Why nothing can be written.",
        "properties": {
            "type": {"type": "string", "const": f"{PREFIX}store-unavailable"},
            "title": {"type": "string", **letters(1000)},
            "status": {"type": "integer", "const": 503, "minimum": 503, "maximum": 503},
            "detail": {"type": "string", **letters(1000)},
        },
        "required": ["type", "title", "status", "detail"],
    }
    end = {
        "type": "object",
        "description": "Empty where the server stops.",
        "properties": {
            "reason": {"type": "string", "enum": ["shed"]},
            "seconds": {"type": "integer", "minimum": 0, "maximum": 3600},
        },
    }
    return {
        "StoreTrouble": trouble,
        "StreamEnd": end,
        "Nothing": {"type": "object", "maxProperties": 0},
        "TableMessage": table,
        "StreamMessage": about,
        "StreamLine": {
            "description": "A message of the event stream, as the fields of its lines.",
            "oneOf": [{"$ref": f"{SCHEMAS}TableMessage"}, {"$ref": f"{SCHEMAS}StreamMessage"}],
        },
    }
