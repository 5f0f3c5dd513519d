"""The state while a move is being decided; each event is folded in as it happens."""

from referee.rules.cards import Card
from referee.rules.position import events as ev
from referee.rules.position.events import Event
from referee.rules.position.evidence import MOST_PROOFS, proofs
from referee.rules.position.fold import APPLY
from referee.rules.position.state import State


class Draft:
    """The next state and the events that lead to it; writes to ``state``, so pass a fork."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Record an event and apply it to the state."""
        self.events.append(event)
        APPLY[type(event)](self.state, event)

    def card(self, name: str) -> Card:
        """Return the card of this id."""
        return self.state.game.cards[name]

    def draw(self, seat: int, count: int) -> int:
        """Draw up to ``count`` cards for the seat. Returns how many there were.

        The discard pile is reshuffled as soon as the last card is taken (R25).
        """
        state = self.state
        left = count
        while left:
            if state.draw_pile == 0 and not self.reshuffle():
                break
            got = min(left, state.draw_pile)
            self.emit(ev.Drew(seat, got))
            left -= got
        if state.draw_pile == 0:
            self.reshuffle()
        return count - left

    def must_draw(self, seat: int, count: int, rule: str, by: int | None = None) -> int:
        """Draw as a rule demands, and say why. Returns how many cards there were."""
        self.emit(ev.DrawDue(seat, count, rule, by))
        return self.draw(seat, count)

    def reshuffle(self) -> bool:
        """Make the discard pile, less its top card, the draw pile. Returns whether it could."""
        if self.state.discard_pile < 2:
            return False
        self.emit(ev.Reshuffled())
        return True

    def protected(self, seat: int, symbol: str) -> bool:
        """Return whether a tower or power of the seat blocks this symbol; if so, say it."""
        state = self.state
        for power in state.game.ruleset.protections.get(symbol, ()):
            if state.powers[power] == seat:
                self.emit(ev.Protected(seat, power))
                return True
        return False

    def discard_down(self, seat: int, count: int) -> None:
        """Discard from the seat's hand down to ``count`` cards."""
        extra = self.state.hands[seat - 1] - count
        if extra > 0:
            self.emit(ev.Discarded(seat, extra))
            if count == 1:
                self.owe_uno(seat)

    def owe_uno(self, seat: int) -> None:
        """Record that the seat is down to one card; a call earlier in the turn counts (R33)."""
        self.emit(ev.UnoOwed(seat))
        if seat in self.state.early_calls:
            self.emit(ev.UnoKept(seat))

    def end_early_calls(self, *but: int | None) -> None:
        """Close UNO calls made in turns that are now over, but those of these seats."""
        for seat in self.state.early_calls:
            if seat not in but:
                counts = seat in self.state.uno
                self.emit(ev.UnoSettled(seat) if counts else ev.UnoLapsed(seat))

    def report_proofs(self, seat: int, also_shown: tuple[Card, ...] = ()) -> None:
        """Record which claims the seat's shown cards have now proved false."""
        ledger = self.state.ledgers.get(seat)
        if ledger is not None:
            room = max(0, MOST_PROOFS - len(self.state.evidence))
            for proof, watch in proofs(ledger, seat, also_shown)[:room]:
                self.emit(ev.Proved(*proof, watch.color, watch.symbol, watch.every))

    def give_turn(self, seat: int) -> None:
        """Make it the seat's turn, also if it is already."""
        if self.state.early_calls:
            self.end_early_calls(seat)
        self.emit(ev.TurnCame(seat))

    def take_power(self, seat: int, power: str) -> None:
        """Move a tower or power to the seat unless it is there."""
        was = self.state.powers[power]
        if was != seat:
            self.emit(ev.PowerMoved(power, seat, was))
            self.state.game.ruleset.collected(self, seat)

    def begin_action(self) -> None:
        """Close options that were open until the next player acts."""
        state = self.state
        if state.early_calls:
            self.end_early_calls(state.turn)
        if state.owed or state.follow_up or state.offers:
            self.emit(ev.Acted())
