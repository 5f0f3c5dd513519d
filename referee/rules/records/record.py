"""The game record: read it, replay it against its expectations, write it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from referee.rules.actions import Action
from referee.rules.engine import Decision, decide, new_game
from referee.rules.message import Message, quoted
from referee.rules.play.rounds import break_off, count_round, end_game, next_dealer, open_round
from referee.rules.position.state import FEWEST_SEATS, Game, State
from referee.rules.position.views import public_state
from referee.rules.records.changed_options import with_house_rules
from referee.rules.records.record_rounds import RecordError, RecordRound, as_list, parse_round
from referee.rules.records.seating import NO_CHANGE, change_seats
from referee.rules.records.serial import game_to_json
from referee.rules.rulings import RuleError, Ruling
from referee.rules.suggestions import hinted

FORMAT = "referee-record/1"
FIELDS = frozenset({"format", "ruleset", "options", "seats", "rounds", "ended"})
RULING_FIELDS = ("verdict", "rule")
StepKind = Literal["move", "opening", "seats", "result", "broken-off", "ended"]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An expectation that does not hold."""

    field: str
    expected: object
    found: object


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay: a move, or, as move 0, what ``kind`` says."""

    round: int
    move: int
    action: Action | None
    ruling: Ruling | None
    state: State
    events: tuple[Any, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    kind: StepKind = "opening"


@dataclass(frozen=True, slots=True)
class Record:
    """A parsed record; ``start`` is the game before its first round.

    ``ended``: the game was ended early, after the last round.
    """

    start: State
    rounds: tuple[RecordRound, ...]
    ended: bool = False


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
                given=quoted(value.get("format")),
            ),
        )
    for key in value:
        if key not in FIELDS:
            raise RecordError(str(key), hinted("is not a field of a record", key, sorted(FIELDS)))
    if not isinstance(value.get("ruleset"), str):
        raise RecordError("ruleset", "must be the name of a ruleset")
    options = value.get("options", {})
    if not isinstance(options, Mapping):
        raise RecordError("options", "must be an object")
    if not isinstance(value.get("ended", False), bool):
        raise RecordError("ended", "must be true or false")
    played = as_list(value.get("rounds"), "rounds")
    # An open table begins with whoever is there; the others join before a round.
    joined = not played or any(isinstance(move, Mapping) and move.get("join") for move in played)
    try:
        start = new_game(
            value["ruleset"],
            options,
            as_list(value.get("seats"), "seats"),
            0 if joined else FEWEST_SEATS,
        )
    except RuleError as error:
        raise RecordError(error.field, error.reason) from None
    seats = len(start.game.seats)
    rounds = []
    for number, item in enumerate(played, 1):
        try:
            rounds.append(parse_round(item, seats))
        except RecordError as error:
            raise RecordError(error.field, error.reason, number, error.move) from None
        seats = max([seats, *rounds[-1].seats.join])
    return Record(start, tuple(rounds), value.get("ended", False))


def replay(record: Record) -> Iterator[Step]:
    """Replay a record move by move. Raises RecordError if a round cannot begin as recorded.

    The last step of a round that was broken off, or entered by its result, has no move, nor does
    that of a game ended early.
    """
    state = record.start
    number = 0
    try:
        for number, played in enumerate(record.rounds, 1):
            for step in _replay_round(state, number, played):
                state = step.state
                yield step
        if record.ended:
            number = 0
            state, events = end_game(state)
            yield Step(len(record.rounds), 0, None, None, state, tuple(events), kind="ended")
    except RuleError as error:
        reason = Message("{reason} [{rule}]", reason=error.reason, rule=error.rule)
        raise RecordError(error.field, reason, number or None) from None


def _replay_round(state: State, number: int, played: RecordRound) -> Iterator[Step]:
    scores = state.scores
    if played.seats != NO_CHANGE:
        state, events = change_seats(state, played.seats)
        yield Step(number, 0, None, None, state, tuple(events), kind="seats")
        scores = state.scores
    state = with_house_rules(state, played.options)
    if played.result is not None:
        state, events = count_round(state, played.dealer or next_dealer(state), played.result)
        mismatches = compare(played.expect, state, None)
        yield Step(number, 0, None, None, state, tuple(events), mismatches, kind="result")
    else:
        # A record may abandon a round, as the table may have agreed to.
        state, events = open_round(state, played.dealer, played.opening, abandon=True)
        mismatches = compare(played.expect, state, None)
        yield Step(number, 0, None, None, state, tuple(events), mismatches)
    for i, (action, expect) in enumerate(played.moves, 1):
        decision: Decision = decide(state, action)
        state = decision.state
        mismatches = compare(expect, state, decision.ruling)
        yield Step(number, i, action, decision.ruling, state, decision.events, mismatches, "move")
    if played.broken_off:
        state, events = break_off(state, scores)
        yield Step(number, 0, None, None, state, tuple(events), kind="broken-off")


def compare(expect: Mapping[str, Any], state: State, ruling: Ruling | None) -> tuple[Mismatch, ...]:
    """Return the expectations that do not hold; rulings are expected to be legal by default."""
    wanted = dict(expect)
    if ruling is not None:
        wanted.setdefault("verdict", "legal")
    if not wanted:
        return ()
    public = public_state(state)
    bad = []
    for key, value in wanted.items():
        actual: Any = public.get(key)
        if key == "verdict":
            actual = ruling.verdict if ruling else None
        elif key == "rule":
            actual = ruling.rule if ruling else None
            if actual == value or str(actual).startswith(f"{value}."):
                continue
        elif key == "awaiting" and _as_set(value) == _as_set(actual):
            continue
        if key not in public and key not in RULING_FIELDS:
            bad.append(Mismatch(key, value, "no such field"))
        elif actual != value:
            bad.append(Mismatch(key, value, actual))
    return tuple(bad)


def _as_set(needs: Any) -> object:
    try:
        return sorted((need["seat"], need["need"]) for need in needs)
    except (TypeError, KeyError):
        return needs


def record_head(game: Game) -> dict[str, Any]:
    """Return a record without its rounds."""
    return {"format": FORMAT, **game_to_json(game)}
