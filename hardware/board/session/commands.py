"""Commands to the board: numbered, one at a time, retried until answered. No I/O."""

from collections import deque
from dataclasses import replace

from hardware.board.session.events import Answered, LinkEvent
from hardware.board.wire.messages import Command

RETRY_AFTER = 0.2
RETRIES = 5


class CommandQueue:
    """Waiting commands and the one under way. Times are in seconds of the link's clock.

    ``retries`` counts repeated commands, ``unanswered`` those given up. ``round_trip`` is the time
    in seconds to the latest answer to a command that was sent only once.
    """

    def __init__(self) -> None:
        self.retries = 0
        self.unanswered = 0
        self.round_trip: float | None = None
        self._waiting: deque[Command] = deque()
        self._under_way: Command | None = None
        self._tries = 0
        self._sent_at = 0.0
        self._number = 0

    @property
    def idle(self) -> bool:
        """Whether no command waits or is under way."""
        return self._under_way is None and not self._waiting

    def put(self, command: Command) -> None:
        """Queue a command; it gets its number when it is sent."""
        self._waiting.append(command)

    def clear(self) -> None:
        """Forget all commands, as the board does at a new connection."""
        self._waiting.clear()
        self._under_way = None

    def due(self, now: float) -> tuple[Command | None, list[LinkEvent]]:
        """Return the command to send now, if any, and the one given up."""
        given_up: list[LinkEvent] = []
        if self._under_way is not None:
            if now - self._sent_at < RETRY_AFTER:
                return None, []
            if self._tries > RETRIES:
                self.unanswered += 1
                given_up.append(Answered(self._under_way, None))
                self._under_way = None
            else:
                self.retries += 1
        if self._under_way is None:
            if not self._waiting:
                return None, given_up
            self._number = self._number % 65535 + 1
            self._under_way = replace(self._waiting.popleft(), seq=self._number)
            self._tries = 0
        self._tries += 1
        self._sent_at = now
        return self._under_way, given_up

    def answer(self, seq: int, result: int, now: float) -> Answered | None:
        """Take the board's answer to a command; None if that one is not under way."""
        command = self._under_way
        if command is None or command.seq != seq:
            return None
        self._under_way = None
        if self._tries == 1:  # otherwise it is unknown which one was answered
            self.round_trip = now - self._sent_at
        return Answered(command, result)
