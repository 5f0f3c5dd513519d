"""``referee-table join``: join a table by its code, with the devices that are here."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from hardware.backends import CAMERA, BackendError
from hardware.commands import run as run_command
from hardware.commands.output import complain, say
from hardware.commands.pairing.joining import (
    ASK_EVERY,
    Denied,
    JoinRequest,
    device_config,
    find_devices,
)
from hardware.commands.pairing.naming import silent_source
from hardware.gateway.along import known_as
from hardware.gateway.api import Unreachable
from hardware.gateway.config import read_address, read_outbox
from hardware.gateway.config_edit import with_device
from hardware.gateway.fields import ConfigError
from hardware.gateway.posting.outbox_file import in_use
from hardware.paths import default_file, xdg_folder

UNIT = "referee-table.service"
TEXT = """\
[Unit]
Description=Devices at a referee's table
StartLimitIntervalSec=0

[Service]
ExecStart={program} -m hardware run --plain --config {config}
Restart=always
# What ends at once again and again is started less and less often, which spares the disk.
RestartSec=5
RestartSteps=8
RestartMaxDelaySec=300

[Install]
WantedBy=default.target
"""


class AtBootError(Exception):
    """It cannot be started at boot; the text says why."""


def start_at_boot(config: Path) -> str:
    """Write and start the unit; return what to say. Raises AtBootError or OSError."""
    if not sys.platform.startswith("linux"):
        raise AtBootError(
            "that is made for systemd, which this system has not; let its own means start "
            "'referee-table run' when you log in"
        )
    folder = xdg_folder(os.environ, "XDG_CONFIG_HOME", ".config") / "systemd" / "user"
    folder.mkdir(parents=True, exist_ok=True)
    unit = folder / UNIT
    unit.write_text(
        TEXT.format(program=_quoted(sys.executable), config=_quoted(str(config.absolute()))),
        "utf-8",
    )
    control = shutil.which("systemctl")
    if control is None:
        raise AtBootError(f"there is no systemd here; {unit} is written, and nothing starts it")
    for command in (["daemon-reload"], ["enable", UNIT], ["restart", UNIT]):
        done = subprocess.run(  # noqa: S603 - the system's own program
            [control, "--user", *command], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise AtBootError(f"systemctl --user {' '.join(command)}: {done.stderr.strip()}")
    return (
        "It runs, and starts whenever you log in; before that, too, after: "
        "loginctl enable-linger. 'systemctl --user disable --now referee-table' ends it."
    )


def _quoted(text: str) -> str:
    """Quote a word of a unit: percent signs and quotes mean something there."""
    escaped = text.replace("%", "%%").replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{escaped}"'


# What a join code is made of, without letters and digits that look alike, and how long it is, as
# people type it or as an invitation.
ALPHABET, LENGTHS = frozenset("ABCDEFGHJKLMNPQRSTUVWXYZ23456789"), (8, 16)
# Seconds until it is said that nobody has answered, and until that is said again.
REMIND_AFTER, REMIND_EVERY = 60.0, 180.0
HELP = "join a table by its code, with the board and the camera that are here"
DESCRIPTION = "Join a table by its code, with the board and the camera that are here."
EPILOG = """\
Finds the referee in this house, a sensor board at a serial port and a camera, asks the table's host
to let them in, and runs them. The host's phone asks at once, with the same four digits. Later,
'referee-table run' runs them again, also at the
next tables of this host, which the computer comes along to by itself until the host forgets it.

examples:
  referee-table join ABCD-EF23
  referee-table join ABCD-EF23 --server http://192.168.1.20:8000 --source 1
  referee-table join ABCD-EF23 --at-boot          and start by itself from now on

exit status: that of run; 1 refused or not found, 2 wrong flags or configuration
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("code", metavar="CODE", help="the table's join code")
    add("--server", metavar="URL", help="the referee's address, if it is not announced here")
    add("--port", help="the board's port (those with the USB identity of a board are tried)")
    add("--source", help="the camera, as for 'referee-table camera'")
    add("--config", metavar="FILE", type=Path, help="the TOML file to write")
    add("--once", action="store_true", help="for this table only: do not come along to later ones")
    add("--at-boot", action="store_true", help="start the devices whenever this computer starts")
    add("--no-run", action="store_true", help="join, and do not run them yet")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    file = args.config or default_file(os.environ)
    try:
        _check_code(args.code)
        named = None if args.server is None else _named(args.server)
        devices = find_devices(args.port, args.source)
        if CAMERA in devices and "://" in str(args.source):
            # Before anybody is asked to let in what is not there.
            say("Looking at its picture …")
            if silent := silent_source(args.source):
                raise Denied(silent)
        url = named or _server()
        text = file.read_text("utf-8") if file.exists() else ""
        # What cannot be written is told before anybody is asked.
        for backend, options in devices.items():
            with_device(text, url, "trial", device_config(backend, options, "trial"))
        if not (args.no_run or args.at_boot) and in_use(read_outbox(text, file.parent, os.environ)):
            complain("join", "the devices of this computer run already: stop them first (Ctrl-C)")
            return 1
        known = None if args.once else known_as(file, url)
        _join(JoinRequest(url, args.code, devices, known), file, url)
        say(f"Joined; the devices' tokens are in {file}.")
        if args.at_boot:
            say(start_at_boot(file))
            return 0
    except (ConfigError, BackendError, UnicodeDecodeError) as error:
        complain("join", str(error))
        return 2
    except (Denied, Unreachable, AtBootError) as error:
        complain("join", str(error))
        return 1
    except OSError as error:
        complain("join", f"{file} cannot be written: {error.strerror}")
        return 2
    if args.no_run:
        return 0
    none = dict.fromkeys(("server", "table", "token_file", "outbox", "status_file", "port"))
    return run_command.run(argparse.Namespace(config=file, plain=False, once=args.once, **none))


def _join(request: JoinRequest, file: Path, url: str) -> None:
    """Ask until the host agrees. Raises Denied, Unreachable, ConfigError or OSError."""
    try:
        remind_at = time.monotonic() + REMIND_AFTER
        while not (given := request.ask()):
            if time.monotonic() >= remind_at:
                remind_at = time.monotonic() + REMIND_EVERY
                say(_still_waiting(request.digits))
            time.sleep(ASK_EVERY)
        request.write(file, url, given)
    finally:
        request.close()


def _still_waiting(digits: str) -> str:
    if not digits:
        return "It is still waiting for room among those that ask; Ctrl-C stops."
    return (
        f"Nobody has answered yet; still waiting, Ctrl-C stops. On the host's phone {digits} is at "
        "the top of the page, or in a line there that opens on a tap."
    )


def _check_code(code: str) -> None:
    """Check that a text may be a join code, whatever its case. Raises ConfigError."""
    letters = re.sub(r"[\s-]", "", code).upper()
    if len(letters) not in LENGTHS or not ALPHABET.issuperset(letters):
        raise ConfigError(
            f"{code!r} is no join code: that has {LENGTHS[0]} letters and digits, and none of I, "
            "O, 0 and 1, as in ABCD-EF23"
        )


def _named(server: str) -> str:
    """Return the address that a flag gives. Raises ConfigError."""
    try:
        return read_address(server)
    except ConfigError as error:
        raise ConfigError(f"--server: {error}") from None


def _server() -> str:
    """Return the address of the one referee in this house. Raises Denied."""
    try:
        from hardware.gateway.find_server import find_servers
    except ImportError:
        raise Denied("without zeroconf no referee is found; --server names it") from None
    servers = find_servers()
    if not servers:
        raise Denied("no referee is announced in this network; --server URL names it")
    if len(servers) > 1:
        raise Denied(f"there are several referees: choose by --server one of {', '.join(servers)}")
    say(f"The referee is at {servers[0]}.")
    return servers[0].rstrip("/")
