"""Setting up a table and making the first moves."""

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.stage import open_table, pick, play, seated, start_round, take_seat, wait_for_hands


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
    host.wait_for_selector("[data-do=play]")
    assert host.locator(".seat:nth-child(2) .power").count() == 2
    assert host.locator(".turn").inner_text() == "Your turn"
    assert bo.locator(".turn").inner_text() == "På tur: Ann"


def test_what_the_rules_forbid_is_asked_about_ruled_on_and_explained(
    phone: Phone, server: Server
) -> None:
    (host,) = seated(phone, server, "classic-108")
    host.select_option("#speak-for", "2")
    host.click("[data-do=play]")
    pick(host, "blue-3")
    host.click("[data-do=lay-anyway]")
    host.wait_for_selector(".wrong")
    assert "does not match" in host.inner_text(".wrong")
    assert host.inner_text(".wrong .verdict") == "Not allowed: Bo"
    host.click(".wrong .why")
    host.wait_for_selector(".sheet .source")
    assert "S4" in host.inner_text(".sheet .source")
    host.click(".sheet [data-do=overrule]")
    host.click(".sheet [data-do=make]")
    host.wait_for_selector(".wrong", state="detached")
    host.wait_for_selector(".pile-card [aria-label='blue 3']")


def test_a_host_alone_speaks_for_everybody_who_has_no_phone(phone: Phone, server: Server) -> None:
    (host,) = seated(phone, server, "color-powers", ("Ann", "Bo", "Cy"))
    for card, name in (("red-5", "Bo"), ("red-6", "Cy")):
        host.wait_for_selector(f".board-act :text('Playing for {name}')")
        play(host, card)
    host.wait_for_selector(".turn:has-text('Your turn')")
    assert host.locator(".board-act :text('Playing for')").count() == 0
    play(host, "wild-power-blue")
    host.click("[data-do=color-green]")
    host.wait_for_selector(".seat:nth-child(1) .power")
    host.wait_for_selector(".board-act :text('Playing for Bo')")
    wait_for_hands(host, [6, 6, 6])


def test_the_highest_card_deals(phone: Phone) -> None:
    host = phone()
    code = open_table(host, "classic-108", ("Ann", "Bo"))
    bo = phone(f"/join?code={code}", lang="pl")
    take_seat(bo, 2)
    for ann_draws, bo_draws, said in (
        ("red-5", "blue-5", "Ten sam numer"),
        ("red-3", "green-8", "Rozdaje Bo."),
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
