"""A game's history: its rounds and moves that stand after all corrections, played again."""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.rules.actions import Action
from referee.rules.engine import Decision, decide
from referee.rules.play.rounds import RoundResult, break_off, count_round, end_game, open_round
from referee.rules.position.state import State
from referee.rules.records.changed_options import with_house_rules
from referee.rules.records.seating import NO_CHANGE, SeatChange, change_seats
from referee.rules.rulings import RuleError


@dataclass(slots=True)
class PastMove:
    """A move that stands, and the log entry it came with.

    ``presumed``: a camera saw the card, and whose it was followed from whose turn it was.
    """

    seq: int
    action: Action
    presumed: bool = False


@dataclass(slots=True)
class PastRound:
    """A round that was opened or entered by its ``result``, and its moves.

    ``abandons``: the round before was given up without a word. ``seats`` changed before it.
    ``broken_off``: nothing of it counts, and ``late`` are the moves that were still tried then.
    ``seq`` is the log entry that began it. ``options`` are the house rules from it on, as in a
    record; None leaves them.
    """

    dealer: int
    opening: tuple[str, ...]
    abandons: bool = False
    moves: list[PastMove] = field(default_factory=list)
    seq: int = 0
    seats: SeatChange = NO_CHANGE
    result: RoundResult | None = None
    broken_off: bool = False
    late: list[PastMove] = field(default_factory=list)
    options: Mapping[str, Any] | None = None


@dataclass(slots=True)
class History:
    """A game before its first round, and the rounds that stand.

    ``seats`` changed since the last round; ``ended``: the game was ended early, and ``seats_after``
    changed after that. ``seats_aside`` changed while rounds were kept aside; of these only names
    count when the rounds do. ``options`` are the house rules of a round whose beginning was just
    taken back, for the next one. ``corrections`` are the log entries of the corrections that stand,
    oldest first.
    """

    start: State
    rounds: list[PastRound] = field(default_factory=list)
    corrections: list[int] = field(default_factory=list)
    seats: SeatChange = NO_CHANGE
    ended: bool = False
    seats_after: SeatChange = NO_CHANGE
    seats_aside: SeatChange = NO_CHANGE
    options: Mapping[str, Any] | None = None

    @property
    def seat_count(self) -> int:
        """The number of seats that the table has had."""
        joined = [seat for played in self.rounds for seat in played.seats.join]
        later = [*self.seats.join, *self.seats_after.join, *self.seats_aside.join]
        return max([len(self.start.game.seats), *joined, *later])

    @property
    def presumed(self) -> bool:
        """Whether some moves are presumed."""
        return any(past.presumed for played in self.rounds for past in played.moves)


def take_seats(state: State, played: PastRound) -> State:
    """Change the seats as before a past round. Raises RuleError when they cannot be any more."""
    return state if played.seats == NO_CHANGE else change_seats(state, played.seats)[0]


def begin(state: State, played: PastRound) -> State:
    """Begin a past round again, the seats taken. Raises RuleError when it cannot begin any more."""
    state = with_house_rules(state, played.options)
    if played.result is not None:
        return count_round(state, played.dealer, played.result)[0]
    return open_round(state, played.dealer, played.opening, played.abandons)[0]


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a history: after so many moves of a round, which began with ``scores``."""

    round: int
    move: int
    state: State
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """One step of a history played again: a move, or without ``past`` what happens beside moves.

    ``finished``: the round ended with it, and ``before`` are the scores that it changed. ``ended``:
    the game was ended early. ``began`` are the scores with which the round began; None for what
    happens beside its opening and its moves.
    """

    round: int
    move: int
    past: PastMove | None
    decision: Decision | None
    state: State
    finished: bool = False
    before: tuple[int, ...] = ()
    ended: bool = False
    began: tuple[int, ...] | None = None

    @property
    def place(self) -> Place | None:
        """The place after this step, from which the history can be played on."""
        if self.began is None:
            return None
        return Place(self.round, self.move, self.state, self.began)


def play_again(history: History, start: Place | None = None) -> Iterator[Replayed]:
    """Replay the history, or what comes after a place in it; rounds after the end are kept aside.

    Raises RuleError, with the round's number as its field, when a round cannot begin any more, or
    with ``ended`` when the game could not have been ended early.
    """
    names = history.seats_aside.names
    first, done, state = (start.round, start.move, start.state) if start else (1, 0, history.start)
    for number, played in enumerate(history.rounds[first - 1 :], first):
        if start is not None and number == first:
            scores = start.scores
        elif state.winner is not None:
            later = [later_round.seats for later_round in history.rounds[number - 1 :]]
            later += [history.seats, history.seats_after, history.seats_aside]
            names = {s: name for change in later for s, name in change.names.items()}
            break
        else:
            try:
                seated = take_seats(state, played)
                state = begin(seated, played)
            except RuleError as error:
                raise RuleError(error.rule, str(number), error.reason) from None
            scores, done = seated.scores, 0
            counted = played.result is not None
            yield Replayed(number, 0, None, None, state, counted, scores, began=scores)
        for i, past in enumerate(played.moves[done:], done + 1):
            before = state
            decision = decide(before, past.action)
            state = decision.state
            over = not _over(before) and _over(state) and state.round_winner is not None
            yield Replayed(number, i, past, decision, state, over, before.scores, began=scores)
        if played.broken_off:
            state, _ = break_off(state, scores)
            yield Replayed(number, len(played.moves), None, None, state)
            for i, past in enumerate(played.late, len(played.moves) + 1):
                decision = decide(state, past.action)
                state = decision.state
                yield Replayed(number, i, past, decision, state)
    else:
        state = yield from _after_rounds(history, state)
    # Of what is aside, names count all the same.
    aside = history.seats_aside if state.winner is not None else NO_CHANGE
    known = max([len(state.game.seats), *aside.join])
    aside = replace(aside, names={s: name for s, name in names.items() if s <= known})
    if aside != NO_CHANGE:
        state = _seats_changed(history, state, aside)
        yield Replayed(state.round, 0, None, None, state)


def _after_rounds(history: History, state: State) -> Generator[Replayed, None, State]:
    if history.seats != NO_CHANGE:
        state = _seats_changed(history, state, history.seats)
        yield Replayed(len(history.rounds), 0, None, None, state)
    if state.winner is None and history.ended:
        try:
            state, _ = end_game(state)
        except RuleError as error:
            raise RuleError(error.rule, "ended", error.reason) from None
        yield Replayed(len(history.rounds), 0, None, None, state, ended=True)
    if history.seats_after != NO_CHANGE:
        state = _seats_changed(history, state, history.seats_after)
        yield Replayed(len(history.rounds), 0, None, None, state)
    return state


def _seats_changed(history: History, state: State, change: SeatChange) -> State:
    try:
        return change_seats(state, change)[0]
    except RuleError as error:
        raise RuleError(error.rule, str(len(history.rounds) + 1), error.reason) from None


def _over(state: State) -> bool:
    return state.turn is None and not state.awaiting
