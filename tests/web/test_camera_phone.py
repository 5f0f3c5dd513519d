"""A phone as the table's camera, in a Chromium whose camera is a drawn film."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.films import write_film
from tests.web.stage import expect, place_of, seated, start_camera
from tests.web.test_access import violations

SEEN = {
    "state": "watching",
    "reason": None,
    "pile": [[0.55, 0.15], [0.75, 0.15], [0.75, 0.5], [0.55, 0.5]],
    "draw_pile": None,
    "card": "red-7",
    "sure": True,
    "busy": False,
    "advice": [],
    "frames_per_second": 8,
    "picture_every_s": 2.0,
}
BLIND = {**SEEN, "state": "blind", "reason": "no-pile", "pile": None, "card": None}
OTHER = {"type": "/problems/conflict", "title": "x", "status": 409}
NO_WATCHER = {"type": "/problems/no-watcher", "title": "x", "status": 503, "retry_after": 1}
TURN = """() => {
  const video = document.querySelector("video.eye");
  const canvas = Object.assign(document.createElement("canvas"), { width: 360, height: 640 });
  const context = canvas.getContext("2d");
  let drawn = 0;
  // Each picture differs from the one before, also where the video shows nothing any more.
  const draw = () => {
    context.drawImage(video, 0, 0, 360, 640);
    context.fillStyle = drawn++ % 2 ? "black" : "white";
    context.fillRect(0, 0, 8, 8);
  };
  setInterval(draw, 100);
  const stream = canvas.captureStream(10);
  navigator.mediaDevices.getUserMedia = async () => stream;
}"""
Json = dict[str, Any]


@dataclass(frozen=True)
class Frame:
    """A frame as it was sent."""

    captured: float
    sent: float
    still: bool
    pile: str | None
    size: int
    token: str
    phone: str
    take_over: bool


@dataclass
class Watcher:
    """A stand-in for what reads frames at the server: answers each in the same way."""

    says: Json = field(default_factory=lambda: dict(SEEN))
    status: int = 200
    frames: list[Frame] = field(default_factory=list)

    def answer(self, route: Any) -> None:
        """Note a frame, and answer it."""
        request = route.request
        said = {name: one for name, (one,) in parse_qs(urlsplit(request.url).query).items()}
        body = request.post_data_buffer or b""
        assert body.startswith(b"\xff\xd8") or not body
        token = request.headers["authorization"].removeprefix("Bearer ")
        still = said["still"] == "true"
        captured, sent = float(said["captured"]), float(said["sent"])
        who = said["phone"], "take_over" in said
        self.frames.append(Frame(captured, sent, still, said.get("pile"), len(body), token, *who))
        with suppress(Exception):
            route.fulfill(status=self.status, json=self.says)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pile with a card on it, upon which another one is laid."""
    path = tmp_path_factory.mktemp("film") / "pile.mjpeg"
    return write_film(path, [(6.0, "lay red-9")], pile=["red-7"])


@pytest.fixture
def watcher() -> Watcher:
    return Watcher()


@pytest.fixture
def filming(filming: Phone, watcher: Watcher) -> Phone:
    """The same before that watcher."""

    def open_page(path: str = "/", lang: str = "en", **more: Any) -> Any:
        return filming(path, lang, route=("**/frames?*", watcher.answer), **more)

    return open_page


def wait(page: Any, until: Callable[[], object], seconds: float = 120) -> None:
    """Wait until something holds, while the browser goes on."""
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it never came to that"
        page.wait_for_timeout(100)


def wait_for_rest(page: Any, watcher: Watcher) -> None:
    """Wait until no frames come any more; those on their way may."""

    def rests() -> bool:
        before = len(watcher.frames)
        page.wait_for_timeout(1_500)
        return len(watcher.frames) == before

    wait(page, rests)


def become_camera(page: Any) -> None:
    """Make the host's own phone the camera, and wait for its picture."""
    page.click("[data-do=settings]")
    page.click("dialog [data-do=camera]")
    start_camera(page)
    page.wait_for_selector("svg.sights")


def test_the_hosts_phone_is_the_camera(filming: Phone, server: Server, watcher: Watcher) -> None:
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    wait(page, lambda: sum(not one.still for one in watcher.frames) > 4)
    page.wait_for_selector(".eye-state >> text=On top: red 7")
    expect(page.locator(".sights.good polygon.pile")).to_have_count(1)
    watcher.says = {**SEEN, "sure": False}
    page.wait_for_selector(".eye-state.unsure >> text=On top, perhaps: red 7")
    expect(page.locator(".sights.good")).to_have_count(0)
    assert violations(page) == []
    token = place_of(page)["camera"]
    assert {one.token for one in watcher.frames} == {token}
    path = f"{server.url}/api/v1/tables/{place_of(page)['table']}"
    seen = requests.get(path, headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert seen.status_code == 200
    moved = requests.post(
        f"{path}/moves",
        json={"seat": 2, "move": "draw"},
        headers={"Authorization": f"Bearer {token}"},
        timeout=60,
    )
    assert moved.status_code == 403


def test_a_players_phone_asks_the_host_to_be_the_camera(
    filming: Phone, server: Server, watcher: Watcher
) -> None:
    ann, bo = seated(filming, server, "classic-108", langs=("en", "de"))
    ann.wait_for_selector("[data-do=draw], .board")
    bo.click("[data-do=settings]")
    bo.click("dialog [data-do=camera]")
    ann.wait_for_selector("[data-do=let-in-device]")
    assert "Bo would like to use their phone as the camera." in ann.inner_text(".let-in")
    assert ann.locator("[data-do=let-in-device]").get_attribute("aria-label")
    bo.wait_for_selector("[data-do=asking-for-camera] .code")
    assert bo.inner_text(".let-in .code") == ann.inner_text(".let-in .code")
    assert violations(ann) == violations(bo) == []
    ann.click("[data-do=refuse]")
    bo.wait_for_selector(".notice >> text=Die Spielleitung lässt dieses Handy nicht als Kamera zu.")
    bo.wait_for_selector("[data-do=asking-for-camera]", state="detached")
    # The seat is as it was.
    assert bo.locator("[data-do=play], .board").count()


def test_a_phone_that_only_watches_is_let_in_as_the_camera(
    filming: Phone, server: Server, watcher: Watcher
) -> None:
    [ann] = seated(filming, server, "classic-108")
    table, host = place_of(ann)["table"], place_of(ann)["host"]
    path = f"{server.url}/api/v1/tables/{table}"
    headers = {"Authorization": f"Bearer {host}"}
    code = requests.get(path, headers=headers, timeout=60).json()["code"]
    phone = filming(f"/join?code={code}")
    phone.click("[data-do=watch]")
    phone.click("[data-do=settings]")
    phone.click("dialog [data-do=camera]")
    # The host is elsewhere on the page, and answers by keyboard.
    ann.click("nav a[href$='/rules']")
    ann.focus("[data-do=let-in-device] [data-do=agree]")
    assert "A phone would like to be the camera." in ann.inner_text(".let-in")
    ann.keyboard.press("Enter")
    phone.wait_for_url(f"**/t/{table}/camera")
    start_camera(phone)
    phone.wait_for_selector("svg.sights")
    wait(phone, lambda: any(one.still for one in watcher.frames))
    [device] = requests.get(f"{path}/devices", headers=headers, timeout=60).json()["items"]
    assert (device["kind"], device["revoked"]) == ("camera", False)


def test_frames_follow_movement(filming: Phone, server: Server, watcher: Watcher) -> None:
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    wait(page, lambda: len(watcher.frames) > 80)
    # Of two that are on their way at once, a busy browser may tell in either order.
    frames = sorted(watcher.frames, key=lambda one: one.sent)
    captured = [one.captured for one in frames]
    assert captured == sorted(captured)
    assert all(one.still == (one.size == 0) for one in frames)
    assert all(one.size <= 512 * 1024 for one in frames)
    # At rest a sign of life, while the hand moves pictures; never more than are wanted.
    gaps = [later - before for before, later in pairwise(captured)]
    assert sum(gap > 1_000 for gap in gaps) <= len(gaps) // 20
    pictures = [one.captured for one in frames if not one.still]
    assert 5 < len(pictures) < len(frames) - 5
    ahead = zip(pictures, pictures[9:], strict=False)
    assert min(later - before for before, later in ahead) > 9 * 1_000 / 8 - 150


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("NotSupportedError", "The browser did not open the camera."),
        ("NotReadableError", "Another app is using the camera."),
    ],
)
def test_why_a_camera_does_not_open_is_not_guessed(
    filming: Phone, server: Server, watcher: Watcher, error: str, said: str
) -> None:
    [page] = seated(filming, server, "classic-108")
    page.evaluate(
        """name => {
          const refuse = async () => { throw new DOMException("no", name) };
          navigator.mediaDevices.getUserMedia = refuse;
        }""",
        error,
    )
    page.click("[data-do=settings]")
    page.click("dialog [data-do=camera]")
    start_camera(page)
    expect(page.locator(".camera-screen [role=alert]")).to_contain_text(said)


def test_where_another_phone_is_the_camera_this_one_may_take_over(
    filming: Phone, server: Server, watcher: Watcher
) -> None:
    [page] = seated(filming, server, "classic-108")
    watcher.says, watcher.status = OTHER, 409
    page.click("[data-do=settings]")
    page.click("dialog [data-do=camera]")
    start_camera(page)
    warning = page.locator(".camera-screen [role=alert]")
    expect(warning).to_have_text("Another phone is this table’s camera.")
    # Nothing of what the other one sees, and nothing more is sent.
    assert not page.locator("video.eye, svg.sights, .eye-state").count()
    assert violations(page) == []
    before = len(watcher.frames)
    page.wait_for_timeout(1_500)
    assert len(watcher.frames) == before
    watcher.says, watcher.status = SEEN, 200
    page.click("[data-do=take-over]")
    page.wait_for_selector("svg.sights")
    wait(page, lambda: len(watcher.frames) > before + 3)
    asked, *later = watcher.frames[before:]
    assert asked.take_over
    assert not later[-1].take_over
    # The same tab is the same camera, also after a reload: nothing to confirm. Another one is not.
    page.reload()
    start_camera(page)
    page.wait_for_selector("svg.sights")
    assert len({one.phone for one in watcher.frames}) == 1
    other = page.context.new_page()
    other.route("**/frames?*", watcher.answer)
    other.goto(page.url)
    start_camera(other)
    other.wait_for_selector("svg.sights")
    wait(other, lambda: len({one.phone for one in watcher.frames}) == 2)
    other.close()
    # Then the other one takes over.
    watcher.says, watcher.status = OTHER, 409
    expect(warning).to_have_text("Another phone is this table’s camera.")


def test_another_phone_by_a_link(
    filming: Phone, phone: Phone, server: Server, watcher: Watcher
) -> None:
    [host] = seated(phone, server, "classic-108")
    asked: list[str] = []
    host.on("request", lambda request: asked.append(request.url))
    host.goto(f"{host.url}/host")
    host.click("summary >> text=Camera and board")
    host.click("[data-do=camera-link]")
    address = host.inner_text(".ask-card .pass")
    host.wait_for_function("() => document.querySelector('.ask-card .qr')?.naturalWidth > 20")
    # What is to be scanned is seen without scrolling.
    host.wait_for_function(
        "() => { const box = document.querySelector('.to-scan .qr').getBoundingClientRect();"
        " return box.top >= 0 && box.bottom <= innerHeight }"
    )
    token = address.partition("#camera=")[2]
    assert re.fullmatch(r"[\w-]{40,}", token)
    assert host.evaluate("document.documentElement.scrollWidth <= innerWidth")

    spare = filming("/")
    spare.on("request", lambda request: asked.append(request.url))
    spare.goto(address)
    # The browser has been allowed the camera: it begins by itself, without a tap.
    spare.wait_for_selector("svg.sights")
    wait(spare, lambda: watcher.frames)
    assert spare.evaluate("location.hash") == ""
    assert not any(token in url.partition("#")[0] for url in asked)
    assert spare.locator("nav a[href$='/host']").count() == 0

    # The host takes it away again.
    host.click("[data-do=revoke-link]")
    host.wait_for_selector("[data-do=camera-link]")
    watcher.status, watcher.says = 401, {"type": "/problems/unauthorized", "status": 401}
    spare.wait_for_selector("main >> text=not the camera")
    wait_for_rest(spare, watcher)


def test_where_the_pile_lies_can_be_tapped(
    filming: Phone, server: Server, watcher: Watcher
) -> None:
    watcher.says = {**BLIND, "advice": ["dark", "shakes", "of-tomorrow"]}
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    page.wait_for_selector(".eye-state >> text=tap the pile in the picture")
    expect(page.locator(".advice li")).to_have_text(
        ["Too dark. Switch a lamp on.", "The camera shakes. Fasten it, away from the table."]
    )
    box = page.locator(".eye-box").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.25)
    wait(page, lambda: watcher.frames[-1].pile)
    told = [float(share) for share in str(watcher.frames[-1].pile).split(",")]
    assert told == pytest.approx([0.7, 0.25], abs=0.01)
    page.click("[data-do=middle]")
    wait(page, lambda: watcher.frames[-1].pile == "0.5000,0.5000")
    before = page.locator("[data-do=dim]").bounding_box()
    watcher.says = dict(SEEN)
    page.wait_for_selector(".sights.good")
    # Nothing moves under a finger that is on its way.
    assert page.locator("[data-do=dim]").bounding_box() == before
    expect(page.locator("[data-do=middle]")).to_be_disabled()
    wait(page, lambda: watcher.frames[-1].pile is None)


def test_nobody_reads_the_frames_for_a_while(
    filming: Phone, server: Server, watcher: Watcher
) -> None:
    watcher.status, watcher.says = 503, NO_WATCHER
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    page.wait_for_selector(".eye-state >> text=The camera waits")
    # It asks again now and then only.
    before = len(watcher.frames)
    page.wait_for_timeout(3_000)
    assert len(watcher.frames) - before <= 4
    watcher.status, watcher.says = 200, dict(SEEN)
    page.wait_for_selector(".eye-state >> text=On top: red 7")


def test_a_reloaded_tab_goes_on_by_itself(filming: Phone, server: Server, watcher: Watcher) -> None:
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    wait(page, lambda: watcher.frames)
    page.reload()
    watcher.frames.clear()
    page.wait_for_selector(".eye-state >> text=On top: red 7")
    wait(page, lambda: watcher.frames)


def test_another_screen_lets_go_of_the_camera(
    filming: Phone, server: Server, watcher: Watcher
) -> None:
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    page.click("nav.tabbar a >> nth=0")
    page.wait_for_selector(".board")
    wait_for_rest(page, watcher)
    before = len(watcher.frames)
    page.click("[data-do=settings]")
    page.click("dialog [data-do=camera]")
    wait(page, lambda: len(watcher.frames) > before)


def test_a_dark_screen_looks_on(filming: Phone, server: Server, watcher: Watcher) -> None:
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    # Before the pile is found there is one more button above this one.
    page.wait_for_selector(".eye-state >> text=On top: red 7")
    page.click("[data-do=dim]")
    page.wait_for_selector(".curtain")
    before = len(watcher.frames)
    wait(page, lambda: len(watcher.frames) > before + 3)
    page.click(".curtain")
    page.wait_for_selector(".curtain", state="detached")


def test_a_turned_phone_shows_what_is_seen_elsewhere(
    filming: Phone, server: Server, watcher: Watcher
) -> None:
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    expect(page.locator("svg.sights")).to_have_attribute("viewBox", "0 0 1280 720")
    page.evaluate(TURN)
    page.click("[data-do=stop-camera]")
    page.click("[data-do=start-camera]")
    page.wait_for_selector("svg.sights[viewBox='0 0 360 640']")
    before = len(watcher.frames)
    wait(page, lambda: any(one.size for one in watcher.frames[before:]))


def test_without_https_the_page_says_what_is_missing(filming: Phone, server: Server) -> None:
    [page] = seated(filming, server, "classic-108")
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.reload()
    page.click("[data-do=settings]")
    page.click("dialog [data-do=camera]")
    page.wait_for_selector("main pre >> text=make home")
    assert page.locator("[data-do=start-camera]").count() == 0


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (None, "Other phones cannot reach this server"),
        ("http://192.168.1.2:8000", "this link is HTTP"),
        ("https://192.168.1.2:8443", None),
    ],
)
def test_a_link_that_makes_no_phone_the_camera_says_so(
    phone: Phone, server: Server, there: str | None, said: str | None
) -> None:
    [host] = seated(phone, server, "classic-108")
    told = {"origin": there, "announced": False}
    host.route("**/origin.json", lambda route: route.fulfill(json=told))
    host.goto(f"{host.url}/host")
    host.click("summary >> text=Camera and board")
    host.click("[data-do=camera-link]")
    host.wait_for_selector(".to-scan .pass" if said is None else f".to-scan .warn >> text={said}")
    assert host.locator(".to-scan .warn").count() == (said is not None)


def test_whoever_resigns_is_no_camera_any_more(filming: Phone, server: Server) -> None:
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    token, table = place_of(page)["camera"], place_of(page)["table"]
    page.click("[data-do=end-camera]")
    page.wait_for_selector("main >> text=not the camera")
    path = f"{server.url}/api/v1/tables/{table}"
    seen = requests.get(path, headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert seen.status_code == 401


def test_what_is_old_after_a_lost_network_is_dropped(
    filming: Phone, server: Server, watcher: Watcher
) -> None:
    [page] = seated(filming, server, "classic-108")
    become_camera(page)
    wait(page, lambda: watcher.frames)
    # The stand-in is not in the network: it has to be out of reach, too.
    page.context.unroute("**/frames?*")
    lost = []

    def refuse(route: Any) -> None:
        lost.append(float(parse_qs(urlsplit(route.request.url).query)["captured"][0]))
        route.abort("internetdisconnected")

    page.context.route("**/frames?*", refuse)
    page.context.set_offline(True)
    page.wait_for_selector(".eye-state >> text=No connection")
    assert page.locator(".advice").count() == 0
    wait(page, lambda: lost[-1] - lost[0] > 8_000)
    watcher.frames.clear()
    page.context.unroute("**/frames?*")
    page.context.route("**/frames?*", watcher.answer)
    page.context.set_offline(False)
    page.wait_for_selector(".eye-state >> text=On top: red 7")
    # What is old is dropped; what comes is as it is now.
    assert all(one.sent - one.captured < 6_000 for one in watcher.frames)


MOVEMENT = """async () => {
  const { motionSense, WIDTH, HEIGHT } = await import("/page/js/camera/motion.js");
  let seed = 7;
  const random = () => ((seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31);
  const table = Array.from({ length: WIDTH * HEIGHT }, (_, i) => 60 + ((i * 37) % 90));
  const noise = (much) => (random() + random() + random() - 1.5) * much * 2;
  const nothing = () => 0;
  const picture = (much, lamp = 0, change = nothing) =>
    Uint8Array.from(table, (light, i) => {
      const changed = change(i % WIDTH, Math.floor(i / WIDTH));
      return Math.max(0, Math.min(255, light + lamp + changed + noise(much)));
    });
  const card = (left, top, much) => (x, y) =>
    x >= left && x < left + 9 && y >= top && y < top + 13 ? much : 0;
  const settled = (much) => {
    const sense = motionSense();
    for (let i = 0; i < 60; i++) sense.look(picture(much));
    sense.settle();
    return sense;
  };
  const places = [[3, 5], [77, 41], [148, 74]];
  const found = {};
  for (const much of [1, 4, 8]) {
    const still = settled(much);
    const looks = Array.from({ length: 200 }, () => still.look(picture(much)));
    found[`noise ${much}`] = looks.filter(Boolean).length;
    const lit = settled(much);
    const lamps = [4, 8, 12, 8].map((more) => lit.look(picture(much, more)));
    found[`lamp ${much}`] = lamps.filter(Boolean).length;
    const cards = places.map(([x, y]) => settled(much).look(picture(much, 0, card(x, y, 60))));
    found[`card ${much}`] = cards.filter(Boolean).length;
  }
  const slow = settled(1);
  const steps = Array.from({ length: 30 }, (_, i) => slow.look(picture(1, 0, card(70, 40, i))));
  found.slow = steps.some(Boolean);
  return found;
}"""


def test_movement_is_told_from_noise_and_light(phone: Phone) -> None:
    page = phone("/")
    found = page.evaluate(MOVEMENT)
    assert found.pop("slow") is True
    for what, count in found.items():
        assert count == (3 if what.startswith("card") else 0), found
