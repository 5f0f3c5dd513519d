"""A table in memory: the state of its game and everything around it, as far as its log was read."""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.rules.engine import ruleset_as_played
from referee.rules.position.state import Game, State
from referee.rules.records.serial import (
    game_from_json,
    game_to_json,
    state_from_json,
    state_to_json,
)
from referee.service.log.table_meta import Meta, meta_from_json, meta_to_json
from referee.service.presence import Presence

TAIL = 64


@dataclass(frozen=True, slots=True, eq=False)
class LogEntry:
    """An entry of the log, with its body parsed."""

    seq: int
    kind: str
    at: str
    body: Mapping[str, Any]


class TableProjection:
    """One table. Hold ``lock`` to write.

    ``changed`` is notified after each entry, and ``listeners`` are called.
    ``watchers`` counts open streams; for them the newest entries are kept in ``tail``. ``unsure``:
    a write was broken off, and the log may hold entries that are missing here. ``purged``: it was
    deleted. ``asks`` counts changes of who asks to be let in with devices.
    """

    def __init__(self, table_id: str, code: str, created: str, state: State) -> None:
        self.id = table_id
        self.code = code
        self.created = created
        self.state = state
        self.meta = Meta()
        self.version = 0
        self.lock = threading.Lock()
        self.changed = threading.Condition()
        self.listeners: set[Callable[[], None]] = set()
        self.tail: deque[LogEntry] = deque(maxlen=TAIL)
        self.watchers = 0
        self.unsure = False
        self.purged = False
        self.asks = 0
        self.presence = Presence()

    def game_at(self, entry: LogEntry) -> Game:
        """Return the game, with the deck and house rules that were played with at an entry."""
        for until, ruleset, options in self.meta.decks:
            if entry.seq < until:
                return replace(self.state.game, ruleset=ruleset_as_played(ruleset, options or {}))
        return self.state.game

    def announce(self) -> None:
        """Wake all that wait for something new."""
        with self.changed:
            self.changed.notify_all()
        for listener in tuple(self.listeners):
            listener()

    def snapshot(self) -> dict[str, Any]:
        """Return the table as JSON, to load it without reading the whole log."""
        return {
            "game": game_to_json(self.state.game),
            "state": state_to_json(self.state),
            "meta": meta_to_json(self.meta),
        }

    def restore(self, seq: int, value: Mapping[str, Any]) -> None:
        """Load a snapshot."""
        game = game_from_json(value["game"]).game
        state, meta = state_from_json(game, value["state"]), meta_from_json(value["meta"])
        self.state, self.meta, self.version = state, meta, seq


# Folds an entry into a table; with the state after it, where the caller has it already.
Fold = Callable[[TableProjection, LogEntry, State | None], None]
