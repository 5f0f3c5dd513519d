"""What happens to the seat of a phone is the largest thing on its screen."""

from typing import Any

from tests.e2e.server import Server
from tests.web.conftest import LARGE, SMALL, Phone, Shoot
from tests.web.stage import expect, place_code, place_of, seated, speak

NAMES = ("Ann", "Bo", "Cy")
SIZES = (SMALL, {"width": 740, "height": 360}, {"width": 820, "height": 1180})


def title(page: Any) -> str:
    """Return the banner's title."""
    return str(page.inner_text(".banner h2"))


def test_what_happens_to_a_phones_seat_is_in_its_largest_letters(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=("en", "sv", "de"))
    bo.wait_for_selector(".banner.do:has-text('Din tur')")
    speak(server, bo, 2, move="play", card="red-draw-two")
    cy.wait_for_selector(".banner.bad[data-event=draw]")
    assert title(cy) == "+2! Zieh 2 Karten"
    assert "Nimm 2 Karten vom Ziehstapel." in cy.inner_text(".banner")
    for size in SIZES:
        cy.set_viewport_size(size)
        sizes = cy.evaluate(
            """() => [...document.querySelectorAll("#app *")]
              .filter((one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
              .filter((one) => !one.closest("svg"))
              .map((one) => [
                parseFloat(getComputedStyle(one).fontSize),
                Boolean(one.closest(".banner h2")),
              ])"""
        )
        assert max(sizes)[1], size
        assert cy.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
    shoot(cy, "banner-draw", *SIZES)
    # The others see it in one line; whose turn it was has none any more.
    ann.wait_for_selector(".banner.do[data-event=turn]")
    assert ann.inner_text(".elsewhere") == "Cy has to draw 2 cards: Bo laid a draw two."
    bo.wait_for_selector(".banner", state="detached")
    assert bo.locator(".elsewhere").bounding_box()["height"] < 30


def test_a_long_word_of_a_title_is_not_broken(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "classic-108", langs=("en", "de"))
    speak(server, bo, 2, move="play", card="red-3")
    speak(server, ann, None, "/corrections", place_of(ann)["host"], kind="undo")
    bo.wait_for_selector(".banner[data-event=undone]")
    assert title(bo) == "Dein Zug ist zurückgenommen"
    lines = bo.locator(".banner h2").evaluate(
        """one => {
          const word = document.createRange();
          word.setStart(one.firstChild, one.textContent.lastIndexOf(" ") + 1);
          word.setEnd(one.firstChild, one.textContent.length);
          return word.getClientRects().length;
        }"""
    )
    assert lines == 1


def test_a_banner_goes_when_it_is_put_away_or_done(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=("en", "en", "en"))
    speak(server, bo, 2, move="play", card="red-skip")
    cy.wait_for_selector(".banner[data-event=skipped]")
    cy.click("[data-do=put-away]")
    cy.wait_for_selector(".banner", state="detached")
    ann.wait_for_selector(".banner[data-event=turn]")
    ann.keyboard.press("Escape")
    ann.wait_for_selector(".banner", state="detached")
    # A move that breaks a rule: what to put right, and why, until the next one.
    speak(server, ann, 1, move="play", card="blue-3")
    ann.wait_for_selector(".banner[data-event=illegal]")
    assert title(ann) == "Take the blue 3 back"
    ann.click(".banner .why")
    ann.wait_for_selector("dialog .source")
    ann.keyboard.press("Escape")
    assert title(ann) == "Take the blue 3 back"
    speak(server, ann, 1, move="play", card="red-3")
    ann.wait_for_selector(".banner", state="detached")
    bo.wait_for_selector(".banner[data-event=turn]")
    # What is undone happens to nobody any more.
    speak(server, bo, 2, move="play", card="red-skip")
    cy.wait_for_selector(".banner[data-event=skipped]")
    host = place_of(ann)["host"]
    speak(server, bo, None, path="/corrections", token=host, kind="undo")
    bo.wait_for_selector(".banner[data-event=undone]")
    cy.wait_for_selector(".banner", state="detached")


def test_cards_still_to_be_drawn_come_before_news(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=(None, None, "en"))
    speak(server, bo, 2, move="play", card="red-draw-two")
    cy.wait_for_selector(".banner[data-event=draw]")
    speak(server, ann, 1, move="play", card="red-1")
    speak(server, bo, 2, move="play", card="red-reverse")
    cy.wait_for_selector(".elsewhere:has-text('reverse')")
    assert title(cy) == "+2! Draw 2 cards"
    expect(cy.locator(".banner h3")).to_have_text("The direction turns")
    cy.click(".banner [data-do=done]")
    cy.wait_for_selector(".banner[data-event=reversed]")
    # What is put away stays away.
    cy.click("[data-do=put-away]")
    cy.wait_for_selector(".banner", state="detached")
    # They come before one's turn, too, which stands at the pile.
    speak(server, ann, 1, move="play", card="red-draw-two")
    speak(server, bo, 2, move="play", card="red-3")
    speak(server, ann, 1, move="play", card="red-4")
    cy.wait_for_selector(".pile.yours .turn:has-text('Your turn')")
    assert title(cy) == "+2! Draw 2 cards"
    # That it is her turn is in view beside it, in large letters, too.
    cy.set_viewport_size(SMALL)
    cy.evaluate("document.documentElement.style.fontSize = '200%'")
    turn, foot = cy.locator(".pile .turn").bounding_box(), cy.locator(".foot").bounding_box()
    assert turn["y"] + turn["height"] <= foot["y"]
    shoot(cy, "banner-old")
    cy.evaluate("document.documentElement.style.fontSize = ''")
    # That she lays nothing holds no longer.
    assert "nothing" not in cy.inner_text(".banner")
    assert cy.inner_text(".elsewhere") == "Ann plays a red 4."
    cy.click(".banner [data-do=done]")
    cy.wait_for_selector(".banner[data-event=turn]")


def test_who_loses_a_turn_to_a_jump_in_reads_who_jumped_in(phone: Phone, server: Server) -> None:
    options = {"jump_in": "on"}
    langs = ("en", None, "en")
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=langs, options=options)
    speak(server, bo, 2, move="play", card="red-1")
    cy.wait_for_selector(".banner[data-event=turn]")
    speak(server, ann, 1, move="play", card="red-1")
    gone = cy.locator(".banner[data-event=turn-gone]")
    expect(gone.locator("h2")).to_have_text("Not your turn after all")
    expect(gone.locator(".banner-text")).to_have_text("Ann jumps in.")


def test_a_card_made_illegal_by_another_is_taken_back(phone: Phone, server: Server) -> None:
    """Bo's 5 was a 3: Cy's 5 goes back, and Ann's skip, which skips nobody any more."""
    langs = ("en", "en", "en")
    opening = "yellow-7"
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, opening, langs=langs)
    speak(server, bo, 2, move="play", card="yellow-5")
    speak(server, cy, 3, move="play", card="blue-5")
    speak(server, ann, 1, move="play", card="blue-skip")
    bo.wait_for_selector(".banner[data-event=skipped]")
    host = place_of(ann)["host"]
    lays = {"seat": 2, "move": "play", "card": "yellow-3"}
    speak(server, ann, None, "/corrections", host, kind="replace", move=1, replacement=lays)
    cy.wait_for_selector(".banner[data-event=now-illegal]")
    assert title(cy) == "Take the blue 5 back"
    why = "Bo's card was a yellow 3, not a yellow 5. The blue 5 does not"
    assert why in cy.inner_text(".banner")
    bo.wait_for_selector(".banner[data-event=entered]")
    for page in (ann, bo):
        page.wait_for_selector(".elsewhere:has-text('Cy takes the blue 5 back.')")
    # The log has the rulings as they stand, also after it is read anew.
    for again in (False, True):
        if again:
            bo.reload()
        line = ".log .illegal:has-text('Cy: The blue 5 does not match')"
        bo.wait_for_selector(line, state="attached")
        bo.wait_for_selector(".log .illegal:has-text('Ann: It is Cy')", state="attached")
        assert bo.locator(".log :text('Cy plays a blue 5')").count() == 0
    # Taken back, all is as it was: the arrow is for that, and not for a card that was never right.
    ann.click("[data-do=take-back]")
    ann.wait_for_selector(".sheet :text('The last correction is taken back.')")
    ann.click(".sheet [data-do=make]")
    bo.wait_for_selector(".log :text('Cy plays a blue 5')", state="attached")
    assert bo.locator(".log .illegal").count() == 0


def test_hands_that_were_passed_on_come_back_when_that_is_undone(
    phone: Phone, server: Server
) -> None:
    options = {"seven_zero": "on"}
    langs = ("en", "en", "en")
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=langs, options=options)
    speak(server, bo, 2, move="play", card="red-7")
    speak(server, bo, 2, move="swap", **{"with": 3})
    for page in (bo, cy):
        page.wait_for_selector(".banner[data-event=hands-passed]")
    ann.wait_for_selector(".elsewhere:text-is('Bo and Cy swap hands.')")
    # Who has swapped says so, and does not swap twice.
    bo.click(".banner [data-do=done]")
    bo.wait_for_selector(".banner", state="detached")
    speak(server, cy, 3, move="play", card="red-0")
    for page in (ann, bo, cy):
        page.wait_for_selector(".banner[data-event=hands-passed]:has-text('All your cards go to')")
    speak(server, cy, None, path="/corrections", kind="undo")
    for page, to, by in ((ann, "Cy", "Bo"), (bo, "Ann", "Cy"), (cy, "Bo", "Ann")):
        page.wait_for_selector(".banner[data-event=hands-back]")
        assert f"go back to {to}, and {by} gives you yours" in page.inner_text(".banner")
    expect(cy.locator(".banner")).to_contain_text("This card belongs in your hand: red 0.")
    expect(cy.locator(".banner h3").last).to_have_text("Your turn")
    # Who has given the hand back says so, and does not give it back twice.
    for page in (ann, bo):
        page.click(".banner [data-do=done]")
    speak(server, cy, 3, move="play", card="red-skip")
    ann.wait_for_selector(".banner[data-event=skipped]")
    speak(server, cy, None, path="/corrections", kind="undo")
    ann.wait_for_selector(".banner", state="detached")
    bo.wait_for_selector(".banner[data-event=turn-gone]")
    bo.click("[data-do=put-away]")
    expect(bo.locator(".banner")).to_have_count(0)


def test_hands_go_back_before_a_card_that_hits_is_answered(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    """Ann's hand, which Bo has, is hit by Cy's card before they have swapped back."""
    options = {"seven_zero": "on", "stacking": "same"}
    langs = ("en", "en", None)
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, "yellow-5", langs, options=options)
    speak(server, bo, 2, move="play", card="yellow-7")
    speak(server, bo, 2, move="swap", **{"with": 1})
    lays = {"seat": 2, "move": "play", "card": "yellow-8"}
    host = place_of(ann)["host"]
    speak(server, ann, None, "/corrections", host, kind="replace", move=1, replacement=lays)
    speak(server, cy, 3, move="play", card="yellow-draw-two")
    told, parts = ann.locator(".banner h2"), ann.locator(".banner h3")
    expect(parts).to_have_text(["2 cards! Accept or stack?"])
    expect(told).to_have_text("Swap hands back with Bo")
    shoot(ann, "banner-hands-first", SMALL)
    ann.click("[data-do=accept]")
    expect(parts).to_have_text(["+2! Draw 2 cards"])
    expect(told).to_have_text("Swap hands back with Bo")
    # So it is where Bo has not answered anything.
    expect(bo.locator(".banner h2")).to_have_text("Swap hands back with Ann")
    ann.click(".banner [data-do=done]")
    expect(told).to_have_text("+2! Draw 2 cards")
    ann.click(".banner [data-do=done]")
    ann.wait_for_selector(".banner", state="detached")


def test_shuffled_hands_go_round_before_a_challenge(phone: Phone, server: Server) -> None:
    langs = ("en", None, None)
    ann, bo, cy = seated(phone, server, "classic-112", NAMES, langs=langs)
    speak(server, bo, 2, move="play", card="wild-shuffle", color="red")
    speak(server, cy, 3, move="play", card="wild-draw-four", color="blue")
    told, parts = ann.locator(".banner h2"), ann.locator(".banner h3")
    expect(parts).to_have_text(["+4! Accept or challenge?"])
    # What it costs stands there, and not at the button as well.
    expect(ann.locator(".stakes")).to_have_count(0)
    ann.click("[data-do=challenge]")
    expect(parts).to_have_text(["Cy shows you the hand"])
    expect(told).to_have_text("Hand in your cards")
    ann.click(".banner [data-do=done]")
    expect(told).to_have_text("Cy shows you the hand")


def test_a_turn_that_has_gone_leaves_a_banner_that_says_more(phone: Phone, server: Server) -> None:
    options = {"jump_in": "on"}
    langs = (None, "en", None)
    _, bo, cy = seated(phone, server, "classic-108", NAMES, langs=langs, options=options)
    speak(server, bo, 2, move="play", card="red-1")
    speak(server, bo, None, path="/corrections", kind="undo")
    bo.wait_for_selector(".banner[data-event=undone] h3:has-text('Your turn')")
    expect(bo.locator(".banner-text").last).to_contain_text("Colour: red.")
    speak(server, cy, 3, move="play", card="red-7")
    bo.wait_for_selector(".pile .turn:has-text('On turn: Ann')")
    texts = ["This card belongs in your hand: red 1.", "Cy jumps in."]
    expect(bo.locator(".banner-text")).to_have_text(texts)


def test_who_laid_what_is_read_beside_whose_turn_it_is(phone: Phone, server: Server) -> None:
    """Cy has no phone: the host's says whose turn it is in letters as large as for its own."""
    ann, bo = seated(phone, server, "classic-108", NAMES, langs=("en", "en"))
    bo.wait_for_selector(".banner[data-event=turn]")
    # That alone stands at the pile.
    for page in (ann, bo):
        expect(page.locator(".elsewhere")).to_have_count(0)
    speak(server, bo, 2, move="play", card="red-1")
    ann.wait_for_selector(".banner h2:text-is('On turn: Cy')")
    expect(ann.locator(".elsewhere")).to_have_text("Bo plays a red 1.")
    speak(server, ann, 3, token=place_of(ann)["host"], move="play", card="red-2")
    ann.wait_for_selector(".banner h2:text-is('Your turn')")
    expect(ann.locator(".elsewhere")).to_have_text("Cy plays a red 2.")


def test_a_host_is_told_what_those_without_a_phone_take_back(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    """Cy and Di have no phone: what a correction has their hands do is on the host's in large."""
    names = (*NAMES, "Di")
    ann, bo = seated(phone, server, "classic-108", names, "yellow-7", langs=("en", "en"))
    host = place_of(ann)["host"]
    speak(server, bo, 2, move="play", card="yellow-5")
    speak(server, ann, 3, token=host, move="play", card="green-5")
    speak(server, ann, 4, token=host, move="play", card="green-3")
    ann.wait_for_selector(".banner[data-event=turn]")
    lays = {"seat": 2, "move": "play", "card": "yellow-reverse"}
    speak(server, ann, None, "/corrections", host, kind="replace", move=1, replacement=lays)
    # It is Ann's turn now: that stands at the pile, too.
    ann.wait_for_selector(".banner h2:text-is('Cy: Take the green 5 back')")
    expect(ann.locator(".banner h3")).to_have_text(["Di: Take the green 3 back", "Your turn"])
    assert "Bo's card was a yellow reverse" in ann.inner_text(".banner")
    expect(ann.locator(".elsewhere")).to_have_count(0)
    shoot(ann, "banner-for-others", *SIZES)
    # Each is done by itself.
    ann.click(".banner [data-do=done]")
    ann.wait_for_selector(".banner h2:text-is('Di: Take the green 3 back')")
    ann.click(".banner [data-do=done]")
    ann.wait_for_selector(".banner h2:text-is('Your turn')")
    # Whom it is nothing to hears it in one line.
    bo.wait_for_selector(".elsewhere:has-text('Cy takes the green 5 back.')")


def test_a_host_is_told_what_those_without_a_phone_draw(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "classic-108", NAMES, langs=("en", "en"))
    speak(server, bo, 2, move="play", card="red-draw-two")
    ann.wait_for_selector(".banner h2:text-is('Cy: +2! Draw 2 cards')")
    expect(ann.locator(".banner h3")).to_have_text(["Your turn"])
    # Whoever speaks for one of them is told no less.
    ann.select_option("#speak-for", "3")
    ann.wait_for_selector(".banner h2:text-is('Cy: +2! Draw 2 cards')")
    ann.click(".banner [data-do=done]")
    ann.wait_for_selector(".banner h2:text-is('Your turn')")


def test_each_of_two_towers_is_told_by_itself(phone: Phone, server: Server, shoot: Shoot) -> None:
    langs = ("en", "en", None)
    ann, bo, cy = seated(phone, server, "power-grab", NAMES, langs=langs)
    speak(server, bo, 2, move="play", card="red-take-two-towers")
    speak(server, bo, 2, move="powers", powers=["U", "N"])
    bo.wait_for_selector(".banner h2:text-is('Tower U is yours')")
    shoot(bo, "banner-towers", *SIZES)
    expect(bo.locator(".banner h3")).to_have_text(["Tower N is yours"])
    one, two = bo.locator(".banner-text").all_inner_texts()
    assert one.startswith("Draw one does nothing"), one
    assert two.startswith("Draw two does nothing"), two
    expect(ann.locator(".elsewhere")).to_have_text("Bo takes tower U and tower N.")
    speak(server, cy, 3, move="play", card="wild-draw-four", color="blue")
    speak(server, ann, 1, move="accept")
    speak(server, bo, 2, move="play", card="blue-1")
    speak(server, cy, 3, move="play", card="blue-take-two-towers")
    speak(server, cy, 3, move="powers", powers=["U", "N"])
    bo.wait_for_selector(".banner h2:text-is('Tower U is gone')")
    expect(bo.locator(".banner h3")).to_have_text(["Tower N is gone"])


def test_uno_is_asked_for_until_it_is_called(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "power-grab", langs=(None, "en"))
    for page, seat, card, powers in (
        (bo, 2, "red", ["U", "N"]),
        (ann, 1, "blue", []),
        (bo, 2, "green", ["O", "!"]),
    ):
        speak(server, page, seat, move="play", card=f"{card}-take-two-towers", powers=powers)
    told = bo.locator(".banner[data-event=discarded]")
    expect(told.locator("h3")).to_have_text(["Call UNO!"])
    bo.click("[data-do=uno]")
    expect(told.locator("h3")).to_have_count(0)
    assert title(bo) == "All four towers! Discard 4"


def test_four_towers_with_one_card_left_are_told(phone: Phone, server: Server) -> None:
    ann, bo = seated(phone, server, "power-grab", langs=("en", "en"))
    tv = phone(f"/wall?code={place_code(server, ann)}", viewport=LARGE)
    for page, seat, card in ((bo, 2, "red-3:U"), (ann, 1, "red-5"), (bo, 2, "red-4:N")):
        speak(server, page, seat, move="play", card=card)
    speak(server, ann, 1, move="play", card="red-7")
    host = place_of(ann)["host"]
    speak(server, ann, 2, "/corrections", host, kind="hand-count", count=2)
    speak(server, bo, 2, move="play", card="red-take-two-towers", powers=["O", "!"])
    told = bo.locator(".banner[data-event=discarded]")
    expect(told.locator("h2")).to_have_text("All four towers!")
    expect(told.locator("h3")).to_have_text(["Call UNO!"])
    expect(told).to_contain_text("The towers go back to the tray.")
    heard = "All four towers: Bo keeps one card, and the towers are back beside the tray."
    expect(ann.locator(".elsewhere")).to_contain_text(heard)
    expect(tv.locator(".wall-event p").first).to_have_text(heard)


def test_who_leaves_puts_cards_and_towers_back(phone: Phone, server: Server, shoot: Shoot) -> None:
    ann, bo, cy = seated(phone, server, "power-grab", NAMES, langs=("en", "en", None))
    tv = phone(f"/wall?code={place_code(server, ann)}", viewport=LARGE)
    speak(server, bo, 2, move="play", card="red-take-two-towers", powers=["U", "N"])
    # Who takes them from one player takes them at once.
    speak(server, cy, 3, move="play", card="blue-take-two-towers", powers=["U", "N"])
    lines = tv.locator(".wall-event p")
    expect(lines.first).to_have_text("Cy takes tower U and tower N from Bo.")
    speak(server, ann, 1, move="play", card="green-take-two-towers", powers=[])
    speak(server, bo, 2, move="play", card="yellow-take-two-towers", powers=["U", "N"])
    bo.click("[data-do=settings]")
    bo.click("[data-do=leave-table]")
    expect(bo.locator(".sheet")).to_contain_text("Free to take again: tower U, tower N.")
    shoot(bo, "leave-towers")
    # In the largest letters it scrolls, and its buttons stay.
    bo.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(bo.locator(".sheet [data-do=send]")).to_be_in_viewport(ratio=1)
    bo.evaluate("document.documentElement.style.fontSize = ''")
    bo.click(".sheet [data-do=send]")
    bo.wait_for_selector(".banner[data-event=left]")
    assert title(bo) == "Put your cards back"
    expect(bo.locator(".banner-text")).to_contain_text("tower U and tower N back beside the tray")
    shoot(bo, "banner-left")
    told = [
        "Bo leaves the table. The hand goes unseen into the draw pile, which is shuffled.",
        "Tower U and tower N are back beside the tray.",
    ]
    expect(lines).to_have_text(told)
    expect(ann.locator(".elsewhere")).to_have_text(" ".join(told))
    shoot(tv, "wall-left")


def test_a_tower_to_hand_over_is_not_forgotten_for_the_next_card(
    phone: Phone, server: Server
) -> None:
    ann, bo, cy = seated(phone, server, "power-grab", NAMES, langs=(None, "en", None))
    speak(server, bo, 2, move="play", card="red-3:N")
    speak(server, cy, 3, move="play", card="red-4:N")
    lost = bo.locator(".banner[data-event=power-lost]")
    expect(lost).to_contain_text("Cy has it now: hand it over.")
    speak(server, ann, 1, move="play", card="red-draw-two")
    bo.click(".banner[data-event=draw] [data-do=done]")
    expect(lost).to_contain_text("Cy has it now: hand it over.")
    # Ann has it from Cy by now.
    speak(server, cy, 3, move="play", card="red-3")
    speak(server, ann, 1, move="play", card="blue-3:N")
    bo.wait_for_selector(".banner[data-event=turn]")
    # Whoever reads how the game ended hands nothing over any more.
    speak(server, bo, None, token=place_of(ann)["host"], path="/games/end")
    bo.wait_for_selector(".banner[data-event^=game-]")


def test_a_swap_and_a_count_are_not_forgotten_for_what_comes_next(
    phone: Phone, server: Server
) -> None:
    langs, options = ("en", None, "en"), {"seven_zero": "on"}
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, "red-7", langs, options=options)
    speak(server, bo, 2, move="play", card="red-5")
    speak(server, cy, 3, move="play", card="red-7")
    speak(server, cy, 3, **{"move": "swap", "with": 2})
    cy.wait_for_selector(".banner[data-event=hands-passed]")
    host = place_of(ann)["host"]
    for seat in (1, 3, 2):
        speak(server, ann, seat, "/corrections", host, kind="hand-count", count=seat + 2)
    # It is Ann's turn, which stands at the pile, too.
    for page, event in ((ann, "hand-set"), (cy, "hands-passed")):
        page.wait_for_selector(f".banner[data-event={event}]")
    assert title(ann) == "You hold 3 cards now"
    assert "The host says so; before it was 7." in ann.inner_text(".banner")
    cy.click(".banner [data-do=done]")
    cy.wait_for_selector(".banner[data-event=hand-set]")


def test_what_a_correction_tells_is_not_ordered_a_second_time(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=(None, None, "en"))
    speak(server, bo, 2, move="play", card="red-draw-two")
    cy.wait_for_selector(".banner[data-event=draw]")
    speak(server, ann, 1, move="play", card="red-1")
    host = place_of(ann)["host"]
    lays = {"seat": 2, "move": "play", "card": "red-5"}
    speak(server, ann, None, "/corrections", host, kind="replace", move=1, replacement=lays)
    cy.wait_for_selector(".banner[data-event=hand-set] :text('put 2 cards back on the draw pile')")
    speak(server, ann, None, "/corrections", host, kind="redo")
    cy.wait_for_selector(".banner[data-event=hand-set] :text('take 2 cards from the draw pile')")
    assert "+2" not in cy.inner_text(".banner")
    # What was done before a move of one's own does not come back with that move taken back.
    speak(server, bo, 2, move="play", card="red-draw-two")
    cy.wait_for_selector(".banner[data-event=draw]")
    speak(server, ann, 1, move="play", card="red-3")
    speak(server, bo, 2, move="play", card="red-4")
    speak(server, cy, 3, move="play", card="red-6")
    speak(server, cy, None, "/corrections", kind="undo")
    cy.wait_for_selector(".banner[data-event=undone]")
    cy.click(".banner [data-do=done]")
    cy.wait_for_selector(".banner", state="detached")


def test_cards_to_be_drawn_are_told_with_the_hand_to_be_shown(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=(None, "en", None))
    host = place_of(ann)["host"]
    for seat, count in ((2, 2), (3, 1)):
        speak(server, ann, seat, "/corrections", host, kind="hand-count", count=count)
    speak(server, bo, 2, move="play", card="red-1")
    speak(server, ann, 1, move="catch", accused=2)
    bo.wait_for_selector(".banner[data-event=draw]")
    speak(server, cy, 3, move="play", card="red-3")
    bo.wait_for_selector(".banner[data-event=hands]")
    expect(bo.locator(".banner h3")).to_have_text(["Caught! Draw 2 cards"])


def test_what_is_to_be_done_is_read_on_other_screens_too(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo, _ = seated(phone, server, "classic-108", NAMES, langs=("en", "en", None))
    ann.click(".tabbar a[href$='/host']")
    assert ann.locator(".reminder").count() == 0
    speak(server, bo, 2, move="play", card="red-reverse")
    reminder = ann.locator(".reminder")
    expect(reminder).to_have_text("Your turn")
    shoot(ann, "reminder")
    reminder.click()
    ann.wait_for_selector(".banner[data-event=turn]")


def test_long_names_cut_nothing_and_leave_the_event_large(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    names = ("Bartholomäus-Maximilian", "Wilhelmine-Charlotte", "Donaudampfschifffahrer")
    langs = ("de", "de", None)
    ann, bo, cy = seated(phone, server, "classic-112", (*names, *"ABCDEFG"), langs=langs)
    speak(server, bo, 2, move="play", card="wild-draw-four", color="blue")
    speak(server, cy, 3, move="challenge")
    bo.wait_for_selector(".banner[data-event=reveal]")
    ann.wait_for_selector(".elsewhere:has-text('Wilhelmine-Charlotte')")
    for size in SIZES:
        for page in (ann, bo):
            page.set_viewport_size(size)
            shoot(page, f"long-names-{'bo' if page is bo else 'ann'}", size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        [line] = ann.locator(".elsewhere").all()
        assert line.evaluate("one => one.scrollHeight <= one.clientHeight"), size
        letters = "one => parseFloat(getComputedStyle(one).fontSize)"
        assert bo.locator(".banner h2").evaluate(letters) > 23, size


def test_who_laid_what_is_read_while_a_stack_grows(phone: Phone, server: Server) -> None:
    options = {"stacking": "same"}
    langs = ("en", "en", "en")
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=langs, options=options)
    speak(server, bo, 2, move="play", card="red-draw-two")
    ann.wait_for_selector(".elsewhere:text-is('Bo plays a red draw two.')")
    cy.wait_for_selector(".banner[data-event=respond]")
    speak(server, cy, 3, move="play", card="blue-draw-two")
    bo.wait_for_selector(".elsewhere:text-is('Cy plays a blue draw two.')")
    bo.wait_for_selector(".pile .waiting:has-text('Ann accepts the cards')")


def test_all_who_have_to_show_their_hands_are_named(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=("en", "en", "en"))
    host = place_of(ann)["host"]
    speak(server, ann, 2, path="/corrections", token=host, kind="hand-count", count=1)
    speak(server, bo, 2, move="play", card="red-1")
    bo.wait_for_selector(".elsewhere:text-is('Now: Ann and Cy show their hands.')")
    for page in (ann, cy):
        page.wait_for_selector(".banner[data-event=hands]")
        expect(page.locator(".elsewhere")).to_have_text("Bo goes out. The round is over.")


def test_what_a_game_was_ends_when_the_next_begins(phone: Phone, server: Server) -> None:
    ann, bo, _ = seated(phone, server, "classic-108", NAMES, langs=("en", "en", None))
    host = place_of(ann)["host"]
    speak(server, ann, None, path="/games/end", token=host)
    for page in (ann, bo):
        page.wait_for_selector(".banner[data-event=game-won]")
    speak(server, ann, None, path="/games", token=host)
    for page in (ann, bo):
        page.wait_for_selector(".banner", state="detached")
    speak(server, ann, None, path="/rounds", token=host, opening=["red-7"], dealer=1)
    bo.wait_for_selector(".banner[data-event=turn]")
    ann.wait_for_selector(".pile .turn")
    assert ann.locator(".banner").count() == 0


def test_who_comes_after_the_game_has_no_place_in_it(phone: Phone, server: Server) -> None:
    ann, bo, _ = seated(phone, server, "classic-108", NAMES, langs=(None, "en", None))
    host = place_of(ann)["host"]
    speak(server, ann, None, path="/games/end", token=host)
    bo.wait_for_selector(".podium")
    speak(server, ann, None, path="/seats", token=host, name="Di")
    bo.wait_for_selector(".log :text('Di joins from the next game on.')", state="attached")
    assert bo.locator(".podium li").count() == 3
    assert "Di" not in bo.inner_text(".podium-box")


def test_who_comes_after_the_last_round_has_no_place_either(phone: Phone, server: Server) -> None:
    ann, _ = seated(phone, server, "classic-108", opening=None, langs=("en", None), mode="score")
    host = place_of(ann)["host"]
    speak(server, ann, None, "/rounds", host, result={"out": 1, "hands": {"2": 5}})
    speak(server, ann, None, "/seats", host, name="Di")
    speak(server, ann, None, "/seats", host, name="Ed")
    expect(ann.locator(".scores li")).to_have_text(["Ann5", "Bo0", "Di0", "Ed0"])
    speak(server, ann, None, "/games/end", host)
    expect(ann.locator(".podium li")).to_have_text(["Ann15", "Bo20"])


def test_only_whose_move_it_was_reads_what_to_put_right(phone: Phone, server: Server) -> None:
    _, bo, cy = seated(phone, server, "classic-108", NAMES, langs=(None, "en", "en"))
    speak(server, bo, 2, move="play", card="blue-3")
    bo.wait_for_selector(".banner[data-event=illegal]:has-text('Take back what was laid.')")
    cy.wait_for_selector(".wrong")
    assert "Take" not in cy.inner_text("#app")
    assert "Take" not in cy.inner_text("#live")


def test_who_catches_a_moment_later_reads_who_was_quicker(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=("en", "en", "en"))
    host = place_of(ann)["host"]
    speak(server, ann, 2, path="/corrections", token=host, kind="hand-count", count=2)
    speak(server, bo, 2, move="play", card="red-1")
    speak(server, cy, 3, move="catch", accused=2)
    speak(server, ann, 1, move="catch", accused=2)
    ann.wait_for_selector(".banner.info[data-event=late]:has-text('Cy was quicker')")
    bo.wait_for_selector(".banner[data-event=draw]")
    cy.wait_for_selector(".banner[data-event=catch]")
    ann.click("[data-do=put-away]")
    for page in (ann, bo, cy):
        assert page.locator(".wrong").count() == 0
        assert "has not missed" not in page.inner_text("body")


def test_who_challenged_waits_for_the_hand(phone: Phone, server: Server) -> None:
    ann, bo, cy = seated(phone, server, "classic-108", NAMES, langs=("en", None, "en"))
    speak(server, bo, 2, move="play", card="wild-draw-four", color="blue")
    cy.wait_for_selector(".pile .turn:has-text('Your turn')")
    speak(server, cy, 3, move="challenge")
    # Whoever looks on reads why, on top and in the log.
    ann.wait_for_selector('.elsewhere:text-is("Cy challenges Bo\'s wild draw four.")')
    line = ann.locator(".log li").first
    assert line.inner_text().startswith(
        "Cy challenges Bo's wild draw four. Now: Bo shows the hand."
    )
    cy.wait_for_selector(".banner[data-event=watch] h2:text-is('Bo shows you the hand')")
    assert "Your turn" not in cy.inner_text(".pile")


def test_the_banner_is_read_out_and_can_be_reached(phone: Phone, server: Server) -> None:
    _, bo, cy = seated(phone, server, "classic-108", NAMES, langs=(None, None, "en"))
    speak(server, bo, 2, move="play", card="red-draw-two")
    cy.wait_for_function(
        """() => document.getElementById("live").textContent.includes(
          "+2! Draw 2 cards. Bo laid a draw two.")"""
    )
    said = cy.inner_text("#live")
    assert said.startswith("Bo plays a red draw two.")
    assert "Cy has to draw" not in said
    assert cy.get_attribute(".banner", "aria-label") == "What happens to you"
    cy.focus("[data-do=put-away]")
    cy.keyboard.press("Enter")
    cy.wait_for_selector(".banner", state="detached")
    assert cy.evaluate("document.activeElement.id") == "main"


def test_the_log_is_folded_away_and_a_ruling_is_one_line(phone: Phone, server: Server) -> None:
    ann, bo, _ = seated(phone, server, "classic-108", NAMES, langs=("en", None, None))
    speak(server, bo, 2, move="play", card="red-draw-two")
    host = place_of(ann)["host"]
    speak(server, bo, None, path="/corrections", token=host, kind="undo")
    ann.evaluate("localStorage.setItem('referee.log', 'false')")
    ann.reload()
    ann.wait_for_selector(".log:not([open])")
    assert not ann.locator(".rulings li").first.is_visible()
    ann.click(".log summary")
    lines = ann.locator(".log .one-line")
    expect(lines).to_have_count(3)
    for number in range(3):
        assert lines.nth(number).bounding_box()["height"] < 30
    assert ann.inner_text(".log .undone s").startswith("Bo plays a red draw two. Cy has to draw")
    # It stays as it was left.
    ann.reload()
    ann.wait_for_selector(".log[open]")
    # Where there is room it is open from the start.
    ann.evaluate("localStorage.removeItem('referee.log')")
    ann.set_viewport_size({"width": 1280, "height": 800})
    ann.reload()
    ann.wait_for_selector(".log[open]")
