"""Apply a correction: replay the game with the change and list the differences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.rules.actions import NAMES, Discard, Draw, Flip, Give, Overruled, Play, Report
from referee.rules.message import Message
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.rules.records.serial import game_to_json, state_to_json
from referee.rules.rulings import RuleError, Ruling
from referee.service.access import Principal
from referee.service.history.edits import attribute, edit, takes_back_seats
from referee.service.history.playback import Playback, Ruled, last_shared, outlines, play_back
from referee.service.history.returned_hands import (
    HandsMoved,
    drawn_by_seat,
    hands_go,
    hands_kept,
    hands_to_pass,
)
from referee.service.history.standing_moves import ruling_to_json
from referee.service.log.past_rounds import History
from referee.service.problems import Problem, invalid

Json = dict[str, Any]
# Parts of the public state that people must set right after a correction.
COMPARED = ("turn", "direction", "color", "top", "hands", "powers", "round_winner")
# Those that count beyond the round.
LASTING = ("scores", "winner")
# Kinds that enter a move; their answer carries the ruling on it.
ENTERING = ("replace", "insert", "hand-count")
# Of longer lists the log has the beginning and the length.
MOST_LISTED = 50
# A ruling on these may name cards of a hand.
SHOWING = ("reveal", "give")


@dataclass(slots=True)
class CorrectedGame:
    """The game after a correction: the log's body, the state, the moves as replayed.

    ``before`` has the moves as they stood, ``fell`` and ``stands`` what is undone now, and what is
    so no longer. ``before_entered`` is the state before the move that the correction enters.
    ``same``: the history was not changed at all. ``broken_off`` are the numbers of rounds of which
    nothing counts.
    """

    body: Json
    state: State
    steps: list[Ruled] = field(default_factory=list)
    before: list[Ruled] = field(default_factory=list)
    fell: list[Json] = field(default_factory=list)
    stands: list[Json] = field(default_factory=list)
    before_entered: State | None = None
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
    played, outline, image = play_back(history), outlines(history), _image(history)
    before = played.steps
    old_deeds = _deeds(history, before)
    stated = _with_round(history, change, before)
    history.options, rounds = None, len(history.rounds)
    body: Json = {"by": by.to_json(), "round": 0, "change": stated}
    if voided is None:
        edit(history, stated, seq)
        if history.presumed:
            seats = attribute(history, last_shared(played, outline, history))
            body["attributed"] = [list(pair) for pair in seats.items()]
    else:
        body["voids"] = history.corrections[-1]
        history = voided
    if history.options is not None or len(history.rounds) > rounds:
        body["handed_on"] = None if voided is not None else history.options
    shared = last_shared(played, outline, history)
    now_played = _replayed(history, stated, seq, played.up_to(shared))
    steps, after = now_played.steps, now_played.state
    new_deeds = _deeds(history, steps)
    body["round"] = after.round
    body["rounds"] = [past.seq for past in history.rounds]
    standing = [step for step in steps if not _broken_off(history, step)]
    fell = [deed for entry, deed in old_deeds.items() if entry not in new_deeds]
    stands = [deed for entry, deed in new_deeds.items() if entry not in old_deeds and entry != seq]
    body |= _listed({"changed": _changed(before, standing), "fell": fell, "stands": stands})
    body |= _entered(change, steps, seq)
    body["differs"] = _differences(state, after)
    if after.in_progress and after.round == state.round:
        body |= _whole_hands(played.hands, now_played.hands, after.round)
        body |= _cards_drawn(played, now_played, after)
    if after.follow_up is not None:
        body["follow_up"] = {"seat": after.follow_up.seat, "rule": after.follow_up.rule}
    aside = list(range(_last_round(steps) + 1, len(history.rounds) + 1))
    if aside:
        body["aside"] = aside
    body |= {
        "scores_before": list(state.scores),
        "state": public_state(after),
        "position": state_to_json(after),
        "results": _counting(history, steps, now_played.results),
        "caught": _counting(history, steps, now_played.caught),
    }
    if after.game.seats != state.game.seats or after.game.options != state.game.options:
        body["game"] = game_to_json(after.game)
    broken_off = frozenset(n for n, past in enumerate(history.rounds, 1) if past.broken_off)
    return CorrectedGame(
        body,
        after,
        steps,
        before,
        fell,
        stands,
        now_played.before_entry,
        image == _image(history),
        broken_off,
    )


def _cards_drawn(before: Playback, after: Playback, state: State) -> dict[str, Any]:
    """Return how many cards each seat drew in the round of a state, if the two games differ."""
    seats = len(state.game.seats)
    was, now = (drawn_by_seat(game.drawn, state.round, seats) for game in (before, after))
    return {} if was == now else {"cards_drawn": {"was": was, "now": now}}


def _whole_hands(
    before: Sequence[HandsMoved], after: Sequence[HandsMoved], number: int
) -> dict[str, Any]:
    """Return where whole hands of a round go, and whose stay though they were shuffled."""
    passed = hands_to_pass(before, after, number)
    kept = hands_kept(before, after, number)
    fields: dict[str, Any] = {"hands_kept": kept} if kept else {}
    if passed:
        go = hands_go(before, after, number, passed)
        fields |= {"hands_passed": passed, "hands_go": go}
        old, new = (
            {one.entry for one in moved if one.round == number} for moved in (before, after)
        )
        if len(old ^ new) == 1:
            fields["hands_entry"] = (old ^ new).pop()
    return fields


def _listed(deeds: Mapping[str, list[Json]]) -> Json:
    """Return lists for the log: of long ones the beginning, their length, and entries by ranges."""
    body: Json = {name: items[:MOST_LISTED] for name, items in deeds.items()}
    long = {name: items for name, items in deeds.items() if len(items) > MOST_LISTED}
    if long:
        body["counts"] = {name: len(items) for name, items in long.items()}
        for name in long.keys() - {"changed"}:
            body[f"{name}_entries"] = ranges(deed["id"] for deed in long[name])
    return body


def ranges(numbers: Iterable[int]) -> list[list[int]]:
    """Return numbers as ranges, each by its first and last one."""
    pairs: list[list[int]] = []
    for number in sorted(numbers):
        if pairs and number == pairs[-1][1] + 1:
            pairs[-1][1] = number
        else:
            pairs.append([number, number])
    return pairs


def _replayed(
    history: History, change: Mapping[str, Any], seq: int, start: Playback | None
) -> Playback:
    try:
        return play_back(history, seq, start)
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


def _last_round(steps: list[Ruled]) -> int:
    return steps[-1].round if steps else 0


def _image(history: History) -> Any:
    """Return the history without the entries that made it, to compare it."""
    return [
        (past.dealer, past.opening, past.result, past.broken_off, [m.action for m in past.moves])
        for past in history.rounds
    ]


def _with_round(history: History, change: Mapping[str, Any], steps: list[Ruled]) -> Json:
    """Return the change; where rounds are set aside, the last round is the last that counts."""
    last = _last_round(steps)
    # Undo without a move takes back first who has come and gone since.
    seats = change["kind"] == "undo" and "move" not in change
    if seats and takes_back_seats(history.seats_aside):
        return dict(change)
    if change["kind"] != "redo" and "round" not in change and last < len(history.rounds):
        return {**change, "round": last}
    return dict(change)


def _deeds(history: History, steps: Iterable[Ruled]) -> dict[int, Json]:
    """Return what was done, by its log entry: seat, kind, card, verdict, or a round's opening."""
    deeds: dict[int, Json] = {}
    for step in steps:
        if not step.round or _broken_off(history, step):
            continue
        entry = history.rounds[step.round - 1].seq if step.entry is None else step.entry
        deed = {"id": entry, "round": step.round, "move": step.move, **_deed(step)}
        if step.ruling is not None:
            deed["verdict"] = step.ruling.verdict
        deeds.setdefault(entry, deed)
    return deeds


def _broken_off(history: History, step: Ruled) -> bool:
    if not step.round:
        return False
    played = history.rounds[step.round - 1]
    return played.broken_off and step.move <= len(played.moves)


def _deed(step: Ruled) -> Json:
    action = step.action
    if action is None:
        return {}
    move = action.move if isinstance(action, Overruled) else action
    deed = {"seat": move.seat, "kind": NAMES[type(move)]}
    if isinstance(move, Give):
        # Which cards they are only the two know.
        return {**deed, "to": move.to, "count": len(move.cards)}
    if isinstance(move, Discard):
        return {**deed, "count": move.size}
    if isinstance(move, Draw | Report):
        return {**deed, "count": (move.count or 1) if isinstance(move, Draw) else move.drawn}
    return {**deed, "card": move.card} if isinstance(move, Play | Flip) else deed


def _changed(before: Iterable[Ruled], after: Iterable[Ruled]) -> list[Json]:
    """List the moves whose verdict is another one, or which break another rule."""
    ruled = {step.entry: step.ruling for step in before if step.entry is not None}
    changed = []
    for step in after:
        was = ruled.get(step.entry) if step.entry is not None else None
        if was is None or step.ruling is None or _alike(was, step.ruling):
            continue
        place = {"id": step.entry, "round": step.round, "move": step.move, **_deed(step)}
        old = {"verdict": was.verdict, "rule": was.rule}
        changed.append({**place, "was": old, "now": _ruling(step, step.ruling)})
    return changed


def _alike(ruling: Ruling, other: Ruling) -> bool:
    return ruling.verdict == other.verdict and (ruling.legal or ruling.rule == other.rule)


def _ruling(step: Ruled, ruling: Ruling) -> Json:
    body = ruling_to_json(ruling)
    if _deed(step)["kind"] in SHOWING and not body["rule"].startswith("hand."):
        body.pop("args", None)
    return body


def _entered(change: Mapping[str, Any], steps: Iterable[Ruled], seq: int) -> Json:
    """Return the move that the correction enters, and the ruling on it."""
    if change["kind"] not in ENTERING:
        return {}
    for step in steps:
        if step.entry == seq and step.ruling is not None:
            place = {"round": step.round, "move": step.move, **_deed(step)}
            return {"entered": place, "ruling": ruling_to_json(step.ruling)}
    return {}


def _differences(before: State, after: State) -> Json:
    """Compare the public states; of another round only what counts beyond it."""
    old, new = public_state(before), public_state(after)
    if before.round != after.round:
        old["round"], new["round"] = before.round, after.round
        compared: tuple[str, ...] = ("round", *LASTING)
    else:
        compared = (*COMPARED, *LASTING)
    differences = {
        name: {"was": old[name], "now": new[name]} for name in compared if old[name] != new[name]
    }
    if before.order != after.order:
        differences["order"] = {"was": list(before.order), "now": list(after.order)}
    return differences


def _counting(
    history: History, steps: Sequence[Ruled], numbered: Iterable[tuple[int, Json]]
) -> list[Json]:
    """Return what steps led to, but for those in rounds broken off, of which nothing counts."""
    return [outcome for number, outcome in numbered if not _broken_off(history, steps[number - 1])]
