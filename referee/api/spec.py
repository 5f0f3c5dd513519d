"""The OpenAPI description, generated from the schemas; ``referee.api.openapi`` writes the file."""

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

import yaml
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from flask_smorest import Api

from referee.api.feature_level import FEATURE_LEVEL
from referee.api.problems import KINDS, MEDIA_TYPE
from referee.api.requests import IF_MATCH, KEY
from referee.api.schemas.common import ProblemSchema
from referee.api.schemas.log_events import log_events
from referee.api.schemas.messages import EVENT_MESSAGE, MESSAGES
from referee.api.schemas.moves import MOVE, MOVE_REF, MOVES, MoveField
from referee.api.schemas.vocabulary import LANGUAGE, limits_of
from referee.api.shared import HEADERS, complete, operations, problem_headers, share
from referee.service.access import Rights

Json = dict[str, Any]
PREFIX = "/api/v1"
OPTIONS: Mapping[str, Any] = {
    "info": {
        "x-feature-level": FEATURE_LEVEL,
        "description": "A referee for real UNO tables: it rules on moves that people make with "
        "paper cards, keeps the score and remembers everything. An illegal play is a ruling "
        "(201, `verdict: illegal`), never an error: the card lies on the table already.",
        "contact": {"name": "The maintainers: see SECURITY.md"},
        "license": {"name": "MIT", "identifier": "MIT"},
    },
    "servers": [
        {
            "url": "/",
            "description": "The server that this was read from, local or in production.",
            "x-internal": False,
        },
        {
            "url": "https://{host}",
            "description": "Your own production server.",
            "variables": {"host": {"default": "localhost", "description": "its name"}},
            "x-internal": False,
        },
    ],
}
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


class Converter(OpenAPIConverter):
    """Describes fields with the limits of the vocabulary, and moves by reference."""

    def init_attribute_functions(self) -> None:
        """Add both to what is said about a field."""
        super().init_attribute_functions()  # type: ignore[no-untyped-call]
        self.attribute_functions += [_move, _limits]


class Plugin(MarshmallowPlugin):
    """Marshmallow's plugin with that converter."""

    Converter = Converter


class RefereeApi(Api):
    """flask-smorest's Api, with problems for errors."""

    ERROR_SCHEMA = ProblemSchema

    def _register_error_handlers(self) -> None:
        """Errors are answered by ``problems.register``."""


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


def set_up(app: Flask) -> RefereeApi:
    """Set up the description of an app."""
    app.config.update(
        API_TITLE="Referee",
        API_VERSION=version("table-referee"),
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS=dict(OPTIONS),
    )
    api = RefereeApi(app, spec_kwargs={"marshmallow_plugin": Plugin()})
    api.spec.components.security_scheme(
        "token",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of the table: a host's, a seat's, a spectator's or a device's; "
            "or of the tournament: an organiser's; or a group's.",
        },
    )
    api.spec.components.security_scheme(
        "operator",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "The key of the server's operator, `REFEREE_OPERATOR_KEY`.",
        },
    )
    for name, header in HEADERS.items():
        api.spec.components.header(name, header)
    for name, shape in {**MOVES, **MESSAGES, "Move": MOVE}.items():
        api.spec.components.schema(name, shape)
    return api


def _move(field: Any, **_: Any) -> dict[str, Any]:
    """Describe a field that holds a move by reference."""
    return dict(MOVE_REF) if isinstance(field, MoveField) else {}


def _limits(field: Any, *, ret: dict[str, Any]) -> dict[str, Any]:
    """Add what the vocabulary says to what the field checks itself."""
    if "enum" in ret or "$ref" in ret:
        return {}
    return {name: value for name, value in limits_of(field).items() if name not in ret}


def describe(api: RefereeApi) -> dict[str, Any]:
    """Return the description as JSON, without default responses and with repeated parts shared."""
    spec: dict[str, Any] = json.loads(json.dumps(api.spec.to_dict()))
    spec["components"]["responses"] = {}
    spec["components"]["schemas"].pop("PaginationMetadata", None)
    for operation in operations(spec):
        operation["responses"].pop("default", None)
    schemas = spec["components"]["schemas"]
    if "Entry" in schemas:
        schemas.update(json.loads(json.dumps(log_events(schemas["Entry"]))))
    complete(spec)
    share(spec)
    spec["webhooks"] = {"event": {"post": EVENT_MESSAGE}}
    return spec


class _Plain(yaml.SafeDumper):
    """YAML without anchors, which not every parser supports."""

    def ignore_aliases(self, _: Any) -> bool:
        """Never use an anchor."""
        return True


def to_yaml(spec: Mapping[str, Any]) -> str:
    """Return the description as YAML."""
    return yaml.dump(dict(spec), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100)
