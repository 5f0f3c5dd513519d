"""No change of the API breaks apps, each has a feature level, and docs/api-changes.md names it."""

import copy
import re
from pathlib import Path

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
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


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


def test_a_break_is_found(present: Json) -> None:
    spec = copy.deepcopy(present)
    del spec["paths"]["/api/v1/rulesets"]
    schemas = spec["components"]["schemas"]
    schemas["Join"]["required"].append("seat")
    del schemas["Ruling"]["properties"]["verdict"]
    breaking = " · ".join(compare(present, spec).breaking)
    for broken in ("is gone", "Join.seat has to be sent", "verdict is gone"):
        assert broken in breaking
    assert surface(spec) != surface(present)
