"""Search rules by words of any language."""

from referee.rules.book.rule_search import search_loosely, search_rulebook
from referee.rules.book.rulebook import Rule, rulebook
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import DEFAULT, languages


def lookup(ruleset: Ruleset, query: str, lang: str) -> list[Rule]:
    """Return the rules that match a query, best first, worded in ``lang``.

    Searches ``lang`` first, then English and the other languages: many players read a sheet that is
    not in their own.
    """
    book = rulebook(ruleset, lang)
    if not query.strip():
        return list(book.values())
    for language in dict.fromkeys((lang, DEFAULT, *languages())):
        rules = search_rulebook(ruleset, query, language)
        if rules:
            return [book[rule.id] for rule in rules]
    return []


def lookup_loosely(ruleset: Ruleset, query: str, lang: str) -> list[Rule]:
    """Return the rules that have most of a query, where no rule has every word of it."""
    book = rulebook(ruleset, lang)
    for language in dict.fromkeys((lang, DEFAULT)):
        rules = search_loosely(ruleset, query, language)
        if rules:
            return [book[rule.id] for rule in rules]
    return []
