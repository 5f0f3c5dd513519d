"""The doctor's checks of the camera: pictures, pile and deck.

The camera's packages are imported only if the configuration names a camera.
"""

import os
import time
from collections.abc import Iterator

from hardware.check_findings import Finding, ok, problem, warning
from hardware.commands.doctor.check_server import TableFacts
from hardware.gateway.config import DeviceConfig
from hardware.gateway.deck import Deck, other_deck

# A camera needs a second to find its exposure, and a network stream some more to connect.
LOOK_SECONDS, MOST_SECONDS = 2.0, 8.0


def check_deck(device: DeviceConfig, facts: TableFacts) -> Iterator[Finding]:
    """Compare the deck that the camera looks for with the table's."""
    ruleset = device.options.get("ruleset")
    if not facts.ruleset or ruleset == facts.ruleset:
        return
    if ruleset is None:
        yield warning(
            device.name,
            "it does not know the deck, and may take a card for one of another deck",
            f'put ruleset = "{facts.ruleset}" into its options, or pair it again',
        )
    else:
        yield problem(
            device.name,
            other_deck(device, Deck(facts.ruleset, None)),
            f'put ruleset = "{facts.ruleset}" into its options, or pair it again',
        )


def check_camera(device: DeviceConfig) -> Iterator[Finding]:
    """Look through the camera for some seconds, as ``referee-table camera`` does."""
    from hardware.camera.device_options import read_options
    from hardware.camera.reading.other_deck import DeckDoubt
    from hardware.camera.reading.recognise import ModelError
    from hardware.camera.setup.session import SetupSession
    from hardware.camera.setup.storage import SetupError, load_setup_for, setup_file
    from hardware.camera.source import SourceError, open_source
    from hardware.camera.source.controls import described

    name, options = device.name, read_options(device.options)
    recogniser = None
    try:
        recogniser = options.recogniser(os.environ)
    except ModelError as error:
        yield problem(name, str(error), "without it the camera reads no card; the game goes on")
    report, seen = None, None
    try:
        with open_source(options.source) as source:
            before = load_setup_for(options.setup or setup_file(os.environ), source.name)
            session = SetupSession(
                source.name, None, before, live=source.live, recogniser=recogniser
            )
            began = time.monotonic()
            first: float | None = None
            while not source.ended and time.monotonic() - began < MOST_SECONDS:
                frame = source.read(0.5)
                if frame is None:
                    if source.trouble and time.monotonic() - began > LOOK_SECONDS:
                        break
                    continue
                report, seen = session.examine(frame), frame.picture
                first = frame.at if first is None else first
                if frame.at - first >= LOOK_SECONDS and report.calm:
                    break
            trouble = source.trouble
            adjusted = described(source.controls.states()) if source.controls else ""
    except (SourceError, SetupError) as error:
        yield problem(name, str(error), f"try 'referee-table camera {options.source}'")
        return
    if report is None:
        yield problem(name, trouble or "it gives no picture", "is it plugged in, and is it on?")
        return
    size = f"{report.size[0]} × {report.size[1]} pixels"
    if not report.confirmed:
        yield problem(
            name,
            f"{size}; where the pile lies is not found",
            "lay a card of the deck face up in the middle of its picture, or the printed mat; "
            f"'referee-table camera {source.name}' shows the picture",
        )
    else:
        yield ok(name, f"{size}; the pile is seen")
    if adjusted:
        kept = "" if options.lock else "; the options say not to lock it"
        yield ok(f"{name}: controls", f"{adjusted}{kept}")
    if recogniser is not None and seen is not None:
        doubt = DeckDoubt()
        doubt.see(recogniser.recognise(seen))
        decks = " or ".join(doubt.looks_like(1))
        if decks:
            yield warning(
                name,
                f"the cards that it sees look like {decks}, not like {options.ruleset}",
                "is the ruleset right? It stands in the camera's options and at the table",
            )
    for finding in report.findings:
        if finding.level != "ok":
            yield Finding(finding.level, f"{name}: {finding.about}", finding.text, finding.advice)
