"""What a table has written on cards of its own.

A ready-made text was taken over in the language of whoever proposed it. Each reader has it in their
own; what people have written themselves stays as it is.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from referee.rules.custom import CustomCard
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import GENDER, Sentence, find, form_of, languages
from referee.texts.messages import translate

# Within a sentence a long text is cut.
MOST_LETTERS = 90
MOST_KEPT = 64


def example(card: CustomCard, ruleset: Ruleset, lang: str) -> dict[str, Any]:
    """Return a ready-made card with its texts in the reader's language."""
    return dict(_in_words(card.to_json(), lambda text: translate(text, lang, ruleset)))


def own_card(card: Mapping[str, Any], ruleset: Ruleset, lang: str) -> dict[str, Any]:
    """Return a table's own card likewise."""
    return dict(_in_words(card, lambda text: own_text(text, ruleset, lang)))


def own_text(text: str, ruleset: Ruleset | None, lang: str) -> str:
    """Return a text of a table's own card, in the reader's language if it is ready-made."""
    if ruleset is None or not ruleset.custom_examples:
        return text
    english = _ready_made(ruleset).get(text)
    return text if english is None else translate(english, lang, ruleset)


def with_text(name: Sentence, text: str) -> Sentence:
    """Return the name of a card, in all its forms, with what is written on it."""
    pattern = find("card", "written", name.lang)[0]
    phrase = shortened(text)

    def filled(form: str) -> str:
        return pattern.replace("{symbol}", form_of(name, form)).replace("{text}", phrase)

    forms = {form: filled(form) for form in name.forms if form != GENDER}
    gender = {form: text for form, text in name.forms.items() if form == GENDER}
    return Sentence(filled(""), name.lang, forms | gender)


def shortened(text: str) -> str:
    """Return what is written on a card as it stands within a sentence."""
    phrase = text.strip().rstrip(".")
    if len(phrase) > MOST_LETTERS:
        whole = phrase[:MOST_LETTERS].rpartition(" ")[0]
        phrase = f"{whole or phrase[: MOST_LETTERS - 1]}…"
    return phrase


@lru_cache(MOST_KEPT)
def _ready_made(ruleset: Ruleset) -> Mapping[str, str]:
    """Return the ready-made texts in every language, each with the English one."""
    english = [text for card in ruleset.custom_examples for text in _texts(card.to_json())]
    return {translate(text, lang, ruleset): text for lang in languages() for text in english}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from [item] if name == "text" else _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _in_words(value: Any, say: Any) -> Any:
    if isinstance(value, Mapping):
        return {n: say(v) if n == "text" else _in_words(v, say) for n, v in value.items()}
    return [_in_words(item, say) for item in value] if isinstance(value, list | tuple) else value
