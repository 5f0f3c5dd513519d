"""The sensor board as a device: a thread that opens its port, watches it, and feeds the sink."""

import errno
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from hardware.board.discovery import NoBoardError, choose, probe_all
from hardware.board.options import AUTO, BoardOptions, read_options
from hardware.board.ports.network_port import SCHEME
from hardware.board.ports.transport import Transport, TransportError
from hardware.board.session.measuring import Calibration
from hardware.board.session.sentences import introduce
from hardware.board.session.stranger import AT_PROMPT, ECHOES, OTHER_TALKS, PROMPT_ADVICE, Kind
from hardware.board.session.watch import BoardWatch
from hardware.board.wire.messages import SET_NAMES, Hello, Levels
from hardware.device import ThreadedDevice, log
from hardware.observation import DeviceStatus, Hint, Memory, Observation
from hardware.retry import Retry


@dataclass(slots=True)
class Troubles:
    """Problems on the host's side, as sentences; empty if there are none."""

    port: str = ""
    sink: str = ""


def describe_state(
    watch: BoardWatch, options: BoardOptions, port: str, troubles: Troubles, now: float
) -> tuple[str, str]:
    """Return the device's state and the reason. ``port`` is the open port, or empty."""
    hello = watch.link.hello
    if troubles.port:
        state, words = "gone", [troubles.port]
    elif watch.link.connected and hello is not None:
        state, words = "online", [f"{introduce(hello)}, on {port}"]
        if options.set not in (None, SET_NAMES[hello.set]):
            words.append(f"the configuration expects a set of {options.set}")
        if options.seats not in (None, hello.seats):
            words.append(f"the configuration expects {options.seats} seats")
        words += watch.notes(now)
    elif watch.trouble:
        state, words = "silent", [f"{port}: {watch.trouble}" if port else watch.trouble]
    elif watch.silent and watch.stranger.kind is Kind.ECHO:
        state, words = "silent", [ECHOES]
    elif watch.silent and watch.heard:
        who = port or "the board"
        advice = "check the wire from the computer to the board"
        state, words = "silent", [f"{who} sends, but does not answer; {advice}"]
    elif watch.silent and watch.stranger.kind is Kind.PROMPT:
        state, words = "silent", [f"{AT_PROMPT}; {PROMPT_ADVICE}"]
    elif watch.silent and watch.stranger.kind is Kind.OTHER:
        state, words = "silent", [OTHER_TALKS]
    elif watch.silent:
        state, words = "silent", ["the board says nothing; check its cable and its power"]
    else:
        state, words = "starting", [f"connecting to {port}" if port else "looking for the board"]
    if troubles.sink:
        words.append(troubles.sink)
    return state, "; ".join(words)


def figures(watch: BoardWatch, waiting: int) -> dict[str, int]:
    """Return counters by name, and the latest round trip in milliseconds, rounded up."""
    link = watch.link
    good, bad = link.frames
    counts = link.counts
    return {
        "frames_good": good,
        "frames_bad": bad,
        "connections": counts["connections"],
        "reconnects": max(0, counts["connections"] - 1),
        "gaps": counts["gaps"],
        "duplicates": counts["duplicates"],
        "retries": link.commands.retries,
        "unanswered": link.commands.unanswered,
        "other_version": counts["version"],
        "unknown_type": counts["type"],
        "short_body": counts["short"],
        "out_of_range": counts["range"],
        "changes_lost": watch.changes_lost,
        "waiting": waiting,
        "round_trip_ms": -int(-(link.round_trip or 0) * 1000 // 1),
    }


FIRST_RETRY, LONGEST_RETRY = 0.2, 2.0  # seconds between attempts to open the port
# Seconds after the board fell silent; a TCP connection may be dead without any error. On the
# network the board waits ten seconds for the host that it had.
REOPEN_AFTER, REOPEN_ON_NETWORK_AFTER = 5.0, 1.0


class SerialBoard(ThreadedDevice):
    """A sensor board on a serial port, or on the network.

    Args:
        name: The device's name, for the log.
        options: How to reach the board.
        clock: Seconds that never go back.

    Attributes:
        tape: Called with all bytes, "in" from the board and "out" to it; for recordings.
    """

    EXPECTED_ERRORS = (TransportError, NoBoardError)

    def __init__(
        self, name: str, options: BoardOptions, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(name, Retry(FIRST_RETRY, LONGEST_RETRY, clock=clock), clock)
        self.tape: Callable[[str, bytes], None] | None = None
        self._options = options
        self._watch = BoardWatch({}, options.board)
        self._hints: tuple[Hint, ...] = ()
        self._shown_hints: tuple[Hint, ...] = ()
        self._port = ""
        self._troubles = Troubles()
        self._measures = self._calibrates = False

    @property
    def hello(self) -> Hello | None:
        """What the board last said of itself; None before it has."""
        return self._watch.link.hello

    def indicate(self, hints: Sequence[Hint]) -> None:
        """Light these places and no others, as soon as the board is there."""
        self._hints = tuple(hints)

    def measure(self) -> None:
        """Have the board tell what its sensors measure, from now on; nobody else needs it."""
        self._measures = True

    def levels(self) -> dict[int, Levels]:
        """Return what the sensors of each place measure now, if ``measure`` was called."""
        return self._watch.measuring.levels(self._clock())

    def calibrate(self) -> None:
        """Have the board keep the present levels of sensors without a magnet as their middles."""
        self._calibrates = True

    @property
    def calibration(self) -> Calibration:
        """How the calibration stands."""
        return self._watch.measuring.calibration

    def _restore(self, memory: Memory) -> None:
        self._watch = BoardWatch(memory, self._options.board)
        self._report()

    def _observe(self) -> None:
        watch = self._watch
        connections = watch.link.counts["connections"]
        transport = Transport(self._find_port())
        on_network = transport.port.startswith(SCHEME)
        patience = REOPEN_ON_NETWORK_AFTER if on_network else REOPEN_AFTER
        try:
            transport.open()
            self._port, self._troubles.port = transport.port, ""
            watch.opened(self._clock())
            last_heard = self._clock()
            while not self._stopping.is_set():
                data = transport.read()
                self._step(data)
                answer = watch.outgoing(self._clock())
                transport.write(answer)
                if self.tape is not None:
                    self.tape("in", data)
                    self.tape("out", answer)
                if on_network and watch.in_use:
                    # Do not stand in the door while the host comes back that has the board.
                    raise TransportError(transport.port, OSError(errno.EBUSY, watch.trouble))
                if not watch.silent:
                    last_heard = self._clock()
                elif self._clock() - last_heard >= patience:
                    return
            transport.write(watch.farewell(self._clock()))
        finally:
            transport.close()
            self._port = ""
            watch.link.closed()
            if watch.link.counts["connections"] > connections:
                self._retry.succeeded()

    def _lost(self, detail: str) -> None:
        self._troubles.port = detail

    def _poll(self) -> None:
        # Even without a port, time out the board and retry the sink.
        self._step(b"")

    def _find_port(self) -> str:
        if self._options.port != AUTO:
            return self._options.port
        link = self._watch.link
        reports = probe_all(self._options.ports, link.boot, link.kept_seq)
        return choose(reports, self._options.board, self._watch.known)

    def _step(self, data: bytes) -> None:
        now = self._clock()
        hints = self._hints  # another thread may replace them at any time
        if hints is not self._shown_hints:
            self._shown_hints = hints
            self._watch.indicate(hints)
        self._watch.measuring.wanted = self._measures
        if self._calibrates:
            self._calibrates = False
            self._watch.measuring.calibrate()
        bodies = self._watch.receive(data, now) + self._watch.poll(now)
        if bodies:
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._queue.add(Observation(at, body) for body in bodies)
        # Only what the sink has stored is acknowledged to the board.
        if self._queue.flush(self._watch.memory(), even_if_empty=self._watch.unkept):
            self._watch.kept()
        self._troubles.sink = self._queue.trouble
        self._report()

    def _report(self) -> None:
        watch, port, now = self._watch, self._port, self._clock()
        state, detail = describe_state(watch, self._options, port, self._troubles, now)
        if state != self._status.state:
            log.info("%s is %s: %s", self.name, state, detail)
        positions = watch.positions.positions() if watch.positions else {}
        self._status = DeviceStatus(state, detail, positions, figures(watch, len(self._queue)))


def serial_board(name: str, options: Mapping[str, Any]) -> SerialBoard:
    """Make a board from its options (``BoardOptions``), not started. Raises ValueError."""
    return SerialBoard(name, read_options(options))
