"""Parse moves from JSON and write them back; errors name the field."""

from collections.abc import Mapping
from typing import Any

from referee.rules import actions as act
from referee.rules.actions import ATTRIBUTES, GRAMMAR, NAMES, Action, Move, Overruled
from referee.rules.message import Message
from referee.rules.move_fields import FieldError, seat_number
from referee.rules.suggestions import hinted, must_be_one_of


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
        if sum(given is not None and given is not False for given in stated) != 1:
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
