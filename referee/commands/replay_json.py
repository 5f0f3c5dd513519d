"""A replay as one JSON document."""

from typing import Any

from referee.commands.output import print_json
from referee.commands.replay_result import Result
from referee.rules.codec import move_to_json
from referee.rules.notation import event_to_text, move_to_text, position_to_text
from referee.rules.record import Mismatch, Record, Step


class JsonReport:
    """Collects everything and prints it at the end."""

    def __init__(self, *, rulings: bool) -> None:
        self._rulings = rulings
        self._files: list[dict[str, Any]] = []
        self._rounds: list[dict[str, Any]] = []
        self._result: Result

    def begin(self, result: Result) -> None:
        """A file comes next."""
        self._result = result
        self._rounds = []

    def step(self, step: Step) -> None:
        """Note the ruling."""
        if step.move == 0:
            events = [event_to_text(event) for event in step.events]
            self._rounds.append({"round": step.round, "events": events, "moves": []})
        current = self._rounds[-1]
        if step.action is not None and step.ruling is not None and self._rulings:
            current["moves"].append(_move(step))
        current["scores"] = list(step.state.scores)
        current["round_winner"] = step.state.round_winner
        current["winner"] = step.state.winner
        current["position"] = position_to_text(step.state)

    def end(self) -> None:
        """The file's entry."""
        result = self._result
        self._files.append(
            {
                "file": str(result.path),
                **_head(result.record),
                "error": _error(result.problem),
                "moves": result.moves,
                "illegal": result.illegal,
                "failures": [_failure(step, mismatch) for step, mismatch in result.failed],
                "rounds": self._rounds,
            }
        )

    def finish(self, results: list[Result], status: int) -> None:
        """Print the document."""
        print_json(
            {
                "files": self._files,
                "moves": sum(result.moves for result in results),
                "illegal": sum(result.illegal for result in results),
                "failures": sum(len(result.failed) for result in results),
                "errors": sum(result.problem is not None for result in results),
                "status": status,
            }
        )


def _head(record: Record | None) -> dict[str, Any]:
    if record is None:
        return {}
    game = record.start.game
    return {"ruleset": game.ruleset.id, "seats": list(game.seats)}


def _error(problem: Exception | None) -> dict[str, Any] | None:
    if problem is None:
        return None
    place = {name: getattr(problem, name, None) for name in ("round", "move", "field")}
    return {"message": str(problem), **place}


def _move(step: Step) -> dict[str, Any]:
    if step.action is None or step.ruling is None:
        return {}
    return {
        **move_to_json(step.action),
        "line": move_to_text(step.action),
        "verdict": step.ruling.verdict,
        "rule": step.ruling.rule,
        "remedy": step.ruling.remedy,
        "events": [event_to_text(event) for event in step.events],
        "holds": not step.mismatches,
    }


def _failure(step: Step, mismatch: Mismatch) -> dict[str, Any]:
    return {
        "round": step.round,
        "move": step.move,
        "field": mismatch.field,
        "expected": mismatch.expected,
        "found": mismatch.found,
    }
