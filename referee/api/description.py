"""The OpenAPI description, generated from the schemas; ``referee.api.openapi`` writes the file.

The server imports it when somebody asks for the description, and not before.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

import yaml
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from flask_smorest import Api, Blueprint

from referee.api.feature_level import FEATURE_LEVEL
from referee.api.operation import Resource
from referee.api.resources import BLUEPRINTS
from referee.api.schemas.common import ProblemSchema
from referee.api.schemas.log_events import log_events
from referee.api.schemas.messages import EVENT_MESSAGE, MESSAGES
from referee.api.schemas.moves import MOVE, MOVE_REF, MOVES, MoveField
from referee.api.schemas.vocabulary import limits_of
from referee.api.spec import HEADERS, complete, operations, share

Json = dict[str, Any]
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


@cache
def description() -> Json:
    """Return the description of the API, made when it is first asked for."""
    return describe(BLUEPRINTS)


@cache
def description_in_yaml() -> str:
    """Return that as YAML."""
    return to_yaml(description())


def describe(resources: Iterable[tuple[Resource, str]]) -> Json:
    """Return the description of resources, each with the prefix of its paths, as JSON.

    It has no default responses, and repeated parts are shared.
    """
    app = Flask("referee", static_folder=None)
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
    for resource, prefix in resources:
        blueprint = Blueprint(resource.name, __name__, description=resource.description)
        for operation in resource.operations:
            view = blueprint.doc(**operation.also)(operation.view)
            view = blueprint.doc(**operation.doc())(view)
            blueprint.route(operation.path, methods=[operation.method])(view)
        api.register_blueprint(blueprint, url_prefix=prefix)
    spec: Json = json.loads(json.dumps(api.spec.to_dict()))
    spec["components"]["responses"] = {}
    spec["components"]["schemas"].pop("PaginationMetadata", None)
    for described in operations(spec):
        described["responses"].pop("default", None)
    schemas = spec["components"]["schemas"]
    if "Entry" in schemas:
        schemas.update(json.loads(json.dumps(log_events(schemas["Entry"]))))
    complete(spec)
    share(spec)
    spec["webhooks"] = {"event": {"post": EVENT_MESSAGE}}
    return spec


def _move(field: Any, **_: Any) -> dict[str, Any]:
    """Describe a field that holds a move by reference."""
    return dict(MOVE_REF) if isinstance(field, MoveField) else {}


def _limits(field: Any, *, ret: dict[str, Any]) -> dict[str, Any]:
    """Add what the vocabulary says to what the field checks itself."""
    if "enum" in ret or "$ref" in ret:
        return {}
    return {name: value for name, value in limits_of(field).items() if name not in ret}


class _Plain(yaml.SafeDumper):
    """YAML without anchors, which not every parser supports."""

    def ignore_aliases(self, _: Any) -> bool:
        """Never use an anchor."""
        return True


def to_yaml(spec: Mapping[str, Any]) -> str:
    """Return the description as YAML."""
    return yaml.dump(dict(spec), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100)
