"""A deck whose cards have two sides is one folder like any other."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.demo.players.dealer import TwoSided, print_deck
from referee.rules import ruleset as registry
from referee.rules.book.rulebook import rulebook
from referee.rules.deck import Deck, Numbers, Symbol
from referee.rules.engine import new_game, open_round
from referee.rules.records.record import parse_record, replay
from referee.rules.ruleset import Ruleset, load_variant
from referee.rules.rulings import RuleError
from tests.rules import simulation
from tests.rules.builder import Table
from tests.rules.custom_cards import HOUSE_RULES
from tests.rules.simulation import Simulation, Tally
from tests.rules.test_rulebook import cited

FOLDER = Path(__file__).parents[1] / "toy_flip"
POINTS = {"flip": 20, "flop": 20, "draw-one": 10, "draw-three": 20, "wild": 50, "wild-again": 60}


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[Ruleset]:
    yield load_variant(FOLDER)
    # Other tests count the rulesets that are shipped.
    registry._extra.pop("toy-flip")


def test_each_card_has_a_face_on_both_sides(toy: Ruleset) -> None:
    game = new_game("toy-flip", {}, ["a", "b"]).game
    cards = print_deck(toy, game.options, Random(1))
    assert len(cards) == game.deck_size == 52
    faces = toy.deck.cards
    for card in cards:
        assert isinstance(card, TwoSided)
        assert (faces[card].side, faces[card.back].side) == (0, 1)
        assert faces[card].back in (None, card.back)


def test_sides_must_agree() -> None:
    numbers, more = Numbers({1: 2}, per_color=2), Numbers({2: 2}, per_color=2)
    with pytest.raises(ValueError, match="equally many"):
        Deck(numbers, (), other_side=(more, (Symbol("skip", 1, 20, "card.skip"),)))
    with pytest.raises(ValueError, match="two kinds of red-1"):
        Deck(numbers, (), other_side=(numbers, ()))


def test_a_flip_turns_all_cards_over() -> None:
    table = Table("toy-flip", "red-3", seats=3)
    table.illegal(2, "play", "card.flip", card="red-5")
    table.play(2, "red-flip", rule="card.flip").has(
        top="red-flop", color="red", turn=3, hands=[5, 4, 5]
    )
    table.illegal(3, "play", "card.flip", card="red-4")
    table.play(3, "red-draw-three", rule="card.draw-three").has(turn=2, hands=[8, 4, 4])
    table.play(2, "wild-again", color="blue", rule="card.wild-again").has(turn=2)
    table.play(2, "blue-flop").has(top="blue-flip", turn=3)
    table.play(3, "blue-draw-one").has(hands=[9, 2, 3], turn=2)


def test_what_lay_on_the_other_side_is_known_no_longer() -> None:
    table = Table("toy-flip", "red-3", seats=2)
    table.play(2, "red-3").illegal(1, "play", "deck.count", card="red-3")
    table.play(1, "red-flip").play(2, "red-flop").play(1, "red-3").play(2, "red-3")


def test_a_flip_ends_what_could_be_proved() -> None:
    table = Table("toy-flip", "red-3", seats=2, forced_play="any")
    table.legal(2, "draw").legal(2, "pass")
    table.play(1, "red-flip").play(2, "red-flop").play(1, "red-1").play(2, "red-2")
    table.play(1, "red-2").play(2, "red-4")
    assert not table.state.evidence
    assert not table.state.ledgers


def test_hands_are_shown_and_scored_by_the_side_that_is_up() -> None:
    table = Table("toy-flip", "red-3", seats=2).given(hands=[2, 2])
    table.play(2, "red-flip", uno=True).play(1, "red-6", uno=True).play(2, "red-draw-three")
    table.has(hands=[4, 0], round_winner=2)
    dark = ["red-5", "blue-flop", "wild-again", "green-8"]
    table.illegal(1, "reveal", "card.flip", hand=["red-1", *dark[1:]])
    table.legal(1, "reveal", hand=dark).has(scores=[0, 5 + 20 + 60 + 8])


def test_a_flip_as_the_last_card_turns_nothing() -> None:
    table = Table("toy-flip", "red-3", seats=2).given(hands=[1, 1])
    table.play(2, "red-flip").has(top="red-flip", round_winner=2)
    table.legal(1, "reveal", hand=["wild"]).has(scores=[0, 50])


@pytest.mark.parametrize("opening", ["red-5", "blue-flop", "wild-again", "red-flip"])
def test_no_round_opens_on_the_other_side(opening: str) -> None:
    with pytest.raises(RuleError, match="does not stay on top"):
        open_round(new_game("toy-flip", {}, ["a", "b"]), 1, [opening])


def test_every_rule_it_cites_is_in_its_book(toy: Ruleset) -> None:
    assert set(cited(toy)) <= set(rulebook(toy))


def points_of_the_toy(card: str, options: dict[str, Any]) -> int:
    color, _, rest = card.partition("-")
    return POINTS[card] if color == "wild" else POINTS[rest] if rest in POINTS else int(rest)


@pytest.mark.parametrize("house", [(), tuple(set(HOUSE_RULES) - {"teams"})], ids=["plain", "house"])
def test_it_holds_in_random_games(house: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "points", points_of_the_toy)
    monkeypatch.setitem(HOUSE_RULES, "hand_size", (2, 4))
    tally = Tally()
    for seed in range(12):
        game = Simulation("toy-flip", seed, tally, house)
        game.play(most_moves=300)
        steps = list(replay(parse_record(json.loads(json.dumps(game.record)))))
        assert steps[-1].state == game.state
    assert tally.rulings["legal card.flip"] > 20
