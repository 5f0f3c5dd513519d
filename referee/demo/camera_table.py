"""A table whose cards a camera sees: they are laid on the pile, and nobody says so."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Protocol

from referee.demo import illegal_moves as wrong
from referee.demo.board_table import BoardTable
from referee.demo.client import DemoError, Json
from referee.demo.game import DemoGame
from referee.demo.player import Attempt, Habits, Player
from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.codec import move_to_json, parse_move
from referee.rules.ruleset import find_ruleset

# People who let the table see what they do: colours, powers and calls come after the card. A call
# without a cause would be taken for one that came before its card, if the seat then lays one.
SEEN = Habits(
    calls_uno=0.0,
    calls_late=0.9,
    calls_by_mistake=0.0,
    names_at_once=0.0,
    bluffs=0.4,
    challenges=0.4,
    draws_anyway=0.03,
)
# How often somebody's hand does at the pile what is no play, before a move.
RESTLESS = 0.12
ABOUT_A_CARD = ("moved", "asked", "round-opened")
MOST_QUESTIONS = 4


class PileHands(Protocol):
    """The discard pile and the hands at it, under a camera.

    Each returns when the hand has left; what the camera makes of it may still be on its way.
    """

    def lay(self, card: str, seat: int | None = None) -> None:
        """A seat's hand lays a card on top; anybody's, if it is None."""

    def turn_up(self, card: str, seat: int) -> None:
        """A seat's hand takes the top card of the draw pile and lays it on top."""

    def draw(self, seat: int) -> None:
        """A seat's hand takes the top card of the draw pile."""

    def lift(self) -> None:
        """A hand takes the top card away."""

    def clear(self) -> None:
        """A hand takes the whole pile away."""

    def disturb(self) -> None:
        """A hand does something that is no play."""


@dataclass
class CameraTally:
    """How the referee followed the cards.

    Attributes:
        counts: ``placed`` cards, and of them ``right`` (ruled on as they should without a
            question), ``asked`` (right after an answer), ``missed`` (said by phone in the end),
            ``wrong``, ``doubled`` (more than one ruling); ``disturbed`` the pile and ``invented``
            rulings and questions from that; ``puzzled`` by a card taken back or put back as it had
            to be; ``misread`` cards, by what the camera held likeliest.
        phone: What was said by phone: moves by name.
        troubles: What went wrong, or was asked about, in words.
    """

    counts: Counter[str] = field(default_factory=Counter)
    phone: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)


class CameraTable(BoardTable):
    """A table with a camera, and perhaps a board.

    Cards are laid, not said. Players answer what the referee asks, as they know what they did;
    what it misses they say by phone, and what it gets wrong the host undoes first.

    ``watch`` gives it the pile; before that it is a table where everything is said.

    Attributes:
        tally: How it went.
        laid: For every card laid, in order, the entry with the ruling on it; None if that was not
            the camera's.
    """

    def __init__(self, server: str, ruleset: str, names: tuple[str, ...], options: Json) -> None:
        super().__init__(server, ruleset, names, options)
        self.tally = CameraTally()
        self.laid: list[int | None] = []
        self._pile: PileHands | None = None
        self._lying: list[str] = []
        # What all have seen and the referee takes for lying there still.
        self._open: set[str] = set()
        self._patience = 0.0
        self._rounds = 0
        self._rng = Random()

    @property
    def lying(self) -> frozenset[str]:
        """The cards on the pile, for everybody to see."""
        return frozenset(self._lying) | self._open

    def register_camera(self) -> str:
        """The token for a camera of this table."""
        wish = {"name": "Camera", "kind": "camera"}
        return str(self._write(self.host, "devices", wish)["token"])

    def watch(self, pile: PileHands, rng: Random, patience: float = 0.0) -> None:
        """Lay cards on this pile from now on.

        Args:
            pile: The pile.
            rng: When hands do what is no play.
            patience: So long, in seconds, what the camera makes of a card may be on its way.
        """
        self._pile, self._rng, self._patience = pile, rng, patience

    # What the game does

    def open_round(self, dealer: int, opening: tuple[str, ...]) -> Json:
        """The dealer turns up cards until one stays."""
        if self._pile is None:
            return super().open_round(dealer, opening)
        ruleset = find_ruleset(self.ruleset)
        after = self._version()
        if self._rounds:
            self._clear()
        self._rounds += 1
        for place, card in enumerate(opening):
            if place and not ruleset.replaced_stay:
                self._clear()
            self._put_down(card, dealer)
            self.tally.counts["placed"] += 1
        opened = self._ruled(after, {"kind": "opening", "dealer": dealer, "card": opening[-1]})
        asked = self._was_asked(after)
        # A card that went back into the deck is no part of the opening that was seen.
        whole = opening if ruleset.replaced_stay else opening[-1:]
        if [(e["dealer"], tuple(e["opening"])) for e in opened] == [(dealer, whole)]:
            self.tally.counts["asked" if asked else "right"] += len(opening)
            return opened[0]
        self._trouble("missed" if not opened else "wrong", f"opening {' '.join(opening)}", opened)
        self.tally.counts["right"] += len(opening) - 1
        if opened:
            raise DemoError(f"The referee took {opening} for {opened[0]['opening']}.")
        self.tally.phone["opening"] += 1
        return super().open_round(dealer, opening)

    def move(self, move: Move, rng: Random) -> Json:
        """What a seat does: laid, or said by phone."""
        if self._pile is None:
            return super().move(move, rng)
        if self._rng.random() < RESTLESS:
            self.tally.counts["disturbed"] += 1
            self._no_play(self._pile.disturb)
        if isinstance(move, act.Play | act.Flip):
            entry = self._lay(move, rng)
            self._put_right(entry)
        else:
            if isinstance(move, act.Draw):
                self._no_play(partial(self._pile.draw, move.seat))
            by_phone = super().move(move, rng)
            entry = by_phone
            if entry["by"]["role"] != "device":
                self.tally.phone[str(entry["move"]["move"])] += 1
        if any(event["event"] == "reshuffled" for event in entry["events"]):
            self._reshuffle(entry["state"]["top"])
        return entry

    def settle(self) -> None:
        """Nothing is under way any more."""
        super().settle()
        self._version()

    # What people do about it

    def _lay(self, move: act.Play | act.Flip, rng: Random) -> Json:
        after = self._version()
        self._put_down(move.card, move.seat, turned_up=isinstance(move, act.Flip))
        self.tally.counts["placed"] += 1
        self._misread(after, move.card)
        said = move_to_json(type(move)(move.seat, move.card))
        ruled = self._ruled(after, said)
        mine = [e for e in ruled if _same(e["move"], said)]
        if len(ruled) == 1 and mine:
            if self._was_asked(after):
                told = [e for e in self._entries(after) if e["kind"] == "asked"]
                self._trouble("asked", f"{move.card} by {move.seat}", told)
            else:
                self.tally.counts["right"] += 1
            self.laid[-1] = mine[0]["id"]
            self._lift_if_wrong(mine[0])
            return mine[0]
        if not ruled:
            self._trouble("missed", f"{move.card} by seat {move.seat}", ruled)
        else:
            told = [e for e in self._entries(after) if e["kind"] == "observed" or e in ruled]
            self._trouble("doubled" if mine else "wrong", f"{move.card} by {move.seat}", told)
            self._undo(ruled)
        self.tally.phone["play"] += 1
        entry = super().move(type(move)(move.seat, move.card), rng)
        if entry["kind"] == "confirmed":
            # The camera had it right in the meantime.
            entry = self._entries(entry["cause"] - 1)[0]
        self._lift_if_wrong(entry)
        return entry

    def _put_down(self, card: str, seat: int | None = None, *, turned_up: bool = False) -> None:
        if self._pile is None:
            return
        self._lying.append(card)
        if turned_up and seat is not None:
            self._pile.turn_up(card, seat)
        else:
            self._pile.lay(card, seat)
        self.laid.append(None)

    def _clear(self) -> None:
        if self._pile is not None:
            self._lying.clear()
            self._pile.clear()

    def _reshuffle(self, top: str) -> None:
        """The pile but for its top card goes into the draw pile."""
        after = self._version()
        self._clear()
        self._put_down(top)
        question = self._question()
        if question is not None:
            self._trouble("puzzled", "the top card put back", self._entries(after))
            self._answer(question, {"kind": "shows"})
        self._undo_invented(after, "the top card put back")

    def _lift_if_wrong(self, entry: Json) -> None:
        """Whoever laid a card against the rules takes it back."""
        if entry["ruling"]["verdict"] != "illegal" or self._pile is None:
            return
        after = self._version()
        taken = self._lying.pop()
        self._pile.lift()
        self._wait(after, ("observed",))
        question = self._question()
        if question is not None:
            self._trouble("puzzled", "a card taken back", self._entries(after))
            self._open.add(taken)
            self._answer(question, {"kind": "put-right"})
        self._undo_invented(after, "a card taken back")

    def _undo_invented(self, after: int, what: str) -> None:
        """What was ruled on although nobody has laid a card."""
        invented = [e for e in self._entries(after) if e["kind"] == "moved"]
        if invented:
            self._trouble("wrong", what, invented)
            self._undo(invented)

    def _no_play(self, disturb: Callable[[], None]) -> None:
        """A hand does what is no play; whatever comes of it is invented."""
        after = self._version()
        disturb()
        found = [e for e in self._entries(after) if e["kind"] in (*ABOUT_A_CARD, "corrected")]
        if not found:
            return
        self._trouble("invented", "a hand at the pile", found)
        question = self._question()
        if question:
            self._answer(question, {"kind": "nothing"})
        self._undo([e for e in self._entries(after) if e["kind"] == "moved"])
        for entry in found:
            if entry["kind"] == "corrected":
                self._say_again(entry["change"])

    def _say_again(self, change: Json) -> None:
        """A card that was taken for taken back lies there still: its player says so."""
        numbers = range(change["move"], change["move"] + change["count"])
        stood = {
            e["number"]: e
            for e in self._entries(0)
            if e["kind"] == "moved" and e["round"] == change["round"] and e["number"] in numbers
        }
        for number in numbers:
            was: int = stood[number]["id"]
            self.undone.add(was)
            said = parse_move(stood[number]["move"], len(self.seats))
            move = said.move if isinstance(said, act.Overruled) else said
            self.again[super().move(move, self._rng)["id"]] = self.again.get(was, was)

    def _undo(self, moves: list[Json]) -> None:
        for entry in moves:
            self._write(self.host, "corrections", {"kind": "undo"})
            self.undone.add(entry["id"])

    def _ruled(self, after: int, said: Json) -> list[Json]:
        """The rulings that came of a card, once what was asked is answered."""
        for _ in range(MOST_QUESTIONS):
            self._wait(after)
            question = self._question()
            if question is None:
                break
            self._answer(question, said)
        return [
            entry
            for entry in self._entries(after)
            if entry["kind"] == "round-opened"
            # A call that came before its card is ruled on when that has been seen.
            or (entry["kind"] == "moved" and entry["move"]["move"] in LAYING)
        ]

    def _wait(self, after: int, kinds: tuple[str, ...] = ABOUT_A_CARD) -> None:
        """Wait until something came of what was done, as long as that may take."""
        end = time.monotonic() + self._patience
        while not any(e["kind"] in kinds for e in self._entries(after)):
            if time.monotonic() >= end:
                return
            time.sleep(0.02)

    def _question(self) -> Json | None:
        items = self.host.get(f"/tables/{self.id}/questions")["items"]
        return next((one for one in items if one["about"] == "pile"), None)

    def _answer(self, question: Json, said: Json) -> None:
        """Somebody says what really happened: one of the answers offered, or else the card."""
        body: Json = {}
        right = [n for n, one in enumerate(question["options"]) if _answers(one, said)]
        if right:
            # Who draws says so: nothing went before that nobody has said.
            least = min(right, key=lambda n: len(question["options"][n]["moves"]))
            body = {"option": least + 1}
        else:
            nothing = [o["kind"] for o in question["options"]].index("nothing") + 1
            body = {"option": nothing}
            if "card" in said:
                body = {"card": said["card"]}
                body |= {"seat": said["seat"]} if "seat" in said else {}
        self._write(self.host, f"questions/{question['id']}/answers", body)

    def _was_asked(self, after: int) -> bool:
        return any(e["kind"] == "asked" for e in self._entries(after))

    def _misread(self, after: int, card: str) -> None:
        for entry in self._entries(after):
            seen = entry.get("observation", {})
            cards = seen.get("cards") or {}
            if seen.get("event") == "placed" and max(cards, key=cards.__getitem__) != card:
                self.tally.counts["misread"] += 1

    def _version(self) -> int:
        self.version = max(self.version, int(self.look()["version"]))
        return self.version

    def _trouble(self, kind: str, what: str, entries: list[Json]) -> None:
        self.tally.counts[kind] += 1
        told = "; ".join(_told(entry) for entry in entries) or "nothing"
        self.tally.troubles.append(f"{kind}: {what}: {told}")


class CameraGame(DemoGame):
    """A game at such a table. The rules are broken by laying a wrong card when it is one's turn.

    A card laid out of turn is, for a camera that sees the pile alone, a card of whoever's turn it
    is; people say that one.
    """

    def _misdeed(self, players: list[Player]) -> Attempt | None:
        for player in players:
            for attempt in wrong.wrong_card(player, self.state):
                if isinstance(attempt.move, act.Play) and attempt.breaks not in NOT_SEEN:
                    return attempt
        return None


LAYING = ("play", "flip", "discard")
# A card of no deck cannot be drawn; one laid while something else is awaited is waited with.
NOT_SEEN = ("deck.unknown", "round.awaiting")


def _same(move: Json, said: Json) -> bool:
    return all(move.get(name) == said[name] for name in ("seat", "move", "card"))


def _answers(option: Json, said: Json) -> bool:
    if "kind" in said:
        return all(option.get(name) == value for name, value in said.items())
    return bool(option["moves"]) and _same(option["moves"][-1], said)


def _told(entry: Json) -> str:
    parts = ("move", "opening", "question", "observation")
    said: Any = next((entry[part] for part in parts if part in entry), None)
    return f"{entry['kind']} {said}"
