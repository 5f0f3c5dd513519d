"""The discard pile after a correction of the game."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from referee.rules.actions import Flip, Overruled, Play
from referee.rules.position.state import State
from referee.service.history.corrections import CorrectedGame
from referee.service.history.playback import Ruled, ruled_by_entry
from referee.service.pile.layers import Layer, Pile, Standing


def correct_pile(
    pile: Pile, before: State, game: CorrectedGame, change: Mapping[str, Any], seq: int
) -> Pile:
    """Return the pile with its layers as in the corrected game; ``seq`` is the new entry.

    A card that lies there and is not in the game any more has to be taken back, unless somebody
    names it differently next.
    """
    round_now = game.state.round
    if round_now != before.round:
        # The round itself was undone: a waiting card may open it.
        waiting = tuple(layer for layer in pile.layers if layer.standing == "waiting")
        return replace(pile, layers=waiting, gone=True)
    steps = ruled_by_entry([step for step in game.steps if step.round == round_now])
    # A move that was replaced has the number of the entry that replaced it.
    replaced = seq if change["kind"] == "replace" else 0
    corrected = (_corrected_layer(layer, steps, replaced) for layer in pile.layers)
    layers = _restored(list(filter(None, corrected)), steps, game.stands)
    return _with_top(replace(pile, layers=tuple(layers)), game.state.top)


def _restored(
    layers: list[Layer], steps: Mapping[int, Ruled], stands: Iterable[Mapping[str, Any]]
) -> list[Layer]:
    """Return the layers with each card whose play stands again as that play, if it still lies."""
    for deed in stands:
        for i in reversed(range(len(layers))):
            layer = layers[i]
            undone = layer.standing == "wrong" and not layer.move
            if undone and layer.card == deed.get("card") and deed["id"] in steps:
                layers[i] = _as_played(layer, steps[deed["id"]])
                break
    return layers


def _with_top(pile: Pile, card: str | None) -> Pile:
    """Return the pile with a card of the game on top, put there if another one is."""
    if card is None or (pile.top is not None and pile.layers[pile.top].card == card):
        return pile
    return pile.put(Layer(card, "in", seen=False, said=True))


def _corrected_layer(layer: Layer, steps: Mapping[int, Ruled], replaced: int) -> Layer | None:
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


def _as_played(layer: Layer, step: Ruled) -> Layer:
    action = step.action
    move = action.move if isinstance(action, Overruled) else action
    if step.ruling is None or not isinstance(move, Play | Flip) or step.entry is None:
        return layer
    standing: Standing = "in" if step.ruling.legal else "wrong"
    return replace(layer, card=move.card, seat=move.seat, standing=standing, move=step.entry)
