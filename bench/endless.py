"""A round that never ends."""

from random import Random

from bench.rounds import SEATS, PlayedRound
from referee.demo.dealer import Dealer
from referee.rules import actions as act
from referee.rules.actions import Action
from referee.rules.engine import decide, new_game, open_round
from referee.rules.state import State

FEWEST = 2


def endless_round(ruleset: str, count: int) -> PlayedRound:
    """Play ``count`` moves with number cards; nobody plays down to one card."""
    rng = Random(ruleset)
    state = new_game(ruleset, {}, [f"Player {seat}" for seat in range(1, SEATS + 1)])
    dealer = Dealer(state.game.ruleset, state.game.options, SEATS, rng)
    opening = dealer.deal()
    while dealer.card(opening[-1]).number is None:
        opening = dealer.deal()
    start, _ = open_round(state, 1, opening)
    state, moves = start, []
    for _ in range(count):
        move = _next_move(state, dealer, rng)
        decision = decide(state, move)
        for event in decision.events:
            dealer.obey(event)
        state = decision.state
        moves.append(move)
    return PlayedRound(1, opening, start, tuple(moves))


def _next_move(state: State, dealer: Dealer, rng: Random) -> Action:
    seat, need = state.awaiting[0]
    if need == "drawn":
        return act.Pass(seat)
    cards = [dealer.card(name) for name in dealer.playable(seat, state.color)]
    plain = [card.id for card in cards if card.number is not None and card.icon is None]
    if plain and state.hands[seat - 1] > FEWEST:
        return act.Play(seat, rng.choice(plain))
    return act.Draw(seat)
