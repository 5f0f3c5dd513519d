"""house.identical: a number card may be followed by an identical one (S4; R37, R43)."""

from dataclasses import replace

from referee.rules import actions as act
from referee.rules.cards import Card
from referee.rules.house.rows import changed, citing
from referee.rules.options import Options
from referee.rules.position.state import State
from referee.rules.ruleset import MoveRules, Ruleset

RULE = "house.identical"


def add(ruleset: Ruleset, options: Options) -> Ruleset:
    """Allow one more card in all: what the deck allows, or else the same once more (R37)."""
    allowed = ruleset.follow_up

    def follow_up(state: State, seat: int, card: Card) -> str | None:
        rule = allowed(state, seat, card)
        return RULE if rule is None and card.number is not None else rule

    return replace(
        ruleset,
        moves=changed(ruleset.moves, {act.Play: _playing}),
        follow_up=follow_up,
        twin=RULE,
    )


def _playing(rules: MoveRules) -> MoveRules:
    return citing(rules, rule_of_second)


def rule_of_second(state: State, move: act.Play) -> str | None:
    """Return the rule of an identical card laid after the first."""
    more = state.follow_up
    second = more is not None and more.seat == move.seat and state.turn != move.seat
    return RULE if more is not None and second and more.rule == RULE else None
