"""Saying once in the description what many operations take and answer alike.

A generator of clients then makes one type of it, and the file stays readable.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.api.problems import KINDS

Json = dict[str, Any]
KIND_OF = {title: kind for kind, (_, title) in KINDS.items()}


def share(spec: Json) -> None:
    """Move repeated parameters and problems of the operations to the components."""
    for name, value in [*_parameters(spec), *_problems(spec)]:
        kind = "parameters" if "in" in value else "responses"
        kept = spec["components"].setdefault(kind, {}).setdefault(name, dict(value))
        if kept != value:
            raise ValueError(f"two {kind} would be called {name}")
        value.clear()
        value["$ref"] = f"#/components/{kind}/{name}"


def operations(spec: Json) -> Iterator[Json]:
    """The operations of a description."""
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
