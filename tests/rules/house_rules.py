"""House rules for random games."""

from random import Random
from typing import Any

from tests.rules.custom_cards import random_card


def random_options(ruleset: str, rng: Random) -> dict[str, Any]:
    """House rules for a game: each option that the ruleset knows, at some value or left out."""
    values: dict[str, list[Any]] = {
        "scoring": ["winner", "low", "hand"],
        "target": [40, 150, 500],
        "two_player_reverse": ["skip", "pass"],
    }
    values |= {
        "classic-108": {"identical_cards": [False, True]},
        "classic-112": {"shuffle_hands": ["others", "all"]},
        "power-grab": {"wild_tower_points": [50, 20], "tower_claim": ["automatic", "must-move"]},
    }.get(ruleset, {})
    options = {name: rng.choice(of) for name, of in values.items() if rng.random() < 0.6}
    if ruleset == "classic-112":
        options["custom_cards"] = [random_card(rng) for _ in range(rng.randint(0, 3))]
    return options
