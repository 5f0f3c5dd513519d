"""A whole round of Power Grab on four phones in four languages."""

from tests.web.conftest import LARGE, SMALL, Phone, Shoot
from tests.web.stage import (
    expect,
    open_table,
    play,
    show_hand,
    start_round,
    take_seat,
    wait_for_hands,
)

NAMES = ("Ann", "Bo", "Cy", "Di")
# What Cy held when challenged: a red card, while red was to be matched.
CAUGHT_OUT = ("red-1", "yellow-1", "yellow-2", "yellow-3", "green-1", "green-2")


def test_a_round_of_power_grab_on_four_phones(phone: Phone, shoot: Shoot) -> None:
    ann = phone()
    shoot(ann, "home", SMALL, LARGE)
    code = open_table(ann, "power-grab", NAMES)
    bo, cy, di = (phone(f"/join?code={code}", lang=lang) for lang in ("sv-SE", "ru-RU", "hu-HU"))
    shoot(bo, "join", SMALL, LARGE)
    for seat, page in enumerate((bo, cy, di), 2):
        take_seat(page, seat)
    ann.wait_for_selector(".taken li:nth-child(4) .here")
    shoot(ann, "lobby", SMALL, LARGE)
    start_round(ann, "red-7")
    all_four = (ann, bo, cy, di)
    for page, said in zip(all_four, ("Bo", "Din tur", "Bo", "Bo"), strict=True):
        page.wait_for_selector(f".turn:has-text('{said}')")

    # Bo takes two towers of choice.
    bo.click("[data-do=play-red]")
    shoot(bo, "picker", SMALL, LARGE)
    bo.keyboard.press("Escape")
    play(bo, "red-take-two-towers")
    bo.wait_for_selector("[data-do=power-U]")
    shoot(bo, "towers", SMALL, LARGE)
    bo.click("[data-do=power-U]")
    bo.click("[data-do=power-N]")
    bo.click("[data-do=take]")
    for page in all_four:
        page.wait_for_selector(".seat:nth-child(2) .power:nth-child(2)")

    # Cy bluffs with a wild draw four, and Di challenges.
    play(cy, "wild-draw-four", "blue")
    di.wait_for_selector("[data-do=accept]")
    shoot(di, "challenge", SMALL, LARGE)
    di.click("[data-do=challenge]")
    cy.click("[data-do=reveal]")
    shoot(cy, "reveal", SMALL, LARGE)
    cy.keyboard.press("Escape")
    show_hand(cy, CAUGHT_OUT)
    for page in all_four:
        wait_for_hands(page, [7, 6, 10, 7])
    # The hand is Di's to see, and nobody else's.
    assert ann.locator("text=yellow 3").count() == 0

    # Di was right and plays on; Bo takes the other two towers and so discards all but one card.
    play(di, "blue-5")
    play(ann, "blue-8")
    play(bo, "blue-take-two-towers")
    bo.click("[data-do=power-O]")
    bo.click("[data-do='power-!']")
    bo.click("[data-do=take]")
    for page in all_four:
        wait_for_hands(page, [6, 1, 10, 6])

    # Nobody has heard UNO: Di says so.
    di.click("[data-do=catch]")
    shoot(di, "catch", SMALL, LARGE)
    di.click("[data-do=catch-2]")
    for page in all_four:
        wait_for_hands(page, [6, 3, 10, 6])
    expect(ann.locator(".rulings li").first).to_contain_text("Bo")

    # Once round, and Bo goes out on the second lap, this time with UNO.
    play(cy, "blue-1")
    play(di, "blue-2")
    play(ann, "blue-3")
    play(bo, "blue-4")
    play(cy, "blue-6")
    play(di, "blue-7")
    play(ann, "blue-9")
    play(bo, "blue-1", uno=True)
    ann.wait_for_selector(".badge-uno")
    shoot(ann, "uno", SMALL, LARGE)
    play(cy, "blue-2")
    play(di, "blue-3")
    play(ann, "blue-4")
    play(bo, "blue-5")

    # Everybody else shows what is left: 3, 3 and 7 cards.
    show_hand(ann, ("red-2", "red-3", "green-skip"))
    show_hand(di, ("yellow-4", "yellow-5", "wild-take-tower"))
    show_hand(cy, (*CAUGHT_OUT, "green-9"))
    titles = ("Went out: Bo", "Gick ut: Bo", "Без карт: Bo", "Elfogytak a lapjai: Bo")
    for page, title in zip(all_four, titles, strict=True):
        expect(page.locator(".scores strong")).to_have_text(["103", "0", "0", "0"])
        expect(page.locator(".scores h2")).to_have_text(title)
    shoot(bo, "scores", SMALL, LARGE)
    # The next deal is Bo's: he may begin the round, and the host.
    expect(bo.locator("[data-do=deal]")).to_have_count(1)
    assert cy.locator("[data-do=deal]").count() == 0
    assert len({page.locator("html").get_attribute("lang") for page in all_four}) == 4
