"""``python -m referee.api.openapi``: it writes the descriptions, and notices what they lack."""

from pathlib import Path
from typing import Any

import pytest

from referee.api import openapi


@pytest.mark.parametrize(
    ("part", "places"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 9}, []),
        ({"type": "integer", "minimum": 1}, [""]),
        ({"type": ["string", "null"], "maxLength": 9}, [""]),
        ({"type": "string", "maxLength": 9, "format": "date"}, []),
        ({"type": "string", "maxLength": 9, "pattern": "a+"}, []),
        ({"type": "string", "enum": ["a"]}, []),
        ({"const": "a", "type": "string"}, []),
        ({"type": "boolean", "example": {"type": "integer"}}, []),
        # A property may be called "type".
        ({"properties": {"type": {"type": "array"}}}, ["/properties/type"]),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, ["/anyOf/1"]),
    ],
)
def test_values_without_limits_are_found(part: Any, places: list[str]) -> None:
    assert list(openapi.unlimited(part)) == places


def test_it_writes_the_descriptions_and_compares_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    told = []
    for words in ((), ("--check",), ("--check",)):
        monkeypatch.setattr("sys.argv", ["openapi", *words])
        told.append((openapi.main(), capsys.readouterr().err))
        if words:
            (tmp_path / "openapi.yaml").write_text("", "utf-8")
    assert told == [(0, ""), (0, ""), (1, "openapi.yaml is out of date: run make openapi\n")]


def test_a_description_without_limits_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["openapi"])
    whole = openapi.description()
    whole["components"]["schemas"]["Entry"]["properties"]["extra"] = {"type": "integer"}
    monkeypatch.setattr(openapi, "description", lambda: whole)
    assert openapi.main() == 1
    assert "/components/schemas/Entry/properties/extra: no limits" in capsys.readouterr().err
