"""What another phone has done meanwhile: it closes what was open for it, and ends what was said."""

import time
from collections.abc import Callable
from typing import Any

import requests

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.stage import expect, pick, place_of, seated, speak, start_round
from tests.web.test_taps import touched

RESULT = {"out": 1, "hands": {"2": 5}}
GONE_ON = ".notice.info:has-text('gone on')"


def two_hosts(phone: Phone, server: Server) -> tuple[Any, Any, Callable[..., None]]:
    """Return two hosts' phones after a round, and a way to do something as host."""
    ann, bo = seated(phone, server, "classic-112", opening=None, langs=("en", "en"))
    place = place_of(ann)
    address = f"{server.url}/api/v1/tables/{place['table']}"
    headers = {"Authorization": f"Bearer {place['host']}"}

    def act(path: str, method: str = "POST", **body: Any) -> None:
        assert requests.request(method, address + path, json=body, headers=headers, timeout=60).ok

    act("/seats/2/host", "PUT")
    bo.wait_for_selector("nav a[href$='/host']")
    act("/rounds", result=RESULT, dealer=1)
    return ann, bo, act


def closes(page: Any) -> None:
    """Wait until a sheet has closed because another phone has entered what it was for."""
    page.wait_for_selector(GONE_ON)
    page.wait_for_selector("dialog", state="detached")


def test_a_notice_goes_once_the_game_has_gone_on(phone: Phone, server: Server) -> None:
    ann, bo = seated(touched(phone), server, "classic-108", langs=("en", "en"))
    host = place_of(ann)["host"]
    said = ann.locator(".notice:has-text('gone on')")

    def tap_too_late(after: int) -> None:
        # Time stands still for Ann while Bo's draw arrives, and the tap that was meant for it.
        ann.wait_for_selector("[data-do=draw]:enabled")
        ann.clock.set_fixed_time(time.time() + after)
        speak(server, bo, 2, move="draw")
        ann.tap("[data-do=pass]")
        said.wait_for()

    ann.select_option("#speak-for", "2")
    tap_too_late(0)
    speak(server, bo, 2, move="pass")
    ann.wait_for_selector(".banner[data-event=turn]")
    expect(said).to_have_count(1)
    speak(server, ann, 1, move="draw")
    speak(server, ann, 1, move="pass")
    expect(said).to_have_count(0)
    ann.select_option("#speak-for", "2")
    tap_too_late(10)
    speak(server, ann, None, "/games/end", host)
    ann.wait_for_selector("[data-do=again]")
    expect(said).to_have_count(0)


def test_a_sheet_to_start_a_round_closes_when_one_has_begun(phone: Phone, server: Server) -> None:
    ann, bo, act = two_hosts(phone, server)
    bo.click("[data-do=deal]")
    pick(bo, "red-3")
    start_round(ann, "red-5")
    closes(bo)
    # Whoever was first is told nothing.
    assert ann.locator(GONE_ON).count() == 0
    act("/corrections", kind="break-off")
    ann.click("[data-do=by-result]")
    start_round(bo, "red-5")
    closes(ann)
    act("/corrections", kind="break-off")
    for page in (ann, bo):
        page.click("[data-do=by-result]")
        page.click("[data-do=out-1]")
        page.fill("#points-2", "7")
    ann.click("[data-do=send]")
    closes(bo)
    ann.wait_for_selector("dialog", state="detached")
    assert ann.locator(GONE_ON).count() == 0


def test_of_two_who_end_a_game_and_play_again_the_slower_is_told(
    phone: Phone, server: Server
) -> None:
    ann, bo, act = two_hosts(phone, server)
    bo.click("nav a[href$='/host']")
    bo.click("text=This game")
    bo.click("[data-do=end-game]")
    act("/games/end")
    closes(bo)
    bo.click("nav a:first-child")
    for page in (ann, bo):
        page.click("[data-do=again]")
        page.wait_for_selector("dialog [data-do=send]")

    def meanwhile(route: Any) -> None:
        act("/games")
        route.continue_()

    bo.route("**/games?*", meanwhile, times=1)
    bo.click("[data-do=send]")
    for page in (ann, bo):
        closes(page)
