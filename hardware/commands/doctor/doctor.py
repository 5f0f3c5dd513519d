"""``referee-table doctor``: check everything and give advice."""

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from hardware.board.discovery import probe_all
from hardware.board.options import AUTO
from hardware.check_findings import Finding, ok, problem, warning
from hardware.commands.doctor.check_devices import Probe, check_device, check_port
from hardware.commands.doctor.check_server import TableFacts, check_server
from hardware.commands.output import add_config_flags, config_of, console, finding_lines, print_json
from hardware.gateway.config import Config, ConfigError
from hardware.gateway.posting.outbox_file import OutboxError, read_memory, read_queues
from hardware.gateway.status import Document, NoStatusError, SilentGatewayError, read_status
from hardware.observation import Memory
from hardware.paths import default_file
from hardware.times import span

LONG_AGO = 60.0
LITTLE_SPACE = 50_000_000
# As much as the outbox takes at a time.
TRIAL = 64_000
GATEWAY, OUTBOX = "gateway", "outbox"
ROOM = "make room: what cannot be kept is not acknowledged, and the board keeps it for a while"


def examine(config: Config, probe: Probe, now: float) -> Iterator[Finding]:
    """Yield all findings about a valid configuration. ``now``: seconds since 1970."""
    yield ok("configuration", f"{config.file or 'flags'}: {_devices(config)}")
    for text in config.warnings:
        yield warning("configuration", *_split(text))
    running: Document | None = None
    try:
        running = read_status(config.status, now, config.outbox)
        yield ok(GATEWAY, f"runs (process {running['pid']})")
    except SilentGatewayError as error:
        yield problem(GATEWAY, str(error), "make room there; then look again")
    except NoStatusError:
        yield ok(GATEWAY, "is not running")
    yield from check_outbox(config, now)
    if running is not None and running["outbox"]["problem"]:
        yield problem(OUTBOX, f"the gateway can keep nothing: {running['outbox']['problem']}", ROOM)
    facts = TableFacts()
    yield from check_server(config, facts, now)
    for device in config.devices:
        memory = _memory(config, device.name)
        yield from check_device(device, running, memory, facts, probe)
    if not config.devices:
        yield problem("devices", "there is none", "referee-table pair adds one")


def check_outbox(config: Config, now: float) -> Iterator[Finding]:
    """Check that the outbox is intact, has room, and gets delivered."""
    folder = _existing(config.outbox)
    if not os.access(folder, os.W_OK):
        yield problem(
            OUTBOX, f"you may not write in {folder}", "run as the gateway's own user, or sudo chown"
        )
        return
    space = shutil.disk_usage(folder).free
    if (full := _full(folder)) is not None:
        yield problem(OUTBOX, f"nothing can be kept in {folder}: {full}", ROOM)
    elif space < LITTLE_SPACE:
        yield warning(OUTBOX, f"only {space // 1_000_000} MB are left on its disk", ROOM)
    if not config.outbox.exists():
        yield ok(OUTBOX, f"{config.outbox} will be made")
        return
    try:
        queues = read_queues(config.outbox)
    except OutboxError as error:
        yield problem(OUTBOX, str(error), "stop the gateway before you touch the file")
        return
    waiting = sum(queue.waiting for queue in queues)
    yield ok(OUTBOX, f"{config.outbox} is whole; {waiting} waiting")
    names = {device.name for device in config.devices}
    for queue in queues:
        if queue.set_aside:
            yield warning(
                OUTBOX,
                f"{queue.device}: {queue.set_aside} set aside, which the server did not take",
                "'referee-table status' tells why; does the board's set fit the deck?",
            )
        if not queue.waiting:
            continue
        what = f"{queue.device}: {queue.waiting} waiting"
        if queue.table != config.server.table or queue.device not in names:
            yield warning(
                OUTBOX,
                f"{what} for table {queue.table}, which nobody delivers now",
                "serve that table and device again, and they are",
            )
        elif queue.oldest is not None and now - queue.oldest > LONG_AGO:
            yield warning(
                OUTBOX,
                f"{what}, the oldest for {span(now - queue.oldest)}",
                "run the gateway; if it runs, the server does not take them (below)",
            )


def _memory(config: Config, device: str) -> Memory:
    """Return a device's memory; empty without a readable outbox."""
    try:
        return read_memory(config.outbox, config.server.table, device)
    except OutboxError:
        return {}


def _full(folder: Path) -> str | None:
    """Return why nothing can be written in a folder; None if it can. A trial leaves nothing."""
    try:
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(bytes(TRIAL))
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return None


def _existing(path: Path) -> Path:
    return next(parent for parent in path.absolute().parents if parent.exists())


def _devices(config: Config) -> str:
    return (
        ", ".join(f"{device.name} ({device.backend})" for device in config.devices) or "no device"
    )


def _split(text: str) -> tuple[str, str]:
    """Split a warning into its sentence and the command that follows the last colon."""
    sentence, colon, command = text.rpartition(": chmod")
    return (sentence, f"chmod{command}") if colon else (text, "")


HELP = "find out what is wrong and what to do"
DESCRIPTION = "Check everything that is needed; print what is wrong and what to do."
EPILOG = """\
Checks the configuration, the outbox, the server, the tokens, the table's deck, the ports and the
camera, and changes nothing. Unless a gateway runs, it connects to the board, which puts the board's
lights out. Of the serial ports it opens those that you name, or else those whose USB identity is a
board's: opening a port resets an Arduino, and many a printer.

Without a configuration, only the ports are looked at, or the one of --port: is the board there?

exit status: 0 no problem (there may be warnings), 1 a problem
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add_config_flags(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run the command; print each finding at once."""
    findings: list[Finding] = []
    for finding in _findings(args):
        findings.append(finding)
        if not args.json:
            _show(finding)
    well = all(finding.level != "problem" for finding in findings)
    if args.json:
        print_json({"ok": well, "findings": [finding.to_json() for finding in findings]})
    return 0 if well else 1


def _findings(args: argparse.Namespace) -> Iterator[Finding]:
    if _port_alone(args):
        yield ok("configuration", "there is none yet: only the ports are looked at")
        yield from check_port(args.port or AUTO, probe_all)
        return
    try:
        config = config_of(args)
    except ConfigError as error:
        yield problem(
            "configuration", str(error), "put it right, or let 'referee-table pair' do it"
        )
        return
    yield from examine(config, probe_all, time.time())


def _port_alone(args: argparse.Namespace) -> bool:
    """Return whether no server and no table are known yet."""
    others = (args.config, args.server, args.table, args.token_file)
    return not any(others) and not default_file(os.environ).exists()


def _show(finding: Finding) -> None:
    for line in finding_lines(finding):
        console().print(line, soft_wrap=True)
