"""A turn at the table: taps, places that never move, what is in reach, cards laid ahead."""

from typing import Any

import pytest
import requests

from tests.e2e.server import Server
from tests.web.conftest import Phone, Shoot
from tests.web.stage import (
    color_of,
    expect,
    pick,
    place_of,
    play,
    seated,
    settle,
    show_hand,
    speak,
    wait_for_hands,
)
from tests.web.test_access import overflowing, press

# A deck, a wild of it, and the last card of its red ones after which the next plays as usual.
DECKS = [
    ("classic-108", "wild", "red-9"),
    ("classic-112", "wild", "red-9"),
    ("color-powers", "wild-power-blue", "red-9"),
    ("moomin", "wild", "red-0"),
    ("power-grab", "wild-draw-four", "red-9:U"),
]
SIZES = ((360, 740), (412, 915), (740, 360), (820, 1180), (1280, 800), (1920, 1080))
LEAST = 44
BOXES = """all => all.map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.dataset.key || one.dataset.do, x, y, width, height];
})"""


def counting(page: Any) -> None:
    """Count the taps on this page from now on."""
    page.evaluate(
        "() => { window.taps = 0; addEventListener('click', () => { window.taps += 1 }, true); }"
    )


def taps(page: Any) -> int:
    """Return how many taps there were since the last call."""
    return int(page.evaluate("() => { const made = taps; taps = 0; return made; }"))


def on_top(page: Any, card: str) -> None:
    """Wait until this card lies on top, by its name in English."""
    page.wait_for_selector(f".pile-card [aria-label='{card}']")


def set_hand(page: Any, seat: int, count: int) -> None:
    """Set a hand's count right as the host, whose phone this is, without a tap."""
    place = place_of(page)
    made = requests.post(
        f"{page.url.split('/t/')[0]}/api/v1/tables/{place['table']}/corrections",
        json={"kind": "hand-count", "seat": seat, "count": count},
        headers={"Authorization": f"Bearer {place['host']}"},
        timeout=60,
    )
    assert made.status_code == 201, made.text


@pytest.mark.parametrize(("deck", "wild", "other"), DECKS)
def test_a_turn_is_two_taps_at_most(
    phone: Phone, server: Server, deck: str, wild: str, other: str
) -> None:
    ann, bo = seated(phone, server, deck, langs=("en", "en"))
    for page in (ann, bo):
        counting(page)
    play(bo, "red-5")
    wait_for_hands(bo, [7, 6])
    assert taps(bo) == 2, "a number"
    ann.click("[data-do=draw]")
    wait_for_hands(ann, [8, 6])
    assert taps(ann) == 1, "to draw"
    ann.click("[data-do=pass]")
    assert taps(ann) == 1, "to pass"
    bo.wait_for_selector("[data-do=draw]:enabled")
    play(bo, other)
    assert taps(bo) == 2, "any other card"
    wait_for_hands(ann, [8, 5])
    set_hand(ann, 1, 2)
    ann.wait_for_selector("[data-do=uno]:enabled")
    taps(ann)
    ann.click("[data-do=uno]")
    ann.wait_for_selector("[data-do=uno]:disabled")
    assert taps(ann) == 1, "UNO"
    play(ann, wild, "blue")
    ann.wait_for_selector(".pile.fill-blue")
    assert taps(ann) == 2, "a wild with its colour"
    bo.wait_for_selector(".badge-uno")


@pytest.mark.parametrize("deck", [deck for deck, _, _ in DECKS])
def test_the_picker_shows_all_and_never_moves(phone: Phone, server: Server, deck: str) -> None:
    """Whatever comes from the table: another's move, a lost connection, the turn."""
    ann, bo = seated(phone, server, deck, ("Ann", "Bo", "Cy"), langs=("en", "en"))
    ann.click("[data-do=ahead], [data-do=ahead-green]")
    ann.wait_for_selector(".picker button")
    settle(ann)
    buttons = ann.locator(".picker button:visible")
    before = buttons.evaluate_all(BOXES)
    assert all(width >= LEAST and height >= LEAST for *_, width, height in before), before
    lowest = max(y + height for _, _, y, _, height in before)
    assert lowest <= ann.viewport_size["height"], "all are in view"
    faces = 50 if deck == "power-grab" else len(before)
    assert faces >= 50
    play(bo, "red-5")
    on_top(ann, "red 5")
    assert buttons.evaluate_all(BOXES) == before, "another player's card"
    ann.context.set_offline(True)
    ann.wait_for_selector(".link.lost")
    assert buttons.evaluate_all(BOXES) == before, "a lost connection"
    ann.context.set_offline(False)
    ann.wait_for_selector(".link.lost", state="detached")
    set_hand(ann, 3, 5)
    wait_for_hands(ann, [7, 6, 5])
    assert buttons.evaluate_all(BOXES) == before, "a correction"


def test_a_hand_is_put_together_without_anything_moving(phone: Phone, server: Server) -> None:
    (page,) = seated(phone, server, "classic-112")
    play(page, "wild-draw-four", "blue")
    page.click("[data-do=challenge]")
    page.click("[data-do=reveal]")
    page.wait_for_selector(".picker button")
    settle(page)
    before = page.locator(".picker button").evaluate_all(BOXES)
    for count, card in enumerate(("red-1", "blue-9", "wild"), 1):
        pick(page, card)
        page.wait_for_selector(f".sheet .hand li:nth-child({count})")
        assert page.locator(".picker button").evaluate_all(BOXES) == before


@pytest.mark.parametrize("deck", ["power-grab", "classic-112"])
def test_actions_are_in_reach_on_every_screen(
    phone: Phone, server: Server, shoot: Shoot, deck: str
) -> None:
    """In view at all sizes, with letters twice as large, and with a full log."""
    ann, bo = seated(phone, server, deck, ("Ann", "Bartholomäus", "Cy"), langs=("hu", "ru"))
    play(bo, "red-5")
    play(ann, "red-6")
    ann.wait_for_selector(".stand", state="detached")
    play(ann, "red-8")
    bo.wait_for_selector("[data-do^=play]")
    for page, name in ((ann, "ann"), (bo, "bo")):
        page.wait_for_selector(".choices[aria-busy=true]", state="detached")
        page.wait_for_selector(".foot .choices button >> nth=4")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for scale in ("100%", "200%"):
                page.evaluate("scale => document.documentElement.style.fontSize = scale", scale)
                page.evaluate("scrollTo(0, document.body.scrollHeight)")
                where = f"{name} {width} {scale}"
                shoot(page, f"reach-{deck}-{name}-{scale}", {"width": width, "height": height})
                boxes = page.locator(".foot .choices button").evaluate_all(BOXES)
                assert len(boxes) >= 5, where
                for what, x, y, wide, high in boxes:
                    assert min(x, y) >= 0, f"{where}: {what}"
                    assert x + wide <= width + 1, f"{where}: {what}"
                    assert y + high <= height + 1, f"{where}: {what}"
                    assert min(wide, high) >= LEAST, f"{where}: {what}"
                assert overflowing(page) == [], where


def test_a_card_laid_ahead_waits_for_its_turn(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(
        phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "en", "en")
    )
    already, lay = cy.locator("[data-do=ahead]"), bo.locator("[data-do=play]")
    expect(already).to_have_text("Already laid a card?")
    aside, place = already.bounding_box(), lay.bounding_box()
    assert aside["height"] < place["height"]
    assert aside["x"] > place["x"] + place["width"] / 2, "who taps in the middle lays none"
    lay_ahead(cy, "red-3")
    said = cy.inner_text(".ahead")
    assert "You have already laid: red 3" in said
    assert "as soon as it is your turn" in said
    # It is kept, and can be taken back.
    cy.reload()
    cy.click("[data-do=take-out]")
    cy.wait_for_selector(".ahead", state="detached")
    lay_ahead(cy, "red-3")
    wait_for_hands(ann, [7, 7, 7])
    play(bo, "red-5")
    wait_for_hands(ann, [7, 6, 6])
    on_top(cy, "red 3")
    cy.wait_for_selector(".ahead", state="detached")
    assert ann.locator(".wrong").count() == 0


def test_a_card_in_line_stays_in_view_while_the_host_speaks_for_another(
    phone: Phone, server: Server
) -> None:
    """Once its turn has come, a tap sends it: nobody else's choices say whether it fits."""
    names = ("Ann", "Bo", "Cy")
    ann, bo = seated(phone, server, "classic-108", names, langs=("en", "en"))
    ann.select_option("#speak-for", "3")
    lay_ahead(ann, "red-3")
    ann.select_option("#speak-for", "1")
    ann.wait_for_selector(".ahead:has-text('Cy also laid: red 3')")
    expect(ann.locator(".ahead")).to_contain_text("as soon as it is Cy’s turn")
    assert ann.locator("[data-do=send-ahead]").count() == 0
    play(bo, "red-5")
    ann.click("[data-do=send-ahead]")
    on_top(bo, "red 3")
    ann.wait_for_selector(".ahead", state="detached")


def test_a_card_ahead_that_does_not_fit_is_sent_as_it_was_laid(
    phone: Phone, server: Server
) -> None:
    _, bo, cy = seated(phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=(None, "en", "en"))
    lay_ahead(cy, "blue-1")
    play(bo, "red-5")
    cy.wait_for_selector(".ahead.late:has-text('It does not fit now.')")
    cy.click("[data-do=send-ahead]")
    bo.wait_for_selector(".wrong")
    cy.wait_for_selector(".ahead", state="detached")


def test_a_card_ahead_whose_turn_is_skipped_says_so(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(
        phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "en", "en")
    )
    lay_ahead(cy, "red-4")
    play(bo, "red-skip")
    cy.wait_for_selector(".ahead.late:has-text('The turn has gone by without it.')")
    # A lap later it is not laid by itself.
    play(ann, "red-6")
    play(bo, "red-8")
    cy.wait_for_selector("[data-do=play]")
    cy.click("[data-do=take-out]")
    wait_for_hands(cy, [6, 5, 7])


def test_uno_is_called_for_whoever_has_no_phone_on_anybodys_turn(
    phone: Phone, server: Server
) -> None:
    (host,) = seated(phone, server, "classic-108", ("Ann", "Bo", "Cy"))
    set_hand(host, 2, 2)
    wait_for_hands(host, [7, 2, 7])
    play(host, "red-5")
    wait_for_hands(host, [7, 1, 7])
    play(host, "red-6")
    host.wait_for_selector(".turn:has-text('Your turn')")
    host.click("[data-do=uno]")
    # It is not Cy's last card.
    expect(host.locator("dialog [data-do^=uno-]")).to_have_text(["Bo"])
    host.click("[data-do=uno-2]")
    host.wait_for_selector(".seat:nth-child(2) .badge-uno")


def test_uno_goes_with_a_card_laid_ahead(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(
        phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "en", "en")
    )
    set_hand(ann, 3, 2)
    wait_for_hands(cy, [7, 7, 2])
    # Out of turn a call counts for nothing.
    expect(cy.locator("[data-do=uno]")).to_be_disabled()
    lay_ahead(cy, "red-3")
    cy.click("[data-do=uno]")
    cy.wait_for_selector(".ahead:has-text('UNO!')")
    play(bo, "red-5")
    wait_for_hands(ann, [7, 6, 1])
    ann.wait_for_selector(".seat:nth-child(3) .badge-uno")


def lay_ahead(page: Any, card: str) -> None:
    page.click(f"[data-do=ahead], [data-do=ahead-{color_of(card)}]")
    pick(page, card)
    page.wait_for_selector(".ahead")


def test_catch_names_everybody_whoever_forgot(phone: Phone, server: Server) -> None:
    ann, bo, _ = seated(phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "en", None))
    set_hand(ann, 2, 2)
    wait_for_hands(bo, [7, 2, 7])

    def named() -> list[str]:
        ann.click("[data-do=catch]")
        ann.wait_for_selector(".sheet [data-do=catch-2]")
        found: list[str] = ann.locator(".sheet-body button").all_inner_texts()
        ann.keyboard.press("Escape")
        ann.wait_for_selector("dialog", state="detached")
        return found

    assert named() == ["Bo", "Cy"]
    play(bo, "red-5")
    wait_for_hands(ann, [7, 1, 7])
    assert named() == ["Bo", "Cy"]
    ann.click("[data-do=catch]")
    ann.click("[data-do=catch-2]")
    wait_for_hands(ann, [7, 3, 7])


def test_each_player_takes_back_the_own_last_entry(phone: Phone, server: Server) -> None:
    pages = seated(phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "en", "en"))
    ann, bo, cy = pages
    for page, card, before in ((bo, "red-1", [7, 7, 7]), (cy, "red-2", [7, 6, 7])):
        assert page.locator("[data-do=take-back]").is_disabled()
        play(page, card)
        page.click("[data-do=take-back]")
        name = card.replace("-", " ")
        page.wait_for_selector(f".sheet .said:has-text('belongs in your hand: {name}')")
        page.click(".sheet [data-do=make]:enabled")
        wait_for_hands(ann, before)
        page.wait_for_selector("[data-do=play]")
        play(page, card)
        page.wait_for_selector("[data-do=ahead]")
    bo.wait_for_selector("[data-do=take-back]:disabled")


def test_the_last_card_and_a_hand_shown_are_taken_back(phone: Phone, server: Server) -> None:
    """While hands are shown nobody is on turn; a slip is its player's to mend all the same."""
    ann, bo, cy = seated(phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en",) * 3)
    for seat in (1, 2, 3):
        set_hand(ann, seat, 1)
    wait_for_hands(bo, [1, 1, 1])
    play(bo, "red-1")
    cy.wait_for_selector("[data-do=reveal]")
    assert cy.locator("[data-do=take-back]").count() == 0
    bo.click("[data-do=take-back]")
    bo.click(".sheet [data-do=make]:enabled")
    wait_for_hands(ann, [1, 1, 1])
    play(bo, "red-2")
    show_hand(cy, ("blue-8",))
    bo.wait_for_selector("[data-do=take-back]", state="detached")
    cy.click("[data-do=take-back]")
    cy.click(".sheet [data-do=make]:enabled")
    # What was chosen is still there, to be put right.
    cy.click("[data-do=reveal]")
    cy.click("[data-do=show]")
    # The last hand ends the round: it is taken back until the next one starts.
    show_hand(ann, ("blue-7",))
    cy.wait_for_selector(".scores")
    ann.click("[data-do=take-back]")
    ann.click(".sheet [data-do=make]:enabled")
    ann.wait_for_selector("[data-do=reveal]")


def test_another_card_is_looked_for_where_the_wrong_one_is(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "power-grab", opening="green-7:U", langs=("en", None))
    speak(server, bo, 2, move="play", card="green-2:N")
    ann.click("[data-do=mend-card]")
    ann.wait_for_selector(".sheet .tab-green[aria-pressed=true]")
    pick(ann, "green-2:O")
    ann.wait_for_selector(".sheet .instead")


def test_the_host_changes_a_card_in_place_and_back(phone: Phone, server: Server) -> None:
    ann, bo, _ = seated(phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "en", None))
    play(bo, "red-skip")
    ann.wait_for_selector(".turn:has-text('Your turn')")
    assert bo.locator("[data-do=mend-card]").count() == 0
    counting(ann)
    ann.click("[data-do=mend-card]")
    pick(ann, "red-5")
    ann.wait_for_selector(".sheet .instead")
    ann.wait_for_selector(".sheet .said:has-text('Cy')")
    ann.click(".sheet [data-do=make]:enabled")
    assert taps(ann) == 3
    on_top(bo, "red 5")
    bo.wait_for_selector(".turn:has-text('Cy')")
    # That was wrong: the correction is taken back where it stands.
    ann.click(".rulings li:first-child .why")
    ann.click(".sheet [data-do=redo]")
    ann.click(".sheet [data-do=make]:enabled")
    on_top(bo, "red skip")
    ann.wait_for_selector(".turn:has-text('Your turn')")


def begun_with_two(phone: Phone, server: Server) -> tuple[Any, Any]:
    """Ann and Bo with two cards each, on Bo's turn."""
    ann, bo = seated(phone, server, "classic-108", langs=("en", "en"))
    for seat in (1, 2):
        set_hand(ann, seat, 2)
    for page in (ann, bo):
        wait_for_hands(page, [2, 2])
    return ann, bo


def test_a_round_by_keys_alone(phone: Phone, server: Server) -> None:
    ann, bo = begun_with_two(phone, server)
    press(bo, "[data-do=uno]:enabled")
    press(bo, "[data-do=play]")
    press(bo, "[data-key=red-5]")
    wait_for_hands(ann, [2, 1])
    press(ann, "[data-do=draw]:enabled")
    wait_for_hands(ann, [3, 1])
    press(ann, "[data-do=play]")
    press(ann, "[data-key=wild] [data-do=in-blue]", "Space")
    wait_for_hands(bo, [2, 1])
    press(bo, "[data-do=play]")
    press(bo, "[data-key=blue-9]")
    press(ann, "[data-do=reveal]")
    press(ann, "[data-key=red-1]")
    press(ann, "[data-key=green-2]")
    press(ann, "[data-do=show]")
    for page in (ann, bo):
        page.wait_for_selector(".scores")


def test_a_round_by_names_alone(phone: Phone, server: Server) -> None:
    """What a screen reader reads is enough: nothing is found by place or colour."""
    ann, bo = begun_with_two(phone, server)

    def tap(page: Any, name: str) -> None:
        page.get_by_role("button", name=name, exact=True).click()

    tap(bo, "UNO!")
    tap(bo, "Play a card")
    tap(bo, "red 5")
    wait_for_hands(ann, [2, 1])
    tap(ann, "Play a card")
    group = ann.get_by_role("group", name="wild", exact=True)
    group.get_by_role("button", name="wild, blue", exact=True).click()
    wait_for_hands(bo, [1, 1])
    tap(bo, "Catch …")
    tap(bo, "Ann")
    wait_for_hands(bo, [3, 1])
    tap(bo, "Play a card")
    tap(bo, "blue 9")
    tap(ann, "Show the hand")
    for card in ("red 1", "green 2", "red skip"):
        tap(ann, card)
    tap(ann, "Show these cards")
    for page in (ann, bo):
        page.get_by_role("heading", name="Went out: Bo").wait_for()
