"""Custom cards for tests: the ten examples of the official sheet as data, and random ones."""

from random import Random
from typing import Any

from referee.rules.cards import COLORS
from referee.rules.variants.classic_112.examples import EXAMPLES as SHIPPED

EXAMPLES: list[dict[str, Any]] = [card.to_json() for card in SHIPPED]


def random_card(rng: Random) -> dict[str, Any]:
    """One of the examples, or a card nobody has thought of."""
    if rng.random() < 0.5:
        return rng.choice(EXAMPLES)
    effects = [_effect(rng, rng.choice(KINDS)) for _ in range(rng.randint(0, 3))]
    return {"text": "anything goes", "effects": effects}


KINDS = (
    "draw",
    "draw_until_color",
    "discard_wilds",
    "draw_if_cannot_play",
    "extra_turn",
    "hand_size",
    "open_hand",
    "ban",
    "dare",
    "text",
)


def _effect(rng: Random, kind: str) -> dict[str, Any]:
    effect: dict[str, Any] = {"effect": kind}
    if kind not in ("extra_turn", "text"):
        effect["who"] = rng.choice(("self", "next", "others", "all"))
    if kind in ("draw", "draw_if_cannot_play", "hand_size"):
        effect["count"] = rng.choice((0, 1, 1, 2, 3, 7))
    if kind == "draw_until_color":
        effect["color"] = rng.choice(COLORS)
    if kind in ("ban", "dare", "text"):
        effect["text"] = "as it says"
    if kind == "dare":
        for outcome in ("passed", "failed"):
            kinds = [
                rng.choice([k for k in KINDS if k != "dare"]) for _ in range(rng.randint(0, 2))
            ]
            effect[outcome] = [_effect(rng, inner) for inner in kinds]
    return effect
