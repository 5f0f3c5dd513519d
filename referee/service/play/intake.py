"""Observations: what a device saw becomes the awaited move or a discrepancy.

A device only reports what it saw. A tower that the game expects to be moved settles the choice; any
other out of place is a discrepancy, and play goes on.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from referee.rules.message import Message
from referee.rules.suggestions import must_be_one_of, no_such_card
from referee.service.access import Principal
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tables import check_seat
from referee.service.pile.layers import PILE
from referee.service.problems import Problem, invalid
from referee.service.reconcile.act_on_pile import explain_pile, see_camera, see_pile
from referee.service.reconcile.hands import see_hand
from referee.service.reconcile.unit_of_work import UnitOfWork

# Probabilities are rounded on their way.
MOST_PROBABLE = 1.01
# A device's clock may be so far off; chosen by judgement.
CLOCKS_DIFFER = timedelta(minutes=10)


def observe(
    log: EventLog, table: TableProjection, request: WriteRequest, seen: Mapping[str, Any]
) -> LogEntry:
    """Record an observation and its meaning for the game. Raises Problem."""
    by = request.principal
    if seen["kind"] in CHECKS:
        CHECKS[seen["kind"]](table, seen)

    seen = with_possible_time(seen, table.created, datetime.now(UTC))

    def decide() -> Change:
        device = table.meta.devices.get(by.id)
        if device is None or device.revoked:
            raise Problem("forbidden", "This device is not registered at the table.")
        if seen["kind"] not in REPORTED_BY[device.kind]:
            kinds = ", ".join(REPORTED_BY[device.kind])
            told = Message("a {device} reports {kinds} only", device=device.kind, kinds=kinds)
            raise invalid("kind", told)
        work = UnitOfWork(log, table)
        named = {"id": device.id, "name": device.name, "kind": device.kind}
        return work.change(SEE[seen["kind"]](work, by, named, seen))

    return log.write(table, request, decide)[0]


def with_possible_time(seen: Mapping[str, Any], created: str, now: datetime) -> Mapping[str, Any]:
    """Return the observation with a time that can be.

    A small computer without a clock says 1970 or 2038. What it saw counts all the same, as seen
    when it came; ``said_at`` has what it said. What waited in an outbox keeps its time: after the
    table was ``created``.
    """
    at = datetime.fromisoformat(seen["at"])
    if datetime.fromisoformat(created) - CLOCKS_DIFFER <= at <= now + CLOCKS_DIFFER:
        return seen
    return {**seen, "at": now.isoformat(timespec="milliseconds"), "said_at": seen["at"]}


def _check_powers(table: TableProjection, seen: Mapping[str, Any]) -> None:
    ruleset = table.state.game.ruleset
    powers, most = ruleset.powers, ruleset.most_seats
    named = {
        f"{field}.{power}": power
        for field in ("powers", "conflicts")
        for power in seen.get(field, {})
    }
    for number, fault in enumerate(seen.get("faults", ())):
        named |= {
            f"faults.{number}.powers": power for power in fault["powers"] if power not in powers
        }
    for field, power in named.items():
        if power not in powers:
            raise invalid(field, _none_such(powers))
    for power, position in seen["powers"].items():
        if isinstance(position, int) and not 0 <= position <= most:
            reason = Message("must be a place from 0 to {most}", most=most)
            raise invalid(f"powers.{power}", reason)


def _none_such(powers: tuple[str, ...]) -> Message:
    if not powers:
        return Message("this deck has neither towers nor powers")
    return Message("this deck has none such; it has {powers}", powers=", ".join(powers))


def _check_pile(table: TableProjection, seen: Mapping[str, Any]) -> None:
    _check_cards(table, "cards", seen.get("cards", {}))
    weighed = seen.get("readings") or any(seen.get("likelihoods", {}).values())
    if seen["event"] == "unsure" and not weighed:
        raise invalid("readings", Message("is missing: {name} needs it", name="unsure"))
    places = [*(str(seat) for seat in range(1, len(table.state.game.seats) + 1)), PILE]
    for place in seen.get("from", {}):
        if place not in places:
            raise invalid(f"from.{place}", must_be_one_of(place, places))


def _check_hand(table: TableProjection, seen: Mapping[str, Any]) -> None:
    for number, reading in enumerate(seen["shown"]):
        _check_cards(table, f"shown.{number}", reading)
    if "seat" in seen:
        check_seat(table, seen["seat"])


def _check_cards(table: TableProjection, field: str, reading: Mapping[str, float]) -> None:
    for card in reading:
        if card not in table.state.game.ruleset.deck.cards:
            reason = no_such_card(card, table.state.game.ruleset.deck.cards)
            raise invalid(f"{field}.{card}", reason, "deck.unknown")
    if sum(reading.values()) > MOST_PROBABLE:
        raise invalid(field, "the probabilities are more than 1 together")


def _see_powers(work: UnitOfWork, by: Principal, device: Any, seen: Mapping[str, Any]) -> int:
    entry = work.observe_towers(by, device, seen)
    explain_pile(work)
    return entry


# By kind of device: what it may report.
REPORTED_BY: Mapping[str, tuple[str, ...]] = {
    "board": ("powers",),
    "camera": ("pile", "camera", "hand"),
}
# By kind of observation: the check against the table's deck, and the use of it, which returns the
# observation's entry.
CHECKS: Mapping[str, Callable[[TableProjection, Mapping[str, Any]], None]] = {
    "powers": _check_powers,
    "pile": _check_pile,
    "hand": _check_hand,
}
SEE: Mapping[str, Callable[..., int]] = {
    "powers": _see_powers,
    "pile": see_pile,
    "camera": see_camera,
    "hand": see_hand,
}
