"""What people at the table see and remember.

The API announces only what people cannot see for themselves. ``opening_seen`` and ``move_seen`` add
the rest: that a move was ruled on, that somebody has one card left, that a chance has passed.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.position import events as ev
from referee.rules.records.serial import event_from_json
from referee.rules.ruleset import Ruleset

Json = Mapping[str, Any]
TURN_MOVES = (act.Play, act.Draw, act.Flip, act.Accept, act.Challenge)
OF_THE_TURN = ("drawn", "discard", "powers")


def opening_seen(entry: Json, ruleset: Ruleset) -> list[ev.Event]:
    """Return the events of the opening of a round."""
    state = entry["state"]
    opening = tuple(entry["opening"])
    discarded = opening if ruleset.replaced_stay else opening[-1:]
    opened = ev.RoundOpened(
        entry["round"],
        entry["dealer"],
        opening,
        min(count for count in state["hands"] if count),
        state["draw_pile"],
        discarded,
        state["color"],
    )
    return [opened, *_told(entry)]


def move_seen(entry: Json, move: Move, before: Json) -> list[ev.Event]:
    """Return the events of a move that was made in the public state ``before``."""
    ruling = entry["ruling"]
    ruled = ev.Ruled(move.seat, type(move).__name__, ruling["verdict"], ruling["rule"])
    if ruling["verdict"] == "illegal":
        return [ruled, *_told(entry)]
    told = _told(entry)
    return [ruled, *_closed(move, before), *_with_single_cards(told, before), *_bound(move, told)]


def _told(entry: Json) -> list[ev.Event]:
    return [event_from_json(event) for event in entry["events"]]


def _closed(move: Move, before: Json) -> Iterator[ev.Event]:
    """Yield an event if a chance has passed: the player acted, or laid a second card."""
    on_turn = move.seat == before["turn"]
    needs = {need["need"] for need in before["awaiting"] if need["seat"] == move.seat}
    if isinstance(move, TURN_MOVES) and on_turn:
        yield ev.Acted()
    elif isinstance(move, act.Play) or (
        isinstance(move, act.Pass) and needs.isdisjoint(OF_THE_TURN)
    ):
        yield ev.FollowUpClosed()


def _with_single_cards(events: Iterable[ev.Event], before: Json) -> Iterator[ev.Event]:
    """Yield the events, and who has to call UNO after them."""
    hands = dict(enumerate(before["hands"], 1))
    for event in events:
        yield event
        lost = _cards_lost(event)
        if lost is not None:
            seat, count = lost
            hands[seat] -= count
            if hands[seat] == 1:
                yield ev.UnoOwed(seat)
        if isinstance(event, ev.Gave):
            hands[event.to] += len(event.cards)
        elif isinstance(event, ev.Drew):
            hands[event.seat] += event.count
        elif isinstance(event, ev.Redealt):
            hands = dict(enumerate(event.hands, 1))
        elif isinstance(event, ev.HandsPassed):
            taken = [hands[seat] for seat in event.seats]
            hands |= dict(zip((*event.seats[1:], event.seats[0]), taken, strict=True))


def _cards_lost(event: ev.Event) -> tuple[int, int] | None:
    match event:
        case ev.Played(seat):
            return seat, 1
        case ev.Discarded(seat, count):
            return seat, count
        case ev.Gave(seat, _, cards):
            return seat, len(cards)
    return None


def _bound(move: Move, events: Iterable[ev.Event]) -> Iterator[ev.Event]:
    """Yield the seats that drew for a discard asked of all, and so must discard."""
    if not isinstance(move, act.Play | act.NameColor):
        return
    drew: list[tuple[int, ...]] = []
    for event in events:
        if isinstance(event, ev.Drew):
            drew.append((event.seat,))
        elif isinstance(event, ev.Awaited) and any(n == "discard" for _, n in event.needs):
            yield ev.EffectsQueued(tuple(drew))


class Memory:
    """The options open in a round that the public state does not show.

    Attributes:
        owed: Seats that have to call UNO.
        follow_up: The second card that may be laid.
        offers: The towers that may be moved.
        opening: Nobody has acted on the opening card yet.
        banned: A custom card forbids something until UNO is called.
        bound: Seats that must discard for wild-tales, as they drew for it.
        flipped: The card on top came from the draw pile.
        raised: Seats whose next draw takes more cards.
        out: Seats that are out of the game.
    """

    def __init__(self) -> None:
        self.out: set[int] = set()
        self._forget()

    def _forget(self) -> None:
        self.owed: list[int] = []
        self.follow_up: ev.FollowUpOpened | None = None
        self.offers: list[ev.PowerOffered] = []
        self.opening = True
        self.banned = False
        self.flipped = False
        self.raised: set[int] = set()
        self.bound: tuple[int, ...] = ()
        self._turn: int | None = None

    def see(self, event: ev.Event) -> None:
        """Update the options with an event."""
        match event:
            case ev.RoundOpened() | ev.RoundWon():
                self._forget()
            case ev.UnoOwed(seat):
                self.owed.append(seat)
            case ev.UnoCalled(seat) | ev.UnoKept(seat) | ev.UnoMissed(seat):
                self.owed = [s for s in self.owed if s != seat]
                self.banned = self.banned and not isinstance(event, ev.UnoCalled)
            case ev.Drew(seat) | ev.Gave(to=seat):
                # With another card there is nothing to call.
                self.owed = [s for s in self.owed if s != seat]
            case ev.Redealt(seats) | ev.HandsPassed(seats):
                self.owed = [s for s in self.owed if s not in seats]
            case ev.Acted():
                self.owed, self.follow_up, self.offers = [], None, []
            case ev.Played() | ev.Flipped():
                self.flipped = isinstance(event, ev.Flipped)
            case ev.FollowUpOpened():
                self.follow_up = event
            case ev.FollowUpClosed():
                self.follow_up = None
            case ev.JumpedIn(seat):
                self.follow_up, self._turn = None, seat
            case ev.DrawRaised(seat, count):
                self.raised = self.raised | {seat} if count else self.raised - {seat}
            case ev.SeatsOut(seats):
                self.out |= {*seats}
            case ev.PowerOffered():
                self.offers = [*(offer for offer in self.offers if offer != event), event]
            case ev.PowerMoved(power):
                self.offers = [offer for offer in self.offers if offer.power != power]
            case ev.EffectsQueued(paths):
                self.bound = tuple(path[0] for path in paths)
            case ev.Announced(until_uno=True):
                self.banned = True
            case ev.TurnCame(seat):
                self.opening = self.opening and self._turn in (None, seat)
                self._turn = seat
