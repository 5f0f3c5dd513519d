"""Whether a correction may be made: it has an effect, and a seat takes back only its own."""

from collections.abc import Iterator, Mapping
from typing import Any

from referee.rules.actions import SetHand
from referee.rules.message import Message
from referee.rules.position.state import State
from referee.service.access import Principal
from referee.service.history.corrections import CorrectedGame
from referee.service.history.playback import Ruled
from referee.service.log.entries import parse_entry
from referee.service.log.event_log import EventLog
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.problems import Problem

# Why a correction that leaves the history as it was has no effect.
SAME = {
    "replace": "This is the very move that stands there.",
    "overrule": "The host has ruled so already.",
    "opening": "The round was dealt and opened like that already.",
    "result": "The round was entered like that already.",
    "break-off": "This round is broken off already.",
}
# Corrections within a round.
WITHIN = ("undo", "overrule", "replace", "insert", "hand-count", "opening", "result")
ALREADY = {
    "legal": "This move is ruled legal already.",
    "illegal": "This move is ruled illegal already.",
}
# Entries with which somebody acts at the table.
ACTS = (
    *("round-opened", "round-counted", "moved", "confirmed", "corrected", "answered"),
    *("seats-changed", "game-ended", "game-started"),
)
# Entries read at once, from the newest back.
PAGE = 50
ONLY_HOST = "A seat may take back its own last entry; every other correction is the host's."


def no_effect(reason: str, rule: str | None = None) -> Problem:
    """Return the problem with a correction that changes nothing."""
    return Problem("no-effect", reason, extra={"rule": rule} if rule else None)


def check_effect(corrected: CorrectedGame) -> None:
    """Check that a correction changes something. Raises Problem, which says why it does not."""
    change = corrected.body["change"]
    if corrected.same and change["kind"] in SAME:
        raise no_effect(SAME[change["kind"]])
    number = change.get("round")
    target = number or max((step.round for step in corrected.before), default=0)
    # Undo without a move takes back that the round was broken off, or what came after it.
    whole = change["kind"] == "undo" and "move" not in change
    if change["kind"] in WITHIN and not whole and target in corrected.broken_off:
        raise no_effect("This round is broken off: nothing of it counts.")
    if number is not None and all(
        step.round != number for step in (*corrected.before, *corrected.steps)
    ):
        raise no_effect(
            Message("Round {round} is set aside: the game was over before it.", round=number)
        )
    if change["kind"] == "overrule":
        _check_overrule(corrected, change)
    if "entered" in corrected.body:
        place = corrected.body["entered"]["round"], corrected.body["entered"]["move"]
        entered = next(step for step in corrected.steps if (step.round, step.move) == place)
        if corrected.before_entered is not None:
            _check_hand(corrected.before_entered, entered)


def _check_overrule(corrected: CorrectedGame, change: Mapping[str, Any]) -> None:
    was, ruled_again = _target(corrected.before, change), _target(corrected.steps, change)
    if was is None or ruled_again is None or was.ruling is None or ruled_again.ruling is None:
        return
    if was.ruling.verdict == change["verdict"]:
        raise no_effect(ALREADY[change["verdict"]])
    if ruled_again.ruling.verdict != change["verdict"]:
        raise no_effect(
            "This ruling cannot be overruled, because the game could not go on from such a move. "
            "Replace the move, or enter what is missing before it.",
            ruled_again.ruling.rule,
        )


def _target(steps: list[Ruled], change: Mapping[str, Any]) -> Ruled | None:
    moves = [step for step in steps if step.ruling]
    number = change.get("round", steps[-1].round if steps else 0)
    played = [step for step in moves if step.round == number]
    last = played[-1] if played else None
    return next((step for step in played if step.move == change.get("move")), last)


def _check_hand(state: State, step: Ruled) -> None:
    action, ruling = step.action, step.ruling
    if not isinstance(action, SetHand) or ruling is None:
        return
    if ruling.rule != "hand.count" and not ruling.legal:
        # The seat may have come after this round.
        raise no_effect(
            "The count of a hand can be set during a round, and after it until the hand is shown.",
            ruling.rule,
        )
    seat, held = state.game.seats[action.seat - 1], state.hands[action.seat - 1]
    if ruling.rule == "hand.count":
        raise no_effect(
            Message(
                "{seat} cannot hold {count} cards: at least 1, and at most {most}, the hand and "
                "the draw pile together.",
                seat=seat,
                count=action.count,
                most=held + state.draw_pile,
            ),
            ruling.rule,
        )
    if held == action.count:
        raise no_effect(
            Message(
                "By the referee's count {seat} holds {count} already.",
                seat=seat,
                count=action.count,
            )
        )


def own_last_entry(
    log: EventLog, table: TableProjection, by: Principal, change: Mapping[str, Any]
) -> int:
    """Return the entry that a seat takes back: its own newest, nobody having acted since.

    Raises Problem, which names who has acted.
    """
    if change != {"kind": "undo"}:
        raise Problem("forbidden", ONLY_HOST)
    for entry in _newest_first(log, table):
        if entry.kind not in ACTS:
            continue
        role, seats = _actors(entry)
        if role == "device":
            continue
        if role != "seat":
            raise Problem(
                "conflict", "The host has acted since: only the host can take this back now."
            )
        if by.seat not in seats:
            raise Problem(
                "conflict",
                Message(
                    "{seat} has acted since: only the host can take this back now.",
                    seat=table.state.game.seats[seats[0] - 1],
                ),
            )
        if entry.kind in ("moved", "round-opened") and entry.seq not in table.meta.undone:
            return entry.seq
    raise Problem("conflict", "There is nothing of yours to take back.")


def check_takes_back(corrected: CorrectedGame, entry: int) -> None:
    """Check that a seat's undo takes back this entry and nothing else. Raises Problem."""
    if [deed["id"] for deed in corrected.fell] != [entry]:
        raise Problem("conflict", "Only the host can take this back now.")


def _actors(entry: LogEntry) -> tuple[str, tuple[int, ...]]:
    """Return the role and the seats that acted.

    A device acts for the seat whose move it saw, and so does who answers a question about it.
    """
    body = entry.body
    by, move = body["by"], body.get("move") or body.get("entered")
    if by["role"] == "device":
        return ("seat", (move["seat"],)) if move else ("device", ())
    own = by.get("seat", 0)
    return by["role"], (own, move["seat"]) if move and move["seat"] != own else (own,)


def _newest_first(log: EventLog, table: TableProjection) -> Iterator[LogEntry]:
    last = table.version
    while last > 0:
        first = max(0, last - PAGE)
        yield from (
            parse_entry(stored)
            for stored in reversed(log.reader.entries(table.id, first, last - first))
        )
        last = first
