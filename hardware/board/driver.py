"""The sensor board as a device: a thread that opens its port, watches it, and tells the sink."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hardware.board.discovery import NoBoardError, choose, probe_all
from hardware.board.health import Troubles, figures, judge
from hardware.board.options import AUTO, BoardOptions, read_options
from hardware.board.transport import Transport, TransportError
from hardware.board.watch import Watch
from hardware.observation import DeviceStatus, Hint, Observation, Sink
from hardware.sink_retry import Telling

log = logging.getLogger(__name__)

FIRST_PAUSE = 0.2  # seconds between attempts to open the port, doubled up to the longest
LONGEST_PAUSE = 2.0
REOPEN_AFTER = 5.0  # seconds of silence; a connection over TCP may be dead without saying so


class SerialBoard:
    """A sensor board on a serial port (``hardware.observation.Device``).

    Args:
        name: the device's name, for the log.
        options: how to reach the board.

    Attributes:
        tape: Is given all bytes, "in" from the board and "out" to it; for recordings.
    """

    def __init__(self, name: str, options: BoardOptions) -> None:
        self.name = name
        self._options = options
        self._watch = Watch({}, options.board)
        self.tape: Callable[[str, bytes], None] | None = None
        self._telling = Telling(name)
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._hints: tuple[Hint, ...] = ()
        self._hints_passed_on: tuple[Hint, ...] = self._hints
        self._port = ""
        self._troubles = Troubles()
        self._status = DeviceStatus("starting", "not started", {}, {})

    def start(self, sink: Sink, memory: Mapping[str, Any]) -> None:
        """Begin to observe, in the background."""
        if self._thread is not None:
            raise RuntimeError(f"{self.name} is started already")
        self._telling.sink = sink
        self._watch = Watch(memory, self._options.board)
        self._report()
        self._thread = threading.Thread(target=self._run, name=f"board {self.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop; returns once nothing more will be put into the sink."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def status(self) -> DeviceStatus:
        """How it does."""
        return self._status

    def indicate(self, hints: Sequence[Hint]) -> None:
        """Light these places and no others, as soon as the board is there."""
        self._hints = tuple(hints)

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            before = self._watch.link.counts["connections"]
            try:
                self._serve()
            except (TransportError, NoBoardError) as error:
                self._troubles.port = str(error)
            except Exception as error:
                log.exception("%s: an error that nobody foresaw; it goes on", self.name)
                self._troubles.port = f"an error that nobody foresaw ({error!r})"
            self._port = ""
            self._watch.link.closed()
            if self._watch.link.counts["connections"] > before:
                pause = FIRST_PAUSE
            self._idle(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _serve(self) -> None:
        """Open the port, and watch the board until the port breaks off or nothing comes."""
        watch = self._watch
        transport = Transport(self._find())
        try:
            transport.open()
            self._port, self._troubles.port = transport.port, ""
            watch.opened(time.monotonic())
            heard = time.monotonic()
            while not self._stopping.is_set():
                data = transport.read()
                self._step(data)
                answer = watch.outgoing(time.monotonic())
                transport.write(answer)
                if self.tape is not None:
                    self.tape("in", data)
                    self.tape("out", answer)
                if not watch.silent:
                    heard = time.monotonic()
                elif time.monotonic() - heard >= REOPEN_AFTER:
                    return
            transport.write(watch.farewell(time.monotonic()))
        finally:
            transport.close()

    def _find(self) -> str:
        if self._options.port != AUTO:
            return self._options.port
        link = self._watch.link
        reports = probe_all(self._options.ports, link.boot, link.kept_seq)
        return choose(reports, self._options.board, self._watch.known)

    def _idle(self, seconds: float) -> None:
        """Time goes on without a port too: the board falls silent, the sink is tried again."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._stopping.wait(0.05):
            self._step(b"")

    def _step(self, data: bytes) -> None:
        now = time.monotonic()
        hints = self._hints  # another thread may put others there at any time
        if hints is not self._hints_passed_on:
            self._hints_passed_on = hints
            self._watch.indicate(hints)
        bodies = self._watch.receive(data, now) + self._watch.poll(now)
        if bodies:
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._telling.add(Observation(at, body) for body in bodies)
        # Only what the sink has kept is acknowledged.
        if self._telling.tell(self._watch.memory(), now, anyhow=self._watch.unkept):
            self._watch.kept()
        self._troubles.sink = self._telling.trouble
        self._report()

    def _report(self) -> None:
        watch, port, now = self._watch, self._port, time.monotonic()
        state, detail = judge(watch, self._options, port, self._troubles, now)
        if state != self._status.state:
            log.info("%s is %s: %s", self.name, state, detail)
        positions = watch.positions.positions() if watch.positions else {}
        self._status = DeviceStatus(state, detail, positions, figures(watch, self._telling.waiting))


def serial_board(name: str, options: Mapping[str, Any]) -> SerialBoard:
    """The board of these options (``BoardOptions``), not started. Raises ValueError."""
    return SerialBoard(name, read_options(options))
