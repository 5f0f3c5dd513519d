"""House rules that a table changes between rounds, and the time of a turn, on two phones."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import requests

from tests.e2e.server import Server
from tests.web.conftest import SMALL, Phone, Shoot
from tests.web.stage import expect, seated
from tests.web.test_access import violations

WALL = {"width": 1280, "height": 800}
SIDEWAYS = {"width": 740, "height": 360}
RESULT = {"result": {"out": 1, "hands": {"2": 5}}, "dealer": 1}


def host_of(page: Any, server: Server) -> tuple[str, dict[str, str]]:
    """Return a table's address and the headers of its host, from what the phone keeps."""
    (place,) = json.loads(page.evaluate("localStorage.getItem('referee.places')")).values()
    path = f"{server.url}/api/v1/tables/{place['table']}"
    return path, {"Authorization": f"Bearer {place['host']}"}


def table_of(path: str, headers: dict[str, str]) -> dict[str, Any]:
    return requests.get(path, headers=headers, timeout=60).json()


def waits(page: Any, seat: int, hands: int) -> None:
    """Wait until the table shows this many cards at a seat."""
    page.wait_for_function(
        "([at, count]) => document.querySelectorAll('.count-now')[at]?.textContent === count",
        arg=[seat - 1, str(hands)],
    )


def test_all_agree_to_other_house_rules(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo = seated(phone, server, "classic-112", opening=None, langs=("en", "de"))
    path, headers = host_of(ann, server)
    made = requests.post(f"{path}/rounds", json=RESULT, headers=headers, timeout=60)
    assert made.status_code == 201, made.text
    ann.click("[data-do=propose-rules]")
    ann.check("input[value=home]")
    shoot(ann, "propose-rules", SMALL, SIDEWAYS)
    ann.click("[data-do=send-proposal]")
    expect(ann.locator("[data-do=approval]")).to_contain_text("Still to approve: Bo")
    said = bo.inner_text("[data-do=approval]")
    assert said.startswith("Ann schlägt andere Hausregeln vor")
    assert bo.locator("[data-do^=approve-rules]").count() == 1
    assert ann.locator("[data-do^=approve-rules]").count() == 0
    assert bo.locator("[data-do=approval] .rule-list li").count() == 2
    shoot(bo, "approve-rules", SMALL, SIDEWAYS)
    assert violations(bo) == []
    yes = bo.locator("[data-do=approve-rules-2]").bounding_box()
    assert yes["height"] >= 48
    bo.click("[data-do=approve-rules-2]")
    for page, words in ((ann, "All have agreed"), (bo, "Alle haben zugestimmt")):
        page.locator("[data-do=approval]", has_text=words).wait_for()
    requests.post(f"{path}/rounds", json={"opening": ["red-7"]}, headers=headers, timeout=60)
    for page in (ann, bo):
        page.wait_for_selector(".seats")
        assert page.locator("[data-do=approval]").count() == 0
    assert table_of(path, headers)["house_code"] == "D1S1"


def test_a_player_proposes_a_single_rule(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo = seated(phone, server, "classic-112", opening=None, langs=("en", "en"))
    path, headers = host_of(ann, server)
    bo.click("[data-do=propose-rules]")
    assert bo.locator("[data-do=send-proposal]").is_disabled()
    bo.check("input[value=own]")
    # What is settled for the whole game, and who plays with whom, is not offered.
    expect(bo.locator("[data-do=rule-jump_in]")).to_have_count(1)
    assert bo.locator("#option-target, [name=way-scoring], [data-do=rule-teams]").count() == 0
    bo.check("[data-do=rule-jump_in]")
    shoot(bo, "propose-own", SMALL)
    bo.click("[data-do=send-proposal]")
    assert "Bo proposes" in ann.inner_text("[data-do=approval]")
    rules = ann.locator("[data-do=approval] .rule-list li > :last-child")
    assert rules.all_inner_texts() == [
        "Whoever holds the very card on top may lay it at once, out of turn."
    ]
    ann.click("[data-do=approve-rules-1]")
    bo.locator("[data-do=approval]", has_text="All have agreed").wait_for()
    assert table_of(path, headers)["house_proposal"]["house_code"] == "J1"


def test_what_waits_for_the_hosts_answer_is_in_view(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    names = ("Ann", "Bo", "Cy", "Di")
    ann, bo = seated(phone, server, "classic-112", names, opening=None, langs=("de", "en"))
    path, headers = host_of(ann, server)
    result = {"result": {"out": 1, "hands": {"2": 5, "3": 7, "4": 9}}, "dealer": 1}
    assert requests.post(f"{path}/rounds", json=result, headers=headers, timeout=60).ok
    bo.click("[data-do=propose-rules]")
    bo.check("input[value=home]")
    bo.click("[data-do=send-proposal]")
    ann.wait_for_selector("[data-do=approve-rules-1]")
    ann.wait_for_selector(".moment", state="detached")
    shoot(ann, "asked-for-rules", SMALL, SIDEWAYS)
    foot = ann.locator(".start-foot").bounding_box()
    for name in ("approve", "refuse"):
        box = ann.locator(f"[data-do={name}-rules-1]").bounding_box()
        assert box["y"] + box["height"] <= foot["y"], (box, foot)
    # The others follow below, once it is answered.
    for seat in (1, 3, 4):
        ann.click(f"[data-do=approve-rules-{seat}]")
    expect(bo.locator("[data-do=approval]")).to_contain_text("All have agreed")
    expect(ann.locator("main > .approval")).to_have_count(0)
    expect(ann.locator(".board-act .approval")).to_have_count(1)


def test_one_refusal_leaves_them(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "classic-112", opening=None, langs=("en", "en"))
    path, headers = host_of(ann, server)
    ann.click("[data-do=propose-rules]")
    ann.check("input[value=party]")
    ann.click("[data-do=send-proposal]")
    bo.click("[data-do=refuse-rules-2]")
    for page in (bo, ann):
        page.wait_for_selector("[data-do=approval]", state="detached")
    ann.wait_for_selector("[data-do=propose-rules]")
    assert table_of(path, headers)["house_proposal"] is None


def test_the_host_answers_for_who_has_no_phone(phone: Phone, server: Server) -> None:
    (ann,) = seated(phone, server, "classic-112", ("Ann", "Bo", "Cy"), opening=None)
    ann.click("[data-do=propose-rules]")
    ann.check("input[value=party]")
    ann.click("[data-do=send-proposal]")
    for seat in (2, 3):
        ann.click(f"[data-do=approve-rules-{seat}]")
    ann.locator("[data-do=approval]", has_text="All have agreed").wait_for()


def test_time_is_up_by_the_servers_clock(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo = seated(phone, server, "classic-112", opening=None, langs=("en", "de"))
    path, headers = host_of(ann, server)
    # What the clock of a phone says does not matter.
    for page, hours in ((ann, -3), (bo, 5)):
        page.clock.set_fixed_time(datetime.now(UTC) + timedelta(hours=hours))
    ann.click("[data-do=settings]")
    ann.select_option("#table-timer", "10")
    ann.select_option("#table-timer-then", "draw")
    shoot(ann, "timer-settings", SMALL)
    ann.keyboard.press("Escape")
    began = requests.post(
        f"{path}/rounds", json={"opening": ["red-7"], "dealer": 1}, headers=headers, timeout=60
    )
    assert began.status_code == 201, began.text
    for page in (ann, bo):
        page.wait_for_selector(".seat.on-turn .timer")
        expect(page.locator(".timer")).to_have_count(1)
        expect(page.locator(".timer-number")).to_have_text(re.compile(r"^([1-9]|10)$"))
    shoot(ann, "timer", SMALL, SIDEWAYS)
    # Nobody touches anything.
    for page in (ann, bo):
        waits(page, 2, 8)
    assert violations(ann) == []
    entries = requests.get(f"{path}/events", headers=headers, timeout=60).json()["items"]
    ups = [one for one in entries if one.get("move", {}).get("move") == "timeout"]
    assert ups[0]["ruling"]["rule"] == "house.timer"
    at = datetime.fromisoformat(ups[0]["at"]) - datetime.fromisoformat(began.json()["at"])
    assert 10 <= at.total_seconds() < 30
    assert len({one["number"] for one in ups}) == len(ups)


def test_the_wall_shows_whose_time_is_up(phone: Phone, server: Server, shoot: Shoot) -> None:
    (ann,) = seated(phone, server, "classic-112", opening=None)
    path, headers = host_of(ann, server)
    timer = {"timer": {"seconds": 10, "then": "say"}}
    assert requests.put(f"{path}/timer", json=timer, headers=headers, timeout=60).ok
    code = table_of(path, headers)["code"]
    wall = phone(f"/wall?code={code}", viewport=WALL)
    requests.post(
        f"{path}/rounds", json={"opening": ["red-7"], "dealer": 1}, headers=headers, timeout=60
    )
    wall.wait_for_selector(".wall-seat.on-turn .timer")
    shoot(wall, "wall-timer")
    wall.wait_for_selector(".wall-seat.on-turn .timer.up")
    wall.locator(".wall-event", has_text="Time is up for Bo.").wait_for()
    shoot(wall, "wall-time-up")
    ann.wait_for_selector(".timer.up")
    table = table_of(path, headers)
    assert table["timer"]["running"]["up"]
    assert table["state"]["turn"] == 2
