"""The game record: read it, replay it against its expectations, write it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.rules.actions import Action
from referee.rules.codec import FieldError, move_to_json, parse_move, seat_number
from referee.rules.engine import Decision, decide, new_game, open_round
from referee.rules.message import Message
from referee.rules.rulings import RuleError, Ruling
from referee.rules.serial import game_to_json
from referee.rules.state import Game, State
from referee.rules.views import public_state

FORMAT = "referee-record/1"
FIELDS = frozenset({"format", "ruleset", "options", "seats", "rounds"})
ROUND_FIELDS = frozenset({"dealer", "opening", "expect", "moves"})
EXPECT = frozenset({"expect"})
RULING_FIELDS = ("verdict", "rule")


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
class Mismatch:
    """An expectation that does not hold."""

    field: str
    expected: object
    found: object


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay: the opening of a round (move 0), or a move."""

    round: int
    move: int
    action: Action | None
    ruling: Ruling | None
    state: State
    events: tuple[Any, ...] = ()
    mismatches: tuple[Mismatch, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class RecordRound:
    """A round of a record; ``expect`` holds after its opening."""

    dealer: int
    opening: tuple[str, ...]
    moves: tuple[tuple[Action, Mapping[str, Any]], ...]
    expect: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """A parsed record; ``start`` is the game before its first round."""

    start: State
    rounds: tuple[RecordRound, ...]


def parse_record(value: Any) -> Record:
    """Parse a record. Raises RecordError."""
    if not isinstance(value, Mapping):
        raise RecordError("record", "must be an object")
    if value.get("format") != FORMAT:
        raise RecordError(
            "format",
            Message(
                "must be {format}, not {given}",
                format=repr(FORMAT),
                given=repr(value.get("format")),
            ),
        )
    for key in value:
        if key not in FIELDS:
            raise RecordError(str(key), "is not a field of a record")
    if not isinstance(value.get("ruleset"), str):
        raise RecordError("ruleset", "must be the name of a ruleset")
    options = value.get("options", {})
    if not isinstance(options, Mapping):
        raise RecordError("options", "must be an object")
    try:
        start = new_game(value["ruleset"], options, _list(value.get("seats"), "seats"))
    except RuleError as error:
        raise RecordError(error.field, error.reason) from None
    seats = len(start.game.seats)
    rounds = _list(value.get("rounds"), "rounds")
    return Record(start, tuple(_round(item, i, seats) for i, item in enumerate(rounds, 1)))


def _list(value: Any, name: str, number: int | None = None) -> Sequence[Any]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise RecordError(name, "must be a list", number)
    return value


def _round(value: Any, number: int, seats: int) -> RecordRound:
    if not isinstance(value, Mapping):
        raise RecordError("round", "must be an object", number)
    for key in value:
        if key not in ROUND_FIELDS:
            raise RecordError(str(key), "is not a field of a round", number)
    try:
        dealer = seat_number(value.get("dealer"), "dealer", seats)
    except FieldError as error:
        raise RecordError(error.field, error.reason, number) from None
    opening = _list(value.get("opening"), "opening", number)
    for i, card in enumerate(opening):
        if not isinstance(card, str):
            raise RecordError(f"opening[{i}]", "must be a card", number)
    moves = []
    for i, item in enumerate(_list(value.get("moves"), "moves", number), 1):
        try:
            action = parse_move(item, seats, EXPECT)
        except FieldError as error:
            raise RecordError(error.field, error.reason, number, i) from None
        moves.append((action, _expect(item, number, i)))
    return RecordRound(dealer, tuple(opening), tuple(moves), _expect(value, number))


def _expect(value: Mapping[str, Any], number: int, move: int | None = None) -> Mapping[str, Any]:
    expect = value.get("expect", {})
    if not isinstance(expect, Mapping):
        raise RecordError("expect", "must be an object", number, move)
    return expect


def replay(record: Record) -> Iterator[Step]:
    """Replay a record move by move. Raises RecordError if a round cannot be opened as recorded."""
    state = record.start
    for number, played in enumerate(record.rounds, 1):
        try:
            # A record may abandon a round, as the table may have agreed to.
            state, events = open_round(state, played.dealer, played.opening, abandon=True)
        except RuleError as error:
            reason = Message("{reason} [{rule}]", reason=error.reason, rule=error.rule)
            raise RecordError(error.field, reason, number) from None
        found = compare(played.expect, state, None)
        yield Step(number, 0, None, None, state, tuple(events), found)
        for i, (action, expect) in enumerate(played.moves, 1):
            decision: Decision = decide(state, action)
            state = decision.state
            found = compare(expect, state, decision.ruling)
            yield Step(number, i, action, decision.ruling, state, decision.events, found)


def compare(expect: Mapping[str, Any], state: State, ruling: Ruling | None) -> tuple[Mismatch, ...]:
    """Return the expectations that do not hold; rulings are expected to be legal by default."""
    wanted = dict(expect)
    if ruling is not None:
        wanted.setdefault("verdict", "legal")
    if not wanted:
        return ()
    found = public_state(state)
    bad = []
    for key, value in wanted.items():
        actual: Any = found.get(key)
        if key == "verdict":
            actual = ruling.verdict if ruling else None
        elif key == "rule":
            actual = ruling.rule if ruling else None
            if actual == value or str(actual).startswith(f"{value}."):
                continue
        elif key == "awaiting" and _as_set(value) == _as_set(actual):
            continue
        if key not in found and key not in RULING_FIELDS:
            bad.append(Mismatch(key, value, "no such field"))
        elif actual != value:
            bad.append(Mismatch(key, value, actual))
    return tuple(bad)


def _as_set(needs: Any) -> object:
    try:
        return sorted((need["seat"], need["need"]) for need in needs)
    except (TypeError, KeyError):
        return needs


def round_to_json(dealer: int, opening: Sequence[str], moves: Sequence[Action]) -> dict[str, Any]:
    """Return a round as in a record."""
    return {
        "dealer": dealer,
        "opening": list(opening),
        "moves": [move_to_json(move) for move in moves],
    }


def record_head(game: Game) -> dict[str, Any]:
    """Return a record without its rounds."""
    return {"format": FORMAT, **game_to_json(game)}
