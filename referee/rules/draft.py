"""The state under way while one move is decided: every event is folded in as it happens."""

from referee.rules import events as ev
from referee.rules.cards import Card
from referee.rules.events import Event
from referee.rules.evidence import proofs
from referee.rules.fold import APPLY
from referee.rules.state import State


class Draft:
    """The next state and the events that lead to it. ``state`` must be a fork of its own."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Let something happen."""
        self.events.append(event)
        APPLY[type(event)](self.state, event)

    def card(self, name: str) -> Card:
        """The card of this id."""
        return self.state.game.cards[name]

    def draw(self, seat: int, count: int) -> int:
        """The seat takes up to ``count`` cards, reshuffling as the pile runs out; how many it got.

        The reshuffle happens at once when the last card is taken (R25).
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

    def reshuffle(self) -> bool:
        """Make a draw pile of the discard pile if more than its top card lies there."""
        if self.state.discard_pile < 2:
            return False
        self.emit(ev.Reshuffled())
        return True

    def protected(self, seat: int, symbol: str) -> bool:
        """Whether a tower or power the seat holds blocks the card."""
        state = self.state
        for power in state.game.ruleset.protections.get(symbol, ()):
            if state.powers[power] == seat:
                return True
        return False

    def discard_down(self, seat: int, count: int) -> None:
        """The seat puts all but ``count`` cards under the top card."""
        extra = self.state.hands[seat - 1] - count
        if extra > 0:
            self.emit(ev.Discarded(seat, extra))
            if count == 1:
                self.owe_uno(seat)

    def owe_uno(self, seat: int) -> None:
        """The seat is down to one card; a call made earlier in the turn counts now (R33)."""
        self.emit(ev.UnoOwed(seat))
        if self.state.early_call == seat:
            self.emit(ev.UnoCalled(seat))

    def end_early_call(self) -> None:
        """The turn is over: a call of UNO made before a card was laid has come to nothing."""
        if self.state.early_call is not None:
            self.emit(ev.UnoLapsed(self.state.early_call))

    def prove(self, seat: int, also_shown: tuple[Card, ...] = ()) -> None:
        """Report what the seat's shown cards now prove."""
        ledger = self.state.ledgers.get(seat)
        if ledger is not None:
            for proof in proofs(ledger, seat, also_shown):
                self.emit(ev.Proved(*proof))

    def come_to(self, seat: int) -> None:
        """It becomes the seat's turn, or goes on being it."""
        if seat != self.state.turn:
            self.end_early_call()
        self.emit(ev.TurnCame(seat))

    def take_power(self, seat: int, power: str) -> None:
        """The tower or power goes to the seat, from whoever has it."""
        if self.state.powers[power] != seat:
            self.emit(ev.PowerMoved(power, seat))
            self.state.game.ruleset.collected(self, seat)

    def act(self) -> None:
        """The seat to play acts: what was open only until then closes."""
        state = self.state
        if state.early_call != state.turn:
            self.end_early_call()
        if state.owed or state.follow_up or state.offer:
            self.emit(ev.Acted())
