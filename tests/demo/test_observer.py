"""What players make of the API's answers is what the engine's own events would have told them."""

from random import Random

import pytest

from referee.demo.players.dealer import Dealer
from referee.demo.players.illegal_moves import illegal_move
from referee.demo.players.observer import Memory, move_seen, opening_seen
from referee.demo.players.player import Player, next_attempt
from referee.demo.rounds.game import LIVELY
from referee.rules.engine import decide, new_game, open_round
from referee.rules.position.views import public_state
from referee.rules.records.serial import event_to_json
from referee.rules.ruleset import find_ruleset
from referee.service.play.views import TOLD

OPTIONS = {
    "classic-108": {"identical_cards": True},
    "classic-112": {},
    "moomin": {"stacking": "any", "jump_in": "on", "draw_until": "playable"},
    "power-grab": {"tower_claim": "must-move", "seven_zero": "on", "jump_in": "on"},
    "color-powers": {},
}


def told(events):
    return [item for item in map(event_to_json, events) if item["event"] in TOLD]


def open_options(memory, public):
    """What the memory holds; a bond counts only for a seat that has not discarded yet.

    Only wild-tales binds anybody.
    """
    tales = public["top"] == "wild-tales"
    asked = {n["seat"] for n in public["awaiting"] if n["need"] == "discard" and tales}
    return {
        "owed": sorted(memory.owed),
        "follow_up": memory.follow_up,
        "offers": memory.offers,
        "opening": memory.opening,
        "banned": memory.banned,
        "bound": sorted(asked & set(memory.bound)),
    }


@pytest.mark.parametrize("ruleset", sorted(OPTIONS))
@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_missed(ruleset, seed):
    rng = Random(seed)
    rules = find_ruleset(ruleset)
    seats = rng.randint(2, 5)
    examples = rng.sample(rules.custom_examples, min(3, len(rules.custom_examples)))
    cards = {"custom_cards": [card.to_json() for card in examples]} if examples else {}
    options = {**OPTIONS[ruleset], **cards}
    state = new_game(ruleset, options, [f"Player {seat}" for seat in range(1, seats + 1)])
    dealer = Dealer(state.game.ruleset, state.game.options, seats, rng)
    whole, heard = Memory(), Memory()
    players = [Player(seat, dealer, heard, rng, LIVELY) for seat in range(1, seats + 1)]

    opening = dealer.deal()
    state, events = open_round(state, 1, opening)
    entry = {"round": 1, "dealer": 1, "opening": opening, "state": public_state(state)}
    follow(dealer, whole, heard, events, opening_seen({**entry, "events": told(events)}, rules))
    for _ in range(400):
        public = public_state(state)
        if not public["awaiting"]:
            break
        attempt = choose(players, public, rng)
        decision = decide(state, attempt.move)
        state = decision.state
        ruling = {"verdict": decision.ruling.verdict, "rule": decision.ruling.rule}
        entry = {"ruling": ruling, "events": told(decision.events)}
        seen = move_seen(entry, attempt.move, public)
        follow(dealer, whole, heard, decision.events, seen)
        now = public_state(state)
        assert open_options(heard, now) == open_options(whole, now), attempt.move
    assert state.moves > 10


def follow(dealer, whole, heard, events, seen):
    for event in events:
        whole.see(event)
    for event in seen:
        heard.see(event)
        dealer.obey(event)


def choose(players, public, rng):
    choosers = rng.sample(players, len(players))
    illegal = rng.random() < 0.1
    choices = (illegal_move(player, public) for player in choosers if illegal)
    found = next((attempt for attempt in choices if attempt is not None), None)
    return found or next_attempt(choosers, public)
