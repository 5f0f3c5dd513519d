"""Sheets over the screen: going back, the focus, and what they let through."""

from typing import Any

import pytest

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.stage import expect, pick, play, seated, wait_for_hands

# Too little to be a photo of anything; what the reader says about it is made up below.
PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f"
    b"\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d"
    b"\x00\x00\x00\x00IEND\xaeB`\x82"
)
# Which addresses of photos the page holds on to.
HOLD = """() => {
  window.held = new Set();
  const { createObjectURL: make, revokeObjectURL: release } = URL;
  URL.createObjectURL = (photo) => (held.add(make.call(URL, photo)), [...held].at(-1));
  URL.revokeObjectURL = (address) => (held.delete(address), release.call(URL, address));
}"""


def test_going_back_closes_the_picker_and_stays_at_the_table(phone: Phone, server: Server) -> None:
    (page,) = seated(phone, server, "classic-108")
    table = page.url
    page.click("[data-do=play]")
    page.wait_for_selector(".picker")
    page.go_back()
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_url(table)
    page.wait_for_selector("[data-do=play]")
    # A sheet that was closed otherwise is not in the way of going on and back.
    page.click("[data-do=play]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.click("nav a[href$='/scores']")
    page.wait_for_selector("nav a[href$='/scores'][aria-current]")
    page.go_back()
    page.wait_for_selector(".board")
    page.wait_for_url(table)


def test_ones_own_seat_comes_first_in_the_menu(phone: Phone, server: Server) -> None:
    (page,) = seated(phone, server, "classic-108")
    page.click("[data-do=settings]")
    controls = page.locator(".sheet-body").locator("select, button, a, input")
    expect(controls.nth(0)).to_have_id("sheet-language")
    expect(controls.nth(1)).to_have_attribute("data-do", "rename")


def test_going_back_after_a_closed_sheet_leaves_the_screen_at_once(
    phone: Phone, server: Server
) -> None:
    (page,) = seated(phone, server, "classic-108")
    table = page.url
    page.click("nav a[href$='/rules']")
    page.wait_for_selector("[data-do=by-card]")
    page.click("[data-do=by-card]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.evaluate("history.back()")
    page.wait_for_url(table)
    page.wait_for_selector(".board")


def test_the_focus_stays_with_the_choices_after_a_play(phone: Phone, server: Server) -> None:
    _, bo = seated(phone, server, "classic-108", langs=(None, "fr"))
    bo.focus("[data-do=play]")
    bo.keyboard.press("Enter")
    bo.focus(".picker [data-key='red-5']")
    bo.keyboard.press("Enter")
    bo.wait_for_selector("[data-do=play]", state="detached")
    bo.wait_for_function("() => document.activeElement.matches('.choices, .choices *')")


def test_nothing_is_given_before_something_is_chosen(phone: Phone, server: Server) -> None:
    (page,) = seated(phone, server, "color-powers")
    play(page, "wild-power-red", "blue")
    page.wait_for_selector(".turn:has-text('Your turn')")
    page.select_option("#speak-for", "2")
    page.click("[data-do=give]")
    page.click(".sheet button:has-text('Give to Ann')")
    assert page.locator("[data-do=show]").is_disabled()
    pick(page, "red-1")
    page.click("[data-do=show]")
    wait_for_hands(page, [8, 5])


def test_a_hand_is_never_set_to_nothing(phone: Phone, server: Server) -> None:
    (page,) = seated(phone, server, "classic-108")
    page.click("nav a[href$='/host']")
    page.click("summary:has-text('hand count')")
    for count, fits in (("0", False), ("1", True), ("500", False)):
        page.fill("#hand-count", count)
        assert page.locator("#hand-count").evaluate("one => one.checkValidity()") is fits
    page.fill("#hand-count", "0")
    page.click("[data-do=set-count]")
    assert page.locator("dialog").count() == 0


@pytest.mark.parametrize(
    "deck", ["classic-108", "classic-112", "color-powers", "moomin", "power-grab"]
)
def test_all_cards_of_a_colour_are_in_view_when_a_round_begins(
    phone: Phone, server: Server, deck: str
) -> None:
    (page,) = seated(phone, server, deck, opening=None)
    page.click("[data-do=deal]")
    page.wait_for_selector(".picker [data-key]")
    lowest = page.locator(".picker [data-key]").evaluate_all(
        "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    )
    assert lowest <= page.viewport_size["height"]


def photograph(page: Any, *found: tuple[str, bool], complete: bool = True) -> None:
    """Take a photo on which the server reads these cards, each surely or not."""
    corners = [[10, 10], [90, 10], [90, 130], [10, 130]]
    items = [
        {"card": card, "sure": sure, "probability": 0.9, "corners": corners, "alternatives": []}
        for card, sure in found
    ]
    hand = [card for card, _ in found]
    sure = complete and all(one for _, one in found)
    answer = {"items": items, "hand": hand, "points": 0, "sure": sure, "kept": None}
    page.unroute("**/photos?*")
    page.route("**/photos?*", lambda route: route.fulfill(json=answer))
    page.set_input_files(
        ".sheet input[type=file]",
        files=[{"name": "hand.png", "mimeType": "image/png", "buffer": PIXEL}],
    )


def chosen(page: Any) -> list[str]:
    """Return what the buttons of the chosen cards say."""
    return page.locator(".sheet .hand button").evaluate_all(
        "all => all.map((one) => one.getAttribute('aria-label'))"
    )


def test_a_photo_keeps_what_was_entered_and_says_what_is_not_certain(
    phone: Phone, server: Server
) -> None:
    (page,) = seated(phone, server, "classic-108", ("Ann", "Bo"))
    page.select_option("#speak-for", "2")
    play(page, "wild-draw-four", "blue")
    page.select_option("#speak-for", "1")
    page.click("[data-do=challenge]")
    page.select_option("#speak-for", "2")
    page.click("[data-do=reveal]")
    pick(page, "green-5")
    page.evaluate(HOLD)
    photograph(page)
    page.wait_for_selector(".sheet .warn:has-text('No card was found')")
    assert chosen(page) == ["Take out: green 5"]
    photograph(page, ("red-1", True), ("red-2", False), ("red-3", True))
    page.wait_for_selector(".sheet .hand li:nth-child(3) button")
    assert chosen(page) == [
        "Take out: red 1",
        "Take out: red 2 (look again)",
        "Take out: red 3",
    ]
    unsure, missing = page.locator(".sheet .warn").all_inner_texts()
    assert unsure.startswith("Look at the cards")
    assert missing.startswith("Something is still missing")
    assert page.locator(".photo img").get_attribute("alt") == "Your photo, with 3 cards found"
    assert page.locator(".photo polygon").count() == 3
    assert page.locator(".photo polygon.unsure").count() == 1
    # Taking the first one out leaves the doubt with the card that it is about.
    page.click(".sheet .hand li:nth-child(1) button")
    assert chosen(page)[0] == "Take out: red 2 (look again)"
    page.click(".sheet .hand li:nth-child(1) button")
    page.wait_for_selector(".sheet .warn[data-key=unsure]", state="detached")
    photograph(page, ("red-1", True), ("red-2", True), complete=False)
    page.wait_for_selector(".sheet .warn:has-text('A part of another card')")
    assert chosen(page) == ["Take out: red 1", "Take out: red 2"]
    # The photos before were let go of; the last is when the sheet closes.
    assert page.evaluate("held.size") == 1
    page.keyboard.press("Escape")
    page.wait_for_function("() => held.size === 0")
