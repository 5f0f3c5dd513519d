"""Check every ruling and count of the referee against the real cards."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from referee.demo.http.client import DemoError
from referee.demo.players.dealer import Dealer, ImpossibleError
from referee.demo.players.player import Attempt
from referee.rules import actions as act
from referee.rules.notation import move_to_text
from referee.rules.position import events as ev

Json = Mapping[str, Any]
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
            said = f"seat {proof.seat} broke {proof.rule} with move {proof.move}"
            raise DemoError(f"{place}: the referee claims to have proof that {said}; it did not.")
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
    said = f"ruled {ruling['verdict']} by {ruling['rule']}"
    if attempt.legal and ruling["verdict"] != "legal":
        raise DemoError(f"{place}: a legal play was refused, {said}: {ruling['text']}")
    if not attempt.legal and ruling["verdict"] != "illegal":
        raise DemoError(f"{place}: an illegal play passed, {said}; it breaks {attempt.breaks}.")
    for name in ("rule", "text", "source"):
        if not ruling[name]:
            raise DemoError(f"{place}: {said}, without a {name}.")
    if attempt.legal:
        return
    if ruling["rule"] != attempt.breaks:
        raise DemoError(f"{place}: {said}, but what it breaks is {attempt.breaks}.")
    # A hand shown where none is awaited goes back: there is nothing to count or to show again.
    unasked = isinstance(attempt.move, act.Reveal) and attempt.breaks == "round.awaiting"
    if unasked and ruling["put_right"]:
        raise DemoError(f"{place}: {said}, and it says to put right: {ruling['put_right']}")
    if isinstance(attempt.move, LIES_WRONG) and not unasked and not ruling["put_right"]:
        raise DemoError(f"{place}: {said}, without a word on what to put right.")
    if entry["state"] != before or entry["events"]:
        raise DemoError(f"{place}: {said}, and yet it changed the game.")
