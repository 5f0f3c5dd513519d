"""The wall view: what happened in large type, a code to scan, long names, and over a stream."""

from typing import Any

import pytest

from tests.e2e.server import Server
from tests.web.conftest import LARGE, SMALL, Phone, Shoot
from tests.web.games import begun, game_of, taken_over
from tests.web.stage import expect, place_code, place_of, play, seated, speak

SMALL_TV = {"width": 1280, "height": 720}
LONG = (
    *("Maximiliane-Charlotte", "Bartholomäus", "Bo", "Donaudampfschifffahrtsgesellschaft", "Cy"),
    *("Llanfairpwllgwyngyllgogerychwyrndrobwll", "Ann", "Wilhelmina", "Di", "Jens"),
)
# Of a picture of 1080 lines: 27 are 17 mm on a TV of 55 inches, 15 minutes of arc at 4 metres.
LEAST_LETTERS = 27 / 1080


def comes_to_fit(page: Any) -> None:
    """Wait until nothing is cut off, and nothing scrolls."""
    page.wait_for_function(
        """() => {
          const page = document.documentElement;
          const whole = (one) => one.scrollWidth <= one.clientWidth + 1;
          const names = [...document.querySelectorAll(".wall-turn, .seat-name, .wall-event p")];
          const inside = page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth;
          return inside && names.every(whole);
        }"""
    )


@pytest.mark.parametrize("size", [LARGE, SMALL_TV])
@pytest.mark.parametrize("seats", [4, 10])
def test_long_names_fit(
    phone: Phone, server: Server, shoot: Shoot, seats: int, size: dict[str, int]
) -> None:
    record = game_of(LONG[:seats], 0)
    record["rounds"] = [begun(1, seats, 9)]
    page = phone(f"/wall?code={taken_over(server, record).code}", viewport=size)
    page.wait_for_selector(".wall-seat")
    comes_to_fit(page)
    page.wait_for_function("() => document.querySelector('.wall-scan .qr').naturalWidth > 0")
    shoot(page, f"wall-long-{seats}")
    for wanted in (".wall-event p", ".wall-seat .seat-name.letters-6", ".wall-count"):
        letters = page.locator(wanted).first.evaluate(
            "one => parseFloat(getComputedStyle(one).fontSize) / innerHeight"
        )
        assert letters >= LEAST_LETTERS, wanted


@pytest.mark.parametrize("seats", [5, 6])
@pytest.mark.parametrize("deck", ["classic-112", "power-grab"])
def test_the_code_stays_in_view_whatever_happens(
    phone: Phone, server: Server, shoot: Shoot, deck: str, seats: int
) -> None:
    names = ("Oma Gerlinde", "Maximilian", "Mum", "Babi Zdeňka", "Nuuskamuikkunen", "Jo")[:seats]
    ann, bo = seated(phone, server, deck, names, langs=("de", None))
    host = place_of(ann)["host"]
    wall = phone(
        f"/wall/{place_of(ann)['table']}",
        lang="de",
        viewport=LARGE,
        storage_state=ann.context.storage_state(),
    )

    def look(name: str) -> None:
        wall.wait_for_function("() => document.querySelector('.wall-scan .qr').naturalWidth > 0")
        shoot(wall, f"wall-{name}-{deck}-{seats}", LARGE)
        for size in (LARGE, SMALL_TV):
            wall.set_viewport_size(size)
            wall.wait_for_function(
                """() => [...document.querySelectorAll(".wall-seat, .wall-foot *")].every(
                  (one) => one.getBoundingClientRect().bottom <= innerHeight)
                  && document.documentElement.scrollHeight <= innerHeight"""
            )

    speak(server, bo, 2, move="play", card="red-draw-two")
    wall.wait_for_selector(".wall-event.bad p:nth-child(2)")
    look("draw")
    speak(server, bo, 4, token=host, move="play", card="wild-draw-four", color="blue")
    speak(server, bo, 5, token=host, move="challenge")
    wall.wait_for_selector(".wall-event:has-text('Babi')")
    look("challenge")
    speak(server, ann, None, path="/games/end", token=host)
    wall.wait_for_selector(".wall-end")
    wall.wait_for_selector(".moment", state="detached")
    look("end")


def test_what_happened_stands_in_large_type(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo = seated(phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "en"))
    host = place_of(ann)["host"]
    code = bo.evaluate(
        """async () => {
          const all = JSON.parse(localStorage.getItem("referee.places"));
          const { table, seat } = Object.values(all)[0];
          const headers = { Authorization: `Bearer ${seat.token}` };
          return (await (await fetch(`/api/v1/tables/${table}`, { headers })).json()).code;
        }"""
    )
    wall = phone(f"/wall?code={code}&overlay=1&lang=de", viewport=LARGE)
    tv = phone(f"/wall?code={code}", viewport=LARGE)
    tv.wait_for_selector(".wall-event")
    play(bo, "red-draw-two")
    tv.wait_for_selector(".wall-event.bad p:has-text('Cy')")
    assert "Bo plays a red draw two." in tv.inner_text(".wall-event")
    shoot(tv, "wall-event")
    # Over a stream: in its own language, without a ground, and with nothing to press.
    wall.wait_for_selector(".overlay .wall-event.bad p:has-text('Cy')")
    assert "Bo spielt" in wall.inner_text(".wall-event")
    clear = "one => getComputedStyle(one).backgroundColor"
    for part in ("html", "body", ".overlay"):
        assert wall.locator(part).evaluate(clear) == "rgba(0, 0, 0, 0)", part
    assert wall.locator(".qr, .wall-said, button, a").count() == 0
    comes_to_fit(wall)
    # The skip is told once: with whom it skips.
    skips = ["Bo is skipped: Ann laid a red skip."]
    speak(server, bo, 1, token=host, move="play", card="red-skip")
    tv.wait_for_selector(f".wall-event.bad:has-text('{skips[0]}')")
    assert tv.locator(".wall-event p").all_inner_texts() == skips
    # The same place is good for the next start.
    watching = "() => Object.keys(JSON.parse(localStorage.getItem('referee.places'))).length"
    token = "() => Object.values(JSON.parse(localStorage.getItem('referee.places')))[0].watch"
    before = wall.evaluate(token)
    wall.goto(f"/wall?code={code}&overlay=1")
    wall.wait_for_selector(".overlay .wall-event")
    assert (wall.evaluate(token), wall.evaluate(watching)) == (before, 1)


def test_whose_hand_does_not_count_is_said(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(
        phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", None, None)
    )
    host = place_of(ann)["host"]
    tv = phone(f"/wall?code={place_code(server, ann)}", viewport=LARGE)
    speak(server, bo, 2, move="play", card="wild-draw-four", color="blue")
    speak(server, cy, 3, move="challenge")
    # Why it does not would name cards that nobody else sees.
    told = "Bo: Show the hand. The rules do not allow that."
    speak(server, bo, 2, move="reveal", hand=["red-1"])
    expect(tv.locator(".wall-event p")).to_have_text([told])
    hand = ["red-1", "blue-1", "blue-2", "green-1", "green-2", "yellow-1"]
    speak(server, bo, 2, move="reveal", hand=hand)
    other = {"seat": 2, "move": "play", "card": "red-1"}
    speak(server, ann, None, "/corrections", host, kind="replace", move=1, replacement=other)
    expect(tv.locator(".wall-said li")).to_have_text([told, told])


def test_after_the_last_card_who_went_out_and_who_still_draws_is_said(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo, cy = seated(phone, server, "power-grab", ("Ann", "Bo", "Cy"), langs=("en", None, None))
    host = place_of(ann)["host"]
    tv = phone(f"/wall?code={place_code(server, ann)}", viewport=LARGE)
    speak(server, bo, 2, "/corrections", host, kind="hand-count", count=2)
    speak(server, bo, 2, move="play", card="red-3:U", uno=True)
    speak(server, cy, 3, move="play", card="red-4")
    speak(server, ann, 1, move="play", card="red-5")
    # On the ground of whoever is on turn, too, a tower has its colour.
    tower = tv.locator(".wall-seat.on-turn .mark.tower")
    red = tv.locator(".painted").evaluate("one => getComputedStyle(one).backgroundColor")
    expect(tower).to_have_css("fill", red)
    shoot(tv, "wall-tower")
    speak(server, bo, 2, move="play", card="red-draw-two")
    draws = "Cy has to draw 2 cards: Bo's last card was a draw card."
    expect(ann.locator(".elsewhere")).to_have_text(draws)
    expect(tv.locator(".wall-event p")).to_have_text(["Bo goes out. The round is over.", draws])
    expect(tv.locator(".painted .wall-turn")).to_have_text("Went out: Bo")
    for page, middle in ((tv, ".wall-now"), (ann, ".pile-side")):
        assert "clockwise" not in page.inner_text(middle)
        assert "No colour" not in page.inner_text(middle)
    tv.wait_for_selector(".moment", state="detached")
    shoot(tv, "wall-out")
    shoot(ann, "phone-out")


def test_a_game_without_points_shows_none(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo, _ = seated(phone, server, "moomin", ("Ann", "Bo", "Cy"), langs=("en", None, None))
    tv = phone(f"/wall?code={place_code(server, ann)}", viewport=LARGE)
    tv.wait_for_selector(".wall-seat")
    assert tv.locator(".wall-points").count() == 0
    speak(server, bo, 2, "/corrections", place_of(ann)["host"], kind="hand-count", count=1)
    speak(server, bo, 2, move="play", card="red-1")
    for page in (tv, ann):
        # Nobody but the winner has a place.
        expect(page.locator(".podium-box li")).to_have_text(["Bo1"])
        page.wait_for_selector(".moment", state="detached")
    shoot(tv, "wall-no-points")
    shoot(ann, "no-points", SMALL, {"width": 740, "height": 360})
    # Nor is the round over alone.
    assert ann.locator("h1").inner_text() == "Table"
