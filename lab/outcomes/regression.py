"""Multinomial logistic regression by Newton's method."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.camera.track.outcome.outcome_scorer import OUTCOMES, Outcome, features
from lab.outcomes.cases import Case

Table = npt.NDArray[Any]
Weights = dict[str, dict[Outcome, float]]
RIDGE = 0.03
"""Weight of the squared weights against the cases' log loss: keeps rare measures near 0."""
ROUNDS, CLOSE = 50, 1e-6
"""Most Newton steps, and the step that ends them."""


def fit(cases: Sequence[Case], ridge: float = RIDGE) -> Weights:
    """Return the weights with the least log loss over the cases."""
    names = [*features(cases[0].evidence)]
    inputs = inputs_of(cases)
    truth = np.array([[case.truth == outcome for outcome in OUTCOMES] for case in cases], float)
    weights = np.zeros((len(OUTCOMES), len(names)))
    for _ in range(ROUNDS):
        chances = _softmax(inputs @ weights.T)
        slope = (chances - truth).T @ inputs + ridge * weights
        curve = np.zeros((*weights.shape, *weights.shape))
        for outcome in range(len(OUTCOMES)):
            for other in range(len(OUTCOMES)):
                spread = chances[:, outcome] * ((outcome == other) - chances[:, other])
                curve[outcome, :, other, :] = (inputs * spread[:, None]).T @ inputs
        flat = curve.reshape(weights.size, -1) + ridge * np.eye(weights.size)
        step = np.linalg.solve(flat, slope.ravel()).reshape(weights.shape)
        weights = weights - step
        if np.abs(step).max() < CLOSE:
            break
    return {
        name: {outcome: float(value) for outcome, value in zip(OUTCOMES, column, strict=True)}
        for name, column in zip(names, weights.T, strict=True)
    }


def inputs_of(cases: Sequence[Case]) -> Table:
    """Return the regression's inputs, (cases, features)."""
    return np.array([[*features(case.evidence).values()] for case in cases], float)


def _softmax(scores: Table) -> Table:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
