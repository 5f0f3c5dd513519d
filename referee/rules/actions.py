"""The moves of the game record as typed actions of a seat or the host, and their grammar."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Annotated, Any, Literal, TypeVar, dataclass_transform, get_args, get_type_hints

from referee.rules import move_fields
from referee.rules.facts import fact
from referee.rules.move_fields import Parser

Verdict = Literal["legal", "illegal"]
Seat = Annotated[int, move_fields.seat_number]
AnySeat = Annotated[int, move_fields.any_seat]
Count = Annotated[int, move_fields.card_count]
AnyCount = Annotated[int, move_fields.any_count]
Points = Annotated[int, move_fields.point_count]
Flag = Annotated[bool, move_fields.flag]
Mark = Annotated[bool, move_fields.mark]
Card = Annotated[str, move_fields.card]
Cards = Annotated[tuple[str, ...], move_fields.card_names]
Color = Annotated[str, move_fields.color]
T = TypeVar("T")
# Move → its action, and for each field except the seat its parser and whether it is required.
GRAMMAR: dict[str, tuple[type, Mapping[str, tuple[Parser, bool]]]] = {}
NAMES: dict[type, str] = {}
# Fields of a move that are words of Python → the action's attribute.
ATTRIBUTES: Mapping[str, str] = {"with": "other"}


@dataclass_transform(frozen_default=True)
def move(name: str) -> Callable[[type[T]], type[T]]:
    """Make a class the action of a move with this name, whose fields state their parsers."""

    def declare(cls: type[T]) -> type[T]:
        action = fact(cls)
        GRAMMAR[name] = action, _grammar(action)
        NAMES[action] = name
        return action

    return declare


def _grammar(action: type) -> Mapping[str, tuple[Parser, bool]]:
    stated = {attribute: key for key, attribute in ATTRIBUTES.items()}
    hints = get_type_hints(action, include_extras=True)
    return {
        stated.get(field.name, field.name): (_parser(hints[field.name]), field.default is MISSING)
        for field in fields(action)
        if field.name != "seat"
    }


def _parser(hint: Any) -> Any:
    """Return the parser of an annotated type, or of ``… | None``."""
    return hint.__metadata__[0] if hasattr(hint, "__metadata__") else _parser(get_args(hint)[0])


@move("play")
class Play:
    """Lay a card on the discard pile; after a draw it counts as the card drawn.

    ``swap_with`` is the seat to swap hands with after a 7 (house.seven).
    """

    seat: int
    card: Card
    color: Color | None = None
    powers: Cards | None = None
    uno: Flag = False
    swap_with: AnySeat | None = None


@move("draw")
class Draw:
    """Draw instead of playing a card, ``count`` cards where one draws until one can play."""

    seat: int
    count: AnyCount | None = None


@move("pass")
class Pass:
    """Keep the drawn card, or decline an optional step."""

    seat: int


@move("color")
class NameColor:
    """Name the colour after a wild."""

    seat: int
    color: Color


@move("powers")
class ChoosePowers:
    """Take towers, or choose a power."""

    seat: int
    powers: Cards


@move("accept")
class Accept:
    """Draw the cards of a wild-draw-four, or of a stack (house.stacking)."""

    seat: int


@move("challenge")
class Challenge:
    """Challenge the wild-draw-four played against the seat."""

    seat: int


@move("reveal")
class Reveal:
    """Show the whole hand.

    At the end of a round a hand that cannot be shown is entered by its ``points``, or as
    ``unknown``, which counts 0.
    """

    seat: int
    hand: Cards | None = None
    points: Points | None = None
    unknown: Mark = False


@move("swap")
class Swap:
    """Swap hands with another seat after a 7 (house.seven)."""

    seat: int
    other: AnySeat


@move("uno")
class CallUno:
    """Call UNO."""

    seat: int


@move("catch")
class Catch:
    """Claim that ``accused`` is down to one card and has not called UNO."""

    seat: int
    accused: Seat


@move("discard")
class Discard:
    """Put cards under the top card because of an effect: named cards, or only a count."""

    seat: int
    cards: Cards | None = None
    count: Count | None = None

    @property
    def size(self) -> int:
        """Number of cards discarded."""
        return len(self.cards) if self.cards is not None else (self.count or 0)


@move("give")
class Give:
    """Hand cards to another seat (power.red)."""

    seat: int
    to: Seat
    cards: Cards


@move("flip")
class Flip:
    """Turn the top card of the draw pile onto the discard pile (power.green)."""

    seat: int
    card: Card
    color: Color | None = None


@move("report")
class Report:
    """Report how many cards an effect made the seat draw, which only the table can see."""

    seat: int
    drawn: Count


@move("judge")
class Judge:
    """Say whether a dare was done; any other seat may."""

    seat: int
    passed: Flag


@move("leave")
class Leave:
    """Leave the table, in a round or between rounds."""

    seat: int


@move("timeout")
class TimeUp:
    """Let the time of one's turn run out; the referee draws for the seat (house.timer)."""

    seat: int


@move("hand-count")
class SetHand:
    """Correct a hand count, as the host."""

    seat: int
    count: Count


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
