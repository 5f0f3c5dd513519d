"""No change of the API breaks apps, each has a feature level, and docs/api-changes.md names it."""

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.api.feature_level import FEATURE_LEVEL
from tests.contract.changes import Json, compare, surface
from tests.contract.level import kept

ROOT = Path(__file__).parents[2]
TOLD = (ROOT / "docs" / "api-changes.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^## (\d+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def present() -> Json:
    text = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    found: Json = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


def test_no_app_breaks(present: Json) -> None:
    assert compare(kept(), present).breaking == ()


def test_a_change_comes_with_a_level(present: Json) -> None:
    before = kept()
    level = before["info"]["x-feature-level"]
    assert present["info"]["x-feature-level"] == FEATURE_LEVEL
    changed = surface(before) != surface(present)
    assert level + 1 == FEATURE_LEVEL if changed else FEATURE_LEVEL in (level, level + 1), (
        "the API has changed: raise FEATURE_LEVEL (referee/api/feature_level.py), and tell of the "
        "change in docs/api-changes.md"
    )


def test_levels_are_told_and_what_is_new_is_named(present: Json) -> None:
    sections = {int(level): text for level, text in SECTION.findall(TOLD)}
    assert list(sections) == list(range(FEATURE_LEVEL, 0, -1))
    untold = [name for name in compare(kept(), present).added if f"`{name}`" not in TOLD]
    assert not untold, f"docs/api-changes.md does not name {', '.join(untold)}"


MOVE: Json = {
    "type": "object",
    "properties": {
        "card": {"type": "string", "maxLength": 40, "pattern": "^[a-z]+$"},
        "count": {"type": "integer", "minimum": 0, "maximum": 9},
        "color": {"type": "string", "enum": ["red", "blue"]},
        "note": {"type": ["string", "null"], "maxLength": 9},
    },
    "required": ["card"],
}
ANSWER: Json = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["legal", "illegal"]},
        "cards": {"type": "array", "items": {"$ref": "#/components/schemas/Card"}},
        "state": {"$ref": "#/components/schemas/State"},
        "winner": {"oneOf": [{"type": "integer"}, {"type": "null"}]},
    },
    "required": ["verdict", "cards"],
}
REFERENCE = {"$ref": "#/components/schemas/Move"}
SPEC: Json = {
    "paths": {
        "/tables/{id}/moves": {
            "parameters": [
                {"in": "path", "name": "id", "required": True, "schema": {"type": "string"}}
            ],
            "post": {
                "operationId": "makeMove",
                "security": [],
                "parameters": [
                    {"in": "query", "name": "lang", "schema": {"type": "string", "maxLength": 9}}
                ],
                "requestBody": {"content": {"application/json": {"schema": REFERENCE}}},
                "responses": {
                    "201": {"content": {"application/json": {"schema": ANSWER}}},
                    "404": {"description": "Not found"},
                },
            },
        }
    },
    "components": {
        "schemas": {
            "Move": MOVE,
            "Card": {"type": "string", "maxLength": 40},
            "State": {"type": "object", "properties": {"turn": {"type": "integer"}}},
        }
    },
}
Change = Callable[[Json, Json, Json], Any]


def operation(spec: Json) -> Json:
    found: Json = spec["paths"]["/tables/{id}/moves"]["post"]
    return found


def changed(change: Change) -> Json:
    """The description after a change of it, its request and its answer."""
    spec = copy.deepcopy(SPEC)
    answer = operation(spec)["responses"]["201"]["content"]["application/json"]["schema"]
    change(spec, spec["components"]["schemas"]["Move"], answer)
    return spec


BREAKS: dict[str, tuple[Change, str]] = {
    "operation gone": (lambda spec, *_: spec["paths"].clear(), "is gone"),
    "renamed": (lambda spec, *_: operation(spec).update(operationId="move"), "is not called"),
    "token": (lambda spec, *_: operation(spec).update(security=[{"token": []}]), "needs a token"),
    "status": (lambda spec, *_: operation(spec)["responses"].pop("201"), "does not answer 201"),
    "parameter gone": (lambda spec, *_: operation(spec)["parameters"].clear(), "take lang"),
    "parameter needed": (
        lambda spec, *_: operation(spec)["parameters"].append(
            {"in": "query", "name": "why", "required": True, "schema": {"type": "string"}}
        ),
        "needs why now",
    ),
    "parameter narrowed": (
        lambda spec, *_: operation(spec)["parameters"][0]["schema"].update(maxLength=2),
        "narrower maxLength",
    ),
    "body gone": (lambda spec, *_: operation(spec).pop("requestBody"), "takes no body"),
    "field refused": (lambda _, move, __: move["properties"].pop("note"), "Move.note is gone"),
    "field needed": (lambda _, move, __: move["required"].append("count"), "has to be sent"),
    "new field needed": (
        lambda _, move, __: (
            move["properties"].update(why={"type": "string"}),
            move["required"].append("why"),
        ),
        "Move.why has to be sent",
    ),
    "shorter": (lambda _, move, __: move["properties"]["card"].update(maxLength=9), "narrower"),
    "another pattern": (
        lambda _, move, __: move["properties"]["card"].update(pattern="^[A-Z]+$"),
        "another pattern",
    ),
    "smaller": (lambda _, move, __: move["properties"]["count"].update(maximum=8), "narrower"),
    "greater": (lambda _, move, __: move["properties"]["count"].update(minimum=1), "narrower"),
    "value refused": (
        lambda _, move, __: move["properties"]["color"].update(enum=["red"]),
        "blue is refused",
    ),
    "type refused": (
        lambda _, move, __: move["properties"]["note"].update(type="string"),
        "cannot be null",
    ),
    "answer's field gone": (
        lambda _, __, answer: answer["properties"].pop("state"),
        ".state is gone",
    ),
    "answer's field may be missing": (
        lambda _, __, answer: answer["required"].remove("cards"),
        ".cards may be missing",
    ),
    "answer's field of another type": (
        lambda spec, *_: spec["components"]["schemas"]["Card"].update(type="integer"),
        "Card may be integer",
    ),
    "answer's field may be null": (
        lambda spec, *_: spec["components"]["schemas"]["State"]["properties"]["turn"].update(
            type=["integer", "null"]
        ),
        "State.turn may be null",
    ),
    "answer's value gone": (
        lambda _, __, answer: answer["properties"]["verdict"].update(enum=["legal"]),
        "illegal never comes",
    ),
    "answer's choice gone": (
        lambda _, __, answer: answer["properties"]["winner"]["oneOf"].pop(),
        "never null",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_is_refused(name: str) -> None:
    change, says = BREAKS[name]
    breaking = compare(SPEC, changed(change)).breaking
    assert any(says in one for one in breaking), breaking


ADDITIONS: dict[str, tuple[Change, str]] = {
    "operation": (
        lambda spec, *_: spec["paths"].update(
            {"/new": {"get": {"operationId": "getNew", "responses": {}}}}
        ),
        "getNew",
    ),
    "parameter": (
        lambda spec, *_: operation(spec)["parameters"].append(
            {"in": "query", "name": "why", "schema": {"type": "string"}}
        ),
        "makeMove.why",
    ),
    "field": (
        lambda _, move, __: move["properties"].update(why={"type": "string"}),
        "Move.why",
    ),
    "longer": (lambda _, move, __: move["properties"]["card"].update(maxLength=99), ""),
    "no longer needed": (lambda _, move, __: move["required"].clear(), ""),
    "answer's field": (
        lambda spec, *_: spec["components"]["schemas"]["State"]["properties"].update(
            color={"type": "string"}
        ),
        "State.color",
    ),
    "answer's value": (
        lambda _, __, answer: answer["properties"]["verdict"]["enum"].append("unknown"),
        "POST /tables/{id}/moves 201.verdict=unknown",
    ),
}


@pytest.mark.parametrize("name", ADDITIONS)
def test_an_addition_breaks_nothing_and_is_named(name: str) -> None:
    change, added = ADDITIONS[name]
    found = compare(SPEC, changed(change))
    assert found.breaking == ()
    assert found.added == ((added,) if added else ())


def test_texts_are_no_part_of_the_surface() -> None:
    spec = changed(lambda spec, *_: operation(spec).update(description="Other words."))
    assert surface(spec) == surface(SPEC)
    assert surface(changed(lambda spec, *_: spec["paths"].clear())) != surface(SPEC)
    # A field that is called like a text is one of the surface.
    with_field = changed(lambda _, move, __: move["properties"].update(title={"type": "string"}))
    assert surface(with_field) != surface(SPEC)
