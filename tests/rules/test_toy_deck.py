"""A deck added as one folder is played like any other."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.demo.players.dealer import print_deck
from referee.rules import ruleset as registry
from referee.rules.book.rulebook import rulebook
from referee.rules.deck import Deck, Numbers
from referee.rules.engine import new_game
from referee.rules.play import standard_cards
from referee.rules.records.seating import SeatChange, change_seats
from referee.rules.ruleset import Ruleset, load_variant, most_seats, rulesets
from referee.rules.rulings import RuleError
from referee.rules.suggestions import closest_card
from tests.rules import simulation
from tests.rules.builder import Table
from tests.rules.simulation import Simulation
from tests.rules.test_rulebook import cited

FOLDER = Path(__file__).parents[1] / "toy_deck"


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[Ruleset]:
    yield load_variant(FOLDER)
    # Other tests count the rulesets that are shipped.
    registry._extra.pop("toy-leap")


def test_it_is_found_by_its_id(toy: Ruleset) -> None:
    assert rulesets()["toy-leap"] is toy
    game = new_game("toy-leap", {}, ["a", "b"]).game
    assert len(print_deck(toy, game.options, Random(1))) == game.deck_size == 52


def test_its_own_card_works() -> None:
    table = Table("toy-leap", "red-3", seats=5).has(hands=[4] * 5, draw_pile=31, turn=2)
    table.play(2, "red-leap", rule="card.leap").has(turn=5, hands=[4, 3, 4, 4, 4])
    table.illegal(3, "play", "turn.order", card="red-1")
    table.illegal(5, "play", "match", card="blue-2").play(5, "blue-leap").has(turn=3)
    table.illegal(3, "play", "deck.unknown", card="blue-skip")
    table.illegal(3, "play", "deck.unknown", card="blue-9")


def test_a_round_to_the_end() -> None:
    table = Table("toy-leap", "red-3", seats=2).given(hands=[2, 2]).play(2, "red-5", uno=True)
    table.play(1, "red-leap").given(hands=[1, 1]).given(turn=2, awaiting=((2, "play"),))
    table.play(2, "blue-leap").legal(1, "reveal", hand=["wild"]).has(scores=[0, 50])


def test_a_deck_says_how_many_can_play(toy: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._extra, "toy-leap", replace(toy, most_seats=3))
    with pytest.raises(RuleError, match="2 to 3 players can play, not 4"):
        new_game("toy-leap", {}, "abcd")
    full = new_game("toy-leap", {}, "abc")
    with pytest.raises(RuleError, match="at most 3 players can play, not 4"):
        change_seats(full, SeatChange(join={4: 0}, names={4: "d"}))
    assert most_seats() == 10
    monkeypatch.setitem(registry._extra, "toy-leap", replace(toy, most_seats=12))
    assert len(new_game("toy-leap", {}, "abcdefghijkl").order) == most_seats() == 12


def test_numbers_above_nine(toy: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = Numbers(dict.fromkeys(range(8, 13), 2), per_color=10)
    deck = Deck(numbers, (standard_cards.WILD,))
    monkeypatch.setitem(registry._extra, "toy-leap", replace(toy, deck=deck))
    table = Table("toy-leap", "red-12", seats=3)
    table.play(2, "blue-12").illegal(3, "play", "match", card="red-11").play(3, "blue-11")
    assert closest_card("b12", deck.cards) == "blue-12"
    assert closest_card("r 10", deck.cards) == "red-10"


def test_every_rule_it_cites_is_in_its_book(toy: Ruleset) -> None:
    assert set(cited(toy)) <= set(rulebook(toy))


def points_of_the_toy(card: str, options: dict[str, Any]) -> int:
    color, _, rest = card.partition("-")
    return 50 if color == "wild" else 15 if rest == "leap" else int(rest)


@pytest.mark.parametrize("seed", range(6))
def test_it_holds_in_random_games(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "points", points_of_the_toy)
    assert Simulation("toy-leap", seed).play(most_moves=150).moves > 0
