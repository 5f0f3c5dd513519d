"""The public state of a table, as docs/record.md describes it."""

from typing import Any

from referee.rules.position.state import State

DIRECTIONS = {1: "clockwise", -1: "counterclockwise"}


def public_state(state: State) -> dict[str, Any]:
    """Return the state as JSON with counts and shown cards only, never a hand."""
    winner = state.winner
    return {
        "turn": state.turn,
        "awaiting": awaiting(state),
        "direction": DIRECTIONS[state.direction],
        "color": state.color,
        "top": state.top,
        "hands": list(state.hands),
        "draw_pile": state.draw_pile,
        "discard_pile": state.discard_pile,
        "powers": dict(state.powers),
        "uno": list(state.uno),
        "open_hands": sorted(state.open_hands),
        "stack": state.stack if _is_hit(state) else 0,
        "scores": list(state.scores),
        **team_scores(state),
        "round_winner": state.round_winner,
        "winner": list(winner) if isinstance(winner, tuple) else winner,
        "evidence": [proof._asdict() for proof in state.evidence],
    }


def _is_hit(state: State) -> bool:
    """Whether a seat has to respond to the stack, or a hand is awaited that decides it (R39)."""
    return any(need == "respond" or need == "reveal" for _, need in state.awaiting)


def team_scores(state: State) -> dict[str, list[int]]:
    """Return the points by team, if there are teams."""
    teams = state.game.options.teams
    if not teams:
        return {}
    return {"team_scores": [sum(state.scores[seat - 1] for seat in team) for team in teams]}


def awaiting(state: State) -> list[dict[str, Any]]:
    """Return what the referee waits for, as JSON."""
    return [{"seat": seat, "need": need} for seat, need in state.awaiting]


def owed(state: State) -> list[dict[str, Any]]:
    """Return the same as sentences word it: a card whose player has left can only be accepted."""
    needs = awaiting(state)
    if accused_gone(state) is None:
        return needs
    return [
        {**need, "need": "respond-accept"} if need["need"] == "respond" else need for need in needs
    ]


def accused_gone(state: State) -> int | None:
    """Return who laid the last card and has left, so that there is no hand to challenge."""
    laid = state.laid
    return None if laid is None or laid.seat in state.order else laid.seat
