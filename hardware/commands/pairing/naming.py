"""Ports and cameras as people name them: whether they are here, and how a file names them."""

import errno
import os
import re
import stat
import sys
import time
from pathlib import Path

from hardware.board.options import AUTO
from hardware.board.ports.transport import TransportError

# Seconds in which a stream gives its first picture, for which one that fails is tried again, and
# between looks at it.
FIRST_PICTURE, TRIES, LOOK_EVERY = 10.0, 3.0, 0.2


def missing_port(port: str) -> str:
    """Return why a port is missing; empty if it is there, or only opening it would tell."""
    if not _is_file(port) or port == AUTO:
        return ""
    try:
        if stat.S_ISCHR(os.stat(port).st_mode):
            return ""
        error = OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
    except OSError as failure:
        error = failure
    return str(TransportError(port, error))


def missing_source(source: str) -> str:
    """Say that a camera or file is not there; empty if it is, or cannot be known so quickly."""
    try:
        from hardware.camera.source import SourceError, node_of, open_source

        open_source(source)
    except ImportError:
        # Making the camera says what has to be installed.
        return ""
    except SourceError as error:
        return str(error)
    node = node_of(source)
    if node is None or not sys.platform.startswith("linux") or os.path.exists(node):
        return ""
    from hardware.camera.source.v4l2 import examine

    return examine(node) or ""


def silent_source(address: str) -> str:
    """Say that a stream gives no picture; empty if it gives one, which may take some seconds."""
    from hardware.camera.source import SourceError, open_source, without_password

    began = time.monotonic()
    try:
        with open_source(address) as source:
            while time.monotonic() - began < FIRST_PICTURE:
                if source.read(LOOK_EVERY) is not None:
                    return ""
                if source.trouble and time.monotonic() - began > TRIES:
                    return source.trouble
    except SourceError as error:
        return str(error)
    return f"{without_password(address)} gives no picture"


def kept_port(port: str) -> str:
    """Return a port as it is named from any folder."""
    return port if port == AUTO or not _is_file(port) else _from_anywhere(port)


def kept_source(source: str) -> str:
    """Return a camera or file as it is named from any folder."""
    is_number = re.fullmatch(r"\s*[0-9]{1,3}\s*", source)
    return source if is_number or "://" in source else _from_anywhere(source.strip())


def _is_file(port: str) -> bool:
    # On Windows ports are no files: COM3.
    return "://" not in port and sys.platform != "win32"


def _from_anywhere(name: str) -> str:
    # A link is kept: /dev/serial/by-id names the same board at another port.
    return os.path.abspath(Path(name).expanduser())
