"""openapi.yaml describes all parameters, and shares what operations have in common."""

import json
from typing import Any

import pytest
from flask import Flask

from referee.api.description import description
from referee.api.spec import share
from tests.api.conftest import API, MakeApp


@pytest.fixture
def spec() -> dict[str, Any]:
    return description()


def test_every_reference_leads_somewhere(spec: dict[str, Any]) -> None:
    found: list[str] = []
    json.loads(json.dumps(spec), object_hook=lambda value: found.append(value.get("$ref")))
    references = {one for one in found if one}
    assert "#/components/responses/NotAuthenticated" in references
    assert "#/components/parameters/IdempotencyKey" in references
    assert "#/components/schemas/PlayMove" in references
    for reference in references:
        place: Any = spec
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]


def test_two_answers_never_share_a_name() -> None:
    def answering(text: str) -> dict[str, Any]:
        answer = {"description": "Not found", "content": text}
        return {"get": {"operationId": text, "responses": {"404": answer}}}

    spec = {"paths": {"/a": answering("a"), "/b": answering("b")}, "components": {}}
    with pytest.raises(ValueError, match="NotFound"):
        share(spec)


def test_each_query_may_name_a_language(app: Flask) -> None:
    # Refused for want of the operator's key, not for the language.
    assert app.test_client().get("/api/v1/operator/tables?lang=sv").status_code == 401


def test_an_answer_that_is_not_as_described_fails_a_test(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    language = description()["components"]["schemas"]["Language"]
    monkeypatch.setitem(language["properties"]["id"], "maxLength", 1)
    assert app.test_client().get(f"{API}/languages").status_code == 500
