"""Check the referee: rulings and counts against the real cards, what leaks, and the record.

A spectator learns of open cards only, never of a card in a hand. The exported record holds what was
played, and every replay agrees.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.demo.http.client import DemoError, Json
from referee.demo.http.phone_table import PhoneTable
from referee.demo.players.dealer import Dealer, ImpossibleError
from referee.demo.players.player import Attempt
from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.notation import move_to_text
from referee.rules.position import events as ev
from referee.rules.position.views import public_state
from referee.rules.records.record import parse_record, replay
from referee.rules.records.record_rounds import RecordError
from referee.rules.ruleset import Ruleset

# Fields of the public state that a saved record expects after each move.
EXPECTED = ("turn", "color", "top", "hands", "draw_pile", "powers", "scores", "winner")


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move, its ruling, and the public state after it; move 0 opens a round."""

    round: int
    number: int
    move: Mapping[str, Any] | None
    verdict: str
    rule: str
    state: Mapping[str, Any]


def check_record(table: PhoneTable, rounds: Sequence[Json], played: Sequence[PlayedMove]) -> Json:
    """Export, replay and import the record of a table.

    ``rounds`` holds the dealer and the opening of each round. Returns the record, with the outcome
    expected of each move. Raises DemoError if anything differs from what was played.
    """
    record = table.host.get(f"/tables/{table.id}/record")
    _check_moves(record, rounds, played)
    _check_replay(record, played)
    expecting = with_expectations(record, played)
    answer = table.anybody.post("/records/replay", expecting).body
    if not answer["holds"]:
        bad = next(step for step in answer["steps"] if step["mismatches"])
        where = f"round {bad['round']}, move {bad['number']}"
        raise DemoError(f"Replayed by the server, {where} differs: {bad['mismatches']}.")
    if answer["state"] != played[-1].state:
        raise DemoError("Replayed by the server, the game ended otherwise.")
    _check_import(table, record)
    return expecting


def _check_moves(record: Json, rounds: Sequence[Json], played: Sequence[PlayedMove]) -> None:
    wanted = [{**opened, "moves": []} for opened in rounds]
    for step in played:
        if step.move is not None:
            wanted[step.round - 1]["moves"].append(step.move)
    if [_plain(item) for item in record["rounds"]] != wanted:
        raise DemoError("The exported record is not the game that was played.")


def _plain(played: Json) -> Json:
    """Return a round without the verdicts that its illegal moves expect."""
    moves = [{name: move[name] for name in move if name != "expect"} for move in played["moves"]]
    return {**played, "moves": moves}


def _check_replay(record: Json, played: Sequence[PlayedMove]) -> None:
    try:
        steps = list(replay(parse_record(record)))
    except RecordError as error:
        raise DemoError(f"The exported record cannot be read: {error}.") from None
    if len(steps) != len(played):
        raise DemoError(f"The record replays {len(steps)} steps; {len(played)} were played.")
    for step, live in zip(steps, played, strict=True):
        where = f"Replayed, round {live.round}, move {live.number}"
        if step.ruling and (step.ruling.verdict, step.ruling.rule) != (live.verdict, live.rule):
            ruling = f"{step.ruling.verdict} by {step.ruling.rule}"
            raise DemoError(f"{where} is {ruling}; it was {live.verdict} by {live.rule}.")
        if public_state(step.state) != live.state:
            raise DemoError(f"{where} leads to another state.")


def _check_import(table: PhoneTable, record: Json) -> None:
    imported = table.anybody.post("/records", record).body
    copy = type(table.anybody)(table.server, imported["token"])
    if copy.get(f"/tables/{imported['table']['id']}/record") != record:
        raise DemoError("The record, imported and exported again, is not the same.")


def with_expectations(record: Json, played: Sequence[PlayedMove]) -> Json:
    """Add every ruling, and the table after it, to a record as expectations."""
    rounds = [{**item, "moves": list(item["moves"])} for item in record["rounds"]]
    for step in played:
        expect = {name: step.state[name] for name in EXPECTED}
        if step.move is None:
            rounds[step.round - 1]["expect"] = expect
        else:
            expect |= {"verdict": step.verdict, "rule": step.rule}
            moves = rounds[step.round - 1]["moves"]
            moves[step.number - 1] = {**moves[step.number - 1], "expect": expect}
    return {**record, "rounds": rounds}


# Sentences name these cards in general, for example when a challenge is explained.
SPOKEN_OF = frozenset({"wild", "wild-draw-four"})


def open_cards(move: Move, before: Json, after: Json) -> frozenset[str]:
    """Return the cards that everybody sees when the move is made."""
    seen = {before["top"], after["top"]}
    if isinstance(move, act.Play | act.Flip):
        seen.add(move.card)
    elif isinstance(move, act.Discard):
        seen.update(move.cards or ())
    elif isinstance(move, act.Reveal | act.Give) and not shows_to_one(move, after):
        seen.update((move.hand or ()) if isinstance(move, act.Reveal) else move.cards)
    return frozenset(seen)


def shows_to_one(move: Move, after: Json) -> bool:
    """Return whether the move shows cards to one player only, as none does after a round."""
    return isinstance(move, act.Reveal | act.Give) and after["round_winner"] is None


def check_hidden_cards(entry: Json, allowed: frozenset[str], ruleset: Ruleset) -> None:
    """Raise DemoError if the entry names a card that is not ``allowed``."""
    leaked = sorted(cards_named(entry, ruleset) - allowed - SPOKEN_OF)
    if leaked:
        named = ", ".join(leaked)
        raise DemoError(f"Event {entry['id']} tells a spectator of cards in a hand: {named}.")


def cards_named(entry: Json, ruleset: Ruleset) -> set[str]:
    """Return every card that an entry names, by its id or in a sentence."""
    cards = ruleset.deck.cards
    words = {name.replace("-", " ").replace(":", " with "): name for name in cards}
    longest_first = sorted(words, key=len, reverse=True)
    named = set()
    for text in strings_in(entry):
        if text in cards:
            named.add(text)
            continue
        for word in longest_first if " " in text else ():
            if word in text:
                named.add(words[word])
                text = text.replace(word, "")
    return named


def strings_in(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value, the names of fields included."""
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for item in value:
            yield from strings_in(item)
    elif isinstance(value, str):
        yield value


# Illegal moves of these kinds leave something on the table to be put right.
LIES_WRONG = (act.Play, act.Draw, act.Reveal)


class RulingChecks:
    """Compares rulings with the real cards, and raises DemoError if the referee is wrong.

    Attributes:
        unseen: Rules broken where only the hand shows it.
        proved: Rules that the referee proved to be broken.
        challenges: Challenges "won" and "lost".
    """

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer
        self.unseen: Counter[str] = Counter()
        self.proved: Counter[str] = Counter()
        self.challenges: Counter[str] = Counter()
        self._broken: set[tuple[int, int, str]] = set()
        self._draw_four = (0, 0)
        self._color_before: str | None = None
        self._taken: Counter[int] = Counter()

    def opened(self, entry: Json, events: Iterable[ev.Event]) -> None:
        """Check the opening of a round."""
        self._broken.clear()
        self._obey(events)
        self._check_table(entry["state"], f"Round {entry['round']}")

    def moved(
        self, attempt: Attempt, entry: Json, before: Json, events: Iterable[ev.Event]
    ) -> None:
        """Check the ruling on a move that was made in the public state ``before``."""
        place = f"Round {entry['round']}, move {entry['number']} ({move_to_text(attempt.move)})"
        check_ruling(attempt, entry, before, place)
        self._note(attempt, entry, before)
        scored = None
        for event in events:
            if isinstance(event, ev.Scored):
                scored = self._scores(before)
            elif isinstance(event, ev.Proved):
                self._check_proof(event, place)
            self._obey((event,), place)
        if scored is not None and scored != entry["state"]["scores"]:
            raise DemoError(f"{place}: the hands give {scored}, not {entry['state']['scores']}.")
        if isinstance(attempt.move, act.Reveal) and attempt.legal:
            self._check_challenge(entry, before, place)
        self._check_table(entry["state"], place)

    def _note(self, attempt: Attempt, entry: Json, before: Json) -> None:
        """Remember the rule that a move breaks if only the hand shows it."""
        seat, number = attempt.move.seat, entry["number"]
        laid = attempt.move.card if isinstance(attempt.move, act.Play) else None
        if laid == "wild-draw-four" and attempt.legal:
            self._draw_four = (seat, number)
            self._color_before = before["color"]
            self._taken.clear()
        if attempt.hidden:
            self._broken.add((seat, number, attempt.breaks))
            self.unseen[attempt.breaks] += 1

    def _obey(self, events: Iterable[ev.Event], place: str = "The deal") -> None:
        """Carry out events with the real cards, and count the cards taken."""
        for event in events:
            try:
                self.dealer.obey(event)
            except ImpossibleError as error:
                raise DemoError(
                    f"{place}: the referee is wrong about the cards, {error}."
                ) from None
            if isinstance(event, ev.Drew):
                self._taken[event.seat] += event.count
            elif isinstance(event, ev.Gave) and event.to == self._draw_four[0]:
                # A card given openly explains only its own colour (R57).
                self._taken[event.to] += sum(
                    self.dealer.card(name).color == self._color_before for name in event.cards
                )

    def _check_proof(self, proof: ev.Proved, place: str) -> None:
        if (proof.seat, proof.move, proof.rule) not in self._broken:
            claim = f"seat {proof.seat} broke {proof.rule} with move {proof.move}"
            raise DemoError(f"{place}: the referee claims to have proof that {claim}; it did not.")
        self.proved[proof.rule] += 1

    def _check_challenge(self, entry: Json, before: Json, place: str) -> None:
        """Raise DemoError if the innocent are found guilty, or the guilty not, unless they drew."""
        if before["round_winner"] is not None:
            return
        guilty = entry["state"]["turn"] == before["turn"]
        truth = (*self._draw_four, "card.wild-draw-four") in self._broken
        seat = self._draw_four[0]
        paid = entry["state"]["hands"][seat - 1] - before["hands"][seat - 1]
        if guilty and not truth:
            raise DemoError(f"{place}: seat {seat} is found guilty of an honest wild-draw-four.")
        if truth and not guilty and self._taken[seat] == paid:
            raise DemoError(f"{place}: seat {seat} is let off, with the colour in hand.")
        self.challenges["won" if guilty else "lost"] += 1

    def _scores(self, before: Json) -> list[int]:
        """Return the scores that the real hands give."""
        ruleset, options = self.dealer.ruleset, self.dealer.options
        points = [
            sum(ruleset.points(self.dealer.card(name), options) for name in self.dealer.hand(seat))
            for seat in range(1, self.dealer.seats + 1)
        ]
        scores = list(before["scores"])
        if options.scoring in ("low", "elimination"):
            return [score + own for score, own in zip(scores, points, strict=True)]
        if options.scoring == "winner":
            winner = before["round_winner"] or points.index(0) + 1
            team = next((team for team in options.teams if winner in team), (winner,))
            scores[winner - 1] += sum(own for seat, own in enumerate(points, 1) if seat not in team)
        return scores

    def _check_table(self, state: Json, place: str) -> None:
        """Raise DemoError if counts differ from the real cards, or cards are lost."""
        dealer = self.dealer
        hands = [dealer.hand(seat) for seat in range(1, dealer.seats + 1)]
        real = {
            "hands": [len(hand) for hand in hands],
            "draw_pile": len(dealer.draw_pile),
            "discard_pile": len(dealer.discard_pile),
            "top": dealer.discard_pile[-1],
        }
        for name, value in real.items():
            if state[name] != value:
                raise DemoError(
                    f"{place}: the referee has {name} as {state[name]}, on the table it is {value}."
                )
        cards = [*dealer.draw_pile, *dealer.discard_pile, *(c for hand in hands for c in hand)]
        if sorted(cards) != sorted(dealer.deck):
            raise DemoError(f"{place}: cards were lost or made.")


def check_ruling(attempt: Attempt, entry: Json, before: Json, place: str) -> None:
    """Raise DemoError if a ruling is wrong or incomplete, or an illegal move changes the game."""
    ruling = entry["ruling"]
    ruled = f"ruled {ruling['verdict']} by {ruling['rule']}"
    if attempt.legal and ruling["verdict"] != "legal":
        raise DemoError(f"{place}: a legal play was refused, {ruled}: {ruling['text']}")
    if not attempt.legal and ruling["verdict"] != "illegal":
        raise DemoError(f"{place}: an illegal play passed, {ruled}; it breaks {attempt.breaks}.")
    for name in ("rule", "text", "source"):
        if not ruling[name]:
            raise DemoError(f"{place}: {ruled}, without a {name}.")
    if attempt.legal:
        return
    if ruling["rule"] != attempt.breaks:
        raise DemoError(f"{place}: {ruled}, but what it breaks is {attempt.breaks}.")
    # A hand shown where none is awaited goes back: there is nothing to count or to show again.
    unasked = isinstance(attempt.move, act.Reveal) and attempt.breaks == "round.awaiting"
    if unasked and ruling["put_right"]:
        raise DemoError(f"{place}: {ruled}, and it says to put right: {ruling['put_right']}")
    if isinstance(attempt.move, LIES_WRONG) and not unasked and not ruling["put_right"]:
        raise DemoError(f"{place}: {ruled}, without a word on what to put right.")
    if entry["state"] != before or entry["events"]:
        raise DemoError(f"{place}: {ruled}, and yet it changed the game.")
