"""Accessibility: axe, keyboard only, and text at 200 %."""

from typing import Any

import pytest

from tests.e2e.server import Server
from tests.web.conftest import LARGE, SMALL, Phone, Shoot
from tests.web.stage import expect, open_table, pick, seated, settle, start_round

SERIOUS = ("serious", "critical")
# Languages with long words: if these fit, the others do.
LOOKS = [
    ("fi", "light", SMALL),
    ("ru", "dark", SMALL),
    ("hu", "light", LARGE),
]


def violations(page: Any) -> list[str]:
    """List axe's serious and critical findings, once nothing fades in: that has no contrast yet."""
    settle(page)
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    )
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {node['html']}"
        for one in found
        if one["impact"] in SERIOUS
        for node in one["nodes"]
    ]


def screens(phone: Phone, **look: Any) -> Any:
    """Yield every screen in turn, with its name, as the host sees it."""
    page = phone(**look)
    page.wait_for_selector("[data-do=new]")
    yield "home", page
    page.goto("/new")
    page.wait_for_selector(".deck")
    page.click(".house summary")
    yield "setup", page
    page.goto("/")
    open_table(page, "classic-112", ("Ann", "Bo", "Cy"))
    page.wait_for_selector("[data-do=propose]")
    yield "lobby", page
    page.click("[data-do=propose]")
    yield "propose", page
    page.keyboard.press("Escape")
    start_round(page, "red-7")
    page.wait_for_selector(".choices")
    yield "play", page
    page.select_option("#speak-for", "2")
    page.click("[data-do=play]")
    yield "picker", page
    pick(page, "blue-3")
    page.wait_for_selector("[data-do=lay-anyway]")
    yield "against", page
    page.click("[data-do=lay-anyway]")
    page.wait_for_selector(".banner[data-event=illegal]")
    yield "wrong", page
    page.click(".banner .why")
    page.wait_for_selector(".sheet .source")
    yield "why", page
    page.keyboard.press("Escape")
    page.click("[data-do=settings]")
    yield "settings", page
    page.keyboard.press("Escape")
    page.click("nav a[href$='/host']")
    page.wait_for_selector("[data-do=undo-last]")
    for fold in page.locator(".house summary").all():
        fold.click()
    yield "host", page
    page.click("[data-do=break-off]")
    page.click("[data-do=make]:enabled")
    page.wait_for_selector("[data-do=break-off]", state="detached")
    page.click("[data-do=seats]")
    page.wait_for_selector(".people")
    yield "seats", page
    page.click("[data-do=join-seat]")
    yield "join-seat", page
    page.keyboard.press("Escape")
    page.click("nav a:first-child")
    page.click("[data-do=by-result]")
    page.click("[data-do=out-1]")
    page.click("[data-do=unknown-2]")
    yield "result", page


@pytest.mark.parametrize(("lang", "scheme", "size"), LOOKS)
def test_nobody_is_kept_out_of_any_screen(
    phone: Phone, lang: str, scheme: str, size: dict[str, int], shoot: Shoot
) -> None:
    """Axe finds nothing serious, and text at 200 % fits."""
    for name, page in screens(phone, lang=lang, color_scheme=scheme, viewport=size):
        # What waits for an answer is pale.
        page.wait_for_selector("[aria-busy=true]", state="detached")
        shoot(page, f"{name}-{lang}")
        assert violations(page) == [], name
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        shoot(page, f"{name}-{lang}-200%")
        assert overflowing(page) == [], name
        page.evaluate("document.documentElement.style.fontSize = ''")


def overflowing(page: Any) -> list[str]:
    """List elements that overflow the screen or their own box, once nothing moves."""
    settle(page)
    return page.evaluate(
        """() => {
          const wide = document.documentElement.clientWidth + 1;
          const shown = [...document.querySelectorAll("#app *, dialog *")].filter(
            (one) => one.checkVisibility() &&
              !one.closest(".heard, .skip, svg, select, .scroll *"));
          const cut = shown.filter((one) => one.getBoundingClientRect().right > wide ||
            (one.matches("button, .button, p, span, h1, h2, label") &&
             one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline"));
          // A word broken into single letters fits, and cannot be read.
          const squeezed = shown.filter((one) => !one.children.length && one.textContent.trim() &&
            one.clientHeight > 5.5 * parseFloat(getComputedStyle(one).fontSize) &&
            one.clientWidth < 3 * parseFloat(getComputedStyle(one).fontSize));
          return [...cut, ...squeezed].map((one) => one.outerHTML.slice(0, 160));
        }"""
    )


def reach(page: Any, selector: str, most: int = 80) -> None:
    """Tab to an element; fail if the focus never gets there or is invisible."""
    # What is not enabled yet cannot be reached.
    page.wait_for_selector(f"{selector}:not(:disabled)")
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert ring != "none", f"{selector} does not show that it has the focus"
            return
    raise AssertionError(f"no way to {selector} by the tab key")


def press(page: Any, selector: str, key: str = "Enter") -> None:
    """Tab to an element and press a key."""
    reach(page, selector)
    page.keyboard.press(key)


def test_keys_alone_set_up_a_table_and_play(phone: Phone) -> None:
    page = phone()
    press(page, "[data-do=new]")
    reach(page, "[name=deck]")
    page.keyboard.press("ArrowDown")
    press(page, ".setup .house summary")
    for number, name in enumerate(("Bo", "Cy"), 2):
        press(page, "[data-do=more]")
        reach(page, f"#name-{number}")
        page.keyboard.type(name)
    reach(page, "#my-name")
    page.keyboard.type("Ann")
    press(page, "[data-do=make]")
    press(page, "[data-do=deal]")
    press(page, "[data-key=green-5]", "Space")
    press(page, "[data-do=start]")
    page.wait_for_selector(".pile-card [aria-label='green 5']")
    # The sheet closes when the answer has come, which can be after the pile has changed.
    page.wait_for_selector("dialog", state="detached")
    # Bo has no phone, so the host's speaks for Bo without being told.
    press(page, "[data-do=play]")
    # The sheet keeps the focus, and Escape gives it back to where it was.
    page.wait_for_selector("dialog:focus-within")
    page.keyboard.press("Escape")
    expect(page.locator("[data-do=play]")).to_be_focused()
    page.keyboard.press("Enter")
    press(page, "[data-key=green-7]")
    page.wait_for_selector(".pile-card [aria-label='green 7']")
    press(page, ".why")
    page.wait_for_selector(".sheet .source")


def test_rulings_are_read_out(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "classic-108", langs=("en", "da"))
    bo.click("[data-do=draw]")
    for page, said in ((ann, "Bo draws 1"), (bo, "Bo trækker 1 kort")):
        page.wait_for_selector(f"#live[aria-live=polite]:has-text('{said}')", state="attached")
