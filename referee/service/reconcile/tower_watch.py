"""The towers as a board sees them, followed through one write to a table's game."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.rules.actions import ChoosePowers
from referee.rules.position.state import State
from referee.service.log.table_meta import Meta
from referee.service.pile.tower_positions import (
    Position,
    Sightings,
    agree,
    choice_made,
    chooser,
    discrepancies,
    observation_meaning,
    powers_moved,
    see,
    taken,
)


class TowerWatch:
    """Where towers were seen, and since which entry their moves count as choices.

    Without a board nothing was seen, and nothing is done.
    """

    __slots__ = ("_before", "_sightings", "_since")

    def __init__(self, meta: Meta) -> None:
        self._sightings: Sightings = meta.sightings
        self._since = meta.turn_since
        self._before = meta.turn_before

    @property
    def seen(self) -> bool:
        """Whether a board has seen any tower."""
        return bool(self._sightings)

    def follow(self, events: Sequence[dict[str, Any]], entry: int) -> None:
        """Follow the events of the ruling that becomes this entry."""
        if self._sightings:
            if any(event["event"] == "turn-came" for event in events):
                self._before, self._since = self._since, entry
            self._sightings = agree(self._sightings, powers_moved(events))

    def restart(self, state: State, entry: int) -> None:
        """Go on from a state that no move led to; towers moved earlier make no choice."""
        self._before = self._since = entry
        self._sightings = agree(self._sightings, state.powers.items())

    def see(self, state: State, device: str, positions: Mapping[str, Position], entry: int) -> None:
        """Note where a device sees towers."""
        self._sightings = see(self._sightings, state, device, positions, entry)

    def meaning(self, state: State, positions: Mapping[str, Position]) -> str:
        """Return what it means that towers are seen there."""
        return observation_meaning(state, positions, self._sightings, self._since)

    def discrepancies(self, state: State) -> Iterable[dict[str, Any]]:
        """Return the towers that are out of place."""
        return discrepancies(state, self._sightings, self._since)

    def choice(self, state: State) -> ChoosePowers | None:
        """Return the choice that moved towers leave no doubt about."""
        if not self._sightings:
            return None
        return choice_made(state, self._sightings, self._since, self._before)

    def unfinished(self, state: State) -> ChoosePowers | None:
        """Return the towers moved so far as a choice, if one is awaited."""
        if not self._sightings:
            return None
        seat, moved = chooser(state), taken(state, self._sightings, self._since)
        return None if seat is None or not moved else ChoosePowers(seat, moved)

    def device_of(self, choice: ChoosePowers) -> str:
        """Return the device that saw the choice."""
        return self._sightings[choice.powers[0]].device
