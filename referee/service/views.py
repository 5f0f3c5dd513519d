"""What each may see: the public state for all, and a shown hand only for whom it was shown to.

Everything that leaves the service passes through here. A hand shown in a challenge and cards given
away are for the two players concerned, and for all once the round is over.
"""

from collections.abc import Mapping
from typing import Any

from referee.rules.rounds import next_dealer
from referee.rules.serial import game_to_json
from referee.rules.state import State
from referee.rules.views import public_state
from referee.service.access import Principal
from referee.service.live import LiveTable, LogEntry

# Facts for the table; the rest of the events are the engine's own bookkeeping.
TOLD = frozenset(
    {
        "played",
        "flipped",
        "color-named",
        "drew",
        "reshuffled",
        "discarded",
        "gave",
        "redealt",
        "revealed",
        "hand-set",
        "power-moved",
        "power-offered",
        "direction-turned",
        "turn-came",
        "awaited",
        "uno-called",
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
HIDDEN_FIELDS: Mapping[str, str] = {"reveal": "hand", "give": "cards"}
HIDDEN_EVENTS: Mapping[str, str] = {"revealed": "hand", "gave": "cards"}
Json = dict[str, Any]


def table_view(table: LiveTable) -> Json:
    """A table: who plays what, and the public state."""
    # The version first: it must never be newer than the state served with it.
    version = table.version
    state = table.state
    meta = table.meta
    return {
        "id": table.id,
        "version": version,
        "code": table.code,
        "created": table.created,
        **game_to_json(state.game),
        "seats": [
            {"seat": seat, "name": name, "taken": seat in meta.claims}
            for seat, name in enumerate(state.game.seats, 1)
        ],
        "round": state.round,
        "dealer": state.dealer or None,
        "next_dealer": (next_dealer(state) or meta.dealer) if not state.in_progress else None,
        "state": public_state(state),
        "notices": notices(state),
        "follow_up": state.follow_up
        and {"seat": state.follow_up.seat, "rule": state.follow_up.rule},
        "offer": state.offer and {"seat": state.offer[0], "power": state.offer[1]},
        "deal_draws": {
            "drawn": [{"seat": seat, "card": card} for seat, card in sorted(meta.draws.items())],
            "tied": list(meta.tied),
            "dealer": meta.dealer,
        },
    }


def notices(state: State) -> list[Json]:
    """Texts of custom cards that are shown now."""
    return [
        {"seats": list(notice.seats), "text": notice.text, "until_uno": notice.until_uno}
        for notice in state.notices
    ]


def entry_view(table: LiveTable, entry: LogEntry, principal: Principal) -> Json:
    """An entry of the log as ``principal`` may see it."""
    body = entry.body
    view: Json = {"id": entry.seq, "kind": entry.kind, "at": entry.at, "by": _by(body)}
    for name in ("round", "number", "dealer", "opening", "seat", "role", "drawn", "tied", "state"):
        if name in body:
            view[name] = body[name]
    for name in ("change", "changed", "scores_before", "results", "card", "id"):
        if name in body:
            view["card_id" if name == "id" else name] = body[name]
    if entry.kind == "corrected":
        view["change"] = _change(table, body, principal)
    if "events" in body:
        view["events"] = [
            _event(table, body, event, principal)
            for event in body["events"]
            if event["event"] in TOLD
        ]
    if entry.kind == "moved":
        open_to_all = may_see(table, body, body["move"], principal)
        view["move"] = _move(body["move"], open_to_all)
        view["ruling"] = _ruling(body["ruling"], body["move"], open_to_all)
    return view


def _by(body: Mapping[str, Any]) -> Json:
    return {name: value for name, value in body["by"].items() if name != "token"}


def may_see(
    table: LiveTable, body: Mapping[str, Any], move: Mapping[str, Any], principal: Principal
) -> bool:
    """Whether the cards that a move shows are open to ``principal``."""
    if move["move"] not in HIDDEN_FIELDS or _over(table, body):
        return True
    if body["by"].get("token") == principal.id:
        return True
    concerned = {move["seat"], move.get("to")}
    concerned |= {e["to"] for e in body.get("events", ()) if e["event"] == "revealed"}
    return principal.role == "seat" and principal.seat in concerned


def _over(table: LiveTable, body: Mapping[str, Any]) -> bool:
    state = table.state
    return body["round"] < state.round or state.round_winner is not None


def _move(move: Mapping[str, Any], visible: bool) -> Json:
    hidden = None if visible else HIDDEN_FIELDS.get(move["move"])
    return {
        name: {"count": len(value)} if name == hidden else value for name, value in move.items()
    }


def _ruling(ruling: Mapping[str, Any], move: Mapping[str, Any], visible: bool) -> Json:
    # The arguments of a ruling on a hidden hand can name a card of it.
    return dict(ruling) if visible else {n: v for n, v in ruling.items() if n != "args"}


def _event(
    table: LiveTable, body: Mapping[str, Any], event: Mapping[str, Any], principal: Principal
) -> Json:
    hidden = HIDDEN_EVENTS.get(event["event"])
    if hidden is None or may_see(table, body, body["move"], principal):
        return dict(event)
    return {
        name: {"count": len(value)} if name == hidden else value for name, value in event.items()
    }


def _change(table: LiveTable, body: Mapping[str, Any], principal: Principal) -> Json:
    change = dict(body["change"])
    replacement = change.get("replacement")
    if replacement is not None:
        change["replacement"] = _move(replacement, may_see(table, body, replacement, principal))
    return change
