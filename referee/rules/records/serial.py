"""Events and states to JSON and back, for the log and snapshots."""

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

from referee.rules.engine import make_game
from referee.rules.options import options_to_json
from referee.rules.position import events as ev
from referee.rules.position.state import FollowUp, Game, Ledger, Proof, State, Watch, new_state

EVENTS: tuple[type[ev.Event], ...] = get_args(ev.Event)


def _kind(event: type[ev.Event]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", event.__name__).lower()


KINDS: Mapping[type[ev.Event], str] = {event: _kind(event) for event in EVENTS}
BY_KIND: Mapping[str, type[ev.Event]] = {kind: event for event, kind in KINDS.items()}
FIELDS: Mapping[type[ev.Event], tuple[str, ...]] = {
    event: tuple(f.name for f in fields(event)) for event in EVENTS
}


def event_to_json(event: ev.Event) -> dict[str, Any]:
    """Return an event as JSON: ``{"event": kind, …fields}``."""
    kind = type(event)
    return {"event": KINDS[kind], **{name: getattr(event, name) for name in FIELDS[kind]}}


def event_from_json(value: Mapping[str, Any]) -> ev.Event:
    """Read what ``event_to_json`` wrote."""
    rest = {name: _tuples(item) for name, item in value.items() if name != "event"}
    return BY_KIND[value["event"]](**rest)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def game_to_json(game: Game) -> dict[str, Any]:
    """Return a game's ruleset, options and seats as JSON."""
    return {
        "ruleset": game.ruleset.id,
        "options": options_to_json(game.options, game.ruleset.usual),
        "seats": list(game.seats),
    }


def game_from_json(value: Mapping[str, Any]) -> State:
    """Read what ``game_to_json`` wrote: the game before its first round."""
    return new_state(make_game(value["ruleset"], value["options"], tuple(value["seats"])))


# For fields whose types JSON loses; in the others, lists only have to become tuples.
READERS: Mapping[str, Any] = {
    "awaiting": _tuples,
    "laid": lambda value: value and ev.Laid(**value),
    "follow_up": lambda value: value and FollowUp(*value),
    "raised": lambda value: {int(seat): n for seat, n in value.items()},
    "open_hands": lambda value: {int(seat): tuple(until) for seat, until in value.items()},
    "notices": lambda value: tuple(
        ev.Announced(**{name: _tuples(field) for name, field in item.items()}) for item in value
    ),
    "ledgers": lambda value: {int(seat): _ledger(item) for seat, item in value.items()},
    "evidence": lambda value: tuple(Proof(*item) for item in value),
    "gifts": lambda value: {int(seat): tuple(cards) for seat, cards in value.items()},
    "revealed": lambda value: {int(seat): tuple(hand) for seat, hand in value.items()},
    "counted": lambda value: {int(seat): points for seat, points in value.items()},
}
WRITERS: Mapping[str, Any] = {
    "laid": lambda value: value and {n: getattr(value, n) for n in FIELDS[ev.Laid]},
    "notices": lambda value: [{n: getattr(x, n) for n in FIELDS[ev.Announced]} for x in value],
}
STATE_FIELDS = tuple(f.name for f in fields(State) if f.name != "game")


def state_to_json(state: State) -> dict[str, Any]:
    """Return a position as JSON, without its game. It contains shown hands: never serve it."""
    return {
        name: WRITERS[name](value) if name in WRITERS else _plain(value)
        for name in STATE_FIELDS
        for value in (getattr(state, name),)
    }


def state_from_json(game: Game, value: Mapping[str, Any]) -> State:
    """Read what ``state_to_json`` wrote."""
    read = {
        name: READERS[name](item) if name in READERS else _tuples(item)
        for name, item in value.items()
    }
    return State(game, **read)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return value


def _ledger(value: Any) -> Ledger:
    taken, watches = value
    return Ledger(taken, tuple(Watch(*_tuples(watch)) for watch in watches))
