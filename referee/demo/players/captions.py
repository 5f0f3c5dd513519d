"""Captions: what the audience reads about each move, and the plain show that prints them."""

import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import Console

from referee.demo.players.player import Attempt
from referee.rules import actions as act
from referee.texts.catalog import counted

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Caption:
    """A sentence about a ruling or the opening of a round.

    Attributes:
        kind: "introduction", "opened", "legal", "illegal", "challenge", "catch", "proof", "won"
            or "board".
        weight: How long to show it, relative to an ordinary move.
    """

    kind: str
    round: int
    number: int
    text: str
    rule: str = ""
    source: str = ""
    put_right: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table as everybody sees it."""

    deck: str
    names: tuple[str, ...]
    version: int
    round: int
    dealer: int
    target: int
    state: Mapping[str, Any]
    rulings: Mapping[str, int]


class Show(Protocol):
    """Presents a game."""

    def update(self, snapshot: Snapshot, caption: Caption) -> None:
        """Present an event and the table after it."""


WEIGHTS = {
    "legal": 1.0,
    "catch": 5.0,
    "challenge": 6.0,
    "illegal": 8.0,
    "proof": 8.0,
    "won": 12.0,
}
SHOWN_ANYWAY = ("It is ", "Now: ")


def opening_caption(entry: Json, names: Sequence[str]) -> Caption:
    """Return the caption for the opening of a round."""
    dealer = names[entry["dealer"] - 1]
    cards = ", then ".join(f"a {_words(card)}" for card in entry["opening"])
    text = f"{dealer} deals and turns up {cards}. {_announced(entry)}".strip()
    return Caption("opened", entry["round"], 0, text, weight=4.0)


def move_caption(entry: Json, attempt: Attempt, before: Json, names: Sequence[str]) -> Caption:
    """Return the caption for a move and its ruling."""
    ruling, kind = entry["ruling"], _kind(entry, attempt)
    if kind == "illegal":
        text = f"{_attempted(attempt, names)} {ruling['text']}"
    else:
        text = _announced(entry) or _attempted(attempt, names)
    if kind != "illegal" and _answers_challenge(entry, attempt):
        won = entry["state"]["turn"] == before["turn"]
        text += f" The challenge is {'won' if won else 'lost'}."
    return Caption(
        kind,
        entry["round"],
        entry["number"],
        text,
        ruling["rule"],
        ruling["source"],
        ruling["put_right"] or "",
        WEIGHTS[kind],
    )


def _answers_challenge(entry: Json, attempt: Attempt) -> bool:
    return isinstance(attempt.move, act.Reveal) and entry["state"]["round_winner"] is None


def _kind(entry: Json, attempt: Attempt) -> str:
    if entry["ruling"]["verdict"] == "illegal":
        return "illegal"
    events = {event["event"] for event in entry["events"]}
    if events & {"round-won", "scored", "game-won"}:
        return "won"
    if "proved" in events:
        return "proof"
    if isinstance(attempt.move, act.Challenge) or _answers_challenge(entry, attempt):
        return "challenge"
    return "catch" if isinstance(attempt.move, act.Catch) else "legal"


ATTEMPTS: Mapping[type, str] = {
    act.Play: "{seat} lays a {card}.",
    act.Draw: "{seat} draws.",
    act.Pass: "{seat} passes.",
    act.NameColor: "{seat} names a colour.",
    act.ChoosePowers: "{seat} takes {powers}.",
    act.Accept: "{seat} accepts.",
    act.Challenge: "{seat} challenges.",
    act.Reveal: "{seat} shows {hand}.",
    act.CallUno: "{seat} calls UNO.",
    act.Catch: "{seat} says that {accused} forgot UNO.",
    act.Discard: "{seat} discards.",
    act.Give: "{seat} gives cards to {to}.",
    act.Flip: "{seat} turns up a {card}.",
}


def _attempted(attempt: Attempt, names: Sequence[str]) -> str:
    move = attempt.move
    words = {
        "seat": names[move.seat - 1],
        "card": _words(getattr(move, "card", "")),
        "powers": " ".join(getattr(move, "powers", None) or ()) or "nothing",
        "hand": counted(len(getattr(move, "hand", ())), "card"),
    }
    for field in ("accused", "to"):
        if hasattr(move, field):
            words[field] = names[getattr(move, field) - 1]
    return ATTEMPTS.get(type(move), "{seat} speaks up.").format(**words)


def _words(card: str) -> str:
    return card.replace("-", " ").replace(":", " with ")


def _announced(entry: Json) -> str:
    return " ".join(s for s in entry["announcements"] if not s.startswith(SHOWN_ANYWAY))


VERDICTS = {"opened": "deal", "illegal": "ILLEGAL", "board": "device"}
# Of a line in a pipe; what follows in the next one begins under the text.
PLAIN_WIDTH, HANGING = 80, " " * 15


class PlainShow:
    """Prints each round under a heading and each ruling as a line, for pipes and logs."""

    def __init__(self, console: Console, delay: float) -> None:
        self.console = console
        self.delay = delay

    def update(self, snapshot: Snapshot, caption: Caption) -> None:
        """Print an event; ``snapshot`` is the table after it."""
        if caption.kind == "opened":
            self.console.print(f"\nRound {caption.round} ({standing(snapshot)})", style="bold")
        self.console.print(plain_line(caption), soft_wrap=True)
        time.sleep(self.delay * caption.weight)


def standing(snapshot: Snapshot) -> str:
    """Return how far the game is: who has the most points, and how many end it."""
    score, leader = max(zip(snapshot.state["scores"], snapshot.names, strict=False))
    points = counted(snapshot.target, "point")
    return f"{leader} has {score} of {points}" if score else f"to {points}"


def plain_line(caption: Caption) -> str:
    """Return a line, wrapped: place in the game, verdict, event, rule and remedy."""
    verdict = VERDICTS.get(caption.kind, "legal")
    place = f"{caption.round}.{caption.number}"
    text = f"{place:>6} {verdict:<7} {caption.text}"
    if caption.kind in ("illegal", "proof"):
        text += f" [{caption.rule}; {caption.source}]"
    elif caption.rule:
        text += f" [{caption.rule}]"
    if caption.put_right:
        text += f" → {caption.put_right}"
    return textwrap.fill(
        text, PLAIN_WIDTH, subsequent_indent=HANGING, break_on_hyphens=False, break_long_words=False
    )
