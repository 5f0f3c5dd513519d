"""A sentence for people that can still be said in another language."""

import re
from collections.abc import Mapping
from types import MappingProxyType

WORD = re.compile(r"\{(\w+)\}")


class Message(str):
    """An English sentence that remembers its pattern and the words that fill it in.

    It is a string wherever a string will do, so nothing that only prints it has to care. A word
    may be a message itself: it is put into the other language too.
    """

    pattern: str
    words: Mapping[str, object]

    def __new__(cls, pattern: str, **words: object) -> "Message":
        """The sentence of a pattern such as ``there is no seat {seat}``."""
        made = super().__new__(cls, WORD.sub(lambda found: str(words[found[1]]), pattern))
        made.pattern = pattern
        made.words = MappingProxyType(words)
        return made
