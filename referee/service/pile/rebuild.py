"""The pile after a correction: some plays never were, others were of another card."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.actions import Flip, Overruled, Play
from referee.rules.state import State
from referee.service.corrections import CorrectedGame
from referee.service.history import Replayed
from referee.service.pile.layers import Layer, Pile


def rebuilt(
    pile: Pile, before: State, made: CorrectedGame, change: Mapping[str, Any], seq: int
) -> Pile:
    """The layers as the corrected game has them; ``seq`` is the correction's entry.

    A card that is not in the game any more, and lies there, has to be taken back, unless somebody
    says next what it really was.
    """
    round_now = made.state.round
    if round_now != before.round:
        # The round itself was undone: what waits may open it anew.
        waiting = tuple(one for one in pile.layers if one.standing == "waiting")
        return replace(pile, layers=waiting, gone=True)
    steps = {step.past.seq: step for step in made.steps if step.past and step.round == round_now}
    layers = []
    for layer in pile.layers:
        if layer.move == 0 or layer.standing not in ("in", "wrong"):
            layers.append(layer)
            continue
        # A move that was replaced is known by the entry that replaced it.
        step = steps.get(layer.move)
        if step is None and layer.seat and change["kind"] == "replace":
            step = steps.get(seq)
        if step is not None:
            layers.append(_as_played(layer, step))
        elif layer.seat == 0:
            layers.append(layer)
        elif layer.seen:
            layers.append(replace(layer, standing="wrong", move=0))
    found = replace(pile, layers=tuple(layers))
    top = found.top
    if made.state.top is not None and (top is None or found.layers[top].card != made.state.top):
        found = found.put(Layer(made.state.top, "in", seen=False, said=True))
    return found


def _as_played(layer: Layer, step: Replayed) -> Layer:
    action = step.past.action if step.past else None
    move = action.move if isinstance(action, Overruled) else action
    if step.decision is None or not isinstance(move, Play | Flip) or step.past is None:
        return layer
    standing: Any = "in" if step.decision.ruling.legal else "wrong"
    return replace(layer, card=move.card, seat=move.seat, standing=standing, move=step.past.seq)
