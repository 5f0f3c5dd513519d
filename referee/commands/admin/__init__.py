"""``referee admin``: for whoever runs a server."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import requests

from referee.commands.admin import codes, stores, tables
from referee.commands.admin.office import OfficeError
from referee.commands.output import complain
from referee.config import settings_from_env
from referee.service.problems import Problem
from referee.store.database import DatabaseError

SERVER = "http://127.0.0.1:8000"
FAILED = 2
EPILOG = """\
examples:
  referee admin list                          every table, and when it was last written to
  referee admin audit TABLE                   who overruled what, and who let whom in
  referee admin export TABLE > game.json      the game as a record
  referee admin close TABLE --reason "over"   nothing more is written there
  referee admin purge TABLE --yes             gone for good
  referee admin backup tables.backup          a checked copy, while the server runs
  referee admin retention --idle-days 90      what would be purged (with --yes: purge it)
  referee admin codes --tables 1000           how long join codes resist guessing

It works on the database itself. While a server uses an SQLite file, changes are asked of that
server instead, with its operator's key (REFEREE_OPERATOR_KEY). docs/operations.md has the rest.

exit status: 0 done, 1 not all of it was done, 2 could not be done
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "admin",
        help="list, close, export and purge tables; back up and restore",
        description="Look after the tables of a server and after its database.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--database", metavar="FILE|URL", help="where tables are kept (REFEREE_DATABASE)"
    )
    shared.add_argument(
        "--server", metavar="URL", default=SERVER, help="the server that uses it (%(default)s)"
    )
    shared.add_argument("--json", action="store_true", help="for programs")
    jobs = parser.add_subparsers(title="what", metavar="WHAT", required=True)

    def add(
        name: str, help_: str, do: Callable[[argparse.Namespace], int], *arguments: Argument
    ) -> None:
        job = jobs.add_parser(name, parents=[shared], help=help_, description=f"{help_}.")
        for names, options in arguments:
            job.add_argument(*names, **options)
        job.set_defaults(run=run, do=do)

    _add_tables(add)
    _add_stores(add)
    _add_codes(add)


def _days(text: str) -> int:
    # Days to come would be before no entry: every table would be taken for quiet.
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError("must be a whole number of days, 0 or more")
    return int(text)


Argument = tuple[Sequence[str], dict[str, Any]]
Add = Callable[..., None]
TABLE: Argument = (["table"], {"metavar": "TABLE", "help": "its id"})
DAYS: dict[str, Any] = {"type": _days, "metavar": "N"}
YES: Argument = (["--yes"], {"action": "store_true", "help": "do it"})


def _add_tables(add: Add) -> None:
    add(
        "list",
        "Tables, and when each was last written to",
        tables.list_all,
        (["--quiet-days"], {**DAYS, "help": "only if quiet for so long"}),
    )
    add("show", "One table: its seats, scores and tokens", tables.show, TABLE)
    add(
        "audit",
        "Who overruled what, and who let whom in",
        tables.show_audit,
        TABLE,
        (
            ["--kind"],
            {"choices": ["all", "overruled", "access"], "default": "all", "help": "(%(default)s)"},
        ),
    )
    add("export", "The game as a record", tables.export, TABLE)
    add(
        "close",
        "Let nothing more be written at a table",
        tables.close,
        TABLE,
        (["--reason"], {"metavar": "TEXT", "help": "why, for the audit"}),
    )
    add("reopen", "Let a closed table go on", tables.reopen, TABLE)
    add(
        "purge",
        "Delete tables for good",
        tables.purge,
        (["tables"], {"metavar": "TABLE", "nargs": "+", "help": "their ids"}),
        YES,
    )
    add(
        "host",
        "Hand out a host's token, for a table whose host has lost theirs",
        tables.let_host_in,
        TABLE,
        (["--name"], {"metavar": "NAME", "help": "whose it is"}),
    )
    add(
        "revoke",
        "Make a token void",
        tables.revoke,
        TABLE,
        (["token"], {"metavar": "TOKEN-ID", "help": "as show and audit name it"}),
    )
    add(
        "retention",
        "What is to be purged for having been quiet so long",
        tables.retention,
        (["--finished-days"], {**DAYS, "help": "finished tables"}),
        (["--idle-days"], {**DAYS, "help": "any table"}),
        YES,
    )


def _add_stores(add: Add) -> None:
    a_file = {"metavar": "FILE", "type": Path}
    add(
        "backup",
        "A checked copy of an SQLite store, made while the server runs",
        stores.back_up,
        (["file"], {**a_file, "help": "the copy; must not be there yet"}),
    )
    add(
        "restore",
        "Put a copy in the store's place; the server must be stopped",
        stores.restore,
        (["file"], {**a_file, "help": "the copy"}),
    )
    add(
        "check",
        "Look through an SQLite store, or a copy of one",
        stores.check,
        (["file"], {**a_file, "nargs": "?", "help": "(the database)"}),
    )


def _add_codes(add: Add) -> None:
    number = {"type": int, "metavar": "N"}
    add(
        "codes",
        "How long join codes resist guessing",
        codes.show,
        (["--tables"], {**number, "default": 1000, "help": "open tables (%(default)s)"}),
        (["--addresses"], {**number, "default": 1000, "help": "guessing addresses (%(default)s)"}),
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    try:
        args.settings = settings_from_env()
        if args.database is not None:
            args.settings = replace(args.settings, database=args.database)
        status: int = args.do(args)
    except (DatabaseError, OfficeError, Problem, ValueError) as error:
        complain("admin", str(error))
        return FAILED
    except requests.RequestException as error:
        complain("admin", f"{args.server} does not answer ({type(error).__name__}).")
        return FAILED
    except OSError as error:
        complain("admin", f"{error.filename}: {error.strerror}")
        return FAILED
    sys.stdout.flush()
    return status
