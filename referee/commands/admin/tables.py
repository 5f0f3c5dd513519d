"""``referee admin``: list, show, close, export and purge tables."""

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from rich.table import Table

from referee.commands.admin.editor import open_editor, open_event_log
from referee.commands.output import complain, console, print_json, printable
from referee.service.access import OPERATOR
from referee.service.people.operator import describe
from referee.service.people.tokens import SHOWN
from referee.service.play.games import score_sheet
from referee.service.play.views import table_view
from referee.service.records.audit import audit
from referee.service.records.records import export_record
from referee.service.records.retention import RetentionPolicy, before, due
from referee.store.table_stats import table_stats

DONE, WRONG = 0, 1


def list_all(args: argparse.Namespace) -> int:
    """List all tables, or those without recent entries."""
    quiet = None
    if args.quiet_days is not None:
        quiet = before(datetime.now(UTC), args.quiet_days)
    with open_event_log(args.settings) as event_log:
        listed = [
            describe(event_log, table) for table in table_stats(event_log.engine, quiet_since=quiet)
        ]
    _show(args, listed, ("id", "ruleset", "seats", "entries", "created", "last", "closed"))
    return DONE


def show(args: argparse.Namespace) -> int:
    """Show one table."""
    with open_event_log(args.settings) as event_log:
        table = event_log.table(args.table)
        view = table_view(table)
        tokens = [
            {name: row[name] for name in SHOWN} for row in event_log.reader.tokens_of(table.id)
        ]
        scores = score_sheet(table)
    names = ("id", "ruleset", "version", "round", "created", "closed")
    about = {**{name: view[name] for name in names}, "scores": scores["scores"]}
    if args.json:
        print_json({**about, "seats": view["seats"], "tokens": tokens})
        return DONE
    named = zip(view["seats"], scores["scores"], strict=True)
    about["scores"] = [f"{seat['name']} {score}" for seat, score in named]
    for name, value in about.items():
        _say(f"{name:<10} {'no' if value is None else _in_words(value)}")
    _show(args, view["seats"], ("seat", "name", "in", "taken", "host"))
    _show(args, tokens, SHOWN)
    return DONE


def show_audit(args: argparse.Namespace) -> int:
    """Show corrections, overrulings and access."""
    with open_event_log(args.settings) as event_log:
        items = audit(event_log, event_log.table(args.table), OPERATOR, args.kind)
    if args.json:
        print_json(items)
        return DONE
    for item in items:
        _say(f"{item['id']}  {item['at']}  {item['kind']} by {_who(item['by'])}")
        if what := _what(item):
            _say(f"    {what}")
    return DONE


def _who(by: dict[str, Any]) -> str:
    named = by["name"] or (f"seat {by['seat']}" if "seat" in by else "")
    parts = dict.fromkeys((by["role"], named, by.get("token", "")))
    return " ".join(part for part in parts if part)


def _what(item: dict[str, Any]) -> str:
    parts = [f"{name} {_in_words(value)}" for name, value in item.get("change", {}).items()]
    for move in item.get("changed", ()):
        old, new = (f"{move[when]['verdict']} ({move[when]['rule']})" for when in ("was", "now"))
        parts.append(f"round {move['round']} move {move['move']}: {old} is now {new}")
    if item.get("scores_before") != item.get("scores_after"):
        old, new = (_in_words(item[f"scores_{when}"]) for when in ("before", "after"))
        parts.append(f"scores {old} are now {new}")
    if "undone" in item:
        parts.append(f"taken back by {item['undone']}")
    if "about" in item:
        parts.append(f"{item['about']['name'] or ''} {item['about']['token']}".strip())
    parts += [f"{name} {item[name]}" for name in ("role", "seat", "reason") if item.get(name)]
    return "; ".join(parts)


def export(args: argparse.Namespace) -> int:
    """Print a game as a record."""
    with open_event_log(args.settings) as event_log:
        table = event_log.table(args.table)
        print_json(export_record(event_log, table, OPERATOR, args.game))
    return DONE


def close(args: argparse.Namespace) -> int:
    """Close a table."""
    with open_editor(args.settings, args.server) as editor:
        editor.close(args.table, args.reason)
    return _done(args, f"Table {args.table} is closed.")


def reopen(args: argparse.Namespace) -> int:
    """Reopen a table."""
    with open_editor(args.settings, args.server) as editor:
        editor.reopen(args.table)
    return _done(args, f"Table {args.table} is open again.")


def purge(args: argparse.Namespace) -> int:
    """Delete tables."""
    if not args.yes:
        complain("admin", f"nothing was deleted; add --yes to delete {', '.join(args.tables)}")
        return WRONG
    with open_editor(args.settings, args.server) as editor:
        missing = [table for table in args.tables if not editor.purge(table)]
    for table in missing:
        complain("admin", f"There is no table {table}.")
    _done(args, f"{len(args.tables) - len(missing)} purged.")
    return WRONG if missing else DONE


def let_host_in(args: argparse.Namespace) -> int:
    """Issue a host's token, or make a seat's phone a host."""
    with open_editor(args.settings, args.server) as editor:
        if args.seat is not None:
            editor.make_host(args.table, args.seat)
            return _done(args, f"The phone of seat {args.seat} is a host now.")
        token, token_id = editor.let_host_in(args.table, args.name)
        link = f"{editor.phones or ''}/t/{args.table}#host={token}"
    if args.json:
        print_json({"token": token, "token_id": token_id, "link": link})
    else:
        _say(token)
        where = "" if editor.phones else "the server's address and then "
        _say(f"On the host's phone, open {where}{link}")
    return DONE


def revoke(args: argparse.Namespace) -> int:
    """Revoke a token."""
    with open_editor(args.settings, args.server) as editor:
        editor.revoke(args.table, args.token)
    return _done(args, f"Token {args.token} is revoked.")


def retention(args: argparse.Namespace) -> int:
    """List tables that are due to be purged, and purge them with --yes."""
    guard = args.settings.guard
    keep = RetentionPolicy(
        guard.keep_finished if args.finished_days is None else args.finished_days,
        guard.keep_idle if args.idle_days is None else args.idle_days,
    )
    if not keep:
        complain(
            "admin",
            "all tables are kept forever; --finished-days or --idle-days, of 1 or more, ends that",
        )
        return WRONG
    with open_event_log(args.settings) as event_log:
        dues = due(event_log, keep, datetime.now(UTC))
    _show(
        args,
        [{"id": row.table_id, "last": row.last, "why": row.why} for row in dues],
        LISTED_DUE,
    )
    if args.yes and dues:
        with open_editor(args.settings, args.server) as editor:
            gone = sum(editor.purge(row.table_id) for row in dues)
        return _done(args, f"{gone} purged.")
    return DONE if args.json else _done(args, f"{len(dues)} due; --yes purges them.")


LISTED_DUE = ("id", "last", "why")


def _show(args: argparse.Namespace, rows: Sequence[Any], columns: Sequence[str]) -> None:
    if args.json:
        print_json([{name: row.get(name) for name in columns} for row in rows])
        return
    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(printable(_in_words(row[name])) for name in columns))
    console().print(table)


def _in_words(value: Any) -> str:
    """Return a value of JSON as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_in_words(part)}" for name, part in value.items())
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    return "" if value is None else str(value)


def _say(text: str) -> None:
    console().print(printable(text), soft_wrap=True)


def _done(args: argparse.Namespace, text: str) -> int:
    if not args.json:
        _say(text)
    return DONE
