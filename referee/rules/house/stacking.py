"""house.stacking: who is hit by a draw card may pass the sum on with another one (R39 to R42)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.rules import actions as act
from referee.rules.house.rows import Rows, after, changed, citing, has_rule, replaced, with_rows
from referee.rules.options import Options
from referee.rules.play import checks
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.position.state import State
from referee.rules.position.views import owed
from referee.rules.ruleset import Check, Effect, MoveRules, Ruleset
from referee.rules.rulings import Args

RULE = "house.stacking"
WORDINGS = {
    "need.respond": "need.respond-stack",
    # Whoever cannot challenge can still stack.
    "need.respond-accept": "need.respond-stack",
    "choice.accept": "choice.accept-stack",
    "choice.challenge": "choice.challenge-stack",
}
# Whether a card of the first symbol may be stacked on one of the second.
Stacks = Callable[[str, str], bool]


def add(ruleset: Ruleset, options: Options) -> Ruleset:
    """Let draw cards be answered by draw cards."""
    draws = ruleset.draws

    def as_much(symbol: str, top: str) -> bool:
        return draws.get(symbol, 0) >= draws[top]

    def same(symbol: str, top: str) -> bool:
        return symbol == top

    stacks = as_much if options.stacking == "any" else same
    change = {
        act.Play: _playing(stacks),
        act.Draw: _not_while_hit,
        act.Pass: _not_while_hit,
        act.Accept: _accepting,
        act.Challenge: _challenging,
    }
    if has_rule(ruleset.moves[act.Flip], "turn.order"):
        change[act.Flip] = _not_while_hit
    return replace(
        ruleset,
        effects={**ruleset.effects, **{symbol: hit(count) for symbol, count in draws.items()}},
        moves=changed(ruleset.moves, change),
        wordings={**ruleset.wordings, **WORDINGS},
    )


def hit(count: int) -> Effect:
    """Return the effect of a draw card: the next player responds, or is protected (R40)."""

    def effect(draft: Draft, laid: Laid) -> int | None:
        if draft.protected(laid.victim, draft.card(laid.card).symbol):
            return laid.victim
        draft.end_early_calls()
        draft.emit(ev.Stacked(draft.state.stack + count))
        draft.emit(ev.Awaited(laid.victim, ((laid.victim, "respond"),)))
        return None

    return effect


def is_hit(state: State) -> bool:
    """Return whether a seat has to respond to a draw card."""
    return any(need == "respond" for _, need in state.awaiting)


def _playing(stacks: Stacks) -> Callable[[MoveRules], MoveRules]:
    def ready(state: State, move: act.Play) -> Args | None:
        return None if is_hit(state) else checks.ready_to_play(state, move)

    def stackable(state: State, move: act.Play) -> Args | None:
        """house.stacking: only a card that stacks answers a draw card."""
        if not is_hit(state) or state.top is None:
            return None
        cards = state.game.cards
        if stacks(cards[move.card].symbol, cards[state.top].symbol):
            return None
        return {"seat": move.seat, "card": move.card, "top": state.top, "count": state.stack}

    def edit(rules: MoveRules) -> MoveRules:
        rows = replaced(rules.rows, "round.awaiting", ("round.awaiting", ready))
        # What stacks need not match.
        free = tuple(
            (rule, _unless_hit(check)) if matching(rule) else (rule, check) for rule, check in rows
        )

        def rule_of(state: State, move: act.Play) -> str | None:
            return RULE if is_hit(state) and state.turn == move.seat else None

        return citing(with_rows(rules, after(free, "deck.count", (RULE, stackable))), rule_of)

    return edit


def matching(rule: str) -> bool:
    """Return whether a rule is about matching the card on top."""
    return rule.partition(".")[0] in ("match", "opening")


def _unless_hit(check: Check) -> Check:
    def wrapped(state: State, move: Any) -> Args | None:
        return None if is_hit(state) else check(state, move)

    return wrapped


def not_hit(state: State, move: Any) -> Args | None:
    """house.stacking: who is hit accepts, or plays a card that stacks."""
    return {"seat": move.seat, "count": state.stack} if is_hit(state) else None


def _not_while_hit(rules: MoveRules) -> MoveRules:
    return with_rows(rules, after(rules.rows, "turn.order", (RULE, not_hit)))


def _accepting(rules: MoveRules) -> MoveRules:
    return replace(rules, handler=accept, cites=RULE)


def accept(draft: Draft, move: act.Accept) -> None:
    """Draw the sum and lose the turn."""
    state = draft.state
    laid, count = state.laid, state.stack
    draft.begin_action()
    draft.must_draw(move.seat, count, RULE, None if laid is None else laid.seat)
    draft.emit(ev.TurnLost(move.seat, RULE))
    draft.give_turn(state.seat_after(move.seat))


def _challenging(rules: MoveRules) -> MoveRules:
    rows: Rows = (*rules.rows, ("challenge", challengeable))
    return with_rows(rules, rows)


def challengeable(state: State, move: act.Challenge) -> Args | None:
    """challenge: the last card claims something about the hand, and was not turned up (R41)."""
    laid = state.laid
    challenged = state.game.ruleset.challenged
    if laid and not laid.flipped and state.game.cards[laid.card].symbol in challenged:
        return None
    return {"seat": move.seat, "awaiting": owed(state)}
