"""Start the gateway whenever this computer starts: a unit of the user's systemd."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from hardware.paths import xdg_folder

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
