"""Compare every answer of a server with its description."""

from functools import cache
from typing import Any

import jsonschema_rs
from flask import Flask, Response, request
from werkzeug.routing import Rule

from referee.api.description import description
from referee.api.schemas.log_events import event_name

JSON = ("application/json", "application/problem+json")
ENTRIES = ("Entry", "EntryPage")
Json = dict[str, Any]


class NotDescribedError(AssertionError):
    """An answer that is not as it is described."""


def compare_answers(app: Flask) -> None:
    """Let each JSON answer of an app be compared with the description of its operation.

    Entries of a log are compared with the schema of their kind as well.
    """

    @cache
    def checker(method: str, path: str, status: int, mimetype: str) -> tuple[Any, bool] | None:
        spec = description()
        operation = spec["paths"].get(path, {}).get(method)
        if operation is None:
            return None
        answer = operation["responses"].get(str(status))
        if answer is None:
            raise NotDescribedError(f"{method} {path} does not say that it answers {status}")
        if "$ref" in answer:
            answer = spec["components"]["responses"][answer["$ref"].rpartition("/")[2]]
        schema = answer["content"][mimetype]["schema"]
        entries = schema.get("$ref", "").rpartition("/")[2] in ENTRIES
        return validator(spec, schema), entries

    def compare(response: Response) -> Response:
        rule = request.url_rule
        if rule is None or response.mimetype not in JSON or not response.get_data():
            return response
        found = checker(
            request.method.lower(), path_of(rule), response.status_code, response.mimetype
        )
        if found is not None:
            check, entries = found
            body = response.get_json()
            said = _wrong(check, body)
            for entry in body.get("items", [body]) if entries else ():
                said += filter(None, [entry_error(description(), entry)])
            if said:
                raise NotDescribedError(f"{request.method} {request.path}: {'; '.join(said)}")
        return response

    app.after_request(compare)


CHECKS: dict[tuple[int, str], Any] = {}


def entry_error(description: Json, entry: Json) -> str | None:
    """Say what is wrong with an entry of a log by the schema of its kind."""
    name = event_name(entry["kind"])
    key = id(description), name
    if key not in CHECKS:
        CHECKS[key] = validator(description, {"$ref": f"#/components/schemas/{name}"})
    known = description["components"]["schemas"][name]["properties"]
    said = _wrong(CHECKS[key], entry)
    said += [f"{one} is no field of it" for one in entry if one not in known]
    return f"{name}: {'; '.join(said)}" if said else None


def path_of(rule: Rule) -> str:
    """Return the path of a route as the description writes it."""
    parts = (part.rpartition(":")[2] for part in rule.rule.replace("<", "{").split("{"))
    return "{".join(parts).replace(">", "}")


def validator(description: Json, schema: Json) -> Any:
    """Return a checker of values by a schema of a description."""
    return jsonschema_rs.validator_for(
        {**schema, "components": description["components"]}, validate_formats=True
    )


def _wrong(check: Any, value: Any) -> list[str]:
    found = check.iter_errors(value)
    return [f"{'/'.join(map(str, one.instance_path))}: {one.message}" for one in found]
