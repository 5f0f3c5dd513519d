"""The rounds and moves of a game that stand after all corrections."""

from dataclasses import dataclass, field

from referee.rules.actions import Action
from referee.rules.engine import open_round
from referee.rules.state import State


@dataclass(slots=True)
class PastMove:
    """A move that stands, and the log entry it came with.

    ``presumed``: a camera saw the card, and whose it was followed from whose turn it was.
    """

    seq: int
    action: Action
    presumed: bool = False


@dataclass(slots=True)
class PastRound:
    """A round that was opened, and its moves; ``abandons``: the round before was broken off.

    ``seq`` is the log entry that opened it.
    """

    dealer: int
    opening: tuple[str, ...]
    abandons: bool = False
    moves: list[PastMove] = field(default_factory=list)
    seq: int = 0


@dataclass(slots=True)
class History:
    """A game before its first round, and the rounds that stand.

    ``corrections`` are the log entries of the corrections that stand, oldest first.
    """

    start: State
    rounds: list[PastRound] = field(default_factory=list)
    corrections: list[int] = field(default_factory=list)


def begin(state: State, played: PastRound) -> State:
    """Deal a past round again. Raises RuleError when it can no longer be opened."""
    return open_round(state, played.dealer, played.opening, played.abandons)[0]
