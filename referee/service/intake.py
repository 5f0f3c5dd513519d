"""Observations: what a device saw becomes a move that the game waits for, or is told apart.

A device only says what it saw. A tower that the game expects to be moved settles the choice; any
other that stands elsewhere than it should is a discrepancy, and play goes on.
"""

from collections.abc import Mapping
from typing import Any

from referee.rules.message import Message
from referee.rules.state import MOST_SEATS
from referee.service.house import Change, House, Request
from referee.service.live import LiveTable, LogEntry
from referee.service.problems import Problem, invalid
from referee.service.sitting import Sitting


def observe(house: House, table: LiveTable, request: Request, seen: Mapping[str, Any]) -> LogEntry:
    """Write down what a device saw, and what it means for the game. Raises Problem."""
    by = request.principal
    if by.role != "device":
        raise Problem("forbidden", "Observations come from the table's devices only.")
    _check(table, seen)

    def decide() -> Change:
        device = table.meta.devices.get(by.id)
        if device is None or device.revoked:
            raise Problem("forbidden", "This device is not registered at the table.")
        sitting = Sitting(table)
        named = {"id": device.id, "name": device.name, "kind": device.kind}
        sitting.observe(by, named, seen)
        return Change(sitting.entries, sitting.states, answer=0)

    entry, _ = house.write(table, request, decide)
    return entry


def _check(table: LiveTable, seen: Mapping[str, Any]) -> None:
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
