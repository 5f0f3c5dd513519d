"""What a seat (or the host) can say to the referee: the moves of the game record, typed."""

from typing import Literal

from referee.rules.facts import fact

Verdict = Literal["legal", "illegal"]


@fact
class Play:
    """A card was laid on the discard pile. After a draw it is taken to be the card drawn."""

    seat: int
    card: str
    color: str | None = None
    powers: tuple[str, ...] | None = None
    uno: bool = False


@fact
class Draw:
    """The seat took the card that a turn without a play costs."""

    seat: int


@fact
class Pass:
    """The seat keeps the card it drew, or declines an optional step."""

    seat: int


@fact
class NameColor:
    """The colour that play goes on with after a wild."""

    seat: int
    color: str


@fact
class ChoosePowers:
    """Which towers are taken, or which power is chosen."""

    seat: int
    powers: tuple[str, ...]


@fact
class Accept:
    """The seat takes the four cards of a wild-draw-four."""

    seat: int


@fact
class Challenge:
    """The seat doubts the wild-draw-four played against it."""

    seat: int


@fact
class Reveal:
    """The seat shows its whole hand, as card ids."""

    seat: int
    hand: tuple[str, ...]


@fact
class CallUno:
    """The seat calls UNO."""

    seat: int


@fact
class Catch:
    """The seat says that ``accused`` is down to one card and has not called."""

    seat: int
    accused: int


@fact
class Discard:
    """Cards put under the top card by an effect: which ones, or only how many."""

    seat: int
    cards: tuple[str, ...] | None = None
    count: int | None = None

    @property
    def size(self) -> int:
        """How many cards were discarded."""
        return len(self.cards) if self.cards is not None else (self.count or 0)


@fact
class Give:
    """Cards handed to another seat (power.red)."""

    seat: int
    to: int
    cards: tuple[str, ...]


@fact
class Flip:
    """The top card of the draw pile, put straight on the discard pile (power.green)."""

    seat: int
    card: str
    color: str | None = None


@fact
class Report:
    """How many cards an effect made the seat draw, where only the table can see it."""

    seat: int
    drawn: int


@fact
class Judge:
    """Whether a dare was done, said by any other seat."""

    seat: int
    passed: bool


@fact
class SetHand:
    """The host's correction of a hand count."""

    seat: int
    count: int


Move = (
    Play
    | Draw
    | Pass
    | NameColor
    | ChoosePowers
    | Accept
    | Challenge
    | Reveal
    | CallUno
    | Catch
    | Discard
    | Give
    | Flip
    | Report
    | Judge
    | SetHand
)


@fact
class Overruled:
    """A move on which the host has put another verdict in place of the referee's."""

    move: Move
    verdict: Verdict

    @property
    def seat(self) -> int:
        """The seat that made the move."""
        return self.move.seat


Action = Move | Overruled
