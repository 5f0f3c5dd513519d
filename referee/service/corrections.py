"""Apply a correction: replay the game with the change and list the differences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.rules.actions import Catch, Flip, Overruled, Play, Reveal
from referee.rules.codec import move_to_json
from referee.rules.serial import event_to_json, game_to_json, state_to_json
from referee.rules.state import State
from referee.rules.views import public_state
from referee.service.access import Principal
from referee.service.caught_players import caught_by
from referee.service.edits import edit
from referee.service.past_rounds import History, Replayed, play_again
from referee.service.pile.layers import Layer, Pile, Standing
from referee.service.table_projection import round_result

Json = dict[str, Any]
# Parts of the public state that people must set right after a correction.
COMPARED = ("turn", "direction", "color", "hands", "powers", "scores", "round_winner", "winner")


@dataclass(slots=True)
class CorrectedGame:
    """The game after a correction: the log's body, the state, the moves as replayed."""

    body: Json
    state: State
    steps: list[Replayed] = field(default_factory=list)


def make_correction(
    state: State, history: History, by: Principal, change: Mapping[str, Any], seq: int
) -> CorrectedGame:
    """Edit the history and replay it; ``state`` is the one before, ``seq`` the new entry.

    Raises FieldError, Problem, or RuleError when a round could not have begun any more; its field
    is then the round's number.
    """
    before = {step.past.seq: _verdict(step) for step in play_again(history) if step.past}
    edit(history, change, seq)
    after, results, steps = _result(history)
    changed = [
        {
            "round": step.round,
            "move": step.move,
            "was": before[step.past.seq],
            "now": _verdict(step),
        }
        for step in steps
        if step.past and step.past.seq in before and before[step.past.seq] != _verdict(step)
    ]
    was, now = public_state(state), public_state(after)
    body = {
        "by": by.to_json(),
        "round": after.round,
        "change": dict(change),
        "changed": changed,
        "differs": {
            name: {"was": was[name], "now": now[name]}
            for name in COMPARED
            if was[name] != now[name]
        },
        "scores_before": list(state.scores),
        "state": now,
        "position": state_to_json(after),
        "results": results,
        "caught": _caught(steps),
    }
    if after.game.seats != state.game.seats:
        body["game"] = game_to_json(after.game)
    return CorrectedGame(body, after, steps)


def _verdict(step: Replayed) -> dict[str, str]:
    if step.decision is None:
        return {}
    ruling = step.decision.ruling
    return {"verdict": ruling.verdict, "rule": ruling.rule}


def _result(history: History) -> tuple[State, list[Json], list[Replayed]]:
    """Return the final state, the results of finished rounds, and each step."""
    steps = list(play_again(history))
    results = [
        round_result(step.state, step.before)
        for step in steps
        if step.finished and not history.rounds[step.round - 1].broken_off
    ]
    return (steps[-1].state if steps else history.start), results, steps


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


def correct_pile(
    pile: Pile, before: State, made: CorrectedGame, change: Mapping[str, Any], seq: int
) -> Pile:
    """Return the pile with its layers as in the corrected game; ``seq`` is the new entry.

    A card that lies there and is not in the game any more has to be taken back, unless somebody
    names it differently next.
    """
    round_now = made.state.round
    if round_now != before.round:
        # The round itself was undone: a waiting card may open it.
        waiting = tuple(one for one in pile.layers if one.standing == "waiting")
        return replace(pile, layers=waiting, gone=True)
    steps = {step.past.seq: step for step in made.steps if step.past and step.round == round_now}
    # A move that was replaced has the number of the entry that replaced it.
    replaced = seq if change["kind"] == "replace" else 0
    layers = (_corrected_layer(layer, steps, replaced) for layer in pile.layers)
    return _with_top(replace(pile, layers=tuple(filter(None, layers))), made.state.top)


def _with_top(pile: Pile, card: str | None) -> Pile:
    """Return the pile with a card of the game on top, put there if another one is."""
    if card is None or (pile.top is not None and pile.layers[pile.top].card == card):
        return pile
    return pile.put(Layer(card, "in", seen=False, said=True))


def _corrected_layer(layer: Layer, steps: Mapping[int, Replayed], replaced: int) -> Layer | None:
    if layer.move == 0 or layer.standing not in ("in", "wrong"):
        return layer
    step = steps.get(layer.move)
    if step is None and layer.seat:
        step = steps.get(replaced)
    if step is not None:
        return _as_played(layer, step)
    if layer.seat == 0:
        return layer
    return replace(layer, standing="wrong", move=0) if layer.seen else None


def _as_played(layer: Layer, step: Replayed) -> Layer:
    action = step.past.action if step.past else None
    move = action.move if isinstance(action, Overruled) else action
    if step.decision is None or not isinstance(move, Play | Flip) or step.past is None:
        return layer
    standing: Standing = "in" if step.decision.ruling.legal else "wrong"
    return replace(layer, card=move.card, seat=move.seat, standing=standing, move=step.past.seq)
