"""Events: what happened at the table. Folding them (``fold.evolve_all``) gives the state.

Events say what changed, never why: a log folds to the same state even if the rules have changed.
"""

from referee.rules.actions import Verdict
from referee.rules.facts import fact


@fact
class RoundOpened:
    """A round was dealt; ``opening`` lists the cards turned up, the last one on top."""

    number: int
    dealer: int
    opening: tuple[str, ...]
    hand: int
    draw_pile: int
    discarded: tuple[str, ...]
    color: str | None


@fact
class Ruled:
    """The referee ruled on a move of ``seat``; it counts as one move of the round."""

    seat: int
    move: str
    verdict: Verdict
    rule: str


@fact
class Played:
    """A card went from the seat's hand to the discard pile."""

    seat: int
    card: str


@fact
class Flipped:
    """A card went from the draw pile straight to the discard pile."""

    seat: int
    card: str


@fact
class TurnedOver:
    """All cards were turned over, hands and piles; ``card`` is the face on top now."""

    card: str


@fact
class ColorNamed:
    """The colour to match was named."""

    color: str


@fact
class DrawDue:
    """The seat has to draw ``count`` cards under ``rule``, fewer if there are no more.

    ``by`` is the seat whose card, challenge or catch makes it draw, None if nobody's.
    """

    seat: int
    count: int
    rule: str
    by: int | None = None


@fact
class Drew:
    """The seat took cards from the draw pile."""

    seat: int
    count: int


@fact
class Reshuffled:
    """The discard pile, less its top card, became the draw pile."""


@fact
class Discarded:
    """The seat put ``count`` cards under the top card; ``cards`` if they were named."""

    seat: int
    count: int
    cards: tuple[str, ...] = ()


@fact
class Gave:
    """The seat handed cards to another."""

    seat: int
    to: int
    cards: tuple[str, ...]


@fact
class Redealt:
    """Hands of ``seats`` were shuffled and dealt again; ``hands`` are the new counts of all."""

    seats: tuple[int, ...]
    hands: tuple[int, ...]


@fact
class HandsPassed:
    """Each of the ``seats`` gave its hand to the next of them, the last one to the first."""

    seats: tuple[int, ...]


@fact
class Revealed:
    """The seat showed its hand, to ``to`` alone (a challenge) or to all (None)."""

    seat: int
    hand: tuple[str, ...]
    to: int | None = None


@fact
class HandCounted:
    """The seat's hand was entered by its points; None if nobody knows them, which counts 0."""

    seat: int
    points: int | None


@fact
class SeatLeft:
    """The seat left the table; its hand went unseen to the draw pile."""

    seat: int


@fact
class SeatsChanged:
    """Between rounds people came, went, were renamed or changed places.

    ``names`` and ``scores`` are those of all seats by number, ``order`` the seats that are in,
    clockwise, ``next_deal`` the seat that deals next, 0 if the deal passes to the left.
    """

    order: tuple[int, ...]
    names: tuple[str, ...]
    scores: tuple[int, ...]
    next_deal: int


@fact
class RoundCounted:
    """A round was entered by its result alone; dealer 0 if nobody said who dealt."""

    number: int
    dealer: int


@fact
class RoundBrokenOff:
    """The round ended without a result; ``scores`` are those before it, by seat."""

    scores: tuple[int, ...]
    next_deal: int


@fact
class HandSet:
    """The host corrected the seat's hand count."""

    seat: int
    count: int


@fact
class PowerMoved:
    """A tower or power went to a seat, or to the tray (0).

    ``was`` is the seat that had it, 0 for the tray and in old logs; ``rule`` has moved it, None if
    that is the rule of the move itself.
    """

    power: str
    to: int
    was: int = 0
    rule: str | None = None


@fact
class PowerOffered:
    """The seat may claim the tower until the next player acts."""

    seat: int
    power: str


@fact
class DirectionTurned:
    """The direction of play changed: 1 clockwise, -1 counterclockwise.

    ``passed`` is the seat that would have played next, 0 in old logs.
    """

    direction: int
    passed: int = 0


@fact
class TurnCame:
    """It became the seat's turn."""

    seat: int


@fact
class JumpedIn:
    """The seat lays the very card on top out of turn; play goes on from it (house.jump-in).

    ``passed`` is the seat whose turn it was, 0 in old logs.
    """

    seat: int
    passed: int = 0


@fact
class Stacked:
    """The cards stacked against the next player are ``count`` now (house.stacking)."""

    count: int


@fact
class TurnLost:
    """The seat lost its turn under ``rule``."""

    seat: int
    rule: str


@fact
class Protected:
    """The seat's tower or power kept the effect of a card from it."""

    seat: int
    power: str


@fact
class Awaited:
    """The referee waits for ``needs``, as (seat, need); ``turn`` keeps the turn."""

    turn: int | None
    needs: tuple[tuple[int, str], ...]


@fact
class Laid:
    """A card was laid against ``victim``, and its effect awaits an answer.

    ``again`` is the rule, if any, under which the seat may lay another card; ``move`` is the number
    of the move that laid this one.
    """

    seat: int
    card: str
    victim: int
    flipped: bool = False
    color_before: str | None = None
    again: str | None = None
    move: int = 0


@fact
class EffectsQueued:
    """The effects of a custom card still to be applied, as paths of indices."""

    paths: tuple[tuple[int, ...], ...]


@fact
class Acted:
    """The seat to play has acted; options that were open until then close."""


@fact
class UnoOwed:
    """The seat is down to one card and has not called UNO."""

    seat: int


@fact
class UnoCalled:
    """The seat called UNO; the call counts if the seat is down to one card.

    ``early``: it holds more, and the call counts if this turn leaves one (R33, R56).
    """

    seat: int
    early: bool = False


@fact
class UnoKept:
    """The seat is down to one card, and called UNO earlier in the turn (R33)."""

    seat: int


@fact
class UnoLapsed:
    """The seat called UNO in its turn, but the turn did not leave one card (R33)."""

    seat: int


@fact
class UnoSettled:
    """The turn in which the seat called UNO is over and left one card (R56)."""

    seat: int


@fact
class UnoMissed:
    """The seat was caught without having called UNO."""

    seat: int


@fact
class FollowUpOpened:
    """The seat may lay another card until the next player acts; ``only`` this one, if given."""

    seat: int
    rule: str
    only: str | None = None


@fact
class FollowUpClosed:
    """The other card was laid or declined."""


@fact
class DrawRaised:
    """The seat's next draw takes ``count`` cards instead of one; 0 cancels that."""

    seat: int
    count: int


@fact
class HandOpened:
    """The seat plays with an open hand until ``until`` has the turn again."""

    seat: int
    until: int


@fact
class Announced:
    """A custom card's text was announced; a ban holds until somebody calls UNO.

    Any other is shown until ``until`` has the turn again; 0, in old logs, is the round's end.
    """

    seats: tuple[int, ...]
    text: str
    until_uno: bool = False
    until: int = 0


@fact
class Claimed:
    """The seat's move claims that it holds none of the colour or symbol, nor wilds if ``wilds``.

    With ``held`` it claims only that not all of the so many cards it holds are such.
    """

    seat: int
    move: int
    rule: str
    color: str | None
    symbol: str | None
    wilds: bool
    held: int = 0


@fact
class Proved:
    """Cards shown since prove that the seat's move broke the rule.

    ``color`` and ``symbol`` are what the move claimed not to hold, or, with ``every``, not to be
    all that it held.
    """

    seat: int
    move: int
    rule: str
    color: str | None = None
    symbol: str | None = None
    every: bool = False


@fact
class RoundWon:
    """The seat went out."""

    seat: int


@fact
class Scored:
    """The round was scored; ``scores`` are the totals by seat, ``teams`` the seats of each team."""

    scores: tuple[int, ...]
    teams: tuple[tuple[int, ...], ...] = ()


@fact
class SeatsOut:
    """The seats have reached the target and are out of the game (house.elimination)."""

    seats: tuple[int, ...]


@fact
class GameWon:
    """The game was won, by several seats if they share the best total, or by a team."""

    seats: tuple[int, ...]


Event = (
    RoundOpened
    | Ruled
    | Played
    | Flipped
    | TurnedOver
    | ColorNamed
    | DrawDue
    | Drew
    | Reshuffled
    | Discarded
    | Gave
    | Redealt
    | HandsPassed
    | Revealed
    | HandCounted
    | HandSet
    | SeatLeft
    | SeatsChanged
    | RoundCounted
    | RoundBrokenOff
    | PowerMoved
    | PowerOffered
    | DirectionTurned
    | TurnCame
    | JumpedIn
    | Stacked
    | TurnLost
    | Protected
    | Awaited
    | Laid
    | EffectsQueued
    | Acted
    | UnoOwed
    | UnoCalled
    | UnoKept
    | UnoMissed
    | UnoLapsed
    | UnoSettled
    | FollowUpOpened
    | FollowUpClosed
    | DrawRaised
    | HandOpened
    | Announced
    | Claimed
    | Proved
    | RoundWon
    | Scored
    | SeatsOut
    | GameWon
)
