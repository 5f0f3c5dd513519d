"""The magnet's field, and whether sockets tell it from none."""

import itertools
import sys

import numpy as np
import pytest

from lab.plans.__main__ import main as plans
from lab.plans.field import anywhere, on_axis
from lab.plans.magnets import Draws, main, thresholds
from lab.plans.table import nominal_gap, read_table

TABLE = read_table()
GAP = nominal_gap(TABLE)
LIFT = TABLE["socket"]["peg_height"]["mm"]


def field(gap, beside, radius=3.0, thickness=3.0, remanence=1.35):
    one = np.ones(1)
    axial, radial = anywhere(
        one * remanence, one * radius, one * thickness, one * gap, one * beside
    )
    return float(axial[0]), float(radial[0])


@pytest.mark.parametrize(
    ("gap", "millitesla"),
    # A published calculator's example: Br 1.32 T, 20 by 5 mm, at its face and 5 mm before it
    # (https://machinecalcs.com/magnetic-field-calculator).
    [(0.0, 295.2), (5.0, 171.5)],
)
def test_the_axis_agrees_with_published_figures(gap, millitesla):
    assert 1000 * on_axis(1.32, 10, 5, gap) == pytest.approx(millitesla, abs=0.1)


@pytest.mark.parametrize("gap", [0.5, 3.0, GAP, 12.0])
def test_near_the_axis_it_is_the_formula_of_the_axis(gap):
    axial, radial = field(gap, 1e-7)
    assert axial == pytest.approx(on_axis(1.35, 3, 3, gap), rel=1e-6)
    assert radial == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("gap", "beside"), [(60.0, 40.0), (80.0, 1.0), (-1.5, 90.0)])
def test_far_away_it_is_a_dipole(gap, beside):
    height = gap + 1.5
    distance = np.hypot(height, beside)
    moment = 1.35 * np.pi * 9 * 3 / (4 * np.pi)
    axial, radial = field(gap, beside)
    assert axial == pytest.approx(
        moment * (3 * height**2 / distance**2 - 1) / distance**3, rel=0.01
    )
    assert radial == pytest.approx(3 * moment * height * beside / distance**5, rel=0.01, abs=1e-9)


def test_beside_the_axis_it_has_no_sources():
    """Its divergence is zero between magnet and sensor."""
    gap, beside, step = 4.0, 1.5, 1e-4
    along = (field(gap + step, beside)[0] - field(gap - step, beside)[0]) / (2 * step)
    outward = (
        (beside + step) * field(gap, beside + step)[1]
        - (beside - step) * field(gap, beside - step)[1]
    ) / (2 * step * beside)
    assert along + outward == pytest.approx(0, abs=1e-6)


def test_the_chosen_gap_fails_in_none_of_a_hundred_thousand_sockets():
    limits, draws = thresholds(), Draws(TABLE, 100_000)
    right, wrong, empty = draws.magnet(GAP), draws.magnet(GAP, LIFT), draws.nothing(GAP)
    assert right.present(limits) == 1
    assert right.linear.all()
    assert wrong.absent(limits) == 1
    assert empty.absent(limits) == 1
    # Both ways round: a north pole gives more than the middle, a south pole less.
    assert 0.49 < np.mean(right.millivolts > limits.middle) < 0.51


def test_margins_on_both_sides():
    """A whole millimetre nearer saturates some, one further misses some: 4.7 is between."""
    limits, draws = thresholds(), Draws(TABLE, 50_000)
    assert not draws.magnet(GAP - 1).linear.all()
    assert draws.magnet(GAP + 1.3).present(limits) < 0.99
    off = draws.magnet(GAP).off(limits)
    assert off.min() > 1.1 * limits.present
    assert off.max() < 0.95 * (limits.short - limits.middle)


def test_a_foot_goes_into_its_own_socket_only():
    play = (TABLE["foot"]["hole_diameter"]["mm"] - TABLE["socket"]["peg_diameter"]["mm"]) / 2
    loose = (TABLE["socket"]["side"]["mm"] - TABLE["foot"]["side"]["mm"]) / 2
    assert play < loose, "the pegs guide, not the walls"
    keys = sorted(TABLE["keys"].values())
    for near, far in itertools.pairwise(keys):
        assert (far - near) / 2 > play + loose * 2**0.5


def test_the_command_prints_each_gap_and_the_chosen_one(capsys):
    assert main(["--draws", "2000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("missed  saturated  wrong foot    ghost  a table of 4")
    assert lines[-2].split()[0] == f"{GAP:.1f}"
    assert lines[-1].startswith(f"chosen: {GAP:.1f} mm, 60 mT")


def test_packages_that_are_missing_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "lab.plans.magnets", None)
    assert plans(["magnets"]) == 1
    assert "magnets needs the table packages" in capsys.readouterr().err
