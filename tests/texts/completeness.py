"""Compare the locale files of each language with the English ids and the messages in the code."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from referee.api.problems import KINDS
from referee.api.validation import MARSHMALLOW
from referee.rules.rulebook import WORDING
from referee.rules.ruleset import Ruleset, rulesets
from referee.texts.catalog import FOLDER, PAGE, PLACEHOLDER, categories
from referee.texts.messages import SECTION, without_words

PACKAGE = Path(__file__).parents[2] / "referee"
# Calls that raise messages to clients, and which argument is the sentence.
MESSAGE_ARGUMENTS = {
    "Message": 0,
    "ValidationError": 0,
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
                found[f"{section}.{name}"] = [text] if isinstance(text, str) else text
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


def faults(place: str, lang: str) -> list[str]:
    """Return the faults of a language's file in a folder."""
    path = folders()[place] / f"{lang}.toml"
    wanted, found = expected(place), texts(path)
    if lang == "en":
        # Messages are written in English in the code itself.
        wanted = {name: text for name, text in wanted.items() if not name.startswith(SECTION)}
    elif place in rulesets():
        # A deck may override shared names in one language, as its sheet does.
        shared = expected("texts") | expected("wording")
        wanted |= {name: shared[name] for name in found.keys() & shared.keys() - wanted.keys()}
    return wrong(wanted, found, same_as_english(path), lang)


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
            found |= {v.value for v in node.value.values}  # type: ignore[union-attr]
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
    """Return the placeholders of a sentence."""
    return {found[1] for found in PLACEHOLDER.finditer(sentence)}


def wrong(wanted: Texts, found: Texts, same: list[str], lang: str) -> list[str]:
    """Return what a translation lacks, has in excess or words differently."""
    faults = [f"{name} is missing" for name in wanted if name not in found]
    faults += [f"{name} is not in English" for name in found if name not in wanted]
    faults += [f"same: {name} is not there" for name in same if name not in found]
    for name in wanted.keys() & found.keys():
        ours, theirs = wanted[name], found[name]
        if not all(text.strip() for text in theirs):
            faults.append(f"{name} is empty")
        if [*map(names, ours)] != [*map(names, theirs)]:
            faults.append(f"{name} has other placeholders")
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
        if found[2] is not None:
            forms = found[2].split("|")
            kinds = categories(lang)
            if len(forms) != len(kinds) or not all(form.strip() for form in forms):
                faults.append(f"{found[0]} needs a form for each of {', '.join(kinds)}")
    return faults
