"""The peer: RLCard's ``UnoGame``, played by random legal actions, four at the table."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np
from rlcard.games.uno import Game

SEATS = 4


@dataclass(frozen=True, slots=True)
class PeerRound:
    """A round of the peer: the seed of its own random numbers, and the actions taken."""

    seed: int
    actions: tuple[str, ...]


def play(game: Game, choose: Callable[[list[str]], str]) -> list[str]:
    """Deal and play one round, choosing among the legal actions that each step reports."""
    state, _ = game.init_game()
    actions = []
    while not game.is_over():
        action = choose(state["legal_actions"])
        actions.append(action)
        state, _ = game.step(action)
    return actions


def played(count: int) -> list[PeerRound]:
    """So many rounds, to be stepped through again."""
    return [
        PeerRound(seed, tuple(play(dealt_from(seed), Random(seed).choice))) for seed in range(count)
    ]


def dealt_from(seed: int) -> Game:
    """A game whose shuffles come from the seed."""
    game = Game(num_players=SEATS)
    game.np_random = np.random.RandomState(seed)
    return game
