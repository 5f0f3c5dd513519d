"""The score sheet."""

from typing import Any

from referee.service.table_projection import TableProjection


def results(table: TableProjection) -> list[dict[str, Any]]:
    """Return the finished rounds, each with its points and the scores after it."""
    before = [0] * len(table.state.game.seats)
    sheet = []
    for result in list(table.meta.results):
        # A result of an older version lacks its points.
        points = [now - then for now, then in zip(result["scores"], before, strict=False)]
        sheet.append({"points": points, "counted": False, **result})
        before = result["scores"]
    return sheet


def score_sheet(table: TableProjection) -> dict[str, Any]:
    """Return the scores, the rounds behind them, the winner and the catches."""
    state = table.state
    winner = state.winner
    return {
        "game": table.meta.game,
        "seats": list(state.game.seats),
        "scoring": state.game.options.scoring,
        "target": state.game.options.target,
        "scores": list(state.scores),
        "rounds": results(table),
        "winner": list(winner) if isinstance(winner, tuple) else winner,
        "caught": list(table.meta.caught),
    }
