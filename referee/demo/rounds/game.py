"""Play a whole game over HTTP, with hands that the referee never learns."""

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

from referee.demo.http.checks import (
    PlayedMove,
    RulingChecks,
    check_hidden_cards,
    check_record,
    open_cards,
    shows_to_one,
)
from referee.demo.http.client import DemoError, Json
from referee.demo.http.phone_table import PhoneTable
from referee.demo.http.spectator import Spectator
from referee.demo.players import illegal_moves
from referee.demo.players.captions import Caption, Show, Snapshot, move_caption, opening_caption
from referee.demo.players.dealer import Dealer
from referee.demo.players.observer import Memory, move_seen, opening_seen
from referee.demo.players.player import Attempt, Habits, Player, next_attempt
from referee.rules import actions as act
from referee.rules.codec import move_to_json
from referee.rules.engine import new_game
from referee.rules.house import as_played
from referee.rules.presets import OFFICIAL
from referee.rules.ruleset import find_ruleset

NAMES = ("Ann", "Bo", "Cy", "Dot", "Eli", "Fay", "Gus", "Ida", "Jon", "Kim")
CUSTOM_CARDS = 2
ILLEGAL_MOVES_PER_ROUND = 4
ILLEGAL_CHANCE = 0.07
MOST_MOVES = 20_000
NONSENSE = 0.1
NEWS_WEIGHT = 8.0
# These entries name what a camera may have seen, not cards that somebody holds.
GUESSING_ENTRIES = ("observed", "asked", "answered", "lapsed", "confirmed", "corrected")
# Players worth watching: they bluff, doubt each other, and play what they can.
LIVELY = Habits(bluffs=0.6, challenges=0.5, draws_anyway=0.03)
# Breaches that people really commit; those that are rarely possible are tried first.
RARE = (illegal_moves.bad_choice, illegal_moves.bad_reveal, illegal_moves.bad_discard)
USUAL = (
    illegal_moves.wrong_card,
    illegal_moves.wrong_card,
    illegal_moves.out_of_turn,
    illegal_moves.draw_twice,
    illegal_moves.catch_without_cause,
    illegal_moves.bad_gift,
    illegal_moves.bad_flip,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The game to play: the deck, the players, and how often they break the rules."""

    ruleset: str = "power-grab"
    players: int = 4
    seed: int = 6
    target: int = 500
    habits: Habits = LIVELY
    illegal_moves_per_round: int = ILLEGAL_MOVES_PER_ROUND
    house: str = OFFICIAL

    @property
    def names(self) -> tuple[str, ...]:
        """The players, clockwise."""
        return NAMES[: self.players]


@dataclass(slots=True)
class Outcome:
    """The results of a game."""

    names: tuple[str, ...] = ()
    state: Json = field(default_factory=dict)
    rounds: list[Json] = field(default_factory=list)
    played: list[PlayedMove] = field(default_factory=list)
    rulings: Counter[tuple[str, str]] = field(default_factory=Counter)
    catches: int = 0
    unseen: Counter[str] = field(default_factory=Counter)
    proved: Counter[str] = field(default_factory=Counter)
    challenges: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    move_seconds: list[float] = field(default_factory=list)
    event_seconds: list[float] = field(default_factory=list)
    repeated: int = 0
    hang_ups: int = 0
    events: int = 0
    record: Json = field(default_factory=dict)
    more: tuple[str, ...] = ()


class DemoGame:
    """One game, from drawing for the deal to the last point."""

    def __init__(self, plan: Plan, show: Show, table: PhoneTable) -> None:
        self.plan, self.show, self.table = plan, show, table
        self.names = plan.names
        self.ruleset = find_ruleset(plan.ruleset)
        self.rng = Random(f"{plan.ruleset}/{plan.seed}")
        self.options: Json = dict(table.options)
        self.outcome = Outcome(self.names)
        self.state: Json = {}
        self._show_seconds = 0.0
        self._illegal_moves_left = 0
        self._sent_at: dict[int, float] = {}
        self._open_cards: dict[int, frozenset[str]] = {}
        self._were_on_top: frozenset[str] = frozenset()
        self._watcher = self.table.join_to_watch()
        self.spectator = Spectator(table.server, table.id, self._watcher["token"])
        self.table.read()
        table.tell = self._present_news

    def play(self) -> Outcome:
        """Play to the end. Raises DemoError if the referee is wrong anywhere."""
        self.spectator.start()
        start = time.perf_counter()
        self._agree_on_cards()
        self._seat_players()
        dealer = self._find_dealer()
        while True:
            self._open_round(dealer)
            while self.state["awaiting"]:
                self._step()
            dealer = self._close_round()
            if self.state["winner"] is not None:
                break
        self.outcome.seconds = time.perf_counter() - start - self._show_seconds
        self._finish()
        return self.outcome

    def _agree_on_cards(self) -> None:
        """Propose ready-made custom cards and let all other seats approve them."""
        examples = self.table.anybody.get(f"/rulesets/{self.ruleset.id}")["custom_card_examples"]
        cards = self.rng.sample(examples, CUSTOM_CARDS) if examples else []
        for seat, card in enumerate(cards, 1):
            proposed = self.table.propose_card(seat, card)
            for other in range(1, self.plan.players + 1):
                if other != seat:
                    self.table.approve_card(other, proposed["card_id"])
        if cards:
            self.options = {**self.options, "custom_cards": cards}

    def _seat_players(self) -> None:
        options = new_game(self.ruleset.id, self.options, self.names).game.options
        self.dealer = Dealer(as_played(self.ruleset, options), options, self.plan.players, self.rng)
        self.checks = RulingChecks(self.dealer)
        self.memory = Memory()
        seats = range(1, self.plan.players + 1)
        self.players = [
            Player(seat, self.dealer, self.memory, self.rng, self.plan.habits) for seat in seats
        ]

    def _find_dealer(self) -> int:
        """Let all seats draw a card, the tied ones again, and return the dealer."""
        drawing = list(range(1, self.plan.players + 1))
        while True:
            drawn = self.dealer.draw_for_deal()
            for seat in drawing:
                entry = self.table.draw_for_deal(seat, drawn[seat])
                self._open_cards[entry["id"]] = frozenset(drawn.values())
            if entry["dealer"] is not None:
                return int(entry["dealer"])
            drawing = entry["tied"]

    def _open_round(self, dealer: int) -> None:
        opening = self.dealer.deal()
        entry = self.table.open_round(dealer, opening)
        self.outcome.rounds.append({"dealer": dealer, "opening": entry["opening"]})
        self.state = self._in_order(entry["state"])
        self._illegal_moves_left = self.plan.illegal_moves_per_round
        self._open_cards[entry["id"]] = self._were_on_top = frozenset(opening)
        events = opening_seen(entry, self.ruleset)
        self.checks.opened(entry, events)
        for event in events:
            self.memory.see(event)
        self._keep(entry, None)
        self._present(opening_caption(entry, self.names))

    def _step(self) -> None:
        """Make one move and check the ruling and the state after it."""
        attempt, before = self._next_attempt(), self.state
        sent, lying = time.perf_counter(), self.table.open_cards
        entry = self.table.move(attempt.move, self.rng)
        by_board = entry["by"]["role"] == "device"
        if not by_board:
            self._sent_at[entry["id"]] = sent
        elif isinstance(attempt.move, act.ChoosePowers):
            # The board reports the towers in another order.
            named = tuple(entry["move"]["powers"])
            attempt = replace(attempt, move=act.ChoosePowers(attempt.move.seat, named))
        self.state = self._in_order(entry["state"])
        # An illegally laid card is open until it is lifted.
        lying |= self.table.open_cards
        if any(event["event"] == "proved" for event in entry["events"]):
            # A proof names the card that somebody drew on.
            lying |= self._were_on_top
        self._open_cards[entry["id"]] = lying | open_cards(attempt.move, before, self.state)
        self._were_on_top |= {self.state["top"]}
        if shows_to_one(attempt.move, self.state):
            # Receive it before the round ends, when these cards become open to all.
            self.spectator.wait_for(entry["id"])
        events = move_seen(entry, attempt.move, before)
        self.checks.moved(attempt, entry, before, events)
        for event in events:
            self.memory.see(event)
        self._keep(entry, attempt)
        caption = move_caption(entry, attempt, before, self.names)
        if by_board and caption.kind == "legal":
            caption = replace(caption, kind="board")
        self._present(caption)

    def _in_order(self, state: Json) -> Json:
        """Put the powers in the deck's order, so that a seed always gives the same game."""
        return {**state, "powers": {name: state["powers"][name] for name in self.ruleset.powers}}

    def _next_attempt(self) -> Attempt:
        """Choose the next move, breaking the rules now and then."""
        players = self.rng.sample(self.players, len(self.players))
        if self._illegal_moves_left and self.rng.random() < ILLEGAL_CHANCE:
            attempt = self._illegal_attempt(players)
            if attempt is not None:
                self._illegal_moves_left -= 1
                return attempt
        attempt = next_attempt(players, self.state)
        if attempt is None:
            raise DemoError(f"No player knows what is awaited: {self.state['awaiting']}.")
        return attempt

    def _illegal_attempt(self, players: list[Player]) -> Attempt | None:
        if self.state["turn"] is None or self.rng.random() < NONSENSE:
            return illegal_moves.illegal_move(players[0], self.state)
        for kind in (*RARE, *self.rng.sample(USUAL, len(USUAL))):
            for player in players:
                attempts = list(kind(player, self.state))
                if attempts:
                    return self._most_likely(attempts)
        return None

    def _most_likely(self, attempts: list[Attempt]) -> Attempt:
        """Pick an attempt at random, rarely one with a card of another deck."""
        usual = [attempt for attempt in attempts if attempt.breaks != "deck.unknown"]
        return self.rng.choice(usual if usual and self.rng.random() > NONSENSE else attempts)

    def _close_round(self) -> int:
        """Compare the table with what was announced, and return the next dealer."""
        view = self.table.read()
        if view["state"] != self.state:
            raise DemoError("The table differs from what was announced.")
        return int(view["next_dealer"] or 0)

    def _keep(self, entry: Json, attempt: Attempt | None) -> None:
        outcome = self.outcome
        ruling = entry.get("ruling", {"verdict": "legal", "rule": "setup.opening"})
        number = entry.get("number", 0)
        move = None if attempt is None else move_to_json(attempt.move)
        verdict, rule = ruling["verdict"], ruling["rule"]
        outcome.played.append(
            PlayedMove(entry["round"], number, move, verdict, rule, entry["state"])
        )
        if attempt is None:
            return
        outcome.rulings[verdict, rule] += 1
        if isinstance(attempt.move, act.Catch) and verdict == "legal":
            outcome.catches += 1
        if len(outcome.played) > MOST_MOVES:
            raise DemoError(f"Nobody has won after {MOST_MOVES} moves.")

    def _present(self, caption: Caption) -> None:
        start = time.perf_counter()
        verdicts: Counter[str] = Counter()
        for (verdict, _), count in self.outcome.rulings.items():
            verdicts[verdict] += count
        opened = self.outcome.rounds
        snapshot = Snapshot(
            self.ruleset.name,
            self.names,
            self.table.version,
            len(opened),
            opened[-1]["dealer"],
            self.plan.target,
            self.state,
            verdicts,
        )
        self.show.update(snapshot, caption)
        self._show_seconds += time.perf_counter() - start

    def _present_news(self, text: str) -> None:
        """Present something that is not a move."""
        last = self.outcome.played[-1]
        self._present(Caption("board", last.round, last.number, text, weight=NEWS_WEIGHT))

    def _finish(self) -> None:
        """Check the score sheet, the stream and the record against what was played."""
        outcome, table = self.outcome, self.table
        table.settle()
        self._check_scores()
        self._check_stream()
        outcome.record = check_record(table, outcome.rounds, outcome.played)
        outcome.state = self.state
        outcome.unseen, outcome.proved = self.checks.unseen, self.checks.proved
        outcome.challenges = self.checks.challenges
        outcome.move_seconds, outcome.repeated = table.move_seconds, table.repeated

    def _check_scores(self) -> None:
        sheet = self.table.host.get(f"/tables/{self.table.id}/scores")
        if sheet["scores"] != self.state["scores"] or sheet["winner"] != self.state["winner"]:
            raise DemoError("The score sheet has other scores than the table.")
        # With "scoring": "hand" a round brings no points, but is listed.
        if len(sheet["rounds"]) != len(self.outcome.rounds):
            raise DemoError("The score sheet does not list every round.")

    def _check_stream(self) -> None:
        """Check that the spectator got every event once, in order, and saw no card of a hand."""
        spectator = self.spectator
        spectator.wait_for(self.table.version)
        last = self.table.version
        self.table.revoke(self._watcher["token_id"])
        spectator.check_ended()
        seen = [entry["id"] for entry in spectator.seen]
        # The event about its own revoked token may or may not have arrived.
        if seen[:last] != list(range(1, last + 1)) or len(seen) > last + 1:
            raise DemoError("The live stream did not bring every event once and in order.")
        announced = [
            entry
            for entry in spectator.seen
            if entry["kind"] in ("round-opened", "moved") and entry["id"] not in self.table.undone
        ]
        for entry, live in zip(announced, self.outcome.played, strict=True):
            if entry["state"] != live.state:
                differing = [
                    name for name, value in live.state.items() if entry["state"][name] != value
                ]
                raise DemoError(f"Event {entry['id']} of the stream differs: {differing}.")
        for entry in spectator.seen:
            if entry["kind"] in GUESSING_ENTRIES or entry["id"] in self.table.undone:
                continue
            number: int = entry["id"]
            first = self.table.again.get(number, number)
            check_hidden_cards(entry, self._open_cards.get(first, frozenset()), self.ruleset)
        self.outcome.event_seconds = [
            spectator.received_at[version] - at for version, at in self._sent_at.items()
        ]
        self.outcome.hang_ups = spectator.hang_ups
        self.outcome.events = len(seen)
