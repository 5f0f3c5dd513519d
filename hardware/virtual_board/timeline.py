"""The timing of scripts, for any simulated device.

A line is ``[at SECONDS | after SECONDS] STEP``; a ``#`` begins a comment. ``at`` counts
from the start of the script, ``after`` from the step before; a step without either happens together
with the one before. All times are in the simulation's seconds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

LONGEST_S = 7 * 24 * 3600.0
LONGEST_STEP_S = 24 * 3600.0


class StepError(ValueError):
    """The step is malformed or impossible; the text says why."""


class ScriptError(ValueError):
    """The line is malformed; the text names it and says why."""


class Simulated(Protocol):
    """Something with a clock and a schedule."""

    def now_ms(self) -> float:
        """Return the simulated time in ms."""

    def at(self, due_ms: float, act: Callable[[], object]) -> None:
        """Schedule an act."""


Thing = TypeVar("Thing", bound=Simulated)
Parse = Callable[[Sequence[str]], Callable[[Thing], Any]]
"""Turns a step's words into an act. Raises StepError."""


@dataclass(frozen=True)
class ScriptLine(Generic[Thing]):
    """A step and its time, in ms since the script's start."""

    number: int
    at_ms: float
    text: str
    step: Callable[[Thing], Any]


@dataclass(frozen=True)
class Script(Generic[Thing]):
    """Lines in the order of their times."""

    lines: tuple[ScriptLine[Thing], ...]

    def run(
        self,
        thing: Thing,
        on_line: Callable[[ScriptLine[Thing], str], None] | None = None,
        done: Callable[[], None] | None = None,
    ) -> None:
        """Schedule all lines from now on; return at once.

        Args:
            thing: The simulation.
            on_line: Called with each line when it runs, in the simulation's thread, and with the
                error ("" if it succeeded).
            done: Called after the last line.
        """
        began = thing.now_ms()
        for line in self.lines:
            thing.at(began + line.at_ms, partial(_run_line, line, thing, on_line))
        if done:
            last = max((line.at_ms for line in self.lines), default=0.0)
            thing.at(began + last, done)


def _run_line(
    line: ScriptLine[Thing], thing: Thing, on_line: Callable[[ScriptLine[Thing], str], None] | None
) -> None:
    trouble = ""
    try:
        line.step(thing)
    except (StepError, OSError) as error:
        trouble = str(error)
    if on_line:
        on_line(line, trouble)


def read_script(text: str, parse: Parse[Thing]) -> Script[Thing]:
    """Read a script whose steps ``parse`` reads. Raises ScriptError."""
    lines: list[ScriptLine[Thing]] = []
    at_ms = 0.0
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            at_ms, step = read_line(words, at_ms, parse)
        except StepError as error:
            raise ScriptError(f"line {number}: {error}: {line.strip()}") from None
        lines.append(ScriptLine(number, at_ms, " ".join(words), step))
    return Script(tuple(sorted(lines, key=lambda line: line.at_ms)))


def read_line(
    words: Sequence[str], before_ms: float, parse: Parse[Thing]
) -> tuple[float, Callable[[Thing], Any]]:
    """Return a line's time in ms and its step; ``before_ms`` is the time of the line before.

    Raises StepError.
    """
    if words[0] not in ("at", "after"):
        return before_ms, parse(words)
    if len(words) < 3:
        raise StepError(f"{words[0]} is followed by seconds and a step")
    try:
        seconds = float(words[1])
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= LONGEST_S:
        raise StepError(f"{words[1]!r} is no number of seconds, 0 or more")
    at_ms = seconds * 1000 + (before_ms if words[0] == "after" else 0)
    return at_ms, parse(words[2:])


def answer(thing: Thing, text: str, parse: Parse[Thing]) -> str:
    """Run a line that another program sent; return ``ok``, or ``error`` and why.

    With ``at`` (since the simulation began) or ``after`` (from now on) it runs then, and its errors
    are not reported.
    """
    words = text.partition("#")[0].split()
    if not words:
        return "ok"
    try:
        at_ms, step = read_line(words, 0.0, parse)
        if words[0] in ("at", "after"):
            from_now = at_ms if words[0] == "after" else max(0.0, at_ms - thing.now_ms())
            Script((ScriptLine(1, from_now, text, step),)).run(thing)
        else:
            step(thing)
    except (StepError, OSError) as error:
        return f"error {error}"
    return "ok"


class Words:
    """The words of a step, taken one after another."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)

    def more(self) -> bool:
        """Return whether there is another word."""
        return bool(self._words)

    def next(self, what: str) -> str:
        """Take the next word. Raises StepError if there is none."""
        if not self._words:
            raise StepError(f"{what} is missing")
        return self._words.pop(0)

    def skip(self, word: str) -> bool:
        """Take the next word if it is this one; return whether it was."""
        if self._words and self._words[0] == word:
            del self._words[0]
            return True
        return False

    def number(self, what: str, most: float) -> float:
        """Take a number from 0 to ``most``."""
        word = self.next(what)
        try:
            value = float(word)
        except ValueError:
            raise StepError(f"{word!r} is no number; here stands {what}") from None
        if not 0 <= value <= most:
            raise StepError(f"{what} is from 0 to {most:g}, not {word}")
        return value


def whole_number(what: str, most: int) -> Callable[[Words], int]:
    """Return a reader of a number from 0 to ``most``, cut to a whole one."""
    return lambda words: int(words.number(what, most))


def optional_number(what: str, most: float) -> Callable[[Words], float | None]:
    """Return a reader of a number from 0 to ``most``; None if there is no other word."""
    return lambda words: words.number(what, most) if words.more() else None


def step_parser(act: Callable[..., object], *readers: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a parser of a step that calls ``act`` with the simulation and what the readers read.

    Where a reader returns None, the default of ``act`` counts.
    """

    def parse(words: Words) -> Callable[[Any], object]:
        read = [reader(words) for reader in readers]
        given = [value for value in read if value is not None]
        return lambda simulation: act(simulation, *given)

    return parse
