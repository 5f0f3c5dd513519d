"""What counts is in view on every screen: the event, the menu, the seats, and whole names."""

from typing import Any

import pytest

from referee.web import assets
from tests.e2e.server import Server
from tests.web.conftest import LARGE, SMALL, Phone, Shoot
from tests.web.stage import expect, place_code, place_of, seated, speak

LOW = {"width": 740, "height": 360}
TABLET = {"width": 820, "height": 1180}
DESK = {"width": 1280, "height": 800}
SIZES = (SMALL, LOW, TABLET, DESK)
NAMES = ("Nuuskamuikkunen", "Bartholomäus-Maximilian", "Mum", "Babi Zdeňka")
LOOK = f"""async (percent) => (await import("{assets.address("js/phone.js")}")).setSize(percent)"""
# Whether what may be done has been read.
CHOSEN = f"""async () =>
  (await import("{assets.address("js/state.js")}")).state.choices !== null"""
# Boxes of what is shown, by selector: [left, top, right, bottom].
BOXES = """wanted => [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility())
  .map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round);
  })"""
# How large the letters of what is shown are, by their place on the page.
LETTERS = """() => {
  const walker = document.createTreeWalker(document.querySelector(".page"), NodeFilter.SHOW_TEXT);
  const found = {};
  while (walker.nextNode()) {
    const { parentElement: one, data } = walker.currentNode;
    if (!data.trim() || !one.checkVisibility() || one.closest(".heard, svg")) continue;
    const key = [one.closest("[class]").className, data].join(": ");
    found[key] = parseFloat(getComputedStyle(one).fontSize);
  }
  return found;
}"""
# What is larger inside than its box lets one see.
CUT = """wanted => [...document.querySelectorAll(wanted)].filter((one) =>
  one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1
).map((one) => one.textContent)"""
# How large the letters on buttons are.
BUTTONS = """() => [...document.querySelectorAll(".choices button")]
  .filter((one) => one.textContent && !one.querySelector("svg"))
  .map((one) => parseFloat(getComputedStyle(one).fontSize))"""
# Notes how a moment looks when it comes.
SEEN = """() => new MutationObserver(() => {
  const moment = document.querySelector(".moment");
  if (!moment || window.seen) return;
  const { backgroundColor, opacity } = getComputedStyle(moment);
  window.seen = [backgroundColor, opacity, moment.querySelectorAll(".card").length];
}).observe(document.body, { childList: true })"""
# Whether what a button says leaves room at its edges.
FREE = """() => [...document.querySelectorAll(".places button:not(.square)")].every((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  return text.getBoundingClientRect().width + 8 <= one.clientWidth;
})"""
# Words that a line's end cuts in two.
BROKEN = """wanted => [...document.querySelectorAll(wanted)].flatMap((one) => {
  const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data } = walker.currentNode;
    for (const { 0: word, index } of data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(word);
    }
  }
  return found;
})"""


def boxes(page: Any, wanted: str) -> list[list[int]]:
    """Return the boxes of what is shown."""
    return page.evaluate(BOXES, wanted)


def apart(one: list[int], other: list[int]) -> bool:
    """Return whether two boxes do not lie on each other."""
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def room(page: Any) -> int:
    """Return where what stays at the bottom begins, if it lies below the table."""
    size = page.viewport_size
    foot = boxes(page, ".foot, .page > .tabbar")[0]
    return foot[1] if foot[0] < size["width"] / 4 else int(size["height"])


def resized(page: Any, size: dict[str, int]) -> None:
    """Look at the page in this size, once it has been drawn for it."""
    page.set_viewport_size(size)
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def sized(page: Any, size: dict[str, int], percent: int) -> None:
    """Look at the page in this size and with letters this large."""
    resized(page, size)
    page.evaluate(LOOK, percent)
    # The seats of a low screen stand elsewhere.
    low = size["height"] < 544
    page.wait_for_selector(".foot-seats", state="attached" if low else "detached")
    page.evaluate("scrollTo(0, 0)")


@pytest.mark.parametrize("percent", [100, 200])
def test_what_happens_and_what_to_do_are_in_view(
    phone: Phone, server: Server, shoot: Shoot, percent: int
) -> None:
    pages = seated(phone, server, "power-grab", NAMES, "red-5", ("de", "de", "de", "fi"))
    babi = pages[3]
    speak(server, pages[1], 2, move="play", card="red-7")
    speak(server, pages[2], 3, move="play", card="red-8")
    speak(server, babi, 4, move="play", card="wild-draw-four", color="green")
    speak(server, pages[0], 1, move="challenge")
    babi.wait_for_selector("[data-do=reveal]")
    babi.wait_for_selector(".banner[data-event=reveal] h2")
    for size in SIZES:
        sized(babi, size, percent)
        shoot(babi, f"layout-{percent}", size)
        [back, menu] = boxes(babi, ".bar > a, .bar > button")
        assert abs(back[1] - menu[1]) <= 2, (size, "the menu has left its line")
        [title] = boxes(babi, ".banner h2")
        assert title[3] <= room(babi), (size, "the event is not in view")
        for button in boxes(babi, ".choices button, .foot .tabbar a"):
            assert button[1] >= 0, (size, button)
            assert button[3] <= size["height"], (size, button)
        tabs = boxes(babi, ".foot .tabbar a")
        assert all(apart(one, two) for one in tabs for two in tabs if one != two), size
        broken = babi.evaluate(BROKEN, ".banner h2, .seat-name, .tabbar a, .places button")
        assert broken == [], size
        if percent == 100:
            assert babi.evaluate(FREE), (size, "a word fills its button")
            assert boxes(babi, ".pile-card")[0][1] < room(babi), (size, "the pile")
            assert boxes(babi, ".seat")[0][3] <= room(babi), (size, "the seats")


def test_larger_letters_make_nothing_smaller(phone: Phone, server: Server, shoot: Shoot) -> None:
    names = ("Oma Gerlinde", "Maximilian", "Mum", "Babi Zdeňka", "Nuuskamuikkunen")
    for page in seated(phone, server, "classic-112", names, "red-5", ("de", "de")):
        page.wait_for_function(CHOSEN)
        for size in SIZES:
            sized(page, size, 100)
            before = page.evaluate(LETTERS)
            buttons = page.evaluate(BUTTONS)
            assert len(buttons) >= 4
            for percent in (125, 150, 200):
                sized(page, size, percent)
                shoot(page, f"letters-{percent}", size)
                after = page.evaluate(LETTERS)
                assert set(after) == set(before)
                smaller = {one for one in after if after[one] < before[one]}
                assert smaller == set(), (size, percent)
                assert page.evaluate(BROKEN, ".seat-name") == [], (size, percent)
                assert page.evaluate(CUT, ".choices button, .tabbar a") == [], (size, percent)
            for small, large in zip(buttons, page.evaluate(BUTTONS), strict=True):
                assert large > 1.3 * small, (size, buttons)
            grown = [one for one in after if "seat-name" in one]
            assert all(after[one] > before[one] for one in grown if size != LOW), size


def test_a_table_shows_all_its_seats(phone: Phone, server: Server, shoot: Shoot) -> None:
    """Whoever plays sees who holds how many, whoever watches does, too, and nothing overlaps."""
    ann, bo = seated(phone, server, "classic-112", NAMES, "red-5", (None, "fi"))
    speak(server, bo, 2, move="play", card="red-draw-two")
    code = place_code(server, ann)
    watcher = phone(f"/join?code={code}", lang="es")
    watcher.click("[data-do=watch]")
    watcher.wait_for_selector(".pile")
    for page, name in ((bo, "plays"), (watcher, "watches")):
        for size in SIZES:
            resized(page, size)
            if page is bo:
                sized(page, size, 100)
            shoot(page, f"seats-{name}", size)
            seats = boxes(page, ".seat")
            assert len(seats) == len(NAMES)
            limit = min(size["height"], *(box[1] for box in boxes(page, ".page > .tabbar")), 2000)
            for seat in seats:
                assert seat[3] <= (room(page) if page is bo else limit), (name, size, seat)
            parts = [*seats, *boxes(page, ".pile, .log, .elsewhere, .bar")]
            shared = [(a, b) for i, a in enumerate(parts) for b in parts[:i] if not apart(a, b)]
            assert shared == [], (name, size)
            assert page.evaluate(BROKEN, ".seat-name, .turn") == [], (name, size)


@pytest.mark.parametrize("preset", ["official", "home"])
@pytest.mark.parametrize("count", [4, 6])
def test_whoever_is_hit_sees_how_many_all_hold(
    phone: Phone, server: Server, shoot: Shoot, count: int, preset: str
) -> None:
    names = ("Oma Gerlinde", "Maximilian", "Mum", "Babi Zdeňka", "Bo", "Cy")[:count]
    langs = (None, None, "hu")
    _, max_, mum = seated(phone, server, "classic-112", names, "red-5", langs, preset=preset)
    card = {"official": {"card": "wild-draw-four", "color": "green"}}
    speak(server, max_, 2, move="play", **card.get(preset, {"card": "red-draw-two"}))
    mum.wait_for_selector("[data-do=accept]")
    shoot(mum, f"hit-{preset}-{count}")
    seats = boxes(mum, ".seat")
    assert len(seats) == count
    assert max(seat[3] for seat in seats) <= room(mum)
    assert mum.evaluate(BROKEN, ".seat-name") == []


@pytest.mark.parametrize("vote", [False, True])
def test_in_the_waiting_room_the_code_lies_on_nobody(
    phone: Phone, server: Server, shoot: Shoot, vote: bool
) -> None:
    pages = seated(phone, server, "classic-112", NAMES, None, ("de", "de", "de"))
    if vote:
        speak(server, pages[1], 2, path="/house-rules", preset="home")
    for page, name in zip(pages, ("host", "second", "guest"), strict=True):
        if vote:
            page.wait_for_selector(".lobby [data-do=approval]")
        for size in SIZES:
            resized(page, size)
            shoot(page, f"lobby-{name}{'-vote' if vote else ''}", size)
            parts = boxes(page, ".invite > *, .lobby-people > *, .lobby-cards > *")
            shared = [(a, b) for i, a in enumerate(parts) for b in parts[:i] if not apart(a, b)]
            assert shared == [], (name, size)
            assert page.evaluate(BROKEN, ".invite h2, .invite .code") == [], (name, size)
            # What belongs together stands together; on a narrow screen the code is in between.
            groups = (".invite > *", ".lobby > :not(.invite, .start-foot)")
            for group in groups[: 1 if size == SMALL else 2]:
                lines = sorted(boxes(page, group), key=lambda box: box[1])
                gaps = [
                    below[1] - max(box[3] for box in lines[: i + 1])
                    for i, below in enumerate(lines[1:])
                ]
                assert max(gaps, default=0) <= 32, (name, size, group)


def test_on_its_side_a_phone_shows_every_card_and_both_answers(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    names = ("Oma Gerlinde", "Maximilian", "Mum", "Babi Zdeňka", "Jo")
    [ann] = seated(phone, server, "classic-112", names, None, ("de",))
    ann.set_viewport_size(LOW)
    ann.click("[data-do=deal]")
    ann.wait_for_selector(".picker .of-none")
    shoot(ann, "opening-low")
    assert max(box[3] for box in boxes(ann, ".picker .cell")) <= LOW["height"]
    ann, bo = seated(phone, server, "classic-112", names, "red-5", ("de", "fr"))
    bo.set_viewport_size(LOW)
    bo.click("[data-do=play]")
    bo.locator(".picker .of-blue .cell.faint").first.click()
    bo.wait_for_selector("[data-do=lay-anyway]")
    for percent in (100, 200):
        sized(bo, LOW, percent)
        shoot(bo, f"against-{percent}")
        for button in boxes(bo, ".sheet-body button"):
            assert button[3] <= LOW["height"], percent
    sized(bo, LOW, 100)
    bo.click(".sheet-foot button.main")
    speak(server, bo, 2, move="play", card="wild-draw-four", color="blue")
    speak(server, bo, 3, token=place_of(ann)["host"], move="challenge")
    bo.click("[data-do=reveal]")
    bo.wait_for_selector(".picker .of-none")
    shoot(bo, "hand-low")
    [foot] = boxes(bo, ".sheet-foot")
    cells = boxes(bo, ".picker .cell")
    assert max(box[3] for box in cells) <= foot[1] + 1
    assert all(apart(a, b) for i, a in enumerate(cells) for b in cells[:i])


def test_on_its_side_a_phone_shows_the_towers_of_whoever_is_on_turn(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    names = ("Oma Gerlinde", "Maximilian", "Mum", "Babi Zdeňka", "Nuuskamuikkunen")
    pages = seated(phone, server, "power-grab", names, "red-5", (None,) * 4 + ("de",))
    jo = pages[4]
    jo.set_viewport_size(LOW)
    jo.wait_for_selector(".foot-seats")
    # All five seats are whole.
    jo.wait_for_function(CHOSEN)
    shoot(jo, "seats-low")
    assert max(box[3] for box in boxes(jo, ".seat")) <= boxes(jo, ".choices")[0][1]
    host = place_of(pages[0])["host"]
    cards = ("red-1", "red-2", "red-3", "red-4:U", "red-5", "red-6", "red-7", "red-8", "red-9:N")
    for number, card in enumerate((*cards, "red-1", "red-2", "red-3", "red-4")):
        speak(server, jo, (number + 1) % 5 + 1, token=host, move="play", card=card)
    jo.wait_for_selector(".foot-seats .on-turn .power >> nth=1")
    shoot(jo, "towers-low")
    [turn] = boxes(jo, ".foot-seats .on-turn")
    assert turn[3] <= boxes(jo, ".choices")[0][1]
    assert max(box[3] for box in boxes(jo, ".on-turn .power")) <= turn[3]


def test_on_its_side_a_phone_has_room_for_ten_seats(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    names = ("Ann", "Bo", "Cynthia", "Dimitri", "Eve", "Fritz", "Grandma", "Ida", "Joe", "Kim")
    (ann,) = seated(phone, server, "classic-108", names)
    ann.set_viewport_size(LOW)
    ann.wait_for_selector(".foot-seats")
    ann.wait_for_function(CHOSEN)
    shoot(ann, "ten-low")
    seats = boxes(ann, ".foot-seats .seat")
    assert len(seats) == len(names)
    assert max(box[3] for box in seats) <= boxes(ann, ".choices")[0][1]


def test_on_its_side_a_phone_shows_all_towers_to_choose_from(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    names = ("Ann", "Oma Gerlinde", "Maximiliane-Sophie")
    ann, bo = seated(phone, server, "power-grab", names, "red-5", (None, "fi"))
    speak(server, ann, 2, token=place_of(ann)["host"], move="play", card="red-take-two-towers")
    towers = bo.locator(".choices [data-do^=power-]")
    expect(towers).to_have_count(4)
    # Upright their marks stand below each other.
    for size in (SMALL, {"width": 412, "height": 892}):
        bo.set_viewport_size(size)
        assert len({box[0] for box in boxes(bo, ".choices [data-do^=power-] .mark")}) == 1
    bo.set_viewport_size(LOW)
    shoot(bo, "choose-low")
    for tower in towers.all():
        tower.scroll_into_view_if_needed()
        box = tower.bounding_box()
        assert box["y"] >= 0, "the first one is above the screen, where nobody can reach it"
        assert box["y"] + box["height"] <= LOW["height"]


def test_no_title_of_the_rule_book_is_cut_in_large_letters(phone: Phone) -> None:
    page = phone("/rules", lang="ru")
    page.select_option("#deck", "power-grab")
    page.wait_for_selector(".rules:not([aria-busy=true]) summary:has-text('башни')")
    page.evaluate(LOOK, 200)
    assert page.evaluate(BROKEN, ".rules summary") == []


def test_the_podium_stands_beside_what_comes_next(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo = seated(phone, server, "classic-112", NAMES[:3], "red-5", ("de", "de"))
    speak(server, ann, None, path="/games/end", token=place_of(ann)["host"])
    for page in (ann, bo):
        page.wait_for_selector(".podium")
        page.wait_for_selector(".moment", state="detached")
        for size in SIZES:
            resized(page, size)
            shoot(page, "podium", size)
            [foot] = boxes(page, ".start-foot")
            if size == LOW:
                assert all(apart(foot, step) for step in boxes(page, ".step")), size


def test_whoever_watches_sees_the_seats_beside_a_long_log(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo = seated(
        phone, server, "classic-112", ("Ann", "Bo", "Cy", "Di", "Jo"), "red-5", (None, None)
    )
    for number in range(10):
        seat, card = (number + 1) % 5 + 1, f"red-{number % 9 + 1}"
        speak(server, bo, seat, token=place_of(ann)["host"], move="play", card=card)
    watcher = phone(f"/join?code={place_code(server, ann)}", lang="de", viewport=DESK)
    watcher.click("[data-do=watch]")
    watcher.wait_for_selector(".log li >> nth=5")
    shoot(watcher, "watches-long")
    [tabs] = boxes(watcher, ".page > .tabbar")
    assert max(box[3] for box in boxes(watcher, ".seat")) <= tabs[1]


def test_the_title_of_a_sheet_is_not_broken(phone: Phone, shoot: Shoot) -> None:
    page = phone("/", lang="de")
    page.evaluate(LOOK, 200)
    page.click(".bar button:last-child")
    page.wait_for_selector("#sheet-title")
    shoot(page, "settings-200")
    assert page.evaluate(BROKEN, "#sheet-title") == []


def test_between_rounds_the_scores_stand_once_and_start_is_in_reach(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    langs = ("de", "en", "en")
    names = ("Ann", "Bo", "Cy")
    options = {"hand_size": 8}
    ann, bo, cy = seated(phone, server, "classic-112", names, "red-5", langs, options=options)
    host = place_of(ann)["host"]
    speak(server, ann, 2, path="/corrections", token=host, kind="hand-count", count=1)
    bo.evaluate(SEEN)
    speak(server, bo, 2, move="play", card="red-7")
    # Opaque from its first picture on, with the card that ended the round.
    bo.wait_for_function("() => window.seen")
    assert bo.evaluate("() => window.seen") == ["rgb(52, 51, 106)", "1", 1]
    ann.wait_for_selector(".moment", state="detached")
    for seat, color in ((1, "green"), (3, "yellow")):
        hand = [f"{color}-{number}" for number in range(1, 9)]
        speak(server, ann, seat, token=host, move="reveal", hand=hand)
    ann.wait_for_selector("[data-do=deal]")
    for percent in (100, 200):
        for size in SIZES:
            resized(ann, size)
            ann.evaluate(LOOK, percent)
            shoot(ann, f"between-{percent}", size)
            [start] = boxes(ann, "[data-do=deal]")
            [tabs] = boxes(ann, ".page > .tabbar")
            assert start[3] <= tabs[1], (size, percent)
            expect(ann.locator(".banner-text, .scores h2:not(.heard)")).to_have_count(0)
    # What the round has brought stands beside the sum, on a TV, too.
    tv = phone(f"/wall?code={place_code(server, ann)}", viewport=LARGE)
    for page, lines in ((ann, ".scores li"), (tv, ".standings li")):
        expect(page.locator(f"{lines}:has-text('Bo') .brought")).to_have_text("+72")
        expect(page.locator(".brought")).to_have_count(1)
    shoot(tv, "wall-between")
    # Whoever waits knows whose deal it is.
    said = "The dealer is Bo. The host, or whoever deals, starts the round."
    cy.wait_for_selector(f".board-act p:has-text('{said}')")
    bo.wait_for_selector("[data-do=deal]")
    assert "Deal 8 cards to everybody" in bo.inner_text(".deal")


def test_the_host_reads_the_log_whole(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo = seated(phone, server, "classic-112", NAMES, "red-5", ("de", None))
    speak(server, bo, 2, move="play", card="red-draw-two")
    ann.click("nav a[href$='/host']")
    ann.wait_for_selector(".whole li:nth-child(2) .said")
    shoot(ann, "host-log", *SIZES)
    cut = """({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
      scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1"""
    lines = ann.locator(".whole .one-line")
    for number in range(lines.count()):
        assert not lines.nth(number).evaluate(cut)
    # One place to tap on a line, and all that can be done is behind it.
    assert ann.locator(".whole li").first.locator("button").count() == 1
    ann.click(".whole .said >> nth=0")
    for name in ("undo", "other-card", "insert", "overrule"):
        ann.wait_for_selector(f"dialog [data-do={name}]")


def test_showing_a_hand_covers_no_card_and_says_how_many_are_missing(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo = seated(phone, server, "classic-112", NAMES, "red-5", (None, "fr"))
    speak(server, bo, 2, move="play", card="wild-draw-four", color="blue")
    speak(server, bo, 3, token=place_of(ann)["host"], move="challenge")
    bo.click("[data-do=reveal]")
    bo.wait_for_selector(".picker .of-none")
    shoot(bo, "hand", *SIZES)
    [foot] = boxes(bo, ".sheet-foot")
    assert max(box[3] for box in boxes(bo, ".picker .cell")) <= foot[1] + 1
    assert bo.locator(".hand .missing").count() == 6
    bo.click(".picker [data-key=red-1]")
    bo.wait_for_selector(".hand-count:has-text('1 sur 6')")
    assert bo.locator(".hand .missing").count() == 5


def test_a_game_that_goes_on_comes_first_on_the_start_page(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, *_ = seated(phone, server, "classic-112", NAMES, "red-5", ("de",))
    table = place_of(ann)["table"]
    ann.evaluate(
        """() => {
          const all = JSON.parse(localStorage.getItem("referee.places"));
          for (const one of Object.values(all)) one.at = Date.now() - 3_600_000;
          localStorage.setItem("referee.places", JSON.stringify(all));
        }"""
    )
    ann.goto("/")
    ann.wait_for_selector("[data-do=go-on]")
    shoot(ann, "home-running", *SIZES)
    for size in SIZES:
        ann.set_viewport_size(size)
        [first, *_] = boxes(ann, "main a.button")
        assert first == boxes(ann, "[data-do=go-on]")[0]
        assert first[3] <= size["height"]
    assert ann.locator("main a.main").count() == 1
    ann.click("[data-do=go-on]")
    ann.wait_for_url(f"**/t/{table}")
    # What is over long ago is further down.
    ann.evaluate(
        """() => {
          const all = JSON.parse(localStorage.getItem("referee.places"));
          for (const one of Object.values(all)) one.at = 0;
          localStorage.setItem("referee.places", JSON.stringify(all));
        }"""
    )
    ann.goto("/")
    ann.wait_for_selector(".mine a")
    assert ann.locator("[data-do=go-on]").count() == 0


def test_the_wall_writes_whose_turn_it_is_largest(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo = seated(phone, server, "moomin", NAMES, "red-5", ("de", None))
    for seat, card in ((2, "red-7"), (3, "red-8"), (4, "red-9")):
        speak(server, bo, seat, token=place_of(ann)["host"], move="play", card=card)
    for overlay in ("", "?overlay=1"):
        wall = phone(
            f"/wall/{place_of(ann)['table']}{overlay}",
            viewport=LARGE,
            storage_state=ann.context.storage_state(),
        )
        wall.wait_for_selector(f".wall-turn:has-text('{NAMES[0]}')")
        shoot(wall, f"wall-turn{'-overlay' if overlay else ''}")
        sizes = dict(
            wall.evaluate(
                """() => [...document.querySelectorAll(".wall-turn, .seat-name, .wall .line span")]
                  .map((one) => [one.className, parseFloat(getComputedStyle(one).fontSize)])"""
            )
        )
        [turn] = [size for name, size in sizes.items() if "wall-turn" in name]
        assert turn == max(sizes.values()), overlay
        assert wall.evaluate(BROKEN, ".wall-turn, .seat-name") == [], overlay
