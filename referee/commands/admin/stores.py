"""``referee admin``: copies of an SQLite store."""

import argparse
from dataclasses import asdict
from pathlib import Path

from referee.commands.output import console, print_json, printable
from referee.store import backup
from referee.store.backup import StoreContents


def back_up(args: argparse.Namespace) -> int:
    """Make a copy."""
    checked = backup.back_up(args.settings.database, args.file)
    return _say(args, args.file, checked, "is a whole copy")


def restore(args: argparse.Namespace) -> int:
    """Put a copy in the store's place."""
    checked, kept = backup.restore(args.file, args.settings.database)
    store = backup.sqlite_file(args.settings.database)
    _say(args, store, checked, "is the store now")
    if kept is not None and not args.json:
        console().print(f"What was there before is kept as {printable(str(kept))}.", soft_wrap=True)
    return 0


def check(args: argparse.Namespace) -> int:
    """Look through a store."""
    path = args.file or backup.sqlite_file(args.settings.database)
    return _say(args, path, backup.check(path), "is whole")


def _say(args: argparse.Namespace, path: Path, checked: StoreContents, what: str) -> int:
    if args.json:
        print_json({"file": str(path), **asdict(checked)})
        return 0
    amount = f"{checked.tables} tables, {checked.entries} entries, {checked.size} bytes"
    console().print(f"{printable(str(path))} {what}: {amount}.", soft_wrap=True)
    return 0
