"""The rulebooks: every rule id a ruling can cite, with its source and a wording of our own."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from referee.rules.ruleset import Ruleset

SHARED = Path(__file__).parent / "rulebook.toml"
NO_MATCH = 4


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a ruleset, and where it stands.

    ``languages`` are the editions that carry it. A rule is ``silent`` when its document says
    nothing of it, and then rests on the rulings alone; a rule the referee adds itself has no
    document at all.
    """

    id: str
    title: str
    text: str
    section: str = ""
    languages: tuple[str, ...] = ()
    document: str | None = None
    document_title: str | None = None
    rulings: tuple[str, ...] = ()
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Clarification:
    """What the referee decided where documents contradict each other or are silent (R1, R2, …)."""

    id: str
    title: str
    text: str
    why: str


class RulebookError(ValueError):
    """A rulebook file that cannot be used: which file, which entry, and why."""


def rulebook(ruleset: Ruleset) -> Mapping[str, Rule]:
    """All rules of a ruleset by id, those that every ruleset shares at the end."""
    return _rules(ruleset.folder)


def clarifications() -> Mapping[str, Clarification]:
    """The numbered rulings that rules refer to."""
    return _clarifications(SHARED)


def citation(rule: Rule) -> str:
    """Where the rule stands, in one line: ``S2, SPILLET'S GANG (da)``, or ``ruling R7``."""
    if rule.rulings and (rule.silent or rule.document is None):
        return f"ruling{'s' if len(rule.rulings) > 1 else ''} {', '.join(rule.rulings)}"
    if rule.document is None:
        return "the referee's own rule"
    if rule.silent:
        return f"{rule.document} is silent"
    place = ", ".join(part for part in (rule.document, rule.section) if part)
    return f"{place} ({' '.join(rule.languages)})" if rule.languages else place


def search(rules: Mapping[str, Rule], query: str) -> list[Rule]:
    """The rules that a query means, best first: by id, by the start of the id, by their words.

    Several words must all occur in the rule. An empty query finds every rule.
    """
    words = query.casefold().split()
    ranked = [(_rank(rule, words), rule) for rule in rules.values()]
    found = [(rank, rule) for rank, rule in ranked if rank < NO_MATCH]
    return [rule for _, rule in sorted(found, key=lambda item: item[0])]


def _rank(rule: Rule, words: list[str]) -> int:
    name = rule.id.casefold()
    if words == [name]:
        return 0
    if len(words) == 1 and name.startswith(words[0]):
        return 1
    head = f"{name} {rule.title.casefold()}"
    if all(word in head for word in words):
        return 2
    whole = f"{head} {rule.text.casefold()}"
    return 3 if all(word in whole for word in words) else NO_MATCH


@cache
def _rules(folder: Path) -> Mapping[str, Rule]:
    rules = _read_rules(folder / "rulebook.toml")
    for name, rule in _read_rules(SHARED).items():
        rules.setdefault(name, rule)
    return MappingProxyType(rules)


@cache
def _clarifications(path: Path) -> Mapping[str, Clarification]:
    entries = _load(path).get("rulings", {})
    return MappingProxyType({name: Clarification(name, **item) for name, item in entries.items()})


def _read_rules(path: Path) -> dict[str, Rule]:
    book = _load(path)
    document = book.get("document", {})
    return {name: _rule(path, name, item, document) for name, item in book["rules"].items()}


def _rule(path: Path, name: str, item: Mapping[str, Any], document: Mapping[str, Any]) -> Rule:
    for key in ("title", "text"):
        if not isinstance(item.get(key), str) or not item[key]:
            raise RulebookError(f"{path}: rule {name} has no {key}")
    return Rule(
        name,
        item["title"],
        item["text"],
        item.get("section", ""),
        tuple(item.get("languages", document.get("languages", ()))),
        document.get("id"),
        document.get("title"),
        tuple(item.get("rulings", ())),
        item.get("silent", False),
    )


def _load(path: Path) -> dict[str, Any]:
    try:
        book = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{path}: {error}") from None
    if not isinstance(book.get("rules"), dict):
        raise RulebookError(f"{path}: has no rules")
    return book
