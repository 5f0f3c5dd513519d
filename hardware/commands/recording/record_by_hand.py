"""``referee-table record FILE --by-hand SOURCE``: film laid cards; a person says which they are."""

import argparse
import contextlib
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hardware.camera.decks import Card, cards_of
from hardware.camera.setup.follow import Follower, PilePosition
from hardware.camera.setup.mark_pile import read_pile
from hardware.camera.setup.storage import SetupError
from hardware.camera.source import Frame, Source, SourceError, open_source
from hardware.commands import CommandError, exits
from hardware.commands.camera.follower import follower_for
from hardware.commands.output import say
from hardware.gateway.recording.form import Mark
from hardware.gateway.recording.tape import Tape

COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
SYMBOLS = {
    "s": "skip",
    "r": "reverse",
    "+1": "draw-one",
    "+2": "draw-two",
    "t": "take-two-towers",
}
WILDS = {"w": "wild", "w4": "wild-draw-four", "+4": "wild-draw-four", "wt": "wild-take-tower"}
TWICE = ("skip", "reverse", "draw-two")
"""Actions of which every deck has two cards in each colour, as of each number but 0."""
HELP = "r7 red 7, gs green skip, yr yellow reverse, b+2 blue draw two, w wild, w4 wild draw four"
_SHORT = re.compile(r"([rygb])-?([0-9]+|s|r|\+1|\+2|t)(:[uno!])?")


def read_card(text: str, ruleset: str | None) -> str | None:
    """Return the id of the deck's card that a person typed; None if there is no such card."""
    text = "".join(text.lower().split())
    deck: Mapping[str, Card] = {card.id.lower(): card for card in cards_of(ruleset)}
    short = _SHORT.fullmatch(text)
    if short:
        colour, symbol, icon = short.groups()
        text = f"{COLOURS[colour]}-{SYMBOLS.get(symbol, symbol)}{icon or ''}"
    face = deck.get(WILDS.get(text, text))
    return None if face is None else face.id


def spoken(card: str) -> str:
    """Return a card's name for people."""
    return card.replace("-", " ")


def shuffled(ruleset: str, count: int, seed: int | None = None) -> Sequence[str]:
    """Return cards to lay in this order, as from a shuffled deck; at most what the deck holds."""
    deck = cards_of(ruleset)
    twice = [card.id for card in deck if _is_there_twice(card)]
    pool = [card.id for card in deck] + twice
    return Random(seed).sample(pool, min(count, len(pool)))  # noqa: S311


def _is_there_twice(card: Card) -> bool:
    number = card.symbol.isdigit() and card.symbol != "0"
    return card.icon == "none" and (number or card.symbol in TWICE)


WELL, FAILED, NOT_UNDERSTOOD = 0, 1, 2
CAMERA = "camera"
# Seconds to wait for the first picture with the pile in it.
FIND_S = 20.0
# Seconds of film after the last mark, so that the tracker can tell the last card.
END_S = 2.0
KEYS = "-: the top card was taken away, x: all were, b: not so, take the last one back, q: done"


@dataclass
class _Noted:
    """A mark that a person made; ``card`` is None until it is named."""

    at: float
    what: Any
    card: str | None


class _Clock:
    """The clock of a source: the monotonic one of a camera, or how far a ``film`` has run."""

    def __init__(self, *, live: bool) -> None:
        self._live = live
        self.film = 0.0

    def __call__(self) -> float:
        return time.monotonic() if self._live else self.film


class Filming:
    """Records a camera in a thread, or the film in a file.

    ``found`` is set once the pile is seen, ``ended`` when filming is over.
    """

    def __init__(
        self, source: Source, follow: Callable[[Frame], Follower], tape: Tape, clock: _Clock
    ) -> None:
        self._source, self._follow, self._tape, self._clock = source, follow, tape, clock
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="filming", daemon=True)
        self.pile_found = threading.Event()
        self.ended = threading.Event()
        self.error: SetupError | SourceError | None = None
        self.position: PilePosition | None = None

    def start(self) -> None:
        """Begin to film."""
        self._thread.start()

    def stop(self) -> None:
        """Stop filming."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            with self._source:
                self._film()
        except (SetupError, SourceError) as error:
            self.error = error
        finally:
            self.ended.set()

    def _film(self) -> None:
        follower: Follower | None = None
        take = self._tape.pictures(CAMERA)
        while not (self._stop.is_set() or self._source.ended or self._tape.full):
            frame = self._source.read(0.25)
            if frame is None:
                continue
            follower = follower or self._follow(frame)
            self.position = follower.update(frame.picture, frame.at)
            self._clock.film = frame.at
            take(frame.picture, frame.at, self.position)
            if self.position.pile is not None and self.position.state == "still":
                self.pile_found.set()


def run(args: argparse.Namespace) -> int:
    """Film, ask for the cards, and write the file; return the exit status."""
    with exits(NOT_UNDERSTOOD, SourceError, SetupError):
        pile = None if args.pile is None else read_pile(args.pile)
        source = open_source(args.by_hand)
    clock = _Clock(live=source.live)
    tape = Tape(args.last, round(args.most * 1e6), args.rate, clock, whole=args.whole)
    filming = Filming(
        source, lambda first: follower_for(args, source, pile, first, say), tape, clock
    )
    filming.start()
    try:
        noted = _ask(args, source, filming, clock)
    finally:
        filming.stop()
    if noted is None:
        raise CommandError(FAILED, _why_nothing(source, filming))
    for note in _with_tops(_named(noted, args.ruleset)):
        tape.mark(Mark(note.what, note.card, "person"), note.at)
    try:
        tape.save(args.file, {CAMERA: CAMERA}, args.ruleset)
    except OSError as error:
        raise CommandError(FAILED, f"{args.file} cannot be written: {error.strerror}") from None
    say(f"{args.file} has {len(noted)} marks. See what it holds: 'record {args.file} --show'.")
    return WELL


def _why_nothing(source: Source, filming: Filming) -> str:
    if filming.error is not None:
        return str(filming.error)
    why = source.trouble or "where the pile lies is not found in the picture"
    return f"{source.name}: {why}; 'referee-table camera {source.name}' shows more"


def _ask(
    args: argparse.Namespace, source: Source, filming: Filming, clock: _Clock
) -> list[_Noted] | None:
    """Return what a person noted; None if there is nothing to film."""
    until = time.monotonic() + FIND_S
    while not filming.pile_found.wait(0.1):
        if filming.ended.is_set() or (source.live and time.monotonic() > until):
            return None
    wanted = shuffled(args.ruleset, args.lay) if args.lay else ()
    if source.live:
        say("The pile is seen, and the film runs. Lay one card at a time, and take the hand away.")
    else:
        filming.ended.wait()
        say("The film is read. Name its cards in the order in which they were laid.")
    if not wanted:
        say(f"Type its name when it lies: {HELP}. Or only Enter, and name it at the end.")
    say(KEYS)
    noted: list[_Noted] = []
    for text in _lines(noted, wanted, filming, live=source.live):
        _note(text, noted, wanted, args.ruleset, clock())
    if source.live and noted:
        time.sleep(END_S)
    return noted


def _lines(
    noted: list[_Noted], wanted: Sequence[str], filming: Filming, *, live: bool
) -> Iterator[str]:
    """Yield what is typed, until the person is done, the list is, or the file is full."""
    while True:
        laid = sum(note.what == "placed" for note in noted)
        if wanted and laid >= len(wanted):
            return
        if live and filming.ended.is_set():
            say("Filming has ended: the file is full, or the camera is gone.")
            return
        prompt = f"card {laid + 1}> "
        if wanted:
            prompt = (
                f"{laid + 1} of {len(wanted)}: lay {spoken(wanted[laid])}, Enter when it lies> "
            )
        text = _typed(prompt)
        if text is None or text == "q":
            return
        yield text


def _typed(prompt: str) -> str | None:
    """Return a typed line; None at the end of the input or at Ctrl-C."""
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        return input(prompt).strip()
    return None


def _note(
    text: str, noted: list[_Noted], wanted: Sequence[str], ruleset: str | None, typed_at: float
) -> None:
    """Note what was typed, and when; a card that does not exist is asked for again at the end."""
    if text == "b":
        if noted:
            gone = noted.pop()
            say(f"not counted: {gone.what} {gone.card or ''}".rstrip())
        return
    if text in ("-", "x"):
        noted.append(_Noted(typed_at, "lifted" if text == "-" else "cleared", None))
        return
    laid = sum(note.what == "placed" for note in noted)
    card = read_card(text, ruleset) if text else None
    if card is None and wanted:
        card = wanted[laid]
    if card is None and text:
        say(f"there is no card {text!r} in this deck: name it at the end ({HELP})")
    noted.append(_Noted(typed_at, "placed", card))


def _named(noted: list[_Noted], ruleset: str | None) -> list[_Noted]:
    """Ask for the cards that were not named yet; Enter leaves one unnamed."""
    unnamed = [note for note in noted if note.what == "placed" and note.card is None]
    if unnamed:
        say("Turn the pile over: its first card lies on top. Name the cards that are missing.")
    laid = 0
    for note in noted:
        laid += note.what == "placed"
        while note in unnamed and note.card is None:
            text = _typed(f"card {laid}> ")
            if not text:
                break
            note.card = read_card(text, ruleset)
            if note.card is None:
                say(f"there is no card {text!r} in this deck; {HELP}")
    return noted


def _with_tops(noted: list[_Noted]) -> list[_Noted]:
    """Name the card that showed again where the top one was taken away."""
    pile: list[str | None] = []
    for note in noted:
        if note.what == "placed":
            pile.append(note.card)
            continue
        pile = pile[:-1] if note.what == "lifted" else []
        note.what = "lifted" if pile else "cleared"
        note.card = pile[-1] if pile else None
    return noted
