"""One write to a table's game: the rulings it makes, and what devices see of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from referee.rules.actions import Action, ChoosePowers, Draw, Flip, Play
from referee.rules.codec import FieldError
from referee.rules.engine import decide
from referee.rules.message import Message
from referee.rules.rulings import RuleError
from referee.rules.state import State
from referee.rules.views import public_state
from referee.service.access import Principal
from referee.service.corrections import CorrectedGame, make_correction
from referee.service.event_log import Change, EventLog
from referee.service.history import History, moved_body, read_history
from referee.service.opening import open_body, with_custom_cards
from referee.service.pile.discrepancies import pile_discrepancies
from referee.service.pile.layers import Pile
from referee.service.pile.rebuild import rebuilt
from referee.service.pile.transitions import after_opening, after_ruling
from referee.service.problems import Problem, from_field
from referee.service.table_projection import TableProjection
from referee.service.tower_positions import (
    Position,
    Sightings,
    agree,
    choice_made,
    chooser,
    discrepancies,
    heard_of,
    powers_moved,
    see,
    taken,
)

Body = dict[str, Any]
# So many seconds a board's observation may be behind a phone.
GRACE = 3.0


def table_discrepancies(table: TableProjection) -> list[Body]:
    """What stands or lies elsewhere than it should, as the table is now."""
    meta, state = table.meta, table.state
    return [
        *discrepancies(state, heard_of(meta.sightings, meta.silent), meta.turn_since),
        *pile_discrepancies(state, meta.pile),
    ]


class UnitOfWork:
    """Entries for the log in the making, each on top of the one before.

    A move that moving towers has made (``sensed.choice_made``) is ruled on like one that was said.
    ``pile`` is what lies on the discard pile; None at a table without a camera.
    """

    def __init__(self, log: EventLog, table: TableProjection) -> None:
        self.log = log
        self.table = table
        self.state = table.state
        self.pile: Pile | None = table.meta.pile
        self._sightings: Sightings = table.meta.sightings
        self._since = table.meta.turn_since
        self._before = table.meta.turn_before
        self.time = datetime.now(UTC)
        self.entries: list[tuple[str, Body]] = []
        self.states: list[State | None] = []

    @property
    def playing(self) -> State:
        """The state that explains a card: before the first round, as that is going to begin."""
        return with_custom_cards(self.table, self.state)

    def change(self, answer: int = -1) -> Change:
        """What is to be written; the entry at ``answer`` answers the request."""
        if self.pile is not None and self.pile != self.table.meta.pile:
            self.entries[-1][1]["pile"] = self.pile.to_json()
        return Change(self.entries, self.states, answer=answer)

    def rule(
        self,
        by: Principal,
        action: Action,
        *,
        cause: int | None = None,
        at: int | None = None,
        presumed: bool = False,
    ) -> bool:
        """Rule on a move; whether it was legal.

        ``cause`` is the entry that made the move, ``at`` the layer of the pile that it explains.
        ``presumed``: whose move it is follows from whose turn it is.
        """
        decision = decide(self.state, action)
        body = moved_body(by, action, decision.ruling, decision.events, decision.state)
        if cause is not None:
            body["cause"] = cause
        if presumed:
            body["presumed"] = True
        self.state = decision.state
        if self._sightings:
            if any(event["event"] == "turn-came" for event in body["events"]):
                self._before, self._since = self._since, self.next
            self._sightings = agree(self._sightings, powers_moved(body["events"]))
        if self.pile is not None:
            said = by.role != "device"
            self.pile = after_ruling(
                self.pile, action, decision, self.next, at, said=said, presumed=presumed
            )
        self.say_discrepancies(body)
        self.add("moved", body)
        return decision.ruling.legal

    def correct(
        self, by: Principal, change: Mapping[str, Any], cause: int | None = None
    ) -> CorrectedGame:
        """Correct the game and play it again from there. Raises Problem.

        The log has to hold all that was played: nothing may have been ruled on in this sitting.
        """
        seq, before = self.next, self.state
        try:
            made = make_correction(self.state, self.history(), by, change, seq)
        except FieldError as error:
            raise from_field(error) from None
        except RuleError as error:
            raise Problem(
                "conflict",
                Message(
                    "With this correction round {round} could not have begun: {reason}.",
                    round=error.field,
                    reason=error.reason,
                ),
            ) from None
        self.state = made.state
        self._before = self._since = seq
        self._sightings = agree(self._sightings, self.state.powers.items())
        if self.pile is not None:
            self.pile = rebuilt(self.pile, before, made, change, seq)
        if cause is not None:
            made.body["cause"] = cause
        self.say_discrepancies(made.body)
        self.add("corrected", made.body)
        return made

    def confirm(self, body: Body) -> None:
        """Somebody has said what was ruled on already."""
        body |= {"round": self.state.round, "state": public_state(self.state)}
        self.say_discrepancies(body)
        self.add("confirmed", body)

    def open_round(
        self,
        by: Principal,
        opening: Sequence[str],
        dealer: int | None,
        *,
        cause: int | None = None,
        at: int | None = None,
    ) -> None:
        """Deal a round; ``at`` is the layer of the pile that opens it. Raises Problem."""
        body, self.state = open_body(
            self.table, self.state, by, opening, dealer, seen=cause is not None
        )
        if cause is not None:
            body["cause"] = cause
        self._before = self._since = self.next
        self._sightings = agree(self._sightings, self.state.powers.items())
        if self.pile is not None:
            self.pile = after_opening(opening, self.next, self.pile, at)
        self.say_discrepancies(body)
        self.add("round-opened", body)

    def history(self) -> History:
        """The game as it stands in the log."""
        return read_history(self.log, self.table)

    def observe(self, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        """Write down where a device saw towers, and what that says."""
        positions: Mapping[str, Position] = seen["powers"]
        self._sightings = see(self._sightings, self.state, by.id, positions, self.next)
        body: Body = {
            "by": by.to_json(),
            "round": self.state.round,
            "device": device,
            "observation": dict(seen),
        }
        self.add("observed", body)
        cause = self.next - 1
        settled = self._claimed_late(by, positions, cause) or self.look(cause)
        found = self.discrepancies()
        body["meaning"] = "settled" if settled else self._meaning(positions, found)
        body["discrepancies"] = found

    def _claimed_late(self, by: Principal, positions: Mapping[str, Position], cause: int) -> bool:
        """A tower on offer was taken in time, and the next player's move was only heard sooner."""
        late = self.table.meta.lapsed
        if late is None or positions.get(late["power"]) != late["seat"]:
            return False
        age = (self.time - datetime.fromisoformat(late["at"])).total_seconds()
        if age > GRACE or late["round"] != self.state.round or not self.state.in_progress:
            return False
        claim = {"seat": late["seat"], "move": "powers", "powers": [late["power"]]}
        change = {"kind": "insert", "round": late["round"], "move": late["move"], "inserted": claim}
        self.correct(by, change, cause)
        return True

    def look(self, cause: int | None = None) -> bool:
        """Make the choice that moved towers have made, if any; whether there was one.

        ``cause`` is the entry of the observation that completed it.
        """
        if not self._sightings:
            return False
        choice = choice_made(self.state, self._sightings, self._since, self._before)
        return choice is not None and self._choose(choice, cause)

    def finish_choice(self, action: Action) -> None:
        """The next player plays on: whoever was choosing towers has taken what they have moved."""
        if isinstance(action, Play | Draw | Flip):
            self.finish_choosing(lambda after: after.turn == action.seat)

    def finish_choosing(self, goes_on: Callable[[State], bool]) -> None:
        """The towers that have been moved are the choice, if the game then goes on so."""
        if not self._sightings:
            return
        seat = chooser(self.state)
        moved_there = taken(self.state, self._sightings, self._since)
        if seat is None or not moved_there:
            return
        choice = ChoosePowers(seat, moved_there)
        if goes_on(decide(self.state, choice).state):
            self._choose(choice, None)

    def discrepancies(self) -> list[Body]:
        """What stands or lies elsewhere than it should, as things are now."""
        return [
            *discrepancies(self.state, self._sightings, self._since),
            *pile_discrepancies(self.state, self.pile),
        ]

    def say_discrepancies(self, body: Body) -> None:
        """Put them into a body; nothing at a table without devices."""
        if self._sightings or self.pile is not None:
            body["discrepancies"] = self.discrepancies()

    @property
    def has_ruled(self) -> bool:
        """Whether there are moves that the log does not hold yet."""
        return any(kind in ("moved", "corrected", "round-opened") for kind, _ in self.entries)

    @property
    def last(self) -> int:
        """The log's last entry so far."""
        return self.next - 1

    @property
    def next(self) -> int:
        """The log's next entry."""
        return self.table.version + len(self.entries) + 1

    def add(self, kind: str, body: Body) -> None:
        """One more entry, the state being the present one."""
        self.entries.append((kind, body))
        self.states.append(self.state)

    def edit_pile(self, **changes: Any) -> None:
        """Change something about the pile, where there is a camera."""
        if self.pile is not None:
            self.pile = replace(self.pile, **changes)

    def _choose(self, choice: ChoosePowers, cause: int | None) -> bool:
        by = Principal(self._sightings[choice.powers[0]].device, self.table.id, "device")
        return self.rule(by, choice, cause=cause)

    def _meaning(self, positions: Mapping[str, Position], found: list[Body]) -> str:
        if any(item.get("power") in positions for item in found):
            return "discrepancy"
        if positions and all(position == "unknown" for position in positions.values()):
            return "unknown"
        if any(power in taken(self.state, self._sightings, self._since) for power in positions):
            return "choosing"
        return "lifted" if "lifted" in positions.values() else "agrees"
