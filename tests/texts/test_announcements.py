"""Announcements of events."""

import json
from pathlib import Path

import pytest

from referee.rules.position import events as ev
from referee.rules.records.record import parse_record, replay
from referee.rules.records.serial import event_from_json, event_to_json
from referee.rules.ruleset import find_ruleset
from referee.texts import describe_event, describe_events, describe_move

SEATS = ("Ann", "Bo", "Cy")
ROOT = Path(__file__).parents[2]
SHUFFLED = (
    "When the draw pile is used up, the discard pile is shuffled into a new one; "
    "its top card stays where it is."
)
SAID = [
    (ev.RoundOpened(2, 3, ("wild-draw-four", "red-7"), 7, 90, ("red-7",), "red"),
     "Round 2: Cy deals. Turned up: wild draw four and red 7."),
    (ev.Played(2, "red-7:U"), "Bo plays a red 7 with U."),
    (ev.Flipped(2, "blue-skip"), "Bo turns up a blue skip from the draw pile."),
    (ev.TurnedOver("blue-skip"),
     "All cards are turned over, those in hands too. On top: blue skip."),
    (ev.ColorNamed("blue"), "The colour is blue."),
    (ev.Drew(3, 2), "Cy draws 2 cards."),
    (ev.Reshuffled(), SHUFFLED),
    (ev.Discarded(1, 2, ("red-1", "red-2")), "Ann discards 2 cards."),
    (ev.Gave(1, 2, ("red-1", "red-2")), "Ann gives Bo 2 cards."),
    (ev.Redealt((1, 2, 3), (4, 4, 4)),
     "The cards of Ann, Bo and Cy are shuffled and dealt out again."),
    (ev.Revealed(1, ("red-1",), 2), "Ann shows Bo the hand."),
    (ev.Revealed(1, ("red-1",)), "Ann lays the hand open."),
    (ev.HandSet(1, 0), "Ann holds 0 cards now, says the host."),
    (ev.PowerMoved("U", 2), "Bo takes tower U."),
    (ev.PowerMoved("U", 0), "Tower U is back beside the tray."),
    (ev.PowerOffered(1, "!"), "Ann may take tower !."),
    (ev.DirectionTurned(-1), "Play now goes anticlockwise."),
    (ev.TurnCame(2), "It is Bo's turn."),
    (ev.Awaited(2, ((2, "color"), (2, "powers"))),
     "Now: Bo names a colour and chooses what to take."),
    (ev.Awaited(None, ((1, "discard"), (2, "discard"), (3, "discard"))),
     "Now: Ann, Bo and Cy discard."),
    (ev.Awaited(None, ()), None),
    (ev.UnoCalled(1), "Ann calls UNO."),
    (ev.UnoCalled(1, early=True),
     "Ann calls UNO: it counts if this turn leaves one card."),
    (ev.UnoKept(1), "Ann called UNO in time."),
    (ev.UnoLapsed(1),
     "Ann's call of UNO counts no longer: the turn has not left one card."),
    (ev.UnoMissed(1), "Ann is caught without having called UNO."),
    (ev.FollowUpOpened(1, "power.blue"), "Ann may lay another card."),
    (ev.DrawRaised(1, 3), "Ann draws 3 cards the next time there is nothing to play."),
    (ev.DrawRaised(1, 0), None),
    (ev.HandOpened(1, 2), "Ann plays with an open hand until it is Bo's turn."),
    (ev.Announced((), "Sing {seat}"), "The card says: Sing {seat}"),
    (ev.Announced((2,), "Hop"), "For Bo: Hop"),
    (ev.Announced((2,), "Hush", until_uno=True), "Until somebody calls UNO, for Bo: Hush"),
    (ev.Announced((), "Hush", until_uno=True), "Until somebody calls UNO: Hush"),
    (ev.Proved(1, 4, "card.wild-draw-four", "blue"),
     ("When Ann laid the wild draw four on blue, Ann held a blue card: "
      "the cards shown since say so.")),
    (ev.Proved(1, 4, "card.wild-draw-four"),
     ("When Ann laid the wild draw four, Ann held a card of the colour: "
      "the cards shown since say so.")),
    (ev.Proved(1, 4, "draw.forced", "red", "7", every=True),
     "When Ann passed, the card just drawn could have been played: the cards shown since say so."),
    (ev.JumpedIn(2), "Bo jumps in."),
    (ev.Stacked(4), "Stacked so far: 4 cards."),
    (ev.DrawDue(2, 4, "house.stacking", 1), "Bo has to draw 4 cards: all that were stacked."),
    (ev.HandsPassed((1, 3)), "Ann and Cy swap hands."),
    (ev.HandsPassed((1, 2, 3)), "Every hand goes on to the next player."),
    (ev.SeatsOut((1, 3)), "Out of the game: Ann and Cy."),
    (ev.Proved(1, 4, "tower.take"),
     "The cards that Ann has shown since do not agree with an earlier move."),
    (ev.DrawDue(2, 2, "card.draw-two", 1), "Bo has to draw 2 cards: Ann laid a draw two."),
    (ev.DrawDue(2, 1, "card.draw-one", 1), "Bo has to draw 1 card: Ann laid a draw one."),
    (ev.DrawDue(2, 4, "challenge", 3), "Cy was right to challenge: Bo has to draw 4 cards."),
    (ev.DrawDue(2, 6, "challenge"),
     "The wild draw four was in order: Bo challenged it and has to draw 6 cards."),
    (ev.DrawDue(2, 3, "no.such.rule"), "Bo has to draw 3 cards."),
    (ev.TurnLost(2, "card.skip"), "Bo is skipped."),
    (ev.TurnLost(2, "card.draw-two"), "Bo also loses the turn."),
    (ev.Protected(2, "N"), "Tower N protects Bo."),
    (ev.HandCounted(1, 1), "Ann's hand counts 1 point."),
    (ev.HandCounted(1, None), "Ann's hand is not known and counts nothing."),
    (ev.SeatLeft(2),
     "Bo leaves the table. The hand goes unseen into the draw pile, which is shuffled."),
    (ev.SeatsChanged((3, 1), SEATS, (0, 0, 0), 0), "At the table, clockwise: Cy and Ann."),
    (ev.RoundCounted(3, 2), "Round 3 is entered by its result."),
    (ev.RoundBrokenOff((0, 0, 0), 1), "The round is broken off: nothing of it counts."),
    (ev.RoundWon(1), "Ann goes out. The round is over."),
    (ev.Scored((120, 0, 45)), "The scores: Ann 120, Bo 0, Cy 45."),
    (ev.Scored((120, 0, 45), ((1, 3), (2,))),
     "The scores: Ann 120, Bo 0, Cy 45. By team: Ann and Cy 165, Bo 0."),
    (ev.GameWon((1,)), "The game is over. Ann wins."),
    (ev.GameWon((1, 3)), "The game is over. Ann and Cy win."),
    (ev.Ruled(1, "play", "legal", "match"), None),
    (ev.Laid(1, "wild", 2), None),
    (ev.EffectsQueued(()), None),
    (ev.Acted(), None),
    (ev.UnoOwed(1), None),
    (ev.UnoSettled(1), None),
    (ev.FollowUpClosed(), None),
    (ev.Claimed(1, 1, "draw.forced", "red", "7", True), None),
]  # fmt: skip


@pytest.mark.parametrize(("event", "text"), SAID, ids=[str(event)[:40] for event, _ in SAID])
def test_an_event_is_announced(event: ev.Event, text: str | None) -> None:
    ruleset = find_ruleset("power-grab")
    assert describe_event(event, "en", SEATS, ruleset) == text
    stored = json.loads(json.dumps(event_to_json(event)))
    assert describe_event(stored, "en", SEATS, ruleset) == text
    assert event_from_json(stored) == event


def test_every_kind_of_event_is_among_the_cases() -> None:
    assert {type(event) for event, _ in SAID} == set(ev.Event.__args__)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.json")), ids=lambda p: p.stem)
def test_no_announcement_of_a_game_has_a_gap(path: Path) -> None:
    record = parse_record(json.loads(path.read_text(encoding="utf-8")))
    game = record.start.game
    for step in replay(record):
        for event in step.events:
            said = describe_event(event, "en", game.seats, game.ruleset)
            assert said is None or ("{" not in said and said.endswith((".", "!")))


PROOFS = [
    (
        "classic-108",
        ev.Proved(1, 4, "draw.forced", "red", "7"),
        (
            "When Ann drew on a red 7, Ann held a card that could be played: "
            "the cards shown since say so."
        ),
    ),
    (
        "classic-108",
        ev.Proved(1, 4, "draw.forced", "red", "wild"),
        "When Ann drew on red, Ann held a card that could be played: the cards shown since say so.",
    ),
    (
        "color-powers",
        ev.Proved(1, 4, "power.green", "blue", "skip"),
        (
            "When Ann turned a card up on a blue skip, Ann held a card that could be played: "
            "the cards shown since say so."
        ),
    ),
    (
        "moomin",
        ev.Proved(1, 4, "card.wild-draw-four", "blue"),
        (
            "When Ann laid the wild draw four on blue, Ann held a blue card or another wild: "
            "the cards shown since say so."
        ),
    ),
]


@pytest.mark.parametrize(("ruleset", "proof", "text"), PROOFS)
def test_a_proof_says_what_the_cards_show(ruleset: str, proof: ev.Proved, text: str) -> None:
    assert describe_event(proof, "en", SEATS, find_ruleset(ruleset)) == text


def test_powers_taken_at_a_time_are_announced_together() -> None:
    moved = [ev.PowerMoved("U", 2), ev.PowerMoved("O", 2), ev.PowerMoved("N", 2, 3)]
    events = [*moved, ev.TurnCame(3)]
    rules = find_ruleset("power-grab")
    said = [
        describe_events([*map(event_to_json, events)], lang, SEATS, rules) for lang in ("en", "de")
    ]
    assert [one[:2] for one in said] == [
        ["Bo takes tower U and tower O.", "Bo takes tower N from Cy."],
        ["Bo nimmt den Turm U und den Turm O.", "Bo nimmt den Turm N von Cy."],
    ]
    assert len(said[0]) == 3


def test_four_towers_that_go_back_are_one_sentence_that_says_why() -> None:
    back = [ev.PowerMoved(tower, 0, 2, "tower.all-four") for tower in "UNO!"]
    rules = find_ruleset("power-grab")
    assert describe_events([*map(event_to_json, back)], "en", SEATS, rules) == [
        "All four towers: Bo keeps one card, and the towers are back beside the tray."
    ]


def test_a_pass_is_announced_and_one_that_is_refused_is_not() -> None:
    passes, events = {"seat": 2, "move": "pass"}, [event_to_json(ev.TurnCame(3))]
    assert describe_move(passes, events, "en", SEATS) == "Bo passes."
    assert describe_move(passes, events, "ru", SEATS) == "Bo пропускает ход."
    assert describe_move(passes, [], "en", SEATS) is None
    nothing = {"seat": 2, "move": "powers", "powers": []}
    assert describe_move(nothing, events, "en", SEATS) == "Bo takes nothing."
    assert describe_move({**nothing, "powers": ["U"]}, events, "en", SEATS) is None
    assert describe_move({"seat": 2, "move": "draw"}, events, "en", SEATS) is None


def test_cards_that_have_to_be_drawn_are_announced_once() -> None:
    events = [ev.DrawDue(2, 2, "card.draw-two", 1), ev.Drew(2, 2), ev.TurnLost(2, "card.draw-two")]
    assert describe_events([*map(event_to_json, events)], "en", SEATS) == [
        "Bo has to draw 2 cards: Ann laid a draw two.",
        "Bo also loses the turn.",
    ]
    due, *drew = [
        ev.DrawDue(2, 2, "card.draw-two", 1),
        ev.Drew(2, 1),
        ev.Reshuffled(),
        ev.Drew(2, 1),
    ]
    said = describe_events([*map(event_to_json, [due, *drew])], "en", SEATS)
    assert said == [f"Bo has to draw 2 cards: Ann laid a draw two. {SHUFFLED}"]
    said = describe_events([*map(event_to_json, [*drew, ev.Reshuffled()])], "en", SEATS)
    assert said == [f"Bo draws 2 cards. {SHUFFLED}"]


@pytest.mark.parametrize(
    ("lang", "seats", "names"),
    [
        ("es", ("Ann", "Íñigo"), "Ann e Íñigo"),
        ("es", ("Ann", "Hilda"), "Ann e Hilda"),
        ("es", ("Íñigo", "Ann"), "Íñigo y Ann"),
        ("it", ("Ann", "Émile"), "Ann ed Émile"),
        ("it", ("Ann", "Bo"), "Ann e Bo"),
        ("pt", ("Ann", "Íñigo"), "Ann e Íñigo"),
    ],
)
def test_and_takes_its_form_before_a_name(lang: str, seats: tuple[str, ...], names: str) -> None:
    assert names in str(describe_event(ev.Redealt((1, 2), (4, 4)), lang, seats))
