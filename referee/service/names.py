"""Names as people enter them: others can read them, and tell them apart.

The rules know fewer conditions, so that old tables and records keep the names they have.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain, count

from referee.rules.message import Message
from referee.rules.records.seating import LONGEST_NAME
from referee.service.problems import invalid

# Letters that turn the direction of the text around them.
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Unicode's categories of line breaks and control characters.
CONTROL = frozenset({"Cc", "Zl", "Zp"})
# Categories of what has no picture of its own: private use and halves of letters. What no version
# of Unicode that this Python knows has named is refused too, but for new emoji.
NO_PICTURE = frozenset({"Co", "Cs"})
EMOJI = range(0x1F000, 0x1FB00)
# Stand for what could not be read, or for something that is not text.
STAND_INS = frozenset("\ufffc\ufffd")
# Greek, Cyrillic and Armenian letters, and the Latin ones that look like them: single letters in
# Unicode's confusables.txt.
LIKE_LATIN = str.maketrans(
    "ΑАΒВСΕЕϜԌΗНΙІӀͿЈΚКΜϺМΝΟОՕΡРЅՏΤТՍѴԜΧХΥУҮΖαасԁеҽքցһհιіӏꙇϳјոռοσоօρрԛգզгᴦѕυսνѵѡԝաхγуү",
    "AABBCEEFGHHIIIJJKKMMMNOOOPPSSTTUVWXXYYYZaacdeefghhiiiijjnnooooppqqqrrsuuvvwwwxyyy",
)
# The letters that a name may have once ligatures are spelt out.
MOST_LETTERS = 2 * LONGEST_NAME
# Of a device or a computer, with the number that tells it apart.
LONGEST_DEVICE_NAME = 80
# Marks show on letters only.
MARKS = frozenset({"Mn", "Me"})
# What nobody sees although it counts as a letter, mark or symbol: Unicode's
# Default_Ignorable_Code_Point, the empty Braille pattern, and the empty note.
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def check_given_name(name: str, field: str, others: Iterable[str]) -> None:
    """Check a new name beside those of the others. Raises Problem."""
    check_given_names([(field, name)], others)


def check_given_names(names: Iterable[tuple[str, str]], others: Iterable[str] = ()) -> None:
    """Check new names, each with its field, beside those of the others. Raises Problem."""
    taken = {look: other for other in others for look in (_look(other), _latin_look(other))}
    for field, name in names:
        looks = _check_readable(name, field), _latin_look(name)
        same = next((taken[look] for look in looks if look in taken), None)
        if same is not None:
            reason = Message("the name {name} is taken", name=repr(same))
            raise invalid(field, reason, "seat.order")
        taken |= dict.fromkeys(looks, name)


def check_device_name(name: str, field: str) -> None:
    """Check that people can read the name of a device, or of a computer. Raises Problem."""
    _check_readable(name, field, None)


def name_apart(name: str, others: Iterable[str]) -> str:
    """Return the name, with the first number behind it that tells it apart from the others."""
    taken = set(others)
    numbered = (
        f"{name[: LONGEST_DEVICE_NAME - len(end)]}{end}" for end in map(" {}".format, count(2))
    )
    return next(candidate for candidate in chain([name], numbered) if candidate not in taken)


def _check_readable(name: str, field: str, rule: str | None = "setup.seats") -> str:
    """Return what people see of a name, if they can read it. Raises Problem."""
    # A few letters grow to many: U+FDFA is a sentence.
    look = _look(name) if len(unicodedata.normalize("NFKC", name)) <= MOST_LETTERS else ""
    if all(unicodedata.category(letter) in MARKS for letter in look):
        reason = Message("must be a name of 1 to {most} characters", most=LONGEST_NAME)
        raise invalid(field, reason, rule)
    if (TURNING | STAND_INS) & set(name) or any(map(_is_no_text, name)):
        raise invalid(field, "must not contain control characters", rule)
    return look


def _is_no_text(letter: str) -> bool:
    category = unicodedata.category(letter)
    if category == "Cn":
        return ord(letter) not in EMOJI
    return category in CONTROL or category in NO_PICTURE


def _latin_look(name: str) -> str:
    """Return what people see of a name who take its letters for Latin ones."""
    apart = unicodedata.normalize("NFKD", _seen(name))
    return _look(unicodedata.normalize("NFC", apart.translate(LIKE_LATIN)))


def _look(name: str) -> str:
    """Return what people see of a name, however it was typed."""
    folded = unicodedata.normalize("NFKC", _seen(name)).casefold()
    return " ".join(_seen(unicodedata.normalize("NFKC", folded)).split())


def _seen(text: str) -> str:
    """Return text without what nobody sees; spaces stay."""
    shown = UNSEEN.sub("", text)
    return "".join(letter for letter in shown if unicodedata.category(letter) != "Cf")
