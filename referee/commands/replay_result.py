"""What came of replaying one file."""

from dataclasses import dataclass, field
from pathlib import Path

from referee.commands.json_input import InputError
from referee.rules.record import Mismatch, Record, RecordError, Step


@dataclass(slots=True)
class Result:
    """One file: what it holds, and what was found in it.

    ``problem`` is why it could not be read, or not to its end.
    """

    path: Path
    record: Record | None = None
    rounds: int = 0
    moves: int = 0
    illegal: int = 0
    failed: list[tuple[Step, Mismatch]] = field(default_factory=list)
    problem: RecordError | InputError | None = None

    def count(self, step: Step) -> None:
        """Add a step of the replay."""
        self.failed += [(step, mismatch) for mismatch in step.mismatches]
        if step.ruling is None:
            self.rounds += 1
            return
        self.moves += 1
        self.illegal += not step.ruling.legal
