"""Choices that cards of the other decks ask for."""

from typing import Any

import pytest

from tests import toy_flip
from tests.e2e.server import Server
from tests.web.conftest import Phone, Shoot
from tests.web.stage import expect, pick, play, seated, start_round, wait_for_hands


def with_power(phone: Phone, server: Server, color: str) -> Any:
    """A table for two where Bo began with a wild for this stand and chose blue."""
    (page,) = seated(phone, server, "color-powers")
    play(page, f"wild-power-{color}", "blue")
    page.wait_for_selector(".turn:has-text('Your turn')")
    return page


def test_red_gives_cards_away(phone: Phone, server: Server, shoot: Shoot) -> None:
    page = with_power(phone, server, "red")
    page.select_option("#speak-for", "2")
    page.click("[data-do=give]")
    page.click(".sheet button:has-text('Give to Ann')")
    expect(page.locator(".hand-count")).to_have_text("Hand all red cards to Ann.")
    # What cannot be given is not there.
    shown = page.locator(".picker .cell:visible")
    assert all("red" in one.get_attribute("data-key") for one in shown.all())
    shoot(page, "gift")
    pick(page, "red-1")
    pick(page, "red-2")
    page.click("[data-do=show]")
    wait_for_hands(page, [9, 4])


def test_a_host_who_has_played_for_another_plays_for_oneself_next(
    phone: Phone, server: Server
) -> None:
    ann, bo = seated(phone, server, "classic-108", langs=("en", "en"))
    ann.select_option("#speak-for", "2")
    play(ann, "red-3")
    bo.wait_for_selector(".pile-card [aria-label='red 3']")
    expect(ann.locator("#speak-for")).to_have_value("")
    play(ann, "red-4")
    bo.wait_for_selector(".banner[data-event=turn]")


def test_a_card_that_nobody_has_drawn_says_what_it_does(phone: Phone, server: Server) -> None:
    said = phone("/").evaluate(
        """async (faces) => {
          const { cardFace, parts, plain } = await import("/page/js/cards.js");
          const { picture } = await import("/page/js/house/pictures.js");
          return { stacking: picture("stacking", { faces }).textContent,
            again: cardFace("wild-again", { label: "" }).textContent,
            flop: cardFace("red-flop", { label: "" }).textContent,
            symbols: faces.map((face) => plain(parts(face).symbol)) };
        }""",
        [card.id for card in toy_flip.RULESET.deck if card.side],
    )
    assert (said["stacking"][-2:], said["again"]) == ("+6", "again")
    assert said["flop"].endswith("flop")
    assert set(said["symbols"]) == {"5", "6", "7", "8", "flop", "+3", "again"}


def test_green_turns_a_card_up(phone: Phone, server: Server) -> None:
    page = with_power(phone, server, "green")
    play(page, "blue-4")
    page.click("[data-do=flip]")
    pick(page, "yellow-9")
    page.wait_for_selector(".pile-card [aria-label='yellow 9']")
    wait_for_hands(page, [6, 6])


def test_a_tale_lets_everybody_discard(phone: Phone, server: Server) -> None:
    (page,) = seated(phone, server, "moomin", ("Ann", "Bo", "Cy"))
    play(page, "wild-tales", "yellow")
    # All are asked at once: the host for themselves first, then for the others.
    page.click("[data-do=discard-1]")
    page.wait_for_selector(".choices :text('Playing for Bo')")
    page.click("[data-do=discard-1]")
    page.wait_for_selector(".choices :text('Playing for Cy')")
    page.click("[data-do=pass]")
    page.wait_for_selector("[data-do=play]")
    wait_for_hands(page, [6, 5, 7])


@pytest.mark.parametrize(
    ("example", "answer", "hands"),
    [("1", "report", [11, 6]), ("8", "judge-false", [7, 10])],
    ids=["draws until green", "a dare"],
)
def test_what_only_the_table_sees_is_asked(
    phone: Phone, server: Server, example: str, answer: str, hands: list[int]
) -> None:
    (page,) = seated(phone, server, "classic-112", opening=None)
    page.click("[data-do=propose]")
    page.click(f"[data-do=example-{example}]")
    page.wait_for_selector(".ask-card")
    for seat in page.locator("[data-do^=approve-]").all():
        seat.click()
    start_round(page, "red-7")
    play(page, "wild-custom-1", "blue")
    if answer == "report":
        page.select_option(".choices select", label="4")
    else:
        page.click(f"[data-do={answer}]")
    wait_for_hands(page, hands)


def test_a_hand_is_read_from_a_photo_and_set_right(phone: Phone, server: Server) -> None:
    """The card reader is replaced by a fixed answer."""
    (page,) = seated(phone, server, "classic-108")
    play(page, "wild-draw-four", "blue")
    page.click("[data-do=challenge]")
    page.click("[data-do=reveal]")
    read = ["red-1", "red-2", "red-3", "red-4", "red-5", "blue-9"]
    items = [{"card": card, "sure": card != "red-5", "corners": []} for card in read]
    sent: list[str] = []

    def answer(route: Any) -> None:
        sent.append(route.request.headers["content-type"])
        route.fulfill(json={"items": items, "hand": read, "points": 24, "sure": False})

    page.route("**/photos*", answer)
    photo = {"name": "hand.png", "mimeType": "image/png", "buffer": page.screenshot()}
    page.set_input_files(".sheet input[type=file]", photo)
    page.wait_for_selector(".hand li:nth-child(6) button")
    assert "question mark" in page.inner_text(".sheet .warn")
    assert page.locator(".hand .unsure").count() == 1
    assert sent == ["image/jpeg"]
    page.click(".hand li:last-child button")
    assert page.locator("[data-do=show]").is_disabled()
    pick(page, "red-9")
    page.click("[data-do=show]")
    # A red card on red: guilty, and draws four.
    wait_for_hands(page, [7, 10])


def test_a_card_that_does_not_fit_says_why_before_it_is_laid(phone: Phone, server: Server) -> None:
    _, bo = seated(phone, server, "classic-108", langs=(None, "de"))
    play(bo, "blue-3")
    bo.wait_for_selector("dialog .said:has-text('passt nicht')")
    said = bo.inner_text("dialog .said")
    assert "Rot" in said
    assert "rote 7" in said
    assert bo.locator("[data-do=lay-anyway]").is_visible()
