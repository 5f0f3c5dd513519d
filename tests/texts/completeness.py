"""Compare each language with the ids and messages of English.

``python -m tests.texts.completeness`` lists the texts that are missing, which readers get in
English; the tests list what is wrong with those that are there.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from referee.api.problems import KINDS
from referee.api.validation import MARSHMALLOW
from referee.rules.book.rulebook import WORDING
from referee.rules.cards import COLORS
from referee.rules.ruleset import Ruleset, rulesets
from referee.texts.catalog import (
    DEFAULT,
    FOLDER,
    GENDER,
    PAGE,
    PLACEHOLDER,
    Sentence,
    categories,
    languages,
)
from referee.texts.messages import SECTION, without_words
from referee.texts.vocabulary import Speaker
from tests.api.family import scenes as family

PACKAGE = Path(__file__).parents[2] / "referee"
# Calls that raise messages to clients, and which argument is the sentence.
MESSAGE_ARGUMENTS = {
    "Message": 0,
    "ValidationError": 0,
    "hinted": 0,
    "asking": 0,
    "sent": 0,
    "FieldError": 1,
    "NotationError": 1,
    "RecordError": 1,
    "invalid": 1,
    "Problem": 1,
    "Rights": 1,
    "_bad": 1,
    "RuleError": 2,
    "check_acts_for": 2,
}
Texts = dict[str, list[str]]


def folders() -> dict[str, Path]:
    """Return the folders of locale files: our own, the page's, the rulebooks' and each deck's."""
    decks = {name: ruleset.folder / "locales" for name, ruleset in rulesets().items()}
    return {"texts": FOLDER, "page": PAGE, "wording": WORDING, **decks}


def texts(path: Path) -> Texts:
    """Return the sentences of a file by ``section.id``."""
    found: Texts = {}
    for section, entries in _load(path).items():
        if isinstance(entries, dict):
            for name, text in entries.items():
                forms = text if isinstance(text, list) else [text]
                found[f"{section}.{name}"] = [
                    one if isinstance(one, str) else one["name"] for one in forms
                ]
    return found


def same_as_english(path: Path) -> list[str]:
    """Return the ids that a file marks as the same as in English."""
    return list(_load(path).get("same", []))


def _load(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def expected(place: str) -> Texts:
    """Return the ids that the files of a folder must have, with the English sentences."""
    wanted = texts(folders()[place] / "en.toml")
    if place == "texts":
        wanted |= {f"{SECTION}.{said}": [said] for said in messages()}
    elif place in rulesets():
        wanted |= {f"{SECTION}.{said}": [said] for said in examples(rulesets()[place])}
    return wanted


NUMBERS = [f"symbol.{number}" for number in range(10)]


def missing(place: str, lang: str) -> list[str]:
    """Return the ids that a language's file lacks, whose texts its readers get in English."""
    found = texts(folders()[place] / f"{lang}.toml")
    return sorted(name for name in expected(place) if name not in found)


def faults(place: str, lang: str) -> list[str]:
    """Return the faults of a language's file in a folder, beside what is missing there."""
    path = folders()[place] / f"{lang}.toml"
    wanted, found = expected(place), texts(path)
    if place == "texts":
        # A number needs a name only where it has forms.
        found = {name: said for name, said in found.items() if name not in NUMBERS}
    if lang == "en":
        # Messages are written in English in the code itself.
        wanted = {name: text for name, text in wanted.items() if not name.startswith(SECTION)}
    elif place in rulesets():
        # A deck may override shared names in one language, as its sheet does.
        shared = expected("texts") | expected("wording")
        wanted |= {name: shared[name] for name in found.keys() & shared.keys() - wanted.keys()}
    found_faults = wrong(wanted, found, same_as_english(path), lang)
    if place == "page":
        # The page fills in its placeholders itself, and knows no forms but plurals.
        inflected = [name for name, said in found.items() if any(map(_inflects, said))]
        return found_faults + [f"{name}: the page has no forms of names" for name in inflected]
    return found_faults + lacking_forms(place, lang) + uneven_forms(place, lang)


def _inflects(text: str) -> bool:
    return any(found[2] and "|" not in found[2] for found in PLACEHOLDER.finditer(text))


@cache
def messages() -> list[str]:
    """Return every message in the code that can reach a client."""
    found = {title for _, title in KINDS.values()} | {*MARSHMALLOW}
    for _, tree in _modules():
        found |= {said for said, _ in _said(tree)} | _tables(tree)
    return sorted(said for said in found if not without_words(said))


def unreadable_messages() -> list[str]:
    """Return places where a message is composed so that it cannot be translated."""
    return [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path, tree in _modules()
        for said, node in _said(tree)
        if not said and isinstance(node, ast.JoinedStr | ast.BinOp)
    ]


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if "commands" not in path.parts and "demo" not in path.parts:
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def _said(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            at = MESSAGE_ARGUMENTS.get(name)
            if at is not None and len(node.args) > at:
                yield from _constants(node.args[at])
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in NAMED:
            yield from _constants(node.value)


# variables that hold a message until it is raised
NAMED = ("reason", "detail")
# dictionaries whose values are messages
TABLES = ("DETAILS", "MESSAGES", "PERIODS")


def _constants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value, node
    else:
        yield "", node


def _tables(tree: ast.AST) -> set[str]:
    """Return the values of tables of messages."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") in TABLES:
            values = getattr(node.value, "values", ())
            found |= {v.value for v in values if isinstance(v, ast.Constant)}
    return found


def examples(ruleset: Ruleset) -> list[str]:
    """Return the texts of a deck's example custom cards."""

    def said(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for name, item in value.items():
                if name == "text":
                    yield item
                else:
                    yield from said(item)
        elif isinstance(value, list):
            for item in value:
                yield from said(item)

    return list(dict.fromkeys(t for card in ruleset.custom_examples for t in said(card.to_json())))


def names(sentence: str) -> set[str]:
    """Return the placeholders of a sentence, less those that only pick a plural form."""
    return {found[1] for found in PLACEHOLDER.finditer(sentence) if "|" not in (found[2] or "")}


def counts(sentence: str) -> set[str]:
    """Return the placeholders that pick a plural form."""
    return {found[1] for found in PLACEHOLDER.finditer(sentence) if "|" in (found[2] or "")}


def wrong(wanted: Texts, found: Texts, same: list[str], lang: str) -> list[str]:
    """Return what a translation has in excess or words differently."""
    faults = [f"{name} is not in English" for name in found if name not in wanted]
    faults += [f"same: {name} is not there" for name in same if name not in found]
    for name in wanted.keys() & found.keys():
        ours, theirs = wanted[name], found[name]
        if not all(text.strip() for text in theirs):
            faults.append(f"{name} is empty")
        if [*map(names, ours)] != [*map(names, theirs)]:
            faults.append(f"{name} has other placeholders")
        known = {one for text in ours for one in names(text) | counts(text)}
        known |= {f"{one}_count" for one in known}
        faults += [f"{name} has no number {one}" for text in theirs for one in counts(text) - known]
        for text in theirs:
            faults += [f"{name}: {fault}" for fault in malformed(text, lang)]
        wordless = all(without_words(text) for text in ours)
        if lang != "en" and (ours == theirs) != (name in same) and not wordless:
            faults.append(
                f"{name} is marked as the same, but is not"
                if name in same
                else f"{name} is still in English (list it under `same` if that is right)"
            )
    return sorted(faults)


def malformed(text: str, lang: str) -> list[str]:
    """Return stray braces, and plurals with too few or too many forms."""
    faults = []
    if re.search(r"[{}]", PLACEHOLDER.sub("", text)):
        faults.append("has a stray brace")
    for found in PLACEHOLDER.finditer(text):
        if found[2] is None:
            continue
        if "|" not in found[2]:
            if found[1] not in INFLECTED:
                faults.append(f"{found[0]}: {found[1]} has no forms")
        else:
            forms = found[2].split("|")
            kinds = categories(lang)
            if len(forms) != len(kinds) or not all(form.strip() for form in forms):
                faults.append(f"{found[0]} needs a form for each of {', '.join(kinds)}")
    return faults


# placeholder → what it names, of which a language may have several forms
INFLECTED = {
    **dict.fromkeys(("card", "top", "opening", "playable"), "card"),
    **dict.fromkeys(("color", "colors"), "color"),
    **dict.fromkeys(("power", "powers", "takeable"), "power"),
    "direction": "direction",
    "tray": "place",
}


def lacking_forms(place: str, lang: str) -> list[str]:
    """Return the forms that a file's sentences ask for and the language's names lack."""
    decks = [rulesets()[place]] if place in rulesets() else list(rulesets().values())
    asked = [
        (name, INFLECTED[found[1]], found[2])
        for name, sentences in texts(folders()[place] / f"{lang}.toml").items()
        for text in sentences
        for found in PLACEHOLDER.finditer(text)
        if found[2] and "|" not in found[2] and found[1] in INFLECTED
    ]
    kinds = {kind for _, kind, _ in asked}
    named = [(deck, {kind: _names(lang, deck, kind) for kind in kinds}) for deck in decks]
    return [
        f"{name} asks for the form {form}, which this lacks ({deck.id}): {word}"
        for deck, words in named
        for name, kind, form in asked
        for word in words[kind]
        if form not in word.forms
    ]


def _names(lang: str, ruleset: Ruleset, kind: str) -> list[Sentence]:
    """Return a deck's names of a kind, less those that readers get in English."""
    speaker, awaited = Speaker(lang, (), ruleset), missing(ruleset.id, lang)
    if kind == "card":
        named = [card for card in ruleset.deck if f"symbol.{card.symbol}" not in awaited]
        return [speaker.card(card.id) for card in named]
    ids = {"color": COLORS, "power": ruleset.powers, "direction": ("1", "-1"), "place": ("tray",)}
    return [speaker.word(kind, name) for name in ids[kind] if f"{kind}.{name}" not in awaited]


def unmatched_genders(lang: str, ruleset: Ruleset) -> list[str]:
    """Return the genders of coloured cards that neither a colour nor the pattern knows."""
    speaker = Speaker(lang, (), ruleset)
    patterns = (*(speaker.word("card-color", c) for c in COLORS), speaker.word("card", "colored"))
    known = {form.partition("-")[0] for one in patterns for form in one.forms}
    symbols = {card.symbol for card in ruleset.deck if card.color}
    return [
        f"symbol.{symbol} has a gender that no card-color has: {gender}"
        for symbol in sorted(symbols)
        if (gender := speaker.word("symbol", symbol).forms.get(GENDER)) and gender not in known
    ]


def uneven_forms(place: str, lang: str) -> list[str]:
    """Return colours and powers that have other forms than their neighbours in a file."""
    faults = []
    for section, entries in _load(folders()[place] / f"{lang}.toml").items():
        if section in ("color", "card-color", "power"):
            forms = {
                name: set() if isinstance(entry, str) else {*entry}
                for name, entry in entries.items()
            }
            every = set().union(*forms.values())
            faults += [
                f"{section}.{name} lacks the forms {', '.join(sorted(every - has))}"
                for name, has in forms.items()
                if has != every
            ]
    return faults


def main() -> int:
    """Print what each language lacks; 1 if anything, so that no release goes without."""
    lacking = [
        f"{(folders()[place] / lang).relative_to(PACKAGE.parent)}.toml: {name}"
        for lang in languages()
        if lang != DEFAULT
        for place in folders()
        for name in missing(place, lang)
    ]
    for lang in family.LANGUAGES:
        file = (family.SAID / lang).relative_to(PACKAGE.parent)
        lacking += [f"{file}.toml: {scene}" for scene in family.awaited(lang)]
    sys.stdout.writelines(f"{line}\n" for line in lacking)
    said = f"{len(lacking)} texts are missing" if lacking else "no text is missing"
    sys.stdout.write(f"{len(languages())} languages, {said}.\n")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
