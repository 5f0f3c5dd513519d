"""Output of ``referee-table watch``: lines, JSON, a window, a picture file."""

import argparse
import json
import sys
import time
from typing import Any, Literal

import cv2
import numpy as np
from rich.text import Text

from hardware.camera.annotate import annotate
from hardware.camera.pipeline import Pipeline, Sight
from hardware.camera.reading.other_deck import warning
from hardware.camera.setup.unrest import Sign
from hardware.camera.source import Frame, Source
from hardware.camera.stats import WatchStats
from hardware.camera.thresholds import SURE
from hardware.camera.track import PileEvent
from hardware.camera.types import Detection, Picture, percent
from hardware.camera.upkeep import Upkeep
from hardware.commands import printable
from hardware.commands.camera.pictures import others
from hardware.commands.camera.show import QUIT, LineDisplay, LiveView, pressed, save
from hardware.commands.output import complain
from hardware.times import utc

PICTURE_EVERY = 1.0
STATUS_EVERY = 5.0
_TITLE = "referee-table watch (q: quit)"
_PILE = (0, 160, 255)
WORDS = {
    "found": "was there already",
    "placed": "a card laid",
    "lifted": "a card taken away",
    "cleared": "cleared away",
    "same": "nothing but a card moved",
}

Asked = Literal["quit"] | None


class WatchDisplay(LineDisplay):
    """Prints a line per event."""

    def __init__(self, args: argparse.Namespace, source: Source, *, window: bool) -> None:
        super().__init__("watch", _TITLE if window else None)
        self._args, self._source = args, source
        self.name = source.name
        self._sight: Sight | None = None
        self._decks: list[str] = []
        self._last: PileEvent | None = None
        self._saved = float("-inf")
        self._upkeep: tuple[tuple[Sign, ...], str] = ((), "")
        self._opened = False

    def show(
        self, frame: Frame, pipeline: Pipeline, events: list[PileEvent], figures: WatchStats
    ) -> Asked:
        """Show a picture and its events; return the user's wish, if any."""
        self._see(pipeline.sight, frame.at)
        for event in events:
            self._event(event, frame)
        if pipeline.moved:
            self._last = None
            self.note("the camera or the mat was moved; the pile is followed")
        elif events:
            self._last = events[-1]
        self._doubt(pipeline.other_decks)
        self._status(pipeline, figures)
        now = time.monotonic()
        due = bool(events) or now - self._saved >= PICTURE_EVERY
        due = due and self._args.picture is not None
        if not (due or self.window):
            return None
        picture = self._drawn(frame.picture, pipeline, figures)
        if due:
            self._saved = now
            save(self._args.picture, picture)
        return self._in_window(self.window, picture) if self.window else None

    def waiting(self, pipeline: Pipeline) -> Asked:
        """Note that no picture has come for a while."""
        self._see(pipeline.sight, None)
        return _asked(self.window) if self.window and self._opened else None

    def disturbed(self, upkeep: Upkeep) -> None:
        """Say what disturbs the camera's picture, and what is locked, when it changes."""
        if self._upkeep != (upkeep.warnings, upkeep.locked):
            before, self._upkeep = self._upkeep, (upkeep.warnings, upkeep.locked)
            self._disturbed(upkeep, before)

    def _disturbed(self, upkeep: Upkeep, before: tuple[tuple[Sign, ...], str]) -> None:
        if upkeep.warnings != before[0] and upkeep.warnings:
            self.note(f"{self.name}: {upkeep.sentence()}")
        if upkeep.locked != before[1]:
            self.note(f"{self.name}: {upkeep.locked}")

    def end(self, figures: WatchStats) -> None:
        """Print the summary."""
        self.note(summary(figures))

    def _event(self, event: PileEvent, frame: Frame) -> None:
        at = event.seen
        when = f"{at // 60:.0f}:{at % 60:05.2f}" if frame.file is None else frame.file.name
        if self._source.live:
            when = time.strftime("%H:%M:%S", time.localtime(clock_of(at)))
        self.note(f"{when}  {line(event)}")

    def _doubt(self, decks: list[str]) -> None:
        """Say once that the cards look like another deck's."""
        if decks and decks != self._decks:
            complain("watch", warning(decks))
        self._decks = decks

    def _see(self, sight: Sight, at: float | None) -> None:
        before, self._sight = self._sight, sight
        if before == sight or sight.state == "starting":
            return
        self._sighted(sight, at)

    def _sighted(self, sight: Sight, _: float | None) -> None:
        if sight.state == "watching":
            self.note(f"{self.name}: the pile is watched")
        elif sight.reason == "no-pile":
            complain("watch", f"{sight.detail}; 'referee-table camera {self.name}' shows why")

    def _status(self, pipeline: Pipeline, figures: WatchStats) -> None:
        """Show the statistics; lines show them only at the end."""

    def _drawn(self, picture: Picture, pipeline: Pipeline, figures: WatchStats) -> Picture:
        last = self._last
        cards = []
        if last is not None and last.corners is not None and not pipeline.busy:
            cards.append(Detection(last.corners, last.probabilities))
        drawn = annotate(picture, cards)
        if pipeline.pile is not None:
            outline = np.round(pipeline.pile).astype(np.int32)
            cv2.polylines(drawn, [outline], True, _PILE, 2, cv2.LINE_AA)
        told = [status(pipeline, figures)] + ([line(last)] if last is not None else [])
        for number, text in enumerate(told, 1):
            plain = text.encode("ascii", "replace").decode()
            place, font = (12, 28 * number), cv2.FONT_HERSHEY_SIMPLEX
            for colour, thick in (((0, 0, 0), 4), ((255, 255, 255), 1)):
                cv2.putText(drawn, plain, place, font, 0.7, colour, thick, cv2.LINE_AA)
        return drawn

    def _in_window(self, window: str, picture: Picture) -> Asked:
        try:
            cv2.imshow(window, picture)
        except cv2.error:
            # This OpenCV has no windows: watch without.
            self.window = None
            return None
        self._opened = True
        return _asked(window)


class _Json(WatchDisplay):
    """Prints a line of JSON per event and change of visibility, and regular statistics."""

    _told = float("-inf")

    def note(self, text: str) -> None:
        """Print nothing: programs do not need it."""

    def trouble(self, sentence: str | None) -> None:
        self._print({"kind": "trouble", "text": sentence})

    def end(self, figures: WatchStats) -> None:
        self._print({"kind": "end", **figures.to_json()})

    def _disturbed(self, upkeep: Upkeep, _: tuple[tuple[Sign, ...], str]) -> None:
        self._print({"kind": "upkeep", "warnings": upkeep.warnings, "controls": upkeep.locked})

    def _event(self, event: PileEvent, frame: Frame) -> None:
        where = {} if frame.file is None else {"file": str(frame.file)}
        if self._source.live:
            where = {"at": utc(clock_of(event.seen))}
        self._print({"kind": "pile", **where, **event_json(event)})

    def _sighted(self, sight: Sight, at: float | None) -> None:
        when = {} if at is None else {"seconds": round(at, 3)}
        sighted = {"state": sight.state, "reason": sight.reason, "text": sight.detail}
        self._print({"kind": "camera", **when, **sighted})

    def _status(self, pipeline: Pipeline, figures: WatchStats) -> None:
        now = time.monotonic()
        if now - self._told >= STATUS_EVERY:
            self._told = now
            self._print({"kind": "status", "card": pipeline.card, **figures.to_json()})

    def _print(self, document: dict[str, Any]) -> None:
        print(json.dumps(document, ensure_ascii=False), flush=True)  # noqa: T201


class _Terminal(WatchDisplay):
    """Lines, and the statistics below them."""

    def __init__(self, args: argparse.Namespace, source: Source, *, window: bool) -> None:
        super().__init__(args, source, window=window)
        self.view = self._below = LiveView(self.name, transient=True)

    def note(self, text: str) -> None:
        self._below.above(text)

    def trouble(self, sentence: str | None) -> None:
        if sentence is None:
            self.note("pictures come again")
        else:
            self._below.above(Text(printable(sentence), "bold red"))
            self._below.wait()

    def _status(self, pipeline: Pipeline, figures: WatchStats) -> None:
        self._below.show(Text(status(pipeline, figures), "dim"))


def make_display(args: argparse.Namespace, source: Source, *, window: bool) -> WatchDisplay:
    """Return the display for the flags and the terminal."""
    if args.json:
        return _Json(args, source, window=window)
    if sys.stdout.isatty():
        return _Terminal(args, source, window=window)
    return WatchDisplay(args, source, window=window)


def _asked(window: str) -> Asked:
    return "quit" if pressed(window) == QUIT else None


def line(event: PileEvent) -> str:
    """Describe an event for people."""
    card = _card(event)
    if event.kind == "unsure":
        what = " or ".join(WORDS[kind] for kind in event.readings)
        return f"unsure    {what}?" + (f" {card} is on top" if card else "")
    if event.kind == "unread":
        return "unread    something lies on top that cannot be read"
    if event.kind == "lifted":
        return f"lifted    {card} shows again" if card else "lifted    what shows is not known"
    return f"{event.kind:9} {card}".rstrip()


def _card(event: PileEvent) -> str:
    if event.card is None:
        return ""
    chance = event.probabilities[event.card]
    if chance >= SURE:
        return f"{event.card} {percent(chance)}"
    card_seen = Detection(np.zeros((4, 2)), event.probabilities)
    else_ = others(card_seen)
    return f"{event.card}? {percent(chance)}" + (f" (or {else_})" if else_ else "")


def event_json(event: PileEvent) -> dict[str, Any]:
    """Describe an event for programs; ``seconds`` is when it was first seen."""
    corners = event.corners
    return {
        "seconds": round(event.seen, 3),
        "decided": round(event.at, 3),
        "number": event.number,
        "event": event.kind,
        "card": event.card,
        "sure": event.sure,
        "cards": {card: round(chance, 4) for card, chance in event.probabilities.items()},
        "readings": list(event.readings),
        "resolves": event.resolves,
        "corners": None if corners is None else corners.astype(float).round(1).tolist(),
    }


def clock_of(at: float) -> float:
    """Convert a live source's time to seconds since 1970."""
    return time.time() - (time.monotonic() - at)


def status(pipeline: Pipeline, figures: WatchStats) -> str:
    """Return the statistics in a line."""
    sight = pipeline.sight
    if sight.state != "watching":
        return sight.detail
    card = pipeline.card or "nothing known"
    return (
        f"{figures.rate:.0f} pictures a second, {figures.ms:.0f} ms each; on top: {card}; "
        f"{figures.events} told"
    )


def summary(figures: WatchStats) -> str:
    """Return the summary in a line."""
    told = "nothing" if not figures.events else f"{figures.events} events"
    return f"{figures.frames} pictures in {figures.seconds:.0f} s: {told} told"
