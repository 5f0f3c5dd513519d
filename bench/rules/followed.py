"""``python -m bench.rules.followed RECORD…``: how well cards are told in games on record.

Each card of a record becomes an observation of a camera that reads it well, with the direction of
the arm or without. Everything else is entered by phone, in a second run all but the draws of a hit,
which nobody reports before the next card. The rules decide what each card was.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from bench.report import ResultTable
from referee.rules import actions as act
from referee.rules.actions import Action
from referee.rules.position.state import State
from referee.rules.records.record import Step, parse_record, replay
from referee.service.pile.hypothesis import Hypothesis
from referee.service.pile.inference import rank_hypotheses
from referee.service.pile.layers import Layer, Pile, Reading
from referee.service.pile.seat_directions import learn_direction
from referee.service.pile.thresholds import Prior
from referee.service.pile.transitions import initial_pile

# How sure the camera is of a card, and that one from a hand came from the draw pile.
SURE, DRAWN = 0.9995, 0.02
# Degrees by which hands spread around their side, and the hands seen before of each.
SPREAD, HANDS = 15.0, 4
# Cards laid when none can be: nobody rules on them under a camera.
IDLE = ("deck.unknown", "round.awaiting", "round.over")
KINDS = ("jump-in", "stack", "other card", "illegal")
COLUMNS = ("what was laid", "cards", "right", "asked", "asked, not offered", "wrong")


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card of a record: the kind, and what came of it: "right", "asked", "lost" or "wrong".

    "lost" is a question that does not offer the truth.
    """

    kind: str
    outcome: str


def follow(
    steps: Iterable[Step], prior: Prior, rng: Random, *, sides: bool, silent: bool
) -> Iterator[SeenCard]:
    """Yield the cards of a game as they are told.

    ``sides``: the camera knows from which side each seat reaches in. ``silent``: see the module.
    """
    state: State | None = None
    unsaid: list[Action] = []
    for step in steps:
        move, ruling = step.action, step.ruling
        if state is not None and move is not None and ruling is not None and state.in_progress:
            if isinstance(move, act.Play | act.Flip) and ruling.rule not in IDLE:
                told = (*unsaid, type(move)(move.seat, move.card))
                arm = _arm(move.seat, state, rng)
                reading = Reading(
                    {"placed": 1.0}, {move.card: SURE}, drawn=DRAWN, arm=arm if sides else None
                )
                if isinstance(move, act.Flip):
                    reading = replace(reading, drawn=1 - DRAWN, arm=None)
                pile = _pile(state, rng).put(Layer(None, "waiting", reading=reading))
                ranked = rank_hypotheses(state, pile, prior, None)
                yield SeenCard(_kind(ruling.verdict, ruling.rule), _outcome(ranked, told, prior))
            elif silent and isinstance(move, act.Accept) and ruling.verdict == "legal":
                # The table knows it only with the next card.
                unsaid.append(move)
                continue
            elif unsaid and ruling.verdict == "illegal":
                continue
        state, unsaid = step.state, []


def _kind(verdict: str, rule: str) -> str:
    if verdict == "illegal":
        return "illegal"
    return {"house.jump-in": "jump-in", "house.stacking": "stack"}.get(rule, "other card")


def _arm(seat: int, state: State, rng: Random) -> float:
    return (360 * (seat - 1) / len(state.hands) + rng.gauss(0, SPREAD)) % 360


def _pile(state: State, rng: Random) -> Pile:
    pile = initial_pile(state).change(0, seen=True)
    for seat in state.order:
        for _ in range(HANDS):
            seen = Reading({"placed": 1.0}, arm=_arm(seat, state, rng))
            pile = learn_direction(pile, seat, seen)
    return pile


def _outcome(ranked: Sequence[Hypothesis], told: Sequence[Action], prior: Prior) -> str:
    if not ranked or ranked[0].kind == "waits":
        return "lost"
    best, truth = ranked[0], tuple(told)
    if best.weight >= prior.certain and not best.ask:
        return "right" if best.moves == truth else "wrong"
    offered = (way.moves for way in ranked if way.weight >= prior.mention)
    return "asked" if truth in offered else "lost"


def tell(records: Sequence[Path], prior: Prior, *, sides: bool, silent: bool) -> ResultTable:
    """Return how the cards of all records were told."""
    counts: Counter[tuple[str, str]] = Counter()
    for path in records:
        steps = replay(parse_record(json.loads(path.read_text(encoding="utf-8"))))
        seen = follow(steps, prior, Random(path.name), sides=sides, silent=silent)
        counts.update((card.kind, card.outcome) for card in seen)
    known = "sides known" if sides else "sides not known"
    reports = "draws of a hit not reported" if silent else "everything else reported"
    table = ResultTable(f"{len(records)} games; {known}; {reports}", COLUMNS)
    for kind in KINDS:
        each = [counts[kind, outcome] for outcome in ("right", "asked", "lost", "wrong")]
        table.rows.append((kind, sum(each), *each))
    return table


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser("python -m bench.rules.followed", description=__doc__)
    parser.add_argument("records", nargs="+", type=Path, help="records, or folders of them")
    args = parser.parse_args()
    files = [
        file
        for path in args.records
        for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])
    ]
    for sides in (True, False):
        for silent in (False, True):
            print(tell(files, Prior(), sides=sides, silent=silent).text(), flush=True)


if __name__ == "__main__":
    main()
