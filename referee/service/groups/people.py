"""What a group's games say about each of its people."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from referee.service.groups.keep import same
from referee.store.groups import KeptGame

Json = dict[str, Any]
COUNTS = ("rounds", "rounds_won", "caught", "catches", "right", "wrong", "bluffed", "fours")


@dataclass(slots=True)
class Person:
    """Somebody across games; ``hit_by`` counts who made them draw, by ``same`` name."""

    name: str
    games: int = 0
    won: int = 0
    streak: int = 0
    best_streak: int = 0
    last: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    hit_by: Counter[str] = field(default_factory=Counter)

    def play(self, facts: Mapping[str, Any], at: str) -> None:
        """Count a game."""
        self.games += 1
        self.won += facts["won"]
        self.streak = self.streak + 1 if facts["won"] else 0
        self.best_streak = max(self.best_streak, self.streak)
        self.last = max(self.last, at)
        self.counts.update({name: facts.get(name, 0) for name in COUNTS})


def games_json(games: Iterable[KeptGame]) -> list[Json]:
    """Return games as the API shows them, in their order."""
    return [
        {"table": game.table_id, "game": game.game, **orjson.loads(game.body)} for game in games
    ]


def people_json(games: Iterable[Mapping[str, Any]]) -> list[Json]:
    """Return what games, the newest first, say about everybody named; who won most comes first."""
    people: dict[str, Person] = {}
    for game in sorted(games, key=lambda game: str(game["ended"])):
        seats = game["seats"]
        known = {seat["seat"]: same(seat["name"]) for seat in seats if seat["name"] is not None}
        for seat in seats:
            if seat["seat"] not in known:
                continue
            person = people.setdefault(known[seat["seat"]], Person(seat["name"]))
            person.name = seat["name"]
            person.play(seat, game["ended"])
        for seat in seats:
            for victim, count in seat.get("hits", {}).items():
                if seat["seat"] in known and int(victim) in known:
                    people[known[int(victim)]].hit_by[known[seat["seat"]]] += count
    ordered = sorted(people.values(), key=lambda who: (-who.won, -who.games, same(who.name)))
    return [_shown(person, people) for person in ordered]


def _shown(person: Person, people: Mapping[str, Person]) -> Json:
    worst = sorted(person.hit_by.items(), key=lambda item: (-item[1], item[0]))
    nemesis = {"name": people[worst[0][0]].name, "count": worst[0][1]} if worst else None
    return {
        "name": person.name,
        "games": person.games,
        "won": person.won,
        "streak": person.streak,
        "best_streak": person.best_streak,
        "last": person.last,
        **{name: person.counts[name] for name in COUNTS},
        "nemesis": nemesis,
    }
