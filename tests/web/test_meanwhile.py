"""What another phone has done meanwhile: it closes what was open for it, and ends what was said."""

import time

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.stage import expect, place_of, seated, speak
from tests.web.test_taps import touched


def test_a_notice_goes_once_the_game_has_gone_on(phone: Phone, server: Server) -> None:
    ann, bo = seated(touched(phone), server, "classic-108", langs=("en", "en"))
    host = place_of(ann)["host"]
    said = ann.locator(".notice:has-text('gone on')")

    def tap_too_late() -> None:
        # Time stands still for Ann while Bo's draw arrives, and the tap that was meant for it.
        ann.wait_for_selector("[data-do=draw]:enabled")
        ann.clock.set_fixed_time(time.time())
        speak(server, bo, 2, move="draw")
        ann.tap("[data-do=pass]")
        said.wait_for()

    ann.select_option("#speak-for", "2")
    tap_too_late()
    speak(server, bo, 2, move="pass")
    ann.wait_for_selector(".banner[data-event=turn]")
    expect(said).to_have_count(1)
    speak(server, ann, 1, move="draw")
    speak(server, ann, 1, move="pass")
    expect(said).to_have_count(0)
    ann.select_option("#speak-for", "2")
    tap_too_late()
    speak(server, ann, None, "/games/end", host)
    ann.wait_for_selector("[data-do=again]")
    expect(said).to_have_count(0)
