"""The words a line is made of: names, lists and numbers, written so that no space is in them."""

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote

from referee.rules.cards import COLORS
from referee.rules.codec import FieldError
from referee.rules.message import Message

NOTHING = "-"
VERBS = frozenset(
    (
        *("accept", "catch", "challenge", "discards", "draw", "drew", "flips", "gives"),
        *("hand", "judge", "pass", "shows", "take", "uno"),
    )
)
COUNTED = re.compile(r"x\d+")
LONGEST_NUMBER = 7


class NotationError(FieldError):
    """A line that cannot be read: ``field`` names the part of it, ``reason`` says why."""


def name_to_word(name: str) -> str:
    """A card or a power as one word.

    What a table invents may look like anything, so characters that the notation uses itself are
    written as in a web address, and so is the first letter of a name that reads as a verb.
    """
    word = quote(name, safe=":!", errors="surrogatepass")
    if word in VERBS or word == NOTHING or COUNTED.fullmatch(word):
        return f"%{ord(word[0]):02X}{word[1:]}"
    return word


def name_from_word(word: str, part: str) -> str:
    """The name that ``name_to_word`` wrote."""
    try:
        return unquote(word, errors="surrogatepass")
    except UnicodeDecodeError:
        raise NotationError(part, Message("{word} is no name", word=word)) from None


def names_to_word(names: Iterable[str]) -> str:
    """A list of cards or powers as one word, ``-`` when it is empty."""
    return ",".join(name_to_word(name) for name in names) or NOTHING


def names_from_word(word: str, part: str) -> list[str]:
    """The list that ``names_to_word`` wrote."""
    return [] if word == NOTHING else [name_from_word(item, part) for item in word.split(",")]


def number_from_word(word: str, part: str) -> int:
    """A count or a seat."""
    if not (word.isascii() and word.isdecimal() and len(word) <= LONGEST_NUMBER):
        raise NotationError(part, Message("{word} is no number", word=repr(word)))
    return int(word)


def seat_from_word(seats: int, word: str, part: str) -> int:
    """A seat of a table of ``seats``."""
    seat = number_from_word(word, part)
    if not 1 <= seat <= seats:
        raise NotationError(part, Message("there is no seat {seat}", seat=seat))
    return seat


def color_from_word(word: str, part: str) -> str:
    """A colour."""
    if word not in COLORS:
        raise NotationError(
            part, Message("{word} is none of {choices}", word=repr(word), choices=", ".join(COLORS))
        )
    return word
