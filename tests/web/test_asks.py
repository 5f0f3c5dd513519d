"""Questions and discrepancies of devices, and the host's corrections."""

import re
from typing import Any

import pytest
import requests

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.stage import (
    comes_to,
    expect,
    pick,
    place_of,
    play,
    register,
    seated,
    start_round,
    take_seat,
    wait_for_hands,
)
from tests.web.test_access import violations


@pytest.fixture
def two(phone: Phone, server: Server, request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """Ann, the host, and Bo, whose turn it is."""
    deck = getattr(request, "param", "classic-108")
    ann, bo = seated(phone, server, deck, langs=("en", "sk"))
    bo.wait_for_selector("[data-do=draw]:enabled")
    return ann, bo


def test_a_question_from_the_camera_is_one_tap(two: tuple[Any, Any], server: Server) -> None:
    ann, bo = two
    camera = register(server.url, place_of(ann), "camera")
    camera.see("pile", event="placed", cards={"red-6": 0.6, "red-9": 0.39})
    bo.wait_for_selector(".question [data-do=answer-2]")
    assert ann.locator(".question .ask").inner_text() == "What was laid on the pile?"
    red_nine = bo.locator(".question button", has_text=re.compile("9"))
    red_nine.first.click()
    for page in (ann, bo):
        page.wait_for_selector(".question", state="detached")
        wait_for_hands(page, [7, 6])
    ann.wait_for_selector(".pile-card [aria-label='red 9']")


def test_a_question_may_have_another_answer(two: tuple[Any, Any], server: Server) -> None:
    ann, bo = two
    camera = register(server.url, place_of(ann), "camera")
    camera.see("pile", event="placed", cards={"red-6": 0.6, "red-9": 0.39})
    bo.wait_for_selector(".question")
    bo.click(".question [data-do=other-card]")
    pick(bo, "red-8")
    bo.click("[data-do=show]")
    ann.wait_for_selector(".pile-card [aria-label='red 8']")


def test_what_an_answer_costs_another_seat_is_not_offered(
    two: tuple[Any, Any], server: Server
) -> None:
    ann, bo = two
    camera = register(server.url, place_of(ann), "camera")
    camera.see("pile", event="placed", cards={"red-3": 1.0})
    # Ann's card is a red 6, or a blue 8, which would be illegal.
    camera.see("pile", event="placed", cards={"blue-8": 0.9, "red-6": 0.02})
    ann.wait_for_selector(".question [data-do=answer-2]")
    bo.wait_for_selector(".question [data-do=answer-2]")
    hers, his = (page.locator(".question button").all_inner_texts() for page in two)
    assert len(hers) == len(his) + 2
    bo.click(".question [data-do=answer-2]")
    ann.wait_for_selector(".pile-card [aria-label='red 6']")


def test_a_card_that_has_to_go_back_is_let_stand_by_the_host(
    two: tuple[Any, Any], server: Server
) -> None:
    ann, bo = two
    camera = register(server.url, place_of(ann), "camera")
    camera.see("pile", event="placed", cards={"blue-3": 1.0})
    for page in two:
        page.wait_for_selector(".wrong, .banner[data-event=illegal]")
        page.wait_for_selector(".discrepancy")
    assert bo.locator(".discrepancy button").count() == 0
    ann.click(".discrepancy button")
    ann.wait_for_selector(".pile-card [aria-label='blue 3']")
    bo.wait_for_selector(".discrepancy", state="detached")


def test_what_disturbs_the_camera_is_said(two: tuple[Any, Any], server: Server) -> None:
    ann, bo = two
    camera = register(server.url, place_of(ann), "camera")
    camera.see("camera", state="watching", warnings=["shakes", "of-tomorrow"])
    for page, words in ((ann, "shakes"), (bo, "trasie")):
        page.wait_for_selector(f".asks .muted:has-text('{words}')")
        assert page.locator(".asks .muted").count() == 1
    camera.see("camera", state="watching", warnings=[])
    for page in two:
        page.wait_for_selector(".asks .muted", state="detached")
    camera.see("camera", state="blind", reason="no-pile")
    ann.wait_for_selector(".asks .muted:has-text('Lay a card face up')")
    camera.see("camera", state="blind", reason="no-pictures")
    ann.wait_for_selector(".asks .muted:has-text('does not see')")
    camera.see("camera", state="watching", warnings=["slow"])
    ann.wait_for_selector(".asks .muted:has-text('too slowly')")


@pytest.mark.parametrize("two", ["power-grab"], indirect=True)
def test_a_tower_that_stands_wrong_is_shown_until_it_is_moved(
    two: tuple[Any, Any], server: Server
) -> None:
    ann, _ = two
    board = register(server.url, place_of(ann), "board")
    board.see("powers", powers={"U": 1, "N": 0, "O": 0, "!": 0})
    for page in two:
        page.wait_for_selector(".discrepancy")
    assert "tower U" in ann.locator(".discrepancy .ask").inner_text()
    board.see("powers", powers={"U": 0})
    for page in two:
        page.wait_for_selector(".discrepancy", state="detached")


def test_a_device_keeps_its_number(two: tuple[Any, Any], server: Server) -> None:
    ann, _ = two
    for _ in range(2):
        register(server.url, place_of(ann), "camera")
    ann.goto(f"{ann.url}/host")
    ann.locator("details:has([data-do=pair]) > summary").click()
    names = ann.locator("li:has([data-do=remove-device]) bdi")
    expect(names).to_have_text(["Camera", "Camera 2"])
    ann.locator("[data-do=remove-device]").first.click()
    ann.click("dialog[open] [data-do=send]")
    expect(names).to_have_text(["Camera 2"])
    register(server.url, place_of(ann), "camera")
    expect(names).to_have_text(["Camera 2", "Camera"])


def test_moves_are_set_right_however_much_a_camera_has_told_since(
    two: tuple[Any, Any], server: Server
) -> None:
    ann, bo = two
    play(bo, "red-5")
    wait_for_hands(ann, [7, 6])
    camera = register(server.url, place_of(ann), "camera")
    camera.see("camera", state="watching")
    for _ in range(45):
        camera.see("pile", event="same", cards={"red-5": 0.9})
    seen = ann.locator(".rulings.whole li")
    for lose_what_is_kept in (False, True):
        if lose_what_is_kept:
            ann.evaluate("() => localStorage.removeItem('referee.seen')")
        ann.goto(f"{server.url}/t/{place_of(ann)['table']}/host")
        ann.wait_for_selector("[data-do=undo-last]")
        ann.wait_for_selector("[data-do=break-off]")
        expect(seen.filter(has_text="red 5").first).to_be_visible()


def test_the_host_undoes_and_sets_a_count_right(two: tuple[Any, Any]) -> None:
    ann, bo = two
    play(bo, "red-5")
    wait_for_hands(ann, [7, 6])
    ann.click("nav a[href$='/host']")
    ann.click("[data-do=undo-last]")
    ann.wait_for_selector(".sheet :text('red 5 in round 1 is undone.')")
    ann.click(".sheet [data-do=make]")
    wait_for_hands(bo, [7, 7])
    bo.wait_for_selector(".rulings .undone s")
    # Which correction it was stands with the button, and where it is asked.
    which = "red 5 in round 1 is undone."
    expect(ann.locator("[data-do=redo] .what")).to_contain_text(which)
    ann.click("[data-do=redo]")
    expect(ann.locator(".sheet s")).to_contain_text(which)
    ann.click(".sheet [data-do=make]")
    wait_for_hands(bo, [7, 6])
    # Now the correction is what was undone.
    bo.wait_for_selector(".rulings .undone s:has-text('kolo 1')")
    ann.click("[data-do=undo-last]")
    ann.click(".sheet [data-do=make]")
    wait_for_hands(bo, [7, 7])
    ann.click("summary:has-text('hand count')")
    ann.select_option("#whose", "2")
    ann.fill("#hand-count", "9")
    ann.click("[data-do=set-count]")
    ann.click(".sheet [data-do=make]")
    wait_for_hands(bo, [7, 9])


def test_a_player_takes_the_own_card_back(two: tuple[Any, Any]) -> None:
    _, bo = two
    play(bo, "red-5")
    bo.click(".rulings li:has-text('5') .why")
    bo.click(".sheet [data-do=take-back]")
    bo.click(".sheet [data-do=make]")
    wait_for_hands(bo, [7, 7])


def joining(server: Server, code: str, **more: Any) -> tuple[Any, Any]:
    """A computer that asks to join with a board: what it was told, and how it asks again."""
    api = f"{server.url}/api/v1"
    joined = requests.post(f"{api}/join", json={"code": code}, timeout=60).json()
    headers = {"Authorization": f"Bearer {joined['token']}"}
    body = {"devices": [{"name": "Board", "kind": "board"}], **more}

    def ask() -> Any:
        address = f"{api}/tables/{joined['table_id']}/pairings"
        return requests.post(address, json=body, headers=headers, timeout=60)

    return ask().json(), ask


def test_a_computer_is_let_in_by_the_number_that_it_shows(
    two: tuple[Any, Any], server: Server
) -> None:
    ann, bo = two
    ann.click("nav a[href$='/host']")
    ann.click("summary:has-text('Camera and board')")
    ann.click("[data-do=pair]")
    typed = ann.inner_text("[data-do=pairing] pre")
    assert typed.endswith(f" --server {server.url}")
    told, ask = joining(server, typed.split()[2])
    # It is seen by the host alone, wherever that is on the page.
    ann.click("nav a[href$='/scores']")
    ann.wait_for_selector("[data-do=agree]")
    assert ann.inner_text("[data-do=let-in-device] .code") == told["digits"]
    assert bo.locator("[data-do=let-in-device]").count() == 0
    # Put aside, it is one line.
    ann.click("[data-do=later]")
    ann.wait_for_selector("[data-do=let-in-many]:not([open])")
    expect(ann.locator("[data-do=let-in-device]")).to_be_hidden()
    ann.click("[data-do=let-in-many] summary")
    ann.click("[data-do=agree]")
    ann.wait_for_selector("[data-do=let-in-device]", state="detached")
    ann.click("nav a[href$='/host']")
    ann.click("summary:has-text('Camera and board')")
    ann.wait_for_selector(".taken li:has-text('Board')")
    ann.wait_for_selector("[data-do=pairing]", state="detached")
    assert len(ask().json()["devices"]) == 1


def test_a_computer_is_refused(two: tuple[Any, Any], server: Server) -> None:
    ann, _ = two
    code = requests.get(
        f"{server.url}/api/v1/tables/{place_of(ann)['table']}",
        headers={"Authorization": f"Bearer {place_of(ann)['host']}"},
        timeout=60,
    ).json()["code"]
    _, ask = joining(server, code)
    ann.click("[data-do=refuse]")
    ann.wait_for_selector("[data-do=agree]", state="detached")
    assert ask().status_code == 403


def test_several_that_ask_are_one_line(two: tuple[Any, Any], server: Server) -> None:
    ann, _ = two
    address = f"{server.url}/api/v1/tables/{place_of(ann)['table']}"
    headers = {"Authorization": f"Bearer {place_of(ann)['host']}"}
    code = requests.get(address, headers=headers, timeout=60).json()["code"]
    asked = [joining(server, code) for _ in range(3)]
    many = ann.locator("[data-do=let-in-many]")
    many.locator("summary >> text=3 devices ask to be let in").wait_for()
    # Folded, it takes little of the screen, and its numbers are a tap away.
    assert many.bounding_box()["height"] < 90
    many.locator("summary").click()
    shown = many.locator(".code").all_inner_texts()
    assert sorted(shown) == sorted(told["digits"] for told, _ in asked)
    assert violations(ann) == []
    assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    first, ask = asked[0]
    many.locator(f"li:has-text('{first['digits']}') [data-do=agree]").click()
    many.locator("summary >> text=2 devices ask to be let in").wait_for()
    assert len(ask().json()["devices"]) == 1
    many.locator("[data-do=change-code]").click()
    many.locator("[data-do=refuse-all]").click()
    many.wait_for(state="detached")
    assert [ask().status_code for _, ask in asked[1:]] == [403, 403]
    # That was tapped first, and may arrive later.
    comes_to(
        lambda: requests.get(address, headers=headers, timeout=60).json()["code"] != code, True
    )


def test_a_second_host_answers_as_well(two: tuple[Any, Any], server: Server) -> None:
    ann, bo = two
    host = place_of(ann)
    address = f"{server.url}/api/v1/tables/{host['table']}"
    headers = {"Authorization": f"Bearer {host['host']}"}
    requests.put(f"{address}/seats/2/host", headers=headers, timeout=60).raise_for_status()
    code = requests.get(address, headers=headers, timeout=60).json()["code"]
    _, ask = joining(server, code)
    ann.wait_for_selector("[data-do=agree]")
    bo.click("[data-do=agree]")
    for page in (ann, bo):
        page.wait_for_selector("[data-do=let-in-device]", state="detached")
    assert len(ask().json()["devices"]) == 1


def test_a_computer_comes_along_to_the_next_table(two: tuple[Any, Any], server: Server) -> None:
    ann, _ = two
    secret = {"token": "c" * 43, "name": "Living room"}

    known = {"token": secret["token"]}

    def place() -> Any:
        answer = requests.post(f"{server.url}/api/v1/computers/place", json=known, timeout=60)
        return answer.json()["table_id"]

    first = place_of(ann)["table"]
    code = requests.get(
        f"{server.url}/api/v1/tables/{first}",
        headers={"Authorization": f"Bearer {place_of(ann)['host']}"},
        timeout=60,
    ).json()["code"]
    _, ask = joining(server, code, computer=secret)
    assert "\u2068Living room\u2069 then comes along" in ann.inner_text("[data-do=let-in-device]")
    ann.click("[data-do=agree]")
    ann.wait_for_selector("[data-do=let-in-device]", state="detached")
    assert len(ask().json()["devices"]) == 1
    assert place() == first
    # A round is played there, where the computer was heard of: it is not taken from it unasked.
    device = ask().json()["devices"][0]
    requests.post(
        f"{server.url}/api/v1/tables/{first}/promises",
        json={"within": 45},
        headers={"Authorization": f"Bearer {device['token']}"},
        timeout=60,
    ).raise_for_status()
    ann.goto(f"{server.url}/new")
    ann.fill("#my-name", "Ann")
    ann.click("[data-do=make]")
    ann.wait_for_selector(".notice >> text=Living room is at another table")
    second = place_of(ann)["table"]
    assert place() == first
    ann.click("nav a[href$='/host']")
    ann.click("summary:has-text('Camera and board')")
    ann.click("[data-do=computer] [data-do=bring]")
    ann.wait_for_selector("[data-do=computer] >> text=comes as soon as it is on")
    assert place() == second
    ann.wait_for_selector(".taken li:has-text('Board')")
    assert violations(ann) == []
    ann.click("[data-do=computer] [data-do=forget-computer]")
    ann.click("dialog[open] [data-do=send]")
    ann.wait_for_selector("[data-do=computer]", state="detached")
    assert place() is None


def test_custom_cards_are_proposed_and_approved(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "classic-112", opening=None, langs=("en", "da"))
    ann.click("[data-do=propose]")
    ann.click("[data-do=example-4]")
    bo.click("[data-do=approve-2]")
    ann.wait_for_selector(".ask-card:has-text('Approved by everybody')")
    bo.click("[data-do=propose]")
    bo.fill("#own-card", "Alle synger.")
    bo.click("[data-do=own]")
    ann.click("[data-do=approve-1]")
    bo.wait_for_selector(".ask-card:nth-of-type(2):has-text('Godkendt af alle')")
    start_round(ann, "red-7")
    play(bo, "wild-custom-1", "green")
    # "Take another turn."
    bo.wait_for_selector("[data-do=play]")
    expect(bo.locator(".turn")).to_have_text("Din tur")


def test_what_a_custom_card_says_goes_when_it_is_covered(phone: Phone, server: Server) -> None:
    (page,) = seated(phone, server, "classic-112", ("Ann", "Bo", "Cy"), opening=None)
    approved = page.locator(".ask-card:has-text('Approved by everybody')")
    for count, written in ((1, "own"), (2, "example-9")):
        page.click("[data-do=propose]")
        page.fill("#own-card", "Everybody sings.")
        page.click(f"[data-do={written}]")
        for seat in (2, 3):
            page.click(f"[data-do=approve-{seat}]")
        expect(approved).to_have_count(count)
    start_round(page, "red-7")
    play(page, "wild-custom-1", "green")
    page.wait_for_selector(".asks :text('Everybody sings.')")
    assert page.inner_text(".asks") == "What the card says: Everybody sings."
    # One's own banner says it already.
    page.wait_for_selector(".banner[data-event=card-says]")
    assert page.locator(".elsewhere:has-text('sings')").count() == 0
    # Before the lap is over another card covers it, and forbids something until the next UNO.
    play(page, "wild-custom-2", "green")
    forbids = "What the card says: No bending of elbows."
    expect(page.locator(".asks")).to_have_text(forbids)
    play(page, "green-1")
    expect(page.locator(".seat.on-turn")).to_contain_text("Bo")
    expect(page.locator(".asks")).to_have_text(forbids)


def test_sounds_are_off_until_they_are_wanted(phone: Phone) -> None:
    page = phone()
    page.click("[data-do=settings]")
    sounds = page.locator(".sheet input[type=checkbox]").first
    assert not sounds.is_checked()
    sounds.check()
    page.reload()
    page.click("[data-do=settings]")
    assert page.locator(".sheet input[type=checkbox]").first.is_checked()


def test_a_seat_changes_its_language_in_the_midst_of_it(two: tuple[Any, Any]) -> None:
    ann, bo = two
    assert bo.locator("[data-do=draw]").inner_text() == "Ťahať"
    bo.click("[data-do=settings]")
    bo.select_option("#sheet-language", "fi")
    bo.wait_for_selector("[data-do=draw]:has-text('Nosta')", state="attached")
    bo.keyboard.press("Escape")
    bo.click("[data-do=draw]")
    bo.wait_for_selector(".rulings li:has-text('Bo nostaa 1 kortin')")
    expect(ann.locator(".rulings li").first).to_have_text(re.compile(r"^\s*Bo draws 1"))


def test_a_seat_is_freed_and_taken_by_another_phone(two: tuple[Any, Any], phone: Phone) -> None:
    ann, bo = two
    ann.click("nav a[href$='/host']")
    ann.click("summary:has-text('Let the others in')")
    code = ann.inner_text(".invite .code").replace(" ", "")
    ann.click("[data-do=free-2]")
    bo.wait_for_selector(".link:has-text('nemá')")
    ann.click("[data-do=new-code]")
    ann.wait_for_function("code => !document.body.innerText.includes(code)", arg=code[:4])
    stale = phone(f"/join?code={code}")
    stale.wait_for_selector(".notice:not(.none)")
    new = ann.inner_text(".invite .code").replace(" ", "")
    again = phone(f"/join?code={new}")
    take_seat(again, 2)
    again.click("[data-do=draw]")
    wait_for_hands(again, [7, 8])
    # Giving the seat up oneself frees it as well.
    again.goto("/")
    again.click(".mine button")
    again.click("[data-do=forget]")
    again.wait_for_selector(".mine", state="detached")
    ann.wait_for_selector(".taken li:nth-child(2) .tag:has-text('no phone')")
