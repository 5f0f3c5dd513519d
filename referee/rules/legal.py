"""Every move that the referee would rule legal now, of those that rest on no hidden card.

The moves are candidates that ``engine.judge`` lets through, so this list cannot disagree with it.
A play stands for every card that the deck still can have in somebody's hand. Moves are listed in
their plain form: without the ``uno`` flag, and with a colour or powers only for cards that take
them. UNO is never refused, so a call is listed only for seats that are down to one card.

Not listed are moves that name cards of a hand, ``reveal``, ``give`` and a discard of named cards:
``awaiting`` says that a reveal or a discard is due, and the holder of power.red may always give.
Corrections (``SetHand``, ``Overruled``) are the host's and no moves of the game.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from referee.rules import actions as act
from referee.rules.actions import Action
from referee.rules.cards import COLORS, Card
from referee.rules.engine import judge
from referee.rules.state import State


def legal_actions(state: State) -> list[Action]:
    """The legal moves of a position, seat by seat; none between rounds."""
    if not state.in_progress:
        return []
    return [action for action in _candidates(state) if judge(state, action).legal]


def _candidates(state: State) -> Iterator[Action]:
    cards = list(state.game.ruleset.deck)
    choices = tuple(_choices(state, range(len(state.powers) + 1)))
    for seat in range(1, len(state.hands) + 1):
        yield from _plays(state, seat, cards)
        yield act.Draw(seat)
        yield act.Pass(seat)
        for color in COLORS:
            yield act.NameColor(seat, color)
        for powers in choices:
            yield act.ChoosePowers(seat, powers)
        yield act.Accept(seat)
        yield act.Challenge(seat)
        if state.hands[seat - 1] == 1 or state.may_call_early(seat):
            yield act.CallUno(seat)
        for accused in range(1, len(state.hands) + 1):
            yield act.Catch(seat, accused)
        for count in range(state.hands[seat - 1] + 1):
            yield act.Discard(seat, count=count)
        yield from _flips(state, seat, cards)
        for drawn in range(state.draw_pile + state.discard_pile):
            yield act.Report(seat, drawn)
        yield act.Judge(seat, True)
        yield act.Judge(seat, False)


def _plays(state: State, seat: int, cards: Sequence[Card]) -> Iterator[Action]:
    for card in cards:
        # What makes a bare play illegal makes it so with a colour or powers too.
        if not judge(state, act.Play(seat, card.id)).legal:
            continue
        most = state.game.ruleset.choices.get(card.symbol)
        powers = [None, *_choices(state, range(most + 1))] if most is not None else [None]
        for color in (None, *COLORS) if card.wild else (None,):
            for chosen in powers:
                yield act.Play(seat, card.id, color, chosen)


def _flips(state: State, seat: int, cards: Sequence[Card]) -> Iterator[Action]:
    for card in cards:
        for color in (None, *COLORS) if card.wild else (None,):
            yield act.Flip(seat, card.id, color)


def _choices(state: State, sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    for size in sizes:
        yield from combinations(state.powers, size)
