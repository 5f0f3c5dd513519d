"""The first minute: a deck, a scan, a name; and people who come later."""

from typing import Any

from tests.e2e.server import Server
from tests.web.conftest import SMALL, Phone, Shoot
from tests.web.stage import comes_to, expect, pick, place_code, seated, start_round, wait_for_hands

SIDEWAYS = {"width": 740, "height": 360}
TABLET = {"width": 820, "height": 1180}
COUNT_TAPS = """() => {
  window.taps = 0;
  addEventListener("click", (event) => event.isTrusted && (window.taps += 1), true);
}"""


def come(page: Any, name: str) -> None:
    """Type a name on the join page, and take a seat."""
    page.fill("#my-name", name)
    page.click("[data-do=come]")


def comes_into_view(page: Any, selector: str) -> None:
    """Wait until an element is whole on the screen, and on top there."""
    page.wait_for_function(
        """selector => {
          const one = document.querySelector(selector);
          const { top, bottom, left, right } = one.getBoundingClientRect();
          const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return top >= 0 && bottom <= innerHeight && (one === over || one.contains(over));
        }""",
        arg=selector,
    )


def names(page: Any) -> list[str]:
    return page.locator(".taken .person").all_inner_texts()


def test_three_taps_from_the_deck_to_the_first_scan(phone: Phone, shoot: Shoot) -> None:
    ann = phone()
    ann.click("[data-do=new]")
    ann.wait_for_selector(".deck")
    # Whoever does not know the number is told how to find it.
    assert "a card that only one of these pictures shows" in ann.inner_text(".setup fieldset")
    shoot(ann, "setup", SMALL, SIDEWAYS, TABLET)
    ann.set_viewport_size(SIDEWAYS)
    comes_into_view(ann, "[data-do=make]")
    ann.set_viewport_size(SMALL)
    ann.locator(".deck", has_text="112").first.click()
    ann.evaluate(COUNT_TAPS)
    comes_into_view(ann, "[data-do=make]")
    ann.click("#my-name")
    ann.keyboard.type("Ann")
    ann.click("[data-do=make]")
    ann.wait_for_selector(".qr")
    assert ann.evaluate("window.taps") <= 3
    comes_into_view(ann, ".qr")
    comes_into_view(ann, "[data-do=deal]")
    assert ann.is_disabled("[data-do=deal]")
    # The others type their own names.
    code = ann.inner_text(".invite .code").replace(" ", "")
    bo, cy = (phone(f"/join?code={code}", lang=lang) for lang in ("de", "fi"))
    bo.wait_for_selector("#my-name")
    shoot(bo, "join-name", SMALL)
    come(bo, "Bo")
    come(cy, "Cyprienne-Wilhelmina")
    for page in (ann, bo, cy):
        page.wait_for_selector(".taken li:nth-child(3) .here")
    comes_to(lambda: names(bo), ["Ann", "Bodu", "Cyprienne-Wilhelmina"])
    comes_into_view(ann, "[data-do=deal]")
    shoot(ann, "lobby-open", SMALL, SIDEWAYS, TABLET)
    shoot(cy, "lobby-joined", SMALL)
    start_round(ann, "red-7")
    wait_for_hands(bo, [7, 7, 7])


def test_the_last_people_are_one_tap(phone: Phone) -> None:
    ann = phone()
    ann.click("[data-do=new]")
    ann.fill("#my-name", "Ann")
    ann.click("[data-do=make]")
    code = ann.inner_text(".invite .code").replace(" ", "")
    bo, cy = (phone(f"/join?code={code}") for _ in range(2))
    come(bo, "Bo")
    bo.wait_for_selector(".lobby")
    come(cy, "Cy")
    ann.wait_for_selector(".taken li:nth-child(3) .here")
    ann.goto("/new")
    assert ann.input_value("#my-name") == "Ann"
    # Also where a seat was added before: its field shows who sits there.
    ann.click("summary:has-text('More settings')")
    ann.click("[data-do=more]")
    ann.locator("#name-2:focus").wait_for()
    ann.click("[data-do=same-people]")
    expect(ann.locator("#name-2")).to_have_value("Bo")
    ann.click("[data-do=make]")
    ann.wait_for_selector(".lobby")
    comes_to(lambda: names(ann), ["Annyou", "Bo", "Cy"])
    # Nothing of the page shows below the foot.
    gap = ann.evaluate(
        """() => document.querySelector(".tabbar").getBoundingClientRect().top
          - document.querySelector(".start-foot").getBoundingClientRect().bottom"""
    )
    assert gap <= 0
    code = ann.inner_text(".invite .code").replace(" ", "")
    # Their names are waiting for them, and their phones know them.
    bo.goto(f"/join?code={code}")
    bo.click("[data-do=seat-2]")
    ann.wait_for_selector(".taken li:nth-child(2) .here")
    cy.goto(f"/join?code={code}")
    cy.click("[data-do=come]")
    ann.wait_for_selector(".taken li:nth-child(3) .here")


def test_a_fifth_comes_late(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann = phone()
    ann.click("[data-do=new]")
    ann.fill("#my-name", "Ann")
    ann.click("[data-do=make]")
    code = ann.inner_text(".invite .code").replace(" ", "")
    bo = phone(f"/join?code={code}")
    come(bo, "Bo")
    ann.wait_for_selector(".taken li:nth-child(2) .here")
    start_round(ann, "red-7")
    eve = phone(f"/join?code={code}")
    come(eve, "Eve")
    eve.wait_for_selector(".board .seat >> nth=1")
    expect(eve.locator(".ask-card")).to_contain_text("next one")
    ann.wait_for_selector(".ask-card:has-text('Eve is in from the next round')")
    shoot(ann, "asks-to-play", SMALL)
    # Put aside, it is one line, and the answer is a tap away.
    ann.click("[data-do=later]")
    aside = ann.locator("details.ask-card:not([open]) summary")
    expect(aside).to_have_text("Eve is in from the next round.")
    assert aside.bounding_box()["height"] < 44
    expect(ann.locator("[data-do=refuse-player]")).to_be_hidden()
    aside.click()
    expect(ann.locator("[data-do=refuse-player]")).to_be_visible()
    # The round is broken off, and Eve is in by herself.
    ann.click("nav a[href$='/host']")
    ann.click("[data-do=break-off]")
    ann.click("[data-do=make]:enabled")
    eve.wait_for_selector(".ask-card", state="detached")
    ann.click("nav a:first-child")
    ann.click("[data-do=deal]")
    pick(ann, "red-9")
    ann.click("[data-do=start]")
    eve.wait_for_selector(".seat:nth-child(3) .you")
    wait_for_hands(eve, [7, 7, 7])


def test_the_host_lets_somebody_in_where_the_seats_were_made(phone: Phone, server: Server) -> None:
    (ann,) = seated(phone, server, "classic-108", opening=None)
    code = ann.inner_text(".invite .code").replace(" ", "")
    eve = phone(f"/join?code={code}")
    eve.click(".house summary")
    expect(eve.locator("[data-do=deck]")).to_have_text("Classic, 108 cards")
    come(eve, "Eve")
    ann.click("[data-do=let-in]")
    eve.wait_for_selector(".taken li:nth-child(3) .you")
    dan = phone(f"/join?code={code}")
    dan.click(".house summary")
    come(dan, "Dan")
    ann.click("[data-do=refuse-player]")
    # He reads that alone, and is asked for nothing and told to wait for nothing.
    expect(dan.locator(".link.lost")).to_have_text("The host has not let you in. To the start")
    expect(dan.locator(".ask-card")).to_have_count(0)
    comes_to(lambda: names(ann), ["Annyou", "Bo", "Eve"])


def test_another_phone_takes_ones_seat_and_the_same_one_goes_back_to_it(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo = seated(phone, server, "classic-108", langs=("en", "en"))
    bo.goto(f"/join?code={place_code(server, ann)}")
    bo.wait_for_selector(".board .seat:nth-child(2) .you")
    new = phone(f"/join?code={place_code(server, ann)}")
    new.click("[data-do=seat-2]")
    shoot(new, "join-is-it-you")
    new.click("[data-do=ask-again]")
    expect(new.locator(".ask-card")).to_have_text("The host has been asked.")
    shoot(ann, "join-other-phone")
    ann.click("[data-do=other-phone]")
    new.wait_for_selector(".board .seat:nth-child(2) .you")
    expect(new.locator(".ask-card")).to_have_count(0)
    expect(ann.locator(".ask-card")).to_have_count(0)
    # The lost one has no seat any more, and may ask like anybody.
    bo.goto(f"/join?code={place_code(server, ann)}")
    bo.wait_for_selector("[data-do=seat-2]")


def test_the_host_hands_over_in_two_taps(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "classic-108", opening=None, langs=("en", "nl"))
    ann.wait_for_selector(".taken li:nth-child(2) .here")
    ann.click("[data-do=person-2]")
    ann.click("[data-do=hand-over]")
    ann.click("dialog[open] [data-do=send]")
    bo.wait_for_selector("[data-do=deal]")
    ann.wait_for_selector("[data-do=deal]", state="detached")
    expect(bo.locator(".taken .tag", has_text="spelleider")).to_have_count(1)
    # A second host is added in as many.
    bo.click("[data-do=person-1]")
    bo.click("[data-do=make-host]")
    ann.wait_for_selector("[data-do=deal]")
