"""Moves and corrections: the only writer of rulings."""

from collections.abc import Mapping
from typing import Any

from referee.rules.actions import Action, Overruled, SetHand
from referee.rules.codec import FieldError, parse_move
from referee.rules.message import Message
from referee.rules.rulings import RuleError
from referee.rules.serial import state_to_json
from referee.rules.state import State
from referee.rules.views import public_state
from referee.service.access import require_host
from referee.service.history import History, PastMove, edit, play_again, read_history
from referee.service.house import Change, House, Request
from referee.service.live import LiveTable, LogEntry, round_result
from referee.service.problems import Problem, from_field, invalid
from referee.service.sitting import Sitting, with_discrepancies


def make_move(
    house: House, table: LiveTable, request: Request, move: Mapping[str, Any]
) -> LogEntry:
    """Rule on a move and write it down, legal or not. Raises Problem."""
    action = read_move(table, request, move)

    def adjudicate() -> Change:
        if not table.state.round:
            raise Problem("conflict", "No round has begun: turn up the first card.")
        sitting = Sitting(table)
        sitting.finish_choice(action)
        answer = len(sitting.entries)
        sitting.rule(request.principal, action)
        sitting.look()
        return Change(sitting.entries, sitting.states, answer=answer)

    entry, _ = house.write(table, request, adjudicate)
    return entry


def read_move(table: LiveTable, request: Request, move: Mapping[str, Any]) -> Action:
    """The move as an action of somebody who may make it. Raises Problem."""
    principal = request.principal
    if principal.role not in ("host", "seat"):
        raise Problem("forbidden", "A spectator or a device makes no moves.")
    if "seat" not in move and principal.seat is not None:
        move = {**move, "seat": principal.seat}
    try:
        action = parse_move(move, len(table.state.game.seats))
    except FieldError as error:
        raise from_field(error) from None
    if isinstance(action, Overruled | SetHand):
        raise invalid("move", "the host's corrections have a place of their own")
    if not principal.may_act_for(action.seat):
        raise Problem("forbidden", "Nobody may play for another seat but the host.")
    return action


def correct(
    house: House, table: LiveTable, request: Request, change: Mapping[str, Any]
) -> LogEntry:
    """Correct the game and play it again from there. Nothing is erased: the log keeps both."""
    require_host(request.principal)

    def adjudicate() -> Change:
        history = read_history(house, table)
        seq = table.version + 1
        try:
            before = {past.seq: ruling for _, _, past, ruling in _numbered(history)}
            edit(history, change, seq)
            state, results = _result(history)
        except FieldError as error:
            raise from_field(error) from None
        except RuleError as error:
            raise Problem(
                "conflict",
                Message(
                    "With this correction round {round} could not have begun: {reason}.",
                    round=error.field,
                    reason=error.reason,
                ),
            ) from None
        changed = [
            {"round": number, "move": move, "was": before[past.seq], "now": ruling}
            for number, move, past, ruling in _numbered(history)
            if past.seq in before and before[past.seq] != ruling
        ]
        body = {
            "by": request.principal.to_json(),
            "round": state.round,
            "change": dict(change),
            "changed": changed,
            "scores_before": list(table.state.scores),
            "state": public_state(state),
            "position": state_to_json(state),
            "results": results,
        }
        with_discrepancies(body, table, state, seq)
        return Change([("corrected", body)], [state])

    entry, _ = house.write(table, request, adjudicate)
    return entry


def _numbered(history: History) -> list[tuple[int, int, PastMove, dict[str, str]]]:
    found = []
    for step in play_again(history):
        if step.past is not None and step.decision is not None:
            ruling = step.decision.ruling
            verdict = {"verdict": ruling.verdict, "rule": ruling.rule}
            found.append((step.round, step.move, step.past, verdict))
    return found


def _result(history: History) -> tuple[State, list[dict[str, Any]]]:
    """Where the history leads, and the results of the rounds it finishes."""
    state = history.start
    results = []
    for number, played in enumerate(history.rounds, 1):
        try:
            for step in play_again(History(state, [played])):
                state = step.state
        except RuleError as error:
            raise RuleError(error.rule, str(number), error.reason) from None
        if state.turn is None and not state.awaiting:
            results.append(round_result(state))
    return state, results
