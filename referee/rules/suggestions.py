"""What somebody may have meant by a name that is not known."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice

from referee.rules.cards import COLORS
from referee.rules.message import Message, shortened

# Longer words are not compared: it takes time that grows with the square of their length.
LONGEST_WORD = 40
MOST_NAMES = 200
# How alike two words are at least, from 0 to 1.
ALIKE = 0.65
CACHE_SIZE = 1024
# What people write on cards for the longer names.
SHORT_FOR = {"+2": "-draw-two", "+4": "-draw-four"}
LETTER_AND_NUMBER = re.compile(r"([rygb])[ _-]?([0-9]+)")
# How much of a list is shown.
MOST_SHOWN = 400


def closest(word: object, known: Iterable[str]) -> str | None:
    """Return the known name that is most like a word, None if none is.

    Case, the order of words, and whether spaces, hyphens or underscores join them, do not matter.
    """
    if not isinstance(word, str) or len(word) > LONGEST_WORD:
        return None
    return _closest(word, tuple(islice(known, MOST_NAMES)))


@lru_cache(CACHE_SIZE)
def _closest(word: str, known: tuple[str, ...]) -> str | None:
    wanted, by_words = _words(word), {_words(name): name for name in reversed(known)}
    for words, name in by_words.items():
        if sorted(words.split()) == sorted(wanted.split()):
            return name
    close = get_close_matches(wanted, by_words, 1, ALIKE)
    return by_words[close[0]] if close else None


def _words(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())


def closest_card(word: object, cards: Iterable[str]) -> str | None:
    """Return the card that is most like a word, None if none is."""
    if not isinstance(word, str) or len(word) > LONGEST_WORD:
        return None
    for short, long in SHORT_FOR.items():
        word = word.replace(short, long)
    match = LETTER_AND_NUMBER.fullmatch(word.casefold())
    if match:
        word = next(color for color in COLORS if color[0] == match[1]) + "-" + match[2]
    return closest(word, cards)


def no_such_card(word: str, cards: Iterable[str]) -> Message:
    """Return the reason to refuse a card that the deck lacks."""
    names = list(cards)
    reason = Message("the deck has no {card}", card=shortened(word))
    return hinted(reason, closest_card(word, names) or word, names)


def hinted(reason: str, word: object, known: Iterable[str]) -> Message:
    """Return a reason to refuse a word, with what may have been meant, or else all there is."""
    names = list(known)
    meant = closest(word, names)
    if meant is None:
        return Message("{reason} (known: {known})", reason=reason, known=listed(names))
    return Message("{reason} (did you mean {meant}?)", reason=reason, meant=meant)


def asking(problem: str, word: object, known: Iterable[str]) -> str:
    """Return a sentence that refuses a word, followed by what may have been meant."""
    meant = closest(word, known)
    if meant is None:
        return problem
    return Message("{said} Did you mean {meant}?", said=problem, meant=meant)


def must_be_one_of(word: object, known: Iterable[str]) -> Message:
    """Return the reason to refuse a word that is none of those possible."""
    names = list(known)
    reason = Message("must be one of {choices}", choices=listed(names))
    meant = closest(word, names)
    if meant is None:
        return reason
    return Message("{reason} (did you mean {meant}?)", reason=reason, meant=meant)


def listed(names: Iterable[str]) -> str:
    """Return names as a list in a sentence, cut if there are many."""
    text = ", ".join(names)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN].rpartition(', ')[0]}, …"
