"""How often each row of a table counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from dtf._errors import InputError


def given_weights(sample_weight: Any, rows: int) -> np.ndarray:
    """(rows,) float64. Raises InputError for what is not so many numbers."""
    try:
        given = np.asarray(sample_weight)
        if given.dtype.kind not in "biufO":
            raise TypeError(f"they are of type {given.dtype}")
        weights = np.ascontiguousarray(given, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"sample_weight: its values are not all numbers ({error})") from error
    if weights.shape != (rows,):
        raise InputError(f"sample_weight.shape == {weights.shape}, expected ({rows},)!")
    return weights


def check_weights(weights: np.ndarray, called: str) -> None:
    """As a fit does. Raises InputError for weights of which there is no mean."""
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise InputError(f"{called}, record {wrong[0] + 1}: {weights[wrong[0]]} is no weight")
    if len(weights) and not weights.any():
        raise InputError(f"{called}: all weights are zero")


def mean_score(scores: np.ndarray, weights: np.ndarray | None) -> float:
    """The mean of scores, which may be -inf; NaN of none. A row of weight 0 is as if it were not there."""
    if weights is None or len(scores) == 0:
        return float(scores.mean()) if len(scores) else float("nan")
    shares = np.ldexp(weights, -np.frexp(weights.max())[1])  # at most 1 each: their sum is finite
    return float(np.average(np.where(weights > 0, scores, 0), weights=shares))  # 0 times -inf is no number
