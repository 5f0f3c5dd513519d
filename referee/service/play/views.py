"""What each reader may see: the public state, and hands that were shown to them.

Everything that leaves the service passes through here. A hand shown in a challenge and cards given
away are for the two players concerned, and for all once the round is over.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from referee.rules.play.rounds import next_dealer
from referee.rules.play.scoring import hands_that_count, is_out
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.rules.presets import code_of
from referee.rules.records.serial import game_to_json
from referee.service.access import Principal
from referee.service.log.entries import parse_entry
from referee.service.log.event_log import EventLog
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.host_changes import is_heard, is_host_silent, request_view
from referee.service.people.house_approval import house_view
from referee.service.pile.discrepancies import pile_discrepancies
from referee.service.pile.tower_positions import discrepancies, with_silent_unknown


def entries_after(log: EventLog, table: TableProjection, after: int, limit: int) -> list[LogEntry]:
    """Up to ``limit`` entries after ``after``: from memory if they are recent, else as stored."""
    recent = [entry for entry in list(table.tail) if entry.seq > after]
    if after >= table.version:
        return []
    if recent and recent[0].seq == after + 1:
        return recent[:limit]
    return [parse_entry(entry) for entry in log.reader.entries(table.id, after, limit)]


# Facts for the table; the rest of the events are the engine's own bookkeeping.
TOLD = frozenset(
    {
        "played",
        "flipped",
        "turned-over",
        "color-named",
        "draw-due",
        "drew",
        "reshuffled",
        "discarded",
        "gave",
        "redealt",
        "revealed",
        "hand-set",
        "hand-counted",
        "seat-left",
        "seats-changed",
        "round-counted",
        "round-broken-off",
        "power-moved",
        "power-offered",
        "direction-turned",
        "turn-came",
        "turn-lost",
        "jumped-in",
        "stacked",
        "hands-passed",
        "seats-out",
        "protected",
        "awaited",
        "uno-called",
        "uno-kept",
        "uno-lapsed",
        "uno-missed",
        "follow-up-opened",
        "draw-raised",
        "hand-opened",
        "announced",
        "proved",
        "round-won",
        "scored",
        "game-won",
    }
)
# Fields of an entry's body that everybody may read.
COPIED = (
    *("round", "number", "dealer", "opening", "seat", "role", "drawn", "tied", "state"),
    *("changed", "scores_before", "results", "card", "language"),
    *("device", "observation", "meaning", "discrepancies", "cause", "presumed", "sight", "powers"),
    *("differs", "fell", "stands", "aside", "entered", "voids", "hands_passed", "hands_go"),
    *("hands_entry", "hands_kept", "cards_drawn", "follow_up", "counts"),
    *("fell_entries", "stands_entries"),
    *("question", "question_id", "option", "why", "how", "until"),
    *("result", "mode", "game_number", "options", "changes", "proposal", "agreed"),
    *("timer", "needs"),
)
HIDDEN_FIELDS: Mapping[str, str] = {"reveal": "hand", "give": "cards"}
HIDDEN_EVENTS: Mapping[str, str] = {"revealed": "hand", "gave": "cards"}
CHANGED_MOVES = ("replacement", "inserted")
Json = dict[str, Any]


def table_view(table: TableProjection) -> Json:
    """Return a table: its game, its seats and the public state."""
    # The version first: it must never be newer than the state served with it.
    version = table.version
    state = table.state
    meta = table.meta
    hosting = {host.seat for host in meta.hosts.held.values()}
    return {
        "id": table.id,
        "version": version,
        "code": table.code,
        "created": table.created,
        "closed": meta.closed,
        "mode": meta.mode,
        "open": meta.open,
        "asking": list(meta.asking.values()),
        "kept": meta.group is not None,
        "tournament": meta.tournament,
        "game": meta.game,
        **(game := game_to_json(state.game)),
        "house_code": code_of(game["options"]),
        "house_proposal": house_view(table),
        "timer": _timer_view(table),
        "seats": [
            {
                "seat": seat,
                "name": name,
                "in": seat in state.order,
                "out": is_out(state, seat),
                "taken": seat in meta.claims,
                "heard": is_heard(table, seat),
                "language": meta.languages.get(seat),
                "host": seat in hosting,
                "counted_hands": list(hands_that_count(state, seat)),
            }
            for seat, name in enumerate(state.game.seats, 1)
        ],
        "order": list(state.order),
        "hosts": len(meta.hosts.held),
        "host_request": request_view(table),
        "host_silent": is_host_silent(table),
        "round": state.round,
        "rounds_counted": state.scored,
        "dealer": state.dealer or None,
        "next_dealer": (next_dealer(state) or meta.dealer) if not state.in_progress else None,
        "state": public_state(state),
        "notices": notices(state),
        "sensed": {
            power: seen.position
            for power, seen in with_silent_unknown(meta.sightings, meta.silent).items()
        },
        "discrepancies": table_discrepancies(table),
        "camera": camera_view(table),
        "questions": questions(table),
        "follow_up": state.follow_up
        and {"seat": state.follow_up.seat, "rule": state.follow_up.rule},
        "offer": _newest_offer(state),
        "deal_draws": {
            "drawn": [{"seat": seat, "card": card} for seat, card in sorted(meta.draws.items())],
            "tied": list(meta.tied),
            "dealer": meta.dealer,
        },
    }


def table_discrepancies(table: TableProjection) -> list[Json]:
    """Return the powers and cards that are out of place."""
    meta, state = table.meta, table.state
    return [
        *discrepancies(state, with_silent_unknown(meta.sightings, meta.silent), meta.turn_since),
        *pile_discrepancies(state, meta.pile),
    ]


def camera_view(table: TableProjection) -> Json | None:
    """Return the state of the camera at the pile; None without one."""
    pile = table.meta.pile
    if pile is None:
        return None
    silent = pile.device in table.meta.silent
    sight = "blind" if silent else pile.sight
    seen = None if sight != "watching" else pile.visible
    waits = [pile.layers[i].reading for i in pile.waiting]
    return {
        "sight": sight,
        "reason": "silent" if silent else pile.reason,
        "warnings": [] if sight != "watching" else list(pile.warnings),
        "sees": seen.card if seen else None,
        "waiting": [reading.card for reading in waits if reading is not None],
    }


def questions(table: TableProjection) -> list[Json]:
    """Return the open questions."""
    pile = table.meta.pile
    if pile is None:
        return []
    return [question.shown() for question in (pile.question, *pile.hands) if question is not None]


def _newest_offer(state: State) -> Json | None:
    """Return the tower that stood open last, and for whom."""
    seat, power = state.offers[-1] if state.offers else (0, "")
    return {"seat": seat, "power": power} if seat else None


def notices(state: State) -> list[Json]:
    """Return the texts of custom cards that are in force, and whether their card lies on top."""
    rules = state.game.ruleset
    written = dict(zip(rules.custom, rules.written, strict=False)).get(state.top or "")
    on_top = written.announced_texts() if written else ()
    return [
        {
            "seats": list(notice.seats),
            "text": notice.text,
            "until_uno": notice.until_uno,
            "on_top": notice.text in on_top,
        }
        for notice in state.notices
    ]


def sees_all(table: TableProjection, entry: LogEntry, principal: Principal) -> bool:
    """Return whether ``principal`` may see the hand that an entry shows, if any.

    Its sender and the players concerned may, and everybody once the round is over.
    """
    body = entry.body
    change = body.get("change", {})
    move = body.get("move") or next((change[n] for n in CHANGED_MOVES if n in change), None)
    if move is None or move["move"] not in HIDDEN_FIELDS or _over(table, entry):
        return True
    if body["by"].get("token") == principal.id:
        return True
    concerned = {move["seat"], move.get("to")}
    concerned |= {e["to"] for e in body.get("events", ()) if e["event"] == "revealed"}
    return principal.role == "seat" and principal.seat in concerned


def _over(table: TableProjection, entry: LogEntry) -> bool:
    state = table.state
    earlier = entry.seq < table.meta.game_since or entry.body["round"] < state.round
    return earlier or state.round_winner is not None


def entry_view(entry: LogEntry, open_hands: bool, undone: int | None = None) -> Json:
    """Return an entry of the log; without ``open_hands`` the cards of a hand are only counted.

    ``undone`` is the correction after which it does not stand any more.
    """
    body = entry.body
    view: Json = {"id": entry.seq, "kind": entry.kind, "at": entry.at, "by": _by(body)}
    view |= {name: body[name] for name in COPIED if name in body}
    if entry.kind == "seats-changed":
        # An imported record does not say what was before.
        view |= {"seats": body["seats"], "was": body.get("was", {})}
    if "id" in body:
        view["card_id"] = body["id"]
    if "change" in body:
        view["change"] = {
            name: _move(value, open_hands) if name in CHANGED_MOVES else value
            for name, value in body["change"].items()
        }
    if "events" in body:
        view["events"] = [
            _event(event, open_hands) for event in body["events"] if event["event"] in TOLD
        ]
    if undone is not None:
        view["undone"] = undone
    if entry.kind in ("moved", "confirmed"):
        view["move"] = _move(body["move"], open_hands)
    if "ruling" in body:
        view["ruling"] = _ruling(body["ruling"], open_hands)
    return view


def _ruling(ruling: Mapping[str, Any], open_hands: bool) -> Json:
    # The arguments of a ruling on a hidden hand can name a card of it.
    return {name: ruling[name] for name in ruling if open_hands or name != "args"}


def _by(body: Mapping[str, Any]) -> Json:
    return {name: value for name, value in body["by"].items() if name != "token"}


def _move(move: Mapping[str, Any], open_hands: bool) -> Json:
    return _counted(move, None if open_hands else HIDDEN_FIELDS.get(move["move"]))


def _event(event: Mapping[str, Any], open_hands: bool) -> Json:
    return _counted(event, None if open_hands else HIDDEN_EVENTS.get(event["event"]))


def _counted(fields: Mapping[str, Any], hidden: str | None) -> Json:
    return {
        name: {"count": len(value)} if name == hidden else value for name, value in fields.items()
    }


def _timer_view(table: TableProjection) -> dict[str, Any] | None:
    """Return the table's timer, its running time, and the server's time now."""
    timer = table.meta.timer
    if timer is None:
        return None
    clock, now = timer.clock, datetime.now(UTC)
    running = clock and {
        "began": clock.began,
        "seat": clock.seat,
        "needs": list(clock.needs),
        "since": clock.since,
        "up": clock.up,
    }
    return {
        "seconds": timer.seconds,
        "then": timer.then,
        "running": running,
        "now": now.isoformat(timespec="milliseconds"),
    }
