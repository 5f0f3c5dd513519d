"""What somebody may have meant by a name that is not known."""

from collections.abc import Iterable
from difflib import get_close_matches

from referee.rules.message import Message

# Longer words are not compared: it takes time that grows with the square of their length.
LONGEST_WORD = 40
MOST_NAMES = 200
# How alike two words are at least, from 0 to 1.
ALIKE = 0.6
# How much of a list is shown.
MOST_SHOWN = 400


def closest(word: object, known: Iterable[str]) -> str | None:
    """Return the known name that is most like a word, None if none is.

    Case, and whether words are joined by spaces, hyphens or underscores, do not matter.
    """
    if not isinstance(word, str) or len(word) > LONGEST_WORD:
        return None
    by_plain: dict[str, str] = {}
    for name in known:
        by_plain.setdefault(_plain(name), name)
        if len(by_plain) == MOST_NAMES:
            break
    found = get_close_matches(_plain(word), by_plain, 1, ALIKE)
    return by_plain[found[0]] if found else None


def _plain(word: str) -> str:
    return "-".join(word.casefold().replace("_", " ").replace("-", " ").split())


def hinted(reason: str, word: object, known: Iterable[str]) -> Message:
    """Return a reason to refuse a word, with what may have been meant, or else all there is."""
    names = list(known)
    meant = closest(word, names)
    if meant is None:
        return Message("{reason} (known: {known})", reason=reason, known=listed(names))
    return Message("{reason}: did you mean {meant}?", reason=reason, meant=meant)


def asking(said: str, word: object, known: Iterable[str]) -> str:
    """Return a sentence that refuses a word, followed by what may have been meant."""
    meant = closest(word, known)
    if meant is None:
        return said
    return Message("{said} Did you mean {meant}?", said=said, meant=meant)


def must_be_one_of(word: object, known: Iterable[str]) -> Message:
    """Return the reason to refuse a word that is none of those possible."""
    names = list(known)
    reason = Message("must be one of {choices}", choices=listed(names))
    meant = closest(word, names)
    if meant is None:
        return reason
    return Message("{reason}: did you mean {meant}?", reason=reason, meant=meant)


def listed(names: Iterable[str]) -> str:
    """Return names as a list in a sentence, cut if there are many."""
    text = ", ".join(names)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN].rpartition(', ')[0]}, …"
