"""The games of a table one after the other: their score sheets, the end of one, the next."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.engine import make_game
from referee.rules.message import Message
from referee.rules.play.combinations import check_table
from referee.rules.play.rounds import end_game, next_dealer
from referee.rules.position.state import State, new_state
from referee.rules.position.views import public_state
from referee.rules.presets import with_preset
from referee.rules.records.seating import SeatChange, change_seats
from referee.rules.records.serial import game_to_json
from referee.rules.rulings import RuleError
from referee.service.history.standing_moves import event_body, seats_body
from referee.service.log.entries import parse_entry
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.pile.layers import Pile
from referee.service.problems import Problem, from_rule
from referee.service.reconcile.act_on_pile import explain_pile
from referee.service.reconcile.unit_of_work import UnitOfWork


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


Json = dict[str, Any]


def choose_mode(
    log: EventLog, table: TableProjection, request: WriteRequest, mode: str
) -> LogEntry:
    """Let the table keep the score only, or have every move ruled on; between rounds."""

    def decide() -> Change:
        if _in_round(table.state):
            raise Problem("conflict", "This is chosen between rounds.")
        return Change([("mode-chosen", {"by": request.principal.to_json(), "mode": mode})])

    return log.write(table, request, decide)[0]


def end_present_game(log: EventLog, table: TableProjection, request: WriteRequest) -> LogEntry:
    """End the game with the scores as they stand; a round in progress is broken off."""

    def decide() -> Change:
        if not table.state.round:
            raise Problem("conflict", "The game has not begun.")
        if table.state.winner is not None:
            raise Problem("conflict", "The game is over already.")
        work = UnitOfWork(log, table)
        if _in_round(table.state):
            work.correct(request.principal, {"kind": "break-off"})
        state, events = end_game(work.state)
        entry = work.restart("game-ended", event_body(request.principal, events, state), state)
        explain_pile(work)
        return work.change(entry)

    return log.write(table, request, decide)[0]


def start_next_game(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    ruleset: str | None,
    options: Mapping[str, Any] | None,
    preset: str | None = None,
) -> LogEntry:
    """Start the table's next game: the same people and devices, all scores 0.

    Without ``ruleset`` the deck stays, without ``options`` and ``preset`` the house rules do, too.
    """
    try:
        options = with_preset(preset, options)
    except RuleError as error:
        raise from_rule(error) from None

    def decide() -> Change:
        before = table.state
        if not before.round:
            # Ending it, which it says otherwise, is refused as well.
            raise Problem(
                "conflict", "Nothing has been played here yet: for another game, open a new table."
            )
        if before.winner is None:
            raise Problem("conflict", "This game is not over yet: end it first.")
        last = game_to_json(before.game)
        same_deck = ruleset in (None, last["ruleset"])
        same_cards = same_deck and options is None
        rules = dict(last["options"] if same_cards else options or {})
        if same_cards and table.meta.proposals:
            # They are added when the first round begins, and may be changed before.
            rules.pop("custom_cards", None)
        try:
            game = make_game(ruleset or last["ruleset"], rules, before.game.seats)
            check_table(game)
            state = new_state(game)
            ordered, events = change_seats(state, SeatChange(order=before.order))
        except RuleError as error:
            raise from_rule(error) from None
        work = UnitOfWork(log, table)
        body = {
            "by": request.principal.to_json(),
            "game": game_to_json(state.game),
            "game_number": table.meta.game + 1,
            "dealer": next_dealer(before) or None,
            "same_cards": same_cards,
            "events": [],
            "state": public_state(state),
            "last": {**score_sheet(table), **_rules_of(before)},
        }
        entry = work.restart("game-started", body, state, _cleared(work.pile))
        if ordered.order != state.order:
            change = SeatChange(order=before.order)
            seats = seats_body(request.principal, change, events, ordered)
            work.restart("seats-changed", seats, ordered)
        return work.change(entry)

    return log.write(table, request, decide)[0]


def _in_round(state: State) -> bool:
    return state.in_progress or bool(state.awaiting)


def _rules_of(state: State) -> Json:
    game = game_to_json(state.game)
    return {"ruleset": game["ruleset"], "options": game["options"]}


def _cleared(pile: Pile | None) -> Pile | None:
    """Return the pile once its cards are gathered in; the camera and what it knows stay."""
    if pile is None:
        return None
    return replace(pile, layers=(), gone=True, question=None, last=None, early=(), hands=(), away=0)


def list_games(log: EventLog, table: TableProjection) -> list[Json]:
    """Return the table's games, oldest first, the present one last."""
    present = {**score_sheet(table), **_rules_of(table.state)}
    sheets = [*_sheets(log, table), present]
    return [
        {
            "game": number,
            **{name: sheet[name] for name in ("ruleset", "options", "seats", "scores", "winner")},
            "rounds": len(sheet["rounds"]),
        }
        for number, sheet in enumerate(sheets, 1)
    ]


def sheet_of_game(log: EventLog, table: TableProjection, number: int | None) -> Json:
    """Return the score sheet of a game, None for the present one. Raises Problem."""
    check_game(table, number)
    if number in (None, table.meta.game):
        return {**score_sheet(table), **_rules_of(table.state)}
    return _sheets(log, table)[number - 1]


def check_game(table: TableProjection, number: int | None) -> None:
    """Check that the table has had such a game. Raises Problem."""
    if number is not None and not 1 <= number <= table.meta.game:
        raise Problem("not-found", Message("There is no game {game}.", game=number))


def _sheets(log: EventLog, table: TableProjection) -> list[Json]:
    """Return the score sheets of the games before the present one."""
    entries = log.reader.entries_of_kind(table.id, ("game-started",))
    return [parse_entry(entry).body["last"] for entry in entries]
