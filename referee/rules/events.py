"""What happened at the table, as facts. Folding them (``state.evolve``) gives the state.

Events say what changed, never why it had to: a log written under one reading of the rules folds to
the same state under the next one.
"""

from referee.rules.actions import Verdict
from referee.rules.facts import fact


@fact
class RoundOpened:
    """A round was dealt; ``opening`` lists every card turned up, the last one on top."""

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
class ColorNamed:
    """The colour to match from now on."""

    color: str


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
    """The seat put ``count`` cards under the top card; ``cards`` are those that were named."""

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
    """Hands were collected, shuffled and dealt again; ``hands`` are all seats' counts after it."""

    seats: tuple[int, ...]
    hands: tuple[int, ...]


@fact
class Revealed:
    """The seat showed its hand, to ``to`` alone (a challenge) or to all (None)."""

    seat: int
    hand: tuple[str, ...]
    to: int | None = None


@fact
class HandSet:
    """The host set the seat's hand count right."""

    seat: int
    count: int


@fact
class PowerMoved:
    """A tower or power went to a seat, or to the tray (0)."""

    power: str
    to: int


@fact
class PowerOffered:
    """The seat may claim the tower until the next player acts."""

    seat: int
    power: str


@fact
class DirectionTurned:
    """Play goes round the other way: 1 clockwise, -1 counterclockwise."""

    direction: int


@fact
class TurnCame:
    """It is the seat's turn to play."""

    seat: int


@fact
class Awaited:
    """What the referee waits for now, as (seat, need); ``turn`` is whose turn it stays."""

    turn: int | None
    needs: tuple[tuple[int, str], ...]


@fact
class Laid:
    """A card whose working waits: laid by ``seat``, against ``victim``, from hand or ``flipped``.

    ``again`` is the rule, if any, under which the seat may lay another card after it; ``move`` is
    the number of the move that laid it.
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
    """What is left to happen of a custom card, as indices into its effects (path by path)."""

    paths: tuple[tuple[int, ...], ...]


@fact
class Acted:
    """The seat to play has acted: whatever was open only until then is closed."""


@fact
class UnoOwed:
    """The seat got down to one card and has not called yet."""

    seat: int


@fact
class UnoCalled:
    """The seat called UNO: heard by all, and counting for a seat that is down to one card."""

    seat: int


@fact
class UnoLapsed:
    """The seat called UNO while holding two cards, and its turn did not leave one (R33)."""

    seat: int


@fact
class UnoMissed:
    """The seat was caught without having called."""

    seat: int


@fact
class FollowUpOpened:
    """The seat may lay another card until the next player acts, under ``rule``.

    ``only`` is the card it must be, None for any.
    """

    seat: int
    rule: str
    only: str | None = None


@fact
class FollowUpClosed:
    """The further card has been laid, or declined."""


@fact
class DrawRaised:
    """The seat's next draw takes ``count`` cards instead of one; 0 ends that."""

    seat: int
    count: int


@fact
class HandOpened:
    """The seat plays with an open hand until ``until`` has the turn again."""

    seat: int
    until: int


@fact
class Announced:
    """A custom card's text is shown to the seats until somebody calls UNO (a ban) or for good."""

    seats: tuple[int, ...]
    text: str
    until_uno: bool = False


@fact
class Claimed:
    """By its move the seat says it held none of these cards: the colour, the symbol, the wilds."""

    seat: int
    move: int
    rule: str
    color: str | None
    symbol: str | None
    wilds: bool


@fact
class Proved:
    """What the seat has shown since proves that its earlier move broke the rule."""

    seat: int
    move: int
    rule: str


@fact
class RoundWon:
    """The seat went out."""

    seat: int


@fact
class Scored:
    """The scores after a round, by seat."""

    scores: tuple[int, ...]


@fact
class GameWon:
    """The game is over; several seats when the lowest total is shared."""

    seats: tuple[int, ...]


Event = (
    RoundOpened
    | Ruled
    | Played
    | Flipped
    | ColorNamed
    | Drew
    | Reshuffled
    | Discarded
    | Gave
    | Redealt
    | Revealed
    | HandSet
    | PowerMoved
    | PowerOffered
    | DirectionTurned
    | TurnCame
    | Awaited
    | Laid
    | EffectsQueued
    | Acted
    | UnoOwed
    | UnoCalled
    | UnoMissed
    | UnoLapsed
    | FollowUpOpened
    | FollowUpClosed
    | DrawRaised
    | HandOpened
    | Announced
    | Claimed
    | Proved
    | RoundWon
    | Scored
    | GameWon
)
