"""A table in memory, folded from its log: the state of its game and everything around it."""

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.rules.fold import evolve_all
from referee.rules.message import Message
from referee.rules.ruleset import find_ruleset
from referee.rules.serial import (
    event_from_json,
    game_from_json,
    game_to_json,
    state_from_json,
    state_to_json,
)
from referee.rules.state import Game, State, with_game
from referee.service.caught_players import caught_by
from referee.service.hosts import HOST_KINDS
from referee.service.pile.layers import pile_from_json
from referee.service.pile.seat_directions import arms_after
from referee.service.problems import Problem
from referee.service.table_meta import (
    REFEREE,
    Meta,
    Proposal,
    TableDevice,
    meta_from_json,
    meta_to_json,
)
from referee.service.tower_positions import agree, powers_moved, see

TAIL = 64
CONCERN_HOSTS = frozenset(
    {*HOST_KINDS, "host-asked", "host-agreed", "host-request-ended"},
)


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
    deleted.
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

    def take(self, entry: LogEntry, state: State | None = None) -> None:
        """Fold an entry in; ``state`` is the state after it, where the caller has it already.

        Raises Problem when a newer server has written it.
        """
        if entry.kind not in FOLDS:
            raise Problem(
                "newer-log",
                Message(
                    "A newer server has written entry {entry}: update this one.", entry=entry.seq
                ),
            )
        FOLDS[entry.kind](self, entry, state)
        if entry.kind in CONCERN_HOSTS:
            self.meta.hosts.take(entry.seq, entry.kind, entry.at, entry.body)
        if "pile" in entry.body:
            self.meta.pile = pile_from_json(entry.body["pile"])
        self.version = entry.seq
        if self.watchers:
            self.tail.append(entry)
        else:
            self.tail.clear()

    def game_at(self, entry: LogEntry) -> Game:
        """Return the game, with the deck that was played with at an entry."""
        for until, ruleset in self.meta.decks:
            if entry.seq < until:
                return replace(self.state.game, ruleset=find_ruleset(ruleset))
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


def check_kind(kind: str) -> None:
    """Check that an entry of this kind can be folded in once it is stored. Raises ValueError."""
    if kind not in FOLDS:
        raise ValueError(f"no fold for entries of kind {kind!r}")


def _nothing(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    """Change nothing: the entry concerns the log alone."""


def _seat_joined(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    if entry.body.get("seat") is not None:
        table.meta.claims = {**table.meta.claims, entry.body["seat"]: entry.body["token"]}
        # The seat's previous player may have chosen a language.
        others = table.meta.languages.items()
        table.meta.languages = {s: lang for s, lang in others if s != entry.body["seat"]}


def _language_chosen(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    others = {s: lang for s, lang in table.meta.languages.items() if s != entry.body["seat"]}
    lang = entry.body["language"]
    table.meta.languages = {**others, entry.body["seat"]: lang} if lang else others


def _code_renewed(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.code = entry.body["code"]


def _closed(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.closed = entry.at if entry.kind == "closed" else None


def _token_revoked(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    meta = table.meta
    gone = entry.body["token"]
    meta.claims = {seat: token for seat, token in meta.claims.items() if token != gone}
    if gone in meta.devices:
        device = replace(meta.devices[gone], revoked=True)
        meta.devices = {**meta.devices, gone: device}
        meta.sightings = {p: seen for p, seen in meta.sightings.items() if seen.device != gone}
        if meta.pile is not None and meta.pile.device == gone:
            meta.pile = meta.pile.unwatched()


def _device_registered(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    device = TableDevice(**entry.body["device"])
    table.meta.devices = {**table.meta.devices, device.id: device}


def _observed(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    meta = table.meta
    device = meta.devices[entry.body["device"]["id"]]
    seen = entry.body["observation"]
    powers = seen.get("powers", {})
    others = {p: places for p, places in device.conflicts.items() if p not in powers}
    device = replace(
        device,
        seen=entry.at,
        conflicts={**others, **seen.get("conflicts", {})},
        faults=tuple(seen.get("faults", device.faults)),
        silent=None,
    )
    meta.devices = {**meta.devices, device.id: device}
    meta.sightings = see(meta.sightings, table.state, device.id, powers, entry.seq)


def _device_silent(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    since = entry.at if entry.kind == "device-silent" else None
    device = table.meta.devices[entry.body["device"]["id"]]
    table.meta.devices = {**table.meta.devices, device.id: replace(device, silent=since)}


def _dealer_drawn(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.draws = {int(seat): card for seat, card in entry.body["draws"].items()}
    table.meta.tied = list(entry.body["tied"])
    table.meta.dealer = entry.body["dealer"]


def _custom_proposed(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.proposals.append(Proposal(entry.body["id"], entry.body["card"], entry.body["seat"]))
    table.meta.next_proposal = entry.body["id"] + 1


def _custom_approved(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    for proposal in table.meta.proposals:
        if proposal.id == entry.body["id"]:
            proposal.approved = sorted({*proposal.approved, entry.body["seat"]})


def _custom_withdrawn(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.proposals = [p for p in table.meta.proposals if p.id != entry.body["id"]]


def _round_opened(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    if state is None:
        start = table.state
        if entry.body.get("game"):
            start = with_game(start, game_from_json(entry.body["game"]).game)
        state = _evolved(start, entry)
    table.state = state
    _restart_towers(table, entry)


def _evolved(state: State, entry: LogEntry) -> State:
    return evolve_all(state, [event_from_json(event) for event in entry.body["events"]])


def _round_counted(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    before = table.state.scores
    _round_opened(table, entry, state)
    table.meta.results.append(round_result(table.state, before))


def _seats_changed(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    before, meta = table.state, table.meta
    table.state = state or _evolved(table.state, entry)
    for seat in range(len(before.game.seats) + 1, len(table.state.game.seats) + 1):
        # Somebody else may have had this number, whose joining was taken back.
        meta.claims = {s: token for s, token in meta.claims.items() if s != seat}
        meta.languages = {s: lang for s, lang in meta.languages.items() if s != seat}
    _follow_seats(meta, before.order, table.state.order)


def _follow_seats(meta: Meta, before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """Forget who drew for the deal, and where hands come from, as far as it no longer holds."""
    if set(before) != set(after) and meta.dealer not in after:
        meta.draws, meta.tied, meta.dealer = {}, [], None
    if meta.pile is not None:
        meta.pile = replace(meta.pile, arms=arms_after(meta.pile.arms, before, after))


def _game_ended(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.state = state or _evolved(table.state, entry)


def _created(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    # A table of an older version has no mode.
    table.meta.mode = entry.body.get("mode", REFEREE)
    table.meta.tournament = entry.body.get("tournament")


def _mode_chosen(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.mode = entry.body["mode"]


def _game_started(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    before = table.state.game.ruleset
    table.state = state or _evolved(game_from_json(entry.body["game"]), entry)
    meta = table.meta
    if table.state.game.ruleset is not before:
        meta.decks.append((entry.seq, before.id))
    meta.game, meta.game_since = entry.body["game_number"], entry.seq
    meta.results, meta.caught, meta.lapsed = [], [], None
    meta.draws, meta.tied, meta.dealer = {}, [], entry.body["dealer"]
    if not entry.body["same_cards"]:
        meta.proposals = []
    powers = table.state.game.ruleset.powers
    meta.sightings = {p: seen for p, seen in meta.sightings.items() if p in powers}
    _restart_towers(table, entry)


def _moved(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    if state is None:
        state = _evolved(table.state, entry)
    before, table.state = table.state, state
    offer = before.offer
    if offer is not None and state.offer is None and state.powers[offer[1]] != offer[0]:
        ended = {"seat": offer[0], "power": offer[1], "move": state.moves, "at": entry.at}
        table.meta.lapsed = {**ended, "round": state.round}
    meta = table.meta
    if state.turn is None and not state.awaiting:
        scored = [event for event in entry.body["events"] if event["event"] == "scored"]
        meta.results += [round_result(state, before.scores)] * len(scored)
    legal = entry.body["ruling"]["verdict"] == "legal"
    caught = caught_by(state.round, entry.body["move"], legal, entry.body["events"])
    if caught is not None:
        meta.caught.append(caught)
    if meta.devices:
        _follow_towers(meta, entry)


def _follow_towers(meta: Meta, entry: LogEntry) -> None:
    if any(event["event"] == "turn-came" for event in entry.body["events"]):
        meta.turn_before, meta.turn_since = meta.turn_since, entry.seq
    meta.sightings = agree(meta.sightings, powers_moved(entry.body["events"]))


def _corrected(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    if state is None:
        changed = entry.body.get("game")
        game = game_from_json(changed).game if changed else table.state.game
        state = state_from_json(game, entry.body["position"])
    table.state = state
    table.meta.results = list(entry.body["results"])
    # A correction by an older version lacks this.
    table.meta.caught = list(entry.body.get("caught", table.meta.caught))
    _mark_undone(table, entry)
    _restart_towers(table, entry)


def _mark_undone(table: TableProjection, entry: LogEntry) -> None:
    """Note what fell with a correction, and what stands again; older versions did not list it."""
    stands = set(_entries(entry.body, "stands"))
    undone = {one: by for one, by in table.meta.undone.items() if one not in stands}
    undone |= dict.fromkeys(_entries(entry.body, "fell"), entry.seq)
    if "voids" in entry.body:
        undone[entry.body["voids"]] = entry.seq
    table.meta.undone = undone


def _entries(body: Mapping[str, Any], name: str) -> list[int]:
    """Return the entries of the deeds that a correction lists; of many it has ranges."""
    if f"{name}_entries" in body:
        spans = body[f"{name}_entries"]
        return [number for first, last in spans for number in range(first, last + 1)]
    return [deed["id"] for deed in body.get(name, ())]


def _restart_towers(table: TableProjection, entry: LogEntry) -> None:
    """Prevent towers moved before this entry from making a choice after it."""
    meta = table.meta
    meta.turn_before = meta.turn_since = entry.seq
    meta.sightings = agree(meta.sightings, table.state.powers.items())


def round_result(state: State, before: Sequence[int]) -> dict[str, Any]:
    """Return a finished round as the score sheet has it; ``before`` are the scores before it."""
    return {
        "round": state.round,
        "dealer": state.dealer or None,
        "counted": state.top is None,
        "winner": state.round_winner,
        "scores": list(state.scores),
        "points": [now - was for now, was in zip(state.scores, before, strict=True)],
        "played": sorted(state.circle),
    }


FOLDS: Mapping[str, Callable[[TableProjection, LogEntry, State | None], None]] = {
    "created": _created,
    "mode-chosen": _mode_chosen,
    "joined": _seat_joined,
    "token-issued": _nothing,
    "language-chosen": _language_chosen,
    "token-revoked": _token_revoked,
    "token-rotated": _nothing,
    "host-made": _nothing,
    "host-ended": _nothing,
    "host-asked": _nothing,
    "host-agreed": _nothing,
    "host-request-ended": _nothing,
    "code-renewed": _code_renewed,
    "closed": _closed,
    "opened-again": _closed,
    "device-registered": _device_registered,
    "device-silent": _device_silent,
    "device-heard": _device_silent,
    "observed": _observed,
    "dealer-drawn": _dealer_drawn,
    "custom-proposed": _custom_proposed,
    "custom-approved": _custom_approved,
    "custom-withdrawn": _custom_withdrawn,
    "round-opened": _round_opened,
    "round-counted": _round_counted,
    "seats-changed": _seats_changed,
    "game-ended": _game_ended,
    "game-started": _game_started,
    "moved": _moved,
    "confirmed": _nothing,
    "corrected": _corrected,
    "asked": _nothing,
    "answered": _nothing,
    "lapsed": _nothing,
}
