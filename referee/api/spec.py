"""The OpenAPI description, made from the schemas; ``referee.api.openapi`` writes it down."""

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

import yaml
from flask import Flask
from flask_smorest import Api

from referee.api.problems import KINDS, MEDIA_TYPE
from referee.api.requests import IF_MATCH, KEY
from referee.api.schemas.common import ProblemSchema
from referee.api.schemas.moves import MOVE, MOVE_REF, MOVES, MoveField
from referee.api.shared import operations, share

PREFIX = "/api/v1"
OPTIONS: Mapping[str, Any] = {
    "info": {
        "description": "A referee for real UNO tables: it rules on moves that people make with "
        "paper cards, keeps the score and remembers everything. An illegal play is a ruling "
        "(201, `verdict: illegal`), never an error: the card lies on the table already.",
        "license": {"name": "MIT", "identifier": "MIT"},
    },
    "servers": [
        {"url": "/", "description": "the server that this was read from"},
        {"url": "http://127.0.0.1:8000", "description": "`referee serve` on this machine"},
    ],
}
KEY_PARAMETER = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "A new value for each write; sent again, it gets the same answer.",
    "schema": {"type": "string", "pattern": KEY},
}
MATCH_PARAMETER = {
    "in": "header",
    "name": "If-Match",
    "description": 'The version of the table that the write is meant for, such as `"12"`.',
    "schema": {"type": "string", "pattern": IF_MATCH},
}
LANGUAGE_PARAMETER = {
    "in": "header",
    "name": "Accept-Language",
    "description": "The languages to answer in, unless the seat has chosen one.",
    "schema": {"type": "string"},
}
LANG_PARAMETER = {
    "in": "query",
    "name": "lang",
    "description": "The language to answer in, whatever Accept-Language and the seat say.",
    "schema": {"type": "string"},
}
RETRY_AFTER = {"description": "seconds to wait", "schema": {"type": "integer", "minimum": 1}}
WRITES = ("invalid-request", "key-reused", "stale-version", "conflict", "closed", "malformed-json")
BODY = ("malformed-json", "unsupported-media-type", "too-large", "invalid-request")
TABLE = ("not-authenticated", "forbidden", "not-found")


class RefereeApi(Api):
    """flask-smorest's Api, with problems for errors."""

    ERROR_SCHEMA = ProblemSchema

    def _register_error_handlers(self) -> None:
        """Errors are answered by ``problems.register``."""


def problem_answers(kinds: Iterable[str]) -> dict[str, Any]:
    """The problems that an operation can answer with, by status."""
    titles: dict[int, set[str]] = {}
    for kind in kinds:
        status, title = KINDS[kind]
        titles.setdefault(status, set()).add(title)
    answers: dict[str, Any] = {
        str(status): {
            "description": "; ".join(sorted(titles[status])),
            "content": {MEDIA_TYPE: {"schema": ProblemSchema}},
        }
        for status in sorted(titles)
    }
    for later in {"429", "503"} & set(answers):
        answers[later]["headers"] = {"Retry-After": RETRY_AFTER}
    return answers


def set_up(app: Flask) -> RefereeApi:
    """Prepare the app to describe itself."""
    app.config.update(
        API_TITLE="Referee",
        API_VERSION=version("table-referee"),
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS=dict(OPTIONS),
    )
    api = RefereeApi(app)
    api.spec.components.security_scheme(
        "token",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "A table's token; for the operator's operations, the operator's key.",
        },
    )
    for name, shape in {**MOVES, "Move": MOVE}.items():
        api.spec.components.schema(name, shape)
    api.ma_plugin.converter.add_attribute_function(_move)
    return api


def _move(_: Any, field: Any, **__: Any) -> dict[str, Any]:
    """A field that holds a move, as the description has moves."""
    return dict(MOVE_REF) if isinstance(field, MoveField) else {}


def describe(api: RefereeApi) -> dict[str, Any]:
    """The description as JSON, tidied: no default answers, and what is said often is said once."""
    spec: dict[str, Any] = json.loads(json.dumps(api.spec.to_dict()))
    spec["components"]["responses"] = {}
    for operation in operations(spec):
        operation["responses"].pop("default", None)
    share(spec)
    return spec


class _Plain(yaml.SafeDumper):
    """YAML without anchors, which not every reader follows."""

    def ignore_aliases(self, _: Any) -> bool:
        """Write everything out where it stands."""
        return True


def to_yaml(spec: Mapping[str, Any]) -> str:
    """The description as the committed file has it."""
    return yaml.dump(dict(spec), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100)
