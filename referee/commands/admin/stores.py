"""``referee admin backup``, ``restore`` and ``check``: copies of an SQLite database."""

import argparse
from dataclasses import asdict
from pathlib import Path

from referee.commands.output import console, print_json, printable
from referee.store import backup
from referee.store.backup import StoreContents
from referee.texts.catalog import counted


def back_up(args: argparse.Namespace) -> int:
    """Copy the database."""
    checked = backup.back_up(args.settings.database, args.file)
    return _print(args, args.file, checked, "is a complete copy")


def restore(args: argparse.Namespace) -> int:
    """Replace the database by a copy."""
    checked, kept = backup.restore(args.file, args.settings.database)
    store = backup.sqlite_file(args.settings.database)
    _print(args, store, checked, "is the database now")
    if kept is not None and not args.json:
        console().print(f"The previous one is kept as {printable(str(kept))}.", soft_wrap=True)
    return 0


def check(args: argparse.Namespace) -> int:
    """Check the database, or a copy."""
    path = args.file or backup.sqlite_file(args.settings.database)
    return _print(args, path, backup.check(path), "is intact")


def _print(args: argparse.Namespace, path: Path, checked: StoreContents, what: str) -> int:
    if args.json:
        print_json({"file": str(path), **asdict(checked)})
        return 0
    amount = f"{counted(checked.tables, 'table')}, {counted(checked.entries, 'entry', 'entries')}"
    named = printable(str(path))
    console().print(f"{named} {what}: {amount}, {checked.size} bytes.", soft_wrap=True)
    return 0
