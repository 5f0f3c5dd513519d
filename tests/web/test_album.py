"""The album: every screen in every size, and an evening on four phones in four languages."""

import html
from pathlib import Path
from typing import Any

import pytest
import requests

from referee.web import assets
from tests.e2e.server import Server
from tests.web.conftest import LARGE, Phone, Shoot
from tests.web.stage import place_of, seated
from tests.web.test_access import overflowing, screens

SIZES = (
    {"width": 360, "height": 740},
    {"width": 412, "height": 915},
    {"width": 740, "height": 360},
    {"width": 820, "height": 1180},
    {"width": 1280, "height": 800},
)
NAMES = ("Ann", "Benedikt", "Säde", "Ольга")
LANGS = ("en", "de", "fi", "ru")
# Modules are there once, so this is the page's own state.
CAUGHT_UP = f"""async (version) =>
  (await import("{assets.address("js/state.js")}")).state.entries.at(-1)?.id >= version"""
# What is played, by whom: each hits somebody, or has everybody look up.
EVENING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("draw-one", {"seat": 2, "move": "play", "card": "red-draw-one"}),
    ("drawn", {"seat": 3, "move": "draw"}),
    ("skip", {"seat": 4, "move": "play", "card": "red-skip"}),
    ("towers", {"seat": 2, "move": "play", "card": "red-take-two-towers"}),
    ("taken", {"seat": 2, "move": "powers", "powers": ["U", "!"]}),
    ("reverse", {"seat": 3, "move": "play", "card": "red-reverse"}),
    ("protected", {"seat": 2, "move": "play", "card": "red-7"}),
    ("forbidden", {"seat": 1, "move": "play", "card": "blue-3"}),
    ("draw-four", {"seat": 1, "move": "play", "card": "wild-draw-four", "color": "green"}),
    ("challenge", {"seat": 4, "move": "challenge"}),
)

# A party: what is played there, by whom.
PARTY: tuple[tuple[str, dict[str, Any]], ...] = (
    ("jump-in", {"seat": 4, "move": "play", "card": "red-5"}),
    ("stack-2", {"seat": 1, "move": "play", "card": "red-draw-two"}),
    ("stack-4", {"seat": 2, "move": "play", "card": "blue-draw-two"}),
    ("stack-8", {"seat": 3, "move": "play", "card": "wild-draw-four", "color": "green"}),
    ("accepted", {"seat": 4, "move": "accept"}),
    ("seven", {"seat": 1, "move": "play", "card": "green-7"}),
    ("swapped", {"seat": 1, "move": "swap", "with": 3}),
    ("zero", {"seat": 2, "move": "play", "card": "green-0"}),
    ("drawn", {"seat": 3, "move": "draw", "count": 4}),
)


def test_every_screen_fits_every_size(phone: Phone, shoot: Shoot) -> None:
    """The host's screens, one after the other."""
    for name, page in screens(phone):
        page.wait_for_selector("[aria-busy=true]", state="detached")
        shoot(page, name, *SIZES)
        fits(page, name)


@pytest.mark.soak
def test_an_evening_on_four_phones(
    phone: Phone, server: Server, shoot: Shoot, request: pytest.FixtureRequest
) -> None:
    """Four phones, each in its own language, and the wall, through what happens to people."""
    phones = seated(phone, server, "power-grab", NAMES, "red-5", LANGS)
    evening(phone, server, shoot, phones, "evening", EVENING)
    for size in SIZES:
        shoot(phones[1], "evening-de", size)
    index_into(request)


@pytest.mark.soak
def test_a_party_of_two_teams_on_four_phones(
    phone: Phone, server: Server, shoot: Shoot, request: pytest.FixtureRequest
) -> None:
    """The house rules as they are chosen, and as they are played."""
    page = phone("/new")
    page.check("input[value=own]")
    page.check("[data-do=rule-stacking]")
    page.wait_for_selector(".rule-card .ways")
    shoot(page, "house-rules", *SIZES)
    fits(page, "house rules")
    house = {"preset": "party", "options": {"teams": [[1, 3], [2, 4]], "rounds": 5}}
    phones = seated(phone, server, "classic-112", NAMES, "red-5", LANGS, **house)
    evening(phone, server, shoot, phones, "party", PARTY)
    index_into(request)


def evening(
    phone: Phone,
    server: Server,
    shoot: Shoot,
    phones: list[Any],
    title: str,
    played: tuple[tuple[str, dict[str, Any]], ...],
) -> None:
    """Play, and look at every phone and the wall after each move."""
    host = place_of(phones[0])
    wall = phone(
        f"/wall/{host['table']}", viewport=LARGE, storage_state=phones[0].context.storage_state()
    )
    path = f"{server.url}/api/v1/tables/{host['table']}/moves"
    headers = {"Authorization": f"Bearer {host['host']}"}
    for number, (name, move) in enumerate(played, 1):
        answer = requests.post(path, json=move, headers=headers, timeout=60)
        assert answer.status_code == 201, (name, answer.text)
        version = answer.json()["id"]
        for page, lang in zip(phones, LANGS, strict=True):
            page.wait_for_function(CAUGHT_UP, arg=version)
            shoot(page, f"{title}-{number:02}-{name}-{lang}")
            fits(page, f"{name} {lang}")
        shoot(wall, f"{title}-{number:02}-{name}-wall")


def index_into(request: pytest.FixtureRequest) -> None:
    """Write the album's page, if there is an album."""
    if album := request.config.getoption("--album"):
        index(Path(album))


def fits(page: Any, name: str) -> None:
    """Fail if something is cut off in any size."""
    before = page.viewport_size
    for size in SIZES:
        page.set_viewport_size(size)
        assert overflowing(page) == [], (name, size)
    page.set_viewport_size(before)


def index(album: Path) -> None:
    """Write a page with all pictures of the album."""
    pictures = sorted(album.glob("*.png"))
    shown = "\n".join(
        f'<figure><img src="{html.escape(one.name)}" loading="lazy" height="480">'
        f"<figcaption>{html.escape(one.stem)}</figcaption></figure>"
        for one in pictures
    )
    look = "body{display:flex;flex-wrap:wrap;gap:1rem;background:#444;color:#fff}figure{margin:0}"
    page = f"<!doctype html><meta charset='utf-8'><title>Album</title><style>{look}</style>{shown}"
    (album / "index.html").write_text(page, encoding="utf-8")
