"""``referee-table memory``: show and forget the faces that tables have learnt."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from hardware.camera.decks import all_cards
from hardware.camera.learn.store import LearntCount, LookStoreError, forget, learnt_counts
from hardware.commands import exits
from hardware.commands.output import print_json, say
from hardware.gateway.config import ConfigError, Flags, load_config

WELL, FAILED, NOT_UNDERSTOOD = 0, 1, 2
HELP = "show and forget learnt faces"
DESCRIPTION = "Show and forget the faces that tables have learnt by playing."
EPILOG = """\
While the referee follows a table, the camera learns how its cards look: from those that people
named, and from those whose ruling they let stand. It keeps up to six looks of a face on this
computer, as numbers, never as pictures, and forgets them after 90 days. A correction takes back
what was learnt from the card put right.

In table.toml, [camera] learn = "table" keeps them for the table (the default), "deck" for all later
tables with this deck on this computer, "off" learns nothing.

examples:
  referee-table memory list
  referee-table memory forget --card red-7        this table's looks of one card
  referee-table memory forget                     everything that this table has learnt
  referee-table memory forget --everything        all tables

A running gateway takes it over within seconds.

exit status: 0 done, 1 the file cannot be used, 2 usage error or wrong configuration
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("what", choices=("list", "forget"))
    add("--card", metavar="CARD", help="only this card")
    add("--everything", action="store_true", help="of all tables")
    add("--table", metavar="ID", help="the table (that of the configuration)")
    add("--config", metavar="FILE", type=Path, help="the TOML file")
    add("--file", metavar="FILE", type=Path, help="the learnt faces")
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """List or forget."""
    with exits(NOT_UNDERSTOOD, ConfigError), exits(FAILED, LookStoreError):
        file, table = _where(args)
        if args.card is not None and args.card not in all_cards():
            raise ConfigError(f"there is no card {args.card}")
        if args.what == "forget":
            return _forget(args, file, table)
        counts = [
            count
            for count in learnt_counts(file)
            if table in (None, count.table) and args.card in (None, count.card)
        ]
    _show(counts, as_json=args.json)
    return WELL


def _where(args: argparse.Namespace) -> tuple[Path, str | None]:
    """Return the file and the table; None for all tables. Raises ConfigError."""
    if args.file is not None and (args.table is not None or args.everything):
        return args.file, None if args.everything else args.table
    config = load_config(args.config, Flags(table=args.table), os.environ)
    return args.file or config.learnt, None if args.everything else config.server.table


def _forget(args: argparse.Namespace, file: Path, table: str | None) -> int:
    gone = forget(file, table=table, card=args.card)
    whose = "all tables" if table is None else f"table {table}"
    what = "" if args.card is None else f" of {args.card}"
    say(f"forgot {_count(gone, 'look')}{what} of {whose}")
    return WELL


def _show(counts: Sequence[LearntCount], *, as_json: bool) -> None:
    if as_json:
        print_json([asdict(count) for count in counts])
        return
    if not counts:
        say("nothing is learnt")
    for table, cards in groupby(counts, key=lambda count: (count.table, count.ruleset)):
        listed = list(cards)
        shared = ", for later tables too" if any(count.shared for count in listed) else ""
        say(f"table {table[0]}, {table[1]}: {_count(len(listed), 'face')}{shared}")
        for count in listed:
            named = f", {count.by_people} named by people" if count.by_people else ""
            say(f"  {count.card}: {_count(count.looks, 'look')}{named}, newest {count.newest}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
