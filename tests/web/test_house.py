"""House rules on the page: chosen, shared, shown to everybody, and played."""

from typing import Any

import pytest

from tests.e2e.server import Server
from tests.web.conftest import Phone, Shoot
from tests.web.stage import (
    comes_to,
    expect,
    hands,
    open_table,
    pick,
    place_of,
    play,
    seated,
    speak,
    start_round,
    wait_for_hands,
)
from tests.web.test_access import overflowing, violations

# A 7 of cards each, like on like, until a card can be played: what a link says.
LINK = "/new?house=H5J1&deck=classic-112"


def rules_of(page: Any) -> list[str]:
    """Return the house rules that a screen shows, each in its sentence."""
    page.wait_for_selector(".house-rules li")
    return page.locator(".house-rules li > :last-child").all_inner_texts()


def make(page: Any, name: str = "Ann") -> str:
    """Open the table as it is chosen; return its join code."""
    page.fill("#my-name", name)
    page.click("[data-do=make]")
    return str(page.inner_text(".invite .code")).replace(" ", "")


def chosen(page: Any) -> str:
    """Return which set of house rules is chosen."""
    page.wait_for_selector(".preset :checked", state="attached")
    return str(page.input_value(".preset :checked"))


def test_nobody_who_wants_the_sheet_has_to_choose(phone: Phone) -> None:
    page = phone("/new")
    comes_to(lambda: chosen(page), "official")
    assert page.locator(".rule-cards").count() == 0
    expect(page.locator("[data-do=rule-teams]")).not_to_be_checked()
    make(page)
    page.wait_for_selector(":text('this table plays by the sheet')")


def test_a_preset_is_two_taps_and_everybody_reads_it(phone: Phone) -> None:
    ann, bo = phone("/new"), phone()
    ann.check("input[value=home]")
    code = make(ann)
    said = [
        "Hit by a draw card? Lay one of the same kind on it, and the next player gets the sum.",
        "Nothing fits? Draw until a card can be played.",
    ]
    comes_to(lambda: rules_of(ann), said)
    # Whoever comes reads them before taking a seat, and at any time in the rules.
    bo.goto(f"/join?code={code}")
    comes_to(lambda: rules_of(bo), said)
    bo.fill("#my-name", "Bo")
    bo.click("[data-do=come]")
    bo.wait_for_selector(".lobby")
    comes_to(lambda: rules_of(bo), said)
    bo.click("nav a[href$='/rules']")
    bo.wait_for_selector("[data-do=share-house]")
    comes_to(lambda: rules_of(bo), said)


def test_a_set_of_ones_own_stays_on_the_phone_and_goes_to_others_as_a_link(phone: Phone) -> None:
    ann, bo = phone("/new"), phone()
    ann.check("input[value=classic-112]")
    ann.check("input[value=own]")
    ann.check("[data-do=rule-stacking]")
    ann.check("[data-do=stacking-any]")
    ann.click("[data-do=hand_size-less]")
    ann.click("[data-do=share-house]")
    assert ann.inner_text("[data-do=house-code]") == "H6S2"
    link = ann.input_value("#house-link")
    ann.keyboard.press("Escape")
    ann.fill("#set-name", "Grandma’s")
    ann.click("[data-do=keep-set]")
    comes_to(lambda: chosen(ann), "kept-0")
    # It is there the next time, and may go again.
    ann.goto("/new")
    assert ann.inner_text(".preset:has([value=kept-0]) strong") == "Grandma’s"
    ann.check("input[value=official]")
    ann.check("input[value=kept-0]")
    make(ann)
    comes_to(lambda: rules_of(ann)[-1], "Cards dealt to each player: 6")
    bo.goto(link[link.index("/new") :])
    comes_to(lambda: chosen(bo), "own")
    expect(bo.locator("[data-do=stacking-any]")).to_be_checked()
    make(bo, "Bo")
    comes_to(lambda: rules_of(bo), rules_of(ann))
    ann.goto("/new")
    ann.click("[data-do=forget-set]")
    ann.wait_for_selector("[value=kept-0]", state="detached")


def test_a_code_is_typed_and_a_wrong_one_is_told(phone: Phone) -> None:
    page = phone("/new")
    page.check("input[value=own]")
    page.fill("#house-in", "X")
    page.click("[data-do=take-code]")
    page.wait_for_selector(".notice :text('There are no house rules with this code')")
    page.fill("#house-in", "d1-s1")
    page.click("[data-do=take-code]")
    expect(page.locator("[data-do=rule-draw_until]")).to_be_checked()
    # These are what tables play at home, and so it is called.
    page.reload()
    page.check("input[value=home]")
    comes_to(lambda: chosen(page), "home")


def test_what_does_not_go_together_is_grey_and_says_why(phone: Phone) -> None:
    page = phone("/new")
    page.check("input[value=own]")
    page.click("[data-do=rounds-more]")
    expect(page.locator("[data-do=scoring-hand]")).to_be_disabled()
    assert "Rounds in a game: 1" in page.inner_text(".check:has([data-do=scoring-hand])")
    page.click("[data-do=rounds-less]")
    page.check("[data-do=scoring-hand]")
    expect(page.locator("[data-do=rounds-more]")).to_be_disabled()
    assert "One round decides the game" in page.inner_text(".rule-card.pale")


def test_another_deck_keeps_the_rules_that_it_knows(phone: Phone) -> None:
    page = phone(LINK)
    comes_to(lambda: chosen(page), "own")
    page.check("input[value=classic-108]")
    expect(page.locator("[data-do=rule-jump_in]")).to_be_checked()
    # This deck's own rule is on, and is no house rule.
    expect(page.locator("[data-do=forced_play-any]")).to_be_checked()
    make(page)
    wanted = [
        "Whoever holds the very card on top may lay it at once, out of turn.",
        "Cards dealt to each player: 5",
    ]
    comes_to(lambda: rules_of(page), wanted)


def test_a_rematch_with_another_deck_keeps_the_rules_that_it_knows(
    phone: Phone, server: Server
) -> None:
    options = {"stacking": "any", "target": 50}
    (page,) = seated(phone, server, "classic-112", ("Ann", "Bo"), None, options=options)
    counted(server, page, 1, {"2": 60})
    page.click("[data-do=again]")
    page.select_option("#next-deck", "power-grab")
    page.click("dialog button.main")
    page.wait_for_selector(".lobby")
    wanted = [
        "Points to win the game: 50",
        "Hit by a draw card? Lay one that draws as many or more, and the next player gets the sum.",
    ]
    comes_to(lambda: rules_of(page), wanted)


@pytest.mark.parametrize("lang", ["de", "fi", "ru", "hu"])
def test_long_words_fit_on_every_card(phone: Phone, lang: str, shoot: Shoot) -> None:
    page = phone("/new", lang=lang)
    page.check("input[value=own]")
    page.check("[data-do=rule-stacking]")
    page.check("[data-do=scoring-hand]")
    shoot(page, f"house-{lang}")
    assert violations(page) == []
    for size in ("100%", "200%"):
        page.evaluate("size => document.documentElement.style.fontSize = size", size)
        assert overflowing(page) == [], size
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.check("input[value=party]")
    make(page)
    page.wait_for_selector(".house-rules .rule-sign")
    shoot(page, f"house-lobby-{lang}")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert overflowing(page) == []


def test_a_table_without_house_rules_is_as_quick_as_before(phone: Phone, server: Server) -> None:
    page = phone()
    open_table(page, "classic-112", ("Ann", "Bo"))
    page.wait_for_selector("[data-do=deal]:enabled")
    expect(page.locator(".lobby [data-do=deck]")).to_have_text("Classic, 112 cards")
    assert page.locator(".house-rules li").count() == 0


FOUR = ("Ann", "Bo", "Lena", "Olga")


def table_of_four(phone: Phone, server: Server, look: tuple[str, ...], **more: Any) -> list[Any]:
    """Return four seats at a table with these house rules, with phones of those who look.

    Bo is on.
    """
    langs = tuple("en" if name in look else None for name in FOUR)
    return seated(phone, server, "classic-112", FOUR, "red-5", langs, **more)


def test_a_stack_grows_on_every_phone_until_somebody_draws_it(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo, lena, olga = table_of_four(phone, server, FOUR, preset="home")
    play(bo, "red-draw-two")
    lena.wait_for_selector(".stack-line strong:text-is('+2')")
    # What stacks is bright, everything else can be laid only against the rules.
    lena.click("[data-do=play]")
    bright = lena.locator(".picker .cell:not(.faint)")
    keys = "all => all.map((one) => one.dataset.key).sort()"
    two = [f"{one}-draw-two" for one in ("blue", "green", "red", "yellow")]
    comes_to(lambda: bright.evaluate_all(keys), two)
    pick(lena, "blue-draw-two")
    for page in (ann, bo, olga):
        page.wait_for_selector(".stack-line strong:text-is('+4')")
        assert page.inner_text(".stack-line > :first-child") == "+2"
    expect(ann.locator(".waiting")).to_contain_text("Olga")
    shoot(olga, "house-stack")
    # Of two that can be done one stands out, as on any turn.
    expect(olga.locator(".choices .main")).to_have_text(["Play a card"])
    olga.click("[data-do=accept]:has-text('Draw 4 cards')")
    wait_for_hands(ann, [7, 6, 6, 11])
    ann.wait_for_selector(".stack-line", state="detached")


def test_the_wall_shows_the_stack(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo, _, _ = table_of_four(phone, server, FOUR[:2], preset="home")
    play(bo, "red-draw-two")
    state = ann.context.storage_state()
    table = ann.url.split("/")[-1]
    wall = phone(f"/wall/{table}", viewport={"width": 1920, "height": 1080}, storage_state=state)
    wall.wait_for_selector(".stack-line strong:text-is('+2')")
    shoot(wall, "house-wall-stack")
    assert overflowing(wall) == []


def test_one_tap_jumps_in_and_moves_no_button(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo, lena, _ = table_of_four(phone, server, FOUR[:3], options={"jump_in": "on"})
    lena.wait_for_selector("[data-do=jump]:has-text('red 5')")
    shoot(lena, "house-jump")
    assert bo.locator("[data-do=jump]").count() == 0
    before = lena.locator("[data-do=ahead]").bounding_box()
    lena.click("[data-do=jump]")
    wait_for_hands(ann, [7, 7, 6, 7])
    ann.wait_for_selector(".turn:has-text('Olga')")
    # There is no other red 5, so nobody else can jump in.
    lena.wait_for_selector("[data-do=jump]", state="detached")
    assert lena.locator("[data-do=ahead]").bounding_box() == before


def test_a_card_in_line_does_not_jump_in(phone: Phone, server: Server) -> None:
    ann, bo, lena, _ = table_of_four(phone, server, FOUR[:3], options={"jump_in": "on"})
    lena.click("[data-do=ahead]")
    pick(lena, "red-5")
    lena.wait_for_selector(".ahead:not(.late)")
    play(bo, "red-9")
    # It was played in its turn, and went on a 9.
    wait_for_hands(ann, [7, 6, 6, 7])
    ann.wait_for_selector(".pile-card [aria-label='red 5']")
    ann.wait_for_selector(".rulings li:first-child:has-text('Lena plays a red 5')")
    assert "jumps in" not in ann.inner_text(".rulings")


def test_of_two_who_jump_in_the_later_reads_who_was_quicker(phone: Phone, server: Server) -> None:
    ann, bo, lena, olga = table_of_four(phone, server, FOUR, options={"jump_in": "on"})
    for page in (lena, olga):
        page.wait_for_selector("[data-do=jump]")
    # Olga's tap is on its way when Lena's arrives: it is sent with the version that Olga saw.
    olga.route(
        "**/moves?*",
        lambda route: (
            lena.click("[data-do=jump]"),
            wait_for_hands(ann, [7, 7, 6, 7]),
            route.continue_(),
        ),
    )
    olga.click("[data-do=jump]", no_wait_after=True)
    olga.wait_for_selector(".notice :text('Lena was quicker')")
    wait_for_hands(olga, [7, 7, 6, 7])
    for page in (ann, olga):
        assert page.locator(".rulings .illegal").count() == 0
    assert bo.locator(".notice.warn").count() == 0


def test_what_else_happens_keeps_nobody_from_jumping_in(phone: Phone, server: Server) -> None:
    ann, bo, _, olga = table_of_four(phone, server, ("Ann", "Olga"), options={"jump_in": "on"})
    olga.wait_for_selector("[data-do=jump]")

    def meanwhile(route: Any) -> None:
        speak(server, bo, 2, move="draw")
        speak(server, bo, 2, move="pass")
        route.continue_()

    olga.route("**/moves?*", meanwhile, times=1)
    olga.click("[data-do=jump]", no_wait_after=True)
    wait_for_hands(ann, [7, 8, 7, 6])


def test_a_seven_asks_with_whom_and_a_zero_says_to_whom(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo, lena, olga = table_of_four(phone, server, FOUR, options={"seven_zero": "on"})
    play(bo, "red-7")
    bo.wait_for_selector(".choices :text('Swap hands with whom?')")
    shoot(bo, "house-swap")
    expect(bo.locator(".swaps button")).to_have_count(3)
    bo.click("[data-do=swap-4]")
    bo.wait_for_selector(".banner:has-text('Swap hands with Olga')")
    olga.wait_for_selector(".banner:has-text('Swap hands with Bo')")
    wait_for_hands(ann, [7, 7, 7, 6])
    play(lena, "red-0")
    for page, to in ((ann, "Bo"), (bo, "Lena"), (lena, "Olga"), (olga, "Ann")):
        page.wait_for_selector(f".banner:has-text('All your cards go to {to}')")
    wait_for_hands(ann, [6, 7, 7, 6])
    # For the whole room that comes before the card.
    ann.goto(f"/wall/{place_of(ann)['table']}")
    lines = ann.locator(".wall-event p")
    expect(lines).to_have_text(["Every hand goes on to the next player.", "Lena plays a red 0."])


def test_of_two_a_seven_swaps_with_the_other(phone: Phone, server: Server) -> None:
    options = {"seven_zero": "on"}
    ann, bo = seated(phone, server, "classic-112", FOUR[:2], "red-5", ("en", "en"), options=options)
    play(bo, "red-7")
    for page, name in ((ann, "Bo"), (bo, "Ann")):
        page.wait_for_selector(f".banner:has-text('Swap hands with {name}')")
    assert bo.locator(".swaps").count() == 0
    wait_for_hands(ann, [6, 7])


def test_drawing_until_one_fits_is_a_number_to_tap(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo, _, _ = table_of_four(phone, server, FOUR[:2], options={"draw_until": "playable"})
    bo.click("[data-do=draw]")
    bo.wait_for_selector(".numbers")
    shoot(bo, "house-drawn")
    bo.click("[data-do=drawn-more]")
    bo.click("[data-do=drawn-less]")
    bo.click("[data-do=draw-3]")
    wait_for_hands(ann, [7, 10, 7, 7])
    # Bo has drawn them already, and is asked to play or pass.
    bo.wait_for_selector("[data-do=pass]:enabled")
    assert bo.locator(".banner[data-event=draw]").count() == 0


def test_where_no_card_is_left_to_draw_the_turn_passes(phone: Phone, server: Server) -> None:
    options = {"draw_until": "playable"}
    ann, bo = seated(phone, server, "classic-108", FOUR[:2], langs=("en", None), options=options)
    speak(server, bo, 2, move="draw", count=93)
    speak(server, bo, 2, move="pass")
    ann.wait_for_selector(".pile.yours")
    ann.click("[data-do=draw]")
    ann.wait_for_selector(".pile .turn:has-text('On turn: Bo')")
    assert hands(ann) == [7, 100]


@pytest.mark.parametrize("lang", ["en", "de", "fi", "ru", "hu"])
def test_what_house_rules_ask_fits_in_letters_twice_as_large(
    phone: Phone, server: Server, lang: str, shoot: Shoot
) -> None:
    names, langs = ("Cy", "Benedikt", "Anna-Maria"), (None, lang, lang)
    cy, bo, ann = seated(phone, server, "classic-112", names, "red-5", langs, preset="party")
    ann.wait_for_selector("[data-do=jump]")

    def fits(page: Any, name: str) -> None:
        assert violations(page) == [], name
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert overflowing(page) == [], name
        page.evaluate("document.documentElement.style.fontSize = ''")

    fits(ann, "jump")
    bo.click("[data-do=draw]")
    fits(bo, "drawn")
    bo.keyboard.press("Escape")
    play(bo, "red-draw-two")
    ann.wait_for_selector("[data-do=accept]")
    fits(ann, "stack")
    ann.click("[data-do=accept]")
    wait_for_hands(bo, [7, 6, 9])
    speak(server, cy, 1, move="play", card="red-1")
    bo.wait_for_selector(".pile.yours")
    play(bo, "red-7")
    bo.wait_for_selector(".swaps")
    shoot(bo, f"house-swap-{lang}")
    fits(bo, "swap")


def counted(server: Server, page: Any, out: int, hands: dict[str, int]) -> None:
    """Enter a round by its result, as the host."""
    speak(
        server, page, None, "/rounds", place_of(page)["host"], result={"out": out, "hands": hands}
    )


def test_teams_are_made_by_tapping_and_win_together(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    page = phone("/new")
    # Whoever wants teams reads at once what they need, and finds it there.
    needs = page.locator(".rule-card:has([data-do=rule-teams]) :text('Four names or more')")
    expect(needs).to_be_visible()
    page.fill("#my-name", "Ann")
    page.check("[data-do=rule-teams]")
    expect(page.locator("[data-do=make]")).to_be_disabled()
    for number, name in enumerate(FOUR[1:], 2):
        page.fill(f"#name-{number}", name)
    expect(needs).to_have_count(0)
    # They read where to sit, that five are no teams, and at once who is there twice.
    card = page.locator(".rule-card:has([data-do=rule-teams])")
    expect(card).to_contain_text("Partners sit apart: A B A B.")
    page.click("[data-do=more]")
    page.fill("#name-5", " olga")
    expect(card).to_contain_text("5 names: equal teams need one more, or one fewer.")
    expect(page.locator(".field [role=alert]")).to_have_text(
        ["Olga is at the table already.", "olga is at the table already."]
    )
    page.click("[data-do=fewer]")
    expect(page.locator("[role=alert]:has-text('already')")).to_have_count(0)
    page.check("input[value=own]")
    page.click("[data-do=team-2]")
    expect(needs).to_be_visible()
    expect(page.locator("[data-do=make]")).to_be_disabled()
    page.click("[data-do=team-3]")
    page.click("[data-do=rounds-more]")
    page.click("[data-do=rounds-more]")
    shoot(page, "house-teams")
    page.click("[data-do=make]")
    page.wait_for_selector(".taken .team")
    marks = ".taken .team, .seat .team"
    expect(page.locator(marks)).to_have_text(["A", "A", "B", "B"])
    together = "Partners win together, and their points add up."
    comes_to(lambda: together in rules_of(page), True)
    code = page.inner_text(".invite .code").replace(" ", "")
    start_round(page, "red-5")
    # Nobody else comes to a table with teams: whoever joins reads so, and who plays with whom.
    guest = phone(f"/join?code={code}")
    guest.wait_for_selector("main :text('This table plays in teams')")
    assert guest.locator("#my-name").count() == 0
    expect(guest.locator("[data-do^=seat-] .team")).to_have_text(["A", "A", "B", "B"])
    page.goto(f"{page.url}/seats")
    page.wait_for_selector("main :text('This table plays in teams')")
    assert page.locator("[data-do=join-seat]").count() == 0
    page.go_back()
    expect(page.locator(marks)).to_have_text(["A", "A", "B", "B"])
    page.wait_for_selector("h1:text('Round 1 of 2')")
    shoot(page, "house-teams-play")
    speak(server, page, None, "/corrections", place_of(page)["host"], kind="break-off")
    counted(server, page, 1, {"2": 20, "3": 7, "4": 31})
    # The partner's cards do not count.
    page.wait_for_selector(".scores .side:has-text('Ann 38 + Bo 0')")
    assert page.inner_text(".scores .won strong") == "38"
    # A round that was broken off is none of the two.
    page.wait_for_selector("h1:text('Round 1 of 2')")
    page.click("[data-do=by-result]")
    page.click("[data-do=out-3]")
    assert page.locator("#points-4").count() == 0, "the partner's hand is not asked for"
    expect(page.locator("[data-do=missing]")).to_have_text("Still missing: Ann, Bo")
    page.fill("#points-1", "1")
    expect(page.locator("[data-do=missing]")).to_have_text("Still missing: Bo")
    page.fill("#points-2", "2")
    page.click("dialog [data-do=send]:enabled")
    page.wait_for_selector(".moment:has-text('Ann, Bo') .moment-line:text-is('win the game!')")
    page.wait_for_selector(".podium .won:has-text('Ann + Bo')")
    blocks = page.locator(".podium .step-block")
    left, right = (blocks.nth(place).bounding_box() for place in (1, 0))
    middle = (left["x"] + right["x"] + right["width"]) / 2
    assert abs(middle - page.viewport_size["width"] / 2) < 2
    grounds = blocks.evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert grounds == ["rgb(0, 112, 122)", "rgb(165, 70, 10)"], "each on its team's colour"
    shoot(page, "house-teams-podium")
    page.click("nav a[href$='/scores']")
    page.wait_for_selector(".sheet-screen .side:has-text('Lena + Olga')")


def test_who_is_out_of_the_game_is_shown_so(phone: Phone, server: Server, shoot: Shoot) -> None:
    options = {"scoring": "elimination", "target": 50}
    (page,) = seated(phone, server, "classic-112", FOUR, None, options=options)
    counted(server, page, 1, {"2": 60, "3": 7, "4": 31})
    page.wait_for_selector(".scores li:has-text('Bo'):has-text('out')")
    start_round(page, "red-5")
    page.wait_for_selector(".seat.out:has-text('Bo')")
    assert page.locator(".seat").count() == len(FOUR)
    shoot(page, "house-out")
    state = page.context.storage_state()
    wall = phone(f"/wall/{page.url.split('/')[-1]}", storage_state=state)
    wall.wait_for_selector(".wall-seat.out:has-text('Bo'):has-text('out')")
    assert violations(page) == []


def test_why_says_that_it_is_the_tables_own_rule(phone: Phone, server: Server) -> None:
    ann, bo, lena, _ = table_of_four(phone, server, FOUR[:3], preset="home")
    play(bo, "red-draw-two")
    lena.wait_for_selector("[data-do=accept]")
    play(lena, "blue-draw-two")
    ann.click(".rulings li:has-text('blue draw two') .why")
    ann.wait_for_selector(".own-rule:has-text('Stacking: this table')")
    assert "The sheet says: " in ann.inner_text(".own-rule")
