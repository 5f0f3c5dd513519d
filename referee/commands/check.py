"""``referee check``: rule on one move in one position."""

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from rich.text import Text

from referee.commands.inputs import InputError, add_language, parse_json
from referee.commands.output import complain, console, print_json, printable, what_followed
from referee.rules.actions import Action
from referee.rules.book.rulebook import citation, rulebook
from referee.rules.codec import parse_move
from referee.rules.engine import Decision, decide
from referee.rules.move_fields import FieldError
from referee.rules.notation import (
    move_from_text,
    move_to_text,
    position_from_text,
    position_to_text,
)
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.texts import render_ruling, translate


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


LEGAL, ILLEGAL, INVALID = 0, 1, 2
DESCRIPTION = """\
Rule on one move in a position that is written in one line.
"""
EPILOG = """\
examples:
  referee check "classic-108 7,7,7 2> play red-7" "2 red-3"
  referee check "power-grab 7,6,1* 2> play red-7:U 90+8 powers=U2" "2 red-take-two-towers take N,!"
  referee check "classic-112 5,6 1> respond wild-draw-four>blue laid=2:1 before=green" "1 challenge"
  echo '{"position": "moomin 7,7 2> play red-7", "move": {"seat": 2, "move": "draw"}}' |
    referee check --json

A position is the ruleset, the hand sizes, whose turn it is and in which direction (2> or 2<), what
is awaited, and the top card. docs/notation.md describes positions and moves.

exit status: 0 legal, 1 illegal, 2 invalid input
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("position", metavar="POSITION", nargs="?", help="the position, one line")
    parser.add_argument("move", metavar="MOVE", nargs="?", help="the move, one line")
    parser.add_argument(
        "--json",
        action="store_true",
        help='print JSON; without POSITION and MOVE, read {"position": …, "move": …} from stdin',
    )
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Print the ruling on a move."""
    try:
        state, move = _parse(args)
    except (FieldError, InputError) as error:
        complain("check", _message(error, args.lang))
        return INVALID
    decision = decide(state, move)
    answer = ruling_answer(state, decision, args.lang)
    if args.json:
        print_json({**answer, "state": public_state(decision.state)})
    else:
        _print(move, answer)
    return LEGAL if decision.ruling.legal else ILLEGAL


def _message(error: Exception, lang: str) -> str:
    if isinstance(error, FieldError):
        return f"{error.field}: {translate(error.reason, lang)}"
    return str(error)


def _parse(args: argparse.Namespace) -> tuple[State, Action]:
    position, move = args.position, args.move
    if args.json and position is None:
        posted = parse_json(sys.stdin.buffer.read())
        if not isinstance(posted, Mapping) or posted.keys() != {"position", "move"}:
            raise InputError("stdin must have an object with position and move")
        position, move = posted["position"], posted["move"]
    if not isinstance(position, str) or move is None:
        raise InputError("a position and a move are needed, each one line")
    state = position_from_text(position)
    return state, read_move(move, state)


def _print(move: Action, answer: Mapping[str, Any]) -> None:
    out = console()
    lines = [
        f"{move_to_text(move)}: {answer['verdict']}. {answer['text']}",
        f"  rule       {answer['rule']}: {answer['title']} [{answer['source'] or 'no source'}]",
    ]
    if answer["put_right"]:
        lines.append(f"  put right  {answer['put_right']}")
    if answer["events"]:
        lines.append(f"  then       {'; '.join(answer['events'])}")
    lines.append(f"  position   {answer['position']}")
    for line in lines:
        out.print(Text(printable(line)), soft_wrap=True)
