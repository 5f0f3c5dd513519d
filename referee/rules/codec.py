"""Parse moves from JSON and write them back; errors name the field."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.rules import actions as act
from referee.rules.actions import Action, Move, Overruled
from referee.rules.cards import COLORS
from referee.rules.message import Message, sent
from referee.rules.suggestions import hinted, must_be_one_of

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


def _color(value: Any, field: str, seats: int) -> str:
    if not isinstance(value, str) or value not in COLORS:
        raise FieldError(field, must_be_one_of(value, COLORS))
    return value


def _card(value: Any, field: str, seats: int) -> str:
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
    return tuple(_card(item, f"{field}[{i}]", seats) for i, item in enumerate(value))


def _bool(value: Any, field: str, seats: int) -> bool:
    if not isinstance(value, bool):
        raise FieldError(field, sent("must be true or false", value))
    return value


# move → its action, and for each field except the seat its parser and whether it is required
GRAMMAR: Mapping[str, tuple[type, Mapping[str, tuple[Parser, bool]]]] = {
    "play": (
        act.Play,
        {
            "card": (_card, True),
            "color": (_color, False),
            "powers": (card_names, False),
            "uno": (_bool, False),
            "swap_with": (whole_number(0, ANY_SEAT), False),
        },
    ),
    "draw": (act.Draw, {"count": (whole_number(-MOST_POINTS, MOST_POINTS), False)}),
    "pass": (act.Pass, {}),
    "color": (act.NameColor, {"color": (_color, True)}),
    "powers": (act.ChoosePowers, {"powers": (card_names, True)}),
    "accept": (act.Accept, {}),
    "challenge": (act.Challenge, {}),
    "reveal": (
        act.Reveal,
        {
            "hand": (card_names, False),
            "points": (whole_number(0, MOST_POINTS), False),
            "unknown": (_bool, False),
        },
    ),
    "swap": (act.Swap, {"with": (whole_number(0, ANY_SEAT), True)}),
    "uno": (act.CallUno, {}),
    "catch": (act.Catch, {"accused": (seat_number, True)}),
    "discard": (
        act.Discard,
        {"cards": (card_names, False), "count": (whole_number(0, MOST_CARDS), False)},
    ),
    "give": (act.Give, {"to": (seat_number, True), "cards": (card_names, True)}),
    "flip": (act.Flip, {"card": (_card, True), "color": (_color, False)}),
    "report": (act.Report, {"drawn": (whole_number(0, MOST_CARDS), True)}),
    "judge": (act.Judge, {"passed": (_bool, True)}),
    "leave": (act.Leave, {}),
    "timeout": (act.TimeUp, {}),
    "hand-count": (act.SetHand, {"count": (whole_number(0, MOST_CARDS), True)}),
}
# Fields of a move that are words of Python → the action's attribute.
ATTRIBUTES: Mapping[str, str] = {"with": "other"}
NAMES: Mapping[type, str] = {action: name for name, (action, _) in GRAMMAR.items()}


def parse_move(value: Any, seats: int, ignore: frozenset[str] = frozenset()) -> Action:
    """Parse a move at a table with this many seats. Raises FieldError.

    ``ignore`` names fields that do not belong to the move, such as a record's ``expect``.
    """
    if not isinstance(value, Mapping):
        raise FieldError("move", "must be an object")
    name = value.get("move")
    if not isinstance(name, str) or name not in GRAMMAR:
        raise FieldError("move", must_be_one_of(name, GRAMMAR))
    action, grammar = GRAMMAR[name]
    if "seat" not in value:
        raise FieldError("seat", Message("is missing: {name} needs it", name=name))
    fields = {"seat": seat_number(value.get("seat"), "seat", seats)}
    for key in value:
        if key not in grammar and key not in ("seat", "move", "ruled") and key not in ignore:
            reason = Message("is not a field of {name}", name=name)
            raise FieldError(str(key), hinted(reason, key, ("seat", "move", *grammar)))
    for key, (parse, required) in grammar.items():
        if key in value and (required or value[key] is not None):
            fields[ATTRIBUTES.get(key, key)] = parse(value[key], key, seats)
        elif required:
            raise FieldError(key, Message("is missing: {name} needs it", name=name))
    if action is act.Discard and ("cards" in fields) == ("count" in fields):
        raise FieldError("cards", "give either cards or count")
    if action is act.Reveal:
        # A hand of zeros has 0 points.
        stated = [fields.get(key) for key in ("hand", "points", "unknown")]
        if sum(one is not None and one is not False for one in stated) != 1:
            raise FieldError("hand", "give the hand, its points, or unknown")
    move: Move = action(**fields)
    if "ruled" not in value:
        return move
    if value["ruled"] not in ("legal", "illegal"):
        raise FieldError("ruled", "must be legal or illegal")
    return Overruled(move, value["ruled"])


def move_to_json(action: Action) -> dict[str, Any]:
    """Return an action as a move of the record."""
    move = action.move if isinstance(action, Overruled) else action
    name = NAMES[type(move)]
    stated: dict[str, Any] = {"seat": move.seat, "move": name}
    for key, (_, required) in GRAMMAR[name][1].items():
        value = getattr(move, ATTRIBUTES.get(key, key))
        if required or (value is not None and value is not False):
            stated[key] = list(value) if isinstance(value, tuple) else value
    if isinstance(action, Overruled):
        stated["ruled"] = action.verdict
    return stated
