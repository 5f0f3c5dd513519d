"""Cards that a table writes itself: asked for on top, in each language, absent while blank."""

from typing import Any

from referee.rules.ruleset import find_ruleset
from tests.e2e.server import Server
from tests.web.conftest import Phone, Shoot
from tests.web.stage import expect, pick, place_of, play, seated, show_hand, speak
from tests.web.test_access import violations

AGAIN = {"text": "Máš tah navíc.", "effects": [{"effect": "extra_turn"}]}
SING = {"text": "Sing a song.", "effects": [{"effect": "text", "text": "Sing a song."}]}


CROW = find_ruleset("classic-112").custom_examples[9].to_json()


def agreed(
    phone: Phone, server: Server, cards: tuple[Any, ...] = (AGAIN, SING), other: str = "de"
) -> list[Any]:
    """Return two phones of a table that has agreed on cards, the host's in English."""
    ann, bo = seated(phone, server, "classic-112", opening=None, langs=("en", other))
    for card in cards:
        speak(server, bo, 2, path="/custom-cards", card=card)
        ann.click("[data-do=approve-1]")
        ann.wait_for_selector("[data-do=approve-1]", state="detached")
    speak(
        server,
        ann,
        None,
        path="/rounds",
        token=place_of(ann)["host"],
        opening=["red-7"],
        dealer=1,
    )
    for page in (ann, bo):
        page.wait_for_selector(".pile")
    return [ann, bo]


def test_a_card_to_approve_is_on_top_in_ones_own_language_and_holds_the_start(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo = seated(phone, server, "classic-112", opening=None, langs=("en", "de"))
    expect(ann.locator("[data-do=deal]")).to_be_enabled()
    speak(server, bo, 2, path="/custom-cards", card=AGAIN)
    ann.wait_for_selector(".ask-card:has-text('Bo proposes this card:')")
    shoot(ann, "card-to-approve")
    expect(ann.locator(".ask-card")).to_contain_text("Take an extra turn.")
    assert ann.locator("[data-do=approve-1]").bounding_box()["y"] < ann.viewport_size["height"] / 2
    expect(ann.locator("[data-do=deal]")).to_be_disabled()
    expect(ann.locator(".start-foot p")).to_have_text("Still to approve: you")
    # Whoever has proposed it reads for whom it waits.
    bo.wait_for_selector(".ask-card:has-text('Ann')")
    expect(bo.locator(".ask-card")).to_contain_text("Du bist noch einmal dran.")
    ann.click("[data-do=approve-1]")
    ann.wait_for_selector("[data-do=deal]:enabled")
    expect(ann.locator(".start-foot p")).to_have_count(0)


def test_a_no_beside_approve_lets_a_card_fall_and_the_other_phones_say_whose_it_was(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    names = ("Ann", "Bo", "Cy", "Di")
    ann, bo, cy = seated(phone, server, "classic-112", names, None, ("en", "de", "sv"))
    speak(server, ann, 1, path="/custom-cards", card=SING)
    # The host answers for Di alone, who has no phone, and not in the size of an own answer.
    ann.wait_for_selector("[data-do=approve-4]")
    assert ann.locator("[data-do^=approve-], [data-do^=refuse-]").count() == 2
    assert ann.get_attribute("[role=group]:has(> [data-do=refuse-4])", "aria-label") == "Di"
    assert ann.locator(".main[data-do=approve-4]").count() == 0
    shoot(ann, "card-for-no-phone")
    bo.wait_for_selector("[data-do=refuse-2]")
    assert bo.locator(".ask-card button").all_inner_texts() == ["Zustimmen", "Nein"]
    shoot(bo, "card-to-refuse")
    bo.click("[data-do=refuse-2]")
    for page, refusal in (
        (ann, ["Bo does not want this card: “Sing a song”."]),
        # Whoever refused it knows.
        (bo, []),
        (cy, ["Bo vill inte ha det här kortet: ”Sing a song”."]),
    ):
        expect(page.locator(".ask-card")).to_have_text(refusal)
        assert page.locator("[data-do^=approve-]").count() == 0
    expect(ann.locator("[data-do=deal]")).to_be_enabled()
    shoot(ann, "card-refused")
    assert violations(ann) == []
    # Another card is another question; the host says no for Di.
    speak(server, bo, 2, path="/custom-cards", card=AGAIN)
    ann.click("[data-do=refuse-4]")
    expect(bo.locator(".ask-card")).to_have_text(
        ["Di will diese Karte nicht: „Du bist noch einmal dran“."]
    )


def test_what_is_written_on_a_card_is_read_wherever_it_is_named(
    phone: Phone, server: Server, shoot: Shoot
) -> None:
    ann, bo = agreed(phone, server)
    bo.click("[data-do=play]")
    bo.wait_for_selector(".picker")
    shoot(bo, "picker-own-cards")
    written = ["✎1 Du bist noch einmal dran.", "✎2 Sing a song."]
    expect(bo.locator("dialog li")).to_have_text(written)
    # On the third blank card nobody has written: it is not in the game.
    assert bo.locator(".picker [data-key=wild-custom-3]").count() == 0
    name = bo.get_attribute(".picker [data-key=wild-custom-1]", "aria-label")
    assert name == "Blankokarte 1: Du bist noch einmal dran."
    pick(bo, "wild-custom-1", "green")
    bo.wait_for_selector(".banner h2:text-is('Du bist noch einmal dran')")
    # It has been done: what lies there has to be matched, and that alone.
    assert "Oben liegt: Blankokarte 1. Leg eine Karte" in bo.inner_text(".banner-text")
    ann.wait_for_selector(".elsewhere:has-text('wild custom 1 “Take an extra turn”')")


def test_a_hand_that_was_refused_is_still_there_to_be_set_right(
    phone: Phone, server: Server
) -> None:
    ann, bo = agreed(phone, server)
    host = place_of(ann)["host"]
    for seat, count in ((1, 2), (2, 1)):
        body = {"kind": "hand-count", "count": count}
        speak(server, ann, seat, path="/corrections", token=host, **body)
    speak(server, bo, 2, move="play", card="red-1")
    ann.wait_for_selector("[data-do=reveal]")
    # Both copies of a card lie on the pile and in this hand, and there is no third.
    show_hand(ann, ("red-7", "red-7"))
    ann.wait_for_selector(".banner[data-event=illegal]")
    ann.click("[data-do=reveal]")
    entered = ann.locator("dialog .sheet-foot .hand li")
    assert entered.count() == 2
    assert ann.locator("dialog .picker [data-key=wild-custom-3]").count() == 0
    entered.first.locator("button").click()
    pick(ann, "wild-custom-2")
    ann.click("[data-do=show]")
    ann.wait_for_selector(".podium, .board:has-text('Bo')")
    ann.wait_for_selector("[data-do=reveal]", state="detached")


def test_a_dare_says_what_its_failure_brings_and_whom_all_wait_for(
    phone: Phone, server: Server
) -> None:
    ann, bo = agreed(phone, server, (CROW,), "en")
    play(bo, "wild-custom-1", "blue")
    ann.wait_for_selector(".banner:has-text('If not, draw 4. The others decide.')")
    for page in (ann, bo):
        expect(page.locator(".pile .turn")).to_have_text("Dare: Ann")
    bo.click("[data-do=judge-false]")
    ann.wait_for_selector(".banner h2:has-text('Dare failed! Draw 4')")
    assert "row" not in ann.inner_text(".banner").replace("draw", "")
    expect(ann.locator(".pile .turn")).to_have_text("Your turn")
