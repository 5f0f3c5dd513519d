"""A game played again: what its moves were ruled, in little memory.

A correction plays the game again as it stood and as it stands then. Both begin alike, so positions
are kept every few moves, and the second goes on from the last one that they share.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.rules.actions import Action, Catch, Overruled, Reveal
from referee.rules.codec import move_to_json
from referee.rules.position.state import State
from referee.rules.records.serial import event_to_json
from referee.rules.rulings import Ruling
from referee.service.history.returned_hands import CardsDrawn, HandsMoved, cards_drawn, moved_hands
from referee.service.log.caught_players import caught_by
from referee.service.log.game_folds import round_result
from referee.service.log.long_games import paced
from referee.service.log.past_rounds import (
    History,
    PastMove,
    PastRound,
    Place,
    Replayed,
    play_again,
)

Json = dict[str, Any]
# Moves from one kept position to the next.
KEPT_EVERY = 50


@dataclass(frozen=True, slots=True)
class Ruled:
    """A step of a game played again: a move, its log entry and its ruling.

    Of what happens beside moves, ``entry``, ``action`` and ``ruling`` are None.
    """

    round: int
    move: int
    entry: int | None = None
    action: Action | None = None
    ruling: Ruling | None = None


@dataclass(slots=True)
class Playback:
    """A game played again up to its last step, after which its state is ``state``.

    ``results`` and ``caught`` of the game come with the numbers of the steps that they follow,
    ``places`` with the numbers of the steps before them. ``hands`` went round the table with their
    steps, and cards were ``drawn``. ``before_entry`` is the state before the move of the entry that
    ``play_back`` was given.
    """

    state: State
    steps: list[Ruled] = field(default_factory=list)
    results: list[tuple[int, Json]] = field(default_factory=list)
    caught: list[tuple[int, Json]] = field(default_factory=list)
    places: list[tuple[int, Place]] = field(default_factory=list)
    hands: list[HandsMoved] = field(default_factory=list)
    drawn: list[CardsDrawn] = field(default_factory=list)
    before_entry: State | None = None

    def up_to(self, place: Place | None) -> "Playback | None":
        """Return the game up to a place that it has kept."""
        count = next((number for number, kept in self.places if kept is place), None)
        if place is None or count is None:
            return None
        return Playback(
            place.state,
            self.steps[:count],
            [result for result in self.results if result[0] <= count],
            [catch for catch in self.caught if catch[0] <= count],
            [kept for kept in self.places if kept[0] <= count],
            [moved for moved in self.hands if moved.step <= count],
            [drawn for drawn in self.drawn if drawn.step <= count],
        )


def play_back(
    history: History, entry: int | None = None, start: Playback | None = None
) -> Playback:
    """Play a game again, from where ``start`` ends, if given. Raises RuleError."""
    played = start or Playback(history.start)
    place = played.places[-1][1] if played.places else None
    state = played.state
    for step in paced(play_again(history, place)):
        past = step.past
        if past is not None and past.seq == entry:
            played.before_entry = state
        _take(played, step)
        state = step.state
    played.state = state
    return played


def _take(played: Playback, step: Replayed) -> None:
    past, decision = step.past, step.decision
    if past is None or decision is None:
        played.steps.append(Ruled(step.round, step.move))
    else:
        ruling = decision.ruling
        played.steps.append(Ruled(step.round, step.move, past.seq, past.action, ruling))
        count, events = len(played.steps), decision.events
        played.hands += moved_hands(count, step.round, past.seq, events)
        played.drawn += cards_drawn(count, step.round, events)
        caught = _caught(step, past)
        if caught is not None:
            played.caught.append((len(played.steps), caught))
    count = len(played.steps)
    if step.finished:
        played.results.append((count, round_result(step.state, step.before)))
    last = played.places[-1][0] if played.places else 0
    if step.place is not None and count - last >= KEPT_EVERY:
        played.places.append((count, step.place))


def _caught(step: Replayed, past: PastMove) -> Json | None:
    move = past.action.move if isinstance(past.action, Overruled) else past.action
    if step.decision is None or not isinstance(move, Catch | Reveal):
        return None
    # Other events need not be written out.
    events = [event_to_json(event) for event in step.decision.events]
    return caught_by(step.round, move_to_json(move), step.decision.ruling.legal, events)


@dataclass(frozen=True, slots=True)
class Outline:
    """A round as it was, to see later what has changed."""

    begun: tuple[Any, ...]
    moves: tuple[tuple[int, Action], ...]
    ended: tuple[Any, ...]


def outlines(history: History) -> list[Outline]:
    """Return the rounds of a history as they are now."""
    return [_outline(played) for played in history.rounds]


def _outline(played: PastRound) -> Outline:
    begun = (
        *(played.dealer, played.opening, played.abandons, played.seats),
        *(played.result, played.options),
    )
    moves = tuple((past.seq, past.action) for past in played.moves)
    late = tuple((past.seq, past.action) for past in played.late)
    return Outline(begun, moves, (played.broken_off, late))


def last_shared(played: Playback, before: list[Outline], history: History) -> Place | None:
    """Return the last kept place up to which the history is still what it was."""
    number, move = _first_difference(before, outlines(history))
    kept = (place for _, place in reversed(played.places))
    return next((place for place in kept if (place.round, place.move) <= (number, move)), None)


def _first_difference(before: list[Outline], after: list[Outline]) -> tuple[int, int]:
    """Return the round and how many of its moves are the same; -1 if it began otherwise."""
    for number, (was, is_) in enumerate(zip(before, after, strict=False), 1):
        if was.begun != is_.begun:
            return number, -1
        pairs = enumerate(zip(was.moves, is_.moves, strict=False))
        same = next((i for i, (old, new) in pairs if old != new), None)
        if same is not None:
            return number, same
        if was != is_:
            return number, min(len(was.moves), len(is_.moves))
    return min(len(before), len(after)) + 1, -1


def ruled_by_entry(steps: list[Ruled]) -> Mapping[int, Ruled]:
    """Return the moves of a game played again by their log entries."""
    return {step.entry: step for step in steps if step.entry is not None}
