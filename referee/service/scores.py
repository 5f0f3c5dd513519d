"""The score sheet."""

from typing import Any

from referee.service.table_projection import TableProjection


def results(table: TableProjection) -> list[dict[str, Any]]:
    """Return the finished rounds, each with its points and the scores after it."""
    seats = len(table.state.game.seats)
    before = [0] * seats
    sheet = []
    for result in list(table.meta.results):
        scores = result["scores"]
        # A result of an older version lacks its points, and all its seats played.
        points = result.get("points", [now - was for now, was in zip(scores, before, strict=False)])
        played = result.get("played", list(range(1, len(scores) + 1)))
        blank = [None] * (seats - len(scores))
        of_it = [number if s in played else None for s, number in enumerate(points, 1)]
        more = {"scores": [*scores, *blank], "points": [*of_it, *blank], "played": played}
        sheet.append({"counted": False, "hands": [], **result, **more})
        before = scores
    return sheet


def score_sheet(table: TableProjection) -> dict[str, Any]:
    """Return the scores, the rounds behind them, the winner and the catches."""
    state = table.state
    winner = state.winner
    return {
        "game": table.meta.game,
        "seats": list(state.game.seats),
        "order": list(state.order),
        "scoring": state.game.options.scoring,
        "target": state.game.options.target or 0,
        "scores": list(state.scores),
        "rounds": results(table),
        "winner": list(winner) if isinstance(winner, tuple) else winner,
        "caught": list(table.meta.caught),
    }
