"""The AsyncAPI description of the event streams, made of the same schemas as the OpenAPI one."""

import json
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

from referee.api.schemas.log_events import FIELDS, STREAM, event_name
from referee.api.spec import PATH_PARTS

Json = dict[str, Any]
SCHEMAS = "#/components/schemas/"
CHANNEL = "tableEvents"
# Schemas of AsyncAPI have another kind of discriminator; these have their own name for each kind.
OPENAPI_ONLY = ("discriminator", "example")


def describe_streams(openapi: Mapping[str, Any]) -> Json:
    """Return the description of the streams, as JSON."""
    schemas = openapi["components"]["schemas"]
    messages = dict(_messages(schemas))
    about_table, _ = PATH_PARTS["table_id"]
    return {
        "asyncapi": "3.1.0",
        "info": {
            "title": "Referee: what happens at a table",
            "version": version("table-referee"),
            "description": "Server-sent events of a table, as they happen and from any event on. "
            "Requests are described in openapi.yaml; docs/apps.md says how to follow a table.",
            "license": {"name": openapi["info"]["license"]["name"]},
            "contact": openapi["info"]["contact"],
            "tags": [{"name": "events", "description": "What happened, from any point on"}],
        },
        "defaultContentType": "application/json",
        "servers": {
            "own": {
                "host": "{host}",
                "protocol": "https",
                "description": "Your own server.",
                "variables": {"host": {"default": "localhost", "description": "its name"}},
                "security": [{"$ref": "#/components/securitySchemes/token"}],
            },
            "home": {
                "host": "{host}",
                "protocol": "http",
                "description": "`referee serve` at home, without encryption.",
                "variables": {
                    "host": {"default": "localhost:8000", "description": "its name and port"}
                },
                "security": [{"$ref": "#/components/securitySchemes/token"}],
            },
        },
        "channels": {
            CHANNEL: {
                "address": "/api/v1/tables/{table_id}/events",
                "title": "A table's events",
                "description": "GET with `Accept: text/event-stream`. `Last-Event-ID` says which "
                "event was seen last; `ticket` replaces the token where headers cannot be sent.",
                "parameters": {"table_id": {"description": about_table}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
            }
        },
        "operations": {
            "sendTableEvents": {
                "action": "send",
                "channel": {"$ref": f"#/channels/{CHANNEL}"},
                "title": "Send what happens at the table",
                "summary": "All events since the last one that was seen, then each as it happens.",
                "messages": [
                    {"$ref": f"#/channels/{CHANNEL}/messages/{name}"} for name in messages
                ],
                "bindings": {"http": {"method": "GET", "bindingVersion": "0.3.0"}},
            }
        },
        "components": {
            "messages": messages,
            "schemas": _needed(schemas, messages),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": openapi["components"]["securitySchemes"]["token"]["description"],
                }
            },
        },
    }


def _messages(schemas: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    for kind in FIELDS:
        name = event_name(kind)
        yield name, _message(kind, schemas[name]["description"], {"$ref": SCHEMAS + name})
    for kind, text in STREAM.items():
        payload = {"unavailable": "StoreTrouble", "closing": "StreamEnd"}.get(kind, "Nothing")
        yield _camel(kind), _message(kind, text, {"$ref": SCHEMAS + payload})


def _message(kind: str, about: str, payload: Json) -> Json:
    return {"name": kind, "title": kind, "summary": about, "payload": payload}


def _needed(schemas: Mapping[str, Any], messages: Json) -> Json:
    """Return the schemas that messages lead to, without what AsyncAPI does not have."""
    needed: Json = {}
    waiting = list(_references(messages))
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = _plain(schemas[name])
            waiting += _references(needed[name])
    return {name: needed[name] for name in schemas if name in needed}


def _references(part: Any) -> Iterator[str]:
    for place in json.dumps(part).split(f'"{SCHEMAS}')[1:]:
        yield place.partition('"')[0]


def _plain(part: Any) -> Any:
    if isinstance(part, list):
        return [_plain(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {name: _plain(item) for name, item in part.items() if name not in OPENAPI_ONLY}


def _camel(kind: str) -> str:
    return f"{kind.capitalize()}Message"
