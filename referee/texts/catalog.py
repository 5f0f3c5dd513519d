"""The catalogs: sentences by language, the referee's own and each ruleset's.

A locale file has sections of ids. An id has one sentence or a list, of which the first whose
``{placeholders}`` are all known is used. ``{count:card|cards}`` becomes the form that goes with
the count; a language has one form per plural category (``categories``). A name may be a table of
forms, of which ``name`` is the usual one; ``{card:acc}`` picks another. ``same`` at the top of a
file lists ids whose text equals the English on purpose.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from babel import Locale

from referee.rules.ruleset import Ruleset

DEFAULT = "en"
FOLDER = Path(__file__).parent / "locales"
# The phone page's texts; the page fills in their placeholders itself.
PAGE = Path(__file__).parent / "page"
PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
# The usual form of a name that has several, and the gender that other words agree with.
NAME, GENDER = "name", "gender"
# CLDR's plural categories, in its order.
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
# Every plural category of whole numbers occurs up to here.
LARGEST_SAMPLE = 200


NO_FORMS: Mapping[str, str] = {}


class Sentence(str):
    """A sentence or a name with its language, which is English where a translation is missing.

    ``forms`` are other forms of a name, such as its cases, and its ``gender``.
    """

    lang: str
    forms: Mapping[str, str]

    def __new__(cls, text: str, lang: str, forms: Mapping[str, str] = NO_FORMS) -> "Sentence":
        """Make a sentence of a catalog entry."""
        sentence = super().__new__(cls, text)
        sentence.lang = lang
        sentence.forms = forms
        return sentence


Sentences = tuple[Sentence, ...]
Catalog = Mapping[str, Mapping[str, Sentences]]


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that the referee speaks."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def find(section: str, name: str, lang: str, ruleset: Ruleset | None = None) -> Sentences:
    """Return the sentences of an id in ``lang``, else in English; () if there are none."""
    return find_in(section, name, lang, None if ruleset is None else ruleset.folder)


def find_in(section: str, name: str, lang: str, folder: Path | None) -> Sentences:
    """Return the same for the deck of a folder."""
    for language in (lang, DEFAULT):
        for catalog in catalogs(language, folder):
            text = catalog.get(section, {}).get(name)
            if text is not None:
                return text
    return ()


@cache
def catalogs(lang: str, folder: Path | None) -> tuple[Catalog, ...]:
    """Return the catalogs of a language: the ruleset's, which takes precedence, and ours."""
    if lang not in languages():
        return ()
    ours = read_catalog(FOLDER / f"{lang}.toml")
    if folder is None:
        return (ours,)
    return read_catalog(folder / "locales" / f"{lang}.toml"), ours


@cache
def read_catalog(path: Path) -> Catalog:
    """Read a locale file; a missing one is an empty catalog."""
    if not path.is_file():
        return {}
    sections: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        section: {
            name: tuple(
                _sentence(variant, path.stem)
                for variant in (text if isinstance(text, list) else [text])
            )
            for name, text in entries.items()
        }
        for section, entries in sections.items()
        if isinstance(entries, dict)
    }


def _sentence(entry: str | dict[str, str], lang: str) -> Sentence:
    if isinstance(entry, str):
        return Sentence(entry, lang)
    return Sentence(entry[NAME], lang, {form: text for form, text in entry.items() if form != NAME})


def fill(sentences: Sequence[Sentence], words: Mapping[str, str]) -> str | None:
    """Fill in the first sentence whose placeholders are all given; None if there is none.

    Braces in ``words`` are plain text: nothing in a name or a card is looked up. A sentence that
    begins with a word of ours, such as a card's name, begins with a capital.
    """
    for sentence in sentences:
        if placeholders(sentence) <= words.keys():
            return _filled(sentence, words)
    return None


def _filled(sentence: Sentence, words: Mapping[str, str]) -> str:
    parts = _parts(sentence)
    text = "".join(
        [text if name is None else _form(sentence.lang, words[name], text) for name, text in parts]
    )
    first = parts[0][0] if parts else None
    if first is not None and isinstance(words[first], Sentence):
        return text[:1].upper() + text[1:]
    return text


@cache
def _parts(sentence: str) -> tuple[tuple[str | None, str], ...]:
    """Return a sentence as pieces of text (None, text) and placeholders (name, forms)."""
    parts: list[tuple[str | None, str]] = []
    end = 0
    for match in PLACEHOLDER.finditer(sentence):
        if match.start() > end:
            parts.append((None, sentence[end : match.start()]))
        parts.append((match[1], match[2] or ""))
        end = match.end()
    if end < len(sentence):
        parts.append((None, sentence[end:]))
    return tuple(parts)


def _form(lang: str, word: str, forms: str) -> str:
    """Return a word as a placeholder asks for it."""
    if "|" in forms:
        return plural(lang, int(word), forms)
    return form_of(word, forms) if forms else word


def form_of(word: str, form: str, gender: str = "") -> str:
    """Return a form of a name: the first it has of gender-form, gender, form and the usual one."""
    forms = getattr(word, "forms", NO_FORMS)
    for wanted in (f"{gender}-{form}", gender, form) if gender else (form,):
        if wanted in forms:
            return forms[wanted]
    return word


@cache
def placeholders(sentence: str) -> frozenset[str]:
    """Return the names of a sentence's placeholders."""
    return frozenset(match[1] for match in PLACEHOLDER.finditer(sentence))


@cache
def categories(lang: str) -> tuple[str, ...]:
    """Return the plural categories of whole numbers in CLDR's order, such as ``one``, ``few``."""
    rule = Locale.parse(lang, sep="-").plural_form
    used = {rule(number) for number in range(LARGEST_SAMPLE + 1)}
    return tuple(category for category in CATEGORIES if category in used)


def counted(number: int, singular: str, several: str = "") -> str:
    """Return a number of things in English, as command lines print it."""
    return f"{number} {singular if number == 1 else several or f'{singular}s'}"


@lru_cache(maxsize=1024)
def plural(lang: str, number: int, forms: str) -> str:
    """Return which of ``one|few|many`` goes with a number.

    It is the last one if there are fewer than ``categories``. Millions, which are a category of
    their own in French, take the last one too.
    """
    known, choices = categories(lang), forms.split("|")
    category = Locale.parse(lang, sep="-").plural_form(number)
    return choices[min(known.index(category), len(choices) - 1) if category in known else -1]
