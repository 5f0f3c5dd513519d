"""A table with a camera over the pile, so that laying a card needs no phone."""

import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from referee.demo.http.client import DemoError, Json, StaleError
from referee.demo.players import illegal_moves
from referee.demo.players.player import Attempt, Habits, Player
from referee.demo.rounds.board_table import BoardTable
from referee.demo.rounds.game import DemoGame
from referee.demo.rounds.pile_hands import CameraTally, PileHands
from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.codec import move_to_json, parse_move
from referee.rules.ruleset import find_ruleset

# Habits of players who name colours and call UNO only after the card. A call without a cause could
# be taken for one that came just before its card.
SEEN = Habits(
    calls_uno=0.0,
    calls_late=0.9,
    calls_by_mistake=0.0,
    names_at_once=0.0,
    bluffs=0.4,
    challenges=0.4,
    draws_anyway=0.03,
)
# The probability that a hand touches the pile without playing, before each move.
TOUCH_CHANCE = 0.12
ABOUT_A_CARD = ("moved", "asked", "round-opened")
MOST_QUESTIONS = 4


class CameraTable(BoardTable):
    """A table with a camera, and perhaps a board.

    Players lay cards and answer the referee's questions. They enter by phone what it misses, and
    the host undoes what it gets wrong. Before ``watch`` every move is entered by phone.

    Attributes:
        tally: How well the referee followed.
        laid: For every card laid, in order, the id of its ruling; None if it was not the camera's.
    """

    def __init__(self, server: str, ruleset: str, names: tuple[str, ...], options: Json) -> None:
        super().__init__(server, ruleset, names, options)
        self.tally = CameraTally()
        self.laid: list[int | None] = []
        self._pile: PileHands | None = None
        self._on_pile: list[str] = []
        # Cards that were laid and taken back: everybody has seen them, and the referee names them
        # until the camera reports that they are gone.
        self._taken_back: set[str] = set()
        self._patience = 0.0
        # The version that whoever enters a card by phone has seen.
        self._seen: int | None = None
        self._rounds = 0
        self._rng = Random()

    @property
    def open_cards(self) -> frozenset[str]:
        """Return the cards that lie open on the pile, or have done so."""
        return frozenset(self._on_pile) | self._taken_back

    def register_camera(self) -> str:
        """Register a camera and return its token."""
        wish = {"name": "Camera", "kind": "camera"}
        return str(self._write(self.host, "devices", wish)["token"])

    def watch(self, pile: PileHands, rng: Random, patience: float = 0.0) -> None:
        """Lay cards on this pile from now on.

        ``rng`` decides when a hand touches the pile without playing. ``patience`` is the time to
        wait for the camera's report of a card, in seconds.
        """
        self._pile, self._rng, self._patience = pile, rng, patience

    # What the game does

    def open_round(self, dealer: int, opening: tuple[str, ...]) -> Json:
        """Turn up cards until one stays."""
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
        # The camera's opening lacks cards that went back into the deck.
        whole = opening if ruleset.replaced_stay else opening[-1:]
        if [(e["dealer"], tuple(e["opening"])) for e in opened] == [(dealer, whole)]:
            self.tally.counts["asked" if asked else "right"] += len(opening)
            return opened[0]
        self._report("missed" if not opened else "wrong", f"opening {' '.join(opening)}", opened)
        self.tally.counts["right"] += len(opening) - 1
        if opened:
            raise DemoError(f"The referee took {opening} for {opened[0]['opening']}.")
        self.tally.phone["opening"] += 1
        return super().open_round(dealer, opening)

    def move(self, move: Move, rng: Random) -> Json:
        """Lay the card, or enter the move by phone."""
        if self._pile is None:
            return super().move(move, rng)
        if self._rng.random() < TOUCH_CHANCE:
            self.tally.counts["disturbed"] += 1
            self._touch_pile(self._pile.disturb)
        if isinstance(move, act.Play | act.Flip):
            entry = self._lay(move, rng)
            self._put_right(entry)
        else:
            if isinstance(move, act.Draw):
                self._touch_pile(partial(self._pile.draw, move.seat))
            entry = super().move(move, rng)
            if entry["by"]["role"] != "device":
                self.tally.phone[str(entry["move"]["move"])] += 1
        if any(event["event"] == "reshuffled" for event in entry["events"]):
            self._reshuffle(entry["state"]["top"])
        return entry

    def settle(self) -> None:
        """Wait for the gateway, and read the version."""
        super().settle()
        self._version()

    # What people do about it

    def _lay(self, move: act.Play | act.Flip, rng: Random) -> Json:
        after = self._version()
        self._put_down(move.card, move.seat, turned_up=isinstance(move, act.Flip))
        self.tally.counts["placed"] += 1
        self._misread(after, move.card)
        entered = move_to_json(type(move)(move.seat, move.card))
        ruled = self._ruled(after, entered)
        mine = [e for e in ruled if _same(e["move"], entered)]
        if len(ruled) == 1 and mine:
            if self._was_asked(after):
                told = [e for e in self._entries(after) if e["kind"] == "asked"]
                self._report("asked", f"{move.card} by {move.seat}", told)
            else:
                self.tally.counts["right"] += 1
            self.laid[-1] = mine[0]["id"]
            self._lift_if_wrong(mine[0])
            return mine[0]
        if not ruled:
            self._report("missed", f"{move.card} by seat {move.seat}", ruled)
        else:
            told = [e for e in self._entries(after) if e["kind"] == "observed" or e in ruled]
            self._report("doubled" if mine else "wrong", f"{move.card} by {move.seat}", told)
            self._undo(ruled)
        self.tally.phone["play"] += 1
        entry = self._enter(type(move)(move.seat, move.card), after, rng)
        if entry["kind"] == "confirmed":
            # The camera has reported it in the meantime.
            entry = self._entries(entry["cause"] - 1)[0]
        self._lift_if_wrong(entry)
        return entry

    def _enter(self, move: act.Play | act.Flip, after: int, rng: Random) -> Json:
        """Enter a card by phone that was laid after this version.

        An equal card that was ruled on before is another one, and known; one since is this one.
        """
        entered = move_to_json(move)
        while True:
            before = self._version()
            ruled = [e for e in self._entries(after) if e["kind"] == "moved"]
            self._seen = after if any(_same(e["move"], entered) for e in ruled) else before
            try:
                return super().move(move, rng)
            except StaleError:
                # The camera has reported something at this very moment.
                continue
            finally:
                self._seen = None

    def _if_match(self) -> int | None:
        return self._seen

    def _put_down(self, card: str, seat: int | None = None, *, turned_up: bool = False) -> None:
        if self._pile is None:
            return
        self._on_pile.append(card)
        if turned_up and seat is not None:
            self._pile.turn_up(card, seat)
        else:
            self._pile.lay(card, seat)
        self.laid.append(None)

    def _clear(self) -> None:
        if self._pile is not None:
            self._on_pile.clear()
            self._pile.clear()

    def _reshuffle(self, top: str) -> None:
        """Move the pile, except its top card, into the draw pile."""
        after = self._version()
        self._clear()
        self._put_down(top)
        question = self._question()
        if question is not None:
            self._report("puzzled", "the top card put back", self._entries(after))
            self._answer(question, {"kind": "shows"})
        self._undo_invented(after, "the top card put back")

    def _lift_if_wrong(self, entry: Json) -> None:
        """Take an illegally laid card back."""
        if entry["ruling"]["verdict"] != "illegal" or self._pile is None:
            return
        after = self._version()
        self._taken_back.add(self._on_pile.pop())
        self._pile.lift()
        self._wait(after, ("observed",))
        question = self._question()
        if question is not None:
            self._report("puzzled", "a card taken back", self._entries(after))
            self._answer(question, {"kind": "put-right"})
        self._undo_invented(after, "a card taken back")

    def _undo_invented(self, after: int, what: str) -> None:
        """Undo rulings on cards that nobody has laid."""
        invented = [e for e in self._entries(after) if e["kind"] == "moved"]
        if invented:
            self._report("wrong", what, invented)
            self._undo(invented)

    def _touch_pile(self, disturb: Callable[[], None]) -> None:
        """Touch the pile, and undo anything that the referee mistakes for a move."""
        after = self._version()
        disturb()
        entries = [e for e in self._entries(after) if e["kind"] in (*ABOUT_A_CARD, "corrected")]
        if not entries:
            return
        self._report("invented", "a hand at the pile", entries)
        question = self._question()
        if question:
            self._answer(question, {"kind": "nothing"})
        self._undo([e for e in self._entries(after) if e["kind"] == "moved"])
        for entry in entries:
            if entry["kind"] == "corrected":
                self._enter_again(entry["change"])

    def _enter_again(self, change: Json) -> None:
        """Enter moves again whose cards were wrongly believed to be taken back."""
        numbers = range(change["move"], change["move"] + change["count"])
        stood = {
            e["number"]: e
            for e in self._entries(0)
            if e["kind"] == "moved" and e["round"] == change["round"] and e["number"] in numbers
        }
        for number in numbers:
            was: int = stood[number]["id"]
            self.undone.add(was)
            entered = parse_move(stood[number]["move"], len(self.seats))
            move = entered.move if isinstance(entered, act.Overruled) else entered
            self.again[super().move(move, self._rng)["id"]] = self.again.get(was, was)

    def _undo(self, moves: list[Json]) -> None:
        for entry in moves:
            self._write(self.host, "corrections", {"kind": "undo"})
            self.undone.add(entry["id"])

    def _ruled(self, after: int, entered: Json) -> list[Json]:
        """Answer questions about a card, and return the rulings on it."""
        for _ in range(MOST_QUESTIONS):
            self._wait(after)
            question = self._question()
            if question is None:
                break
            self._answer(question, entered)
        return [
            entry
            for entry in self._entries(after)
            if entry["kind"] == "round-opened"
            # An UNO call before its card is ruled on together with it.
            or (entry["kind"] == "moved" and entry["move"]["move"] in CARD_MOVES)
        ]

    def _wait(self, after: int, kinds: tuple[str, ...] = ABOUT_A_CARD) -> None:
        """Wait for an entry of these kinds, for at most ``patience`` seconds."""
        end = time.monotonic() + self._patience
        while not any(e["kind"] in kinds for e in self._entries(after)):
            if time.monotonic() >= end:
                return
            time.sleep(0.02)

    def _question(self) -> Json | None:
        items = self.host.get(f"/tables/{self.id}/questions")["items"]
        return next((item for item in items if item["about"] == "pile"), None)

    def _answer(self, question: Json, entered: Json) -> None:
        """Answer with the option that really happened, or else with the card."""
        body: Json = {}
        right = [n for n, option in enumerate(question["options"]) if _answers(option, entered)]
        if right:
            # Players enter their draws, so no unreported draw came before.
            least = min(right, key=lambda n: len(question["options"][n]["moves"]))
            body = {"option": least + 1}
        else:
            nothing = [o["kind"] for o in question["options"]].index("nothing") + 1
            body = {"option": nothing}
            if "card" in entered:
                body = {"card": entered["card"]}
                body |= {"seat": entered["seat"]} if "seat" in entered else {}
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

    def _report(self, kind: str, what: str, entries: list[Json]) -> None:
        self.tally.counts[kind] += 1
        told = "; ".join(_told(entry) for entry in entries) or "nothing"
        self.tally.troubles.append(f"{kind}: {what}: {told}")


class CameraGame(DemoGame):
    """A game at a camera table, where rules are broken only by laying a wrong card on one's turn.

    A camera that sees only the pile cannot tell that a card was laid out of turn.
    """

    def _illegal_attempt(self, players: list[Player]) -> Attempt | None:
        for player in players:
            for attempt in illegal_moves.wrong_card(player, self.state):
                if isinstance(attempt.move, act.Play) and attempt.breaks not in INVISIBLE:
                    return attempt
        return None


CARD_MOVES = ("play", "flip", "discard")
# Illegal moves that the camera demo leaves out: cards of no deck, cards laid too early, and on a
# stack, where somebody may have drawn the sum and the next one laid them.
INVISIBLE = ("deck.unknown", "round.awaiting", "house.stacking")


def _same(move: Json, entered: Json) -> bool:
    return all(move.get(name) == entered[name] for name in ("seat", "move", "card"))


def _answers(option: Json, entered: Json) -> bool:
    if "kind" in entered:
        return all(option.get(name) == value for name, value in entered.items())
    return bool(option["moves"]) and _same(option["moves"][-1], entered)


def _told(entry: Json) -> str:
    if "question" in entry:
        return f"asked {' / '.join(option['text'] for option in entry['question']['options'])}"
    parts = ("move", "opening", "observation")
    reported: Any = next((entry[part] for part in parts if part in entry), None)
    return f"{entry['kind']} {reported}"
