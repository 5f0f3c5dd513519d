"""People at a real table: seats, hosts, corrections, results, and one game after the other."""

import re
from typing import Any

from tests.e2e.server import Server
from tests.web.conftest import Phone, Shoot
from tests.web.stage import (
    expect,
    open_table,
    pick,
    play,
    seated,
    speak,
    wait_for_hands,
    wait_until_sent,
)


def sure(page: Any) -> None:
    """Press the button of the sheet that asks."""
    page.click(".sheet [data-do=send]")
    page.wait_for_selector("dialog", state="detached")


def correct(page: Any) -> str:
    """Make the correction that is asked about; return what it changes."""
    page.wait_for_selector(".sheet .said")
    said = page.inner_text(".sheet .sheet-body")
    page.click(".sheet [data-do=make]")
    page.wait_for_selector("dialog", state="detached")
    wait_until_sent(page)
    return str(said)


def test_players_take_back_rename_leave_and_come_back(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo, cy = seated(
        phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "en", "fi")
    )
    play(bo, "red-5")
    wait_for_hands(ann, [7, 6, 7])
    bo.click("[data-do=take-back]")
    assert "red 5" in correct(bo)
    wait_for_hands(ann, [7, 7, 7])
    play(bo, "red-6")
    wait_for_hands(bo, [7, 6, 7])
    play(cy, "red-1")
    bo.wait_for_selector("[data-do=take-back]:disabled")

    bo.click("[data-do=settings]")
    shoot(bo, "my-seat")
    bo.click("[data-do=rename]")
    bo.fill("#new-name", "Ann")
    bo.click(".sheet [data-do=send]")
    bo.wait_for_selector(".sheet .warn")
    expect(bo.locator(".sheet .warn")).to_have_text("The name 'Ann' is taken.")
    bo.fill("#new-name", "Bob")
    sure(bo)
    ann.wait_for_selector(".seat-name:has-text('Bob')")
    cy.click("[data-do=settings]")
    cy.click("[data-do=leave-table]")
    shoot(cy, "leave")
    sure(cy)
    cy.wait_for_selector("text=Pyydä isäntää")
    expect(cy.locator(".choices")).to_have_count(0)
    wait_for_hands(ann, [7, 6])

    ann.click("nav a[href$='/host']")
    ann.click("[data-do=break-off]")
    correct(ann)
    ann.click("[data-do=seats]")
    ann.click("[data-do=back-3]")
    shoot(ann, "come-back")
    sure(ann)
    cy.wait_for_selector("text=Pyydä isäntää", state="detached")
    ann.click("[data-do=join-seat]")
    ann.fill("#new-name", "Di")
    ann.select_option("#place", "2")
    shoot(ann, "add-player")
    sure(ann)
    ann.wait_for_selector(".people li:nth-child(2):has-text('Di')")
    ann.click(".people li:nth-child(2) [data-do=down]")
    ann.wait_for_selector(".people li:nth-child(3):has-text('Di')")
    ann.click("[data-do=person-3]")
    shoot(ann, "person")
    ann.click("[data-do=deals]")
    ann.wait_for_selector(".people li:has-text('Cy'):has-text('deals next')")
    shoot(ann, "seats")


def test_a_host_is_made_ended_and_asked_for(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo, cy = seated(
        phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "en", "ru")
    )
    bo.click("[data-do=settings]")
    bo.click("[data-do=ask-host]")
    sure(bo)
    for page in (bo, ann):
        page.wait_for_selector("[data-do=refuse]")
    cy.wait_for_selector("[data-do=agree]")
    shoot(cy, "host-request")
    shoot(ann, "host-request-host")
    cy.click("[data-do=agree]")
    cy.wait_for_selector("[data-do=agree]", state="detached")
    ann.click("[data-do=refuse]")
    bo.wait_for_selector("[data-do=refuse]", state="detached")
    assert bo.locator("nav a[href$='/host']").count() == 0
    ann.click("nav a[href$='/host']")
    ann.click("[data-do=seats]")
    ann.click("[data-do=person-2]")
    ann.click("[data-do=make-host]")
    bo.click("nav a[href$='/host']")
    bo.wait_for_selector("[data-do=undo-last]")
    ann.click("[data-do=person-2]")
    ann.click("[data-do=end-host]")
    bo.wait_for_selector("[data-do=undo-last]", state="detached")

    ann.click("[data-do=person-3]")
    ann.click("[data-do=make-host]")
    cy.click("nav a[href$='/host']")
    cy.click("[data-do=seats]")
    cy.click("[data-do=end-lost]")
    sure(cy)
    ann.wait_for_selector("nav a[href$='/host']", state="detached")
    cy.wait_for_selector("[data-do=end-lost]", state="detached")


def test_a_host_whose_phone_is_silent_is_replaced(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    _, bo, cy = seated(phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=(None, "en", "de"))

    def two_minutes_later(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "host_silent": True})

    # What nobody tells is read now and then.
    for page in (bo, cy):
        page.clock.install()
        page.reload()
        page.wait_for_selector(".board")
        page.route(re.compile(r"/tables/[^/?]+(\?.*)?$"), two_minutes_later)
        page.clock.fast_forward(61_000)
    expect(cy.locator("[data-do=become-host]")).to_have_text("Um die Spielleitung bitten")
    shoot(bo, "host-silent")
    bo.click("[data-do=become-host]")
    sure(bo)
    # Whoever is asked hears of nothing else.
    cy.wait_for_selector("[data-do=agree]")
    assert cy.locator("[data-do=become-host]").count() == 0


def test_a_host_plays_for_whoever_is_not_heard_of(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "classic-108", langs=("en", "en"))
    bo.wait_for_selector("[data-do=draw]")

    def bo_is_gone(route: Any) -> None:
        answer = route.fetch()
        seats = [{**one, "heard": one["seat"] != 2} for one in answer.json()["seats"]]
        route.fulfill(response=answer, json={**answer.json(), "seats": seats})

    assert ann.locator("[data-do=draw]:enabled").count() == 0
    ann.clock.install()
    ann.reload()
    ann.wait_for_selector(".board")
    ann.route(re.compile(r"/tables/[^/?]+(\?.*)?$"), bo_is_gone)
    ann.clock.fast_forward(61_000)
    ann.click("[data-do=draw]")
    bo.wait_for_selector("[data-do=pass]")


def test_any_entry_and_any_round_is_set_right(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo = seated(phone, server, "classic-108", langs=("en", "en"))
    play(bo, "red-5")
    play(ann, "red-6")
    play(bo, "red-8")
    wait_for_hands(ann, [6, 5])
    ann.click("nav a[href$='/host']")
    card = ann.locator(".rulings li", has_text="red 5").locator(".why")
    card.click()
    ann.wait_for_selector(".sheet .source")
    shoot(ann, "set-right")
    ann.click("[data-do=other-card]")
    pick(ann, "blue-5")
    assert "Ann's red 6 in round 1 is illegal" in correct(ann)
    ann.click("[data-do=redo]")
    correct(ann)
    ann.locator(".rulings li", has_text="red 6").locator(".why").last.click()
    ann.click("[data-do=insert]")
    ann.select_option("#who", "1")
    shoot(ann, "insert")
    ann.click("[data-do=insert-draw]")
    shoot(ann, "preview")
    correct(ann)
    ann.click("text=Set a whole round right")
    ann.click("[data-do=round-1]")
    shoot(ann, "round")
    ann.click("[data-do=other-opening]")
    pick(ann, "red-9")
    ann.click("[data-do=show]")
    correct(ann)
    ann.wait_for_selector(".rulings:has-text('red 9')")
    ann.click("text=Set a hand count right")
    ann.select_option("#whose", "2")
    ann.fill("#hand-count", "3")
    ann.click("[data-do=set-count]")
    assert "Bo holds 3 cards now" in correct(ann)
    bo.wait_for_selector(".seat:nth-child(2) :text('3')")


def test_how_many_cards_were_drawn_is_set_right(phone: Phone, server: Server) -> None:
    ann, bo = seated(
        phone, server, "classic-108", langs=("en", None), options={"draw_until": "playable"}
    )
    speak(server, bo, 2, move="draw", count=3)
    wait_for_hands(ann, [7, 10])
    ann.click(".rulings .why >> nth=0")
    ann.click("[data-do=other-number]")
    assert ann.input_value("#other-number") == "3"
    ann.fill("#other-number", "5")
    ann.click("dialog [data-do=send]")
    assert "Bo holds 12 cards now" in correct(ann)
    wait_for_hands(ann, [7, 12])


def test_a_hand_is_entered_by_its_points_or_as_unknown(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo = seated(phone, server, "classic-108", ("Ann", "Bo", "Cy"), langs=("en", "hu"))
    ann.click("nav a[href$='/host']")
    ann.click("text=Set a hand count right")
    ann.select_option("#whose", "2")
    ann.fill("#hand-count", "1")
    ann.click("[data-do=set-count]")
    correct(ann)
    wait_for_hands(bo, [7, 1, 7])
    play(bo, "red-5")
    ann.click("nav a:first-child")
    ann.click("[data-do=reveal]")
    ann.click("[data-do=by-points]")
    # The host's own hand.
    ann.click("[data-do=unknown]")
    ann.wait_for_selector(".choices :text('Playing for Cy')")
    ann.click("[data-do=reveal]")
    ann.click("[data-do=by-points]")
    shoot(ann, "by-points")
    ann.fill("#hand-points", "23")
    ann.click("[data-do=count]")
    for page in (ann, bo):
        page.wait_for_selector(".scores")
        expect(page.locator(".scores strong")).to_have_text(["23", "0", "0"])


def test_a_table_only_keeps_score_ends_and_plays_again(phone: Phone, shoot: Shoot) -> None:
    ann = phone()
    code = open_table(ann, "classic-108", ("Ann", "Bo", "Cy"), score_only=True)
    bo = phone(f"/join?code={code}", lang="de")
    bo.click("[data-do=seat-2]")
    ann.click("[data-do=out-2]")
    ann.fill("#points-1", "12")
    ann.click("[data-do=unknown-3]")
    shoot(ann, "score-only")
    ann.click("[data-do=enter]")
    bo.wait_for_selector(".scores")
    expect(bo.locator(".scores strong")).to_have_text(["12", "0", "0"])
    ann.click("[data-do=out-1]")
    ann.fill("#points-2", "5")
    ann.click("[data-do=cards-3]")
    pick(ann, "red-7")
    ann.click("[data-do=show]")
    ann.click("[data-do=enter]")
    ann.wait_for_selector(".scores li:nth-child(2):has-text('12')")
    expect(ann.locator(".scores strong")).to_have_text(["12", "12", "0"])

    ann.click("nav a[href$='/host']")
    ann.click("text=This game")
    ann.uncheck("[data-do=score-only]")
    ann.wait_for_selector("[data-do=score-only]:not(:checked)")
    ann.click("[data-do=end-game]")
    shoot(ann, "end-game")
    sure(ann)
    ann.click("nav a:first-child")
    ann.wait_for_selector("h2:has-text('Winners: Ann, Bo')")
    shoot(ann, "podium")
    ann.click("[data-do=again]")
    ann.wait_for_selector("#next-deck")
    shoot(ann, "again")
    sure(ann)
    for page in (ann, bo):
        page.wait_for_selector(".lobby")
    # In a second game the people stand above the code.
    assert ann.inner_text(".lobby").index("Bo") < ann.inner_text(".lobby").index("Let the")
    bo.click("nav a[href$='/scores']")
    game = bo.locator("[data-do=game-1]")
    expect(game).to_have_text(re.compile("^Spiel 1 · Klassisch, 108 Karten · .*Ann, Bo"))
    game.click()
    bo.wait_for_selector(".sheet-table .total:has-text('12')")
    shoot(bo, "games")
