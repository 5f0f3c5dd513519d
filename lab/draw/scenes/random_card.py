"""Random cards: common ones often, rare ones often enough."""

from functools import cache

import numpy as np

from hardware.camera.decks import ICONS, RULESETS, SUITS, all_cards


@cache
def _common() -> tuple[str, ...]:
    return tuple(card.id for card in RULESETS["classic-108"])


@cache
def _rare() -> tuple[str, ...]:
    common = set(_common())
    return tuple(c.id for c in all_cards().values() if c.id not in common and c.icon == "none")


def random_card(rng: np.random.Generator, rare: float, icons: float, seed: int) -> str:
    """Return a random card id.

    ``rare`` is the share of cards that a classic deck lacks, ``icons`` that of number cards with a
    tower's icon. The print style's ``seed`` selects the numbers that carry an icon: two for each
    icon in each colour, as in a real deck.
    """
    if rng.random() < icons:
        suit, icon = int(rng.integers(4)), int(rng.integers(1, 5))
        number = (seed + 2 * suit + 3 * icon + 4 * int(rng.integers(2))) % 9 + 1
        return f"{SUITS[suit]}-{number}:{ICONS[icon]}"
    if rng.random() < rare:
        return _rare()[int(rng.integers(len(_rare())))]
    if rng.random() < 0.06:
        return "wild" if rng.random() < 0.5 else "wild-draw-four"
    return _common()[int(rng.integers(len(_common())))]
