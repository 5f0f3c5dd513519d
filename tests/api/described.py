"""Compare every answer of a server with its description."""

from functools import cache
from typing import Any

import jsonschema_rs
from flask import Flask, Response, request
from werkzeug.routing import Rule

JSON = ("application/json", "application/problem+json")


class NotDescribedError(AssertionError):
    """An answer that is not as it is described."""


def compare_answers(app: Flask) -> None:
    """Let each JSON answer of an app be compared with the description of its operation."""
    description: dict[str, Any] = app.extensions["referee-spec"]

    @cache
    def checker(method: str, path: str, status: int, mimetype: str) -> Any:
        operation = description["paths"].get(path, {}).get(method)
        if operation is None:
            return None
        answer = operation["responses"].get(str(status))
        if answer is None:
            raise NotDescribedError(f"{method} {path} does not say that it answers {status}")
        if "$ref" in answer:
            answer = description["components"]["responses"][answer["$ref"].rpartition("/")[2]]
        schema = answer["content"][mimetype]["schema"]
        return jsonschema_rs.validator_for(
            {**schema, "components": description["components"]}, validate_formats=True
        )

    def compare(response: Response) -> Response:
        rule = request.url_rule
        if rule is None or response.mimetype not in JSON or not response.get_data():
            return response
        check = checker(
            request.method.lower(), path_of(rule), response.status_code, response.mimetype
        )
        if check is not None:
            wrong = check.iter_errors(response.get_json())
            said = [f"{'/'.join(map(str, one.instance_path))}: {one.message}" for one in wrong]
            if said:
                raise NotDescribedError(f"{request.method} {request.path}: {'; '.join(said)}")
        return response

    app.after_request(compare)


def path_of(rule: Rule) -> str:
    """The path of a route as the description writes it."""
    parts = (part.rpartition(":")[2] for part in rule.rule.replace("<", "{").split("{"))
    return "{".join(parts).replace(">", "}")
