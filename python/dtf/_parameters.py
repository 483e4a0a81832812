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
            tsp: layers of tree-structured permutations, as in the paper; autoregressive: each column is
            predicted from those before it; auto: tsp if an option for tsp alone is given, else
            autoregressive. Default: auto.
        base : Literal['independent', 'conditional'] | None
            Distribution of the latent columns; independent: each on its own; conditional: each given the
            columns before it (tsp: given the last tree's leaf). Default: independent for tsp, conditional
            for autoregressive.
        alpha : float | None
            Pseudo-count in rows, 0 or more, of a value never seen, and of each category of an independent
            base. Default: 0.01 for tsp, 0.5 for autoregressive.
        closed : bool
            Keep no probability for values never seen; they are errors then. Default: off.
        bins : Mapping[str, int | str] | Sequence[str]
            Cut the numeric column COL into K bins, 2 to 100000: of about equal weight (quantile, if neither
            is given), or of equal width. Default: none. By column: ``{"age": 10, "pay": "20:width"}``.
        ordered : Sequence[str]
            Take the categories of the column COL as ordered: numbers by value, texts by bytes. Default:
            none.
        weights : str | None
            The column COL tells how often each row counts; it is no column of the model, and weights the
            means of later tables that have it. Default: each row once.
        allow_unique : bool
            Take columns of over 1000 values that are more than half as many as the rows, such as ids.
            Default: off.
        valid_fraction : float | None
            Share of the rows, 0 to 0.999, that is held out to choose by. Default: 0.1 if there is something
            to choose.
        refit : bool
            Learn the final model again from all rows, held-out ones included. Default: on.
        random_state : int | None
            Seed of all random choices, 0 to 2^64 - 1. Default: 0. ``--seed`` of the command line. None
            draws one anew for each fit.
        n_jobs : int | None
            Number of threads, 4096 at most; no result depends on it. Default: all cores, as -1 does.
            ``--threads`` of the command line. -2 means all cores but one.
        criterion : Literal['glp', 'glp-code', 'glp-aligned', 'random'] | None
            How splits are chosen; glp: scored as in the paper's text; glp-code: as in its program; glp-
            aligned: against the whole layer; random: by chance. Default: glp-aligned.
        split_values : int | None
            A split sends at most N values left, 1 or more, added one by one while the score rises (random:
            a random set). Default: 1.
        layers : int | Literal['auto'] | None
            Number of layers, of one tree each, 0 to 100000; auto: layers are added while held-out rows
            gain. Default: auto.
        max_depth : int | None
            Most splits on the way from the root to a leaf, 0 to 255. Default: 6.
        min_split : float | None
            A node is split only if its rows weigh more than N, 0 or more. Default: 20.
        features_per_node : int | None
            Number of columns drawn at random as candidates for each split; 0: all are candidates. Default:
            0.
        conditioner : Literal['tree', 'linear', 'boosted', 'auto'] | None
            How each yes/no question about a column is learnt from the columns before it: by one averaged
            tree, a ridge regression or boosted trees; auto: by kinds that held-out rows choose. Default:
            auto.
        order : str | Sequence[str] | None
            Order of the columns, each of which is predicted from those before it; natural: the table's;
            random: drawn for each flow; else all columns' names. Default: chosen by held-out rows.
        members : int | None
            Learn K flows, 1 to 1000, for the mixture, without Bayesian networks and latent models; 1 is
            fastest. Default: up to 16, besides Bayesian networks and latent models; 1 with an independent
            base.
        time : float | None
            Once kinds have been tried, add flows until SECONDS, 0 or more, have passed since learning
            began; members with the number reached repeats the result. Default: no limit; the work is
            bounded by counting it.
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
