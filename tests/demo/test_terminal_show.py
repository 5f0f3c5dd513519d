"""The board fits its terminal, and a card is known without its colour."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from referee.demo.players.captions import Caption, PlainShow, Snapshot
from referee.demo.rounds.game import NAMES, Plan
from referee.demo.show import terminal_cards as cards
from referee.demo.show.report import introduction
from referee.demo.show.terminal_show import TerminalShow, TerminalView
from referee.rules.ruleset import find_ruleset, rulesets
from tests import toy_flip

LEGAL = Caption("legal", 1, 4, "Ann plays red 3 with U.", "tower.take", "S0, Towers")
ILLEGAL = Caption(
    "illegal", 1, 5, "Bo lays blue 8. " + "It does not match. " * 5, "match", "S0",
    "Take back what was laid.",
)  # fmt: skip
CHALLENGE = Caption("challenge", 1, 6, "Cy shows Ann the hand. " * 2, "challenge", "S0")
WON = Caption("won", 1, 7, "Ann goes out. The round is over.", "match", "S0")


def scene(players=4, ruleset="power-grab", **changes):
    powers = dict.fromkeys(find_ruleset(ruleset).powers, 0)
    state = {
        "turn": 1,
        "awaiting": [{"seat": 1, "need": "play"}],
        "direction": "clockwise",
        "color": "red",
        "top": "red-7",
        "hands": [7] * players,
        "draw_pile": 60,
        "discard_pile": 9,
        "powers": powers,
        "uno": [],
        "open_hands": [],
        "scores": [120] * players,
        "round_winner": None,
        "winner": None,
        "evidence": [],
        **changes,
    }
    rules = find_ruleset(ruleset)
    return Snapshot(rules.name, NAMES[:players], 42, 2, 1, 500, state, {"legal": 30, "illegal": 2})


def rendered(view, width, height):
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=False)
    options = console.options.update(height=height)
    rows = console.render_lines(view, options, pad=False)
    return ["".join(segment.text for segment in row) for row in rows]


@pytest.mark.parametrize("players", [2, 3, 4, 7, 10])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (70, 22)])
def test_the_board_fits(players, width, height):
    lines = [LEGAL, ILLEGAL, CHALLENGE, WON] * 20
    hands = [40, 1, *[12] * (players - 2)]
    powers = dict.fromkeys("UNO!", 1)
    rows = rendered(TerminalView(scene(players, hands=hands, powers=powers), lines), width, height)
    assert len(rows) == height
    assert max(map(len, rows)) <= width
    text = "\n".join(rows)
    for name in NAMES[:players]:
        assert name in text
    for words in ("ILLEGAL", "Take back what was laid.", "Ann goes out", "to play or draw", "RED"):
        assert words in text


def test_what_is_special_is_shown():
    special = scene(
        uno=[2],
        open_hands=[3],
        hands=[7, 1, 7, 7],
        turn=None,
        color=None,
        top="wild-draw-four",
        winner=[2, 4],
        round_winner=2,
        direction="counterclockwise",
    )
    text = "\n".join(rendered(TerminalView(special, [LEGAL]), 100, 30))
    for words in ("UNO!", "open", "not named yet", "Bo and Dot won the game", "anticlockwise"):
        assert words in text
    assert "tower.take · S0, Towers" in text


def test_every_card_has_a_face_of_one_size():
    for ruleset in rulesets().values():
        for card in ruleset.deck:
            rows = cards.face(card.id, "blue").plain.split("\n")
            assert [len(row) for row in rows] == [cards.WIDTH] * cards.HEIGHT, card.id
            assert (card.color.upper() if card.color else "WILD") in rows[1]
            assert card.color or "BLUE" in rows[3]
            assert card.icon is None or rows[1].rstrip("│").endswith(card.icon)


def test_a_card_of_another_deck_says_what_it_does():
    for card in toy_flip.RULESET.deck:
        said = {"draw-three": "+3", "wild-again": "AGAIN", "flop": "FLOP"}.get(card.symbol, "")
        assert said in cards.face(card.id, None).plain
    rows = cards.face("red-skip-all-others", None).plain.split("\n")
    assert [row.strip("│ ") for row in rows[1:4]] == ["RED", "SKIP", "ALL"]


def test_each_round_has_a_heading_that_says_how_far_the_game_is():
    out = io.StringIO()
    show = PlainShow(Console(file=out, width=80), 0.0)
    opened = Caption("opened", 2, 0, "Bo deals and turns up a red 7.")
    show.update(scene(scores=[0, 120, 30, 0]), opened)
    show.update(scene(scores=[0] * 4), replace(opened, round=1))
    assert out.getvalue().splitlines() == [
        "",
        "Round 2 (Bo has 120 of 500 points)",
        "   2.0 deal    Bo deals and turns up a red 7.",
        "",
        "Round 1 (to 500 points)",
        "   1.0 deal    Bo deals and turns up a red 7.",
    ]


def test_whoever_has_never_heard_of_it_reads_what_to_look_at():
    text = introduction(Plan("classic-108"), find_ruleset("classic-108"))
    assert text.startswith("Ann, Bo, Cy and Dot play Classic, 108 cards.")
    assert "ILLEGAL" in text
    assert "tower" not in text
    with_towers = introduction(Plan("power-grab", 2), find_ruleset("power-grab"), "table")
    assert with_towers.startswith("Ann and Bo play Power Grab")
    assert "takes its tower" in with_towers
    assert "several minutes" in with_towers
    at_a_party = Plan("color-powers", house="party")
    assert "yellow is safe" in introduction(at_a_party, find_ruleset("color-powers"))
    assert "rules of its own" in introduction(at_a_party, find_ruleset("color-powers"))
    assert "rules of its own" not in text


def test_the_board_explains_its_signs_and_leaves_time_to_read(monkeypatch):
    slept = []
    monkeypatch.setattr("referee.demo.show.terminal_show.time.sleep", slept.append)
    out = io.StringIO()
    console = Console(file=out, width=80, height=24, force_terminal=True)
    with TerminalShow(console, 0.1, "Look for ILLEGAL.") as board:
        board.update(scene(), LEGAL)
        board.update(scene(), LEGAL)
    for words in ("Look for ILLEGAL.", "✗ illegal", "? challenge", "towers in the tray"):
        assert words in out.getvalue(), words
    # The screen of before comes back.
    assert out.getvalue().count("\x1b[?1049h") == out.getvalue().count("\x1b[?1049l") == 1
    assert "seen by a device" not in out.getvalue()
    assert slept == pytest.approx([6.0, 0.1])
    seen = "\n".join(rendered(TerminalView(scene(), [replace(LEGAL, kind="board")]), 80, 24))
    assert "▣ seen by a device" in seen
