"""Search rules by words of any language."""

from referee.rules.rulebook import Rule, rulebook, search_rulebook
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import languages


def lookup(ruleset: Ruleset, query: str, lang: str) -> list[Rule]:
    """Return the rules that match a query, best first, worded in ``lang``.

    Searches ``lang`` first, then the other languages: many players read a sheet that is not in
    their own.
    """
    book = rulebook(ruleset, lang)
    if not query.strip():
        return list(book.values())
    for language in (lang, *languages()):
        found = search_rulebook(ruleset, query, language)
        if found:
            return [book[rule.id] for rule in found]
    return []
