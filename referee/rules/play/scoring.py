"""Who scores what after a round, and whether the game is won.

A side is a seat, or with teams (house.teams) the seats of one: sides win, seats have points.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.state import State

Side = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scoring:
    """A way to score: who gets the points of a seat's hand (None: nobody), and which total leads.

    ``scorer`` is given the state, the winner of the round and the seat.
    ``eliminates``: who reaches the target is out, and the game goes on among the others.
    ``counts`` is False where no points are kept and going out wins the game.
    """

    rule: str
    scorer: Callable[[State, int | None, int], int | None]
    best: Callable[[Sequence[int]], int] = max
    counts: bool = True
    eliminates: bool = False


def winner_of_round(state: State, winner: int | None, seat: int) -> int | None:
    """score.winner: who went out gets the points of all opponents."""
    return None if winner is None or seat in side_of(state, winner) else winner


def owner(state: State, winner: int | None, seat: int) -> int | None:
    """score.low: everyone collects their own."""
    return seat


SCORINGS: Mapping[str, Scoring] = {
    "winner": Scoring("score.winner", winner_of_round),
    "low": Scoring("score.low", owner, min),
    "hand": Scoring("score.hand", winner_of_round, counts=False),
    "elimination": Scoring("house.elimination", owner, min, eliminates=True),
}


def scoring_of(state: State) -> Scoring:
    """Return how the table scores."""
    return SCORINGS[state.game.options.scoring]


def sides(state: State) -> tuple[Side, ...]:
    """Return the teams, or each seat by itself."""
    return state.game.options.teams or tuple((n,) for n in range(1, len(state.scores) + 1))


def side_of(state: State, seat: int) -> Side:
    """Return the seats that win with a seat."""
    return next((side for side in state.game.options.teams if seat in side), (seat,))


def totals(state: State) -> tuple[int, ...]:
    """Return the points by side."""
    if not state.game.options.teams:
        return state.scores
    return tuple(sum(state.scores[seat - 1] for seat in side) for side in sides(state))


@dataclass(frozen=True, slots=True)
class CountedHand:
    """What a seat still held, and who gets its points (None: nobody).

    ``cards``, and the points of each, are None if the hand was not shown; one that nobody knows
    has 0 points (round.count).
    """

    seat: int
    cards: tuple[str, ...] | None
    card_points: tuple[int, ...] | None
    points: int
    to: int | None


def counted_hands(state: State) -> tuple[CountedHand, ...]:
    """Return the hands of a round that was won, by seat, as far as they have been shown."""
    ruleset, options, scoring = state.game.ruleset, state.game.options, scoring_of(state)
    if not scoring.counts:
        return ()
    hands = []
    for seat in sorted({*state.revealed, *state.counted}):
        to = scoring.scorer(state, state.round_winner, seat)
        if seat in state.counted:
            hands.append(CountedHand(seat, None, None, state.counted[seat], to))
            continue
        shown = state.revealed[seat]
        each = tuple(ruleset.points(ruleset.deck.cards[name], options) for name in shown)
        hands.append(CountedHand(seat, shown, each, sum(each), to))
    return tuple(hands)


def hands_that_count(state: State, out: int) -> tuple[int, ...]:
    """Return the seats whose hands bring somebody points if ``out`` wins a round."""
    scoring = scoring_of(state)
    if not scoring.counts:
        return ()
    others = (seat for seat in state.order if seat != out)
    return tuple(seat for seat in others if scoring.scorer(state, out, seat) is not None)


def round_scores(state: State) -> tuple[int, ...]:
    """Return the scores by seat, once every hand of the round has been shown."""
    scores = list(state.scores)
    for hand in counted_hands(state):
        if hand.to is not None:
            scores[hand.to - 1] += hand.points
    return tuple(scores)


def score(draft: Draft) -> None:
    """Score the round, and end the game if it is won."""
    draft.emit(ev.Scored(round_scores(draft.state), draft.state.game.options.teams))
    if scoring_of(draft.state).eliminates:
        _eliminate(draft)
    elif _target_reached(draft.state):
        # Who went out may have left before the hands were counted.
        low = scoring_of(draft.state).best is min
        draft.emit(ev.GameWon(best_seats(draft.state, draft.state.order if low else ())))
        return
    if draft.state.winner is None and _last_round(draft.state):
        draft.emit(ev.GameWon(best_seats(draft.state, draft.state.order)))


def _target_reached(state: State) -> bool:
    target = state.game.options.target
    return target is not None and max(totals(state)) >= target


def _last_round(state: State) -> bool:
    rounds = state.game.options.rounds
    return rounds is not None and state.scored >= rounds


def _eliminate(draft: Draft) -> None:
    """house.elimination: who has reached the target is out; the last one left wins (R50)."""
    state = draft.state
    target, order = state.game.options.target, state.order
    out = tuple(seat for seat in order if target is not None and state.scores[seat - 1] >= target)
    left = tuple(seat for seat in order if seat not in out)
    if out and left:
        draft.emit(ev.SeatsOut(out))
    if len(left) < 2:
        # If a round takes all that are left, the lowest total of them wins.
        draft.emit(ev.GameWon(best_seats(state, left or order)))


def is_out(state: State, seat: int) -> bool:
    """Return whether a seat is out of the game, having reached the target (R50)."""
    target = state.game.options.target
    # A move that stands in the log may be of a seat whose joining was taken back.
    seated = seat <= len(state.scores)
    reached = seated and target is not None and state.scores[seat - 1] >= target
    return reached and scoring_of(state).eliminates and seat not in state.order


def back_in(state: State, scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats that are out of the game now, and would not be with these scores."""
    target = state.game.options.target or 0
    return tuple(s for s in state.circle if is_out(state, s) and scores[s - 1] < target)


def best_seats(state: State, among: Sequence[int]) -> tuple[int, ...]:
    """Return the seats of the sides that lead the game: those with any of some seats, or all."""
    playing = [
        (side, total)
        for side, total in zip(sides(state), totals(state), strict=True)
        if not among or any(seat in among for seat in side)
    ]
    best = scoring_of(state).best([total for _, total in playing])
    return tuple(sorted(seat for side, total in playing if total == best for seat in side))
