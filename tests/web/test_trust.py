"""Trusting the house: what a phone has that trusts it, and what one is shown that does not."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.e2e.home import HomeServer
from tests.web.conftest import CHROMIUM, LARGE, SMALL, phones
from tests.web.stage import open_table

NAME = "referee.local"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
LONG = ["de", "hu", "fi", "ru"]
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HomeServer]:
    with HomeServer(tmp_path_factory.mktemp("house") / "home") as server:
        yield server


def launched(browser: Any, home: Path) -> Any:
    """Start another Chromium, with a home of its own, where it keeps whom it trusts."""
    return browser.browser_type.launch(
        executable_path=CHROMIUM, args=FLAGS, env={**os.environ, "HOME": str(home)}
    )


@pytest.fixture(scope="module")
def guest(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser that trusts no house."""
    running = launched(browser, tmp_path_factory.mktemp("guest"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def family(
    browser: Any, house: HomeServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """A browser that trusts the house, as its owner installed the certificate."""
    certutil = shutil.which("certutil")
    if certutil is None:
        pytest.skip("certutil is not installed (libnss3-tools)")
    home = tmp_path_factory.mktemp("family")
    database = home / ".pki" / "nssdb"
    database.mkdir(parents=True)
    for flags in (
        ["-N", "--empty-password"],
        ["-A", "-n", "house", "-t", "C,,", "-i", str(house.certificate)],
    ):
        subprocess.run([certutil, "-d", f"sql:{database}", *flags], check=True)
    running = launched(browser, home)
    yield running
    running.close()


@pytest.fixture
def visit(faults: list[str]) -> Iterator[Open]:
    """Open an address in a browser; its errors go to ``faults``."""
    with phones(faults) as open_page:
        yield lambda browser, address, lang="en", **more: open_page(
            browser, address, locale=lang, **more
        )


def plain(house: HomeServer) -> str:
    return house.url.replace("127.0.0.1", NAME)


def safe(house: HomeServer) -> str:
    return f"https://{NAME}:{house.secure_port}"


def test_a_phone_that_trusts_the_house_has_all_of_its_browser(
    family: Any, house: HomeServer, visit: Open
) -> None:
    # Without a screen, Chromium has to be allowed to keep it on.
    allowed = {"permissions": ["camera", "screen-wake-lock"], "service_workers": "allow"}
    page = visit(family, f"{safe(house)}/", **allowed)
    page.wait_for_selector("[data-do=new]")
    assert page.evaluate("isSecureContext")
    assert page.evaluate("navigator.serviceWorker.ready.then((one) => one.scope)") == (
        f"{safe(house)}/"
    )
    picture = """navigator.mediaDevices.getUserMedia({ video: true }).then((stream) => {
        const [track] = stream.getVideoTracks();
        const { width } = track.getSettings();
        track.stop();
        return width;
    })"""
    assert page.evaluate(picture) > 0
    assert page.evaluate("navigator.wakeLock.request('screen').then((lock) => lock.type)") == (
        "screen"
    )


def test_without_trust_the_browser_has_none_of_it(
    guest: Any, house: HomeServer, visit: Open
) -> None:
    page = visit(guest, f"{plain(house)}/")
    page.wait_for_selector("[data-do=new]")
    assert page.evaluate(
        "[isSecureContext, 'mediaDevices' in navigator, 'serviceWorker' in navigator]"
    ) == [False, False, False]
    with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
        page.goto(f"{safe(house)}/")


def test_a_guest_who_scans_plays_at_once(guest: Any, house: HomeServer, visit: Open) -> None:
    host = visit(guest, f"{plain(house)}/")
    code = open_table(host, "classic-108", ("Ann", "Bo"))
    page = visit(guest, f"{plain(house)}/trust?to=/join%3Fcode%3D{code}")
    page.wait_for_selector("[data-do=seat-2]")
    assert page.url == f"{plain(house)}/join?code={code}"
    page.click("[data-do=seat-2]")
    page.wait_for_selector(".lobby")


def test_a_guest_does_not_wait_for_a_door_that_never_answers(
    guest: Any, house: HomeServer, visit: Open
) -> None:
    """As where a firewall swallows what is sent to the port of HTTPS."""
    page = visit(guest, f"{plain(house)}/")
    page.wait_for_selector("[data-do=new]")
    asked = []
    page.context.route(f"{safe(house)}/**", lambda route: asked.append(route.request.url))
    page.goto(f"{plain(house)}/trust?to=/rules")
    page.wait_for_url(f"{plain(house)}/rules")
    assert asked == [f"{safe(house)}/health"]


def test_one_of_the_family_who_scans_goes_on_protected(
    family: Any, house: HomeServer, visit: Open
) -> None:
    page = visit(family, f"{plain(house)}/trust?to=/join%3Fcode%3DABCDEF23")
    page.wait_for_url(f"{safe(house)}/join?code=ABCDEF23")
    page = visit(family, f"{plain(house)}/trust?to=/t/abcd#camera=secret")
    page.wait_for_url(f"{safe(house)}/t/abcd#camera=secret")


@pytest.mark.parametrize(
    "to", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_nobody_is_led_elsewhere(family: Any, house: HomeServer, visit: Open, to: str) -> None:
    page = visit(family, f"{plain(house)}/trust?to={requests.utils.quote(to, safe='')}")
    page.wait_for_selector("[data-do=protected]")
    assert page.url.startswith(plain(house))


def test_what_a_phone_has_comes_along(family: Any, house: HomeServer, visit: Open) -> None:
    """Browsers keep apart what a page remembers over HTTP and over HTTPS."""
    page = visit(family, f"{plain(house)}/")
    open_table(page, "classic-108", ("Ann", "Bo"))
    table = page.url.rpartition("/t/")[2]
    page.goto(f"{plain(house)}/trust")
    page.click("[data-do=protected]")
    page.click("[data-do=take]")
    page.wait_for_selector(".lobby")
    assert page.url == f"{safe(house)}/t/{table}"
    assert "#" not in page.url


def test_the_way_to_the_guide_is_where_something_is_missing(
    guest: Any, house: HomeServer, visit: Open, shoot: Callable[..., None]
) -> None:
    page = visit(guest, f"{plain(house)}/")
    open_table(page, "classic-108", ("Ann", "Bo"))
    page.click("[data-do=settings]")
    page.click("[data-do=trust]")
    page.wait_for_selector(".fingerprint")
    assert (
        page.inner_text(".fingerprint")
        == requests.get(f"{house.url}/origin.json", timeout=60).json()["fingerprint"]
    )
    shoot(page, "trust", SMALL, LARGE)
    with page.expect_download() as got:
        page.click("[data-do=certificate]")
    assert got.value.suggested_filename == "referee-at-home.crt"
    page.click("[data-do=again]")
    page.wait_for_selector("[data-do=again]")
    page.click("[data-do=without]")
    page.wait_for_selector("[data-do=new]")


@pytest.mark.parametrize("agent", ["iPhone", "Android", "X11"])
def test_the_steps_of_ones_own_phone_are_open(
    guest: Any, house: HomeServer, visit: Open, agent: str
) -> None:
    page = visit(guest, f"{plain(house)}/trust", user_agent=f"Mozilla/5.0 ({agent})")
    page.wait_for_selector(".fingerprint")
    summaries = page.locator("details[open] > summary").all_inner_texts()
    expected = {"iPhone": "iPhone and iPad", "Android": "Android phones and tablets"}
    assert summaries == [expected.get(agent, "On a computer")]


@pytest.mark.parametrize("lang", LONG)
def test_the_guide_fits_a_small_phone_in_large_letters(
    guest: Any, house: HomeServer, visit: Open, lang: str
) -> None:
    page = visit(guest, f"{plain(house)}/trust", lang)
    page.evaluate("localStorage.setItem('referee.size', '200')")
    page.reload()
    page.wait_for_selector(".fingerprint")
    for summary in page.locator("summary").all():
        if not summary.evaluate("(one) => one.parentElement.open"):
            summary.click()
    wide = """[...document.querySelectorAll("body *")]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
        .map((one) => one.outerHTML.slice(0, 100))"""
    assert page.evaluate(wide) == []


def test_a_server_without_https_says_so(server: Any, guest: Any, visit: Open) -> None:
    page = visit(guest, f"{server.url.replace('127.0.0.1', NAME)}/trust")
    page.wait_for_selector("text=make home")
