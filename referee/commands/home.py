"""``referee home``: the server for the phones of a house, with HTTPS."""

import argparse
import errno
import json
import os
import socket
import ssl
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from referee.api.middleware.redaction import redact_output
from referee.commands.output import complain
from referee.commands.server import (
    add_parent_flag,
    bracketed,
    check_port,
    drawn_code,
    follow_parent,
    listen,
    make_room,
    run_server,
)
from referee.config import Home, Settings, settings_from_env
from referee.extras import needs
from referee.rules.ruleset import load_variant
from referee.service.periodic_task import PeriodicTask
from referee.serving.process import SecureListener
from referee.store.database import DatabaseError, check_database
from referee.web.address import at_port, is_at_home

if TYPE_CHECKING:
    from referee.home.names import Names

# Seconds between looks at the machine's addresses and the certificate's files.
LOOK_EVERY = 5.0
# Seconds for an answer of what listens at our port, and bytes of it that are read.
LOOK_FOR, LONGEST_ANSWER = 2.0, 1_000
# Ports below are the administrator's, on most systems.
FIRST_FREE = 1024
PACKAGES = ("cryptography", "ifaddr", "zeroconf")


DESCRIPTION = """\
Serve the phones in the house over HTTP and, for the camera, a screen that stays
awake and the offline page, over HTTPS. At the first start a certificate
authority of the house's own is made; a page leads each phone through trusting
it, once. The server is announced as NAME.local.
"""
EPILOG = """\
The authority can only speak for names in .local and addresses of home networks.
Its key stays in FOLDER and is for your user alone. With a domain and a
certificate that phones trust anyway, use --cert and --key; both files are read
again when they change. docs/home.md has more.
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--port", type=int, default=8000, help="port of HTTP (%(default)s)")
    parser.add_argument("--secure-port", type=int, default=8443, help="port of HTTPS (%(default)s)")
    parser.add_argument(
        "--name", default="referee", help="name in the house, without .local (%(default)s)"
    )
    parser.add_argument(
        "--folder", type=Path, help="where certificates are kept (~/.local/share/referee/home)"
    )
    parser.add_argument("--cert", type=Path, metavar="FILE", help="a certificate of your own, PEM")
    parser.add_argument("--key", type=Path, metavar="FILE", help="its key, PEM")
    parser.add_argument(
        "--database", metavar="FILE|URL", help="SQLite file or PostgreSQL URL (referee.sqlite3)"
    )
    parser.add_argument(
        "--quiet", action="store_true", help="do not announce the server in the network"
    )
    add_parent_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    called = args.called or "home"
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        complain(called, needs("home", *missing))
        return 2
    follow_parent(args)
    from referee.home.authority import AuthorityError
    from referee.home.door import CertificateError

    with ExitStack() as stack:
        try:
            settings = _settings(args)
            house = _open(args, settings.database, stack)
        except (ValueError, DatabaseError, AuthorityError, CertificateError) as error:
            complain(called, str(error))
            return 2
        make_room(settings.max_streams)
        redact_output()
        secure = SecureListener(house.secure, house.context)
        settings = replace(settings, home=house.home)
        try:
            run_server(settings, house.plain, secure=secure, phones=house.phone_text)
        except DatabaseError as error:
            complain(called, str(error))
            return 2
    return 0


@dataclass(frozen=True, slots=True)
class House:
    """The sockets and certificates of the server, and the text about phones."""

    plain: socket.socket
    secure: socket.socket
    context: ssl.SSLContext
    home: Home
    phone_text: str


def _settings(args: argparse.Namespace) -> Settings:
    """Return the environment's settings, changed by flags. Raises ValueError."""
    if (args.cert is None) != (args.key is None):
        raise ValueError("--cert and --key belong together")
    settings = replace(settings_from_env(), workers=1)
    if args.database:
        settings = replace(settings, database=args.database)
    for folder in settings.variants:
        load_variant(folder)
    return settings


def _open(args: argparse.Namespace, database: str, stack: ExitStack) -> House:
    """Listen, check the database, announce and certify, and keep it so until the stack is left.

    Raises ValueError, DatabaseError, AuthorityError or CertificateError.
    """
    from referee.home.announce import Announcement
    from referee.home.authority import Authority, Pair
    from referee.home.door import Renewal, certified, first_host, given
    from referee.home.names import LOCAL, checked_name, own_names

    name = checked_name(args.name)
    if args.port == args.secure_port != 0:
        raise ValueError("--port and --secure-port have to differ")
    plain = stack.enter_context(_listen(args.port, "--port"))
    secure = stack.enter_context(_listen(args.secure_port, "--secure-port"))
    check_database(database)
    port, secure_port = plain.getsockname()[1], secure.getsockname()[1]
    announcement = Announcement(name, lambda: own_names(name).reached, port, secure_port)
    if not args.quiet:
        hindered = announcement.follow()
        if hindered:
            complain(args.called or "home", f"not announced as {name}.{LOCAL}, for now: {hindered}")
        stack.callback(announcement.close)
        _keep("announcement", announcement.follow, stack)

    names = own_names(announcement.name)
    if args.cert:
        pair = Pair(args.cert, args.key)
        renewal = Renewal(given(pair))
        home = Home(*(port, secure_port, first_host(pair)), is_announced=announcement.is_announced)
        sentences = said_with_domain(home, names)
    else:
        authority = Authority(_folder(args), socket.gethostname())
        renewal = Renewal(certified(authority, lambda: own_names(announcement.name)))
        home = Home(
            *(port, secure_port, f"{announcement.name}.{LOCAL}"),
            *(authority.der, authority.fingerprint, announcement.is_announced),
        )
        sentences = said_with_authority(home, names, authority.ends_soon)
    _keep("certificate", renewal.follow, stack)
    return House(plain, secure, renewal.context, home, sentences)


def _keep(name: str, do: Callable[[], object], stack: ExitStack) -> None:
    task = PeriodicTask(name, do, LOOK_EVERY)
    task.start()
    stack.callback(task.stop)


def _listen(port: int, flag: str) -> socket.socket:
    """Listen at a port of every address. Raises ValueError."""
    check_port(port, flag)
    for host in ("::", "0.0.0.0"):  # noqa: S104 - what the command is for
        try:
            return listen(host, port)
        except OSError as error:
            # Without IPv6 the other one works.
            number, reason = error.errno, str(error.strerror or error).partition(" (while")[0]
    if number == errno.EADDRINUSE and _is_referee(port):
        raise ValueError(
            f"a referee already runs here: http://localhost:{port}/; stop it before it is started "
            "anew"
        )
    if number == errno.EACCES:
        reason = f"{reason}, since ports below {FIRST_FREE} need an administrator"
    raise ValueError(f"cannot listen on port {port}: {reason}; {flag} takes another one")


def _is_referee(port: int) -> bool:
    """Return whether a referee answers at a port of this machine."""
    connection = HTTPConnection("localhost", port, timeout=LOOK_FOR)
    try:
        connection.request("GET", "/api/v1")
        return "feature_level" in json.loads(connection.getresponse().read(LONGEST_ANSWER))
    except (OSError, HTTPException, ValueError, TypeError):
        return False
    finally:
        connection.close()


def _folder(args: argparse.Namespace) -> Path:
    if args.folder:
        return Path(args.folder)
    base = os.environ.get("XDG_DATA_HOME", "")
    data = Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share"
    return data / "referee" / "home"


def said_with_domain(home: Home, names: "Names") -> str:
    """Return what is said about phones where they trust the certificate anyway."""
    safe = at_port("https", home.name, home.secure_port)
    plain = _plain(home, names)
    also = f" Without encryption: {plain}" if plain else ""
    return f"Phones open {safe}, if {home.name} leads to this machine.{also}{drawn_code(safe)}"


def said_with_authority(home: Home, names: "Names", ends: date | None) -> str:
    """Return what is said about phones that may trust the house's authority.

    ``ends`` is when its certificate expires, if that is soon.
    """
    plain = _plain(home, names)
    if plain is None:
        return "No phone reaches this machine: it is in no network. It serves on once it is in one."
    address = str(names.reached[0])
    named = at_port("https", home.name, home.secure_port)
    if is_at_home(address):
        safe = f"{at_port('https', bracketed(address), home.secure_port)} or {named}"
    else:
        safe = f"{named}; its address {address} is no home network's, and so not certified"
    expires = f"It expires on {ends}; delete its folder then, and trust anew.\n" if ends else ""
    return (
        f"Phones open {plain}{drawn_code(f'{plain}trust')}\n\n"
        f"The page behind the code, {plain}trust, shows how a phone comes to trust this house's\n"
        "certificate, once. It then has what browsers give over HTTPS only: the camera, a screen "
        "that stays\nawake, the page without a network.\n"
        f"HTTPS: {safe}\n"
        f"The certificate's SHA-256: {home.fingerprint}\n{expires}"
    )


def _plain(home: Home, names: "Names") -> str | None:
    if not names.reached:
        return None
    return at_port("http", bracketed(str(names.reached[0])), home.port)
