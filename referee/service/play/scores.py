"""The score sheet."""

from typing import Any

from referee.service.log.table_projection import TableProjection


def results(table: TableProjection) -> list[dict[str, Any]]:
    """Return the finished rounds, each with its points and the scores after it."""
    seats = len(table.state.game.seats)
    sheet = []
    for result in list(table.meta.results):
        blank = [None] * (seats - len(result["scores"]))
        points = [
            number if seat in result["played"] else None
            for seat, number in enumerate(result["points"], 1)
        ]
        more = {"scores": [*result["scores"], *blank], "points": [*points, *blank]}
        sheet.append({**result, **more})
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
