"""Tools about the decks and their rules. They need no server and change nothing."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from referee.commands.mcp.inputs import Deck, Lang, find_deck, find_language
from referee.commands.rules import EVERY, Found
from referee.rules.book.rule_search import search
from referee.rules.book.rulebook import Rule, citation, clarifications, rulebook, rules_of_card
from referee.rules.cards import Card
from referee.rules.engine import make_game
from referee.rules.options import OPTIONS
from referee.rules.ruleset import Ruleset, rulesets
from referee.rules.suggestions import closest
from referee.texts import deck_name, deck_words, languages, lookup
from referee.texts.catalog import find


@cache
def _digits(lang: str) -> dict[str, str]:
    return {
        word: str(digit)
        for digit in range(10)
        for word in find("digit", str(digit), lang)[0].split("/")
    }


def words_of(name: str, lang: str) -> tuple[str, ...]:
    """Return the words of a card's name in any order, digits in figures, without case."""
    # In Danish a 7 is written 7'er; in French, +2 is not a 2.
    words = re.findall(r"\+?[^\W_]+", name.casefold().replace("'er", ""))
    return tuple(sorted(_digits(lang).get(word, word) for word in words))


MOST_RULES = 20
# In a search for some of the words: how many are looked up, the length from which they tell
# something, and how much more one counts in a title. By judgement.
MOST_WORDS, SHORTEST_WORD, IN_TITLE = 30, 3, 3.0
NUMBERED = re.compile(r"[Rr][0-9]+")


class ClarificationOut(BaseModel):
    """A numbered decision where the printed rules contradict each other or are silent."""

    id: str = Field(description="such as R7")
    title: str
    text: str
    why: str


class RuleOut(BaseModel):
    """A rule, with the source to cite."""

    id: str = Field(description="such as card.draw-two: name it when you cite the rule")
    deck: str = Field(description="the decks with exactly this rule; 'all': every deck")
    title: str
    text: str
    source: str = Field(
        description="the printed rule sheet and its section, deck by deck, or the referee's own"
    )
    clarifications: list[ClarificationOut] = Field(description="decisions that the rule rests on")


class DeckOut(BaseModel):
    """A deck of cards."""

    id: str
    name: str
    cards: int = Field(description="how many cards there are")
    numbers: str = Field(description="the numbers on its number cards")
    symbols: list[str] = Field(description="its other kinds of card; explain_card takes them")
    powers: list[str] = Field(description="its towers or powers, if it has any")
    options: dict[str, str] = Field(
        description="house rules by id: what each is about, and its values, if they are few"
    )


class DecksOut(BaseModel):
    """All decks, and the languages that the referee speaks."""

    decks: list[DeckOut]
    languages: list[str]


class RulesOut(BaseModel):
    """Rules that were found, best match first."""

    rules: list[RuleOut]
    clarifications: list[ClarificationOut] = Field(description="those asked for by number")
    with_all_words: int = Field(
        description="so many of them, the first ones, have all words of the query; of the others "
        "judge which apply"
    )
    left_out: int = Field(description="how many more were found; search narrower for those")


class CardOut(BaseModel):
    """A card, and every rule about it."""

    id: str = Field(description="as moves and positions name it")
    name: str
    points: int = Field(description="what it counts in a hand, under the deck's own house rules")
    copies: int = Field(description="how many the deck has")
    rules: list[RuleOut] = Field(description="first the rule that it is played under")


def list_decks(lang: Lang = "en") -> DecksOut:
    """List the decks that the referee knows, with their kinds of cards and house rules.

    Rules differ between decks. If it is not clear which one lies on the table, ask: by the special
    cards (towers U N O !, a Wild Tales card, colour powers on stands) or the number of cards.
    """
    spoken = find_language(lang)
    return DecksOut(
        decks=[_deck(ruleset, spoken) for ruleset in rulesets().values()],
        languages=list(languages()),
    )


def _deck(ruleset: Ruleset, lang: str) -> DeckOut:
    cards = list(ruleset.deck)
    numbers = sorted({card.number for card in cards if card.number is not None})
    symbols = dict.fromkeys(card.symbol for card in cards if card.number is None)
    words = deck_words(ruleset, lang)["options"]
    return DeckOut(
        id=ruleset.id,
        name=deck_name(ruleset, lang),
        cards=ruleset.deck.size,
        numbers=f"{numbers[0]} to {numbers[-1]}",
        symbols=list(symbols),
        powers=list(ruleset.powers),
        options={name: _option(name, words[name]) for name in words if "." not in name},
    )


def _option(name: str, name_in_words: str) -> str:
    values = ", ".join(str(value).lower() for value in OPTIONS[name].choices)
    return f"{name_in_words}: {values}" if values else name_in_words


def search_rules(
    query: Annotated[
        str,
        Field(
            description="A few telling words in any of the languages ('draw two', 'hoppa över'), a "
            "rule's id ('card.draw-two'), or the number of a clarification ('R7')",
            max_length=200,
        ),
    ],
    deck: Annotated[
        str | None, Field(description="Only this deck's rules: the one on the table, if known")
    ] = None,
    limit: Annotated[int, Field(description="How many rules at most", ge=1, le=MOST_RULES)] = 8,
    lang: Lang = "en",
) -> RulesOut:
    """Look rules up by words in any language, by id, or by number; each with its source.

    Use it before you state a rule, and cite the id and source of what you found. If nothing fits,
    say that the rule sheets do not settle it rather than guess.
    """
    spoken = find_language(lang)
    decks = [find_deck(deck)] if deck is not None else list(rulesets().values())
    if not query.strip():
        raise ToolError("query: say what to look for, such as 'draw two'")
    numbered = clarifications(spoken)
    names = [name.upper() for name in NUMBERED.findall(query) if name.upper() in numbered]
    whole = _together(_found(decks, query, spoken), spoken)
    rules = {(rule.id, rule.text): rule for rule in whole}
    if len(whole) < limit and not names:
        for rule in _together(_found_in_part(decks, query, spoken), spoken):
            rules.setdefault((rule.id, rule.text), rule)
    if not rules and not names:
        raise ToolError(
            f"No rule mentions {query[:80]!r}. Try one or two words, such as a card's name, "
            "'challenge' or 'last card'."
        )
    return RulesOut(
        rules=list(rules.values())[:limit],
        with_all_words=min(len(whole), limit),
        clarifications=[_clarification(name, spoken) for name in dict.fromkeys(names)],
        left_out=max(0, len(rules) - limit),
    )


def _together(rules: Iterable[Found], lang: str) -> list[RuleOut]:
    """Return rules that are worded alike in several decks once, with all their sources."""
    together: dict[tuple[str, str], RuleOut] = {}
    for where, rule in rules:
        out = _rule(where, rule, lang)
        known = together.get((out.id, out.text))
        if known is None:
            together[out.id, out.text] = out
            continue
        sources = dict.fromkeys([*known.source.split("; "), out.source])
        known.deck, known.source = f"{known.deck}, {out.deck}", "; ".join(sources)
    return list(together.values())


def _found(decks: Iterable[Ruleset], query: str, lang: str) -> list[Found]:
    """Find rules; those that all decks share once. The better match in any deck comes first."""
    ranked: dict[Found, int] = {}
    for ruleset in decks:
        for rank, rule in enumerate(lookup(ruleset, query, lang)):
            key = _where(ruleset, rule), rule
            ranked[key] = min(rank, ranked.get(key, rank))
    return sorted(ranked, key=lambda key: ranked[key])


def _found_in_part(decks: Sequence[Ruleset], query: str, lang: str) -> list[Found]:
    """Find rules with some of the words; rare words count more, and words of the title."""
    every = dict.fromkeys(re.findall(r"\w+", query.casefold()))
    words = [word for word in every if len(word) >= SHORTEST_WORD][:MOST_WORDS]
    written = max((lang, *languages()), key=lambda language: _understood(decks, words, language))
    weights: dict[Found, float] = {}
    for ruleset in decks:
        told, book = rulebook(ruleset, written), rulebook(ruleset, lang)
        own: dict[str, float] = {}
        for word in words:
            rules = search(told, word)
            for rule in rules:
                share = math.log(1 + len(book) / len(rules))
                if search({rule.id: replace(rule, text="")}, word):
                    share *= IN_TITLE
                own[rule.id] = own.get(rule.id, 0.0) + share
        for name, weight in own.items():
            key = _where(ruleset, book[name]), book[name]
            weights[key] = max(weight, weights.get(key, 0.0))
    return sorted(weights, key=lambda key: -weights[key])


def _understood(decks: Sequence[Ruleset], words: Sequence[str], lang: str) -> int:
    """Return how many of the words occur in the rules as worded in a language."""
    return sum(any(search(rulebook(ruleset, lang), word) for ruleset in decks) for word in words)


def _where(ruleset: Ruleset, rule: Rule) -> str:
    return EVERY if rule.document is None else ruleset.id


def get_rule(
    rule_id: Annotated[str, Field(description="A rule's id, such as 'challenge'", max_length=60)],
    deck: Deck,
    lang: Lang = "en",
) -> RuleOut:
    """Return one rule of a deck in full, with its source and the clarifications behind it."""
    spoken = find_language(lang)
    ruleset = find_deck(deck)
    book = rulebook(ruleset, spoken)
    if rule_id not in book:
        meant = closest(rule_id, book)
        hint = f"Did you mean {meant}?" if meant else "search_rules finds rules by words."
        raise ToolError(f"rule_id: {ruleset.id} has no rule {rule_id!r}. {hint}")
    return _rule(_where(ruleset, book[rule_id]), book[rule_id], spoken)


def explain_card(
    card: Annotated[
        str,
        Field(
            description="A card's id ('red-7', 'blue-skip', 'wild-draw-four') or its name in the "
            "language of the answer ('blue skip', 'blue seven'); a kind of card will do "
            "('draw-two')",
            max_length=60,
        ),
    ],
    deck: Deck,
    lang: Lang = "en",
) -> CardOut:
    """Explain a card: its points, how many there are, and every rule about it, with sources."""
    spoken = find_language(lang)
    ruleset = find_deck(deck)
    face = _find_card(ruleset, card, spoken)
    game = make_game(ruleset.id, {}, ("1", "2"))
    rules = rules_of_card(ruleset, face.id, spoken)
    return CardOut(
        id=face.id,
        name=deck_words(ruleset, spoken)["cards"][face.id],
        points=ruleset.points(face, game.options),
        copies=min(ruleset.deck.limits[tally] for tally in face.tallies),
        rules=[_rule(_where(ruleset, rule), rule, spoken) for rule in rules],
    )


def _find_card(ruleset: Ruleset, card: str, lang: str) -> Card:
    cards = ruleset.deck.cards
    plain = "-".join(card.casefold().replace("-", " ").split())
    if plain in cards:
        return cards[plain]
    if card in cards:
        return cards[card]
    names = {name.casefold(): key for key, name in deck_words(ruleset, lang)["cards"].items()}
    for spoken in (lang, "en"):
        told = {words_of(name, spoken): key for name, key in names.items()}
        told |= {words_of(key, spoken): key for key in cards}
        if (spoken_name := words_of(card, spoken)) in told:
            return cards[told[spoken_name]]
    for other in cards.values():
        if other.symbol == plain:
            return other
    meant = closest(card, [*cards, *names])
    hint = f"Did you mean {meant}?" if meant else "list_decks lists each deck's kinds of card."
    raise ToolError(f"card: {ruleset.id} has no card {card!r}. {hint}")


def _rule(where: str, rule: Rule, lang: str) -> RuleOut:
    return RuleOut(
        id=rule.id,
        deck=where,
        title=rule.title,
        text=rule.text,
        source=citation(rule, lang),
        clarifications=[_clarification(name, lang) for name in rule.rulings],
    )


def _clarification(name: str, lang: str) -> ClarificationOut:
    entry = clarifications(lang)[name]
    return ClarificationOut(id=entry.id, title=entry.title, text=entry.text, why=entry.why)
