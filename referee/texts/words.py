"""Names for things to choose from, for whoever draws buttons and pickers: in one language each."""

from collections.abc import Mapping
from functools import cache

from referee.rules.cards import COLORS
from referee.rules.codec import GRAMMAR
from referee.rules.options import CHOICES, COMMON
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import DEFAULT, PAGE, find, languages, read_catalog
from referee.texts.vocabulary import Speaker


@cache
def language_names() -> Mapping[str, str]:
    """The languages that the referee speaks, each called as its own speakers call it."""
    return {lang: find("language", "name", lang)[0] for lang in languages()}


def deck_name(ruleset: Ruleset, lang: str) -> str:
    """What a deck is called."""
    found = find("deck", "name", lang, ruleset)
    return found[0] if found else ruleset.name


@cache
def page_texts(lang: str) -> Mapping[str, Mapping[str, str]]:
    """The phone page's own texts by section and id, English where a language lacks one."""
    texts = {section: dict[str, str]() for section in read_catalog(PAGE / f"{DEFAULT}.toml")}
    for language in (DEFAULT, lang):
        for section, entries in read_catalog(PAGE / f"{language}.toml").items():
            texts[section].update({name: str(said[0]) for name, said in entries.items()})
    return texts


def deck_words(ruleset: Ruleset, lang: str) -> dict[str, dict[str, str]]:
    """The names of a deck's cards, powers and house rules, and of colours, directions and moves.

    A house rule's values are named as ``scoring.low``; a move is named as on a button.
    """
    speaker = Speaker(lang, (), ruleset)
    options = sorted({*ruleset.options, *COMMON})
    values = [
        f"{option}.{str(value).lower()}"
        for option in options
        for value in CHOICES.get(option, ())
        if find("option", f"{option}.{str(value).lower()}", lang)
    ]
    return {
        "cards": {card: speaker.card(card) for card in ruleset.deck.cards},
        "colors": {color: speaker.color(color) for color in COLORS},
        "powers": {power: speaker.word("power", power) for power in ruleset.powers},
        "directions": {
            name: speaker.word("direction", sign)
            for name, sign in (("clockwise", "1"), ("counterclockwise", "-1"))
        },
        "options": {name: speaker.word("option", name) for name in (*options, *values)},
        "moves": {name: speaker.word("move", name) for name in GRAMMAR},
    }
