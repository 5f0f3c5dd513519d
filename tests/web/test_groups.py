"""People across evenings on the page: a group, a table for it, a person, and an end of both."""

import re

from tests.e2e.server import Server
from tests.web.conftest import SMALL, Phone, Shoot
from tests.web.stage import comes_to, expect
from tests.web.test_access import overflowing, violations


def test_a_group_keeps_what_a_host_wants(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann = phone()
    ann.click("[data-do=people]")
    ann.fill("#group-name", "Thursdays")
    ann.click("[data-do=make-group]")
    ann.wait_for_selector(".people-page")
    ann.goto("/new")
    ann.fill("#my-name", "Ann")
    ann.click(".setup .house summary")
    ann.click("[data-do=more]")
    ann.fill("#name-2", "Bo")
    assert ann.input_value("#group") == "", "off unless the host wants it"
    ann.select_option("#group", label="Thursdays")
    ann.set_checked("[data-do=score-only]", True)
    ann.click("[data-do=make]")
    ann.wait_for_selector(".lobby :text('A group keeps the games')")
    table = ann.evaluate("location.pathname.split('/')[2]")
    ann.evaluate(
        """async (table) => {
          const { host } = JSON.parse(localStorage.getItem("referee.places"))[table];
          const headers = { Authorization: `Bearer ${host}`, "Content-Type": "application/json" };
          const send = (path, of) => {
            const body = JSON.stringify(of);
            return fetch(`/api/v1/tables/${table}${path}`, { method: "POST", headers, body });
          };
          await send("/rounds", { result: { out: 2, hands: { 1: 40 } }, dealer: 1 });
          await send("/games/end");
        }""",
        table,
    )
    ann.goto("/people")
    ann.click("a:has-text('Thursdays')")
    ann.wait_for_selector(".kept-people li:nth-child(2)")
    expect(ann.locator(".kept-people li:first-child")).to_contain_text("Won: 1 / 1")
    expect(ann.locator(".kept-games .muted")).to_have_text(re.compile(r" · Classic, 1\d\d cards$"))
    link = ann.get_attribute(".kept-games a", "href")
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    assert violations(ann) == []
    shoot(ann, "people", SMALL)
    ann.evaluate("document.documentElement.style.fontSize = '200%'")
    assert overflowing(ann) == []
    ann.evaluate("document.documentElement.style.fontSize = ''")

    # The same people again are kept by the same group.
    ann.goto("/new")
    ann.click("[data-do=same-people]")
    ann.click(".setup .house summary")
    comes_to(
        lambda: ann.input_value("#group"), ann.get_attribute("#group option >> nth=1", "value")
    )
    ann.go_back()

    # The link opens it on another phone, and its token leaves the address.
    ann.click("[data-do=group-link]")
    address = re.sub(r"^https?://[^/]+", "", ann.input_value("#group-link"))
    ann.keyboard.press("Escape")
    other = phone(address, lang="de")
    other.wait_for_selector(".kept-people")
    assert "#" not in other.url
    stranger = phone(address.partition("#")[0])
    stranger.wait_for_selector("main :text('does not have')")

    ann.click("[data-do=person]")
    shoot(ann, "person", SMALL)
    assert ann.inner_text(".sheet h2") == "Bo"
    ann.click("[data-do=forget-person]")
    ann.click(".sheet [data-do=send]")
    ann.wait_for_selector(".kept-people li:nth-child(2)", state="detached")
    expect(ann.locator(".people-page")).not_to_contain_text("Bo")
    ann.click("[data-do=delete-group]")
    ann.click(".sheet [data-do=send]")
    ann.wait_for_selector("#group-name")
    expect(ann.locator("a:has-text('Thursdays')")).to_have_count(0)
