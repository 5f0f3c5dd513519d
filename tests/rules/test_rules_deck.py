"""Cards that cannot be: hand.count, deck.unknown and deck.count (R2, R3)."""

import pytest

from tests.rules.builder import Table

UNKNOWN = [
    ("classic-108", "wild-shuffle"),
    ("classic-108", "wild-tales"),
    ("classic-108", "red-10"),
    ("classic-108", "red-7:U"),
    ("classic-108", "purple-7"),
    ("classic-112", "wild-custom-1"),
    ("classic-112", "wild-custom-4"),
    ("moomin", "wild-take-tower"),
    ("power-grab", "red-0"),
    ("power-grab", "wild"),
    ("power-grab", "red-7:X"),
    ("power-grab", "red-draw-two:U"),
    ("color-powers", "red-0"),
    ("color-powers", "wild"),
    ("color-powers", "wild-power-purple"),
]


@pytest.mark.parametrize(("ruleset", "card"), UNKNOWN)
def test_a_card_the_deck_lacks(ruleset: str, card: str) -> None:
    Table(ruleset).illegal(2, "play", "deck.unknown", card=card)


def play_all(table: Table, cards: list[str]) -> Table:
    """Play the cards one after another; wilds keep the colour red."""
    for card in cards:
        assert table.state.turn is not None
        table.lay(table.state.turn, card)
    return table


# ruleset, opening, cards that can all be played, the one that cannot be
SPENT: list[tuple[str, str, list[str], str]] = [
    ("classic-108", "red-7", ["red-7"], "red-7"),
    ("classic-108", "red-7", ["red-0"], "red-0"),
    ("classic-108", "red-7", ["red-skip", "red-skip"], "red-skip"),
    ("classic-112", "red-7", ["wild-shuffle"], "wild-shuffle"),
    ("moomin", "red-7", ["wild"] * 4, "wild"),
    ("power-grab", "red-7", ["red-7:U"], "red-7"),
    ("power-grab", "red-7", ["red-7:U"], "red-7:N"),
    ("power-grab", "red-7:U", ["red-3:U"], "red-4:U"),
    ("power-grab", "red-7", ["red-reverse"], "red-reverse"),
    ("color-powers", "red-7", ["red-reverse"], "red-reverse"),
    ("color-powers", "red-7", ["wild-power-red"] * 4, "wild-power-red"),
    (
        "color-powers",
        "red-1",
        [f"red-{n}" for n in (1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9)],
        "red-9",
    ),
]


@pytest.mark.parametrize(("ruleset", "opening", "cards", "card"), SPENT)
def test_one_copy_too_many(ruleset: str, opening: str, cards: list[str], card: str) -> None:
    table = play_all(Table(ruleset, opening, seats=4), cards)
    assert table.state.turn is not None
    table.illegal(table.state.turn, "play", "deck.count", card=card)
    table.legal(table.state.turn, "draw")


def test_the_same_icon_twice_in_every_color() -> None:
    table = play_all(Table("power-grab", "red-7:U", seats=4), ["red-3:U", "blue-3:U", "blue-4:U"])
    assert table.state.turn is not None
    table.illegal(table.state.turn, "play", "deck.count", card="blue-5:U")
    table.play(table.state.turn, "blue-5:N")


def test_the_reshuffle_makes_room() -> None:
    table = play_all(Table("classic-108"), ["red-7", "red-0"]).given(draw_pile=1)
    table.illegal(1, "play", "deck.count", card="red-7").legal(1, "draw")
    table.has(discard_pile=1, draw_pile=2).illegal(1, "play", "deck.count", card="red-0")
    table.play(1, "red-7").play(2, "red-7").illegal(3, "play", "deck.count", card="red-7")


def test_discarded_cards_are_counted_when_they_are_named() -> None:
    table = Table("moomin").play(2, "wild-tales", color="blue")
    table.legal(2, "discard", cards=["red-7"]).illegal(3, "discard", "deck.count", cards=["red-7"])
    table.legal(3, "discard", count=1).legal(1, "pass")


def test_given_cards_are_not_on_the_pile() -> None:
    table = Table("color-powers").holding(red=1)
    table.legal(1, "give", to=2, cards=["red-7"]).play(2, "red-7")
    table.illegal(1, "give", "deck.count", to=2, cards=["red-7"])


def test_flipped_cards_are_counted() -> None:
    table = Table("color-powers").holding(green=2).legal(2, "flip", card="red-7")
    table.illegal(3, "play", "deck.count", card="red-7")


def test_a_hand_shown_in_a_challenge_fits_the_pile() -> None:
    table = Table("classic-108", "red-0").given(hands=[7, 3, 7])
    table.play(2, "wild-draw-four", color="blue").legal(3, "challenge")
    table.illegal(2, "reveal", "deck.count", hand=["red-0", "blue-1"])
    table.illegal(2, "reveal", "deck.count", hand=["blue-0", "blue-0"])
    table.legal(2, "reveal", hand=["blue-0", "blue-1"])


def test_a_hand_shown_in_a_challenge_may_be_played_from_later() -> None:
    table = Table("classic-108", seats=2).given(hands=[7, 3])
    table.play(2, "wild-draw-four", color="blue").legal(1, "challenge")
    table.legal(2, "reveal", hand=["blue-0", "blue-1"]).play(2, "blue-0").has(hands=[13, 1])


def test_a_count_is_set_right_by_the_host() -> None:
    table = Table("classic-108").given(hands=[7, 7, 7])
    pile = table.state.draw_pile
    table.legal(3, "hand-count", count=8, rule="host.hand-count")
    table.has(hands=[7, 7, 8], draw_pile=pile - 1)
    table.illegal(3, "hand-count", "hand.count", count=0)
    table.illegal(3, "hand-count", "hand.count", count=8 + pile)
    table.legal(3, "hand-count", count=7 + pile).has(hands=[7, 7, 7 + pile], draw_pile=0)
    table.legal(3, "hand-count", count=1).has(hands=[7, 7, 1], draw_pile=pile + 6)


def test_a_count_is_set_right_when_the_hand_is_shown() -> None:
    table = Table("classic-108").given(hands=[7, 1, 2]).play(2, "red-3")
    table.illegal(3, "reveal", "hand.count", hand=["red-1"])
    table.illegal(2, "hand-count", "round.over", count=1)
    table.legal(3, "hand-count", count=1).legal(3, "reveal", hand=["red-1"])
    table.illegal(3, "hand-count", "round.over", count=2)


def test_a_count_set_right_weakens_a_proof_and_ends_a_call() -> None:
    table = Table("classic-112").play(2, "wild-draw-four", color="blue").legal(3, "accept")
    table.legal(2, "hand-count", count=7).play(1, "blue-7").play(2, "red-7").has(evidence=[])
    table.play(3, "red-1").play(1, "red-2").play(2, "red-3")
    table.has(evidence=[{"seat": 2, "move": 1, "rule": "card.wild-draw-four"}])
    table = Table("classic-112").given(hands=[7, 2, 7]).play(2, "red-3", uno=True).has(uno=[2])
    table.legal(2, "hand-count", count=2).has(uno=[])


class TestOverruled:
    """The host puts another verdict in place of the referee's."""

    def test_a_legal_move_is_taken_back(self) -> None:
        table = Table("classic-112")
        table.illegal(2, "play", "host.ruling", card="red-3", ruled="illegal").has(turn=2)

    def test_an_illegal_play_is_let_stand(self) -> None:
        table = Table("classic-112")
        table.legal(2, "play", rule="host.ruling", card="blue-3", ruled="legal")
        table.has(turn=3, color="blue")
        table.legal(2, "play", rule="host.ruling", card="blue-4", ruled="legal").has(turn=3)

    def test_what_cannot_be_stays_illegal(self) -> None:
        table = Table("classic-112").play(2, "wild")
        table.illegal(2, "play", "round.awaiting", card="red-3", ruled="legal")
        table = Table("classic-112")
        table.illegal(2, "play", "deck.unknown", card="red-11", ruled="legal")
