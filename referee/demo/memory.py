"""What everybody at a table has seen and heard: the public events, boiled down.

The public state says what the referee waits for; these are the options that stand open beside it
(a call forgotten, a second card, a tower to be moved), which a player remembers from the events.
"""

from referee.rules import events as ev


class Memory:
    """The open options of a round."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.owed: list[int] = []
        self.follow_up: ev.FollowUpOpened | None = None
        self.offer: ev.PowerOffered | None = None
        self.opening = True
        self.banned = False
        self.bound: tuple[int, ...] = ()
        self._turn: int | None = None

    def see(self, event: ev.Event) -> None:
        """Take note of an event."""
        match event:
            case ev.RoundOpened() | ev.RoundWon():
                self._forget()
            case ev.UnoOwed(seat):
                self.owed.append(seat)
            case ev.UnoCalled(seat) | ev.UnoMissed(seat):
                self.owed = [s for s in self.owed if s != seat]
                self.banned = self.banned and isinstance(event, ev.UnoMissed)
            case ev.Drew(seat) | ev.Gave(to=seat):
                # One card more, so that there is nothing to call any longer.
                self.owed = [s for s in self.owed if s != seat]
            case ev.Redealt(seats):
                self.owed = [s for s in self.owed if s not in seats]
            case ev.Acted():
                self.owed, self.follow_up, self.offer = [], None, None
            case ev.FollowUpOpened():
                self.follow_up = event
            case ev.FollowUpClosed():
                self.follow_up = None
            case ev.PowerOffered():
                self.offer = event
            case ev.PowerMoved():
                self.offer = None
            case ev.EffectsQueued(paths):
                # For wild-tales: the seats that drew for it and cannot decline the discard.
                self.bound = tuple(path[0] for path in paths)
            case ev.Announced(until_uno=True):
                self.banned = True
            case ev.TurnCame(seat):
                self.opening = self.opening and self._turn in (None, seat)
                self._turn = seat
