"""The audit trail: corrections, and who gave or took back access."""

from typing import Any

from referee.service.access import Principal
from referee.service.log.entries import parse_entry
from referee.service.log.event_log import EventLog
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.play.views import entry_view, sees_all

OVERRULED = ("corrected",)
LET_IN = (
    *("joined", "token-issued", "token-rotated", "token-revoked", "device-registered"),
    *("host-made", "host-ended", "host-asked", "host-agreed", "host-request-ended"),
    *("code-renewed", "closed", "opened-again"),
)
KINDS = {"overruled": OVERRULED, "access": LET_IN, "all": (*OVERRULED, *LET_IN)}


def audit(
    log: EventLog, table: TableProjection, reader: Principal, kind: str
) -> list[dict[str, Any]]:
    """The entries of a kind, oldest first, each with the token that made it.

    A correction lists its changes: rulings that came out differently, and scores before and after.
    """
    names = {row["id"]: row["name"] for row in log.reader.tokens_of(table.id)}
    entries = log.reader.entries_of_kind(table.id, KINDS[kind])
    return [_item(table, parse_entry(entry), reader, names) for entry in entries]


def _item(
    table: TableProjection, entry: LogEntry, reader: Principal, names: dict[str, str | None]
) -> dict[str, Any]:
    body = entry.body
    view = entry_view(entry, sees_all(table, entry, reader))
    item = {name: view[name] for name in ("id", "kind", "at")}
    item["by"] = {**body["by"], "name": names.get(body["by"].get("token", ""))}
    if "token" in body:
        item["about"] = {"token": body["token"], "name": names.get(body["token"])}
    if "device" in body:
        item["about"] = {"token": body["device"]["id"], "name": body["device"]["name"]}
    if entry.kind == "corrected":
        item["change"] = view["change"]
        item["changed"] = body["changed"]
        item["scores_before"] = body["scores_before"]
        item["scores_after"] = body["state"]["scores"]
    if entry.seq in table.meta.undone:
        item["undone"] = table.meta.undone[entry.seq]
    for name in ("role", "seat", "reason", "how", "why"):
        if name in body:
            item[name] = body[name]
    return item
