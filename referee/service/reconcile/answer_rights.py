"""Who may answer a question: whoever may do what follows from the answer.

Everybody sees which card lies on the pile, so every seat may say which it is, also that an earlier
one shows again. More than that is for the seat concerned: a hand, a card ruled illegal, a draw or a
pass that nobody reported, a play taken back that ended the round, the deal. A host may answer
everything.
"""

from collections.abc import Iterable

from referee.rules.position.state import State
from referee.service.access import HOST, HOST_OR_OWN_SEAT, Principal
from referee.service.pile.hypothesis import MOVES, Hypothesis
from referee.service.problems import Problem
from referee.service.reconcile.apply_hypothesis import Situation, undone_moves


def seats_that_may_say(
    situation: Situation, hypothesis: Hypothesis, *, offered: bool = True
) -> list[int]:
    """Return the seats that may say that a hypothesis about the pile is right.

    ``offered``: the referee itself thought of it, so the camera speaks for it.
    """
    concerned = _concerned(situation, hypothesis, offered)
    return [seat for seat in sorted(situation.state.order) if concerned <= {seat}]


def _concerned(situation: Situation, hypothesis: Hypothesis, offered: bool) -> set[int]:
    """Return the seats for which a hypothesis does more than name a card that everybody sees."""
    if hypothesis.kind in MOVES:
        *before, last = hypothesis.moves
        public = offered and hypothesis.kind != "illegal"
        return {move.seat for move in before} | (set() if public else {last.seat})
    if hypothesis.kind == "opening":
        settled = (
            offered and not situation.state.in_progress and hypothesis.dealer == situation.dealer
        )
        return set() if settled else {hypothesis.dealer}
    over = not situation.state.in_progress or situation.state.round_winner is not None
    if hypothesis.kind == "take-back" and hypothesis.layer is not None and over:
        # Points go with the round.
        return {past.action.seat for past in undone_moves(situation, hypothesis.layer)}
    return set()


def seats_that_lay(hypotheses: Iterable[Hypothesis]) -> list[int]:
    """Return the seats that may have laid the card, by the hypotheses; each may name another."""
    return sorted({hypothesis.moves[-1].seat for hypothesis in hypotheses if hypothesis.moves})


def seats_that_show(state: State, seat: int | None) -> list[int]:
    """Return the seats that may answer for a hand: its owner, or whoever has to show one."""
    if seat is not None:
        return [seat]
    return sorted({due for due, need in state.awaiting if need == "reveal"})


def may_say(by: Principal, situation: Situation, hypothesis: Hypothesis) -> bool:
    """Return whether a principal may say that a hypothesis of the referee's own is right."""
    return by.is_host or by.seat in seats_that_may_say(situation, hypothesis)


def check_may_answer(by: Principal, seats: Iterable[int]) -> None:
    """Check that a principal is a host or one of these seats. Raises Problem."""
    allowed = tuple(seats)
    if not by.is_host and by.seat not in allowed:
        raise Problem("forbidden", (HOST_OR_OWN_SEAT if allowed else HOST).refusal)
