"""Observations: what a device saw becomes a move that the game waits for, or is told apart.

A device only says what it saw. A tower that the game expects to be moved settles the choice; any
other that stands elsewhere than it should is a discrepancy, and play goes on.
"""

from collections.abc import Callable, Mapping
from typing import Any

from referee.rules.message import Message
from referee.rules.state import MOST_SEATS
from referee.service.access import Principal
from referee.service.event_log import Change, EventLog, WriteRequest
from referee.service.hands import see_hand
from referee.service.pile.layers import PILE
from referee.service.pile_inference import drain, see_camera, see_pile
from referee.service.problems import Problem, invalid
from referee.service.table_projection import LogEntry, TableProjection
from referee.service.tables import check_seat
from referee.service.unit_of_work import UnitOfWork

# Probabilities are rounded on their way.
MOST_PROBABLE = 1.01


def observe(
    log: EventLog, table: TableProjection, request: WriteRequest, seen: Mapping[str, Any]
) -> LogEntry:
    """Write down what a device saw, and what it means for the game. Raises Problem."""
    by = request.principal
    if by.role != "device":
        raise Problem("forbidden", "Observations come from the table's devices only.")
    CHECKS[seen["kind"]](table, seen)

    def decide() -> Change:
        device = table.meta.devices.get(by.id)
        if device is None or device.revoked:
            raise Problem("forbidden", "This device is not registered at the table.")
        work = UnitOfWork(log, table)
        named = {"id": device.id, "name": device.name, "kind": device.kind}
        SEE[seen["kind"]](work, by, named, seen)
        return work.change(answer=0)

    entry, _ = log.write(table, request, decide)
    return entry


def _check_powers(table: TableProjection, seen: Mapping[str, Any]) -> None:
    powers = table.state.game.ruleset.powers
    named = {"powers": seen["powers"], "conflicts": seen.get("conflicts", {})}
    for field, said in named.items():
        for power in said:
            if power not in powers:
                raise invalid(f"{field}.{power}", _none_such(powers))
    for number, fault in enumerate(seen.get("faults", ())):
        for power in fault["powers"]:
            if power not in powers:
                raise invalid(f"faults.{number}.powers", _none_such(powers))
    for power, position in seen["powers"].items():
        if isinstance(position, int) and not 0 <= position <= MOST_SEATS:
            raise invalid(
                f"powers.{power}", Message("must be a place from 0 to {most}", most=MOST_SEATS)
            )


def _none_such(powers: tuple[str, ...]) -> Message:
    if not powers:
        return Message("this deck has neither towers nor powers")
    return Message("this deck has none such; it has {powers}", powers=", ".join(powers))


def _check_cards(table: TableProjection, seen: Mapping[str, Any]) -> None:
    cards = table.state.game.ruleset.deck.cards
    readings = {"cards": seen.get("cards", {})}
    readings |= {f"shown.{number}": one for number, one in enumerate(seen.get("shown", ()))}
    for field, reading in readings.items():
        for card in reading:
            if card not in cards:
                said = Message("the deck has no {card}", card=card)
                raise invalid(f"{field}.{card}", said, "deck.unknown")
        if sum(reading.values()) > MOST_PROBABLE:
            raise invalid(field, "the probabilities are more than 1 together")
    if "seat" in seen:
        check_seat(table, seen["seat"])
    weighed = seen.get("readings") or any(seen.get("likelihoods", {}).values())
    if seen.get("event") == "unsure" and not weighed:
        raise invalid("readings", Message("is missing: {name} needs it", name="unsure"))
    seats = range(1, len(table.state.game.seats) + 1)
    for place in seen.get("from", {}):
        if place != PILE and place not in {str(seat) for seat in seats}:
            choices = ", ".join([*(str(seat) for seat in seats), PILE])
            raise invalid(f"from.{place}", Message("must be one of {choices}", choices=choices))


def _check_nothing(table: TableProjection, seen: Mapping[str, Any]) -> None:
    """Whether a camera sees needs no comparing with the deck."""


def _see_powers(
    work: UnitOfWork, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]
) -> None:
    work.observe(by, device, seen)
    drain(work)


# kind of observation → what is checked against the table's deck, and what is made of it
CHECKS: Mapping[str, Callable[[TableProjection, Mapping[str, Any]], None]] = {
    "powers": _check_powers,
    "pile": _check_cards,
    "camera": _check_nothing,
    "hand": _check_cards,
}
SEE: Mapping[str, Callable[..., None]] = {
    "powers": _see_powers,
    "pile": see_pile,
    "camera": see_camera,
    "hand": see_hand,
}
