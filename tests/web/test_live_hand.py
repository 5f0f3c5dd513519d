"""A hand shown to the phone's own camera, live."""

from itertools import chain, cycle, repeat
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.films import write_hand
from tests.web.stage import comes_to, expect, play, seated, wait_for_hands
from tests.web.test_access import violations

Json = dict[str, Any]
# Drawn cards in a row; one of them lies so that the reader is not certain of it.
ROW = 3
PHOTO = {"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": b"no real photo"}


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A film of six cards in a row, and which they are."""
    path = tmp_path_factory.mktemp("film") / "hand.mjpeg"
    return path, write_hand(path, 6, seed=ROW)


@pytest.fixture(scope="module")
def film(row: tuple[Path, list[str]]) -> Path:
    return row[0]


def reading(*cards: str) -> Json:
    """Return what the server reads on a photo; a card with a question mark is not certain."""
    corners = [[10, 10], [90, 10], [90, 130], [10, 130]]
    items = [
        {
            "card": card.rstrip("?"),
            "sure": not card.endswith("?"),
            "probability": 0.9,
            "corners": corners,
            "alternatives": [],
        }
        for card in cards
    ]
    hand = [item["card"] for item in items]
    return {"items": items, "hand": hand, "points": 0, "sure": False, "kept": None}


def challenged(page: Any) -> None:
    """Lead to a hand of six cards that has to be shown."""
    play(page, "wild-draw-four", "blue")
    page.click("[data-do=challenge]")
    page.click("[data-do=reveal]")


def chosen(page: Any) -> list[str]:
    """Return the chosen cards, sorted."""
    page.wait_for_selector(".sheet .hand")
    said = page.locator(".sheet .hand button").evaluate_all(
        "all => all.map((one) => one.getAttribute('aria-label'))"
    )
    return sorted(text.removeprefix("Take out: ") for text in said)


def test_a_hand_is_ticked_off_card_by_card(filming: Phone, server: Server) -> None:
    [page] = seated(filming, server, "classic-108")
    seen = ["red-1", "red-1", "red-3", "green-4"]
    first = [reading(*seen, "blue-9?"), reading(*seen, "blue-9?", "red-2")]
    then = [reading("red-2", "blue-9?", "blue-9"), reading("blue-9", *seen)]
    readings = chain(first, repeat(reading(*seen)))
    page.route("**/photos?*", lambda route: route.fulfill(json=next(readings)))
    challenged(page)
    # The phone has been allowed the camera: it opens by itself.
    page.wait_for_selector(".sheet video.hand-eye")
    page.wait_for_selector(".sheet >> text=2 cards are missing yet.")
    comes_to(lambda: chosen(page), ["green 4", "red 1", "red 1", "red 3"])
    expect(page.locator(".sheet .hand .missing")).to_have_count(2)
    assert violations(page) == []
    readings = cycle(then)
    page.wait_for_selector("[data-do=show]:enabled")
    page.wait_for_selector(".sheet video.hand-eye", state="detached")
    comes_to(lambda: chosen(page), ["blue 9", "green 4", "red 1", "red 1", "red 2", "red 3"])
    page.click("[data-do=show]")
    wait_for_hands(page, [7, 10])


def test_what_is_not_certain_is_left_to_the_eye(filming: Phone, server: Server) -> None:
    [page] = seated(filming, server, "classic-108")
    seen = ["red-1", "red-2", "red-3", "green-4", "green-5"]
    page.route("**/photos?*", lambda route: route.fulfill(json=reading(*seen, "blue-9?")))
    challenged(page)
    page.wait_for_selector(".sheet >> text=1 card is missing yet.")
    page.click("[data-do=by-hand]")
    expect(page.locator(".sheet .hand .unsure")).to_have_count(1)
    comes_to(lambda: len(chosen(page)), 6)
    # Again, and put away by hand: the camera is let go of.
    page.click("[data-do=live]")
    page.wait_for_selector(".sheet video.hand-eye")
    page.click(".sheet .hand button >> nth=0")
    page.wait_for_selector(".sheet video.hand-eye", state="detached")


def test_the_camera_adds_to_what_a_photo_has_read(filming: Phone, server: Server) -> None:
    [page] = seated(filming, server, "classic-108")
    answer = reading("red-1", "red-2", "red-3", "green-4", "green-5?")
    page.route("**/photos?*", lambda route: route.fulfill(json=answer))
    challenged(page)
    page.click("[data-do=by-hand]")
    page.set_input_files(".sheet input[type=file]", PHOTO)
    expect(page.locator(".sheet .warn").last).to_contain_text("Something is still missing")
    on_photo = ["green 4", "green 5 (look again)", "red 1", "red 2", "red 3"]
    comes_to(lambda: chosen(page), on_photo)
    # It sees nothing at first, and one of them again together with the one that lacks.
    answer = reading()
    page.click("[data-do=live]")
    page.wait_for_selector(".sheet video.hand-eye")
    page.wait_for_timeout(1_500)
    assert chosen(page) == on_photo
    page.click("[data-do=by-hand]")
    assert chosen(page) == on_photo
    answer = reading("red-2", "blue-9")
    page.click("[data-do=live]")
    page.wait_for_selector("[data-do=show]:enabled")
    assert chosen(page) == sorted([*on_photo, "blue 9"])


@pytest.mark.parametrize(
    ("kind", "status", "said"),
    [
        ("too-large", 413, "This photo is too large: 16 MB at most. Take a smaller one."),
        ("unreadable-photo", 422, "This file cannot be read as a photo."),
    ],
)
def test_a_photo_that_is_refused_is_told_in_words_for_people(
    filming: Phone, server: Server, kind: str, status: int, said: str
) -> None:
    [page] = seated(filming, server, "classic-108")
    answer: Json = reading()
    code = 200
    page.route("**/photos?*", lambda route: route.fulfill(status=code, json=answer))
    challenged(page)
    page.click("[data-do=by-hand]")
    answer, code = (
        {"type": f"/problems/{kind}", "title": "x", "detail": "x", "status": status},
        status,
    )
    page.set_input_files(".sheet input[type=file]", PHOTO)
    expect(page.locator(".sheet .warn")).to_contain_text(said)


def test_a_server_that_reads_no_photos_does_not_open_the_camera_again(
    filming: Phone, server: Server
) -> None:
    [page] = seated(filming, server, "classic-108")
    said = {"type": "/problems/no-reader", "title": "x", "detail": "No reader.", "status": 503}
    page.route("**/photos?*", lambda route: route.fulfill(status=503, json=said))
    challenged(page)
    page.wait_for_selector(".sheet .warn >> text=No reader.")
    page.keyboard.press("Escape")
    page.click("[data-do=reveal]")
    page.wait_for_selector(".picker")
    page.wait_for_timeout(500)
    assert page.locator("video.hand-eye").count() == 0


MERGED = """async (asked) => {
  const { merge } = await import("/page/js/camera/merge.js");
  return asked.map(([readings, count]) => {
    const read = (text) => ({ card: text.replace("?", ""), sure: !text.endsWith("?") });
    const items = readings.map((cards) => cards.split(" ").filter(Boolean).map(read));
    const { cards, rest } = merge(items, count);
    return [cards.join(" "), rest.join(" ")];
  });
}"""
READINGS = [
    # Once is not enough, and not sure is not enough.
    ((["a b"], 2), ("", "a b")),
    ((["a b?", "a b?"], 2), ("a", "b")),
    # Two alike count as two where both were seen twice.
    ((["a a b", "a a b"], 3), ("a a b", "")),
    ((["a a b", "a b", "a b"], 2), ("a b", "")),
    # Seen one after the other they add up, as long as there is room.
    ((["a b", "a b", "c", "c"], 3), ("a b c", "")),
    # Where they contradict each other, the reading that most agree with holds.
    ((["a b", "a b", "a b", "a c", "a c"], 2), ("a b", "")),
    ((["a b c", "a b c", "a b d", "a b d", "a b c"], None), ("a b c", "")),
    (([""], 3), ("", "")),
]


def test_readings_of_a_hand_are_put_together(phone: Phone) -> None:
    page = phone("/")
    asked = [list(readings) for readings, _ in READINGS]
    assert page.evaluate(MERGED, asked) == [list(merged) for _, merged in READINGS]


def test_a_drawn_hand_is_read_by_the_real_reader(
    filming: Phone, server: Server, row: tuple[Path, list[str]]
) -> None:
    [page] = seated(filming, server, "classic-108")
    challenged(page)
    page.wait_for_selector(".sheet .hand li:nth-child(5) button")
    page.wait_for_timeout(3_000)
    # At once: the button goes when all cards have been read.
    page.evaluate("document.querySelector('[data-do=by-hand]')?.click()")
    said = [text.removesuffix(" (look again)") for text in chosen(page)]
    assert said == sorted(card.replace("-", " ") for card in row[1])
    expect(page.locator("[data-do=show]")).to_be_enabled()
