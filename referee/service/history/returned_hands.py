"""Where hands and drawn cards have to go after a correction."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee.rules.position.events import Drew, Event, HandsPassed, Redealt
from referee.rules.position.fold_seats import receivers


@dataclass(frozen=True, slots=True)
class HandsMoved:
    """That a step of a game passed hands on or dealt them out again."""

    step: int
    round: int
    entry: int
    event: HandsPassed | Redealt


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """That a seat drew cards in a step of a game."""

    step: int
    round: int
    seat: int
    count: int


# Each seat → whose hand it holds: the deal, or the entry that dealt anew, and the seat.
Holders = dict[int, tuple[int, int]]


def moved_hands(step: int, number: int, entry: int, events: Sequence[Event]) -> list[HandsMoved]:
    """Return what a step did to whole hands."""
    return [
        HandsMoved(step, number, entry, event)
        for event in events
        if isinstance(event, HandsPassed | Redealt)
    ]


def cards_drawn(step: int, number: int, events: Sequence[Event]) -> list[CardsDrawn]:
    """Return what seats drew in a step."""
    return [
        CardsDrawn(step, number, event.seat, event.count)
        for event in events
        if isinstance(event, Drew)
    ]


def drawn_by_seat(drawn: Sequence[CardsDrawn], number: int, seats: int) -> list[int]:
    """Return how many cards each seat drew in a round."""
    counts = Counter[int]()
    for draw in drawn:
        if draw.round == number:
            counts[draw.seat] += draw.count
    return [counts[seat] for seat in range(1, seats + 1)]


def hands_to_pass(
    before: Sequence[HandsMoved], after: Sequence[HandsMoved], number: int
) -> list[list[int]]:
    """Return how hands of a round have to go round the table, where it was played otherwise.

    Each list is like ``HandsPassed.seats``: a seat gives its hand to the next, the last one to the
    first. Hands that were shuffled in one of the two cannot be told apart, and stay.
    """
    old_holders, new_holders = _holders(before, number), _holders(after, number)
    seats = old_holders.keys() | new_holders.keys()
    held = {old_holders.get(seat, (0, seat)): seat for seat in seats}
    goes = {held.get(new_holders.get(seat, (0, seat)), 0): seat for seat in seats}
    if goes.keys() != seats:
        return []
    cycles, left = [], {seat for seat in seats if goes[seat] != seat}
    while left:
        cycle = [min(left)]
        while goes[cycle[-1]] != cycle[0]:
            cycle.append(goes[cycle[-1]])
        cycles.append(cycle)
        left -= set(cycle)
    return cycles


def hands_go(
    before: Sequence[HandsMoved], after: Sequence[HandsMoved], number: int, cycles: list[list[int]]
) -> str:
    """Return where hands go that have to go round the table: ``back``, ``on`` or ``otherwise``.

    They go on as by a card that counts now, each to the next player.
    """
    old, new = ([one.event for one in moved if one.round == number] for moved in (before, after))
    if len(new) < len(old):
        return "back"
    passed = [event.seats for event in new if isinstance(event, HandsPassed)]
    circles = {(*seats[at:], *seats[:at]) for seats in passed for at in range(len(seats))}
    return "on" if all(tuple(cycle) in circles for cycle in cycles) else "otherwise"


def hands_kept(before: Sequence[HandsMoved], after: Sequence[HandsMoved], number: int) -> list[int]:
    """Return whose hands of a round stay because some were shuffled in one of the two games alone.

    Nobody can sort such hands again, and only whoever holds them knows how many cards they have.
    """
    old, new = _holders(before, number), _holders(after, number)
    if {entry for entry, _ in old.values()} | {0} == {entry for entry, _ in new.values()} | {0}:
        return []
    seats = sorted(old.keys() | new.keys())
    return [seat for seat in seats if old.get(seat, (0, seat)) != new.get(seat, (0, seat))]


def _holders(moved: Sequence[HandsMoved], number: int) -> Holders:
    holders: Holders = {}
    for change in moved:
        if change.round != number:
            continue
        if isinstance(change.event, Redealt):
            holders |= {seat: (change.entry, seat) for seat in change.event.seats}
        else:
            pairs = receivers(change.event)
            holders |= {to: holders.get(seat, (0, seat)) for seat, to in pairs}
    return holders
