"""The scorer of what happened is fitted to labelled cases, and checked against them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hardware.camera.track.outcome.outcome_scorer import FittedScorer, Outcome, OutcomeEvidence
from lab.films.ground_truth import TrueEvent
from lab.outcomes.__main__ import main
from lab.outcomes.cases import Case, Labeller, read_cases, write_cases
from lab.outcomes.regression import fit
from lab.outcomes.reliability import Bin, reliability

OTHER = OutcomeEvidence(
    same_face=0.0,
    differs=0.8,
    distance=0.3,
    pushed=0.0,
    left=-0.1,
    came=0.1,
    first=0.0,
    earlier=0.0,
    earlier_differs=1.0,
    earlier_distance=1.0,
    brought=0.6,
    brought_old=0.0,
)
SAME = replace(OTHER, same_face=1.0, differs=0.0, pushed=0.2, left=0.1, brought=0.0)
LIFTED = replace(OTHER, left=0.1, earlier=1.0, earlier_differs=0.0, brought=0.0, brought_old=-0.6)


def made_up(count: int, doubtful: float = 0.0) -> list[Case]:
    """Cases that are easily told, of which a share looks like another outcome."""
    rng = np.random.default_rng(1)
    looks: dict[Outcome, OutcomeEvidence] = {"placed": OTHER, "same": SAME, "lifted": LIFTED}
    kinds: list[Outcome] = ["placed", "same", "lifted"]
    cases = []
    for number in range(count):
        truth = kinds[number % 3]
        look = kinds[int(rng.integers(3))] if rng.random() < doubtful else truth
        cases.append(Case(f"film {number // 10}", float(number), truth, looks[look]))
    return cases


def test_a_fit_tells_what_it_was_shown() -> None:
    scorer = FittedScorer(fit(made_up(300)))
    for case in made_up(3):
        assert scorer.likelihoods(case.evidence)[case.truth] > 0.95


def test_a_fit_is_as_sure_as_it_is_right() -> None:
    cases = made_up(1200, doubtful=0.3)
    scorer = FittedScorer(fit(cases))
    # A third of the doubtful ones are right by chance.
    assert scorer.likelihoods(OTHER)["placed"] == pytest.approx(0.8, abs=0.05)
    said = [(scorer.likelihoods(case.evidence), case.truth) for case in cases]
    found = reliability(said, certain=0.98)
    assert found.asked == len(cases)
    assert found.wrong == 0
    assert found.error < 0.02


def test_what_is_surely_wrong_counts_as_wrong() -> None:
    sure = {"placed": 0.999, "same": 0.001, "lifted": 0.0}
    found = reliability([(sure, "placed"), (sure, "same")], certain=0.98)
    assert (found.asked, found.wrong) == (0, 1)
    (top,) = (one for one in found.bins if one.mean > 0.9)
    assert top.share == 0.5


def test_an_interval_holds_the_share() -> None:
    low, high = Bin(0.9, 1.0, 50, 0.95, 0.9).interval
    assert 0.75 < low < 0.9 < high < 1.0


def test_the_truth_is_what_happened_since_the_last_conclusion() -> None:
    happened: list[TrueEvent] = []
    labeller = Labeller("film", happened)
    happened.append(TrueEvent("nudged", 1.0))
    assert labeller.likelihoods(SAME)["same"] == 1.0
    happened.append(TrueEvent("placed", 2.0, "red-1"))
    assert labeller.likelihoods(OTHER)["placed"] == 1.0
    assert labeller.likelihoods(SAME)["same"] == 1.0
    happened += [TrueEvent("placed", 3.0, "red-1"), TrueEvent("lifted", 4.0, "red-2")]
    assert labeller.likelihoods(LIFTED)["lifted"] == 1.0
    # Two things at once are no case.
    assert [case.truth for case in labeller.cases] == ["same", "placed", "same"]


def test_cases_are_kept_fitted_and_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, weights, drawn = (tmp_path / name for name in ("cases.csv", "out.toml", "plot.svg"))
    cases = made_up(300)
    write_cases(file, cases[:200])
    write_cases(file, cases[200:])
    assert list(read_cases([file])) == cases
    assert main(["fit", str(file), "--out", str(weights)]) == 0
    assert "300 cases, asked 0, wrong 0" in capsys.readouterr().out
    assert main(["check", str(file), "--plot", str(drawn)]) == 0
    assert drawn.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.soak
def test_a_drawn_film_gives_cases(tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    assert main(["film", str(file), "--films", "1", "--seed", "5"]) == 0
    assert len({case.truth for case in read_cases([file])}) == 3
