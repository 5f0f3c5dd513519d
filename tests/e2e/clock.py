"""A server with a time of day of its own: ``python -m tests.e2e.clock FILE serve …``.

FILE holds by how many seconds its clock is ahead of the true one. What only counts on, as waiting
does, is left alone, as it is when the time of a computer is set.
"""

import datetime
import sys
import time
from pathlib import Path
from typing import Self


class Clock:
    """The clock of the servers that are started with it; ``folder`` is where it is kept."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "clock"
        self.set(0)

    def set(self, seconds: int) -> None:
        """Let it be so many seconds ahead."""
        whole = self.file.with_suffix(".new")
        whole.write_text(str(seconds), encoding="ascii")
        whole.replace(self.file)


def main(file: Path) -> int:
    """``referee`` with the rest of the command line, by that clock."""
    true = time.time

    def now() -> float:
        return true() + int(file.read_text(encoding="ascii"))

    class Datetime(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Self:
            return cls.fromtimestamp(now(), tz)

    time.time = now
    datetime.datetime = Datetime  # type: ignore[misc]
    # Not before: it takes the clock as it finds it.
    from referee.cli import main as referee

    return referee(sys.argv[2:])


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
