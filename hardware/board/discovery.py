"""Find the serial ports and what is connected to each, and boards on the network.

Opening a port resets an Arduino, and many a printer. So a port that nobody named is only opened if
its USB identity is a board's (``usb_ids.toml``). On the network, only boards are called that this
computer has joined to it.
"""

import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from serial.tools import list_ports

from hardware.board.ports.network_port import joined_boards
from hardware.board.ports.transport import Transport, TransportError, Trouble
from hardware.board.session.events import Connected, InUse, OtherVersion, Unusable
from hardware.board.session.link import Link
from hardware.board.session.sentences import FLASH_ANEW, IN_USE, UNUSABLE, introduce, other_version
from hardware.board.session.stranger import AT_PROMPT, ECHOES, PROMPT_ADVICE, Kind, Stranger
from hardware.board.wire.messages import Hello

PATIENCE = 1.2  # seconds: several times ``connect``, and two heartbeats


class PortState(StrEnum):
    """What is at a port, or why it cannot be opened."""

    BOARD = "board"
    SILENT = "silent"
    DEAF = "deaf"
    UNUSABLE = "unusable"
    FOREIGN = "foreign"
    PROMPT = "prompt"
    OTHER_VERSION = "other version"
    BUSY = "busy"
    DENIED = "not permitted"
    ABSENT = "absent"
    BROKEN = "broken"
    CLOSED = "not opened"
    NO_PORT = "no serial port"


_STATES = {
    Trouble.ABSENT: PortState.ABSENT,
    Trouble.DENIED: PortState.DENIED,
    Trouble.BUSY: PortState.BUSY,
    Trouble.REFUSED: PortState.ABSENT,
    Trouble.SILENT: PortState.ABSENT,
    Trouble.GONE: PortState.ABSENT,
    Trouble.BROKEN: PortState.BROKEN,
    Trouble.NO_PORT: PortState.NO_PORT,
}


@dataclass(frozen=True, slots=True)
class PortReport:
    """What is at a port; ``detail`` is a sentence, ``hello`` a board's greeting."""

    port: str
    state: PortState
    detail: str
    hello: Hello | None = None

    @property
    def sentence(self) -> str:
        """The port, what is there, and what to do if that is not said elsewhere."""
        advice = {PortState.PROMPT: PROMPT_ADVICE, PortState.UNUSABLE: FLASH_ANEW}
        return "; ".join([f"{self.port}: {self.detail}", *filter(None, [advice.get(self.state)])])


def board_identities() -> frozenset[tuple[int, int]]:
    """Return the USB vendor and product ids of what a board's program runs on."""
    table = tomllib.loads(Path(__file__).with_name("usb_ids.toml").read_text("utf-8"))
    return frozenset((identity["vid"], identity["pid"]) for identity in table["board"])


def ports() -> tuple[list[str], list[PortReport]]:
    """Return this computer's serial ports whose USB identity is a board's, and the others.

    The others are not to be opened unless somebody names them; USB ports come first.
    """
    boards = board_identities()
    likely, others = [], []
    for port in sorted(list_ports.comports(), key=lambda port: (port.vid is None, port.device)):
        if (port.vid, port.pid) in boards:
            likely.append(port.device)
        else:
            usb = port.vid is not None and port.pid is not None
            what = f"{port.vid:04x}:{port.pid:04x}" if usb else "no USB port"
            detail = f"not opened, since it has not the USB identity of a board ({what})"
            others.append(PortReport(port.device, PortState.CLOSED, detail))
    return likely, others


def probe(port: str, boot: int = 0, last_seq: int = 0, patience: float = PATIENCE) -> PortReport:
    """Find out within ``patience`` seconds what is at a port. Never raises.

    Connecting switches a board's lights off. ``boot`` and ``last_seq`` are those of the board
    looked for, so that it keeps its unacknowledged messages.
    """
    transport = Transport(port)
    try:
        transport.open()
        return _ask(transport, Link(boot, last_seq), patience)
    except TransportError as error:
        return PortReport(port, _STATES[error.trouble], str(error))
    finally:
        transport.close()


def probe_all(
    candidates: Sequence[str] | None = None, boot: int = 0, last_seq: int = 0
) -> list[PortReport]:
    """Probe ports at the same time, as ``probe`` does; return the reports in their order.

    Without ``candidates``, the ports of this computer are probed whose USB identity is a board's,
    and if there is no board, those on the network; other ports follow as ``CLOSED``.
    """
    if candidates is not None:
        return _probe_each(list(candidates), boot, last_seq)
    likely, closed = ports()
    reports = _probe_each(likely, boot, last_seq)
    if not any(report.hello for report in reports):
        joined = [board.port for board in joined_boards()]
        reports += _probe_each(joined, boot, last_seq)
    return [*reports, *closed]


def _probe_each(asked: Sequence[str], boot: int, last_seq: int) -> list[PortReport]:
    if not asked:
        return []
    with ThreadPoolExecutor(min(len(asked), 16), "probe") as pool:
        return list(pool.map(lambda port: probe(port, boot, last_seq), asked))


class NoBoardError(Exception):
    """No port has the board; the text says what is at each port."""

    def __init__(self, reports: Sequence[PortReport], required: bytes | None) -> None:
        closed = any(report.state is PortState.CLOSED for report in reports)
        sentences = [report.sentence for report in reports]
        what = f"board {required.hex()}" if required else "sensor board"
        super().__init__(
            f"no {what} found; {'; '.join(sentences) or 'no serial port is there: plug it in'}"
            + ("; name its port to have it opened" if closed else "")
        )


def choose(reports: Sequence[PortReport], required: bytes | None, known: bytes) -> str:
    """Choose the port of the required board, else of the known one, else of the first.

    Raises NoBoardError.
    """
    boards = {report.hello.board: report.port for report in reversed(reports) if report.hello}
    if required is None and boards:
        first = next(report.port for report in reports if report.hello)
        return boards.get(known, first)
    if required is None or required not in boards:
        raise NoBoardError(reports, required)
    return boards[required]


def _ask(transport: Transport, link: Link, patience: float) -> PortReport:
    port = transport.port
    begin = now = time.monotonic()
    link.opened(now)
    stranger = Stranger()
    version: int | None = None
    while now - begin < patience:
        link.poll(now)
        asked = link.outgoing(now)
        transport.write(asked)
        stranger.sent(asked)
        if now - begin >= patience / 2 and not link.frames[0]:
            transport.write(stranger.question())
        data = transport.read()
        stranger.hear(data)
        now = time.monotonic()
        for event in link.receive(data, now):
            match event:
                case Connected(hello):
                    link.leave()
                    transport.write(link.outgoing(now))
                    return PortReport(port, PortState.BOARD, introduce(hello), hello)
                case InUse():
                    return PortReport(port, PortState.BUSY, IN_USE)
                case Unusable():
                    return PortReport(port, PortState.UNUSABLE, UNUSABLE)
                case OtherVersion(other):
                    version = other
    if version is not None:
        return PortReport(port, PortState.OTHER_VERSION, other_version(version))
    if stranger.kind is Kind.ECHO:
        return PortReport(port, PortState.FOREIGN, ECHOES)
    if link.frames[0]:
        return PortReport(
            port,
            PortState.DEAF,
            "a board is heard but does not answer; check the wire from the computer to the board",
        )
    if stranger.kind is Kind.PROMPT:
        return PortReport(port, PortState.PROMPT, AT_PROMPT)
    if stranger.count:
        return PortReport(
            port,
            PortState.FOREIGN,
            f"something else is there: {stranger.count} bytes, but no frame of a board",
        )
    return PortReport(
        port, PortState.SILENT, "nothing answers; is it the right port, and has the board power?"
    )
