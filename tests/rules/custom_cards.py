"""Random custom cards and house rules, and the ten examples of the official sheet."""

from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Any

from referee.rules.cards import COLORS
from referee.rules.custom import VOCABULARY
from referee.rules.options import OPTIONS
from referee.rules.ruleset import find_ruleset
from referee.rules.variants.classic_112.examples import EXAMPLES as SHIPPED

EXAMPLES: list[dict[str, Any]] = [card.to_json() for card in SHIPPED]
KINDS = tuple(VOCABULARY)
# So many cards can be held at once, where the deck has as many.
MOST_HELD = 100


def random_card(rng: Random) -> dict[str, Any]:
    """Return one of the examples, or random effects."""
    if rng.random() < 0.5:
        return rng.choice(EXAMPLES)
    effects = [_effect(rng, rng.choice(KINDS)) for _ in range(rng.randint(0, 3))]
    return {"text": "anything goes", "effects": effects}


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


# Values of the house rules that any deck can be played with, the defaults left out; not all decks
# have the same for playing a card that one can.
HOUSE_RULES: dict[str, tuple[Any, ...]] = {
    **{
        name: option.choices[1:]
        for name, option in OPTIONS.items()
        if option.decks == "house" and option.choices
    },
    "forced_play": ("drawn", "any", "off"),
    "hand_size": (1, 2, 4, 10),
    "uno_penalty": (0, 1, 4),
    "rounds": (1, 3),
    "scoring": ("elimination", "low"),
    "teams": (True,),
}
PAIRS = tuple(combinations(HOUSE_RULES, 2))


def house_options(ruleset: str, names: Iterable[str], seats: int, rng: Random) -> dict[str, Any]:
    """Return random values for house rules, less what does not go together (R55).

    Each rule's is chosen in turn by name, so that the same seed gives the same values for a set.
    """
    options = {name: rng.choice(HOUSE_RULES[name]) for name in sorted(names)}
    if "hand_size" in options:
        held = min(MOST_HELD, find_ruleset(ruleset).deck.size)
        options["hand_size"] = min(options["hand_size"], (held - 1) // seats)
    if options.pop("teams", False) and seats % 2 == 0 and seats > 2:
        order = rng.sample(range(1, seats + 1), seats)
        size = rng.choice([n for n in range(2, seats // 2 + 1) if seats % n == 0])
        options["teams"] = [sorted(order[i : i + size]) for i in range(0, seats, size)]
    if "teams" in options and options.get("scoring") == "elimination":
        options["scoring"] = "low"
    if "rounds" in options and "scoring" not in options:
        options["scoring"] = "winner"
    if options.get("scoring") == "elimination":
        options["target"] = rng.choice((40, 120))
    return options


def random_options(ruleset: str, rng: Random) -> dict[str, Any]:
    """Return random values for some of the options that a ruleset supports."""
    values: dict[str, list[Any]] = {
        "scoring": ["winner", "low", "hand"],
        "target": [40, 150, 500],
        "two_player_reverse": ["skip", "pass"],
    }
    values |= {
        "classic-112": {"shuffle_hands": ["others", "all"]},
        "power-grab": {"wild_tower_points": [50, 20], "tower_claim": ["automatic", "must-move"]},
    }.get(ruleset, {})
    options = {name: rng.choice(of) for name, of in values.items() if rng.random() < 0.6}
    if ruleset == "classic-112":
        options["custom_cards"] = [random_card(rng) for _ in range(rng.randint(0, 3))]
    return options
