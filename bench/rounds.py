"""Complete rounds to measure with: the demo's players with real hands, from a seed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random

from referee.demo.players.dealer import Dealer
from referee.demo.players.illegal_moves import illegal_move
from referee.demo.players.observer import Memory
from referee.demo.players.player import Player, Public
from referee.rules import actions as act
from referee.rules.actions import Action
from referee.rules.engine import decide, new_game, open_round
from referee.rules.position.events import Event
from referee.rules.position.state import State
from referee.rules.position.views import public_state

RULESETS = ("classic-108", "classic-112", "moomin", "power-grab", "color-powers")
SEATS = 4
MISCHIEF = 0.02
FEWEST = 2
"""Cards that players keep in an endless round."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round: its dealer and opening, the position after it, and every move."""

    dealer: int
    opening: tuple[str, ...]
    start: State
    moves: tuple[Action, ...]


class SeededGame:
    """A game of many rounds; after a win the scores start over."""

    def __init__(
        self, ruleset: str, seed: int, options: Mapping[str, object] | None = None
    ) -> None:
        self.rng = Random(f"{ruleset}/{seed}")
        names = [f"Player {seat}" for seat in range(1, SEATS + 1)]
        self.fresh = self.state = new_game(ruleset, options or {}, names)
        game = self.fresh.game
        self.dealer = Dealer(game.ruleset, game.options, SEATS, self.rng)
        self.memory = Memory()
        self.players = [
            Player(seat, self.dealer, self.memory, self.rng) for seat in range(1, SEATS + 1)
        ]

    def round(self) -> PlayedRound:
        """Play the next round to its end."""
        before = self.fresh if self.state.winner is not None else self.state
        seat = before.dealer % SEATS + 1
        opening = self.dealer.deal()
        start, events = open_round(before, seat, opening)
        self._follow(start, events)
        moves = []
        while self.state.awaiting:
            move = self._next_move(public_state(self.state))
            decision = decide(self.state, move)
            self._follow(decision.state, decision.events)
            moves.append(move)
        return PlayedRound(seat, opening, start, tuple(moves))

    def _follow(self, state: State, events: Iterable[Event]) -> None:
        self.state = state
        for event in events:
            self.dealer.obey(event)
            self.memory.see(event)

    def _next_move(self, public: Public) -> Action:
        players = self.rng.sample(self.players, SEATS)
        attempts = [player.volunteer(public) for player in players]
        if self.rng.random() < MISCHIEF:
            attempts.insert(0, illegal_move(players[0], public))
        attempts += [player.respond(public) for player in players]
        return next(attempt.move for attempt in attempts if attempt is not None)


def rounds(ruleset: str, count: int, seed: int = 1) -> list[PlayedRound]:
    """Play ``count`` rounds of four at one table."""
    game = SeededGame(ruleset, seed)
    return [game.round() for _ in range(count)]


def rule_on(state: State, moves: Iterable[Action]) -> State:
    """Rule on all the moves; return the last position."""
    for move in moves:
        state = decide(state, move).state
    return state


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
