"""The state of a game: counts, piles, the turn, what is awaited, evidence.

A ``State`` is immutable once handed out: ``fold.evolve_all`` returns a new one, and its containers
are replaced, never written to.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from referee.rules.cards import Card
from referee.rules.options import Options
from referee.rules.position.events import Announced, Laid

if TYPE_CHECKING:
    from referee.rules.ruleset import Ruleset

Need = tuple[int, str]
FEWEST_SEATS = 2


@dataclass(frozen=True, slots=True)
class Game:
    """The facts about a game that no move changes.

    ``seats`` are the players' names; they change only when people come or are renamed. ``cards``
    are the cards in play by id: the ruleset's deck without those that the options leave out.
    """

    ruleset: "Ruleset"
    options: Options
    seats: tuple[str, ...]
    deck_size: int
    cards: Mapping[str, Card]


class Watch(NamedTuple):
    """Claims to hold no card of a kind, and how many such cards were shown since the first.

    Such cards that were openly given to the seat since are subtracted from ``shown`` (R57). A claim
    is (move, base): it is proved false once ``shown`` minus the cards taken exceeds base.
    """

    rule: str
    color: str | None
    symbol: str | None
    wilds: bool
    shown: int
    claims: tuple[tuple[int, int], ...]
    # The claims are that not all cards held are of the kind.
    every: bool = False


class Ledger(NamedTuple):
    """The watches of a seat, and how many cards it took unseen since its first open claim."""

    taken: int
    watches: tuple[Watch, ...]


class Proof(NamedTuple):
    """A move that provably broke a rule; ``move`` is its number in the round, from 1."""

    seat: int
    move: int
    rule: str


class FollowUp(NamedTuple):
    """A seat that may lay one more card before the next player acts, ``only`` that one if given."""

    seat: int
    rule: str
    only: str | None


NOTHING: Mapping[str, int] = MappingProxyType({})
NOBODY: Mapping[int, int] = MappingProxyType({})
NO_HANDS: Mapping[int, tuple[int, ...]] = MappingProxyType({})
NO_LEDGERS: Mapping[int, Ledger] = MappingProxyType({})
NO_GIFTS: Mapping[int, tuple[str, ...]] = MappingProxyType({})


@dataclass(slots=False)
class State:
    """A position. Seats count from 1; ``hands`` and ``scores`` hold seat s at index s - 1.

    ``order`` are the seats that are in, clockwise. ``circle`` also has those that have left since
    the round began, so that play goes on from their places. ``next_deal`` is the seat that deals
    next, 0 if the deal passes to the left. ``counted`` are the points of hands that were not shown.
    ``offers`` are the towers that
    seats may still move (R22). ``open_hands`` maps seats that play with open hands to those whose
    turns end that. ``stack`` is how many cards are stacked (house.stacking), ``scored`` how many
    rounds count. ``early_calls`` are the seats that called UNO in the turn that is still theirs,
    ``gifts`` the cards that seats were openly given and have not shown since (R57).
    ``drawn_parted`` tells that the seat that may lay its drawn card has given cards away since it
    drew.
    """

    game: Game
    scores: tuple[int, ...]
    order: tuple[int, ...] = ()
    circle: tuple[int, ...] = ()
    round: int = 0
    dealer: int = 0
    next_deal: int = 0
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
    early_calls: tuple[int, ...] = ()
    laid: Laid | None = None
    queue: tuple[tuple[int, ...], ...] = ()
    follow_up: FollowUp | None = None
    offers: tuple[tuple[int, str], ...] = ()
    raised: Mapping[int, int] = field(default_factory=lambda: NOBODY)
    open_hands: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: NO_HANDS)
    notices: tuple[Announced, ...] = ()
    known: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    ledgers: Mapping[int, Ledger] = field(default_factory=lambda: NO_LEDGERS)
    gifts: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: NO_GIFTS)
    drawn_parted: bool = False
    evidence: tuple[Proof, ...] = ()
    revealed: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    counted: Mapping[int, int] = field(default_factory=lambda: NOBODY)
    stack: int = 0
    scored: int = 0
    round_winner: int | None = None
    winner: int | tuple[int, ...] | None = None

    def fork(self) -> "State":
        """Return a copy for the fold to write to; it shares containers until they are replaced."""
        copy = State.__new__(State)
        copy.__dict__ = dict(self.__dict__)
        return copy

    @property
    def in_progress(self) -> bool:
        """Whether a round is being played."""
        return self.turn is not None

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """Return the seat ``steps`` further on in the direction of play.

        ``seat`` may have left since the round began.
        """
        order = self.order
        try:
            place = order.index(seat)
        except ValueError:
            place, steps = order.index(self._neighbour(seat, self.direction)), steps - 1
        return order[(place + self.direction * steps) % len(order)]

    def left_of(self, seat: int) -> int:
        """Return the next seat clockwise, whatever the direction of play."""
        order = self.order
        if seat not in order:
            return self._neighbour(seat, 1)
        return order[(order.index(seat) + 1) % len(order)]

    def _neighbour(self, seat: int, direction: int) -> int:
        """Return the next seat that is in, from the place of one that has left."""
        circle = self.circle
        place = circle.index(seat) if seat in circle else -1
        for step in range(1, len(circle) + 1):
            other = circle[(place + direction * step) % len(circle)]
            if other in self.order:
                return other
        return self.order[0]

    def clockwise_from(self, seat: int) -> tuple[int, ...]:
        """Return all seats clockwise from ``seat``, or from its left if it is not in."""
        first = self.order.index(seat if seat in self.order else self.left_of(seat))
        return (*self.order[first:], *self.order[:first])

    def may_call_early(self, seat: int) -> bool:
        """Return whether a call of UNO counts if this turn leaves one card (R33, R38, R56)."""
        more = self.follow_up
        return self.turn == seat or (more is not None and more.seat == seat)

    def has_called(self, seat: int) -> bool:
        """Return whether the seat's call of UNO stands, so that another one would do nothing."""
        return seat in self.uno or seat in self.early_calls

    def from_seat(self, seat: int) -> tuple[int, ...]:
        """Return all seats in the direction of play from ``seat``, or the next one that is in."""
        first = seat if seat in self.order else self.seat_after(seat)
        return tuple(self.seat_after(first, step) for step in range(len(self.order)))

    def needs(self, seat: int, need: str) -> bool:
        """Return whether the referee waits for this from the seat."""
        return (seat, need) in self.awaiting


def with_game(state: State, game: Game) -> State:
    """Return the state with the facts of another game at the same seats."""
    after = state.fork()
    after.game = game
    return after


def new_state(game: Game) -> State:
    """Return a game before its first round."""
    nobody = (0,) * len(game.seats)
    order = tuple(range(1, len(game.seats) + 1))
    return State(game, scores=nobody, order=order, circle=order, hands=nobody)
