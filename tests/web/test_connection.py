"""Lost connections are shown; no move is lost or counted twice."""

import re
from functools import partial
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.stage import expect, hands, place_of, play, seated, speak, wait_for_hands


@pytest.fixture
def two(phone: Phone, server: Server) -> tuple[Any, Any]:
    """Ann, the host, and Bo, whose turn it is, on phones that keep the page's files."""
    keeping = partial(phone, service_workers="allow")
    ann, bo = seated(keeping, server, "classic-112", langs=("en", "en"))
    bo.wait_for_selector("[data-do=draw]:enabled")
    return ann, bo


def draws(page: Any, count: int) -> None:
    """Wait until the log has so many draws of Bo's."""
    expect(page.locator(".rulings li:has-text('Bo draws 1')")).to_have_count(count)


def test_a_tap_without_a_network_is_sent_once_there_is_one(two: tuple[Any, Any]) -> None:
    ann, bo = two
    bo.context.set_offline(True)
    bo.wait_for_selector(".link.lost")
    bo.click("[data-do=draw]")
    bo.click("[data-do=draw]")
    bo.wait_for_selector(".link:has-text('1 tap is kept')")
    assert hands(ann) == [7, 7]
    bo.context.set_offline(False)
    wait_for_hands(ann, [7, 8])
    wait_for_hands(bo, [7, 8])
    bo.wait_for_selector(".link:empty", state="attached")
    for page in (ann, bo):
        draws(page, 1)


def test_a_tap_outlives_the_page_that_made_it(two: tuple[Any, Any]) -> None:
    ann, bo = two
    bo.route("**/moves*", lambda route: route.abort())
    bo.click("[data-do=draw]")
    bo.wait_for_selector(".link:not(:empty)")
    bo.unroute("**/moves*")
    bo.reload()
    wait_for_hands(ann, [7, 8])
    wait_for_hands(bo, [7, 8])
    draws(ann, 1)


def test_an_answer_that_is_lost_counts_once(two: tuple[Any, Any]) -> None:
    ann, bo = two
    keys: list[str] = []

    def lose_the_first_answer(route: Any) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    bo.route("**/moves*", lose_the_first_answer)
    with bo.expect_response(lambda answer: "/moves" in answer.url) as repeated:
        bo.click("[data-do=draw]")
    assert repeated.value.status == 201
    wait_for_hands(bo, [7, 8])
    assert len(keys) == 2
    assert len(set(keys)) == 1
    wait_for_hands(ann, [7, 8])
    draws(ann, 1)


def test_a_phone_that_was_away_catches_up(two: tuple[Any, Any]) -> None:
    ann, bo = two
    play(bo, "red-5")
    ann.wait_for_selector("[data-do=play]")
    wait_for_hands(bo, [7, 6])
    bo.context.set_offline(True)
    bo.wait_for_selector(".link.lost")
    play(ann, "red-9")
    wait_for_hands(ann, [6, 6])
    assert hands(bo) == [7, 6]
    bo.context.set_offline(False)
    wait_for_hands(bo, [6, 6])
    bo.wait_for_selector(".rulings li:has-text('Ann plays a red 9')")
    bo.wait_for_selector("[data-do=play]")


def test_a_tap_that_others_have_overtaken_is_not_made(two: tuple[Any, Any]) -> None:
    """Bo's draw waits offline while the host plays for Bo."""
    ann, bo = two
    bo.context.set_offline(True)
    bo.wait_for_selector(".link.lost")
    bo.click("[data-do=draw]")
    ann.select_option("#speak-for", "2")
    play(ann, "red-3")
    wait_for_hands(ann, [7, 6])
    bo.context.set_offline(False)
    bo.wait_for_selector(".notice:has-text('gone on')")
    wait_for_hands(bo, [7, 6])
    draws(ann, 0)


def test_what_two_phones_enter_at_once_counts_once(two: tuple[Any, Any]) -> None:
    """Ann's phone speaks for Bo, whose own is quicker each time."""
    ann, bo = two
    ann.select_option("#speak-for", "2")
    ann.wait_for_selector("[data-do=draw]:enabled")
    # Ann taps what was there before Bo's draw: what may be done now is not known yet.
    ann.route("**/choices*", lambda _: None)
    bo.click("[data-do=draw]")
    wait_for_hands(ann, [7, 8])
    with ann.expect_response("**/moves*") as late:
        ann.click("[data-do=draw]")
    assert late.value.status == 412
    # What was held goes on.
    ann.unroute("**/choices*")
    ann.wait_for_selector(".notice:has-text('entered already')")
    draws(ann, 1)
    # The picker is open when Bo's card comes, after which it is Bo's turn again.
    ann.wait_for_selector("[data-do=pass]")
    ann.click("[data-do=play]")
    play(bo, "red-skip")
    ann.wait_for_selector("dialog", state="detached")
    ann.wait_for_selector(".notice.info:has-text('gone on')")
    wait_for_hands(ann, [7, 7])


def test_whoever_enters_something_else_is_not_told_that_it_stands(
    phone: Phone, server: Server
) -> None:
    options = {"draw_until": "playable"}
    ann, bo = seated(phone, server, "classic-112", langs=("en", None), options=options)
    ann.select_option("#speak-for", "2")

    def meanwhile(route: Any) -> None:
        speak(server, bo, 2, move="draw", count=4)
        route.continue_()

    ann.click("[data-do=draw]:enabled")
    ann.click("[data-do=drawn-more]")
    ann.route("**/moves?lang=*", meanwhile, times=1)
    ann.click("[data-do=draw-2]")
    ann.wait_for_selector(".notice:has-text('gone on')")
    wait_for_hands(ann, [7, 11])


def test_what_does_not_concern_a_move_does_not_hold_it_up(
    two: tuple[Any, Any], server: Server
) -> None:
    ann, bo = two
    bo.route("**/choices*", lambda _: None)
    token = place_of(ann)["host"]
    speak(server, ann, 1, "/corrections", token, kind="hand-count", count=5)
    wait_for_hands(bo, [5, 7])
    bo.click("[data-do=draw]")
    wait_for_hands(ann, [5, 8])


def test_an_undo_holds_for_what_its_sheet_has_shown(two: tuple[Any, Any], server: Server) -> None:
    ann, bo = two
    play(bo, "red-3")
    wait_for_hands(ann, [7, 6])

    def meanwhile(route: Any) -> None:
        speak(server, ann, 1, move="play", card="red-9")
        route.continue_()

    # Ann lays a card while the sheet is open, and again while the request is on its way.
    ann.click("[data-do=take-back]")
    ann.wait_for_selector(".sheet .said:has-text('red 3')")
    speak(server, ann, 1, move="play", card="red-5")
    ann.wait_for_selector("dialog", state="detached")
    ann.wait_for_selector(".notice:has-text('gone on')")
    speak(server, bo, 2, move="play", card="red-8")
    wait_for_hands(ann, [6, 5])
    ann.click("[data-do=take-back]")
    ann.route("**/corrections?lang=*", meanwhile, times=1)
    with ann.expect_response("**/corrections?lang=*") as late:
        ann.click("[data-do=make]:enabled")
    assert late.value.status == 412
    ann.wait_for_selector(".notice:has-text('gone on')")
    wait_for_hands(bo, [5, 5])
    # A correction that names its entry says anew what it changes.
    ann.click(".rulings li:has-text('red 8')")
    ann.click("[data-do=undo]")
    ann.wait_for_selector(".sheet .said")
    speak(server, bo, 2, move="draw")
    ann.click("[data-do=make]:enabled")
    wait_for_hands(bo, [6, 7])


def test_a_result_that_two_hosts_enter_counts_once(phone: Phone, server: Server) -> None:
    ann, _ = seated(phone, server, "classic-108", opening=None, langs=("en", None))
    result = {"out": 2, "hands": {"1": 20}}

    def meanwhile(route: Any) -> None:
        speak(server, ann, None, "/rounds", place_of(ann)["host"], result=result)
        route.continue_()

    ann.click("[data-do=by-result]")
    ann.click("[data-do=out-2]")
    ann.fill("#points-1", "20")
    ann.route("**/rounds?*", meanwhile, times=1)
    ann.click("dialog [data-do=send]:enabled")
    ann.wait_for_selector(":text('gone on')")
    expect(ann.locator(".scores strong")).to_have_text(["20", "0"])
    # What was entered is known by the log alone for a moment.
    ann.wait_for_selector("dialog", state="detached")
    ann.click("[data-do=by-result]")
    ann.click("[data-do=out-2]")
    ann.fill("#points-1", "20")
    ann.route(re.compile(r"/tables/\w+\?"), lambda _: None)
    speak(server, ann, None, "/rounds", place_of(ann)["host"], result=result)
    ann.wait_for_selector("dialog", state="detached")


def test_the_shell_opens_without_a_server(two: tuple[Any, Any]) -> None:
    _, bo = two
    bo.wait_for_function("() => navigator.serviceWorker.controller")
    bo.context.set_offline(True)
    bo.reload()
    bo.wait_for_selector(".link.lost")
    # What was seen last is still there to be read.
    bo.wait_for_selector(".pile-card [aria-label='red 7']")
    bo.context.set_offline(False)
    bo.wait_for_selector("[data-do=draw]:enabled")
