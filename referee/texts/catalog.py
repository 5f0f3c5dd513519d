"""The sentences by language: ours, and those that a ruleset brings in its own folder.

A locale file has sections of ids, each id with one sentence or a list of them: of a list, the first
one is taken whose ``{placeholders}`` are all known.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from referee.rules.ruleset import Ruleset

DEFAULT = "en"
FOLDER = Path(__file__).parent / "locales"
PLACEHOLDER = re.compile(r"\{(\w+)\}")

Sentences = tuple[str, ...]
Catalog = Mapping[str, Mapping[str, Sentences]]


@cache
def languages() -> tuple[str, ...]:
    """The languages that the referee speaks."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def find(section: str, name: str, lang: str, ruleset: Ruleset | None = None) -> Sentences:
    """The sentences of an id, in the language if there are any, else in English; () if none."""
    folder = None if ruleset is None else ruleset.folder
    for language in (lang, DEFAULT):
        for catalog in catalogs(language, folder):
            found = catalog.get(section, {}).get(name)
            if found is not None:
                return found
    return ()


@cache
def catalogs(lang: str, folder: Path | None) -> tuple[Catalog, ...]:
    """The catalogs of a language, the one to ask first at the front: the ruleset's, then ours."""
    if lang not in languages():
        return ()
    ours = read_catalog(FOLDER / f"{lang}.toml")
    if folder is None:
        return (ours,)
    return read_catalog(folder / "locales" / f"{lang}.toml"), ours


@cache
def read_catalog(path: Path) -> Catalog:
    """A locale file; an empty catalog where there is none."""
    if not path.is_file():
        return {}
    sections: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        section: {
            name: (text,) if isinstance(text, str) else tuple(text)
            for name, text in entries.items()
        }
        for section, entries in sections.items()
    }


def fill(sentences: Sequence[str], words: Mapping[str, str]) -> str | None:
    """The first sentence whose placeholders are all given, filled in; None if there is none.

    Only whole words between braces are replaced, once, by text: whatever a name or a card looks
    like, nothing in it is looked up.
    """
    for sentence in sentences:
        if placeholders(sentence) <= words.keys():
            return PLACEHOLDER.sub(lambda found: words[found[1]], sentence)
    return None


@cache
def placeholders(sentence: str) -> frozenset[str]:
    """The names that stand in braces in a sentence."""
    return frozenset(PLACEHOLDER.findall(sentence))


def differences(reference: Catalog, other: Catalog) -> list[str]:
    """What a translation lacks, has too much, or fills in differently; empty when it is whole."""
    found = []
    for section in sorted({*reference, *other}):
        ours, theirs = reference.get(section, {}), other.get(section, {})
        for name in sorted({*ours, *theirs}):
            if name not in theirs:
                found.append(f"{section}.{name} is missing")
            elif name not in ours:
                found.append(f"{section}.{name} is not in the reference")
            elif [*map(placeholders, ours[name])] != [*map(placeholders, theirs[name])]:
                found.append(f"{section}.{name} has other placeholders")
    return found
