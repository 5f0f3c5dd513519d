"""Folds of entries around the game: what the table is, its people, devices, and agreements."""

from collections.abc import Mapping
from dataclasses import replace

from referee.rules.position.state import State
from referee.service.log.table_meta import HouseProposal, Proposal, TableDevice, timer_from_json
from referee.service.log.table_projection import Fold, LogEntry, TableProjection
from referee.service.pile.tower_positions import see


def _created(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.mode = entry.body["mode"]
    table.meta.tournament = entry.body.get("tournament")
    table.meta.open = entry.body.get("open", False)
    table.meta.timer = timer_from_json(entry.body.get("timer"))


def _group_chosen(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.group = entry.body["group"]


def _mode_chosen(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.mode = entry.body["mode"]


def _nothing(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    """Change nothing: the entry concerns the log alone."""


def _seat_joined(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    if "asks" in entry.body:
        table.meta.asking = {**table.meta.asking, entry.body["token"]: entry.body["asks"]}
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
    table.meta.code_since = entry.at


def _closed(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.closed = entry.at if entry.kind == "closed" else None


def _token_revoked(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    meta = table.meta
    gone = entry.body["token"]
    meta.claims = {seat: token for seat, token in meta.claims.items() if token != gone}
    meta.asking = {token: name for token, name in meta.asking.items() if token != gone}
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


def _house_proposed(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    body = entry.body
    approved = [] if body["seat"] is None else [body["seat"]]
    before = table.meta.house
    agreed = before is not None and not before.missing(table.state.order)
    table.meta.house = HouseProposal(
        entry.seq,
        body["options"],
        body["changes"],
        body["seat"],
        approved,
        instead=before if agreed else None,
    )


def _house_approved(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    house = table.meta.house
    if house is not None:
        # Nobody approves where the last one who had not answered has left.
        answered = {entry.body["seat"]} - {None}
        house.approved = sorted({*house.approved, *answered})
        house.settled = entry.body["agreed"]
        if house.settled:
            house.instead = None


def _house_ended(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    house = table.meta.house
    table.meta.house = house.instead if house is not None else None


def _timer_chosen(table: TableProjection, entry: LogEntry, state: State | None) -> None:
    table.meta.timer = timer_from_json(entry.body["timer"])


TABLE_FOLDS: Mapping[str, Fold] = {
    "created": _created,
    "mode-chosen": _mode_chosen,
    "group-chosen": _group_chosen,
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
    "house-rules-proposed": _house_proposed,
    "house-rules-approved": _house_approved,
    "house-rules-ended": _house_ended,
    "timer-chosen": _timer_chosen,
    "time-up": _nothing,
    "confirmed": _nothing,
    "asked": _nothing,
    "answered": _nothing,
    "lapsed": _nothing,
}
