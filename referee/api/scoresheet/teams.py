"""Teams on a score sheet: their points are those of their members."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Team:
    """A team's seats, and their points together."""

    seats: tuple[int, ...]
    points: int

    def names(self, seats: Sequence[str]) -> str:
        """Return the members' names in one line."""
        return " + ".join(seats[seat - 1] for seat in self.seats)


def teams_of(sheet: Mapping[str, Any]) -> list[Team]:
    """Return the teams of a sheet in their order, none where everybody plays alone."""
    return [
        Team(tuple(team), sum(sheet["scores"][seat - 1] for seat in team))
        for team in sheet["options"].get("teams") or ()
    ]
