"""The OpenAPI description, generated from the schemas; ``referee.api.openapi`` writes the file."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Any

import yaml
from flask import Flask
from flask_smorest import Api

from referee.api.problems import KINDS, MEDIA_TYPE
from referee.api.requests import IF_MATCH, KEY
from referee.api.schemas.common import ProblemSchema
from referee.api.schemas.moves import MOVE, MOVE_REF, MOVES, MoveField

Json = dict[str, Any]
PREFIX = "/api/v1"
KIND_OF = {title: kind for kind, (_, title) in KINDS.items()}
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
TABLE = ("not-authenticated", "forbidden", "not-found", "newer-log")


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
    """Set up the description of an app."""
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
    """Describe a field that holds a move by reference."""
    return dict(MOVE_REF) if isinstance(field, MoveField) else {}


def describe(api: RefereeApi) -> dict[str, Any]:
    """Return the description as JSON, without default responses and with repeated parts shared."""
    spec: dict[str, Any] = json.loads(json.dumps(api.spec.to_dict()))
    spec["components"]["responses"] = {}
    for operation in operations(spec):
        operation["responses"].pop("default", None)
    share(spec)
    return spec


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


def operations(spec: Json) -> Iterator[Json]:
    """Yield the operations of a description."""
    for path in spec["paths"].values():
        yield from (value for value in path.values() if "operationId" in value)


def _parameters(spec: Json) -> list[tuple[str, Json]]:
    found = [p for operation in operations(spec) for p in operation.get("parameters", ())]
    often = Counter(json.dumps(parameter) for parameter in found)
    return [
        (_camel(parameter["name"]), parameter)
        for parameter in found
        if parameter["in"] == "header" and often[json.dumps(parameter)] > 1
    ] + [(_camel(p["name"]), p) for p in found if p["name"] == "lang"]


def _problems(spec: Json) -> list[tuple[str, Json]]:
    return [
        ("Or".join(_camel(KIND_OF[title]) for title in answer["description"].split("; ")), answer)
        for operation in operations(spec)
        for status, answer in operation["responses"].items()
        if int(status) >= 400
    ]


def _camel(name: str) -> str:
    return "".join(part[0].upper() + part[1:] for part in name.split("-"))


class _Plain(yaml.SafeDumper):
    """YAML without anchors, which not every parser supports."""

    def ignore_aliases(self, _: Any) -> bool:
        """Never use an anchor."""
        return True


def to_yaml(spec: Mapping[str, Any]) -> str:
    """Return the description as YAML."""
    return yaml.dump(dict(spec), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100)
