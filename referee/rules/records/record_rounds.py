"""The rounds of a game record, read and written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.rules.actions import Action
from referee.rules.codec import move_to_json, parse_move
from referee.rules.message import Message
from referee.rules.move_fields import MOST_POINTS, FieldError, card_names, seat_number, whole_number
from referee.rules.options import HIGHEST_TARGET
from referee.rules.play.rounds import RoundResult
from referee.rules.records.seating import MOST_NUMBERS, NO_CHANGE, SeatChange
from referee.rules.suggestions import hinted

FIELDS = frozenset(
    {
        *("dealer", "opening", "expect", "moves", "order", "join", "names", "options"),
        *("result", "broken_off"),
    }
)
EXPECT = frozenset({"expect"})
# Digits of a seat's number; Python reads no more than a few thousand.
LONGEST_NUMBER = len(str(MOST_NUMBERS))


class RecordError(ValueError):
    """An invalid record: the round, move and field, and the reason."""

    def __init__(
        self, field: str, reason: str, round_number: int | None = None, move: int | None = None
    ) -> None:
        self.text = _with_place(
            Message("{field}: {reason}", field=field, reason=reason), round_number, move
        )
        super().__init__(self.text)
        self.field = field
        self.reason = reason
        self.round = round_number
        self.move = move


def _with_place(text: Message, number: int | None, move: int | None) -> Message:
    if move:
        text = Message("move {move}, {text}", move=move, text=text)
    return Message("round {round}, {text}", round=number, text=text) if number else text


@dataclass(frozen=True, slots=True)
class RecordRound:
    """A round of a record; ``expect`` holds after its opening, or its result.

    ``seats`` changes the seats before it. A round has an opening and moves, or a result; then
    dealer 0 says that nobody knows who dealt. ``options`` are the house rules from it on, those not
    given at the deck's own; None leaves them.
    """

    dealer: int
    opening: tuple[str, ...]
    moves: tuple[tuple[Action, Mapping[str, Any]], ...]
    expect: Mapping[str, Any]
    seats: SeatChange = NO_CHANGE
    result: RoundResult | None = None
    broken_off: bool = False
    options: Mapping[str, Any] | None = None


def as_list(value: Any, name: str) -> Sequence[Any]:
    """Return a value that has to be a list. Raises RecordError."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise RecordError(name, "must be a list")
    return value


def parse_round(value: Any, seats: int) -> RecordRound:
    """Parse a round at a table that has had this many seats. Raises RecordError."""
    if not isinstance(value, Mapping):
        raise RecordError("round", "must be an object")
    for key in value:
        if key not in FIELDS:
            raise RecordError(str(key), hinted("is not a field of a round", key, sorted(FIELDS)))
    try:
        change = parse_seat_change(value)
        seats = max([seats, *change.join])
        result = parse_result(value["result"], seats) if "result" in value else None
        dealer = 0
        if result is None or "dealer" in value:
            dealer = seat_number(value.get("dealer"), "dealer", seats)
    except FieldError as error:
        raise RecordError(error.field, error.reason) from None
    opening: Sequence[Any] = ()
    if result is None:
        opening = as_list(value.get("opening"), "opening")
        for i, card in enumerate(opening):
            if not isinstance(card, str):
                raise RecordError(f"opening[{i}]", "must be a card")
    elif "opening" in value:
        raise RecordError("opening", "has no place beside a result")
    given = value.get("moves", ()) if result is not None else value.get("moves")
    moves = _moves(as_list(given, "moves"), seats)
    broken_off = value.get("broken_off", False)
    if not isinstance(broken_off, bool):
        raise RecordError("broken_off", "must be true or false")
    options = value.get("options")
    if not isinstance(options, Mapping | None):
        raise RecordError("options", "must be an object")
    expect = _expect(value)
    return RecordRound(dealer, tuple(opening), moves, expect, change, result, broken_off, options)


def _moves(items: Sequence[Any], seats: int) -> tuple[tuple[Action, Mapping[str, Any]], ...]:
    moves = []
    for i, item in enumerate(items, 1):
        try:
            action = parse_move(item, seats, EXPECT)
        except FieldError as error:
            raise RecordError(error.field, error.reason, None, i) from None
        moves.append((action, _expect(item, i)))
    return tuple(moves)


def _expect(value: Mapping[str, Any], move: int | None = None) -> Mapping[str, Any]:
    expect = value.get("expect", {})
    if not isinstance(expect, Mapping):
        raise RecordError("expect", "must be an object", None, move)
    return expect


def parse_seat_change(value: Mapping[str, Any]) -> SeatChange:
    """Parse ``order``, ``join`` and ``names`` of a round. Raises FieldError."""
    order = value.get("order")
    if order is not None:
        if not isinstance(order, Sequence) or isinstance(order, str):
            raise FieldError("order", "must be a list")
        order = tuple(
            seat_number(seat, f"order[{i}]", MOST_NUMBERS) for i, seat in enumerate(order)
        )
    points = whole_number(0, HIGHEST_TARGET)
    join = {
        seat: points(item, f"join.{seat}", 0)
        for seat, item in _by_seat(value, "join", MOST_NUMBERS)
    }
    names = dict(_by_seat(value, "names", MOST_NUMBERS))
    return SeatChange(order, join, names)


def parse_result(value: Any, seats: int) -> RoundResult:
    """Parse the result of a round: who went out, and each hand. Raises FieldError."""
    if not isinstance(value, Mapping):
        raise FieldError("result", "must be an object")
    for key in value:
        if key not in ("out", "hands"):
            reason = hinted("is not a field of a result", key, ("out", "hands"))
            raise FieldError(f"result.{key}", reason)
    out = seat_number(value.get("out"), "result.out", seats)
    hands = {
        seat: _hand(item, f"result.hands.{seat}")
        for seat, item in _by_seat(value, "hands", seats, "result.")
    }
    return RoundResult(out, hands)


def _hand(value: Any, field: str) -> tuple[str, ...] | int | None:
    if value is None:
        return None
    if isinstance(value, int):
        return int(whole_number(0, MOST_POINTS)(value, field, 0))
    return card_names(value, field, 0)


def _by_seat(
    value: Mapping[str, Any], field: str, seats: int, within: str = ""
) -> list[tuple[int, Any]]:
    given = value.get(field)
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise FieldError(f"{within}{field}", "must be an object")
    items: dict[int, Any] = {}
    for key, item in given.items():
        name = f"{within}{field}.{key}"
        seat = seat_number(_number(key), name, seats)
        if seat in items:
            raise FieldError(name, "is given twice")
        items[seat] = item
    return list(items.items())


def _number(key: Any) -> Any:
    """Return a key of a JSON object as a number, if it can be a seat's."""
    short = isinstance(key, str) and len(key) <= LONGEST_NUMBER
    return int(key) if short and key.isascii() and key.isdecimal() else key


def round_to_json(played: RecordRound) -> dict[str, Any]:
    """Return a round as in a record."""
    stated: dict[str, Any] = {"dealer": played.dealer} if played.dealer else {}
    stated |= played.seats.to_json()
    if played.options is not None:
        stated["options"] = dict(played.options)
    if played.result is not None:
        stated["result"] = result_to_json(played.result)
    else:
        stated["opening"] = list(played.opening)
    if played.broken_off:
        stated["broken_off"] = True
    if played.expect:
        stated["expect"] = dict(played.expect)
    if played.moves or played.result is None:
        stated["moves"] = [
            {**move_to_json(move), **({"expect": dict(expect)} if expect else {})}
            for move, expect in played.moves
        ]
    return stated


def result_to_json(result: RoundResult) -> dict[str, Any]:
    """Return a round's result as in a record."""
    hands = {
        str(seat): list(hand) if isinstance(hand, tuple) else hand
        for seat, hand in result.hands.items()
    }
    return {"out": result.out, "hands": hands}
