"""The score sheet."""

from typing import Any

from referee.service.table_projection import TableProjection


def results(table: TableProjection) -> list[dict[str, Any]]:
    """The finished rounds, each with what it brought and the scores after it."""
    before = [0] * len(table.state.game.seats)
    sheet = []
    for result in list(table.meta.results):
        points = [now - then for now, then in zip(result["scores"], before, strict=True)]
        sheet.append({**result, "points": points})
        before = result["scores"]
    return sheet


def score_sheet(table: TableProjection) -> dict[str, Any]:
    """The scores, how they came about, who has won, and who caught whom."""
    state = table.state
    winner = state.winner
    return {
        "seats": list(state.game.seats),
        "scoring": state.game.options.scoring,
        "target": state.game.options.target,
        "scores": list(state.scores),
        "rounds": results(table),
        "winner": list(winner) if isinstance(winner, tuple) else winner,
        "caught": list(table.meta.caught),
    }
