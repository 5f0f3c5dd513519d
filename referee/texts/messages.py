"""What is wrong with a request, in the reader's language.

Here the English sentence is the id: it stands in the code, where it is raised, and under ``[said]``
in the locale files of the other languages.
"""

from referee.rules.message import Message
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import DEFAULT, PLACEHOLDER, fill, find

SECTION = "said"


def translate(text: str, lang: str, ruleset: Ruleset | None = None) -> str:
    """A message, or a sentence without words to fill in; as it is, where there is no other."""
    if lang == DEFAULT:
        return text
    if not isinstance(text, Message):
        found = find(SECTION, text, lang, ruleset)
        return str(found[0]) if found else text
    words = {
        name: translate(word, lang) if isinstance(word, Message) else str(word)
        for name, word in text.words.items()
    }
    patterns = find(SECTION, text.pattern, lang)
    if not patterns:
        # Only punctuation between words needs no translation; anything else stays as it was.
        return Message(text.pattern, **words) if without_words(text.pattern) else text
    return fill(patterns, words) or text


def without_words(pattern: str) -> bool:
    """Whether a pattern has nothing to translate beside what is filled in."""
    return not any(char.isalpha() for char in PLACEHOLDER.sub("", pattern))
