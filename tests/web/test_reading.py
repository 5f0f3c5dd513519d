"""Scores, rule book and wall view."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.web.conftest import LARGE, SMALL, Phone, Shoot
from tests.web.games import begun, game_of, taken_over, watch
from tests.web.stage import expect, seated
from tests.web.test_access import LOOKS, overflowing, press, reach, violations

NAMES = ("Ann", "Bo", "Cy", "Di")


def names_in(page: Any) -> list[str]:
    """Return the names of the score table, from above."""
    return page.locator(".sheet-table tbody th").all_inner_texts()


def totals_in(page: Any) -> list[str]:
    """Return the totals of the score table, from above."""
    return page.locator(".sheet-table .total").all_inner_texts()


def hands_in(page: Any, opened: int) -> list[tuple[str, int, int]]:
    """Return what the points of a round are made of: name, cards and points of each hand."""
    page.locator(".tally details").nth(opened).evaluate("one => { one.open = true; }")
    return [
        (
            line.locator(".tally-name").inner_text(),
            line.locator(".card").count(),
            int(line.locator("strong").inner_text()),
        )
        for line in page.locator(".tally details").nth(opened).locator("li").all()
    ]


def saved(page: Any, button: str) -> bytes:
    with page.expect_download() as download:
        page.click(f"[data-do={button}]")
    path: Path = download.value.path()
    return path.read_bytes()


def test_the_scores_are_a_table_a_picture_and_files(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    game = game_of(NAMES, 6, target=400)
    played = taken_over(server, game)
    page = phone(lang="sv", accept_downloads=True)
    watch(page, played.code)
    page.click("nav a[href$='/scores']")
    page.wait_for_selector(".sheet-table")
    # A line for each, the best first, with the total and what each round brought.
    rows = page.locator(".sheet-table tbody tr")
    assert rows.locator("td.out").count() == 6
    assert rows.first.locator("td").count() == 7
    totals = [str(points) for points in played.state["scores"]]
    shown = dict(zip(names_in(page), totals_in(page), strict=True))
    assert [shown[name] for name in NAMES] == totals
    assert totals_in(page) == sorted(totals, key=int, reverse=True)
    assert page.locator(".caught h3").all_inner_texts() == ["Åkte fast utan UNO"]
    assert "Dela som bild" in page.inner_text("[data-do=share]")
    page.wait_for_function("() => document.querySelector('.picture img').naturalWidth === 1080")
    # What each round's points are made of, the last one first.
    assert page.locator(".tally details").count() == 6
    for at, of_it in enumerate(reversed(game["rounds"])):
        shown_hands = sorted(m["seat"] for m in of_it["moves"] if m["move"] == "reveal")
        hands = hands_in(page, at)
        assert [name for name, _, _ in hands] == [NAMES[seat - 1] for seat in shown_hands]
        cards = {NAMES[m["seat"] - 1]: m.get("hand") for m in of_it["moves"]}
        assert all(count == len(cards[name]) for name, count, _ in hands)
        brought = page.locator(f".sheet-table tr td.out:nth-child({at + 3})").inner_text()
        assert sum(points for _, _, points in hands) == int(brought.split()[0])
    assert overflowing(page) == []
    shoot(page, "scores", SMALL, LARGE)

    table = list(csv.reader(io.StringIO(saved(page, "csv").decode("utf-8-sig"))))
    assert table[0][3:] == list(NAMES)
    assert table[-1][3:] == totals
    assert len(json.loads(saved(page, "record"))["rounds"]) == 6
    assert saved(page, "share").startswith(b"\x89PNG")


def test_what_counts_for_nobody_is_crossed_out(phone: Phone, server: Server) -> None:
    """A partner's hand; one that nobody knows has no points, and who came late has some already."""
    record = game_of(NAMES, 0, target=500, teams=[[1, 3], [2, 4]])
    hands = {"1": ["wild", "red-3"], "3": None, "4": ["wild-draw-four", "red-9"]}
    record["rounds"] = [{"dealer": 1, "result": {"out": 2, "hands": hands}}]
    page = phone()
    watch(page, taken_over(server, record).code)
    page.click("nav a[href$='/scores']")
    page.wait_for_selector(".tally details[open]")
    assert page.inner_text(".tally summary").strip() == "Round 1 · Bo +53"
    assert page.locator(".tally li strong").all_inner_texts() == ["53", "?", "59"]
    assert page.locator(".tally li s").all_inner_texts() == ["59"]
    assert page.locator(".tally-card small").all_inner_texts() == ["50", "3", "50", "9"]

    record = game_of(NAMES[:2], 0, target=500, scoring="low")
    record["rounds"] = [
        {"dealer": 1, "result": {"out": 2, "hands": {"1": ["red-3"]}}},
        {"join": {"3": 20}, "names": {"3": "Cy"}, "dealer": 1}
        | {"result": {"out": 1, "hands": {"2": 4, "3": 6}}},
    ]
    late = phone()
    watch(late, taken_over(server, record).code)
    late.click("nav a[href$='/scores']")
    late.wait_for_selector(".tally details[open]")
    assert late.inner_text(".tally > p") == "Points to start with: Cy 20"
    assert late.locator(".tally summary").all_inner_texts() == [
        "Round 2 · Ann (went out)",
        "Round 1 · Bo (went out)",
    ]


def test_the_scores_of_six_are_in_view_on_a_small_phone(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    """Names lie as one reads them, beside their totals, in letters twice as large, too."""
    names = ("Anna Magdalena", "Bartholomäus", "Cecylia Maria", "Dobrosława", "Bo", "Di")
    record = game_of(names, 0, target=5000)
    record["rounds"] = [
        {"dealer": 1, "result": {"out": out, "hands": {str(at): 21 * at for at in others}}}
        for out in range(1, 7)
        for others in [[at for at in range(1, 7) if at != out]]
    ]
    # "Total" is a long word here.
    page = phone(lang="fi")
    watch(page, taken_over(server, record).code)
    page.click("nav a[href$='/scores']")
    page.wait_for_selector(".sheet-table .out")
    for letters in ("", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)
        shoot(page, f"scores-of-six-{letters or '100%'}")
        for cell in page.locator(".sheet-table tbody th, .sheet-table .total").all():
            assert cell.evaluate("one => getComputedStyle(one).writingMode") == "horizontal-tb"
            box = cell.bounding_box()
            assert box["x"] >= 0, letters
            assert box["x"] + box["width"] <= SMALL["width"], letters


def test_a_wide_table_of_scores_scrolls_and_the_page_does_not(phone: Phone, server: Server) -> None:
    played = taken_over(server, game_of(("Bartłomiej", "Łucja", "Żaneta"), 12, target=5000))
    page = phone(lang="pl")
    watch(page, played.code)
    page.click("nav a[href$='/scores']")
    page.wait_for_selector(".sheet-table .total")
    table, whole = (
        page.evaluate(f"document.querySelector('{one}').scrollWidth") for one in (".scroll", "html")
    )
    assert table > whole == page.viewport_size["width"]


def test_scores_that_change_are_shown_without_being_asked_for(phone: Phone, server: Server) -> None:
    """The host undoes the last round while a spectator looks at the scores."""
    played = taken_over(server, game_of(NAMES[:2], 1, target=400))
    page = phone()
    watch(page, played.code)
    page.goto(f"/t/{played.table}/scores")
    page.wait_for_selector(".sheet-table .out")
    body = {"kind": "undo"}
    headers = {"Authorization": f"Bearer {played.token}"}
    page.request.post(f"/api/v1/tables/{played.table}/corrections", data=body, headers=headers)
    page.wait_for_selector(".sheet-table .out", state="detached")
    assert totals_in(page) == ["0", "0"]


def test_rules_are_found_by_word_card_and_power(phone: Phone, shoot: Shoot) -> None:
    page = phone("/rules")
    page.select_option("#deck", "power-grab")
    page.fill("#rule-search", "kaikki neljä")
    # The only one, and so it is open already.
    page.wait_for_selector(".rule[open] .source")
    shoot(page, "rules", SMALL, LARGE)
    page.fill("#rule-search", "")
    page.click("[data-do=by-card]")
    page.click(".tab-wild")
    page.click(".picker [data-key='wild-draw-four']")
    page.wait_for_selector("[data-do=any-card]")
    page.wait_for_selector(".rule[data-key='challenge']")
    page.click(".rule[data-key='challenge'] summary")
    page.wait_for_selector(".rule[open] .source:has-text('S')")
    page.click("[data-do=any-card]")
    page.click("[data-do='about-!']")
    page.wait_for_selector(".rule[data-key^='tower']")
    page.fill("#rule-search", "qqqqqqqq")
    page.wait_for_selector(".rules p:has-text('Nothing found')")


def test_rules_are_found_by_what_others_play(phone: Phone) -> None:
    page = phone("/rules")
    page.select_option("#deck", "classic-112")
    for query, rule in (("stacking", "house.stacking"), ("7", "match"), ("zero", "match")):
        page.fill("#rule-search", query)
        page.wait_for_selector(f".rule:first-child[data-key='{rule}']")
    # It is nobody's rule here: what the sheet says stands beside it.
    told = page.locator(".rule[data-key='house.seven'] > summary")
    assert told.inner_text().endswith(" A house rule, which a table may agree on.")
    told.click()
    source = page.inner_text(".rule[data-key='house.seven'] .source")
    sheet = "The sheet says: A 7 is a number like any other, and everybody keeps their hand."
    assert source == sheet
    expect(page.locator(".rule[open] .small")).to_be_hidden()


def test_all_cards_that_fit_are_drawn_and_house_rules_of_others_told(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    options = {"seven_zero": "on", "scoring": "low"}
    _, bo = seated(phone, server, "classic-108", langs=(None, "en"), options=options)
    bo.wait_for_selector(".banner[data-event=turn]")
    bo.click("nav a[href$='/rules']")
    cards = bo.locator(".fitting .card")
    said = {cards.nth(n).get_attribute("aria-label") for n in range(cards.count())}
    assert {"red 0", "red 7", "red draw two", "blue 7", "wild", "wild draw four"} <= said
    assert "blue 4" not in said
    assert "Matching" in bo.inner_text(".may[data-key=play] h3")
    shoot(bo, "rules-fitting", SMALL, LARGE)
    for query, rule, tags, sheet in (
        ("seven", "house.seven", [], "Source: this table's own rule"),
        ("stacking", "house.stacking", ["Not played at this table."], "The sheet says: "),
        ("elimination", "house.elimination", ["Not played at this table."], "The sheet says: "),
    ):
        bo.fill("#rule-search", query)
        found = bo.locator(f".rule[data-key='{rule}']")
        expect(found.locator(".source")).to_contain_text(sheet)
        # Before the rule: it reads as if it held.
        assert found.locator("> summary .tag").all_inner_texts() == tags


def test_what_may_be_done_now_stands_with_its_source(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    record = game_of(NAMES, 0)
    record["rounds"] = [begun(1, 4, 3)]
    page = phone(lang="fi")
    watch(page, taken_over(server, record).code)
    page.click("nav a[href$='/rules']")
    page.wait_for_selector(".may")
    assert page.locator(".may").count() >= 2
    assert page.inner_text("h2") == "Mitä nyt saa tehdä?"
    first = page.locator(".may").first
    assert first.locator(".source").inner_text().startswith("Lähde: ")
    shoot(page, "rules-now", SMALL, LARGE)


@pytest.mark.parametrize("seats", [4, 10])
def test_a_tv_shows_the_table_without_a_button(
    phone: Phone, server: Server, shoot: Shoot, seats: int
) -> None:
    names = ("Astrid", "Björn", "Cecilia", "Dag", "Eva", "Finn", "Gerd", "Hans", "Ida", "Jens")
    record = game_of(names[:seats], 1 if seats == 4 else 0)
    record["rounds"].append(begun(len(record["rounds"]) + 1, seats, 2 * seats + 1))
    played = taken_over(server, record)
    page = phone("/wall", viewport=LARGE)
    page.fill("#code", played.code)
    page.click("[data-do=look]")
    page.wait_for_selector(".wall-seat")
    assert page.locator("button, input, a").count() == 0
    shown = page.locator(".wall-count [aria-hidden=true]:not(svg)").all_inner_texts()
    counts = [int(text) for text in shown]
    assert counts == played.state["hands"]
    assert page.locator(".wall-seat.on-turn").count() == 1
    shoot(page, f"wall-{seats}", LARGE, SMALL)
    # A TV does not scroll.
    page.wait_for_function("() => document.documentElement.scrollHeight <= innerHeight")
    page.keyboard.press("Escape")
    page.wait_for_selector(".board")


@pytest.mark.parametrize("name", ["Bartholomäus", "Wilhelmina", "Maximiliane-Charlotte"])
def test_a_tv_breaks_no_name(phone: Phone, server: Server, name: str) -> None:
    record = game_of((name, "Bo", "Cy", "Di"), 0)
    record["rounds"] = [begun(1, 4, 3)]
    played = taken_over(server, record)
    page = phone(viewport=LARGE)
    watch(page, played.code)
    page.goto(f"/wall/{played.table}")
    page.wait_for_selector(f".wall-turn:has-text('{name}')")
    lines = page.evaluate(
        """() => {
          const text = document.querySelector(".wall-turn").firstChild;
          const words = [...text.data.matchAll(/[^\\s-]+/g)];
          return words.map((word) => {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            return range.getClientRects().length;
          });
        }"""
    )
    assert set(lines) == {1}
    fits = "one => one.scrollWidth <= one.clientWidth"
    assert page.locator(".wall-turn").evaluate(fits)


def test_a_tv_shows_who_has_won_and_how_to_join(phone: Phone, server: Server, shoot: Shoot) -> None:
    over = taken_over(server, game_of(NAMES, 1, target=10))
    assert over.state["winner"] is not None
    page = phone("/wall", viewport=LARGE)
    page.fill("#code", over.code)
    page.click("[data-do=look]")
    page.wait_for_selector(".podium")
    best = page.locator(".podium li").first.inner_text()
    assert NAMES[over.state["winner"] - 1] in best
    shoot(page, "wall-over")
    empty = taken_over(server, game_of(NAMES, 0))
    page.goto("/wall")
    page.fill("#code", empty.code)
    page.click("[data-do=look]")
    page.wait_for_function("() => document.querySelector('.wall .qr')?.naturalWidth > 0")
    shoot(page, "wall-lobby")


@pytest.mark.parametrize(("lang", "scheme", "size"), LOOKS)
def test_nobody_is_kept_out_of_what_is_read(
    phone: Phone, server: Server, lang: str, scheme: str, size: dict[str, int], shoot: Shoot
) -> None:
    """Axe finds nothing serious, and text at 200 % fits."""
    record = game_of(NAMES, 2, target=400)
    record["rounds"].append(begun(3, 4, 5))
    played = taken_over(server, record)
    page = phone(lang=lang, color_scheme=scheme, viewport=size)
    watch(page, played.code)
    shown = {"scores": ".picture img", "rules": ".may", "wall": ".wall-seat"}
    for name, there in shown.items():
        page.goto(f"/wall/{played.table}" if name == "wall" else f"/t/{played.table}/{name}")
        page.wait_for_selector(there)
        shoot(page, f"{name}-{lang}")
        assert violations(page) == [], name
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        shoot(page, f"{name}-{lang}-200%")
        assert overflowing(page) == [], name
        page.evaluate("document.documentElement.style.fontSize = ''")


def test_keys_alone_look_a_rule_up(phone: Phone) -> None:
    page = phone()
    press(page, "[data-do=rules]")
    reach(page, "#rule-search")
    page.keyboard.type("draw four")
    page.wait_for_selector(".rule[data-key='card.wild-draw-four']")
    press(page, ".rule[data-key='card.wild-draw-four'] summary")
    page.wait_for_selector(".rule[open] .source")


def test_a_rule_keeps_the_focus_while_the_others_go(phone: Phone) -> None:
    page = phone()
    page.click("[data-do=rules]")
    rule = ".rule[data-key='card.wild-draw-four']"
    page.wait_for_selector(rule)
    before = page.locator(".rule").count()
    # The answer to a search comes when the reader has gone on already.
    page.fill("#rule-search", "draw four")
    page.focus(f"{rule} summary")
    page.wait_for_function("many => document.querySelectorAll('.rule').length < many", arg=before)
    assert page.evaluate("rule => document.activeElement.matches(rule)", f"{rule} summary")


def test_the_wall_is_found_in_the_settings(phone: Phone, server: Server) -> None:
    page = phone()
    watch(page, taken_over(server, game_of(NAMES, 0)).code)
    page.click("[data-do=settings]")
    page.click("[data-do=wall]")
    page.wait_for_selector(".wall .qr")
    page.wait_for_selector("dialog", state="detached")


@pytest.mark.parametrize(
    ("country", "chosen", "written"),
    [
        ("en-US", "en", r"Thu.*8:05\sPM"),
        ("en-GB", "en", r"Thu.*20:05"),
        # A language that is not the reader's own is written as it usually is.
        ("en-US", "de", r"Do.*20:05"),
    ],
)
def test_times_are_as_in_the_readers_country(
    phone: Phone, country: str, chosen: str, written: str
) -> None:
    at = (20 * 60 + 5) * 60_000
    places = {"abc": {"table": "abc", "seats": ["Ann", "Bo"], "at": at}}
    remembers = {"places": places, "language": chosen}
    page = phone(lang=country, remembers=remembers, timezone_id="UTC")
    expect(page.locator(".mine small")).to_have_text(re.compile(written))
