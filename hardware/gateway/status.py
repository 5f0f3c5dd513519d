"""The gateway's state as a JSON document, in a file that other programs read."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hardware.gateway.config import DeviceConfig
from hardware.gateway.posting.outbox_file import Queue, in_use
from hardware.gateway.posting.poster import PosterStatus
from hardware.observation import DeviceStatus
from hardware.paths import write_whole
from hardware.times import seconds_of, utc

FORMAT = 1
# Seconds between writes: when something changes, and when nothing does.
AT_MOST_EVERY = 1.0
AT_LEAST_EVERY = 10.0
STALE_SECONDS = 3 * AT_LEAST_EVERY
Document = Mapping[str, Any]


class NoStatusError(Exception):
    """There is no current status; the text says why."""


def device_document(
    device: DeviceConfig,
    status: DeviceStatus,
    queue: Queue,
    poster: PosterStatus,
    swapped: str = "",
    notes: Sequence[str] = (),
) -> Document:
    """Return a device's part of the document.

    ``swapped`` says if it is another than before, ``notes`` what else people should look at.
    """
    return {
        "name": device.name,
        "backend": device.backend,
        "state": status.state,
        "detail": status.detail,
        "swapped": swapped,
        "notes": list(notes),
        "positions": dict(status.positions),
        "sees": dict(status.sees),
        "figures": dict(status.figures),
        "queue": {
            "waiting": queue.waiting,
            "oldest": None if queue.oldest is None else utc(queue.oldest),
            "delivered": queue.delivered,
            "set_aside": queue.set_aside,
        },
        "post": asdict(poster),
    }


class SilentGatewayError(NoStatusError):
    """A gateway runs, and its status is not to be had."""


class StatusFile:
    """The file with the newest document; each write is atomic."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._written: str | None = None
        self._due = 0.0
        self._next = 0.0

    def write(self, document: Document) -> None:
        """Write the document if that is due. Raises OSError."""
        now = self._clock()
        text = json.dumps({**document, "at": None}, ensure_ascii=False)
        if now < self._next or (text == self._written and now < self._due):
            return
        self._next, self._due = now + AT_MOST_EVERY, now + AT_LEAST_EVERY
        try:
            self._replace(document)
        except OSError:
            # Rather none than an old one. On a full disk this makes room for the new one, too.
            self.remove()
            self._replace(document)
        self._written = text

    def _replace(self, document: Document) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
        write_whole(self._path, text.encode())

    def remove(self) -> None:
        """Remove the file: the gateway has stopped, or cannot write it. Raises OSError."""
        self._path.unlink(missing_ok=True)


def read_status(path: Path, now: float, outbox: Path | None = None) -> Document:
    """Read the status of a running gateway. ``now``: seconds since 1970.

    A gateway that has ``outbox`` open runs, whatever the file says. Raises NoStatusError.
    """
    try:
        document = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        _check_silent(path, outbox)
        raise NoStatusError(
            f"no gateway is running here: there is no {path}; start one with 'referee-table run'"
        ) from None
    except OSError as error:
        raise NoStatusError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise NoStatusError(f"{path} is no status of a gateway of this release")
    if now - seconds_of(document["at"]) > STALE_SECONDS:
        _check_silent(path, outbox)
        raise NoStatusError(
            f"the gateway does not run any more: its last status is of {document['at']}"
        )
    return document


def _check_silent(path: Path, outbox: Path | None) -> None:
    if outbox is not None and in_use(outbox):
        raise SilentGatewayError(
            f"a gateway runs, but it cannot write its status to {path}: is that disk full?"
        )
