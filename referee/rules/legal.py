"""The legal moves of a position, and what each seat can choose from.

Only moves that rest on no hidden card are listed. Plays are listed for every card that may be in
somebody's hand. ``reveal``, ``give`` and discards of named cards depend on a hand, so they have
choices but no moves. Moves are in their plain form: without the ``uno`` flag, and with a colour or
powers only for cards that take them; hands are swapped by a move of its own, and draws do not say
how many. UNO calls, which are never refused, are listed only for seats
with one card, or two on their turn. Leaving, which is always possible, and the host's corrections
(``SetHand``, ``Overruled``) are left out.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from referee.rules import actions as act
from referee.rules.actions import NAMES, Action
from referee.rules.cards import COLORS, Card
from referee.rules.engine import judge
from referee.rules.facts import fact
from referee.rules.play.challenge import MORE, cost_of_hit
from referee.rules.play.checks import most_to_draw
from referee.rules.position.state import State


@fact
class Choice:
    """A kind of move that a seat can make, the rule it cites, and the moves.

    ``to`` are the seats that can be given cards, ``cards`` those that may be given to one of them.
    A challenge says whose card it is about, ``by``, and the colour that was to be matched.
    ``count`` are the cards that an accepted hit or a lost challenge costs whoever loses, ``more``
    what it costs the challenger, ``most`` how many cards a draw can take.
    """

    kind: str
    rule: str
    moves: tuple[Action, ...] = ()
    to: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    by: int | None = None
    color: str | None = None
    count: int | None = None
    more: int | None = None
    most: int | None = None


def offered_actions(state: State) -> list[Action]:
    """Return the legal moves without telling who has not called UNO: noticing is for the players.

    Whoever is down to one card can be accused, so these catches may be illegal.
    """
    if not state.in_progress:
        return []
    return [
        action
        for action in _candidates(state)
        if (
            _accusable(state, action)
            if isinstance(action, act.Catch)
            else judge(state, action).legal
        )
    ]


def _accusable(state: State, move: act.Catch) -> bool:
    return move.accused != move.seat and state.hands[move.accused - 1] == 1


def choices(state: State, seat: int) -> list[Choice]:
    """Return the choices of ``seat``, by kind and rule."""
    grouped: dict[tuple[str, str], list[Action]] = {}
    for action in offered_actions(state):
        if action.seat == seat and not _says_again(state, action):
            key = NAMES[type(action)], judge(state, action).rule
            grouped.setdefault(key, []).append(action)
    listed = [
        Choice(kind, rule, tuple(moves), **_stakes(state, kind))
        for (kind, rule), moves in grouped.items()
    ]
    return [*_reveals(state, seat), *listed, *_gifts(state, seat)]


def _stakes(state: State, kind: str) -> dict[str, Any]:
    if kind == "draw":
        return {"most": most_to_draw(state)}
    if kind == "accept":
        return {"count": cost_of_hit(state)}
    if kind != "challenge" or state.laid is None:
        return {}
    count = cost_of_hit(state)
    return {
        "by": state.laid.seat,
        "color": state.laid.color_before,
        "count": count,
        "more": count + MORE,
    }


def _says_again(state: State, action: Action) -> bool:
    """Whether this only calls UNO a second time, and ends no ban."""
    banned = any(notice.until_uno for notice in state.notices)
    return isinstance(action, act.CallUno) and state.has_called(action.seat) and not banned


def _reveals(state: State, seat: int) -> Iterator[Choice]:
    if state.needs(seat, "reveal"):
        cites = state.game.ruleset.moves[act.Reveal].cites
        shown = act.Reveal(seat, ())
        yield Choice("reveal", cites if isinstance(cites, str) else cites(state, shown))


def _gifts(state: State, seat: int) -> Iterator[Choice]:
    """A gift is possible if any card could be given: the referee does not know the hand."""
    rulings = [
        (to, card.id, judge(state, act.Give(seat, to, (card.id,))))
        for to in state.order
        for card in state.game.ruleset.deck
    ]
    gifts = {(to, card): ruling.rule for to, card, ruling in rulings if ruling.legal}
    if gifts:
        receivers = tuple(dict.fromkeys(to for to, _ in gifts))
        cards = tuple(dict.fromkeys(card for _, card in gifts))
        yield Choice("give", next(iter(gifts.values())), to=receivers, cards=cards)


def _candidates(state: State) -> Iterator[Action]:
    cards = list(state.game.ruleset.deck)
    power_sets = tuple(_power_sets(state, range(len(state.powers) + 1)))
    for seat in state.circle:
        yield from _plays(state, seat, cards)
        yield act.Draw(seat)
        yield act.Pass(seat)
        for color in COLORS:
            yield act.NameColor(seat, color)
        for powers in power_sets:
            yield act.ChoosePowers(seat, powers)
        yield act.Accept(seat)
        yield act.Challenge(seat)
        for other in state.order:
            yield act.Swap(seat, other)
        held = state.hands[seat - 1]
        if held == 1 or (held == 2 and state.may_call_early(seat)):
            yield act.CallUno(seat)
        for accused in state.order:
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
        # An illegal play stays illegal with a colour or powers.
        if not judge(state, act.Play(seat, card.id)).legal:
            continue
        most = state.game.ruleset.choices.get(card.symbol)
        powers = [None, *_power_sets(state, range(most + 1))] if most is not None else [None]
        for color in (None, *COLORS) if card.wild else (None,):
            for chosen in powers:
                yield act.Play(seat, card.id, color, chosen)


def _flips(state: State, seat: int, cards: Sequence[Card]) -> Iterator[Action]:
    for card in cards:
        for color in (None, *COLORS) if card.wild else (None,):
            yield act.Flip(seat, card.id, color)


def _power_sets(state: State, sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    for size in sizes:
        yield from combinations(state.powers, size)
