"""Names of languages, decks, cards and moves, and the words of the page and the score sheet."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from referee.rules.actions import GRAMMAR
from referee.rules.cards import COLORS
from referee.rules.options import OPTIONS
from referee.rules.ruleset import Ruleset, find_ruleset
from referee.texts.catalog import DEFAULT, PAGE, find, languages, read_catalog
from referee.texts.vocabulary import Speaker


@cache
def language_names() -> Mapping[str, str]:
    """Return each language's name in that language."""
    return {lang: find("language", "name", lang)[0] for lang in languages()}


def deck_name(ruleset: Ruleset, lang: str) -> str:
    """Return a deck's name."""
    names = find("deck", "name", lang, ruleset)
    return names[0] if names else ruleset.name


def deck_name_of(ruleset: str, lang: str) -> str:
    """Return the name of the deck with this id; the id, if the server has the deck no longer."""
    try:
        return deck_name(find_ruleset(ruleset), lang)
    except KeyError:
        return ruleset


@cache
def page_texts(lang: str) -> Mapping[str, Mapping[str, str]]:
    """Return the phone page's texts by section and id, in English where ``lang`` has none."""
    texts = {section: dict[str, str]() for section in read_catalog(PAGE / f"{DEFAULT}.toml")}
    for language in (DEFAULT, lang):
        for section, entries in read_catalog(PAGE / f"{language}.toml").items():
            texts[section].update({name: str(patterns[0]) for name, patterns in entries.items()})
    return texts


def deck_words(ruleset: Ruleset, lang: str) -> dict[str, dict[str, str]]:
    """Return the names of a deck's cards, powers and house rules, colours, directions and moves.

    Of powers also their colours, the rules that say what they do, and what each does in a
    sentence to whoever has it. Values of house rules have ids such as ``scoring.low``, and the
    sentence that says what one means ``jump_in.on.text``. Moves are worded as on a button.
    """
    speaker = Speaker(lang, (), ruleset)
    options = ruleset.all_options
    values = [
        f"{option}.{str(value).lower()}"
        for option in options
        for value in OPTIONS[option].choices
        if find("option", f"{option}.{str(value).lower()}", lang)
    ]
    told = [f"{name}.text" for name in (*options, *values) if find("option", f"{name}.text", lang)]
    return {
        "cards": {card: speaker.card(card) for card in ruleset.deck.cards},
        "colors": {color: speaker.color(color) for color in COLORS},
        "powers": {power: speaker.word("power", power) for power in ruleset.powers},
        "power_colors": dict(ruleset.power_colors),
        "power_rules": dict(ruleset.power_rules),
        "power_texts": {
            power: text
            for power in ruleset.powers
            if (text := speaker.say("banner-text", f"power-taken.{power}", {}))
        },
        "directions": {
            name: speaker.word("direction", sign)
            for name, sign in (("clockwise", "1"), ("counterclockwise", "-1"))
        },
        "options": {name: speaker.word("option", name) for name in (*options, *values, *told)},
        "moves": {name: speaker.word("move", name) for name in GRAMMAR},
    }


def sheet_words(lang: str, seats: Sequence[str], ruleset: Ruleset) -> Callable[..., str]:
    """Return a function that words the score sheet by id, such as ``say("target", target=500)``."""
    speaker = Speaker(lang, seats, ruleset)

    def say(name: str, **args: Any) -> str:
        return speaker.say("sheet", name, speaker.words(args)) or name

    return say
