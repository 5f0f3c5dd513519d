"""A trembling finger lays no card that nobody chose, and what comes next has the focus."""

import time
from typing import Any

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.stage import expect, seated, speak

# What a second tap 150 ms after the first one does, at the same place.
AGAIN_MS = 150


def middle(page: Any, selector: str) -> tuple[float, float]:
    """Return where a finger comes down on something that has come to rest."""
    page.locator(selector).first.tap(trial=True)
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def twice(page: Any, selector: str, brought: str) -> None:
    """Tap twice at the same place, the second time on what the first tap has brought.

    The taps tell when the finger was there themselves: a busy machine makes no slow finger.
    """
    x, y = middle(page, selector)
    glass = page.context.new_cdp_session(page)
    start = time.time()
    tap(glass, x, y, start)
    page.wait_for_selector(brought)
    tap(glass, x + 3, y + 2, start + AGAIN_MS / 1000)


def tap(glass: Any, x: float, y: float, at: float) -> None:
    """Put a finger down and up, at a time in seconds since 1970."""
    down = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}], "timestamp": at}
    up = {"type": "touchEnd", "touchPoints": [], "timestamp": at + 0.02}
    for touch in (down, up):
        glass.send("Input.dispatchTouchEvent", touch)


def touched(phone: Phone) -> Phone:
    """Return phones that are touched."""
    return lambda *args, **more: phone(*args, has_touch=True, is_mobile=True, **more)


def test_a_double_tap_lays_no_card_that_came_under_the_finger(phone: Phone, server: Server) -> None:
    langs = (None, "en")
    for deck, button in (("power-grab", "[data-do=play-red]"), ("moomin", "[data-do=play]")):
        _, bo = seated(touched(phone), server, deck, opening="red-5", langs=langs)
        bo.wait_for_selector(button)
        bo.click("[data-do=put-away]")
        bo.wait_for_selector("[data-do=put-away]", state="detached")
        twice(bo, button, "dialog .picker")
        # A card that does not fit is asked about, one that fits is on its way: neither has come.
        bo.wait_for_timeout(AGAIN_MS)
        assert bo.locator("dialog .picker").count() == 1
        assert bo.locator("[aria-busy=true]").count() == 0


def test_a_quick_tap_elsewhere_and_again_on_the_same_button_counts(
    phone: Phone, server: Server
) -> None:
    _, bo = seated(touched(phone), server, "classic-108", langs=(None, "en"))
    glass, start = bo.context.new_cdp_session(bo), time.time()
    tap(glass, *middle(bo, "[data-do=play]"), start)
    tap(glass, *middle(bo, ".picker [data-key=red-1]"), start + AGAIN_MS / 1000)
    bo.wait_for_selector("dialog", state="detached")
    bo.wait_for_selector(".pile [aria-label='red 1']")
    bo.click("[data-do=settings]")
    bo.wait_for_selector("dialog")
    sound = bo.locator("dialog input[type=checkbox]").first
    before = sound.is_checked()
    bo.evaluate("() => { window.turned = 0; addEventListener('change', () => { turned += 1 }); }")
    x, y = middle(bo, "dialog input[type=checkbox]")
    now = time.time()
    for at in (now, now + AGAIN_MS / 1000):
        tap(glass, x, y, at)
    bo.wait_for_function("() => turned === 2")
    assert sound.is_checked() == before


def test_a_finger_presses_nothing_that_others_have_just_brought(
    phone: Phone, server: Server
) -> None:
    ann, bo = seated(touched(phone), server, "classic-108", langs=("en", "en"))
    ann.select_option("#speak-for", "2")
    ann.wait_for_selector("[data-do=draw]:enabled")
    # Time stands still for Ann while Bo's draw arrives, and the tap that was meant for it.
    now = time.time()
    ann.clock.set_fixed_time(now)
    speak(server, bo, 2, move="draw")
    # Pass is where Draw was: for more than a second nobody means it.
    for later in (0, 1):
        ann.clock.set_fixed_time(now + later)
        ann.tap("[data-do=pass]")
        ann.wait_for_selector(".notice:has-text('gone on')")
        ann.tap(".notice button")
        ann.wait_for_selector(".notice.none", state="attached")
    ann.clock.set_fixed_time(now + 2)
    ann.tap("[data-do=pass]")
    ann.wait_for_selector(".rulings li:first-child:has-text('Bo passes')")


def test_a_card_that_a_finger_has_laid_ahead_is_played_at_once(
    phone: Phone, server: Server
) -> None:
    _, bo, cy = seated(
        touched(phone), server, "classic-108", ("Ann", "Bo", "Cy"), langs=(None, "en", "en")
    )
    cy.tap("[data-do=ahead]")
    cy.tap(".picker [data-key=red-3]")
    cy.wait_for_selector(".ahead")
    # Time stands still: the turn has come this very moment.
    cy.clock.set_fixed_time(time.time())
    speak(server, bo, 2, move="play", card="red-5")
    cy.wait_for_selector(".pile [aria-label='red 3']")
    assert cy.locator(".notice:not(.none)").count() == 0


def test_a_new_field_and_the_next_button_have_the_focus(phone: Phone, server: Server) -> None:
    page = phone("/new")
    page.click(".setup .house summary")
    for number in (2, 3):
        page.focus("[data-do=more]")
        page.keyboard.press("Enter")
        page.keyboard.type(f"Bo {number}")
        expect(page.locator(f"#name-{number}")).to_have_value(f"Bo {number}")
    ann, _ = seated(phone, server, "classic-108", opening=None, langs=("en", None))
    ann.click("[data-do=deal]")
    ann.focus(".picker [data-key=red-5]")
    ann.keyboard.press("Enter")
    expect(ann.locator("[data-do=start]")).to_be_focused()
