"""Looking rules up by words of any language."""

from referee.rules.rulebook import Rule, rulebook, search
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import languages


def lookup(ruleset: Ruleset, query: str, lang: str) -> list[Rule]:
    """The rules that a query means, best first, worded in ``lang``.

    Words are looked for in ``lang`` first; what is not found there may be said in another language,
    as it is by whoever reads a sheet that is not in their own.
    """
    book = rulebook(ruleset, lang)
    if not query.strip():
        return list(book.values())
    for language in (lang, *languages()):
        found = search(rulebook(ruleset, language), query)
        if found:
            return [book[rule.id] for rule in found]
    return []
