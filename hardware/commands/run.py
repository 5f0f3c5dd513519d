"""``referee-table run``: run the gateway until it is stopped."""

import argparse
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from rich.live import Live
from rich.text import Text

from hardware.commands.output import add_config_flags, complain, config_of, console, say
from hardware.gateway.config import Config, ConfigError
from hardware.gateway.display import Log, render
from hardware.gateway.outbox import OutboxError
from hardware.gateway.recording.tape import Tape
from hardware.gateway.runner import Gateway
from hardware.gateway.status import StatusFile

FAILED, NOT_UNDERSTOOD, STOPPED = 1, 2, 130
EVERY = 0.25
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


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "run",
        help="run the devices and send what they see to the referee",
        description="Run the devices beside the table and send what they see to the referee.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_config_flags(parser)
    parser.add_argument(
        "--plain", action="store_true", help="print a line per change, even on a terminal"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, tape: Tape | None = None) -> int:
    """Run until stopped; return the exit status. ``tape`` records the session."""
    try:
        config = config_of(args)
        if not config.devices:
            raise ConfigError(
                "there is no device: add [[devices]] or [camera] to the file, which "
                "'referee-table pair' does"
            )
    except ConfigError as error:
        complain("run", str(error))
        return NOT_UNDERSTOOD
    for warning in config.warnings:
        complain("run", f"warning: {warning}")
    gateway = Gateway(config, tape=tape)
    asked = _stop_on_signals()
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
        _show(gateway, config, asked, plain=args.plain or not sys.stdout.isatty())
    finally:
        gateway.stop()
        with suppress(OSError):
            StatusFile(config.status).remove()
    return asked.status


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


def _show(gateway: Gateway, config: Config, asked: _StopRequest, *, plain: bool) -> None:
    file = _StatusWriter(StatusFile(config.status))
    if plain:
        log = Log(say)
        while True:
            document = gateway.document()
            log.update(document)
            file.write(document)
            if asked.event.wait(EVERY):
                return
    with Live(Text(), console=console(), auto_refresh=False, screen=False) as live:
        while True:
            document = gateway.document()
            live.update(render(document, time.time()), refresh=True)
            file.write(document)
            if asked.event.wait(EVERY):
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
