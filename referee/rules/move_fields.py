"""What the fields of a move can hold, in JSON: parsers whose errors name the field."""

from collections.abc import Callable, Sequence
from typing import Any

from referee.rules.cards import COLORS
from referee.rules.message import Message, sent
from referee.rules.suggestions import must_be_one_of

MOST_CARDS = 112
LONGEST_CARD = 40
# More than all cards of a deck.
MOST_POINTS = 10_000
# A count or a seat that cannot be is ruled on like any other move.
ANY_SEAT = 100


class FieldError(ValueError):
    """Invalid input: the field and the reason."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


Parser = Callable[[Any, str, int], Any]


def whole_number(low: int, high: int | None = None) -> Parser:
    """Return a parser of whole numbers; without ``high`` of seats."""

    def parse(value: Any, field: str, seats: int) -> int:
        top = seats if high is None else high
        if type(value) is not int or not low <= value <= top:
            reason = Message("must be a whole number from {least} to {most}", least=low, most=top)
            raise FieldError(field, sent(reason, value))
        return value

    return parse


seat_number = whole_number(1)


any_seat = whole_number(0, ANY_SEAT)
card_count = whole_number(0, MOST_CARDS)
any_count = whole_number(-MOST_POINTS, MOST_POINTS)
point_count = whole_number(0, MOST_POINTS)


def color(value: Any, field: str, seats: int) -> str:
    """Parse a colour. Raises FieldError."""
    if not isinstance(value, str) or value not in COLORS:
        raise FieldError(field, must_be_one_of(value, COLORS))
    return value


def card(value: Any, field: str, seats: int) -> str:
    """Parse the name of a card. Raises FieldError."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_CARD:
        raise FieldError(field, sent("must be a card, such as red-7 or wild-draw-four", value))
    return value


def card_names(value: Any, field: str, seats: int) -> tuple[str, ...]:
    """Parse a list of cards. Raises FieldError."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise FieldError(field, sent("must be a list of cards", value))
    if len(value) > MOST_CARDS:
        raise FieldError(
            field,
            Message(
                "lists {count} cards; a deck has at most {most}", count=len(value), most=MOST_CARDS
            ),
        )
    return tuple(card(item, f"{field}[{i}]", seats) for i, item in enumerate(value))


def flag(value: Any, field: str, seats: int) -> bool:
    """Parse true or false. Raises FieldError."""
    if not isinstance(value, bool):
        raise FieldError(field, sent("must be true or false", value))
    return value


def mark(value: Any, field: str, seats: int) -> bool:
    """Parse what stands only where it is true; false is as if left out. Raises FieldError."""
    return flag(value, field, seats)
