"""Sentences that can be translated after they were raised."""

import re
import reprlib
from collections.abc import Mapping
from types import MappingProxyType

WORD = re.compile(r"\{(\w+)\}")
LONGEST_WORD = 60
JSON_WORDS = {None: "null", True: "true", False: "false"}
SHORT = reprlib.Repr()
SHORT.maxstring = SHORT.maxother = LONGEST_WORD
SHORT.maxlevel, SHORT.maxlist, SHORT.maxdict = 2, 3, 3


class Message(str):
    """An English sentence that remembers its pattern and the words filled into it.

    It works wherever a string does. A word may itself be a message, and is then translated too.
    """

    pattern: str
    words: Mapping[str, object]

    def __new__(cls, pattern: str, **words: object) -> "Message":
        """Fill in a pattern such as ``there is no seat {seat}``."""
        message = super().__new__(cls, WORD.sub(lambda match: str(words[match[1]]), pattern))
        message.pattern = pattern
        message.words = MappingProxyType(words)
        return message


def quoted(value: object) -> str:
    """Return a value that a client has sent for a sentence: in quotes, and cut if it is long."""
    if value is None or isinstance(value, bool):
        return JSON_WORDS[value]
    return SHORT.repr(value)


def shortened(text: str, most: int = LONGEST_WORD) -> str:
    """Return a text that a client has sent for a sentence, cut if it is long."""
    return text if len(text) <= most else f"{text[:most]}…"


def sent(reason: str, value: object) -> Message:
    """Return a reason with the value that is wrong."""
    return Message("{reason} (sent: {given})", reason=reason, given=quoted(value))
