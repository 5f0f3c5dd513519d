"""The words of a line: names, lists and numbers without spaces."""

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote

from referee.rules.cards import COLORS
from referee.rules.message import Message, quoted
from referee.rules.move_fields import FieldError

NOTHING = "-"
VERBS = frozenset(
    (
        *("accept", "catch", "challenge", "counts", "discards", "draw", "drew", "flips"),
        *("gives", "hand", "judge", "leave", "pass", "shows", "swap", "take", "uno"),
    )
)
COUNTED = re.compile(r"x\d+")
LONGEST_NUMBER = 7


class NotationError(FieldError):
    """An invalid line: the part and the reason."""


def name_to_word(name: str) -> str:
    """Return a card or power as one word.

    Custom names may contain anything, so the notation's own characters are percent-encoded, and so
    is the first letter of a name that equals a verb.
    """
    word = quote(name, safe=":!", errors="surrogatepass")
    if word in VERBS or word == NOTHING or COUNTED.fullmatch(word):
        return f"%{ord(word[0]):02X}{word[1:]}"
    return word


def name_from_word(word: str, part: str) -> str:
    """Read what ``name_to_word`` wrote."""
    try:
        return unquote(word, errors="surrogatepass")
    except UnicodeDecodeError:
        raise NotationError(part, Message("{word} is not a name", word=word)) from None


def names_to_word(names: Iterable[str]) -> str:
    """Return cards or powers as one word, ``-`` if there are none."""
    return ",".join(name_to_word(name) for name in names) or NOTHING


def names_from_word(word: str, part: str) -> list[str]:
    """Read what ``names_to_word`` wrote."""
    return [] if word == NOTHING else [name_from_word(item, part) for item in word.split(",")]


def number_from_word(word: str, part: str) -> int:
    """Read a count or a seat."""
    if not (word.isascii() and word.isdecimal() and len(word) <= LONGEST_NUMBER):
        raise NotationError(part, Message("{word} is not a number", word=quoted(word)))
    return int(word)


def seat_from_word(seats: int, word: str, part: str) -> int:
    """Read a seat of a table with this many."""
    seat = number_from_word(word, part)
    if not 1 <= seat <= seats:
        raise NotationError(part, Message("there is no seat {seat}", seat=seat))
    return seat


def color_from_word(word: str, part: str) -> str:
    """Read a colour."""
    if word not in COLORS:
        raise NotationError(
            part,
            Message("{word} is not one of {choices}", word=quoted(word), choices=", ".join(COLORS)),
        )
    return word
