"""The referee speaks, buzzes and keeps the screen on; the game is played with eyes closed."""

from typing import Any

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.stage import comes_to, expect, place_of, seated, speak, wait_until_sent

NAMES = ("Ann", "Bo", "Cy")
# A browser with two voices and something that buzzes, and what they did.
FAKES = """
  window.said = [];
  window.cancelled = 0;
  window.buzzed = [];
  window.locks = { asked: 0, held: 0 };
  window.SpeechSynthesisUtterance = class {
    constructor(text) {
      this.text = text;
    }
  };
  const voices = [{ lang: "sv-SE", name: "Alva" }, { lang: "en-GB", name: "Kate" }];
  const speech = {
    getVoices: () => voices,
    speak: (one) => {
      window.said.push([one.voice?.name ?? null, one.lang, one.text]);
      setTimeout(() => one.onend?.(), 0);
    },
    cancel: () => (window.cancelled += 1),
  };
  Object.defineProperty(window, "speechSynthesis", { value: speech });
  const vibrate = (how) => window.buzzed.push(how);
  Object.defineProperty(Navigator.prototype, "vibrate", { value: vibrate });
"""
LOCK = """
  const wakeLock = {
    request: async () => {
      window.locks.asked += 1;
      window.locks.held += 1;
      const lock = new EventTarget();
      lock.release = async () => {
        window.locks.held -= 1;
        lock.dispatchEvent(new Event("release"));
      };
      return lock;
    },
  };
  Object.defineProperty(Navigator.prototype, "wakeLock", { value: wakeLock, configurable: true });
"""
# Real ones are active with the first script of a test.
TOUCHES = """
  const touches = { hasBeenActive: false };
  addEventListener("click", () => (touches.hasBeenActive = true), true);
  Object.defineProperty(Navigator.prototype, "userActivation", { value: touches });
"""
NO_LOCK = 'Object.defineProperty(Navigator.prototype, "wakeLock", { value: undefined });'


def faked(page: Any, *more: str) -> Any:
    """Give a phone the fakes, and open its page anew."""
    page.add_init_script("\n".join((FAKES, *(more or (LOCK,)))))
    page.reload()
    # At first it shows what was seen last.
    page.wait_for_selector(".board")
    wait_until_sent(page)
    return page


def switch_on(page: Any) -> None:
    """Let the referee speak."""
    page.click("[data-do=settings]")
    page.check("[data-do=speak]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def heard(page: Any) -> list[str]:
    """Return what was said so far."""
    return [text for _, _, text in page.evaluate("window.said")]


def wait_to_hear(page: Any, text: str) -> None:
    """Wait until a sentence is said."""
    page.wait_for_function("text => window.said.some((one) => one[2] === text)", arg=text)


def test_who_has_to_draw_is_heard_by_whoever_is_on_turn_after_them(
    phone: Phone, server: Server
) -> None:
    ann, bo, _ = seated(phone, server, "classic-108", NAMES, langs=("en", None, None))
    switch_on(faked(ann))
    speak(server, bo, 2, move="play", card="red-draw-two")
    wait_to_hear(ann, "Your turn.")
    news = heard(ann)
    begins = news.index("Bo plays a red draw two.")
    told = ["Cy has to draw 2 cards: Bo laid a draw two.", "Your turn."]
    assert news[begins + 1 : begins + 3] == told


def test_what_happens_is_said_once_in_the_phones_language_until_it_is_muted(
    phone: Phone, server: Server
) -> None:
    _, bo, cy = seated(phone, server, "classic-108", NAMES, langs=(None, None, "sv"))
    faked(cy)
    speak(server, bo, 2, move="play", card="red-1")
    cy.wait_for_selector(".banner[data-event=turn]")
    assert heard(cy) == [], "nobody has switched it on"
    switch_on(cy)
    assert cy.evaluate("window.said[0]") == ["Alva", "sv-SE", "Nu talar domaren."]
    # The focus is back where it was, and that is said, too.
    before = heard(cy)
    assert before[1:] == ["Inställningar"]
    speak(server, cy, 3, move="play", card="blue-9")
    wait_to_hear(cy, "Inget annat ändras.")
    told = heard(cy)[len(before) :]
    assert told == [
        "Ta tillbaka: blå 9.",
        "Kortet passar inte: blå 9.",
        "Färgen är röd, och överst ligger en röd etta.",
        "Ta tillbaka det som lades.",
        "Inget annat ändras.",
    ]
    # A lost connection brings nothing twice.
    cy.context.set_offline(True)
    cy.wait_for_selector(".link.lost")
    speak(server, cy, 3, move="play", card="red-draw-two")
    cy.context.set_offline(False)
    wait_to_hear(cy, "Cy spelar ett rött dra-två-kort.")
    speak(server, bo, 2, move="play", card="red-2")
    wait_to_hear(cy, "Din tur.")
    told = heard(cy)
    assert len([one for one in told if one == "Cy spelar ett rött dra-två-kort."]) == 1
    assert len([one for one in told if one == "Ta tillbaka: blå 9."]) == 1
    # Muted, it stops at once.
    cancelled = cy.evaluate("window.cancelled")
    cy.click("[data-do=settings]")
    cy.uncheck("[data-do=speak]")
    assert cy.evaluate("window.cancelled") > cancelled
    cy.keyboard.press("Escape")
    told = heard(cy)
    speak(server, cy, 3, move="play", card="red-3")
    cy.wait_for_selector(".pile-card [aria-label='röd 3']")
    assert heard(cy) == told


def test_a_phone_without_a_voice_for_the_language_says_so(phone: Phone, server: Server) -> None:
    (ann,) = seated(phone, server, "classic-108", langs=("cs",))
    faked(ann)
    ann.click("[data-do=settings]")
    assert ann.inner_text("[data-do=no-voice]") == "Tento telefon nemá hlas pro tento jazyk."
    ann.check("[data-do=speak]")
    assert ann.evaluate("window.said") == [[None, "cs", "Rozhodčí teď mluví."]]


def test_a_tv_speaks_to_everybody(phone: Phone, server: Server) -> None:
    ann, bo, _ = seated(phone, server, "classic-108", NAMES, langs=("en", None, None))
    faked(ann)
    ann.goto(f"/wall/{place_of(ann)['table']}")
    ann.wait_for_selector(".wall-card")
    ann.keyboard.press("v")
    wait_to_hear(ann, "The referee speaks now.")
    speak(server, bo, 2, move="play", card="red-draw-two")
    wait_to_hear(ann, "Cy has to draw 2 cards: Bo laid a draw two.")
    assert "Your turn." not in heard(ann)
    ann.keyboard.press("v")
    assert ann.evaluate("window.cancelled") == 1


def test_the_screen_stays_on_at_a_table(phone: Phone, server: Server) -> None:
    (ann,) = seated(phone, server, "classic-108", langs=("en",))
    faked(ann)
    ann.wait_for_function("() => window.locks.held === 1")
    ann.click("[data-do=settings]")
    assert "stays on" in ann.inner_text("[data-do=awake]")
    ann.click(".sheet a[href='/']")
    ann.wait_for_function("() => window.locks.held === 0")


def test_where_no_lock_is_to_be_had_a_silent_picture_plays_and_nothing_is_promised(
    phone: Phone, server: Server
) -> None:
    (ann,) = seated(phone, server, "classic-108", langs=("en",))
    faked(ann, NO_LOCK)
    assert ann.locator("video").count() == 0, "nothing plays before a touch"
    ann.click("[data-do=settings]")
    ann.wait_for_selector("[data-do=awake]:has-text('silent picture')")
    film = "(() => { const v = document.querySelector('video'); return [v.muted, v.paused]; })()"
    comes_to(lambda: ann.evaluate(film), [True, False])
    assert ann.evaluate("window.locks.asked") == 0


def test_the_phone_buzzes_for_its_seat_unless_it_is_muted(phone: Phone, server: Server) -> None:
    _, bo, cy = seated(phone, server, "classic-108", NAMES, langs=(None, None, "en"))
    faked(cy, LOCK, TOUCHES)
    # Browsers let nothing buzz before the first touch.
    speak(server, bo, 2, move="play", card="red-skip")
    cy.wait_for_selector(".banner[data-event=skipped]")
    assert cy.evaluate("window.buzzed.length") == 0
    speak(server, bo, 1, move="play", card="red-3", token=place_of(_)["seat"]["token"])
    cy.click(".board-pile")
    speak(server, bo, 2, move="play", card="red-skip")
    cy.wait_for_function("() => window.buzzed.length === 1")
    assert cy.evaluate("window.buzzed[0]") == [120, 60, 120]
    cy.click("[data-do=settings]")
    cy.uncheck("label:has-text('Vibration') input")
    cy.keyboard.press("Escape")
    speak(server, bo, 1, move="play", card="red-1", token=place_of(_)["seat"]["token"])
    speak(server, bo, 2, move="play", card="red-2")
    cy.wait_for_selector(".banner[data-event=turn]")
    assert cy.evaluate("window.buzzed.length") == 1


def test_a_turn_is_played_with_eyes_closed(phone: Phone, server: Server) -> None:
    _, bo, _ = seated(phone, server, "classic-108", NAMES, langs=(None, "en", None))
    faked(bo)
    bo.keyboard.press("t")
    assert heard(bo) == [], "keys do nothing while the voice is off"
    switch_on(bo)
    bo.wait_for_selector("[data-do=draw]:enabled")
    bo.keyboard.press("t")
    comes_to(lambda: heard(bo)[-4:], ["Your turn", "red", "red 7", "you: 7 cards"])
    bo.keyboard.press("n")
    comes_to(lambda: heard(bo)[-3:], ["Ann: 7 cards", "you: 7 cards", "Cy: 7 cards"])
    bo.keyboard.press("u")
    comes_to(lambda: heard(bo)[-1], "Not possible now.")
    bo.keyboard.press("d")
    wait_to_hear(bo, "Play it or pass.")
    bo.keyboard.press("r")
    why = ["Only the card just drawn may be laid, if it matches.", "Otherwise pass."]
    comes_to(lambda: heard(bo)[-2:], why)
    bo.keyboard.press("?")
    bo.wait_for_selector("dialog .keys")
    assert bo.locator("kbd").count() == 15
    bo.keyboard.press("Escape")
    bo.wait_for_selector("dialog", state="detached")
    # A long press says what a button is, and does not press it; on the table, how the game stands.
    button = bo.locator("[data-do=pass]:enabled").bounding_box()
    bo.mouse.move(button["x"] + 10, button["y"] + 10)
    bo.mouse.down()
    wait_to_hear(bo, "Pass")
    bo.mouse.up()
    pile = bo.locator(".pile").bounding_box()
    bo.mouse.move(pile["x"] + pile["width"] - 6, pile["y"] + pile["height"] - 6)
    bo.mouse.down()
    wait_to_hear(bo, "you: 8 cards")
    bo.mouse.up()
    expect(bo.locator("[data-do=pass]:enabled")).to_have_count(1)
    bo.keyboard.press("k")
    wait_to_hear(bo, "It is Cy's turn.")
