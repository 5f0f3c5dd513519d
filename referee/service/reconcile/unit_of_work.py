"""One write to a table's game; it owns all changes until they are in the log."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from referee.rules.actions import Action, Catch, ChoosePowers, Draw, Flip, Play
from referee.rules.engine import decide
from referee.rules.move_fields import FieldError
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.service.access import Principal
from referee.service.history.corrections import CorrectedGame, make_correction
from referee.service.history.edits import with_place
from referee.service.history.standing_moves import moved_body, read_history, ruling_to_json
from referee.service.log.caught_players import UNO, quicker
from referee.service.log.entries import parse_entry
from referee.service.log.event_log import Change, EventLog
from referee.service.log.past_rounds import History, PastMove
from referee.service.log.table_projection import TableProjection
from referee.service.pile.discrepancies import pile_discrepancies
from referee.service.pile.layers import Pile, Question
from referee.service.pile.thresholds import Prior
from referee.service.pile.tower_positions import Position, late_claim
from referee.service.pile.transitions import after_opening, after_ruling
from referee.service.problems import Problem, from_field
from referee.service.reconcile.apply_hypothesis import PileChange, Situation
from referee.service.reconcile.corrected_pile import correct_pile
from referee.service.reconcile.round_opening import dealer_of, open_body, with_custom_cards
from referee.service.reconcile.tower_watch import TowerWatch

Body = dict[str, Any]
RULED = ("moved", "corrected", "round-opened")
# Who catches a moment later is no further behind than so many entries; chosen by judgement.
MOMENT = 16
# Seconds by which a board's observation may be later than a phone's report of a later event; chosen
# by judgement.
GRACE = 3.0


class UnitOfWork:
    """Builds the entries of one write, each on top of the one before.

    Use cases read its properties and call its methods; nothing else changes it. What a choice of
    towers or a card on the pile means is decided elsewhere, by functions that write nothing.
    """

    __slots__ = ("_entries", "_log", "_pile", "_state", "_states", "_table", "_time", "_towers")

    def __init__(self, log: EventLog, table: TableProjection) -> None:
        self._log = log
        self._table = table
        self._state = table.state
        self._pile: Pile | None = table.meta.pile
        self._towers = TowerWatch(table.meta)
        self._time = datetime.now(UTC)
        self._entries: list[tuple[str, Body]] = []
        self._states: list[State | None] = []

    @property
    def table(self) -> TableProjection:
        """The table as the log has it."""
        return self._table

    @property
    def state(self) -> State:
        """The state after the entries so far."""
        return self._state

    @property
    def pile(self) -> Pile | None:
        """The discard pile as it stands; None at a table without a camera."""
        return self._pile

    @property
    def prior(self) -> Prior:
        """This server's weights for camera readings."""
        return self._log.prior

    @property
    def situation(self) -> Situation:
        """The situation in which to interpret a card on the pile."""
        return Situation(
            self._table.id,
            with_custom_cards(self._table, self._state),
            self._pile or Pile(),
            self.prior,
            dealer_of(self._table, self._state),
            self._time,
            self.standing_moves,
            any(kind in RULED for kind, _ in self._entries),
        )

    @property
    def next(self) -> int:
        """The number of the log's next entry."""
        return self._table.version + len(self._entries) + 1

    @property
    def pile_differs(self) -> bool:
        """True if something on the pile is out of place."""
        return bool(pile_discrepancies(self._state, self._pile))

    @property
    def waiting(self) -> bool:
        """True if a card on the pile waits for its explanation."""
        return self._pile is not None and bool(self._pile.waiting)

    def standing_moves(self) -> Sequence[PastMove]:
        """Return the moves of the present round that stand in the log."""
        return self._history().rounds[-1].moves

    def change(self, answer: int) -> Change:
        """Return the change to write; the entry numbered ``answer`` answers the request."""
        if self._pile is not None and self._pile != self._table.meta.pile:
            self._entries[-1][1]["pile"] = self._pile.to_json()
        place = answer - self._table.version - 1
        confirmed = self._entries[place][0] == "confirmed"
        return Change(self._entries, self._states, answer=place, confirmed=confirmed)

    def record(self, kind: str, by: Principal, **fields: Any) -> int:
        """Add an entry that leaves the game as it is, and return its number."""
        return self._add(kind, {"by": by.to_json(), "round": self._state.round, **fields})

    def rule(
        self,
        by: Principal,
        action: Action,
        *,
        cause: int | None = None,
        at: int | None = None,
        presumed: bool = False,
    ) -> bool:
        """Rule on a move, and return whether it was legal.

        ``cause`` is the entry that made the move, ``at`` the layer of the pile that it explains.
        ``presumed``: the seat follows from whose turn it is.
        """
        decision = decide(self._state, action)
        body = moved_body(by, action, decision.ruling, decision.events, decision.state)
        if isinstance(action, Catch) and decision.ruling.rule == UNO and not decision.ruling.legal:
            self._tell_quicker(action, body)
        if cause is not None:
            body["cause"] = cause
        if presumed:
            body["presumed"] = True
        self._state = decision.state
        self._towers.follow(body["events"], self.next)
        if self._pile is not None:
            # What another seat says about a card, its own player may still report.
            by_player = by.is_host or by.seat == action.seat
            self._pile = after_ruling(
                self._pile, action, decision, self.next, at, reported=by_player, presumed=presumed
            )
        self._add_with_discrepancies("moved", body)
        return decision.ruling.legal

    def _tell_quicker(self, catch: Catch, body: Body) -> None:
        """Add to the ruling on a catch who caught the same seat a moment before, if anybody did."""
        table = self._table
        newest = self._log.reader.entries(table.id, max(0, table.version - MOMENT))
        log = [(entry.seq, entry.kind, entry.body) for entry in map(parse_entry, newest)]
        by = quicker(catch.accused, log, table.meta.undone)
        if by is not None:
            ruling = body["ruling"]
            body["ruling"] = {**ruling, "args": {**ruling.get("args", {}), "by": by}}

    def correct(
        self, by: Principal, change: Mapping[str, Any], cause: int | None = None
    ) -> CorrectedGame:
        """Correct the game and play it again from there. Raises Problem.

        The log has to hold all moves: nothing may have been ruled on in this unit.
        """
        seq, before, history = self.next, self._state, self._history()
        voided = None
        if change["kind"] == "redo":
            if not history.corrections:
                raise Problem("no-effect", "There is no correction to take back.")
            voided = self._history(void=history.corrections[-1])
        try:
            change = with_place(history, change)
            corrected = make_correction(self._state, history, by, change, seq, voided)
        except FieldError as error:
            raise from_field(error) from None
        self._restart(corrected.state)
        if self._pile is not None:
            self._pile = correct_pile(self._pile, before, corrected, change, seq)
        if cause is not None:
            corrected.body["cause"] = cause
        self._add_with_discrepancies("corrected", corrected.body)
        return corrected

    def open_round(
        self,
        by: Principal,
        opening: Sequence[str],
        dealer: int | None,
        *,
        cause: int | None = None,
        at: int | None = None,
    ) -> int:
        """Deal a round; ``at`` is the layer of the pile that opens it. Raises Problem."""
        body, state = open_body(
            self._table, self._state, by, opening, dealer, seen=cause is not None
        )
        if cause is not None:
            body["cause"] = cause
        self._restart(state)
        if self._pile is not None:
            self._pile = after_opening(opening, self.next, self._pile, at, reported=cause is None)
        return self._add_with_discrepancies("round-opened", body)

    def restart(self, kind: str, body: Body, state: State, pile: Pile | None = None) -> int:
        """Go on from a state that no move led to, and return the number of the entry about it.

        ``pile`` replaces the one there is; None leaves it.
        """
        self._restart(state)
        if pile is not None:
            self._pile = pile
        return self._add_with_discrepancies(kind, body)

    def apply(self, change: PileChange) -> bool:
        """Make a change due to an observation, an answer or a report.

        Returns False when it is an opening and the round cannot begin yet, for instance before
        custom cards are approved.
        """
        if change.pile is not None:
            self._pile = change.pile
        try:
            if change.correction is not None and change.by is not None:
                self.correct(change.by, change.correction, change.cause)
            if change.opening is not None and change.by is not None:
                at = self._first_waiting()
                self.open_round(change.by, *change.opening, cause=change.cause, at=at)
        except Problem:
            if change.opening is None:
                raise
            return False
        for move in change.moves:
            if move.if_owed is None or move.if_owed in self._state.owed:
                at = self._first_waiting() if move.explains_card else None
                self.rule(move.by, move.action, cause=move.cause, at=at, presumed=move.presumed)
        return True

    def confirm(
        self, by: Principal, move: Body, cause: int, corrected: CorrectedGame | None
    ) -> int:
        """Record that somebody has reported the play that entry ``cause`` ruled on.

        ``corrected`` is the correction due to that report, if any.
        """
        step = None
        if corrected is not None:
            seq = self.next - 1
            step = next((step for step in corrected.steps if step.entry == seq), None)
        if step is not None and step.ruling is not None:
            ruled: Body = {"number": step.move, "ruling": ruling_to_json(step.ruling)}
        else:
            (entry,) = self._log.reader.entries(self._table.id, cause - 1, 1)
            body = parse_entry(entry).body
            ruled = {"number": body["number"], "ruling": body["ruling"]}
        present = {"round": self._state.round, "state": public_state(self._state)}
        body = {"by": by.to_json(), "move": move, "cause": cause, **ruled, **present}
        return self._add_with_discrepancies("confirmed", body)

    def ask(self, by: Principal, question: Question) -> None:
        """Ask the table a question; one about the pile replaces the one that is open."""
        if question.about == "pile":
            self.close_question("overtaken")
        pile = self._pile or Pile()
        question = replace(question, id=self.next)
        if question.about == "pile":
            self._pile = replace(pile, question=question)
        else:
            # A hand shown again: the newer reading counts.
            seat = question.more.get("seat")
            others = tuple(other for other in pile.hands if other.more.get("seat") != seat)
            self._pile = replace(pile, hands=(*others, question), device=pile.device or by.id)
        self.record("asked", by, cause=question.entry, question=question.shown())

    def close_question(self, why: str) -> None:
        """Close the question about the pile, if one is open."""
        if self._pile is not None and self._pile.question is not None:
            closed = self._pile.question
            self._pile = replace(self._pile, question=None)
            self._record_closed(closed, why)

    def close_hand(self, question: Question, why: str | None = None) -> None:
        """Close a question about a hand; without ``why`` the closing is not recorded."""
        if self._pile is not None:
            kept = tuple(other for other in self._pile.hands if other.id != question.id)
            self._pile = replace(self._pile, hands=kept)
            if why is not None:
                self._record_closed(question, why)

    def observe_pile(self, by: Principal, device: Body, seen: Mapping[str, Any], pile: Pile) -> int:
        """Record a camera's observation and the pile after it; return its entry."""
        self._pile = pile
        return self.record("observed", by, device=device, observation=dict(seen))

    def explain_observation(self, entry: int, meaning: str) -> None:
        """Add an observation's interpretation and the present discrepancies."""
        body = self._entries[entry - self._table.version - 1][1]
        body["meaning"] = meaning
        self._add_discrepancies(body)

    def observe_towers(self, by: Principal, device: Body, seen: Mapping[str, Any]) -> int:
        """Record where a board saw towers, and make the choice that this completes."""
        positions: Mapping[str, Position] = seen["powers"]
        self._towers.see(self._state, by.id, positions, self.next)
        entry = self.record("observed", by, device=device, observation=dict(seen))
        body = self._entries[-1][1]
        late = late_claim(self._table.meta.lapsed, positions, self._state, self._time, GRACE)
        if late is not None:
            self.correct(by, late, entry)
            meaning = "settled"
        elif self.choose_moved_towers(entry):
            meaning = "settled"
        else:
            meaning = self._towers.meaning(self._state, positions)
        body["meaning"] = meaning
        body["discrepancies"] = self._discrepancies()
        return entry

    def choose_moved_towers(self, cause: int | None = None) -> bool:
        """Make the choice if moved towers leave no doubt about it; return whether it was made.

        ``cause`` is the entry of the observation that completed it.
        """
        choice = self._towers.choice(self._state)
        return choice is not None and self._choose(choice, cause)

    def finish_choice_before(self, action: Action) -> None:
        """Take the towers moved so far as the choice, if the next player plays on."""
        if isinstance(action, Play | Draw | Flip):
            choice = self._towers.unfinished(self._state)
            if choice is not None and decide(self._state, choice).state.turn == action.seat:
                self._choose(choice, None)

    def finish_choice_for_card(self) -> None:
        """Take the towers moved so far as the choice: the next card has been laid."""
        choice = self._towers.unfinished(self._state)
        if choice is not None and decide(self._state, choice).state.turn != self._state.turn:
            self._choose(choice, None)

    def _choose(self, choice: ChoosePowers, cause: int | None) -> bool:
        by = Principal(self._towers.device_of(choice), self._table.id, "device")
        return self.rule(by, choice, cause=cause)

    def _first_waiting(self) -> int | None:
        return self._pile.waiting[0] if self._pile is not None else None

    def _restart(self, state: State) -> None:
        """Continue from a state that no move led to; towers moved earlier make no choice."""
        self._state = state
        self._towers.restart(state, self.next)

    def _history(self, void: int = 0) -> History:
        return read_history(self._log.reader, self._table, void)

    def _discrepancies(self) -> list[Body]:
        return [
            *self._towers.discrepancies(self._state),
            *pile_discrepancies(self._state, self._pile),
        ]

    def _add_discrepancies(self, body: Body) -> None:
        if self._towers.seen or self._pile is not None:
            body["discrepancies"] = self._discrepancies()

    def _add_with_discrepancies(self, kind: str, body: Body) -> int:
        self._add_discrepancies(body)
        return self._add(kind, body)

    def _add(self, kind: str, body: Body) -> int:
        self._entries.append((kind, body))
        self._states.append(self._state)
        return self.next - 1

    def _record_closed(self, question: Question, why: str) -> None:
        self.record("lapsed", self.situation.camera, question_id=question.id, why=why)
