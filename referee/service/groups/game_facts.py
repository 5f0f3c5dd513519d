"""What a group keeps of a finished game, computed from the moves that stand."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from referee.rules.codec import move_to_json
from referee.rules.position import events as ev
from referee.rules.records.serial import event_to_json, game_to_json
from referee.rules.rulings import RuleError
from referee.service.history.standing_moves import read_history
from referee.service.log.caught_players import UNO, caught_by
from referee.service.log.event_log import EventLog
from referee.service.log.long_games import paced
from referee.service.log.past_rounds import Replayed, play_again
from referee.service.log.table_projection import TableProjection

Json = dict[str, Any]
BEGINS = ("created", "game-started")
PLAYED = ("round-opened", "round-counted", "moved", "game-ended")
FOUR = "wild-draw-four"


@dataclass(slots=True)
class SeatFacts:
    """What somebody did in a game.

    ``caught``: without UNO; ``right`` and ``wrong``: challenges; ``bluffed``: lost ones against it;
    ``fours``: wild-draw-fours played; ``hits``: cards that made others draw, by their seats.
    """

    rounds: int = 0
    rounds_won: int = 0
    caught: int = 0
    catches: int = 0
    right: int = 0
    wrong: int = 0
    bluffed: int = 0
    fours: int = 0
    hits: Counter[int] = field(default_factory=Counter)

    def to_json(self) -> Json:
        """Return the facts as they are stored; a count of 0 is left out."""
        names = (name for name in self.__slots__ if name != "hits")
        counts = {name: getattr(self, name) for name in names if getattr(self, name)}
        hits = {str(seat): count for seat, count in sorted(self.hits.items())}
        return {**counts, **({"hits": hits} if hits else {})}


def finished_games(log: EventLog, table: TableProjection, first: int) -> Iterator[tuple[int, Json]]:
    """Yield the finished games of a table from number ``first`` on, each with its facts.

    Raises Problem when long games keep the server busy.
    """
    times = _times(log, table, first)
    with log.long_games.turn(table.version):
        for game in range(first, table.meta.game + 1):
            facts = _facts_of(log, table, game) if game in times else None
            if facts is not None:
                begun, ended = times[game]
                yield game, {"begun": begun, "ended": ended, **facts}


def _times(log: EventLog, table: TableProjection, first: int) -> dict[int, tuple[str, str]]:
    """Map games to when their first round began, and when they were last played at."""
    times: dict[int, tuple[str, str]] = {}
    game = 0
    for entry in paced(log.reader.entries_of_kind(table.id, (*BEGINS, *PLAYED))):
        if entry.kind in BEGINS:
            game += 1
        elif game >= first:
            times[game] = (times.get(game, (entry.at,))[0], entry.at)
    return times


def _facts_of(log: EventLog, table: TableProjection, game: int) -> Json | None:
    """Return the facts of a game; None if it is not over, or cannot be replayed any more."""
    history = read_history(log.reader, table, game=game)
    facts: dict[int, SeatFacts] = {}
    state = history.start
    try:
        for step in paced(play_again(history)):
            state = step.state
            _count(facts, step)
    except RuleError:
        return None
    if state.winner is None:
        return None
    winners = state.winner if isinstance(state.winner, tuple) else (state.winner,)
    names, scores = state.game.seats, state.scores
    return {
        "ruleset": game_to_json(state.game)["ruleset"],
        "low": state.game.options.scoring == "low",
        "rounds": max((person.rounds for person in facts.values()), default=0),
        "seats": [
            {
                "seat": seat,
                "name": names[seat - 1],
                "points": scores[seat - 1],
                "won": seat in winners,
                **facts[seat].to_json(),
            }
            for seat in sorted(facts)
        ],
    }


def _count(facts: dict[int, SeatFacts], step: Replayed) -> None:
    def of(seat: int) -> SeatFacts:
        return facts.setdefault(seat, SeatFacts())

    if step.finished:
        for seat in step.state.circle:
            of(seat).rounds += 1
        if step.state.round_winner:
            of(step.state.round_winner).rounds_won += 1
    if step.past is None or step.decision is None or not step.decision.ruling.legal:
        return
    for event in step.decision.events:
        if isinstance(event, ev.Played) and event.card == FOUR:
            of(event.seat).fours += 1
        if isinstance(event, ev.DrawDue) and event.by not in (None, event.seat):
            of(event.by or 0).hits[event.seat] += 1
    told = [event_to_json(event) for event in step.decision.events]
    catch = caught_by(step.round, move_to_json(step.past.action), True, told)
    if catch is None:
        return
    if catch["rule"] == UNO:
        of(catch["of"]).caught += 1
        of(catch["by"]).catches += 1
    elif catch["right"]:
        of(catch["by"]).right += 1
        of(catch["of"]).bluffed += 1
    else:
        of(catch["by"]).wrong += 1
