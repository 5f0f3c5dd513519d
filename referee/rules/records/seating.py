"""Who sits where: people come, go, change places and names between rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.rules.message import Message, quoted, sent
from referee.rules.play.scoring import is_out, scoring_of
from referee.rules.position import events as ev
from referee.rules.position.events import Event
from referee.rules.position.fold import evolve_all
from referee.rules.position.state import State
from referee.rules.rulings import RuleError

LONGEST_NAME = 80
# A table's seats keep their numbers, also after their players have left.
MOST_NUMBERS = 100


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A change of the seats between rounds.

    ``order`` are the seats that are in, clockwise (None: as before, with those that join at the
    places of their numbers). ``join`` maps seats that come, or come back, to the points they start
    with, ``names`` maps seats to new names. ``dealer`` deals next.
    """

    order: tuple[int, ...] | None = None
    join: Mapping[int, int] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    dealer: int | None = None

    def then(self, later: "SeatChange") -> "SeatChange":
        """Return both changes as one; ``later`` states its order if it changes it."""
        order, dealer = later.order or self.order, later.dealer or self.dealer
        if order is not None and dealer not in order:
            # Who was to deal has left.
            dealer = None
        names = {**self.names, **later.names}
        return SeatChange(order, {**self.join, **later.join}, names, dealer)

    def to_json(self) -> dict[str, Any]:
        """Return the fields of a record's round; the dealer is not one of them."""
        stated: dict[str, Any] = {}
        if self.order is not None:
            stated["order"] = list(self.order)
        if self.join:
            stated["join"] = {str(seat): points for seat, points in self.join.items()}
        if self.names:
            stated["names"] = {str(seat): name for seat, name in self.names.items()}
        return stated


NO_CHANGE = SeatChange()


def change_seats(state: State, change: SeatChange) -> tuple[State, list[Event]]:
    """Change the seats. Raises RuleError naming the invalid field.

    In a round only names can change.
    """
    seats = len(state.game.seats)
    last = max([seats, *change.join])
    if last > MOST_NUMBERS:
        reason = Message("there is no seat {seat}", seat=last)
        raise RuleError("seat.join", f"join.{last}", reason)
    if state.turn is not None or state.awaiting:
        _check_only_names(change)
    _check_house_rules(state, change, seats)
    names = _names(state, change, last)
    order = _order(state, change, last)
    scores = [*state.scores, *[0] * (last - seats)]
    for seat, points in change.join.items():
        # With the order they may have left and come back between the same rounds.
        if seat in state.order and change.order is None:
            reason = Message("{name} is in already", name=names[seat - 1])
            raise RuleError("seat.join", f"join.{seat}", reason)
        scores[seat - 1] = points
    stays = order == state.order and change.dealer is None
    dealer = state.next_deal if stays else _next_deal(state, change, order)
    events: list[Event] = []
    # Who left and came back between the same rounds has left all the same.
    stayed = tuple(seat for seat in state.order if seat not in change.join)
    if stayed != state.order:
        events.append(ev.SeatsChanged(stayed, state.game.seats, state.scores, state.next_deal))
    events.append(ev.SeatsChanged(order, tuple(names), tuple(scores), dealer))
    return evolve_all(state, events), events


def _check_house_rules(state: State, change: SeatChange, seats: int) -> None:
    """Check that nobody joins teams, or comes back who is out of the game."""
    for seat, points in change.join.items():
        if state.game.options.teams and seat > seats:
            reason = "must have each seat of the table in one team"
            raise RuleError("house.teams", f"join.{seat}", reason)
        target = state.game.options.target
        if target is not None and scoring_of(state).eliminates and points >= target:
            least = Message(
                "must be a whole number from {least} to {most}", least=0, most=target - 1
            )
            raise RuleError("house.elimination", f"join.{seat}", sent(least, points))
    for i, seat in enumerate(change.order or ()):
        if 1 <= seat <= seats and seat not in change.join and is_out(state, seat):
            reason = Message("{name} is out of the game", name=state.game.seats[seat - 1])
            raise RuleError("house.elimination", f"order[{i}]", reason)


def _check_only_names(change: SeatChange) -> None:
    for name in ("order", "join", "dealer"):
        if getattr(change, name):
            rule = "seat.join" if name == "join" else "seat.order"
            raise RuleError(rule, name, "seats change between rounds only")


def _names(state: State, change: SeatChange, last: int) -> list[str]:
    names = list(state.game.seats)
    new = range(len(names) + 1, last + 1)
    names += [change.names.get(seat) or f"Seat {seat}" for seat in new]
    for seat, name in change.names.items():
        field_name = f"names.{seat}"
        if not 1 <= seat <= last:
            reason = Message("there is no seat {seat}", seat=seat)
            raise RuleError("seat.order", field_name, reason)
        check_name(name, field_name)
        names[seat - 1] = name
    for i, name in enumerate(names):
        if name in names[:i]:
            reason = Message("the name {name} is taken", name=quoted(name))
            raise RuleError("seat.order", f"names.{i + 1}", reason)
    return names


def check_name(name: object, field_name: str) -> None:
    """Check a player's name. Raises RuleError."""
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME:
        reason = Message("must be a name of 1 to {most} characters", most=LONGEST_NAME)
        raise RuleError("setup.seats", field_name, reason)


def _order(state: State, change: SeatChange, last: int) -> tuple[int, ...]:
    order = change.order
    if order is None:
        return _with_joiners(state, sorted(change.join))
    for i, seat in enumerate(order):
        if not 1 <= seat <= last:
            reason = Message("there is no seat {seat}", seat=seat)
            raise RuleError("seat.order", f"order[{i}]", reason)
        if seat in order[:i]:
            reason = Message("seat {seat} is listed twice", seat=seat)
            raise RuleError("seat.order", f"order[{i}]", reason)
    _check_size(state, len(order), "order")
    return order


def _with_joiners(state: State, joiners: Sequence[int]) -> tuple[int, ...]:
    """Return the order with each joiner before the first seat of a higher number, or last."""
    seats = list(state.order)
    for seat in joiners:
        if seat not in seats:
            place = next((i for i, other in enumerate(seats) if other > seat), len(seats))
            seats.insert(place, seat)
    _check_size(state, len(seats), "join")
    return tuple(seats)


def _check_size(state: State, count: int, field_name: str) -> None:
    most = state.game.ruleset.most_seats
    if not 1 <= count <= most:
        reason = Message("at most {most} players can play, not {count}", most=most, count=count)
        raise RuleError("seat.order", field_name, reason)


def _next_deal(state: State, change: SeatChange, order: tuple[int, ...]) -> int:
    """Return the seat that deals next in the new order, 0 if the deal passes to the left."""
    if change.dealer is not None:
        if change.dealer not in order:
            reason = Message("there is no seat {seat}", seat=change.dealer)
            raise RuleError("seat.order", "dealer", reason)
        return change.dealer
    if state.next_deal in order or not state.dealer or state.dealer in order:
        return state.next_deal if state.next_deal in order else 0
    # The dealer is gone: the deal passes to the next seat that is still in.
    following = state.clockwise_from(state.next_deal or state.dealer) if state.order else ()
    return next((seat for seat in following if seat in order), 0)
