"""``referee-table pair``: register a device with the host's token and store the device's own."""

import argparse
import getpass
import json
import os
import sys
import time
import uuid
from pathlib import Path

from hardware.backends import BACKENDS, BOARD, CAMERA, BackendError, make_device
from hardware.commands import CommandError
from hardware.commands.output import say
from hardware.commands.pairing.naming import kept_port, kept_source
from hardware.gateway.api import Api, Reply, Unreachable
from hardware.gateway.config import (
    CAMERA_NAME,
    DeviceConfig,
    ServerConfig,
    read_server,
)
from hardware.gateway.config_edit import with_device
from hardware.gateway.fields import ConfigError, Fields, check_token, read_token
from hardware.paths import default_file, write_private
from hardware.retry import Retry

TRIES = 5
# Placeholder token for the trial edit of the file, before the server is asked.
TRIAL = "trial"
HELP = "register a board or camera and write the configuration"
DESCRIPTION = (
    "Register a device at a table with the host's token, and write it\n"
    "into the configuration file, which only you can read afterwards."
)
EPILOG = """\
Asks for the host's token unless --token or --token-file gives it. The host's token is used once and
not stored; the file gets the device's own token, which the host can revoke. A device of the same
name in the file gets the new token, and the file then names this server and table. A camera also
gets the table's deck.

examples:
  referee-table pair --server http://192.168.1.20:8000 --table 3hq7w
  referee-table pair --server https://referee.example --table 3hq7w --token-file host
  referee-table pair --server http://192.168.1.20:8000 --table 3hq7w --backend camera --source 0

exit status: 0 paired, 1 refused by the server, 2 wrong flags or configuration
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("--server", metavar="URL", required=True, help="the referee's address")
    add("--table", metavar="ID", required=True, help="the table's id")
    host = parser.add_mutually_exclusive_group()
    host.add_argument(
        "--token", metavar="TOKEN", help="the host's token; other users may see it in ps"
    )
    host.add_argument("--token-file", metavar="FILE", type=Path, help="file with the host's token")
    add("--name", help="the device's name (Board or Camera)")
    add("--backend", default=BOARD, choices=sorted(BACKENDS), help="(%(default)s)")
    add(
        "--port",
        default="auto",
        help="the board's port, or auto: one with the USB identity of a board (%(default)s)",
    )
    add("--source", help="the camera, as for 'referee-table camera' (0, the first one)")
    add("--config", metavar="FILE", type=Path, help="the TOML file to write")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    file = args.config or default_file(os.environ)
    name = args.name or (CAMERA_NAME if args.backend == CAMERA else "Board")
    try:
        options = _options(args)
        trial = DeviceConfig(name, args.backend, options, TRIAL)
        before = file.read_text("utf-8") if file.exists() else ""
        server = _try_out(file, before, args, trial)
        api = Api(server, _host_token(args))
        # The server is asked last: a token that cannot be written would be lost.
        token = _register(api, name, "camera" if args.backend == CAMERA else "board")
        if args.backend == CAMERA:
            options = {**options, **deck_option(api)}
        device = DeviceConfig(name, args.backend, options, token)
        write_private(file, with_device(before, server.url, server.table, device))
    except ConfigError as error:
        raise CommandError(2, str(error)) from None
    except UnicodeDecodeError:
        raise CommandError(2, f"{file} is no text") from None
    except OSError as error:
        raise CommandError(2, f"{file} cannot be written: {error.strerror}") from None
    except (_Denied, Unreachable) as error:
        raise CommandError(1, str(error)) from None
    say(f"{name!r} is registered at table {server.table}; its token is in {file}.")
    if args.backend == CAMERA and "ruleset" not in options:
        say("The camera does not know the deck of this table; it considers every card it knows.")
    say("Next: 'referee-table doctor', then 'referee-table run'; restart a running gateway.")
    return 0


def _options(args: argparse.Namespace) -> dict[str, str]:
    """Return the device's options for the file. Raises ConfigError."""
    if args.backend == CAMERA:
        options = {"source": args.source or "0"}
        try:
            make_device(CAMERA_NAME, CAMERA, options)
        except BackendError as error:
            raise ConfigError(str(error)) from None
        return {"source": kept_source(options["source"])}
    if args.source is not None:
        raise ConfigError("--source is for a camera: --backend camera")
    return {"port": kept_port(args.port)} if args.backend == BOARD else {}


def deck_option(api: Api) -> dict[str, str]:
    """Return the table's ruleset, if the camera knows its deck."""
    from hardware.camera.decks import RULESETS

    try:
        ruleset = (api.get(api.table_path()).body or {}).get("ruleset")
    except Unreachable:
        return {}
    return {"ruleset": ruleset} if ruleset in RULESETS else {}


class _Denied(Exception):  # noqa: N818 - what the server did
    """The server refuses to register the device; the text says why."""


def _try_out(
    file: Path, before: str, args: argparse.Namespace, trial: DeviceConfig
) -> ServerConfig:
    """Check that the file can be written; return the server to ask. Raises ConfigError."""
    try:
        # The file's certificate settings apply to pairing, too.
        named = with_device(before, args.server, args.table, trial)
        server = read_server(named, file.parent)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None
    folder = next(parent for parent in file.absolute().parents if parent.exists())
    if not folder.is_dir():
        raise ConfigError(f"{file} cannot be written: {folder} is no folder")
    if not os.access(folder, os.W_OK) or (file.exists() and not os.access(file, os.W_OK)):
        raise ConfigError(f"{file} cannot be written: you may not write in {folder}")
    return server


def _host_token(args: argparse.Namespace) -> str:
    fields = Fields({})
    if args.token_file is not None:
        return read_token(fields, "--token-file", args.token_file)
    if args.token is not None:
        return check_token(fields, "--token", args.token)
    if not sys.stdin.isatty():
        return check_token(fields, "the token on standard input", sys.stdin.readline().strip())
    return check_token(fields, "the host's token", getpass.getpass("The host's token: ").strip())


def _register(api: Api, name: str, kind: str) -> str:
    """Register the device; return its token. Raises _Denied, Unreachable."""
    body = json.dumps({"name": name, "kind": kind}).encode()
    key, retry = str(uuid.uuid4()), Retry()
    for left in reversed(range(TRIES)):
        try:
            reply = api.post(api.table_path("/devices"), body, key)
        except Unreachable:
            if not left:
                raise
        else:
            if reply.status < 500 or not left:
                return _token_from(reply)
        # It may have arrived: the same key makes it safe to post again.
        time.sleep(retry.failed())
    raise AssertionError("the last try answers or raises")


def _token_from(reply: Reply) -> str:
    token = (reply.body or {}).get("token")
    if reply.status == 201 and isinstance(token, str):
        return check_token(Fields({}), "the token that the server made", token)
    if reply.status == 401:
        raise _Denied(f"the host's token is not accepted: {reply.detail}")
    if reply.status == 403:
        raise _Denied(f"this is not the token of the table's host: {reply.detail}")
    if reply.problem is None:
        raise _Denied(f"what answers ({reply.status}) is no referee; is --server right?")
    raise _Denied(f"the referee does not register it: {reply.detail}")
