"""The state of a game as the referee knows it: counts, the pile, whose turn, what is owed.

A ``State`` is never changed once it has been handed out: ``fold.evolve`` gives a new one, and the
containers in it are replaced, not written to.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from referee.rules.cards import Card
from referee.rules.events import Announced, Laid
from referee.rules.options import Options

if TYPE_CHECKING:
    from referee.rules.ruleset import Ruleset

Need = tuple[int, str]
FEWEST_SEATS = 2
MOST_SEATS = 10


@dataclass(frozen=True, slots=True)
class Game:
    """What stays the same for a whole game: the ruleset, the house rules, who sits where.

    ``cards`` are the cards in play, by id: the ruleset's deck less what the options leave out.
    """

    ruleset: "Ruleset"
    options: Options
    seats: tuple[str, ...]
    deck_size: int
    cards: Mapping[str, Card]


class Watch(NamedTuple):
    """Moves that claimed to hold none of certain cards, and the count of such cards shown since.

    A claim is (move, base): it is proved false once ``shown`` less the cards taken exceeds base.
    """

    rule: str
    color: str | None
    symbol: str | None
    wilds: bool
    shown: int
    claims: tuple[tuple[int, int], ...]


class Ledger(NamedTuple):
    """What a seat has taken since its first open claim, and its watches."""

    taken: int
    watches: tuple[Watch, ...]


class Proof(NamedTuple):
    """A move proved to have broken a rule; ``move`` is its 1-based number in the round."""

    seat: int
    move: int
    rule: str


class FollowUp(NamedTuple):
    """A seat that may lay one more card before the next player acts, and the rule that lets it."""

    seat: int
    rule: str
    only: str | None


NOTHING: Mapping[str, int] = MappingProxyType({})
NOBODY: Mapping[int, int] = MappingProxyType({})
NO_LEDGERS: Mapping[int, Ledger] = MappingProxyType({})


@dataclass(slots=False)
class State:
    """A position. Seats are 1…n; tuples "by seat" hold seat s at index s - 1."""

    game: Game
    scores: tuple[int, ...]
    round: int = 0
    dealer: int = 0
    moves: int = 0
    turn: int | None = None
    direction: int = 1
    color: str | None = None
    top: str | None = None
    hands: tuple[int, ...] = ()
    draw_pile: int = 0
    discard_pile: int = 0
    awaiting: tuple[Need, ...] = ()
    opening: bool = False
    powers: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    uno: tuple[int, ...] = ()
    owed: tuple[int, ...] = ()
    early_call: int | None = None
    laid: Laid | None = None
    queue: tuple[tuple[int, ...], ...] = ()
    follow_up: FollowUp | None = None
    offer: tuple[int, str] | None = None
    raised: Mapping[int, int] = field(default_factory=lambda: NOBODY)
    open_hands: Mapping[int, int] = field(default_factory=lambda: NOBODY)
    notices: tuple[Announced, ...] = ()
    known: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    ledgers: Mapping[int, Ledger] = field(default_factory=lambda: NO_LEDGERS)
    evidence: tuple[Proof, ...] = ()
    revealed: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    round_winner: int | None = None
    winner: int | tuple[int, ...] | None = None

    def fork(self) -> "State":
        """A copy for the fold to write to; containers are shared until they are replaced."""
        copy = State.__new__(State)
        copy.__dict__ = dict(self.__dict__)
        return copy

    @property
    def in_progress(self) -> bool:
        """Whether a round is being played."""
        return self.turn is not None

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """The seat ``steps`` further on in the present direction."""
        return (seat - 1 + self.direction * steps) % len(self.hands) + 1

    def clockwise_from(self, seat: int) -> tuple[int, ...]:
        """All seats clockwise, whichever way play runs, starting with ``seat``."""
        seats = len(self.hands)
        return tuple((seat - 1 + step) % seats + 1 for step in range(seats))

    def may_call_early(self, seat: int) -> bool:
        """Whether a call of UNO counts if this turn leaves the seat one card (R33, R38)."""
        more = self.follow_up
        playing = self.turn == seat or (more is not None and more.seat == seat)
        return playing and self.hands[seat - 1] == 2

    def from_seat(self, seat: int) -> tuple[int, ...]:
        """All seats in playing order, starting with ``seat``."""
        return tuple(self.seat_after(seat, step) for step in range(len(self.hands)))

    def needs(self, seat: int, need: str) -> bool:
        """Whether the referee waits for this from the seat."""
        return (seat, need) in self.awaiting


def new_state(game: Game) -> State:
    """A game before its first round."""
    return State(game, scores=(0,) * len(game.seats), hands=(0,) * len(game.seats))
