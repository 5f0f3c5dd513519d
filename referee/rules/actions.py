"""The moves of the game record as typed actions of a seat or the host."""

from typing import Literal

from referee.rules.facts import fact

Verdict = Literal["legal", "illegal"]


@fact
class Play:
    """Lay a card on the discard pile; after a draw it counts as the card drawn.

    ``swap_with`` is the seat to swap hands with after a 7 (house.seven).
    """

    seat: int
    card: str
    color: str | None = None
    powers: tuple[str, ...] | None = None
    uno: bool = False
    swap_with: int | None = None


@fact
class Draw:
    """Draw instead of playing a card, ``count`` cards where one draws until one can play."""

    seat: int
    count: int | None = None


@fact
class Pass:
    """Keep the drawn card, or decline an optional step."""

    seat: int


@fact
class NameColor:
    """Name the colour after a wild."""

    seat: int
    color: str


@fact
class ChoosePowers:
    """Take towers, or choose a power."""

    seat: int
    powers: tuple[str, ...]


@fact
class Accept:
    """Draw the cards of a wild-draw-four, or of a stack (house.stacking)."""

    seat: int


@fact
class Challenge:
    """Challenge the wild-draw-four played against the seat."""

    seat: int


@fact
class Reveal:
    """Show the whole hand.

    At the end of a round a hand that cannot be shown is entered by its ``points``, or as
    ``unknown``, which counts 0.
    """

    seat: int
    hand: tuple[str, ...] | None = None
    points: int | None = None
    unknown: bool = False


@fact
class Swap:
    """Swap hands with another seat after a 7 (house.seven)."""

    seat: int
    other: int


@fact
class CallUno:
    """Call UNO."""

    seat: int


@fact
class Catch:
    """Claim that ``accused`` is down to one card and has not called UNO."""

    seat: int
    accused: int


@fact
class Discard:
    """Put cards under the top card because of an effect: named cards, or only a count."""

    seat: int
    cards: tuple[str, ...] | None = None
    count: int | None = None

    @property
    def size(self) -> int:
        """Number of cards discarded."""
        return len(self.cards) if self.cards is not None else (self.count or 0)


@fact
class Give:
    """Hand cards to another seat (power.red)."""

    seat: int
    to: int
    cards: tuple[str, ...]


@fact
class Flip:
    """Turn the top card of the draw pile onto the discard pile (power.green)."""

    seat: int
    card: str
    color: str | None = None


@fact
class Report:
    """Report how many cards an effect made the seat draw, which only the table can see."""

    seat: int
    drawn: int


@fact
class Judge:
    """Say whether a dare was done; any other seat may."""

    seat: int
    passed: bool


@fact
class Leave:
    """Leave the table, in a round or between rounds."""

    seat: int


@fact
class TimeUp:
    """Let the time of one's turn run out; the referee draws for the seat (house.timer)."""

    seat: int


@fact
class SetHand:
    """Correct a hand count, as the host."""

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
    | Swap
    | CallUno
    | Catch
    | Discard
    | Give
    | Flip
    | Report
    | Judge
    | Leave
    | TimeUp
    | SetHand
)


@fact
class Overruled:
    """A move with the host's verdict in place of the referee's."""

    move: Move
    verdict: Verdict

    @property
    def seat(self) -> int:
        """The seat that made the move."""
        return self.move.seat


Action = Move | Overruled
