"""What people do with the page, in words of the table; selectors are what people see or hear."""

from typing import Any

import requests


def open_table(page: Any, deck: str, names: tuple[str, ...]) -> str:
    """Set a table up from the start page; its join code."""
    page.click("[data-do=new]")
    page.check(f"input[value={deck}]")
    while page.locator(".seat-field").count() < len(names):
        page.click("[data-do=more]")
    while page.locator(".seat-field").count() > len(names):
        page.click("[data-do=fewer]")
    for number, name in enumerate(names, 1):
        page.fill(f"#name-{number}", name)
    page.click("[data-do=make]")
    code = page.inner_text(".invite .code")
    return str(code).replace(" ", "")


def take_seat(page: Any, seat: int) -> None:
    """From the page that a scanned code opens to the table."""
    page.click(f"[data-do=seat-{seat}]")
    page.wait_for_selector(".lobby, .board")


def pick(page: Any, card: str) -> None:
    """Find a card in the picker that is open, and tap it."""
    face, _, icon = card.partition(":")
    color = face.split("-")[0]
    page.click(f".tab-{'wild' if color == 'wild' else color}")
    if icon:
        page.click(f"[data-icon='{icon}']")
    page.click(f".picker [data-key='{card}']")


def start_round(page: Any, card: str) -> None:
    """Turn up the first card."""
    page.click("[data-do=deal]")
    pick(page, card)
    page.click("[data-do=start]")
    page.wait_for_selector(".pile")


def play(page: Any, card: str, uno: bool = False) -> None:
    """Lay a card that fits."""
    page.click("[data-do=play]")
    if uno:
        page.check(".uno input")
    pick(page, card)


def show_hand(page: Any, cards: tuple[str, ...]) -> None:
    """Show the whole hand, card by card."""
    page.click("[data-do=reveal]")
    for card in cards:
        pick(page, card)
    page.click("[data-do=show]")


def hands(page: Any) -> list[int]:
    """How many cards everybody holds, as the page says it."""
    return [int(text) for text in page.locator(".seat .count span[aria-hidden]").all_inner_texts()]


def wait_for_hands(page: Any, counts: list[int]) -> None:
    """Until the page says that everybody holds so many."""
    page.wait_for_function(
        """wanted => {
          const shown = document.querySelectorAll(".seat .count span[aria-hidden]");
          return JSON.stringify([...shown].map((one) => Number(one.textContent))) === wanted;
        }""",
        arg=str(counts).replace(" ", ""),
    )


def place_of(page: Any) -> dict[str, Any]:
    """What the phone knows of its place at the table it shows: ids and tokens."""
    found: dict[str, Any] = page.evaluate(
        """() => JSON.parse(localStorage.getItem("referee.places"))[
          location.pathname.split("/")[2]]"""
    )
    return found


def register(url: str, host: dict[str, Any], kind: str) -> "Device":
    """A camera or a board at the host's table."""
    path = f"{url}/api/v1/tables/{host['table']}"
    headers = {"Authorization": f"Bearer {host['host']}"}
    body = {"name": kind.title(), "kind": kind}
    made = requests.post(f"{path}/devices", json=body, headers=headers, timeout=30)
    assert made.status_code == 201, made.text
    return Device(path, made.json()["token"])


class Device:
    """What a device at the table says it sees."""

    def __init__(self, path: str, token: str) -> None:
        self.path, self.token, self.number = path, token, 0

    def see(self, kind: str, **seen: Any) -> None:
        """Post an observation."""
        if kind == "pile":
            self.number += 1
            seen["number"] = self.number
        body = {"kind": kind, "at": "2026-11-21T10:00:00.000+00:00", **seen}
        headers = {"Authorization": f"Bearer {self.token}"}
        posted = requests.post(f"{self.path}/observations", json=body, headers=headers, timeout=30)
        assert posted.status_code == 201, posted.text
