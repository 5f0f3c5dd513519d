"""Put rules into the rows of a move, which are checked in order."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.rules.position.state import State
from referee.rules.ruleset import Check, MoveRules

Row = tuple[str, Check]
Rows = tuple[Row, ...]


def after(rows: Rows, rule: str, *more: Row) -> Rows:
    """Return the rows with others after the last one of a rule."""
    place = max(i for i, (name, _) in enumerate(rows) if name == rule) + 1
    return (*rows[:place], *more, *rows[place:])


def replaced(rows: Rows, rule: str, *others: Row) -> Rows:
    """Return the rows with others in the place of the rule's only row."""
    place = next(i for i, (name, _) in enumerate(rows) if name == rule)
    return (*rows[:place], *others, *rows[place + 1 :])


def changed(
    moves: Mapping[type, MoveRules], change: Mapping[type, Callable[[MoveRules], MoveRules]]
) -> Mapping[type, MoveRules]:
    """Return the moves, some of them changed."""
    return {**moves, **{kind: edit(moves[kind]) for kind, edit in change.items()}}


def with_rows(rules: MoveRules, rows: Rows) -> MoveRules:
    """Return the rules of a move with other rows."""
    return replace(rules, rows=rows)


def citing(rules: MoveRules, rule_of: Callable[[State, Any], str | None]) -> MoveRules:
    """Return the rules of a move that cites another rule where ``rule_of`` names one."""
    usual = rules.cites

    def cites(state: State, move: Any) -> str:
        return rule_of(state, move) or (usual if isinstance(usual, str) else usual(state, move))

    return replace(rules, cites=cites)


def has_rule(rules: MoveRules, rule: str) -> bool:
    """Return whether a move is checked by a rule."""
    return any(name == rule for name, _ in rules.rows)
