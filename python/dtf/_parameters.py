"""The parameters of the estimator. Written by tools/generate_parameters.py: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal


class FitParameters:
    """What every option of a fit is called, and its default."""

    def __init__(
        self,
        *,
        model: Literal["auto", "tsp", "autoregressive"] = "auto",
        base: Literal["independent", "conditional"] | None = None,
        alpha: float | None = None,
        closed: bool = False,
        bins: Mapping[str, int | str] | Sequence[str] = (),
        ordered: Sequence[str] = (),
        weights: str | None = None,
        allow_unique: bool = False,
        valid_fraction: float | None = None,
        refit: bool = True,
        random_state: int | None = 0,
        n_jobs: int | None = None,
        criterion: Literal["glp", "glp-code", "glp-aligned", "random"] | None = None,
        split_values: int | None = None,
        layers: int | Literal["auto"] | None = None,
        max_depth: int | None = None,
        min_split: float | None = None,
        features_per_node: int | None = None,
        conditioner: Literal["tree", "linear", "boosted", "auto"] | None = None,
        order: str | Sequence[str] | None = None,
        members: int | None = None,
        time: float | None = None,
    ) -> None:
        """Parameters
        ----------
        model : Literal['auto', 'tsp', 'autoregressive']
            tsp: layers of tree-structured permutations (the paper's); autoregressive: one column after the
            other; auto: tsp if an option of its own is given, else autoregressive. Default: auto.
        base : Literal['independent', 'conditional'] | None
            Distribution of the latent columns; conditional: given the columns before (tsp: given the last
            tree's leaf). Default: independent for tsp, conditional for autoregressive.
        alpha : float | None
            Rows added to each count: a category's, or a value's never seen. Default: 0.01 for tsp, 0.5 for
            autoregressive.
        closed : bool
            Keep no probability for values never seen; they become errors. Default: off.
        bins : Mapping[str, int | str] | Sequence[str]
            Cut a numeric column into K bins. Default: none. By column: ``{"age": 10, "pay": "20:width"}``.
        ordered : Sequence[str]
            The column's categories are in order. Default: none.
        weights : str | None
            This column tells how often each row counts, in the mean of a later table that has it, too.
            Default: each row once.
        allow_unique : bool
            Take columns of mostly unique values. Default: off.
        valid_fraction : float | None
            Part of the rows held out, to choose by. Default: 0.1 if there is something to choose.
        refit : bool
            Learn the final model from all rows, held-out ones included. Default: on.
        random_state : int | None
            Of all random choices. Default: 0. ``--seed`` of the command line. None draws one anew for each
            fit.
        n_jobs : int | None
            Threads; no result depends on them. Default: all cores, as -1 does. ``--threads`` of the command
            line. -2 means all cores but one.
        criterion : Literal['glp', 'glp-code', 'glp-aligned', 'random'] | None
            How splits are chosen. Default: glp-aligned.
        split_values : int | None
            Values that go left at a split, at most; found one by one (random: a random set). Default: 1.
        layers : int | Literal['auto'] | None
            Trees, one after the other; auto: as held-out rows bear. Default: auto.
        max_depth : int | None
            Splits between root and leaf, at most. Default: 6.
        min_split : float | None
            Only nodes with more rows (weight) than N are split. Default: 20.
        features_per_node : int | None
            Columns drawn for each split; 0: all. Default: 0.
        conditioner : Literal['tree', 'linear', 'boosted', 'auto'] | None
            How a column is learnt from those before it; auto: as held-out rows bear. Default: auto.
        order : str | Sequence[str] | None
            Of the columns; else as held-out rows bear.
        members : int | None
            How many flows are mixed, their kinds and orders as held-out rows bear; 1 is fastest. Default:
            up to 24, not counting Bayesian networks and latent classes; 1 with an independent base.
        time : float | None
            Once kinds have been tried, add members for so long at most; members with the number reached
            repeats the result.
        """
        self.model = model
        self.base = base
        self.alpha = alpha
        self.closed = closed
        self.bins = bins
        self.ordered = ordered
        self.weights = weights
        self.allow_unique = allow_unique
        self.valid_fraction = valid_fraction
        self.refit = refit
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.criterion = criterion
        self.split_values = split_values
        self.layers = layers
        self.max_depth = max_depth
        self.min_split = min_split
        self.features_per_node = features_per_node
        self.conditioner = conditioner
        self.order = order
        self.members = members
        self.time = time
