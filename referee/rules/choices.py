"""What a seat may do now: its legal moves, put together by what they are and the rule behind them.

Beside the moves of ``legal``, this says when a hand has to be shown or cards may be given away,
which name cards of a hand: such a choice lists no moves.
"""

from collections.abc import Iterator

from referee.rules import actions as act
from referee.rules.actions import Action
from referee.rules.codec import NAMES
from referee.rules.engine import judge
from referee.rules.facts import fact
from referee.rules.legal import legal_actions
from referee.rules.state import State


@fact
class Choice:
    """One thing that a seat may do: the move's name, the rule it stands on, the moves that do it.

    ``to`` are the seats that cards may be given to, or the hand shown to.
    """

    kind: str
    rule: str
    moves: tuple[Action, ...] = ()
    to: tuple[int, ...] = ()


def choices(state: State, seat: int) -> list[Choice]:
    """What ``seat`` may do in this position, in the order of ``legal_actions``."""
    found: dict[tuple[str, str], list[Action]] = {}
    for action in legal_actions(state):
        if action.seat == seat:
            key = NAMES[type(action)], judge(state, action).rule
            found.setdefault(key, []).append(action)
    listed = [Choice(kind, rule, tuple(moves)) for (kind, rule), moves in found.items()]
    return [*_reveals(state, seat), *listed, *_gifts(state, seat)]


def _reveals(state: State, seat: int) -> Iterator[Choice]:
    if state.needs(seat, "reveal"):
        cites = state.game.ruleset.moves[act.Reveal].cites
        shown = act.Reveal(seat, ())
        yield Choice("reveal", cites if isinstance(cites, str) else cites(state, shown))


def _gifts(state: State, seat: int) -> Iterator[Choice]:
    """Whether some card may be handed on; which of them is in the hand nobody else knows."""
    receivers = []
    rule = ""
    for to in range(1, len(state.hands) + 1):
        for card in state.game.ruleset.deck:
            ruling = judge(state, act.Give(seat, to, (card.id,)))
            if ruling.legal:
                receivers.append(to)
                rule = ruling.rule
                break
    if receivers:
        yield Choice("give", rule, to=tuple(receivers))
