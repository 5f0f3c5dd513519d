"""``python -m bench.table``: score the referee on rendered rounds of each deck."""

import argparse
import json
import multiprocessing
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.report import ResultTable, percentiles
from bench.table.rounds import Trial, TrialResult, play_all
from hardware.camera.decks import RULESETS
from hardware.camera.reading.recognise import MODELS
from referee.rules.presets import OFFICIAL

COLUMNS = (
    *("deck", "rounds", "placed", "right %", "wrong %", "asked %", "missed", "doubled", "invented"),
    *("misread", "down p50", "down p95", "free p50", "free p95", "gone p50", "gone p95"),
    "scores right",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if any round ended with wrong scores."""
    parser = argparse.ArgumentParser("python -m bench.table", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100, help="per deck (%(default)s)")
    parser.add_argument("--ruleset", nargs="+", choices=sorted(RULESETS), default=sorted(RULESETS))
    parser.add_argument("--house", default=OFFICIAL, help="preset or code (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first round (%(default)s)")
    parser.add_argument("--reader", choices=("networks", "oracle"), default="networks")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of the networks")
    parser.add_argument("--size", default="1280x720", help="of the pictures (%(default)s)")
    parser.add_argument("--rate", type=float, default=15.0, help="pictures a second (%(default)g)")
    parser.add_argument("--jobs", type=int, default=1, help="parallel processes (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results as JSON")
    parser.add_argument(
        "--strip",
        type=Path,
        metavar="FILE",
        help="write pictures of the first round (needs --jobs 1)",
    )
    args = parser.parse_args(argv)
    if args.strip and args.jobs > 1:
        parser.error("--strip needs --jobs 1")
    width, _, height = args.size.partition("x")
    usual = Trial(
        "", 0, args.reader, size=(int(width), int(height)), rate=args.rate, house=args.house
    )
    seeds = range(args.seed, args.seed + args.rounds)
    trials = [
        replace(usual, ruleset=ruleset, seed=seed, models=args.models)
        for ruleset in args.ruleset
        for seed in seeds
    ]
    results = list(_played(trials, args.jobs, args.strip))
    report = _report(results, args.reader)
    print(report.text())
    if args.json:
        args.json.write_text(json.dumps(report.data(), indent=1) + "\n", encoding="utf-8")
    return 1 if any(result.failure for result in results) else 0


def _played(trials: Sequence[Trial], jobs: int, strip: Path | None) -> Iterator[TrialResult]:
    shares = [trials[start::jobs] for start in range(jobs)]
    if jobs == 1:
        yield from play_all(trials, strip)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for done in pool.imap_unordered(play_all, [share for share in shares if share]):
            yield from done


def _report(results: Sequence[TrialResult], reader: str) -> ResultTable:
    report = ResultTable(f"The referee at the simulated table; cards read by the {reader}", COLUMNS)
    for ruleset in sorted({result.trial.ruleset for result in results}):
        mine = [result for result in results if result.trial.ruleset == ruleset]
        total = sum((result.counts for result in mine), start=type(mine[0].counts)())
        placed = max(1, total["placed"])
        total["wrong"] += total["doubled"]
        times = [
            [1000 * s for result in mine for s in getattr(result.latencies, name)]
            for name in ("down", "free", "gone")
        ]
        right = sum(not result.failure for result in mine)
        report.rows.append(
            (
                ruleset,
                len(mine),
                total["placed"],
                *(100.0 * total[name] / placed for name in ("right", "wrong", "asked")),
                *(total[name] for name in ("missed", "doubled", "invented", "misread")),
                *(part for values in times for part in percentiles(values, 50, 95)),
                f"{right} of {len(mine)}",
            )
        )
    report.notes.append("Wrong: a wrong ruling, or more than one (doubled).")
    report.notes.append(
        "Latencies in ms, from the card down, the top free of hands, and no hand over the pile."
    )
    report.notes += [f"{r.trial.ruleset} {r.trial.seed}: {r.failure}" for r in results if r.failure]
    return report


if __name__ == "__main__":
    raise SystemExit(main())
