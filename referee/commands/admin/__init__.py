"""``referee admin``: manage the tables and the database of a server."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import requests

from referee.commands.admin import codes, stores, tables
from referee.commands.admin.editor import EditError
from referee.commands.output import complain
from referee.config import settings_from_env
from referee.service.problems import Problem
from referee.store.database import DatabaseError, using

FAILED = 2
SERVER_HELP = "the server using it (the one that runs here)"
DESCRIPTION = """\
Manage the tables of a server and its database.
"""
EPILOG = """\
examples:
  referee admin list                          all tables, with the time of the last entry
  referee admin audit TABLE                   corrections, overrulings and access
  referee admin export TABLE > game.json      the game as a record
  referee admin host TABLE                    a link for the phone of another host
  referee admin host TABLE --seat 2           the phone of seat 2 is a host as well
  referee admin close TABLE --reason "over"   make a table read-only
  referee admin purge TABLE --yes             delete a table for good
  referee admin backup tables.backup          a checked copy, while the server runs
  referee admin retention --idle-days 90      what would be purged (purge it with --yes)
  referee admin codes --tables 1000           how long join codes resist guessing

The command works on the database, beside a running server as well: while one uses an SQLite file,
changes go through it. See docs/operations.md.

exit status: 0 done, 1 partly done, 2 failed
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--database", metavar="FILE|URL", help="SQLite file or PostgreSQL URL (REFEREE_DATABASE)"
    )
    shared.add_argument("--json", action="store_true", help="JSON instead of text")
    jobs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, help_, do, *arguments in JOBS:
        job = jobs.add_parser(name, parents=[shared], help=help_, description=f"{help_}.")
        server = SERVER_HELP if do in THROUGH_SERVER else argparse.SUPPRESS
        job.add_argument("--server", metavar="URL", help=server)
        for names, options in arguments:
            job.add_argument(*names, **options)
        job.set_defaults(run=run, do=do)


def _days(text: str) -> int:
    # A negative number would make every table idle.
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError("must be a whole number of days, 0 or more")
    return int(text)


Argument = tuple[Sequence[str], dict[str, Any]]
TABLE: Argument = (["table"], {"metavar": "TABLE", "help": "the table's id"})
DAYS: dict[str, Any] = {"type": _days, "metavar": "N"}
YES: Argument = (["--yes"], {"action": "store_true", "help": "do it"})
A_FILE: dict[str, Any] = {"metavar": "FILE", "type": Path}
NUMBER: dict[str, Any] = {"type": int, "metavar": "N"}
THROUGH_SERVER = (
    *(tables.close, tables.reopen, tables.purge, tables.let_host_in),
    *(tables.revoke, tables.retention),
)
# name, help, function and arguments of each command
JOBS: tuple[tuple[Any, ...], ...] = (
    (
        "list",
        "List tables, with the time of the last entry",
        tables.list_all,
        (["--quiet-days"], {**DAYS, "help": "only tables without an entry for N days"}),
    ),
    ("show", "Show the seats, scores and tokens of a table", tables.show, TABLE),
    (
        "audit",
        "Show corrections, overrulings and access to a table",
        tables.show_audit,
        TABLE,
        (
            ["--kind"],
            {"choices": ["all", "overruled", "access"], "default": "all", "help": "(%(default)s)"},
        ),
    ),
    (
        "export",
        "Print a game as a record",
        tables.export,
        TABLE,
        (["--game"], {**NUMBER, "help": "an earlier game of the table"}),
    ),
    (
        "close",
        "Close a table, so that nothing more is written",
        tables.close,
        TABLE,
        (["--reason"], {"metavar": "TEXT", "help": "the reason, for the audit"}),
    ),
    ("reopen", "Reopen a closed table", tables.reopen, TABLE),
    (
        "purge",
        "Delete tables for good",
        tables.purge,
        (["tables"], {"metavar": "TABLE", "nargs": "+", "help": "the tables' ids"}),
        YES,
    ),
    (
        "host",
        "Issue another host's token and link, or make a seat's phone a host",
        tables.let_host_in,
        TABLE,
        (["--name"], {"metavar": "NAME", "help": "the host's name"}),
        (["--seat"], {**NUMBER, "help": "make the phone of seat N a host instead"}),
    ),
    (
        "revoke",
        "Revoke a token",
        tables.revoke,
        TABLE,
        (["token"], {"metavar": "TOKEN-ID", "help": "the token's id, from show or audit"}),
    ),
    (
        "retention",
        "List, or purge, tables without recent entries",
        tables.retention,
        (["--finished-days"], {**DAYS, "help": "finished tables"}),
        (["--idle-days"], {**DAYS, "help": "any table"}),
        YES,
    ),
    (
        "backup",
        "Copy an SQLite database while the server runs, and check the copy",
        stores.back_up,
        (["file"], {**A_FILE, "help": "the copy; must not exist yet"}),
    ),
    (
        "restore",
        "Replace the database by a copy; the server must be stopped",
        stores.restore,
        (["file"], {**A_FILE, "help": "the copy"}),
    ),
    (
        "check",
        "Check an SQLite database, or a copy of one",
        stores.check,
        (["file"], {**A_FILE, "nargs": "?", "help": "a copy (default: the database)"}),
    ),
    (
        "codes",
        "Estimate how long join codes resist guessing",
        codes.show,
        (["--tables"], {**NUMBER, "default": 1000, "help": "open tables (%(default)s)"}),
        (["--addresses"], {**NUMBER, "default": 1000, "help": "attacking addresses (%(default)s)"}),
    ),
)


def run(args: argparse.Namespace) -> int:
    """Run the subcommand."""
    try:
        args.settings = settings_from_env()
        if args.database is not None:
            args.settings = replace(args.settings, database=args.database)
        if args.server and args.do not in THROUGH_SERVER:
            raise ValueError(
                "--server is for commands that change a table; this one reads the database itself, "
                "which --database names"
            )
        with using(args.settings.database):
            status: int = args.do(args)
    except (DatabaseError, EditError, Problem, ValueError) as error:
        complain("admin", str(error))
        return FAILED
    except requests.RequestException as error:
        server = args.server or "the server that uses the database"
        complain("admin", f"{server} does not answer ({type(error).__name__}).")
        return FAILED
    except BrokenPipeError:
        raise
    except OSError as error:
        complain("admin", f"{error.filename}: {error.strerror}")
        return FAILED
    sys.stdout.flush()
    return status
