"""Random games, seen by a noisy camera and else said by phone, end as they should."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from referee.rules import actions as act
from referee.rules.actions import Action
from referee.rules.codec import move_to_json, parse_move
from referee.rules.engine import decide, open_round
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.service.devices.devices import register_device
from referee.service.log.event_log import EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry
from referee.service.people.tables import create_table
from referee.service.play.adjudication import make_move
from referee.service.play.answers import answer_question
from referee.service.play.intake import observe
from referee.service.play.rounds import start_round
from referee.store.database import open_database
from tests.rules.simulation import RULESETS, Simulation

AT = "2026-11-21T10:00:00.000+00:00"
MOST_MOVES = 60


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventLog]:
    found = EventLog(open_database(str(tmp_path_factory.mktemp("games") / "tables.sqlite3")))
    yield found
    found.close()


class Camera:
    """A table whose cards a camera sees: mostly well, sometimes hardly."""

    def __init__(self, log: EventLog, game: Simulation) -> None:
        self.log, self.rng = log, Random(f"camera {game.ruleset} {game.seed}")
        names = [f"Player {seat}" for seat in range(1, game.seats + 1)]
        self.table, self.token, _ = create_table(log, game.ruleset, game.options, names, None, "")
        host = log.holders.by_token(self.token)
        assert host is not None
        self.host = WriteRequest(host)
        _, device, _ = register_device(log, self.table, self.host, "Camera", "camera")
        self.device = WriteRequest(device)
        self.numbers = iter(range(1, 10**6))
        self.asked = self.seen = 0

    @property
    def state(self) -> State:
        return self.table.state

    def read(self, card: str) -> dict[str, float]:
        """What the camera makes of a card: the truth, and others that it takes it for."""
        others = self.rng.sample(sorted(self.state.game.cards), 3)
        chance = self.rng.choice((0.9995, 0.999, 0.99, 0.9, 0.6, 0.45))
        shares = {other: (1 - chance) / 3 for other in others if other != card}
        return {card: chance, **{name: round(share, 5) for name, share in shares.items() if share}}

    def sees(self, event: str, cards: Mapping[str, float], origin: str | None = None) -> LogEntry:
        body: dict[str, Any] = {"kind": "pile", "at": AT, "number": next(self.numbers)}
        body |= {"event": event, "cards": dict(cards)}
        if origin is not None:
            body["from"] = {origin: self.rng.choice((0.999, 0.97))}
        return observe(self.log, self.table, self.device, body)

    def lay(self, action: act.Play | act.Flip | act.Discard, card: str) -> None:
        """A card is laid; if the table is asked, somebody says what it was."""
        flipped = isinstance(action, act.Flip)
        entry = self.sees("placed", self.read(card), "draw-pile" if flipped else str(action.seat))
        self.seen += 1
        question = self.table.meta.pile and self.table.meta.pile.question
        if question is None:
            return
        assert entry.body["meaning"] in ("asked", "waiting")
        self.asked += 1
        wanted = [move_to_json(_bare(action, card))]
        option = next((i for i, o in enumerate(question.options, 1) if o["moves"] == wanted), None)
        said = {"option": option} if option else {"card": card, "seat": action.seat}
        answer_question(self.log, self.table, self.host, question.id, said)

    def say(self, action: Action) -> None:
        """Somebody says something by phone; the host's phone speaks for all."""
        make_move(self.log, self.table, self.host, move_to_json(action))

    def do(self, action: Action) -> None:
        """A move of the game, as it happens at the table."""
        if isinstance(action, act.Discard):
            single = act.Discard(action.seat, count=2)
            several = decide(self.state, single).ruling.legal
            if action.cards and len(action.cards) == 1 and not several:
                self.lay(action, action.cards[0])
            else:
                self.say(action)
            self.tidy()
        elif isinstance(action, act.Play | act.Flip):
            self.lay(action, action.card)
            self.say_the_rest(action)
        elif isinstance(action, act.Reveal) and self.state.round_winner is not None:
            self.show(action)
        else:
            self.say(action)
            self.tidy()

    def say_the_rest(self, action: act.Play | act.Flip) -> None:
        seat = action.seat
        if action.color and self.state.needs(seat, "color"):
            self.say(act.NameColor(seat, action.color))
        if isinstance(action, act.Play):
            if action.powers is not None and self.state.needs(seat, "powers"):
                self.say(act.ChoosePowers(seat, action.powers))
            if action.uno and self.state.in_progress:
                self.say(act.CallUno(seat))

    def tidy(self) -> None:
        """Discards that lie on top are put under the top card."""
        pile, top = self.table.meta.pile, self.state.top
        if pile is not None and top is not None and self.state.in_progress:
            discarding = any(need == "discard" for _, need in self.state.awaiting)
            if pile.visible is not None and pile.visible.standing == "aside" and not discarding:
                self.sees("lifted", {top: 0.999})

    def show(self, action: act.Reveal) -> None:
        """A hand is laid out; somebody compares it with what was read."""
        shown = [self.read(card) for card in action.hand]
        body = {"kind": "hand", "at": AT, "seat": action.seat, "shown": shown}
        observe(self.log, self.table, self.device, body)
        pile = self.table.meta.pile
        (asked,) = pile.hands
        right = [card["card"] for card in asked.more["hand"]] == list(action.hand)
        said = {"option": 1} if right else {"hand": list(action.hand)}
        answer_question(self.log, self.table, self.host, asked.id, said)


def _bare(action: Action, card: str) -> Action:
    if isinstance(action, act.Discard):
        return act.Discard(action.seat, (card,))
    return type(action)(action.seat, card)  # type: ignore[call-arg, arg-type]


def standing(state: State) -> dict[str, Any]:
    """The public state; what rests on the numbers of moves is left out."""
    public = public_state(state)
    public["evidence"] = sorted((proof.seat, proof.rule) for proof in state.evidence)
    return public


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", [3])
def test_a_game_that_a_camera_follows_is_the_game_that_was_played(
    log: EventLog, ruleset: str, seed: int
) -> None:
    game = Simulation(ruleset, seed)
    game.illegal_chance = 0.0
    game.play(MOST_MOVES)
    camera = Camera(log, game)
    state = game.start
    for played in game.record["rounds"]:
        opening = tuple(played["opening"])
        state, _ = open_round(state, played["dealer"], opening, state.in_progress)
        start_round(log, camera.table, camera.host, opening, played["dealer"])
        camera.sees("found", {opening[-1]: 0.999})
        for number, move in enumerate(played["moves"], 1):
            action = parse_move(move, game.seats)
            state = decide(state, action).state
            camera.do(action)
            said = f"round {state.round}, move {number}: {move}"
            assert standing(camera.state) == standing(state), said
    assert camera.seen > 10
    assert camera.asked < camera.seen
