"""The game as plain lines, one a ruling, for pipes and logs."""

import time

from rich.console import Console

from referee.demo.game import Scene
from referee.demo.narration import Line

VERDICTS = {"opened": "deal", "illegal": "ILLEGAL", "board": "board"}


class PlainLines:
    """Prints each ruling as it comes."""

    def __init__(self, console: Console, delay: float) -> None:
        self.console = console
        self.delay = delay

    def update(self, scene: Scene, line: Line) -> None:
        """Something happened; ``scene`` is the table after it."""
        self.console.print(f"{scene.version:>5} {written(line)}", soft_wrap=True)
        time.sleep(self.delay * line.weight)


def written(line: Line) -> str:
    """A line: where in the game, the verdict, what happened, by which rule, what to put right."""
    verdict = VERDICTS.get(line.kind, "legal")
    place = f"{line.round}.{line.number}"
    text = f"{place:>6} {verdict:<7} {line.notation:<28} {line.text}"
    if line.rule:
        text += f" [{line.rule}; {line.source}]"
    return f"{text} → {line.put_right}" if line.put_right else text
