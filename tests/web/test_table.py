"""Setting up a table and making the first moves."""

import pytest

from tests.e2e.server import Server
from tests.web.conftest import Phone, Shoot
from tests.web.stage import (
    expect,
    open_table,
    pick,
    place_of,
    play,
    seated,
    start_round,
    take_seat,
    wait_for_hands,
)


def test_a_table_is_set_up_joined_and_played_at(phone: Phone) -> None:
    host = phone()
    code = open_table(host, "power-grab", ("Ann", "Bo"))
    bo = phone(f"/join?code={code}", lang="sv")
    take_seat(bo, 2)
    host.wait_for_selector(".taken li:nth-child(2) .here")
    start_round(host, "red-7")
    play(bo, "red-take-two-towers")
    bo.click("[data-do=power-U]")
    assert bo.locator("[data-do=pass]").count() == 0
    bo.click("[data-do=power-N]")
    bo.click("[data-do=take]")
    host.wait_for_selector("[data-do=play-red]")
    expect(host.locator(".seat:nth-child(2) .power")).to_have_count(2)
    expect(host.locator(".turn")).to_have_text("Your turn")
    expect(bo.locator(".turn")).to_have_text("På tur: Ann")


def test_what_the_rules_forbid_is_asked_about_ruled_on_and_explained(
    phone: Phone, server: Server
) -> None:
    (host,) = seated(phone, server, "classic-108")
    host.select_option("#speak-for", "2")
    host.click("[data-do=play]")
    pick(host, "blue-3")
    host.click("[data-do=lay-anyway]")
    host.wait_for_selector(".banner[data-event=illegal]")
    assert "does not match" in host.inner_text(".banner")
    assert host.inner_text(".banner h2") == "Bo: Take the blue 3 back"
    host.click(".banner .why")
    host.wait_for_selector(".sheet .source")
    assert host.inner_text(".sheet .source") == "Source: the rule sheet of “Classic, 108 cards”"
    # The rule in two sentences and the sheet's name; ids and codes are folded away.
    said = host.inner_text(".sheet .said")
    assert said.startswith("A card goes on the pile when")
    assert said.count(". ") == 1
    shown = host.inner_text(".sheet")
    assert "S4" not in shown
    assert place_of(host)["table"] not in shown
    host.click(".sheet summary")
    assert "S4" in host.inner_text(".sheet details")
    host.click(".sheet [data-do=overrule]")
    host.click(".sheet [data-do=make]")
    host.wait_for_selector(".banner[data-event=illegal]", state="detached")
    host.wait_for_selector(".pile-card [aria-label='blue 3']")


def test_a_host_alone_speaks_for_everybody_who_has_no_phone(phone: Phone, server: Server) -> None:
    (host,) = seated(phone, server, "color-powers", ("Ann", "Bo", "Cy"))
    for card, name in (("red-5", "Bo"), ("red-6", "Cy")):
        host.wait_for_selector(f".choices :text('Playing for {name}')")
        play(host, card)
    host.wait_for_selector(".turn:has-text('Your turn')")
    expect(host.locator(".choices :text('Playing for')")).to_have_count(0)
    play(host, "wild-power-blue", "green")
    host.wait_for_selector(".seat:nth-child(1) .power")
    host.wait_for_selector(".choices :text('Playing for Bo')")
    wait_for_hands(host, [6, 6, 6])


def test_the_highest_card_deals(phone: Phone) -> None:
    host = phone()
    code = open_table(host, "classic-108", ("Ann", "Bo"))
    bo = phone(f"/join?code={code}", lang="pl")
    take_seat(bo, 2)
    for ann_draws, bo_draws, said in (
        ("red-5", "blue-5", "Ten sam numer"),
        ("red-3", "green-8", "Ty rozdajesz: 7 kart każdemu, potem odkryj jedną."),
    ):
        host.click("[data-do=draw-for-deal]:has-text('Ann')")
        pick(host, ann_draws)
        bo.wait_for_selector(".draws")
        bo.click("[data-do=draw-for-deal]:has-text('Bo')")
        pick(bo, bo_draws)
        bo.wait_for_selector(f".lobby:has-text('{said}')")
    host.wait_for_selector(".lobby:has-text('The dealer is Bo.')")
    host.click("[data-do=deal]")
    assert host.locator("#dealer").input_value() == "2"


def test_a_name_is_a_name_whatever_stands_in_it(phone: Phone, server: Server) -> None:
    odd = "<img src=x onerror=document.title='no'>"
    (host,) = seated(phone, server, "classic-108", (odd[:40], "{seat} & <b>Bo</b>"))
    names = host.locator(".seat-name").all_inner_texts()
    assert names[0].startswith("<img src=x")
    assert names[1] == "{seat} & <b>Bo</b>"
    assert host.locator(".seat img, .seat b").count() == 0


def test_a_tower_is_seen_while_its_holder_is_on_turn(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    (page,) = seated(phone, server, "power-grab")
    play(page, "red-take-two-towers")
    page.wait_for_selector("[data-do=power-U]")
    shoot(page, "towers")
    says = "Draw one does nothing to you while you have it."
    expect(page.locator("[data-do=power-U]")).to_contain_text(says)
    page.click("[data-do=power-U]")
    page.click("[data-do=take]")
    page.wait_for_selector(".turn:has-text('Your turn')")
    play(page, "red-6")
    fill, ground = page.locator(".seat.on-turn .mark.tower").first.evaluate(
        """one => [getComputedStyle(one.querySelector("path")).fill,
          getComputedStyle(one.closest(".seat")).backgroundColor]"""
    )
    assert fill != ground


def test_uno_is_called_once(phone: Phone, server: Server) -> None:
    """The button goes with the call, before the card and after it, and the log has one line."""
    (page,) = seated(phone, server, "classic-108")
    page.select_option("#speak-for", "2")
    page.click("nav a[href$='/host']")
    page.click("summary:has-text('hand count')")
    page.select_option("#whose", "2")
    page.fill("#hand-count", "2")
    page.click("[data-do=set-count]")
    page.click(".sheet [data-do=make]")
    page.click("nav a:first-child")
    wait_for_hands(page, [7, 2])
    page.click("[data-do=uno]")
    page.wait_for_selector("[data-do=uno]:disabled")
    expect(page.locator(".rulings li:has-text('UNO')")).to_have_count(1)
    play(page, "red-5")
    wait_for_hands(page, [7, 1])
    page.wait_for_selector(".badge-uno")
    page.wait_for_selector("[data-do=uno]:disabled")


@pytest.mark.parametrize(
    ("deck", "scoring", "other"),
    [("classic-108", "winner", "elimination"), ("moomin", "hand", "winner")],
)
def test_a_house_rule_says_what_is_usual(phone: Phone, deck: str, scoring: str, other: str) -> None:
    page = phone("/new")
    page.check(f"input[value={deck}]")
    page.check("input[value=own]")
    ways = page.locator(".rule-card:has([name=way-scoring]) label")
    expect(ways).to_have_count(4)
    usual = ways.filter(has_text="By the sheet")
    expect(usual.locator(f"[data-do=scoring-{scoring}]")).to_be_checked()
    page.check(f"[data-do=scoring-{other}]")
    expect(usual).to_have_count(1)
    expect(usual.locator("input")).not_to_be_checked()


def test_what_was_undone_is_not_undone_again(phone: Phone, server: Server) -> None:
    """Another host undoes a move while this one looks at it."""
    (page,) = seated(phone, server, "classic-108")
    page.select_option("#speak-for", "2")
    play(page, "red-5")
    page.click(".rulings li:has-text('red 5') .why")
    page.wait_for_selector(".sheet [data-do=undo]")
    place = place_of(page)
    corrected = page.request.post(
        f"/api/v1/tables/{place['table']}/corrections",
        data={"kind": "undo"},
        headers={"Authorization": f"Bearer {place['host']}"},
    )
    assert corrected.ok
    page.wait_for_selector(".sheet [data-do=undo]", state="detached")
    page.keyboard.press("Escape")
    page.reload()
    page.click(".rulings .undone .why")
    page.wait_for_selector(".sheet .source")
    assert page.locator(".sheet [data-do=undo]").count() == 0


def test_why_is_two_sentences(phone: Phone, server: Server) -> None:
    (page,) = seated(phone, server, "classic-108")
    page.select_option("#speak-for", "2")
    play(page, "red-5")
    page.click(".rulings li:has-text('red 5') .why")
    page.wait_for_selector(".sheet .source")
    said = page.inner_text(".sheet .said")
    assert said.startswith("A card goes on the pile when")
    assert said.count(". ") == 1
    assert said.endswith("Wild cards fit on everything.")
    assert "match ·" not in page.inner_text(".sheet")


@pytest.mark.parametrize(
    ("lang", "stakes"),
    [
        ("en", "The colour was red: if Bo had a card of it, Bo draws four, and if not, you draw"),
        ("de", "Es galt die Farbe Rot: Hatte Bo eine solche Karte, zieht Bo vier"),
        ("ru", "Цвет был: красный. Если у игрока Bo есть карта этого цвета"),
    ],
)
def test_a_challenge_says_what_is_at_stake(
    phone: Phone, server: Server, lang: str, stakes: str
) -> None:
    (page,) = seated(phone, server, "classic-112", langs=(lang,))
    page.select_option("#speak-for", "2")
    play(page, "wild-draw-four", "blue")
    page.select_option("#speak-for", "1")
    page.wait_for_selector("[data-do=challenge]")
    # The banner says it; once that is put away, it stands with the button.
    page.wait_for_selector(".banner.do[data-event=respond]")
    assert page.locator(".stakes").count() == 0
    page.click("[data-do=put-away]")
    expect(page.locator(".stakes")).to_contain_text(stakes)


def test_what_may_be_done_is_five_lines_at_most(phone: Phone, server: Server) -> None:
    (page,) = seated(phone, server, "color-powers", ("Ann", "Bo", "Cy"))
    page.click("nav a[href$='/rules']")
    page.wait_for_selector(".may")
    lines = page.locator(".may summary")
    assert 2 <= lines.count() <= 5
    high = lines.evaluate_all("all => Math.max(...all.map((one) => one.clientHeight))")
    assert high < 60, "each is one line"
