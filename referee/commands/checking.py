"""Rule on one move in one position; the answer as people and programs read it."""

from typing import Any

from referee.commands.output import what_followed
from referee.rules.actions import Action
from referee.rules.book.rulebook import citation, rulebook
from referee.rules.codec import parse_move
from referee.rules.engine import Decision
from referee.rules.notation import move_from_text, position_to_text
from referee.rules.position.state import State
from referee.texts import render_ruling


def read_move(move: Any, state: State) -> Action:
    """Return a move given as a line or as a record's move. Raises FieldError."""
    seats = len(state.game.seats)
    return move_from_text(move, seats) if isinstance(move, str) else parse_move(move, seats)


def ruling_answer(state: State, decision: Decision, lang: str) -> dict[str, Any]:
    """Return the ruling, its rule and source, what follows, and the position after the move."""
    ruling, game = decision.ruling, state.game
    rule = rulebook(game.ruleset, lang).get(ruling.rule)
    return {
        "verdict": ruling.verdict,
        "rule": ruling.rule,
        "title": rule.title if rule else ruling.rule,
        "source": citation(rule, lang) if rule else None,
        **render_ruling(ruling, lang, game.seats, game.ruleset),
        "events": what_followed(decision.events),
        "position": position_to_text(decision.state),
    }
