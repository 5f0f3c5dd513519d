"""Files beside its own that name every deck, or every house rule: none is forgotten."""

import pytest

from referee.rules.options import OPTIONS
from referee.rules.ruleset import rulesets
from tests.conftest import ROOT

PLACES = [
    ("README.md", "| `{}` |", rulesets()),
    ("tests/rules/test_rules_setup.toml", "[decks.{}]", rulesets()),
    ("tests/api/family/scenes.toml", "[{}]", rulesets()),
    ("docs/record.md", "| `{}` |", OPTIONS),
    ("referee/web/files/js/house/pictures.js", "{}: {{", OPTIONS),
]


@pytest.mark.parametrize(("file", "line", "names"), PLACES, ids=[file for file, *_ in PLACES])
def test_a_file_names_each(file: str, line: str, names: dict[str, object]) -> None:
    lines = [text.strip() for text in (ROOT / file).read_text(encoding="utf-8").splitlines()]
    for name in names:
        begun = line.format(name)
        assert any(text.startswith(begun) for text in lines), f"{file} has no line {begun} …"
