"""``referee-table run``: run the gateway until it is stopped."""

import argparse
import os
import signal
import sys
import threading
import time
import tomllib
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from rich.live import Live

from hardware.backends import CAMERA
from hardware.commands.output import add_config_flags, complain, config_of, console, say
from hardware.commands.parent import add_parent_flag, end_with
from hardware.gateway.along import Along, Place, comes_along, known_as
from hardware.gateway.config import CAMERA_NAME, Config, ConfigError, DeviceConfig
from hardware.gateway.config_edit import with_deck, with_device
from hardware.gateway.deck import Deck, other_deck
from hardware.gateway.display import Log, render
from hardware.gateway.posting.outbox_file import OutboxError
from hardware.gateway.recording.tape import Tape
from hardware.gateway.runner import Gateway
from hardware.gateway.status import StatusFile
from hardware.paths import default_file, write_private


def follower(args: argparse.Namespace, config: Config, known: threading.Event) -> Along | None:
    """Return what follows the host; None if flags say where to be, or no host is followed."""
    stays = _is_told(args) or getattr(args, "once", False)
    if stays or config.file is None or not comes_along(config.file):
        return None
    return Along(config.server, known_as(config.file, config.server.url), known)


def write_place(file: Path, url: str, place: Place) -> None:
    """Write a place into a configuration, whose devices keep their options.

    Raises ConfigError or OSError.
    """
    from hardware.camera.decks import RULESETS

    text = file.read_text("utf-8")
    raw = tomllib.loads(text)
    camera = raw["camera"].get("name", CAMERA_NAME) if "camera" in raw else None
    backends = {str(row.get("name")): str(row.get("backend")) for row in raw.get("devices", [])}
    if camera is not None:
        backends[str(camera)] = CAMERA
    for name, token in place.tokens.items():
        if name in backends:
            knows = backends[name] == CAMERA and place.ruleset in RULESETS
            deck = {"ruleset": place.ruleset} if knows else {}
            device = DeviceConfig(name, backends[name], deck, token)
            text = with_device(text, url, place.table, device)
    write_private(file, text)


class OwnDeck:
    """Has the cameras of a configuration follow the deck of its own table."""

    def __init__(self, args: argparse.Namespace, config: Config) -> None:
        self._config = config
        self._file = None if _is_told(args) else config.file
        self._tried: str | None = None

    def changed(self, deck: Deck) -> bool:
        """Write a deck that the cameras do not look for; return whether that was done.

        Raises ConfigError or OSError, once for each deck.
        """
        wrong = any(other_deck(device, deck) for device in self._config.devices)
        if not wrong or self._file is None or deck.ruleset == self._tried:
            return False
        from hardware.camera.decks import RULESETS

        self._tried = deck.ruleset
        if deck.ruleset not in RULESETS:
            return False
        write_private(self._file, with_deck(self._file.read_text("utf-8"), deck.ruleset))
        return True


def _is_told(args: argparse.Namespace) -> bool:
    """Return whether flags say where to be, whatever the file says."""
    return bool(args.server or args.table or args.token_file)


FORGOTTEN = (
    "The host has forgotten this computer: it stays at this table, and comes along to no later one "
    "until 'referee-table join CODE' lets it in again."
)
FAILED, NOT_UNDERSTOOD, STOPPED = 1, 2, 130
EVERY = 0.25
HELP = "run the devices and send what they see to the referee"
DESCRIPTION = "Run the devices beside the table and send what they see to the referee."
EPILOG = """\
On a terminal, shows where everything is, how the connections are, what waits for delivery and what
players have to put right; elsewhere prints a line per change. Undelivered observations are kept on
the disk, in the outbox, and survive a crash of this program or of the server.

examples:
  referee-table run                                with ~/.config/referee-table/table.toml
  referee-table run --config table.toml --plain    a line per change, even on a terminal
  referee-table run --server http://192.168.1.20:8000 --table 3hq7w --token-file token --port auto

exit status: 0 stopped (SIGTERM), 130 stopped (Ctrl-C), 1 cannot run, 2 wrong configuration
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add_config_flags(parser)
    parser.add_argument(
        "--plain", action="store_true", help="print a line per change, even on a terminal"
    )
    add_parent_flag(parser)


def run(args: argparse.Namespace, tape: Tape | None = None) -> int:
    """Run until stopped; return the exit status. ``tape`` records the session.

    A computer that a host has let come along is run at the next table once it is brought there.
    """
    asked = _stop_on_signals()
    end_with(getattr(args, "parent", None), asked.event.set)
    known = threading.Event()
    while True:
        status = _run_at_table(args, tape, asked, known)
        if status is not None:
            return status


def _run_at_table(
    args: argparse.Namespace, tape: Tape | None, asked: "_StopRequest", known: threading.Event
) -> int | None:
    """Run until stopped; return the exit status, None at another table's turn."""
    try:
        config = config_of(args)
        if not config.devices:
            raise ConfigError(
                "there is no device: 'referee-table join CODE' joins a table with those that are "
                "here, or add [[devices]] or [camera] to the file"
            )
    except ConfigError as error:
        complain("run", f"{error}{_how_to_begin(args)}")
        return NOT_UNDERSTOOD
    for warning in config.warnings:
        complain("run", f"warning: {warning}")
    gateway = Gateway(config, tape=tape)
    try:
        gateway.start()
    except OutboxError as error:
        complain("run", str(error))
        return FAILED
    try:
        for reason in gateway.problems().values():
            complain("run", reason)
        if len(gateway.problems()) == len(config.devices):
            complain("run", "none of the devices runs; 'referee-table doctor' says more")
            return FAILED
        along = follower(args, config, known)
        turn = _Turn(gateway, config, along, OwnDeck(args, config), asked)
        with along or nullcontext():
            _show(gateway, config, turn, plain=args.plain or not sys.stdout.isatty())
    finally:
        gateway.stop()
        with suppress(OSError):
            StatusFile(config.status).remove()
    place = None if along is None or asked.event.is_set() else along.moved_from(config)
    if turn.deck and not asked.event.is_set() and place is None:
        say(f"The table plays {turn.deck} now, and the camera looks for its cards.")
        return None
    if place is None or config.file is None:
        return asked.status
    try:
        write_place(config.file, config.server.url, place)
    except (ConfigError, OSError) as error:
        complain("run", f"cannot move to table {place.table}: {error}")
        return FAILED
    say(f"The host has opened another table: {place.table}.")
    return None


def _how_to_begin(args: argparse.Namespace) -> str:
    """Say how to get a configuration where there is none, and flags are none either."""
    file = args.config or default_file(os.environ)
    if file.exists() or args.server or args.table:
        return ""
    return f"; 'referee-table join CODE' joins a table and writes {file}"


class _StopRequest:
    """Set by a signal; ``status`` is the exit status."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.status = 0

    def __call__(self, number: int, _: Any) -> None:
        if self.event.is_set():
            raise KeyboardInterrupt
        self.status = STOPPED if number == signal.SIGINT else 0
        self.event.set()


def _stop_on_signals() -> _StopRequest:
    """Stop in order at the first signal, at once at a second."""
    asked = _StopRequest()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, asked)
    return asked


class _Turn:
    """The time with one configuration; ``deck`` is that for which another was written."""

    def __init__(
        self,
        gateway: Gateway,
        config: Config,
        along: Along | None,
        own: OwnDeck,
        asked: _StopRequest,
    ) -> None:
        self.deck = ""
        self._gateway, self._config, self._along = gateway, config, along
        self._own, self._asked = own, asked

    def over(self) -> bool:
        """Wait a moment; return whether to stop, or to go on with another configuration."""
        if self._asked.event.wait(EVERY):
            return True
        if self._along is not None:
            if self._along.moved_from(self._config) is not None:
                return True
            if self._along.notice_forgotten():
                say(FORGOTTEN)
        deck = self._gateway.deck
        try:
            if self._own.changed(deck):
                self.deck = deck.ruleset
        except (ConfigError, OSError) as error:
            complain("run", f"the camera cannot follow to the deck {deck.ruleset}: {error}")
        return bool(self.deck)


def _show(gateway: Gateway, config: Config, turn: _Turn, *, plain: bool) -> None:
    file, log = _StatusWriter(StatusFile(config.status)), Log(say)
    view = None if plain else Live(console=console(), auto_refresh=False, screen=False)
    with view or nullcontext():
        while True:
            document = gateway.document()
            if view is None:
                log.update(document)
            else:
                view.update(render(document, time.time()), refresh=True)
            file.write(document)
            if turn.over():
                return


class _StatusWriter:
    """Writes the status file; complains once if that fails, and goes on."""

    def __init__(self, file: StatusFile) -> None:
        self._file = file
        self._complained = False

    def write(self, document: Any) -> None:
        try:
            self._file.write(document)
        except OSError as error:
            if not self._complained:
                complain("run", f"the status file cannot be written: {error}")
            self._complained = True
