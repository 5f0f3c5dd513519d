"""Random scripts: a table in play, or one where nobody plays."""

from collections.abc import Iterator, Mapping

import numpy as np

from hardware.camera.decks import RULESETS
from lab.clips import actions, disturbances
from lab.clips.tabletop import Action, Motion, Tabletop

DECK = tuple(card.id for card in RULESETS["classic-108"])
SHUFFLING = 3.0
"""Seconds for shuffling the pile."""
PLAY = {
    "lay": 0.46,
    "equal": 0.14,
    "quick": 0.05,
    "nudge": 0.09,
    "tidy": 0.03,
    "lift": 0.06,
    "put back": 0.03,
    "pass": 0.05,
    "hover": 0.05,
    "bump": 0.02,
    "clear": 0.02,
}
"""How often each thing happens in play."""
DRILL = {
    "lay": 0.28,
    "equal": 0.22,
    "quick": 0.04,
    "nudge": 0.14,
    "tidy": 0.05,
    "lift": 0.10,
    "put back": 0.05,
    "pass": 0.04,
    "hover": 0.05,
    "bump": 0.02,
    "clear": 0.01,
}
"""The same where what is easily told is rarer."""


def _random_card(rng: np.random.Generator) -> str:
    return str(rng.choice(DECK))


def play_script(
    seed: int,
    seconds: float,
    mix: Mapping[str, float] = PLAY,
    pauses: tuple[float, float] = (0.5, 1.6),
) -> Iterator[Action]:
    """Yield the actions of a table in play for some seconds; the last one is completed.

    ``mix`` is how often each thing happens; ``pauses`` are the shortest and the longest, in
    seconds.
    """
    rng = np.random.default_rng([seed, 21])
    ends: list[bool] = []
    yield actions.pause(1.2)
    while not ends:
        yield _until(_something(rng, mix), seconds, ends)
        yield actions.pause(float(rng.uniform(*pauses)))


def _until(action: Action, seconds: float, ends: list[bool]) -> Action:
    def wrapped(tabletop: Tabletop) -> Motion:
        yield from action(tabletop)
        if tabletop.now >= seconds:
            ends.append(True)

    return wrapped


def _something(rng: np.random.Generator, mix: Mapping[str, float]) -> Action:
    """Return a random action, resolved against the pile when it starts."""
    what = str(rng.choice(list(mix), p=list(mix.values())))
    cards = (_random_card(rng), _random_card(rng))
    brisk, share = float(rng.uniform(0.8, 1.5)), float(rng.random())

    def action(tabletop: Tabletop) -> Motion:
        top = tabletop.top
        made = _made(what, cards, brisk, share, top.card if top else None, len(tabletop.pile))
        yield from made(tabletop)

    return action


def _made(
    what: str, cards: tuple[str, str], brisk: float, share: float, top: str | None, pile: int
) -> Action:
    first, second = cards
    if top is None or what == "lay":
        # Avoid the face on top; "equal" is for that.
        other = first if first != top else _next(first)
        return actions.lay(other, brisk=brisk)
    simple = {
        "equal": actions.lay(top, brisk=brisk),
        "nudge": disturbances.nudge("top" if share < 0.4 and pile > 1 else "pile"),
        "tidy": disturbances.tidy(),
        "put back": actions.put_back(),
        "pass": disturbances.pass_through(first if share < 0.4 else None),
        "hover": disturbances.hover(0.3 + 3 * share, second if share < 0.5 else None),
        "bump": disturbances.bump(),
        "clear": _shuffled,
    }
    if what == "quick":
        first = first if first != top else _next(first)
        second = second if second != first else _next(second)
        return actions.quick(first, second, 0.45 + 0.5 * share)
    if what == "lift":
        # Lifting the last card would clear the pile.
        return actions.lift() if pile > 1 else disturbances.nudge("pile")
    return simple[what]


def _shuffled(tabletop: Tabletop) -> Motion:
    yield from actions.clear()(tabletop)
    yield from actions.pause(SHUFFLING)(tabletop)


def _next(card: str) -> str:
    return DECK[(DECK.index(card) + 1) % len(DECK)]


def idle_script(seed: int, seconds: float, every: float = 6.0) -> Iterator[Action]:
    """Yield actions of a table where nobody plays: hands pass and hover, some with cards.

    Hands come ``every`` seconds on average.
    """
    rng = np.random.default_rng([seed, 22])
    left = seconds
    while left > 0:
        quiet = min(left, float(rng.exponential(every)) + 0.5)
        yield actions.pause(quiet)
        share = float(rng.random())
        card = _random_card(rng) if share < 0.35 else None
        yield (
            disturbances.pass_through(card)
            if rng.random() < 0.7
            else disturbances.hover(0.2 + 3 * float(rng.random()), card)
        )
        left -= quiet + 2.2


def starting_pile(seed: int) -> tuple[str, ...]:
    """Return a random initial pile, the lowest card first."""
    rng = np.random.default_rng([seed, 23])
    return tuple(_random_card(rng) for _ in range(int(rng.integers(1, 6))))
