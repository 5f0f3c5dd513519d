"""What descriptions have in common: parameters, headers, problems, who may send a request."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.api.problems import KINDS, MEDIA_TYPE
from referee.api.requests import IF_MATCH, KEY
from referee.api.schemas.common import ProblemSchema
from referee.api.schemas.vocabulary import (
    COUNT,
    ID,
    LANGUAGE,
    LARGEST_COUNT,
    SEAT,
    VERSION,
    WORD,
    letters,
)
from referee.service.access import Rights

PREFIX = "/api/v1"
KEY_PARAMETER = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "A new value for each write; sent again, it gets the same answer.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": KEY},
}
MATCH_PARAMETER = {
    "in": "header",
    "name": "If-Match",
    "description": "The version of the table, or of the tournament, that the write is meant for, "
    'such as `"12"`.',
    "schema": {"type": "string", "maxLength": 500, "pattern": IF_MATCH},
}
LANGUAGE_PARAMETER = {
    "in": "header",
    "name": "Accept-Language",
    "description": "The languages to answer in, unless the seat has chosen one.",
    "schema": {"type": "string", "maxLength": 1000, "pattern": "^[ -~]*$"},
}
LANG_PARAMETER = {
    "in": "query",
    "name": "lang",
    "description": "The language to answer in, whatever Accept-Language and the seat say.",
    "schema": {"type": "string", **LANGUAGE},
}
WRITES = (
    *("invalid-request", "key-reused", "stale-version", "conflict", "closed", "table-full"),
    "malformed-json",
)
BODY = ("malformed-json", "unsupported-media-type", "too-large", "invalid-request")
TABLE = ("not-authenticated", "forbidden", "not-found", "newer-log")


def problem_answers(kinds: Iterable[str]) -> dict[str, Any]:
    """Return the problem responses of an operation, by status."""
    titles: dict[int, set[str]] = {}
    for kind in kinds:
        status, title = KINDS[kind]
        titles.setdefault(status, set()).add(title)
    return {
        str(status): {
            "description": "; ".join(sorted(titles[status])),
            "headers": problem_headers(status),
            "content": {MEDIA_TYPE: {"schema": ProblemSchema}},
        }
        for status in sorted(titles)
    }


def security_of(rights: Rights | None, kinds: Iterable[str]) -> list[dict[str, list[str]]]:
    """Return what identifies the sender of a request: the token, the operator's key, or nothing."""
    if rights is None:
        return [{}, {"operator": []}] if "not-authenticated" in kinds else []
    if rights.public:
        return [{}, {"token": []}]
    return [{"operator": []}] if rights.roles == ("operator",) else [{"token": []}]


def who(rights: Rights | None, kinds: Iterable[str]) -> str:
    """Say who may send a request."""
    if rights is None:
        if "not-authenticated" in kinds:
            return "Needs no token, unless the server keeps it for its operator."
        return "Needs no token."
    if rights.roles == ("operator",):
        return "Needs the operator's key."
    if rights.public:
        return "Needs no token while the tournament is public; otherwise one of it or its tables."
    if rights.roles == ("group",):
        return "Needs the group's token."
    if rights.roles == ("organiser",):
        return "Needs an organiser's token."
    if "organiser" in rights.roles:
        return "Needs an organiser's token, or that of a seat at the table."
    roles = " or ".join(filter(None, (", ".join(rights.roles[:-1]), rights.roles[-1])))
    more = ", or the token that it is about" if rights.holder else ""
    return f"Needs a token of the table: {roles}{more}."


Json = dict[str, Any]
KIND_OF = {title: kind for kind, (_, title) in KINDS.items()}
INT32 = 2**31 - 1

# Name → what an answer may carry.
HEADERS: Mapping[str, Json] = {
    "RateLimit": {
        "description": "What is left of each limit that this request was counted for: `r` requests "
        "in the next `t` seconds (draft-ietf-httpapi-ratelimit-headers).",
        "schema": {"type": "string", **letters(1000, "^[ -~]*$")},
        "example": '"token";r=299;t=60',
    },
    "RateLimit-Policy": {
        "description": "Those limits: `q` requests in `w` seconds.",
        "schema": {"type": "string", **letters(1000, "^[ -~]*$")},
        "example": '"token";q=300;w=60',
    },
    "Retry-After": {
        "description": "Seconds to wait.",
        "schema": {"type": "integer", "minimum": 1, "maximum": LARGEST_COUNT},
    },
    "Access-Control-Allow-Origin": {
        "description": "The page's origin, where the server's settings allow it.",
        "schema": {"type": "string", **letters(500, "^[!-~]+$")},
    },
    "ETag": {
        "description": "The version of the table or tournament after this, or of what was read.",
        "schema": {"type": "string", **letters(200, '^(W/)?"[!-~]*"$')},
    },
}
ALWAYS = ("Access-Control-Allow-Origin",)
LIMITED = ("RateLimit", "RateLimit-Policy")
# Part of a path → what it names, and its limits.
PATH_PARTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "table_id": ("The table.", ID),
    "seat": ("The seat's number.", SEAT),
    "token_id": ("The token's id, or `self` for the one that is sent.", ID),
    "device_id": ("The device.", ID),
    "pairing_id": ("The computer that asks.", ID),
    "webhook_id": ("The webhook.", ID),
    "photo_id": ("The photo.", ID),
    "card_id": ("The custom card: the entry that proposed it.", VERSION),
    "proposal_id": ("The proposed house rules: the entry that proposed them.", VERSION),
    "question_id": ("The question: the entry that asked it.", VERSION),
    "ruleset_id": ("The deck, such as `classic-108`.", WORD),
    "rule_id": ("The rule, such as `card.skip`.", WORD),
    "language_id": ("The language, such as `sv`.", LANGUAGE),
    "tournament_id": ("The tournament.", ID),
    "group_id": ("The group.", ID),
    "player": ("The player's number in the tournament.", COUNT),
    "round_number": ("The tournament round, counted from 1.", COUNT),
    "table_number": ("The table's number in the round, counted from 1.", COUNT),
}


def reference(name: str) -> Json:
    """Return a reference to a header."""
    return {"$ref": f"#/components/headers/{name}"}


def headers(*names: str) -> Json:
    """Return references to headers."""
    return {name: reference(name) for name in names}


def problem_headers(status: int) -> Json:
    """Return the headers of a problem."""
    later = ("Retry-After",) if status in (429, 503) else ()
    return headers(*later, *LIMITED, *ALWAYS)


def operations(spec: Json) -> Iterator[Json]:
    """Yield the operations of a description."""
    for path in spec["paths"].values():
        yield from (value for value in path.values() if "operationId" in value)


def complete(spec: Json) -> None:
    """Add what follows from the rest: parts of paths, and formats of numbers."""
    kept = spec["components"].setdefault("parameters", {})
    for path in spec["paths"].values():
        for parameter in path.get("parameters", ()):
            name = parameter["name"]
            about, limits = PATH_PARTS[name]
            parameter["description"] = about
            parameter["schema"].update(limits)
            kept.setdefault(_component(name), dict(parameter))
            parameter.clear()
            parameter["$ref"] = f"#/components/parameters/{_component(name)}"
    used = json.dumps([spec["paths"], spec["components"]])
    headers = spec["components"]["headers"]
    spec["components"]["headers"] = {
        name: header for name, header in headers.items() if f'headers/{name}"' in used
    }
    _add_formats(spec)


def _add_formats(part: Any) -> None:
    """Add the format that the limits of a whole number allow."""
    if isinstance(part, list):
        for value in part:
            _add_formats(value)
    if not isinstance(part, dict):
        return
    if "integer" in (part.get("type"), *(part["type"] if _several(part) else ())):
        small = part.get("minimum", -(2**63)) >= -INT32 and part.get("maximum", 2**63) <= INT32
        part.setdefault("format", "int32" if small else "int64")
    for value in part.values():
        _add_formats(value)


def _several(part: Json) -> bool:
    return isinstance(part.get("type"), list)


def share(spec: Json) -> None:
    """Move repeated parameters and problems of the operations to the components.

    Generated clients then have one type for each, and the file stays readable.
    """
    for name, value in [*_parameters(spec), *_problems(spec)]:
        kind = "parameters" if "in" in value else "responses"
        kept = spec["components"].setdefault(kind, {}).setdefault(name, dict(value))
        if kept != value:
            raise ValueError(f"two {kind} would be called {name}")
        value.clear()
        value["$ref"] = f"#/components/{kind}/{name}"


def _parameters(spec: Json) -> list[tuple[str, Json]]:
    parameters = [
        p
        for operation in operations(spec)
        for p in operation.get("parameters", ())
        if "$ref" not in p
    ]
    often = Counter(json.dumps(parameter) for parameter in parameters)
    return [
        (_camel(parameter["name"]), parameter)
        for parameter in parameters
        if parameter["in"] == "header" and often[json.dumps(parameter)] > 1
    ] + [(_camel(p["name"]), p) for p in parameters if p["name"] == "lang"]


def _problems(spec: Json) -> list[tuple[str, Json]]:
    return [
        ("Or".join(_camel(KIND_OF[title]) for title in answer["description"].split("; ")), answer)
        for operation in operations(spec)
        for status, answer in operation["responses"].items()
        if int(status) >= 400
    ]


def _component(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _camel(name: str) -> str:
    return "".join(part[0].upper() + part[1:] for part in name.split("-"))
