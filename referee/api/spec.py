"""What the descriptions of operations have in common: parameters, problems, who may send them."""

from collections.abc import Iterable
from typing import Any

from referee.api.problems import KINDS, MEDIA_TYPE
from referee.api.requests import IF_MATCH, KEY
from referee.api.schemas.common import ProblemSchema
from referee.api.schemas.vocabulary import LANGUAGE
from referee.api.shared import problem_headers
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
