"""The rulebooks: every rule that a ruling can cite, with its source and our own wording.

A deck's ``rulebook.toml`` lists its rules and their sources. Rules that decks share are worded in
``wording/<language>.toml``, others in the deck's ``locales``, or in its ``rulebook.toml`` if it has
only one language.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from referee.rules.ruleset import Ruleset

SHARED = Path(__file__).parent / "rulebook.toml"
WORDING = Path(__file__).parent / "wording"
SEARCH_WORDS = Path(__file__).parent / "search-words.toml"
ENGLISH = "en"
Wording = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a ruleset, and its source.

    ``languages`` are the editions of the document that contain it. If the document is ``silent``,
    the rule rests on ``rulings`` alone. Rules that the referee adds have no document. ``sheet`` is
    what people call the document. ``cards`` are the symbols that the rule concerns, ``number`` and
    ``icon`` included; ``powers`` the towers or powers; ``called`` what players call what it
    decides, for the search alone. ``official`` is what the sheets say where a house rule stands,
    empty for other rules.
    """

    id: str
    title: str
    text: str
    section: str = ""
    languages: tuple[str, ...] = ()
    document: str | None = None
    sheet: str = ""
    rulings: tuple[str, ...] = ()
    silent: bool = False
    cards: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    called: str = ""
    official: str = ""


@dataclass(frozen=True, slots=True)
class Clarification:
    """A numbered decision (R1, R2, …) where documents contradict each other or are silent."""

    id: str
    title: str
    text: str
    why: str


class RulebookError(ValueError):
    """An invalid rulebook file: the file, the entry and the reason."""


def rulebook(ruleset: Ruleset, lang: str = ENGLISH) -> Mapping[str, Rule]:
    """Return a ruleset's rules by id, shared ones last, in English if ``lang`` has no wording."""
    return _rules(ruleset.folder, lang)


@cache
def clarifications(lang: str = ENGLISH) -> Mapping[str, Clarification]:
    """Return the numbered decisions that rules refer to."""
    english, translated = wording(ENGLISH), wording(lang)
    return MappingProxyType(
        {
            name: Clarification(
                name,
                *(
                    translated.get(part, {}).get(name) or english[part][name]
                    for part in ("ruling-title", "ruling-text", "ruling-why")
                ),
            )
            for name in english["ruling-title"]
        }
    )


def citation(rule: Rule, lang: str = ENGLISH) -> str:
    """Return a rule's source as people say it: the name of its rule sheet, or ``ruling R7``."""
    words = wording(lang).get("source") or wording(ENGLISH)["source"]
    if rule.official and rule.document is None:
        return words["house"]
    if rule.rulings and (rule.silent or rule.document is None):
        pattern = words["rulings" if len(rule.rulings) > 1 else "ruling"]
        return pattern.replace("{rulings}", ", ".join(rule.rulings))
    if rule.document is None:
        return words["own"]
    if rule.silent:
        return words["silent"].replace("{document}", rule.sheet)
    return rule.sheet


def sheet_name(rule: Rule, lang: str = ENGLISH) -> str:
    """Return what a rule stands on as people say it: the rule sheet's title, or the referee."""
    words = wording(lang).get("source") or wording(ENGLISH)["source"]
    if rule.official and not rule.sheet:
        return words["house"]
    return words["own"] if rule.silent or not rule.sheet else rule.sheet


def rules_of_card(ruleset: Ruleset, card: str, lang: str = ENGLISH) -> list[Rule]:
    """Return the rules about a card, first the one it is played under. Raises KeyError."""
    face = ruleset.deck.cards[card]
    kinds = {face.symbol}
    if face.symbol.isdecimal():
        kinds.add("number")
    if face.icon is not None:
        kinds.add("icon")
    rules = rulebook(ruleset, lang).values()
    about = [rule for rule in rules if rule.id == face.rule or kinds & {*rule.cards}]
    return sorted(about, key=lambda rule: rule.id != face.rule)


def rules_of_power(ruleset: Ruleset, power: str, lang: str = ENGLISH) -> list[Rule]:
    """Return the rules about a tower or power, its own rule first. Raises KeyError."""
    if power not in ruleset.powers:
        raise KeyError(power)
    about = [rule for rule in rulebook(ruleset, lang).values() if power in rule.powers]
    return sorted(about, key=lambda rule: rule.id != f"power.{power}")


@cache
def wording(lang: str, folder: Path = WORDING) -> Wording:
    """Read a file of wordings by section and id; a missing one is empty."""
    path = folder / f"{lang}.toml"
    if not path.is_file():
        return {}
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def search_words(lang: str) -> Mapping[str, str]:
    """Return what players call what each rule decides: the words of its topics and its own."""
    words = tomllib.loads(SEARCH_WORDS.read_text(encoding="utf-8"))
    called = dict(words.get(lang, {}))
    for topic, rules in words["topics"].items():
        shared = called.pop(topic, "")
        for rule in rules:
            called[rule] = f"{shared} {called.get(rule, '')}".strip()
    return MappingProxyType(called)


@cache
def _rules(folder: Path, lang: str) -> Mapping[str, Rule]:
    rules = _read_rules(folder / "rulebook.toml", lang)
    for name, rule in _read_rules(SHARED, lang).items():
        rules.setdefault(name, rule)
    return MappingProxyType(rules)


def _read_rules(path: Path, lang: str) -> dict[str, Rule]:
    book = _load(path)
    document = book.get("document", {})
    own = path.parent / "locales"
    deck = wording(lang, own), wording(ENGLISH, own)
    shared = wording(lang), wording(ENGLISH)

    def text_of(section: str, name: str, item: Mapping[str, Any]) -> str:
        stated = {section: {name: item[section]}} if section in item else {}
        for source in (*deck, stated, *shared):
            ruled = source.get(f"ruling-{section}", {}).get(item.get("says", ""))
            text = source.get(section, {}).get(name) or ruled
            if isinstance(text, str) and text:
                return text
        raise RulebookError(f"{path}: rule {name} has no {section}")

    if document:
        deck_name = text_of("deck", "name", {"deck": path.parent.name})
        document["sheet"] = text_of("source", "sheet", {}).replace("{deck}", deck_name)
    rules = {}
    called = {**search_words(lang), **deck[1].get("called", {}), **deck[0].get("called", {})}
    for name, item in book["rules"].items():
        notes = [text_of("note", note, {}) for note in item.get("notes", ())]
        text = " ".join([text_of("text", name, item), *notes])
        rule = _rule(name, text_of("title", name, item), text, item, document)
        house = not document and name in shared[1]["official"]
        official = text_of("official", name, item) if house else ""
        rules[name] = replace(rule, called=called.get(name, ""), official=official)
    return rules


def _rule(
    name: str, title: str, text: str, item: Mapping[str, Any], document: Mapping[str, Any]
) -> Rule:
    silent = item.get("silent", False)
    everywhere = () if silent else document.get("languages", ())
    return Rule(
        name,
        title,
        text,
        item.get("section", ""),
        tuple(item.get("languages", everywhere)),
        document.get("id"),
        document.get("sheet", ""),
        tuple(item.get("rulings", ())),
        silent,
        tuple(item.get("cards", ())),
        tuple(item.get("powers", ())),
    )


def _load(path: Path) -> dict[str, Any]:
    try:
        book = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{path}: {error}") from None
    if not isinstance(book.get("rules"), dict):
        raise RulebookError(f"{path}: has no rules")
    return book
