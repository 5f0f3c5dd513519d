"""Apply a correction: replay the game with the change and list the differences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.rules.actions import Catch, Flip, Overruled, Play, Reveal
from referee.rules.codec import NAMES, move_to_json
from referee.rules.engine import Decision
from referee.rules.message import Message
from referee.rules.rulings import RuleError
from referee.rules.serial import event_to_json, game_to_json, state_to_json
from referee.rules.state import State
from referee.rules.views import public_state
from referee.service.access import Principal
from referee.service.caught_players import caught_by
from referee.service.edits import edit, takes_back_seats
from referee.service.history import ruling_to_json
from referee.service.past_rounds import History, Replayed, play_again
from referee.service.problems import Problem, invalid
from referee.service.table_projection import round_result

Json = dict[str, Any]
# Parts of the public state that people must set right after a correction.
COMPARED = ("turn", "direction", "color", "top", "hands", "powers", "round_winner")
# Those that count beyond the round.
LASTING = ("scores", "winner")
# Kinds that enter a move; their answer carries the ruling on it.
ENTERING = ("replace", "insert", "hand-count")
# A ruling on these may name cards of a hand.
SHOWING = ("reveal", "give")


@dataclass(slots=True)
class CorrectedGame:
    """The game after a correction: the log's body, the state, the moves as replayed.

    ``before`` has the moves as they stood. ``same``: the history was not changed at all.
    ``broken_off`` are the numbers of rounds of which nothing counts.
    """

    body: Json
    state: State
    steps: list[Replayed] = field(default_factory=list)
    before: list[Replayed] = field(default_factory=list)
    same: bool = False
    broken_off: frozenset[int] = frozenset()


def make_correction(
    state: State,
    history: History,
    by: Principal,
    change: Mapping[str, Any],
    seq: int,
    voided: History | None = None,
) -> CorrectedGame:
    """Edit the history and replay it; ``state`` is the one before, ``seq`` the new entry.

    ``voided`` is for a redo: the history without its latest correction. Raises FieldError, or
    Problem, also when a round could not have begun any more.
    """
    before, image = list(play_again(history)), _image(history)
    was = _deeds(history, before)
    stated = _with_round(history, change, before)
    body: Json = {"by": by.to_json(), "round": 0, "change": stated}
    if voided is None:
        edit(history, stated, seq)
    else:
        body["voids"] = history.corrections[-1]
        history = voided
    steps = _replayed(history, stated)
    now = _deeds(history, steps)
    after = steps[-1].state if steps else history.start
    body["round"] = after.round
    body["rounds"] = [one.seq for one in history.rounds]
    standing = [one for one in steps if not _broken_off(history, one)]
    body["changed"] = _changed(before, standing)
    body["fell"] = [deed for entry, deed in was.items() if entry not in now]
    body["stands"] = [deed for entry, deed in now.items() if entry not in was and entry != seq]
    body |= _entered(change, steps, seq)
    body["differs"] = _differences(state, after)
    aside = list(range(_last_round(steps) + 1, len(history.rounds) + 1))
    if aside:
        body["aside"] = aside
    body |= {
        "scores_before": list(state.scores),
        "state": public_state(after),
        "position": state_to_json(after),
        "results": _results(standing),
        "caught": _caught(standing),
    }
    if after.game.seats != state.game.seats:
        body["game"] = game_to_json(after.game)
    broken_off = frozenset(n for n, one in enumerate(history.rounds, 1) if one.broken_off)
    return CorrectedGame(body, after, steps, before, image == _image(history), broken_off)


def _replayed(history: History, change: Mapping[str, Any]) -> list[Replayed]:
    try:
        return list(play_again(history))
    except RuleError as error:
        # The field is the number of the round.
        number = error.field
        if number == "ended":
            raise Problem("conflict", "The game was ended early: take that back first.") from None
        kind = change["kind"]
        own = str(change.get("round", len(history.rounds))) == number
        if kind in ("opening", "result") and own:
            field = "dealer" if error.rule == "setup.dealer" else kind
            raise invalid(field, error.reason, error.rule) from None
        raise Problem(
            "conflict",
            Message(
                "With this correction round {round} could not have begun: {reason}.",
                round=number,
                reason=error.reason,
            ),
        ) from None


def _last_round(steps: list[Replayed]) -> int:
    return steps[-1].round if steps else 0


def _image(history: History) -> Any:
    """Return the history without the entries that made it, to compare it."""
    return [
        (one.dealer, one.opening, one.result, one.broken_off, [past.action for past in one.moves])
        for one in history.rounds
    ]


def _with_round(history: History, change: Mapping[str, Any], steps: list[Replayed]) -> Json:
    """Return the change; where rounds are set aside, the last round is the last that counts."""
    last = _last_round(steps)
    # Undo without a move takes back first who has come and gone since.
    seats = change["kind"] == "undo" and "move" not in change
    if seats and takes_back_seats(history.seats_aside):
        return dict(change)
    if change["kind"] != "redo" and "round" not in change and last < len(history.rounds):
        return {**change, "round": last}
    return dict(change)


def _deeds(history: History, steps: Iterable[Replayed]) -> dict[int, Json]:
    """Return what was done, by its log entry: seat, kind and card, or the opening of a round."""
    found: dict[int, Json] = {}
    for step in steps:
        if not step.round or _broken_off(history, step):
            continue
        entry = step.past.seq if step.past else history.rounds[step.round - 1].seq
        deed = {"id": entry, "round": step.round, "move": step.move, **_deed(step)}
        found.setdefault(entry, deed)
    return found


def _broken_off(history: History, step: Replayed) -> bool:
    if not step.round:
        return False
    played = history.rounds[step.round - 1]
    return played.broken_off and step.move <= len(played.moves)


def _deed(step: Replayed) -> Json:
    if step.past is None:
        return {}
    action = step.past.action
    move = action.move if isinstance(action, Overruled) else action
    deed = {"seat": move.seat, "kind": NAMES[type(move)]}
    return {**deed, "card": move.card} if isinstance(move, Play | Flip) else deed


def _changed(before: Iterable[Replayed], after: Iterable[Replayed]) -> list[Json]:
    """List the moves whose verdict is another one, or which break another rule."""
    ruled = {step.past.seq: step.decision for step in before if step.past}
    changed = []
    for step in after:
        was = ruled.get(step.past.seq) if step.past else None
        if was is None or step.decision is None or _alike(was, step.decision):
            continue
        place = {"round": step.round, "move": step.move, **_deed(step)}
        old = {"verdict": was.ruling.verdict, "rule": was.ruling.rule}
        changed.append({**place, "was": old, "now": _ruling(step, step.decision)})
    return changed


def _alike(one: Decision, other: Decision) -> bool:
    if one.ruling.verdict != other.ruling.verdict:
        return False
    return one.ruling.legal or one.ruling.rule == other.ruling.rule


def _ruling(step: Replayed, decision: Decision) -> Json:
    ruling = ruling_to_json(decision.ruling)
    if _deed(step)["kind"] in SHOWING and ruling["rule"] != "hand.count":
        ruling.pop("args", None)
    return ruling


def _entered(change: Mapping[str, Any], steps: Iterable[Replayed], seq: int) -> Json:
    """Return the move that the correction enters, and the ruling on it."""
    if change["kind"] not in ENTERING:
        return {}
    for step in steps:
        if step.past and step.past.seq == seq and step.decision is not None:
            place = {"round": step.round, "move": step.move, **_deed(step)}
            return {"entered": place, "ruling": ruling_to_json(step.decision.ruling)}
    return {}


def _differences(before: State, after: State) -> Json:
    """Compare the public states; of another round only what counts beyond it."""
    was, now = public_state(before), public_state(after)
    if before.round != after.round:
        was["round"], now["round"] = before.round, after.round
        compared: tuple[str, ...] = ("round", *LASTING)
    else:
        compared = (*COMPARED, *LASTING)
    found = {
        name: {"was": was[name], "now": now[name]} for name in compared if was[name] != now[name]
    }
    if before.order != after.order:
        found["order"] = {"was": list(before.order), "now": list(after.order)}
    return found


def _results(steps: Iterable[Replayed]) -> list[Json]:
    """Return the results of the finished rounds."""
    return [round_result(step.state, step.before) for step in steps if step.finished]


def _caught(steps: Iterable[Replayed]) -> list[Json]:
    found = []
    for step in steps:
        if step.past is None or step.decision is None:
            continue
        action = step.past.action
        move = action.move if isinstance(action, Overruled) else action
        # Other events need not be written out.
        if isinstance(move, Catch | Reveal):
            events = [event_to_json(event) for event in step.decision.events]
            legal = step.decision.ruling.legal
            found.append(caught_by(step.round, move_to_json(move), legal, events))
    return [one for one in found if one is not None]
