"""A group's games as files: a table for spreadsheets, and plays as the app BG Stats takes them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from referee.service.groups.people import COUNTS
from referee.texts import deck_name_of

Json = dict[str, Any]
HEAD = ("ended", "deck", "table", "game", "name", "points", "won", *COUNTS)
SOURCE = "Referee"
# It opens the app with a play to be kept; the play is the query, as JSON (docs/people.md).
BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="


def lines(games: Iterable[Mapping[str, Any]]) -> Iterable[Sequence[Any]]:
    """Yield a line for each seat of each game, under ``HEAD``; 1 stands for yes."""
    for game in games:
        for seat in game["seats"]:
            yield (
                *(game["ended"], game["ruleset"], game["table"], game["game"]),
                *(seat["name"] or "", seat["points"], int(seat["won"])),
                *(seat.get(name, 0) for name in COUNTS),
            )


def play(game: Mapping[str, Any], lang: str) -> Json:
    """Return a game as a play of BG Stats; who has no name is left out."""
    sign = 1 if game["low"] else -1
    ranks = sorted(sign * seat["points"] for seat in game["seats"])
    begun, ended = (datetime.fromisoformat(game[name]) for name in ("begun", "ended"))
    return {
        "sourceName": SOURCE,
        "sourcePlayId": f"{game['table']}-{game['game']}",
        "playDate": begun.strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": max(1, round((ended - begun).total_seconds() / 60)),
        "game": {
            "name": deck_name_of(game["ruleset"], lang),
            "sourceGameId": game["ruleset"],
            "highestWins": not game["low"],
            "noPoints": not any(ranks),
        },
        "players": [
            {
                "name": seat["name"],
                "sourcePlayerId": seat["name"],
                "score": str(seat["points"]),
                "winner": seat["won"],
                # Whoever has won is first alone, also where nothing was scored.
                "rank": 1 if seat["won"] else max(2, ranks.index(sign * seat["points"]) + 1),
            }
            for seat in game["seats"]
            if seat["name"] is not None
        ],
    }


def link(game: Mapping[str, Any], lang: str) -> str:
    """Return the address that opens BG Stats with a game."""
    return BG_STATS + quote(json.dumps(play(game, lang), ensure_ascii=False), safe="")
