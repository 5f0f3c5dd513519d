"""Random games with all cards known; each ruling is checked against the real hands.

``python -m tests.rules.simulation --games 5000`` plays a long run and writes the record of each
game that fails to a file for ``referee replay``.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from referee.demo.http.checks import RulingChecks, strings_in
from referee.demo.http.client import DemoError
from referee.demo.players.dealer import Dealer
from referee.demo.players.illegal_moves import illegal_move
from referee.demo.players.observer import Memory
from referee.demo.players.player import Attempt, Habits, Player, next_attempt
from referee.rules import actions as act
from referee.rules.actions import Action
from referee.rules.book.rulebook import citation, rulebook
from referee.rules.cards import COLORS
from referee.rules.codec import move_to_json, parse_move
from referee.rules.engine import Decision, decide, evolve_all, judge, new_game, open_round
from referee.rules.play.rounds import next_dealer
from referee.rules.position import events as ev
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.rules.records.record import FORMAT
from referee.rules.records.serial import (
    event_from_json,
    event_to_json,
    state_from_json,
    state_to_json,
)
from referee.rules.ruleset import rulesets
from referee.texts import render_ruling
from tests.rules.builder import legal_actions
from tests.rules.custom_cards import HOUSE_RULES, PAIRS, house_options, random_options
from tests.rules.recount import Recount, drawn_at_the_end

RULESETS = tuple(rulesets())
MOST_MOVES = 2500
# An upper bound on the size of a ledger.
MOST_WATCHES = 64
# How many house rules are played with beside every other pair.
MORE_RULES = 3
HABITS = Habits(gives=0.6, keeps_back=0.3, calls_early=0.1)


def points(card: str, options: dict[str, Any]) -> int:
    """Return the points of a card, implemented independently."""
    color, _, rest = card.partition(":")[0].partition("-")
    if color in COLORS:
        return int(rest) if rest.isdigit() else 20
    if card.startswith(("wild-shuffle", "wild-custom")):
        return 40
    return int(options.get("wild_tower_points", 50)) if card == "wild-take-tower" else 50


class FailedError(AssertionError):
    """A failed check; ``record`` is the game up to that move."""

    def __init__(self, reason: str, game: "Simulation") -> None:
        super().__init__(f"{game.ruleset} seed {game.seed}, round {game.state.round}: {reason}")
        self.record = game.record


@dataclass
class Tally:
    """Counts over a run."""

    games: int = 0
    rounds: int = 0
    moves: int = 0
    rulings: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    challenges: Counter[str] = field(default_factory=Counter)


class Simulation:
    """One game, determined by its seed."""

    def __init__(
        self,
        ruleset: str,
        seed: int,
        tally: Tally | None = None,
        house: Iterable[str] = (),
    ) -> None:
        self.ruleset, self.seed = ruleset, seed
        self.rng = Random(f"{ruleset}/{seed}")
        self.tally = tally or Tally()
        self.options = random_options(ruleset, self.rng)
        self.seats = self.rng.choice((2, 2, 3, 4, 5, 7, 10))
        if "teams" in house:
            self.seats = self.rng.choice((4, 4, 6, 8, 10))
        self.options |= house_options(ruleset, house, self.seats, self.rng)
        names = [f"Player {seat}" for seat in range(1, self.seats + 1)]
        self.state = new_game(ruleset, self.options, names)
        self.start = self.state
        game = self.state.game
        self.dealer = Dealer(game.ruleset, game.options, self.seats, self.rng)
        self.memory = Memory()
        self.players = [
            Player(seat, self.dealer, self.memory, self.rng, HABITS)
            for seat in range(1, self.seats + 1)
        ]
        self.illegal_chance = self.rng.choice((0.0, 0.1, 0.3))
        self.record: dict[str, Any] = {
            "format": FORMAT,
            "ruleset": ruleset,
            "options": self.options,
            "seats": names,
            "rounds": [],
        }
        self.log: list[ev.Event] = []
        self.checks = RulingChecks(self.dealer)

    def play(self, most_moves: int = MOST_MOVES) -> Tally:
        """Play until the game is won or has ``most_moves``."""
        moves = 0
        try:
            while self.state.winner is None and moves < most_moves:
                self.open()
                while self.state.awaiting and moves < most_moves:
                    self.move()
                    moves += 1
        except DemoError as error:
            raise FailedError(str(error), self) from None
        self.check(evolve_all(self.start, self.log) == self.state, "the log folds to another state")
        self.tally.games += 1
        self.tally.moves += moves
        self.tally.claims.update(self.checks.unseen)
        self.tally.claims.update({f"{r} proved": n for r, n in self.checks.proved.items()})
        self.tally.challenges.update(self.checks.challenges)
        return self.tally

    def check(self, holds: bool, reason: str) -> None:
        """Fail unless the condition holds."""
        if not holds:
            raise FailedError(reason, self)

    def open(self) -> None:
        """Deal a round."""
        dealer = next_dealer(self.state) or 1
        opening = self.dealer.deal()
        self.record["rounds"].append({"dealer": dealer, "opening": list(opening), "moves": []})
        self.state, events = open_round(self.state, dealer, opening)
        self.follow(events)
        self.recount = Recount(self.state.game.ruleset.deck.cards)
        entry = {"round": self.state.round, "state": public_state(self.state)}
        self.checks.opened(entry, events)
        self.check_table()
        self.tally.rounds += 1

    def move(self) -> None:
        """Make one move and check everything that must hold after it."""
        before, public = self.state, public_state(self.state)
        attempt = self.next_attempt(public)
        self.record["rounds"][-1]["moves"].append(move_to_json(attempt.move))
        decision = decide(before, attempt.move)
        self.state = decision.state
        self.tally.rulings[f"{decision.ruling.verdict} {decision.ruling.rule}"] += 1
        self.check(evolve_all(before, decision.events) == decision.state, "events fold otherwise")
        self.check(self.state.moves == before.moves + 1, "moves are miscounted")
        self.follow(decision.events)
        self.checks.moved(attempt, self.entry(decision), public, decision.events)
        self.check_recount(attempt.move, before, decision)
        if any(isinstance(event, ev.Scored) for event in decision.events):
            self.check_scores(before)
        self.check_table()
        self.check_serial(attempt.move, decision)
        if self.rng.random() < 0.03:
            self.check_legal_actions()

    def entry(self, decision: Decision) -> dict[str, Any]:
        """Return a ruling as the log would have it."""
        ruling, game = decision.ruling, self.state.game
        ruled = {
            "verdict": ruling.verdict,
            "rule": ruling.rule,
            "source": citation(rulebook(game.ruleset)[ruling.rule]),
            **render_ruling(ruling, "en", game.seats, game.ruleset),
        }
        return {
            "round": self.state.round,
            "number": self.state.moves,
            "ruling": ruled,
            "state": public_state(self.state),
            "events": decision.events[1:],
        }

    def next_attempt(self, public: dict[str, Any]) -> Attempt:
        """Choose the next move, which now and then breaks a rule."""
        players = self.rng.sample(self.players, self.seats)
        if self.rng.random() < self.illegal_chance:
            attempt = self.without_a_gift(public)
            if attempt is not None:
                return attempt
            for player in players:
                attempt = illegal_move(player, public)
                if attempt is not None:
                    return attempt
        attempt = next_attempt(players, public)
        if attempt is None:
            raise FailedError(f"nobody knows what to do: {public['awaiting']}", self)
        return attempt

    def follow(self, events: Sequence[ev.Event]) -> None:
        """Let the players see the events, and log them."""
        for event in events:
            self.memory.see(event)
        self.log += events

    def check_table(self) -> None:
        """Check what the state says of itself; ``RulingChecks`` compares its counts."""
        state, dealer = self.state, self.dealer
        color = dealer.card(dealer.discard_pile[-1]).color
        self.check(color is None or state.color == color, "another colour is in force")
        self.check(bool(state.awaiting) or state.round_winner is not None, "nothing is awaited")
        for name, needed in (("turn", state.turn), ("winner", state.round_winner)):
            self.check(needed is None or 1 <= needed <= self.seats, f"{name} is no seat")
        self.check(all(state.hands[s - 1] == 1 for s in (*state.uno, *state.owed)), "uno at two")
        proofs = list(state.evidence)
        self.check(len(set(proofs)) == len(proofs), "a proof is reported twice")
        self.check_ledgers()

    def check_recount(self, move: Action, before: State, decision: Decision) -> None:
        """Check calls, proofs, gifts and last draws against a count that knows no ledger."""
        state, events, recount = self.state, decision.events, self.recount
        recount.see(move, before, state, events)
        self.check({*state.uno} == recount.uno, f"UNO: {state.uno}, not {recount.uno}")
        if before.in_progress and not state.in_progress and isinstance(move, act.Give):
            due = drawn_at_the_end(before, events)
            drawn = [(e.seat, e.count) for e in events if isinstance(e, ev.DrawDue)]
            self.check(drawn == ([due] if due else []), f"at the end {due} draws, not {drawn}")
        found = {tuple(proof) for proof in state.evidence}
        self.check(found == recount.proofs, f"proved {found}, not {recount.proofs}")
        for seat, gifts in state.gifts.items():
            self.check(Counter(gifts) == recount.gifts(seat), f"{gifts} of {seat} are known")

    def without_a_gift(self, public: dict[str, Any]) -> Attempt | None:
        """Show a hand in which a card of the draw pile stands for one that was given (R57)."""
        for need in public["awaiting"]:
            seat, pile = need["seat"], self.dealer.draw_pile
            hand, gifts = Counter(self.dealer.hand(seat)), self.recount.gifts(seat)
            if need["need"] == "reveal" and gifts and pile and pile[0] not in gifts:
                shown = hand - Counter([next(iter(gifts))]) + Counter(pile[:1])
                if (gifts - shown).total():
                    move = act.Reveal(seat, tuple(shown.elements()))
                    return Attempt(move, "hand.known")
        return None

    def check_ledgers(self) -> None:
        """Check that ledgers grow with the hand, not with the game."""
        for seat, ledger in self.state.ledgers.items():
            self.check(len(ledger.watches) <= MOST_WATCHES, "too many watches")
            for watch in ledger.watches:
                bases = {base for _, base in watch.claims}
                # A claim that needs more cards shown than the seat holds must have been dropped.
                most = max(1, self.state.hands[seat - 1])
                self.check(len(bases) <= most, f"{len(bases)} open claims on {most} cards")

    def check_scores(self, before: State) -> None:
        """Check the scores against the real hands."""
        options = self.state.game.options
        scoring, sides = options.scoring, options.teams or tuple((s,) for s in self.seat_numbers)
        hands = [
            sum(points(card, self.options) for card in self.dealer.hand(seat))
            for seat in range(1, self.seats + 1)
        ]
        wanted = list(before.scores)
        if scoring in ("low", "elimination"):
            wanted = [score + hand for score, hand in zip(wanted, hands, strict=True)]
        elif scoring == "winner" and self.state.round_winner is not None:
            ours = next(side for side in sides if self.state.round_winner in side)
            wanted[self.state.round_winner - 1] += sum(
                hand for seat, hand in enumerate(hands, 1) if seat not in ours
            )
        self.check(list(self.state.scores) == wanted, f"{self.state.scores}, not {wanted}")
        won = self.winners(wanted, sides)
        winner = self.state.winner
        found = list(winner) if isinstance(winner, tuple) else [winner] if winner else []
        self.check(found == won, f"{found} won the game, not {won}")

    @property
    def seat_numbers(self) -> range:
        """The seats of the table."""
        return range(1, self.seats + 1)

    def winners(self, scores: list[int], sides: tuple[tuple[int, ...], ...]) -> list[int]:
        """Return who has won with these scores, implemented independently."""
        options = self.state.game.options
        over = options.rounds is not None and len(self.record["rounds"]) >= options.rounds
        if options.scoring == "hand":
            return sorted(next(side for side in sides if self.state.round_winner in side))
        if options.scoring == "elimination":
            left = [seat for seat in self.seat_numbers if scores[seat - 1] < (options.target or 0)]
            sides = tuple((seat,) for seat in left)
            over = over or len(left) < 2
        totals = [sum(scores[seat - 1] for seat in side) for side in sides]
        if options.scoring != "elimination" and options.target is not None:
            over = over or max(totals) >= options.target
        if not over:
            return []
        best = max(totals) if options.scoring == "winner" else min(totals)
        return sorted(
            seat
            for side, total in zip(sides, totals, strict=True)
            if total == best
            for seat in side
        )

    def check_serial(self, move: Action, decision: Decision) -> None:
        """Moves, events and states survive being written; nothing public names a hidden card."""
        self.check(parse_move(_written(move_to_json(move)), self.seats) == move, "move is altered")
        for event in decision.events:
            again = event_from_json(_written(event_to_json(event)))
            self.check(again == event, f"{event} is read back as {again}")
        public = public_state(self.state)
        named = [text for text in strings_in(public) if text in self.dealer.ruleset.deck.cards]
        self.check(named == [self.state.top], f"the public state names {named}")
        if self.rng.random() < 0.1:
            again = state_from_json(self.state.game, _written(state_to_json(self.state)))
            self.check(again == self.state, "the state is read back otherwise")

    def check_legal_actions(self) -> None:
        """The list of legal moves is what the referee would rule legal, no more and no less."""
        listed = legal_actions(self.state)
        self.check(len(set(listed)) == len(listed), "a move is listed twice")
        for action in self.rng.sample(listed, min(5, len(listed))):
            self.check(decide(self.state, action).ruling.legal, f"{action} is listed, not legal")
        for action in random_moves(self.state, self.rng, 40):
            legal = self.state.in_progress and judge(self.state, action).legal
            self.check(legal == (action in listed), f"{action}: listed or legal, not both")


def random_moves(state: State, rng: Random, count: int) -> Iterator[Action]:
    """Moves at random in their plain form, most of them nonsense."""
    cards = list(state.game.ruleset.deck)
    for _ in range(count):
        seat = state.turn if state.turn and rng.random() < 0.6 else rng.randint(1, len(state.hands))
        card = rng.choice(cards)
        color = rng.choice((None, *COLORS)) if card.wild else None
        some = tuple(p for p in state.powers if rng.random() < 0.4)
        powers = some if card.symbol in state.game.ruleset.choices and rng.random() < 0.7 else None
        yield rng.choice(
            (
                act.Play(seat, card.id, color, powers),
                act.Play(seat, card.id, color, powers),
                act.Draw(seat),
                act.Swap(seat, rng.randint(1, len(state.hands))),
                act.Pass(seat),
                act.NameColor(seat, rng.choice(COLORS)),
                act.ChoosePowers(seat, some),
                act.Accept(seat),
                act.Challenge(seat),
                act.Catch(seat, rng.randint(1, len(state.hands))),
                act.Discard(seat, count=rng.randint(0, 3)),
                act.Flip(seat, card.id, color),
                act.Report(seat, rng.randint(0, 5)),
                act.Judge(seat, rng.random() < 0.5),
            )
        )


def _written(value: Any) -> Any:
    return json.loads(json.dumps(value))


def main(arguments: list[str] | None = None) -> int:
    """Play many games; 1 when one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--ruleset", choices=RULESETS, action="append")
    parser.add_argument("--house", action="store_true", help="with every pair of house rules")
    parser.add_argument("--failures", type=Path, default=Path("failures"))
    options = parser.parse_args(arguments)
    tally, failures = Tally(), 0
    rulesets = options.ruleset or RULESETS
    for game in range(options.games):
        if game % 100 == 0:
            sys.stderr.write(f"{game} of {options.games} games, {tally.moves} moves\n")
        # Decks change fastest, so that each plays every pair.
        pair = PAIRS[game // len(rulesets) % len(PAIRS)] if options.house else ()
        more = MORE_RULES * (game // (len(rulesets) * len(PAIRS)) % 2)
        simulation = Simulation(
            rulesets[game % len(rulesets)],
            options.seed + game,
            tally,
            {*pair, *Random(game).sample(tuple(HOUSE_RULES), more if options.house else 0)},
        )
        try:
            simulation.play()
        except FailedError as failure:
            failures += 1
            options.failures.mkdir(exist_ok=True)
            path = options.failures / f"{simulation.ruleset}-{simulation.seed}.json"
            path.write_text(json.dumps(failure.record, indent=1), encoding="utf-8")
            sys.stdout.write(f"FAILED {failure} (record: {path})\n")
    sys.stdout.write(f"{tally.games} games, {tally.rounds} rounds, {tally.moves} moves\n")
    for counter in (tally.rulings, tally.claims, tally.challenges):
        for name, count in sorted(counter.items()):
            sys.stdout.write(f"{count:9} {name}\n")
    sys.stdout.write(f"{failures} failures\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
