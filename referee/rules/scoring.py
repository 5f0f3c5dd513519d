"""Points for the cards left in hands, and the winners of the game."""

from referee.rules.options import Options
from referee.rules.state import State


def hand_points(state: State, hand: tuple[str, ...]) -> int:
    """Return the points of a hand."""
    ruleset, options = state.game.ruleset, state.game.options
    return sum(ruleset.points(ruleset.deck.cards[name], options) for name in hand)


def round_scores(state: State) -> tuple[int, ...]:
    """Return the scores by seat, once every hand of the round has been shown."""
    scores = list(state.scores)
    points = {seat: hand_points(state, hand) for seat, hand in state.revealed.items()}
    if state.game.options.scoring == "low":
        for seat, count in points.items():
            scores[seat - 1] += count
    elif state.round_winner is not None:
        scores[state.round_winner - 1] += sum(points.values())
    return tuple(scores)


def winners(scores: tuple[int, ...], options: Options) -> tuple[int, ...]:
    """Return the seats that have won the game, none before somebody reaches the target."""
    if max(scores) < options.target:
        return ()
    best = min(scores) if options.scoring == "low" else max(scores)
    return tuple(seat for seat, score in enumerate(scores, 1) if score == best)
