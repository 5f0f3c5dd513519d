"""``python -m lab.outcomes film|fit|check``: fit the scorer of what happened, and check it.

``film`` watches films and adds their cases to a CSV file; several may run at once, each with its
own file. ``fit`` writes the weights, and judges each film by a fit without it. ``check`` compares
the scorer's probabilities with the truth. Both print a line for each range of probabilities: how
often an outcome was given one in it, their mean, and how often it was true.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2

from hardware.camera.track.outcome.outcome_scorer import (
    OUTCOMES,
    WEIGHTS,
    FittedScorer,
    Likelihoods,
    Outcome,
    fitted_scorer,
)
from hardware.camera.track.thresholds import Thresholds
from lab.outcomes.cases import Case, gather, read_cases, write_cases
from lab.outcomes.regression import RIDGE, Weights, fit
from lab.outcomes.reliability import plot, reliability, table

FOLDS = 8
"""Parts of the films, each left out of a fit that the others are judged by."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        "python -m lab.outcomes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    film = commands.add_parser("film", help="gather cases from films")
    film.add_argument("cases", type=Path, help="a CSV file to add them to")
    film.add_argument(
        "--kind", default="drill", choices=("drill", "drawn", "rendered"), help="(%(default)s)"
    )
    film.add_argument("--films", type=int, default=10, help="number of films (%(default)s)")
    film.add_argument("--seed", type=int, default=1, help="of the first film (%(default)s)")
    film.set_defaults(run=_film)
    fitting = commands.add_parser("fit", help="fit the weights to cases")
    fitting.add_argument("cases", type=Path, nargs="+", help="CSV files")
    fitting.add_argument("--out", type=Path, default=WEIGHTS, help="file of the weights")
    fitting.add_argument("--ridge", type=float, default=RIDGE, help="(%(default)g)")
    fitting.add_argument("--note", default="", help="where the cases came from")
    fitting.set_defaults(run=_fit)
    check = commands.add_parser("check", help="compare probabilities with the truth")
    check.add_argument("cases", type=Path, nargs="+", help="CSV files")
    check.add_argument("--plot", type=Path, metavar="FILE", help="also draw it, as SVG")
    check.set_defaults(run=_check)
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    return int(args.run(args))


def _film(args: argparse.Namespace) -> int:
    for seed in range(args.seed, args.seed + args.films):
        cases = gather(args.kind, seed)
        write_cases(args.cases, cases)
        sys.stderr.write(f"{args.kind} {seed}: {len(cases)} cases\n")
    return 0


def _fit(args: argparse.Namespace) -> int:
    cases = list(read_cases(args.cases))
    told = reliability(list(_judged(cases, args.ridge)), Thresholds().outcome.certain)
    sys.stdout.write(table(told) + "\n")
    note = f"{len(cases)} cases of {len({case.film for case in cases})} films {args.note}".strip()
    args.out.write_text(_toml(fit(cases, args.ridge), note, args.ridge), encoding="utf-8")
    return 0


def _check(args: argparse.Namespace) -> int:
    scorer = fitted_scorer()
    judged = [(scorer.likelihoods(case.evidence), case.truth) for case in read_cases(args.cases)]
    told = reliability(judged, Thresholds().outcome.certain)
    sys.stdout.write(table(told) + "\n")
    if args.plot:
        args.plot.write_text(plot(told), encoding="utf-8")
    return 0


def _judged(cases: Sequence[Case], ridge: float) -> Iterator[tuple[Likelihoods, Outcome]]:
    """Yield likelihoods and truth of each case, judged by a fit without its film."""
    films = sorted({case.film for case in cases})
    for fold in range(FOLDS):
        held = set(films[fold::FOLDS])
        scorer = FittedScorer(fit([case for case in cases if case.film not in held], ridge))
        for case in cases:
            if case.film in held:
                yield scorer.likelihoods(case.evidence), case.truth


def _toml(weights: Weights, note: str, ridge: float) -> str:
    """Format the weights as the scorer reads them."""
    lines = [
        f"# Made by `python -m lab.outcomes fit` of {note}; ridge {ridge:g}.",
        "# What each feature adds to the score of each outcome (outcome_scorer.py).",
        "[weights]",
    ]
    for name, values in weights.items():
        told = ", ".join(f"{outcome} = {values[outcome]:.3f}" for outcome in OUTCOMES)
        lines.append(f'"{name}" = {{ {told} }}')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
