"""Translate messages to clients.

The English sentence is the id: it is written in the code that raises it, and translated under
``[said]`` in the locale files of the other languages.
"""

from referee.rules.message import Message
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import DEFAULT, PLACEHOLDER, fill, find

SECTION = "said"


def translate(text: str, lang: str, ruleset: Ruleset | None = None) -> str:
    """Return a message or plain sentence in ``lang``, unchanged if it has no translation."""
    if lang == DEFAULT:
        return text
    if not isinstance(text, Message):
        translations = find(SECTION, text, lang, ruleset)
        return str(translations[0]) if translations else text
    words = {name: _word(name, word, lang) for name, word in text.words.items()}
    patterns = find(SECTION, text.pattern, lang)
    if not patterns:
        # Patterns of punctuation and placeholders need no translation.
        return Message(text.pattern, **words) if without_words(text.pattern) else text
    return fill(patterns, words) or text


def _word(name: str, word: object, lang: str) -> str:
    """Return a word of a message; a message, and a reason, is a sentence of its own."""
    if isinstance(word, Message) or (name == "reason" and isinstance(word, str)):
        return translate(word, lang)
    return str(word)


def without_words(pattern: str) -> bool:
    """Return whether a pattern consists of placeholders and punctuation only."""
    return not any(char.isalpha() for char in PLACEHOLDER.sub("", pattern))
