"""Names as people enter them: others can read them, and tell them apart.

The rules know fewer conditions, so that old tables and records keep the names they have.
"""

import unicodedata
from collections.abc import Iterable

from referee.rules.message import Message, quoted
from referee.rules.seating import LONGEST_NAME
from referee.service.problems import invalid

# Letters that turn the direction of the text around them.
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Unicode's categories of line breaks and control characters, and of what nobody sees.
CONTROL = frozenset({"Cc", "Zl", "Zp"})
UNSEEN = frozenset({*CONTROL, "Cf", "Mn", "Zs"})


def check_given_name(name: str, field: str, others: Iterable[str]) -> None:
    """Check a new name beside those of the others. Raises Problem."""
    kinds = {unicodedata.category(letter) for letter in name}
    if kinds <= UNSEEN:
        reason = Message("must be a name of 1 to {most} characters", most=LONGEST_NAME)
        raise invalid(field, reason, "setup.seats")
    if kinds & CONTROL or TURNING & set(name):
        raise invalid(field, "must not contain control characters", "setup.seats")
    same = next((other for other in others if _look(other) == _look(name)), None)
    if same is not None:
        reason = Message("the name {name} is taken", name=quoted(same))
        raise invalid(field, reason, "seat.order")


def _look(name: str) -> str:
    """Return what people see of a name, however it was typed."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    seen = "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")
    return " ".join(seen.split())
