"""Actions of players on the page."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import requests

from tests.e2e.server import Server
from tests.web.conftest import PATIENCE_MS, Phone


def expect(what: Any) -> Any:
    """Playwright's assertions about a page or a part of it: they wait until they hold."""
    from playwright import sync_api

    return sync_api.expect(what)


def comes_to(read: Callable[[], Any], wanted: Any) -> None:
    """Wait until what is read, from a page or from the server, is as it should be."""
    end = time.monotonic() + PATIENCE_MS / 1_000
    while (found := read()) != wanted and time.monotonic() < end:
        time.sleep(0.1)
    assert found == wanted


def settle(page: Any) -> None:
    """Wait until nothing moves or fades in any more; what follows scrolling never ends."""
    page.wait_for_function(
        "() => document.getAnimations().every((one) => one.timeline !== document.timeline"
        " || one.playState !== 'running')"
    )


def wait_until_sent(page: Any) -> None:
    """Wait until a phone at a table is connected, and the server has acknowledged all its taps."""
    page.wait_for_selector(".link:empty", state="attached")


def open_table(page: Any, deck: str, names: tuple[str, ...], *, score_only: bool = False) -> str:
    """Set up a table on the start page, the first name being the host's; return its join code."""
    page.click("[data-do=new]")
    page.check(f"input[value={deck}]")
    page.fill("#my-name", names[0])
    page.click(".setup .house summary")
    for number, name in enumerate(names[1:], 2):
        page.click("[data-do=more]")
        page.fill(f"#name-{number}", name)
    page.set_checked("[data-do=score-only]", score_only)
    page.click("[data-do=make]")
    code = page.inner_text(".invite .code")
    return str(code).replace(" ", "")


@dataclass(frozen=True)
class UnseenSeat:
    """A seat whose phone nobody looks at, and what that phone would have stored."""

    place: dict[str, Any]


def seated(
    phone: Phone,
    server: Server,
    deck: str,
    names: tuple[str, ...] = ("Ann", "Bo"),
    opening: str | None = "red-7",
    langs: tuple[str | None, ...] = ("en",),
    **more: Any,
) -> list[Any]:
    """Open a table over the API, with ``more`` of its own; return a phone for each language.

    The host's is the first. Where there is no language, nobody looks: a seat that `speak` and
    `place_of` alone are to know costs no page.
    """
    api = f"{server.url}/api/v1"
    made = _post(f"{api}/tables", {"ruleset": deck, "seats": names, **more})
    table, host = made["table"], made["token"]
    pages = []
    for seat, lang in enumerate(langs, 1):
        token = _post(f"{api}/join", {"code": table["code"], "seat": seat})["token"]
        path = f"{api}/tables/{table['id']}"
        if lang:
            spoken = requests.put(
                f"{path}/language", json={"language": lang}, headers=_bearer(token), timeout=60
            )
            assert spoken.status_code == 200, spoken.text
        place = {"table": table["id"], "ruleset": deck, "seat": {"seat": seat, "token": token}}
        if seat == 1:
            place |= {"host": host, "seats": names}
            if opening:
                _post(f"{path}/rounds", {"opening": [opening], "dealer": 1}, host)
        if lang:
            places = {table["id"]: {**place, "at": 0}}
            at = f"/t/{table['id']}"
            pages.append(phone(at, lang=lang, remembers={"places": places}))
        else:
            pages.append(UnseenSeat(place))
    for page in pages:
        if not isinstance(page, UnseenSeat):
            page.wait_for_selector(".board" if opening else ".lobby")
    return pages


def place_code(server: Server, page: Any) -> str:
    """Return the code of the table that a host's phone is at."""
    place = place_of(page)
    return str(server.ask("GET", f"/tables/{place['table']}", place["host"])["code"])


def _bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _post(url: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
    made = requests.post(url, json=body, headers=_bearer(token), timeout=60)
    assert made.status_code == 201, made.text
    return made.json()


def take_seat(page: Any, seat: int) -> None:
    """Take a seat on the join page."""
    page.click(f"[data-do=seat-{seat}]")
    page.wait_for_selector(".lobby, .board")


def pick(page: Any, card: str, color: str | None = None) -> None:
    """Tap a card in the open picker; where it splits wilds, the one in this colour."""
    page.wait_for_selector(".picker")
    tab = page.locator(f".picker .tab-{color_of(card)}")
    if tab.count() and tab.is_visible() and tab.get_attribute("aria-pressed") == "false":
        tab.click()
    corner = f" [data-do=in-{color}]" if color else ""
    page.click(f".picker [data-key='{card}']{corner}")


def color_of(card: str) -> str:
    """Return the colour under which the page has a card, "wild" for those without."""
    color = card.split("-")[0]
    return color if color in ("red", "yellow", "green", "blue") else "wild"


def start_round(page: Any, card: str) -> None:
    """Start a round with this first card."""
    page.click("[data-do=deal]")
    pick(page, card)
    page.click("[data-do=start]")
    page.wait_for_selector(".pile")


def play(page: Any, card: str, color: str | None = None, uno: bool = False) -> None:
    """Play a card, a wild in this colour."""
    # What can be done may still be what could be before the last tap.
    page.wait_for_selector(".choices[aria-busy=true]", state="detached")
    if uno:
        page.click("[data-do=uno]")
    page.click(f"[data-do=play], [data-do=play-{color_of(card)}]")
    pick(page, card, color)


def show_hand(page: Any, cards: tuple[str, ...]) -> None:
    """Reveal a hand card by card."""
    page.click("[data-do=reveal]")
    for card in cards:
        pick(page, card)
    page.click("[data-do=show]")


def hands(page: Any) -> list[int]:
    """Return everybody's number of cards as the page shows it."""
    return [int(text) for text in page.locator(".seat .count span[aria-hidden]").all_inner_texts()]


def wait_for_hands(page: Any, counts: list[int]) -> None:
    """Wait until the page shows these numbers of cards."""
    page.wait_for_function(
        """wanted => {
          const shown = document.querySelectorAll(".seat .count span[aria-hidden]");
          return JSON.stringify([...shown].map((one) => Number(one.textContent))) === wanted;
        }""",
        arg=str(counts).replace(" ", ""),
    )


def start_camera(page: Any) -> bool:
    """Start the camera, if the browser does not by itself; return whether that took a tap."""
    page.wait_for_selector("[data-do=start-camera], video.eye")
    # At once: the button may go while somebody looks at it.
    return page.evaluate(
        """() => {
          const button = document.querySelector("[data-do=start-camera]");
          button?.click();
          return Boolean(button);
        }"""
    )


def place_of(page: Any) -> dict[str, Any]:
    """Return what the phone has stored about its table: ids and tokens."""
    if isinstance(page, UnseenSeat):
        return page.place
    return page.evaluate(
        """() => JSON.parse(localStorage.getItem("referee.places"))[
          location.pathname.split("/")[2]]"""
    )


def speak(
    server: Server,
    page: Any,
    seat: int | None,
    path: str = "/moves",
    token: str | None = None,
    **body: Any,
) -> None:
    """Send a move with a phone's token without its page, or something else with another one."""
    place = place_of(page)
    said = body if seat is None else {"seat": seat, **body}
    path = f"{server.url}/api/v1/tables/{place['table']}{path}"
    _post(path, said, token or place["seat"]["token"])


def register(url: str, host: dict[str, Any], kind: str) -> "Device":
    """Register a camera or a board at the host's table."""
    path = f"{url}/api/v1/tables/{host['table']}"
    made = _post(f"{path}/devices", {"name": kind.title(), "kind": kind}, host["host"])
    return Device(path, made["token"])


class Device:
    """A registered device."""

    def __init__(self, path: str, token: str) -> None:
        self.path, self.token, self.number = path, token, 0

    def see(self, kind: str, **seen: Any) -> None:
        """Post an observation."""
        if kind == "pile":
            self.number += 1
            seen["number"] = self.number
        body = {"kind": kind, "at": "2026-11-21T10:00:00.000+00:00", **seen}
        _post(f"{self.path}/observations", body, self.token)
