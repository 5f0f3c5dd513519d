"""The languages: which one a reader gets, and that every one of them says everything."""

from pathlib import Path

import pytest

from referee.rules.ruleset import rulesets
from referee.texts import languages, pick_language
from referee.texts.catalog import FOLDER, differences, read_catalog

FOLDERS = [FOLDER, *(ruleset.folder / "locales" for ruleset in rulesets().values())]


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        (None, "en"),
        ("", "en"),
        ("da", "da"),
        ("da-DK, en;q=0.8", "da"),
        ("en;q=0.5, da;q=0.9", "da"),
        ("xx, da;q=0.1", "da"),
        ("pt, xx", "en"),
        ("PT-br", "pt-BR"),
        ("da;q=0", "en"),
        ("da;q=nonsense, pt-BR;q=0.1", "pt-BR"),
        ("da;q=-1", "en"),
        ("da;q=", "en"),
        ("*, da;q=0.5", "en"),
        (";;;,,,q=1", "en"),
        ("da;level=1", "da"),
        ("x" * 100_000, "en"),
    ],
)
def test_the_best_language_at_hand_is_picked(header: str | None, lang: str) -> None:
    assert pick_language(header, ["en", "da", "pt-BR"]) == lang


def test_english_is_always_at_hand() -> None:
    assert "en" in languages()
    assert pick_language("en-GB") == "en"


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_every_language_says_everything(folder: Path, lang: str) -> None:
    assert (folder / "en.toml").is_file()
    reference, other = read_catalog(folder / "en.toml"), read_catalog(folder / f"{lang}.toml")
    assert differences(reference, other) == []


def test_what_a_translation_lacks_is_listed(tmp_path: Path) -> None:
    (tmp_path / "en.toml").write_text('[a]\none = "{x}"\ntwo = "2"\nsome = ["{x}", "y"]\n')
    (tmp_path / "da.toml").write_text('[a]\none = "{y}"\nsome = ["{x}"]\n[b]\nnew = "n"\n')
    found = differences(read_catalog(tmp_path / "en.toml"), read_catalog(tmp_path / "da.toml"))
    assert found == [
        "a.one has other placeholders",
        "a.some has other placeholders",
        "a.two is missing",
        "b.new is not in the reference",
    ]
