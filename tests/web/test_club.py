"""A club evening on the page: the organiser's phone, a player's, and a TV."""

import json
from typing import Any

import pytest
import requests

from tests.e2e.server import Server
from tests.web.conftest import LARGE, SMALL, Phone, Shoot
from tests.web.stage import expect
from tests.web.test_access import overflowing, violations

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Maximiliane")


def open_evening(page: Any) -> None:
    """Open an evening on the page."""
    page.goto("/club")
    page.fill("#club-name", "Tuesday")
    page.fill("#club-players", "\n".join(NAMES))
    assert page.is_checked("#club-finish-target")
    page.fill("#club-minutes", "30")
    assert page.is_checked("#club-finish-time")
    page.check("#club-deck-classic-112")
    page.click("[data-do=open-club]")
    page.wait_for_selector("[data-do=draw]")


def sit_down(phone: Phone, server: Server, table: dict[str, Any], seat: int) -> Any:
    """Join a table with a seat's phone."""
    api = f"{server.url}/api/v1"
    joined = requests.post(
        f"{api}/join", json={"code": table["invitation"], "seat": seat}, timeout=60
    ).json()
    own = {"seat": seat, "token": joined["token"]}
    place = {"table": table["table_id"], "ruleset": "classic-112", "seat": own, "at": 0}
    places = {table["table_id"]: place}
    return phone(f"/t/{table['table_id']}", remembers={"places": places})


@pytest.mark.parametrize("lang", ["de", "fi", "hu"])
def test_no_choice_is_cut(phone: Phone, lang: str) -> None:
    page = phone("/club", lang=lang)
    page.wait_for_selector("#club-deck-moomin")
    assert overflowing(page) == []
    page.evaluate(
        "document.querySelectorAll('select').forEach((one) => (one.style.width = 'auto'))"
    )
    room = page.locator("form").evaluate("form => form.clientWidth")
    for choice in page.locator("select").all():
        assert choice.evaluate("one => one.getBoundingClientRect().width") <= room


def test_an_evening_on_the_page(phone: Phone, server: Server) -> None:
    page = phone()
    open_evening(page)
    page.click("[data-do=draw]")
    page.click("[data-do=start]")
    page.wait_for_selector("[data-do=code-1]")
    # Nobody has played: the draw can be taken back.
    page.click("[data-do=take-back]")
    page.click("[data-do=send]")
    page.click("[data-do=draw]")
    page.click("[data-do=start]")
    page.wait_for_selector("[data-do=code-1]")
    kept = json.loads(page.evaluate("localStorage['referee.clubs']"))[0]
    tables = requests.get(
        f"{server.url}/api/v1/tournaments/{kept['id']}",
        headers={"Authorization": f"Bearer {kept['token']}"},
        timeout=60,
    ).json()["present"]["tables"]
    player = sit_down(phone, server, tables[0], 1)
    player.wait_for_selector(".club-left")

    # Ending all games stands last, and asks first.
    assert page.locator(".club button").last.get_attribute("data-do") == "end"
    page.click("[data-do=end]")
    page.wait_for_selector("dialog [data-do=send]")
    page.keyboard.press("Escape")
    expect(page.locator(".tag.is-drawn")).to_have_count(len(tables))

    # Who sits down plays there: nobody else is needed to begin.
    player.wait_for_selector("[data-do=dealer-1], [data-do=deal], :text('whoever deals')")
    # The organiser types the results in; one is for the players to confirm.
    page.click("[data-do=enter-2]")
    assert page.input_value("#score-0") == ""
    assert page.is_disabled("[data-do=send]")
    for seat, score in enumerate((40, 30, 20, 10)):
        page.fill(f"#score-{seat}", str(score))
    page.click("[data-do=send]")
    page.wait_for_selector("[data-table='2'] .tag.is-confirmed")
    assert page.locator("[data-do=take-back]").count() == 0
    path = f"{server.url}/api/v1/tournaments/{kept['id']}/rounds/1/tables/1/result"
    entered = requests.put(
        path,
        json={"scores": [7, 5, 3, 0], "decided": False},
        headers={"Authorization": f"Bearer {kept['token']}"},
        timeout=60,
    )
    assert entered.status_code == 200
    player.click("[data-do=disagree]")
    player.fill("#why-not", "I had 9.")
    player.click("[data-do=send]")
    player.wait_for_selector("[data-do=agree]")
    page.wait_for_selector("text=I had 9.")
    page.click("[data-do=confirm-1]")
    page.wait_for_selector("[data-do=draw]")
    first = page.inner_text(".club-standings tbody tr:first-child")
    assert first.split()[2] == "4"
    player.wait_for_selector(".club-at-table [role=status]")

    # The player's phone leads on to the next round's table, and everybody finds the codes.
    page.click("[data-do=draw]")
    page.click("[data-do=start]")
    page.click("[data-do=codes]")
    expect(page.locator(".club-codes .code")).to_have_count(len(tables))
    page.keyboard.press("Escape")
    player.wait_for_selector(".club-next")
    name = tables[0]["seats"][0]["name"]
    seats = page.locator("[data-table]").filter(has_text=name)
    number = seats.get_attribute("data-table")
    expect(player.locator(".club-next h2")).to_have_text(f"Your next table: {number}")
    player.click("[data-do=evening]")
    player.wait_for_selector(".club-standings")
    fits = "(box) => box.scrollWidth <= box.clientWidth"
    assert player.locator(".scroll", has=player.locator(".club-standings")).evaluate(fits)

    # Everybody may look, and only the organiser acts.
    watching = phone(f"/club/{kept['id']}")
    watching.wait_for_selector(".club-standings")
    assert watching.locator("[data-do=draw]").count() == 0

    # With a link somebody else organises as well.
    page.click("[data-do=player-1]")
    page.click("[data-do=rename]")
    page.fill("#new-name", "Anna")
    page.click("[data-do=send]")
    watching.wait_for_selector("text=Anna")
    page.click("[data-do=organiser]")
    page.click("[data-do=make-link]")
    link = page.input_value("#organiser-link")
    second = phone(f"/club/{kept['id']}#{link.split('#')[1]}")
    second.wait_for_selector("[data-do=organiser]")
    assert "#" not in second.url


def test_a_table_that_plays_knows_whom_to_call_and_that_its_result_was_entered(
    phone: Phone, server: Server
) -> None:
    api = f"{server.url}/api/v1"
    new = {"name": "Tuesday", "ruleset": "classic-112", "players": NAMES[:3], "rounds": 1}
    made = requests.post(f"{api}/tournaments", json=new, timeout=60).json()
    path = f"/tournaments/{made['tournament']['id']}/rounds"

    def send(method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        head = {"Authorization": f"Bearer {made['token']}"}
        answer = requests.request(method, f"{api}{path}", json=body, headers=head, timeout=60)
        assert answer.ok, answer.text
        found: dict[str, Any] = answer.json()
        return found

    send("POST", path, {})
    (table,) = send("POST", f"{path}/1/start", {})["tables"]
    send("POST", f"/tables/{table['table_id']}/rounds", {"dealer": 1, "opening": ["red-7"]})
    player = sit_down(phone, server, table, 1)
    name = table["seats"][1]["name"]
    player.wait_for_selector(f".club-at-table .ask:has-text('{name}')")
    assert player.locator(".club-at-table .warn").count() == 0
    send("PUT", f"{path}/1/tables/1/result", {"scores": [7, 5, 3]})
    player.wait_for_selector(".club-at-table .warn:has-text('instead of this game')")


def test_the_wall_turns_its_pages_and_ends_with_the_winner(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    api = f"{server.url}/api/v1/tournaments"
    names = [f"Player {number}" for number in range(1, 21)]
    new = {"name": "Tuesday", "ruleset": "classic-112", "players": names, "rounds": 1}
    made = requests.post(api, json=new, timeout=60).json()
    rounds = f"{api}/{made['tournament']['id']}/rounds"
    head = {"Authorization": f"Bearer {made['token']}"}
    assert requests.post(rounds, json={}, headers=head, timeout=60).ok
    wall = phone(f"/club/{made['tournament']['id']}/wall", viewport=LARGE)
    shown: list[str] = []
    for turn, rows in enumerate((14, 6)):
        wall.evaluate(f"Date.now = () => {turn * 10_000}")
        wall.wait_for_function(
            f"() => document.querySelectorAll('.club-ranks li').length === {rows}"
        )
        shown += wall.locator(".club-ranks .seat-name").all_inner_texts()
    assert sorted(shown) == sorted(names)
    shoot(wall, "club-wall-page")
    picture = requests.get(server.url + wall.get_attribute(".qr", "src"), timeout=60)
    assert picture.headers["Content-Type"].startswith("image/svg+xml")

    started = requests.post(f"{rounds}/1/start", json={}, headers=head, timeout=60).json()
    for table in started["tables"]:
        first, *_ = table["seats"]
        scores = {"scores": [table["table"] * 10, 3, 2, 1]}
        path = f"{rounds}/1/tables/{table['table']}/result"
        assert requests.put(path, json=scores, headers=head, timeout=60).ok
    wall.wait_for_selector(".club-winner")
    shoot(wall, "club-wall-over")
    assert first["name"] in wall.inner_text(".club-winner h2")
    assert wall.locator(".club-seating").count() == 0


@pytest.mark.parametrize(("lang", "scheme"), [("fi", "light")])
def test_nobody_is_kept_out_of_a_club_evening(
    phone: Phone, shoot: Shoot, lang: str, scheme: str
) -> None:
    page = phone("/club", lang=lang, color_scheme=scheme, viewport=SMALL)
    page.wait_for_selector("#club-name")
    check(page, shoot, "club-new")
    open_evening(page)
    page.click("[data-do=draw]")
    page.click("[data-do=start]")
    page.wait_for_selector("[data-do=code-1]")
    check(page, shoot, "club")
    page.click("[data-do=enter-1]")
    check(page, shoot, "club-enter")
    page.keyboard.press("Escape")
    page.click("[data-do=codes]")
    check(page, shoot, "club-codes")
    page.keyboard.press("Escape")
    page.click("[data-do=organiser]")
    page.click("[data-do=make-link]")
    page.wait_for_selector("#organiser-link")
    check(page, shoot, "club-organiser")
    page.keyboard.press("Escape")
    page.click("[data-do=share]")
    check(page, shoot, "club-share")
    page.keyboard.press("Escape")
    page.click("[data-do=wall]")
    page.wait_for_selector(".club-wall .club-time")
    page.set_viewport_size(LARGE)
    check(page, shoot, "club-wall")


def check(page: Any, shoot: Shoot, name: str) -> None:
    """Look for what keeps people out, also at twice the size of text."""
    page.wait_for_selector("[aria-busy=true]", state="detached")
    shoot(page, name)
    assert violations(page) == [], name
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    shoot(page, f"{name}-200%")
    assert overflowing(page) == [], name
    page.evaluate("document.documentElement.style.fontSize = ''")
