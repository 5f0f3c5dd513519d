"""One write to a table's game: the rulings it makes, and what devices see of them."""

from collections.abc import Mapping
from typing import Any

from referee.rules.actions import Action, ChoosePowers, Draw, Flip, Play
from referee.rules.engine import decide
from referee.rules.state import State
from referee.service.access import Principal
from referee.service.history import moved_body
from referee.service.live import LiveTable
from referee.service.sensed import (
    Position,
    Sightings,
    agree,
    choice_made,
    chooser,
    discrepancies,
    powers_moved,
    see,
    taken,
)

Body = dict[str, Any]


def with_discrepancies(body: Body, table: LiveTable, state: State, since: int) -> None:
    """Say in a body what stands elsewhere than it should; nothing at a table without devices."""
    sightings = table.meta.sightings
    if sightings:
        sightings = agree(sightings, state.powers.items())
        body["discrepancies"] = discrepancies(state, sightings, since)


class Sitting:
    """Entries for the log in the making, each on top of the one before.

    A move that moving towers has made (``sensed.choice_made``) is ruled on like one that was said.
    """

    def __init__(self, table: LiveTable) -> None:
        self._table = table
        self.state = table.state
        self._sightings: Sightings = table.meta.sightings
        self._since = table.meta.turn_since
        self._before = table.meta.turn_before
        self.entries: list[tuple[str, Body]] = []
        self.states: list[State | None] = []

    def rule(self, by: Principal, action: Action) -> bool:
        """Rule on a move; whether it was legal."""
        decision = decide(self.state, action)
        body = moved_body(by, action, decision.ruling, decision.events, decision.state)
        self.state = decision.state
        if self._sightings:
            if any(event["event"] == "turn-came" for event in body["events"]):
                self._before, self._since = self._since, self._next
            self._sightings = agree(self._sightings, powers_moved(body["events"]))
            body["discrepancies"] = self.discrepancies()
        self._add("moved", body)
        return decision.ruling.legal

    def observe(self, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        """Write down what a device saw, and what that says."""
        positions: Mapping[str, Position] = seen["powers"]
        self._sightings = see(self._sightings, self.state, by.id, positions, self._next)
        body: Body = {
            "by": by.to_json(),
            "round": self.state.round,
            "device": device,
            "observation": dict(seen),
        }
        self._add("observed", body)
        cause = self._next - 1
        settled = self.look(cause)
        found = self.discrepancies()
        body["meaning"] = "settled" if settled else self._meaning(positions, found)
        body["discrepancies"] = found

    def look(self, cause: int | None = None) -> bool:
        """Make the choice that moved towers have made, if any; whether there was one.

        ``cause`` is the entry of the observation that completed it.
        """
        if not self._sightings:
            return False
        choice = choice_made(self.state, self._sightings, self._since, self._before)
        return choice is not None and self._choose(choice, cause)

    def finish_choice(self, action: Action) -> None:
        """The next player plays on: whoever was choosing towers has taken what they have moved."""
        if not self._sightings or not isinstance(action, Play | Draw | Flip):
            return
        seat = chooser(self.state)
        moved = taken(self.state, self._sightings, self._since)
        if seat is None or not moved:
            return
        choice = ChoosePowers(seat, moved)
        if decide(self.state, choice).state.turn == action.seat:
            self._choose(choice, None)

    def discrepancies(self) -> list[Body]:
        """What stands elsewhere than it should, as things are now."""
        return discrepancies(self.state, self._sightings, self._since)

    def _choose(self, choice: ChoosePowers, cause: int | None) -> bool:
        by = Principal(self._sightings[choice.powers[0]].device, self._table.id, "device")
        legal = self.rule(by, choice)
        if cause is not None:
            self.entries[-1][1]["cause"] = cause
        return legal

    def _meaning(self, positions: Mapping[str, Position], found: list[Body]) -> str:
        if any(item["power"] in positions for item in found):
            return "discrepancy"
        if positions and all(position == "unknown" for position in positions.values()):
            return "unknown"
        if any(power in taken(self.state, self._sightings, self._since) for power in positions):
            return "choosing"
        return "lifted" if "lifted" in positions.values() else "agrees"

    @property
    def _next(self) -> int:
        return self._table.version + len(self.entries) + 1

    def _add(self, kind: str, body: Body) -> None:
        self.entries.append((kind, body))
        self.states.append(self.state)
