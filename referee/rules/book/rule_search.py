"""Search the rulebooks: by words, by what players call a thing, and by a question in a sentence."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from math import log

from referee.rules.book.rulebook import ENGLISH, Rule, rulebook
from referee.rules.ruleset import Ruleset

NO_MATCH = 5
CACHE_SIZE = 8192
# Decks in all languages whose words are kept.
MOST_BOOKS = 256
# Words of a query that are looked for.
MOST_WORDS = 16
# Letters that Unicode does not decompose into a base letter and an accent.
PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae"})
# A "+4", which some write "4+", is a word of its own.
WORD = re.compile(r"\+\d+|\d+\+|\w+")
PLUS_AFTER = re.compile(r"^(\d+)\+$")
NUMBER = re.compile(r"\+?\d+")
# A word of so many letters is taken for the known one that is so much like it, from 0 to 1.
SHORTEST_MENDED, LONGEST_WORD, ALIKE = 4, 30, 0.8
# Of a question in a sentence: what the best rule has to have, as the logarithm of how many times
# fewer rules have those words, the share of that which others need, and how many are shown. They
# were chosen so that the questions in tests/rules/test_rule_search.py find their rules.
LEAST_SCORE, NEAR_BEST, MOST_LOOSE = 2.0, 0.6, 6


@dataclass(frozen=True, slots=True)
class SearchableRule:
    """A rule, and its words in lower case and without accents, as ``search`` looks for them.

    A space stands before and after each word. ``head`` holds those of its id and title, and what
    players call it; ``all`` those of its text too.
    """

    rule: Rule
    id: str
    title: tuple[str, ...]
    head: str
    all: str


def search(rules: Mapping[str, Rule], query: str) -> list[Rule]:
    """Return the rules that match a query, ranked by id, start of the id, title, then words.

    What players call a thing counts as its title.

    Each word of the query must be the start of a word of the rule, of a long query the first ones,
    and a number a whole word; case and accents do not matter. An empty query matches every rule.
    """
    return _search(*_searchable(rules), query)


def search_rulebook(ruleset: Ruleset, query: str, lang: str = ENGLISH) -> list[Rule]:
    """Search a ruleset's rules as they are worded in one language."""
    return _search(*_searchable_rules(ruleset, lang), query)


def _searchable(rules: Mapping[str, Rule]) -> tuple[tuple[SearchableRule, ...], str]:
    """Return rules with their words, and the words of all of them."""
    searchable = []
    for rule in rules.values():
        title = _words(rule.title)
        head = _joined((*_words(rule.id), *title, *_words(rule.called)))
        words = head + _joined(_words(rule.text))
        searchable.append(SearchableRule(rule, rule.id.casefold(), title, head, words))
    return tuple(searchable), "".join(rule.all for rule in searchable)


def _joined(words: Sequence[str]) -> str:
    return "".join(f" {word} " for word in words)


@lru_cache(MOST_BOOKS)
def _searchable_rules(ruleset: Ruleset, lang: str) -> tuple[tuple[SearchableRule, ...], str]:
    return _searchable(rulebook(ruleset, lang))


def _search(rules: Sequence[SearchableRule], all_words: str, query: str) -> list[Rule]:
    name, words = query.casefold().strip(), _words(query)
    starts = _starts(words)
    if not all(start in all_words for start in starts):
        # Only their ids may match.
        rules = [rule for rule in rules if rule.id.startswith(name)]
    ranked = [(_rank(rule, name, words, starts), rule.rule) for rule in rules]
    matching = [(rank, rule) for rank, rule in ranked if rank < NO_MATCH]
    return [rule for _, rule in sorted(matching, key=lambda item: item[0])]


def _starts(words: Sequence[str]) -> list[str]:
    """Return how a text has to hold each word of a query: a 4 is not the beginning of 40."""
    return [f" {w} " if NUMBER.fullmatch(w) else f" {w}" for w in dict.fromkeys(words)][:MOST_WORDS]


def search_loosely(ruleset: Ruleset, query: str, lang: str = ENGLISH) -> list[Rule]:
    """Return the rules that have most of a query, for a question in a sentence or a slip in a word.

    Words that few rules have weigh more, those in a title twice, and those that none has are taken
    for the known word that is most like them.
    """
    rules, all_words = _searchable_rules(ruleset, lang)
    known = _known(ruleset, lang)
    starts = _starts(
        [word if f" {word}" in all_words else _like(word, known) for word in _words(query)]
    )
    weights = {}
    for start in starts:
        among = sum(start in rule.all for rule in rules)
        if among:
            weights[start] = log(len(rules) / among)
    scores = [
        (sum(w * ((s in rule.all) + (s in rule.head)) for s, w in weights.items()), rule.rule)
        for rule in rules
    ]
    best = max((score for score, _ in scores), default=0)
    if best < LEAST_SCORE:
        return []
    matching = [scored for scored in scores if scored[0] >= NEAR_BEST * best]
    return [rule for _, rule in sorted(matching, key=lambda scored: -scored[0])][:MOST_LOOSE]


def _like(word: str, known: tuple[str, ...]) -> str:
    """Return the known word that is most like another, or that itself."""
    if not SHORTEST_MENDED <= len(word) <= LONGEST_WORD:
        return word
    return next(iter(get_close_matches(word, known, 1, ALIKE)), word)


@lru_cache(MOST_BOOKS)
def _known(ruleset: Ruleset, lang: str) -> tuple[str, ...]:
    """Return the words of titles, and what players call things."""
    rules, _ = _searchable_rules(ruleset, lang)
    return tuple(sorted({word for rule in rules for word in rule.head.split()}))


def _rank(rule: SearchableRule, query: str, words: tuple[str, ...], starts: Sequence[str]) -> int:
    if query == rule.id:
        return 0
    if query and rule.id.startswith(query):
        return 1
    if not all(start in rule.all for start in starts):
        return NO_MATCH
    if words and rule.title[: len(words)] == words:
        return 2
    return 3 if all(start in rule.head for start in starts) else 4


@lru_cache(maxsize=CACHE_SIZE)
def _words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, without accents."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(PLAIN))
    plain = "".join(char for char in letters if not unicodedata.combining(char))
    return tuple(PLUS_AFTER.sub(r"+\1", word) for word in WORD.findall(plain))
