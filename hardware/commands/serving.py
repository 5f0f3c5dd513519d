"""Shared by commands of virtual devices: parse an address, serve until stopped."""

import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import FrameType
from typing import NoReturn

from hardware.virtual_board.ports import PortError

FAILED, NOT_UNDERSTOOD = 1, 2


def serve(
    name: str,
    device: AbstractContextManager[object],
    url: Callable[[], str],
    work: Callable[[], None],
) -> int:
    """Start a device, print its URL, and work until that ends or a signal comes.

    The port is removed in any case. Starting it may raise PortError.

    Returns:
        The command's exit status.
    """
    for word in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, word):  # Windows has no SIGHUP
            signal.signal(getattr(signal, word), _stop)
    try:
        with device:
            print(url(), flush=True)  # noqa: T201
            work()
    except KeyboardInterrupt:
        return 0
    except PortError as error:
        return complain(name, str(error), FAILED)
    return 0


def address(flag: str, text: str, host: str | None = None) -> tuple[str, int]:
    """Parse HOST:PORT, or PORT alone if a default ``host`` is given.

    Raises:
        ValueError: The text is no such address.
    """
    named, colon, number = text.rpartition(":")
    good = number.isascii() and number.isdigit() and int(number) <= 65535
    if not good or not (colon or host):
        takes = "PORT or HOST:PORT" if host else "HOST:PORT"
        raise ValueError(f"{flag} takes {takes}, such as 127.0.0.1:7000, not {text!r}")
    return named.strip("[]") or host or "127.0.0.1", int(number)


def complain(name: str, sentence: str, status: int) -> int:
    """Print a sentence on stderr; return the exit status."""
    print(f"{name}: {sentence}", file=sys.stderr)  # noqa: T201
    return status


def _stop(number: int, _: FrameType | None) -> NoReturn:
    # A second signal must not interrupt the clean-up.
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
