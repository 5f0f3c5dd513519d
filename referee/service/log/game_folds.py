"""Folds of entries that lead the game on: rounds, moves, corrections, seats, and the next game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.rules.play.scoring import CountedHand, counted_hands
from referee.rules.position.fold import evolve_all
from referee.rules.position.state import State, with_game
from referee.rules.records.changed_options import with_house_rules
from referee.rules.records.serial import (
    event_from_json,
    game_from_json,
    game_to_json,
    state_from_json,
)
from referee.service.log.caught_players import caught_by
from referee.service.log.table_meta import HouseProposal, Meta
from referee.service.log.table_projection import Fold, LogEntry, TableProjection
from referee.service.pile.seat_directions import arms_after
from referee.service.pile.tower_positions import agree, powers_moved


def _round_opened(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    if state is None:
        start = table.state
        if entry.body.get("game"):
            start = with_game(start, game_from_json(entry.body["game"]).game)
        start = with_house_rules(start, entry.body.get("options"))
        state = _evolved(start, entry)
    _note_rules(table, entry, state)
    table.state = state
    table.meta.house = None
    _restart_towers(table, entry)


def _note_rules(table: TableProjection, entry: LogEntry, state: State) -> None:
    """Note by which rules was played until now, if there are others: old entries are about them."""
    before, game = table.state.game, state.game
    if game is not before and (game.ruleset.id, game.options) != (
        before.ruleset.id,
        before.options,
    ):
        options = game_to_json(before)["options"]
        table.meta.decks.append((entry.seq, before.ruleset.id, options))


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
    come = _names_in(table.state) - _names_in(before)
    meta.asking = {token: name for token, name in meta.asking.items() if name not in come}
    _follow_seats(meta, before.order, table.state.order)


def _names_in(state: State) -> set[str]:
    return {state.game.seats[seat - 1] for seat in state.order}


def _follow_seats(meta: Meta, before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """Forget who drew for the deal, and where hands come from, as far as it no longer holds."""
    if set(before) != set(after) and meta.dealer not in after:
        meta.draws, meta.tied, meta.dealer = {}, [], None
    if meta.pile is not None:
        meta.pile = replace(meta.pile, arms=arms_after(meta.pile.arms, before, after))


def _game_ended(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.state = state or _evolved(table.state, entry)


def _game_started(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    state = state or _evolved(game_from_json(entry.body["game"]), entry)
    _note_rules(table, entry, state)
    table.state, meta = state, table.meta
    meta.house = None
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
    for seat, power in before.offers:
        if (seat, power) not in state.offers and state.powers[power] != seat:
            ended = {"seat": seat, "power": power, "move": state.moves, "at": entry.at}
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
    _note_rules(table, entry, state)
    table.state = state
    if "handed_on" in entry.body:
        table.meta.house = _handed_on(table, entry)
    table.meta.results = list(entry.body["results"])
    table.meta.caught = list(entry.body["caught"])
    _mark_undone(table, entry)
    _restart_towers(table, entry)


def _handed_on(table: TableProjection, entry: LogEntry) -> HouseProposal | None:
    """Return the house rules of a round whose beginning was taken back: all had approved them."""
    options = entry.body["handed_on"]
    if options is None:
        return None
    return HouseProposal(entry.seq, options, {}, None, list(table.state.order), settled=True)


def _mark_undone(table: TableProjection, entry: LogEntry) -> None:
    """Note what fell with a correction, and what stands again."""
    stands = set(_entries(entry.body, "stands"))
    undone = {seq: by for seq, by in table.meta.undone.items() if seq not in stands}
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
        "points": [score - was for score, was in zip(state.scores, before, strict=True)],
        "played": sorted(state.circle),
        "hands": [_hand_to_json(hand) for hand in counted_hands(state)],
    }


def _hand_to_json(hand: CountedHand) -> dict[str, Any]:
    shown = hand.cards is not None
    return {
        "seat": hand.seat,
        "cards": list(hand.cards or ()) if shown else None,
        "card_points": list(hand.card_points or ()) if shown else None,
        "points": hand.points,
        "to": hand.to,
    }


GAME_FOLDS: Mapping[str, Fold] = {
    "round-opened": _round_opened,
    "round-counted": _round_counted,
    "seats-changed": _seats_changed,
    "game-ended": _game_ended,
    "game-started": _game_started,
    "moved": _moved,
    "corrected": _corrected,
}
