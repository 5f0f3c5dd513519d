"""The sentences by language: ours, and those that a ruleset brings in its own folder.

A locale file has sections of ids, each id with one sentence or a list of them: of a list, the first
one is taken whose ``{placeholders}`` are all known. ``{count:card|cards}`` is not the count but the
form that goes with it, one for each plural category of the language (``plurals.categories``).
``same`` at the top lists what is called just as in English, so that nothing is left so unawares.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from referee.rules.ruleset import Ruleset
from referee.texts.plurals import plural

DEFAULT = "en"
FOLDER = Path(__file__).parent / "locales"
# What the phone page says; it fills in the placeholders itself.
PAGE = Path(__file__).parent / "page"
PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


class Sentence(str):
    """A sentence that knows its language: where a translation lacks one, it is English."""

    lang: str

    def __new__(cls, text: str, lang: str) -> "Sentence":
        """The sentence as its file has it."""
        made = super().__new__(cls, text)
        made.lang = lang
        return made


Sentences = tuple[Sentence, ...]
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
            name: tuple(
                Sentence(one, path.stem) for one in ([text] if isinstance(text, str) else text)
            )
            for name, text in entries.items()
        }
        for section, entries in sections.items()
        if isinstance(entries, dict)
    }


def fill(sentences: Sequence[Sentence], words: Mapping[str, str]) -> str | None:
    """The first sentence whose placeholders are all given, filled in; None if there is none.

    Only whole words between braces are replaced, once, by text: whatever a name or a card looks
    like, nothing in it is looked up.
    """
    for sentence in sentences:
        if placeholders(sentence) <= words.keys():
            return _filled(sentence, words)
    return None


def _filled(sentence: Sentence, words: Mapping[str, str]) -> str:
    def word(found: re.Match[str]) -> str:
        text, forms = words[found[1]], found[2]
        if forms is None:
            return text
        return plural(sentence.lang, int(text), tuple(forms.split("|")))

    return PLACEHOLDER.sub(word, sentence)


@cache
def placeholders(sentence: str) -> frozenset[str]:
    """The names that stand in braces in a sentence."""
    return frozenset(found[1] for found in PLACEHOLDER.finditer(sentence))
