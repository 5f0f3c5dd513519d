"""The program compared with: RLCard's ``UnoGame``, four players, random legal actions."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np
from rlcard.games.uno import Game

SEATS = 4


@dataclass(frozen=True, slots=True)
class PeerRound:
    """A round of RLCard: the seed of its random numbers, and the actions taken."""

    seed: int
    actions: tuple[str, ...]


def play(game: Game, choose: Callable[[list[str]], str]) -> list[str]:
    """Deal and play one round; return its actions."""
    state, _ = game.init_game()
    actions = []
    while not game.is_over():
        action = choose(state["legal_actions"])
        actions.append(action)
        state, _ = game.step(action)
    return actions


def played(count: int) -> list[PeerRound]:
    """Play ``count`` rounds, recorded for replay."""
    return [
        PeerRound(seed, tuple(play(dealt_from(seed), Random(seed).choice))) for seed in range(count)
    ]


def dealt_from(seed: int) -> Game:
    """Return a game whose shuffles follow from the seed."""
    game = Game(num_players=SEATS)
    game.np_random = np.random.RandomState(seed)
    return game
