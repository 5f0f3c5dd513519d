"""The doctor's checks of devices: where the board is, and what the camera sees.

The camera's packages are imported only if the configuration names a camera.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hardware.backends import BOARD, CAMERA, BackendError, make_device
from hardware.board.discovery import PortReport, PortState
from hardware.board.session.sentences import FLASH_ANEW
from hardware.board.session.stranger import PROMPT_ADVICE
from hardware.board.wire.messages import POWER_NAMES, SET_NAMES, Hello
from hardware.check_findings import Finding, ok, problem, warning
from hardware.commands.doctor.check_server import TableFacts
from hardware.gateway.config import DeviceConfig
from hardware.gateway.deck import Deck, other_deck
from hardware.gateway.status import Document
from hardware.observation import Memory

# ports (None: all there are), boot, last_seq → what is there
Probe = Callable[[Sequence[str] | None, int, int], list[PortReport]]
ADVICE: Mapping[PortState, str] = {
    PortState.SILENT: "is it the board's port, has the board power, is its firmware on it?",
    PortState.DEAF: "check the wire from the computer to the board",
    PortState.UNUSABLE: FLASH_ANEW,
    PortState.FOREIGN: "name the board's own port in the device's options: port = \"/dev/…\"",
    PortState.PROMPT: PROMPT_ADVICE,
    PortState.OTHER_VERSION: "flash the firmware of this release, or update this program",
    PortState.BUSY: "another program holds it: stop that one (sudo fuser -v PORT tells which)",
    PortState.DENIED: "join the dialout group: sudo usermod -aG dialout $USER; log in again",
    PortState.ABSENT: "plug the board in; a USB cable that only charges has no wires for data",
    PortState.BROKEN: "unplug the board and plug it in again",
    PortState.NO_PORT: "name the board's port: --port PORT, or port in the device's options",
    PortState.CLOSED: "if that is the board, name it: --port PORT, or port in the device's options",
}
NONE_THERE = "this computer has no serial port"
NONE_LIKELY = "no serial port has the USB identity of a board"


def check_device(
    device: DeviceConfig, running: Document | None, memory: Memory, facts: TableFacts, probe: Probe
) -> Iterator[Finding]:
    """Check that a device is there and fits the table.

    ``running`` is the status of a running gateway, which holds the ports and is asked instead.
    ``memory`` is the device's memory: greeted with it, a board keeps its messages.
    """
    try:
        make_device(device.name, device.backend, device.options)
    except BackendError as error:
        about, text = device.name, str(error).removeprefix(f"{device.name}: ")
        yield problem(about, text, "put it right in the configuration")
        return
    of_running = next(
        (doc for doc in (running or {}).get("devices", []) if doc["name"] == device.name), None
    )
    if device.backend == CAMERA:
        yield from check_deck(device, facts)
    if of_running is not None:
        yield from _check_running(of_running, facts)
    elif device.backend == BOARD:
        yield from _check_board(device, memory, facts, probe)
    elif device.backend == CAMERA:
        yield from check_camera(device)
    else:
        yield ok(device.name, f"{device.backend} needs no port")


def check_port(port: str, probe: Probe) -> Iterator[Finding]:
    """Check what is at a port, for which no server and no table are needed."""
    device = DeviceConfig("Board", BOARD, {"port": port})
    yield from _check_board(device, {}, TableFacts(), probe)


def _check_running(device: Mapping[str, Any], facts: TableFacts) -> Iterator[Finding]:
    name, text = device["name"], f"{device['state']}: {device['detail']}".removesuffix(": ")
    if device["state"] == "online":
        yield ok(name, f"in use by the running gateway; {text}")
    else:
        yield problem(
            name,
            f"in use by the running gateway; {text}",
            "stop the gateway and run the doctor again: it then checks the port itself",
        )
    seen = set(device["positions"])
    if facts.powers and seen - set(facts.powers):
        yield _other_set(name, sorted(seen), facts)


def _check_board(
    device: DeviceConfig, memory: Memory, facts: TableFacts, probe: Probe
) -> Iterator[Finding]:
    port = device.options.get("port", "auto")
    named = device.options.get("ports") if port == "auto" else [port]
    reports = probe(named, int(memory.get("boot", 0)), int(memory.get("seq", 0)))
    wanted = str(device.options.get("board", "")).lower()
    boards = [
        report
        for report in reports
        if report.hello is not None and wanted in ("", report.hello.board.hex())
    ]
    if not boards:
        yield from _none_found(device.name, reports, wanted)
        return
    for report in boards:
        yield ok(device.name, f"{report.port}: {report.detail}")
    for report in reports:
        if report.state is PortState.CLOSED:
            yield ok(device.name, f"{report.port}: {report.detail}")
    if len(boards) > 1:
        yield warning(
            device.name,
            f"{len(boards)} boards are there, and any of them may be taken",
            'name the one in the device\'s options: board = "its id"',
        )
    for report in boards:
        if report.hello is not None:
            yield from _check_fit(device.name, report.hello, facts)


def _none_found(name: str, reports: list[PortReport], wanted: str) -> Iterator[Finding]:
    if not reports:
        yield problem(name, NONE_THERE, ADVICE[PortState.ABSENT])
    elif all(report.state is PortState.CLOSED for report in reports):
        yield problem(name, NONE_LIKELY, ADVICE[PortState.ABSENT])
    for report in reports:
        text = f"{report.port}: {report.detail}"
        if report.state is PortState.CLOSED:
            yield warning(name, text, ADVICE[report.state].replace("PORT", report.port))
        elif report.hello is not None:
            yield problem(name, f"{text}, not {wanted}", "correct board in the device's options")
        else:
            yield problem(name, text, ADVICE[report.state].replace("PORT", report.port))


def _check_fit(name: str, hello: Hello, facts: TableFacts) -> Iterator[Finding]:
    if facts.powers and set(POWER_NAMES[hello.set]) != set(facts.powers):
        yield _other_set(name, list(POWER_NAMES[hello.set]), facts, SET_NAMES[hello.set])
    if facts.seats is not None and facts.seats > hello.seats:
        yield problem(
            name,
            f"the table has {facts.seats} seats, and the board places for {hello.seats}",
            "take a board with more places, or play with fewer people",
        )


def _other_set(name: str, has: list[str], facts: TableFacts, kind: str = "powers") -> Finding:
    return problem(
        name,
        f"the board has {kind} ({', '.join(has)}), and {facts.ruleset} is played with "
        f"{', '.join(facts.powers or ())}",
        "take the set that belongs to the deck, and set the board to it",
    )


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
    from hardware.camera.device import read_options
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
