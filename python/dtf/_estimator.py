"""The estimator."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dtf import _core
from dtf._conventions import Conventions
from dtf._errors import InputError, UsageError, in_python, not_fitted
from dtf._inspection import Inspection
from dtf._options import from_record, is_whole, seed_of, threads_of, to_core, whole_number
from dtf._output import SetOutput, check_memory, file_name, too_large
from dtf._parameters import FitParameters
from dtf._progress import FitProgress, ProgressBar
from dtf._run import Inputs, run_fit
from dtf._weights import check_weights, given_weights, mean_score

if TYPE_CHECKING:
    from dtf._kinds import Kind
    from dtf._tables import Table

# Tables come by way of pyarrow, which is only loaded (dtf._tables, dtf._kinds) when there is one.

_MOST_ROWS = 2**63  # of the endless list that a seed stands for


class DiscreteTreeFlow(Inspection, SetOutput, Conventions, FitParameters):
    """The exact probability of every row of a categorical table.

    A density model of rows: scores, samples, and codes of a discrete latent space. All parameters are options of the
    command line's ``dtf fit`` and have its defaults; ``help(dtf.DiscreteTreeFlow.__init__)`` describes them.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of the fitted table's were texts.
    train_nll_ : float
        Mean negative log-likelihood of the rows learnt from, nats per row.
    valid_nll_ : float or None
        Mean negative log-likelihood, nats per row, of the rows that the fit chose by (``valid``, or rows held out of
        ``X``), by models that have not learnt from them; None without such rows, and in a loaded model. In an
        autoregressive fit, a row does not choose how many trees the models have that score it; and in a small table the
        rows of ``X`` are all scored, by cross-validation. So it estimates what new rows get, and is not the final
        model's figure on ``valid``.
    choices_ : list of str
        What the fit tried and chose, and why; a line each. A model's file does not hold it: it is empty in a loaded
        model (pickles and copies keep it).

    Notes
    -----
    A table is a pandas or polars DataFrame, a pyarrow Table or RecordBatchReader, a duckdb relation, anything with
    ``__arrow_c_stream__``, or a numpy array of two dimensions (or a structured one of one). Columns are matched by
    name, values by what they are: 1, 1.0 and the text ``1`` are one category, True is another. None, NaN and NA are
    missing, which is a category of its own.

    Every method that needs a model raises NotFittedError before ``fit`` or ``load``. Every method that takes a table
    ``X`` with the fitted columns raises InputError when it is a table that cannot be read, or a column is missing, left
    over or there twice.

    Examples
    --------
    >>> import dtf, pandas
    >>> frame = pandas.DataFrame({"sky": ["blue", "grey", "grey", "blue"], "rain": [False, True, True, False]})
    >>> flow = dtf.DiscreteTreeFlow(members=1).fit(frame)
    >>> flow.score_samples(frame).shape
    (4,)
    """

    # ---------------------------------------------------------------- Fitting

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        sample_weight: Any = None,
        valid: Any = None,
        domain: Any = None,
        callbacks: Iterable[Callable[[FitProgress], object]] = (),
        progress: bool = False,
    ) -> DiscreteTreeFlow:
        """Learns a model from a table, in place of any learnt before.

        Texts that mean missing in the model learnt before (the command line's ``--missing``) mean it in this one, too,
        in columns of the same names.

        Parameters
        ----------
        X : table of n rows and d columns
        y : ignored
        sample_weight : array of shape (n,), optional
            How often each row counts: 0, or 2**-17 or more; 2**36 in all at most. A row of weight 0 is as if it were
            not there.
        valid : table with the columns of X, optional
            Rows to choose by, which are never learnt from.
        domain : table with the columns of X, optional
            Closes the domain over this table's values and those of ``X``: others are errors then.
        callbacks : iterable of callables
            Each is called with a `FitProgress` for every step, on this thread. What it raises ends the fit.
        progress : bool
            Whether to show a bar (tqdm) with the time left and the held-out log-likelihood.

        Returns
        -------
        DiscreteTreeFlow
            This estimator.

        Raises
        ------
        UsageError
            For parameters that make no sense, alone, together or for this table's columns.
        InputError
            For tables that cannot be read or differ in their columns, for weights out of range, and for columns that
            look like ids (see ``allow_unique``) or cannot be cut into ``bins``.
        KeyboardInterrupt
            After Ctrl-C, within a second. The estimator is then as it was before.
        """
        from dtf._tables import read_table

        options = to_core(self.get_params())
        if domain is not None and self.closed:
            raise UsageError("domain and closed exclude each other")
        if sample_weight is not None and self.weights is not None:
            raise UsageError("sample_weight and weights exclude each other")
        try:
            callbacks = list(callbacks)
        except TypeError:
            raise UsageError(f"callbacks={callbacks!r}: give a list of functions") from None
        for callback in callbacks:
            if not callable(callback):
                raise UsageError(f"callbacks: {callback!r} cannot be called")
        table = read_table(X)
        if not table.columns:
            raise InputError(
                f"{table.source} has {table.rows} rows and 0 columns: 0 feature(s) (shape=({table.rows}, 0)) while a "
                "minimum of 1 is required."
            )
        threads = threads_of(self.n_jobs)
        inputs = Inputs(
            train=table.to_core(threads),
            valid=None if valid is None else _matched(read_table(valid, "valid"), table).to_core(threads),
            domain=None if domain is None else _matched(read_table(domain, "domain"), table).to_core(threads),
            weights=None if sample_weight is None else given_weights(sample_weight, table.rows),
            missing=self._missing_texts(),
        )
        with ProgressBar() as bar:
            model, told = run_fit(inputs, options, [*callbacks, bar] if progress else callbacks)
        kept = [table.names.index(name) for name, _ in model.headers]  # all but a column of weights
        self._set_model(model, table.is_named, table.kind.of_columns(kept))
        self.valid_nll_ = told["valid_nll"]
        self.choices_ = told["choices"]
        for warning in told["warnings"]:
            warnings.warn(in_python(warning), UserWarning, stacklevel=2)
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """``fit`` and ``transform`` of the same table, which may be a reader: it is read once."""
        from dtf._tables import read_table

        table = read_table(X)  # once: a reader has no second time
        codes = self.fit(table, y, **fit_params)._fitted().encode(self._table(table), threads_of(self.n_jobs))
        return self._latent_table(codes, self.get_feature_names_out(), X)

    @property
    def learning_curve_(self) -> Any:
        """Mean negative log-likelihoods, nats per row, after each layer or member of the fit that chose their number.

        A pandas.DataFrame with the columns step, train_nll and valid_nll; without pandas, a dict of lists.
        """
        steps, train, valid = zip(*self._fitted().record["curve"])
        curve = {"step": list(steps), "train_nll": list(train), "valid_nll": list(valid)}
        try:
            import pandas
        except ImportError:
            return curve
        return pandas.DataFrame(curve).astype({"train_nll": float, "valid_nll": float})

    # ---------------------------------------------------------------- Using

    def score_samples(self, X: Any) -> np.ndarray:
        """The log-likelihood of each row.

        Parameters
        ----------
        X : table of n rows with the fitted columns

        Returns
        -------
        ndarray of float64, shape (n,)
            ln P(row), nats: never above 0; -inf where the probability is 0.

        Raises
        ------
        InputError
            For columns that are not the fitted ones, for what is no number in a column cut into bins, and, in a closed
            model, for a value that it was not fitted with.
        """
        return self._fitted().score(self._table(X), threads_of(self.n_jobs))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The mean log-likelihood of the rows, in nats.

        It is weighted by ``sample_weight``, an array of shape (n,) of numbers that are not negative; else by the column
        of ``weights`` that the model was fitted with, if ``X`` has it. A row of weight 0 is as if it were not there.

        Raises
        ------
        InputError
            As `score_samples`, and for weights that are negative, no numbers, or all 0.
        """
        from dtf._tables import read_table

        table = read_table(X)
        if sample_weight is None:
            weights = self._column_weights(table)
        else:
            weights = given_weights(sample_weight, table.rows)
            check_weights(weights, "sample_weight")
        scores = self._fitted().score(self._table(table), threads_of(self.n_jobs), weights)
        return mean_score(scores, weights)

    def score_per_column(self, X: Any) -> np.ndarray:
        """The summands of each row's log-likelihood, one per column.

        Parameters
        ----------
        X : table of n rows with the fitted columns

        Returns
        -------
        ndarray of float64, shape (n, d)
            Nats, in the order of the d fitted columns. A row's sum is what `score_samples` gives.

        Raises
        ------
        UsageError
            For a mixture, whose log-likelihood is no sum over columns.
        InputError
            As `score_samples`.
        """
        return self._fitted().score_per_column(self._table(X), threads_of(self.n_jobs))

    def sample(self, n_samples: int = 1, random_state: Any = None, *, first_row: int = 0) -> Any:
        """New rows, as a table of the kind and types that the model was fitted to.

        Parameters
        ----------
        n_samples : int
            How many rows, 0 or more.
        random_state : int from 0 to 2**64 - 1, numpy generator, or None
            Which sample. A longer sample begins with the rows of the shorter one with the same seed. None: the
            estimator's ``random_state``.
        first_row : int
            Where to begin in the endless list of rows that ``random_state`` stands for, so that a sample which memory
            does not hold can be drawn in parts: its rows 1,000,000 to 1,999,999 by ``sample(1_000_000, 7,
            first_row=1_000_000)``.

        Raises
        ------
        OutOfMemoryError
            When the rows do not fit into memory.
        UsageError
            For an argument of a wrong type or out of range.
        """
        model = self._fitted()
        rows, first = whole_number("n_samples", n_samples, 0), whole_number("first_row", first_row, 0)
        if first + rows > _MOST_ROWS:
            raise UsageError(f"n_samples={rows}, first_row={first}: there are 2^63 rows")
        seed = seed_of(self.random_state if random_state is None else random_state)
        check_memory(rows, len(model.headers))
        try:
            return self._make_table(model.sample(seed, first, rows, threads_of(self.n_jobs)))
        except MemoryError as error:
            raise too_large(rows, len(model.headers)) from error

    def transform(self, X: Any) -> Any:
        """The latent codes of each row.

        Parameters
        ----------
        X : table of n rows with the fitted columns

        Returns
        -------
        ndarray of int64, shape (n, d), of a mixture (n, d + 1); or the DataFrame that ``set_output`` asks for
            Whole numbers from 0 on. Of each latent column the highest code is the most frequent or probable one. A
            mixture's first column is the member that a row is encoded by.

        Raises
        ------
        InputError
            For columns that are not the fitted ones, and for a row with a value that the model was not fitted with.
        """
        codes = self._fitted().encode(self._table(X), threads_of(self.n_jobs))
        return self._latent_table(codes, self.get_feature_names_out(), X)

    def inverse_transform(self, X: Any) -> Any:
        """The rows with these latent codes: ``inverse_transform(transform(X))`` is ``X``, but for numbers in bins.

        Parameters
        ----------
        X : array or DataFrame of shape (n, number of latent columns)
            What `transform` gives. Columns of a DataFrame are matched by name.

        Returns
        -------
        table of n rows
            Of the kind and types that the model was fitted to. A bin comes back as its representative.

        Raises
        ------
        InputError
            For a wrong shape or wrong columns, and for a code that is no whole number or beyond its column.
        """
        model = self._fitted()
        return self._make_table(model.decode(_latent(X, model.latent_columns), threads_of(self.n_jobs)))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The names of the latent columns."""
        return np.array([name for name, _ in self._fitted().latent_columns], object)

    # ---------------------------------------------------------------- Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file that the command line reads, too. An old file stays until the new one is complete.

        Raises
        ------
        OutputError
            When the file cannot be written.
        """
        text = file_name(path)
        self._fitted().save("./-" if text == "-" else text)  # which means standard output to the core

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> DiscreteTreeFlow:
        """A model from a file, also one of the command line. Its tables are those of pyarrow.

        Raises
        ------
        ModelFileError
            For a file that is missing, damaged, or newer than this package.
        """
        return cls._from_model(_core.Model.load(file_name(path)))

    @classmethod
    def _from_model(cls, model: _core.Model) -> DiscreteTreeFlow:
        from dtf._kinds import ArrowKind
        from dtf._texts import type_named

        flow = cls(**from_record(model.record["options"]))
        names = [name for name, _ in model.headers]
        is_named = names != [f"c{i + 1}" for i in range(len(names))]
        flow._set_model(model, is_named, ArrowKind([type_named(kind) for _, kind in model.headers]))
        flow.valid_nll_ = None
        flow.choices_ = []
        return flow

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if "_model" in state:
            state["_model"] = state["_model"].serialize()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_model" in state:
            self._model = _core.Model.deserialize(state["_model"], "the pickled model")

    # ---------------------------------------------------------------- Inside

    def _set_model(self, model: _core.Model, is_named: bool, kind: Kind) -> None:
        names = [name for name, _ in model.headers]
        self._model = model
        self._is_named = is_named
        self._kind = kind
        self.n_features_in_ = len(names)
        self.train_nll_ = model.record["train_nll"]
        self.__dict__.pop("feature_names_in_", None)
        if is_named:
            self.feature_names_in_ = np.array(names, object)

    def _missing_texts(self) -> list[tuple[str, str]]:
        """Columns and texts that mean missing there, in a model that the command line made, or one fitted after it."""
        schema = self._model.schema if "_model" in self.__dict__ else []
        return [(column["name"], text) for column in schema for text in column["missing_texts"]]

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in self.__dict__

    def _fitted(self) -> _core.Model:
        if "_model" not in self.__dict__:
            raise not_fitted(type(self).__name__)
        return self._model

    def _table(self, X: Any) -> _core.Table:
        return self._read(X).to_core(threads_of(self.n_jobs))

    def _read(self, X: Any) -> Table:
        """With the model's names for columns, in the table's own order; without the column of weights."""
        from dtf._tables import read_table

        fitted = Columns([name for name, _ in self._fitted().headers], self._is_named)
        table = read_table(X)
        return _matched(table.without(self._weights_name(table)), fitted)

    def _weights_name(self, table: Table) -> str | None:
        """The name of the column of weights, if the table has it.

        One without names for its columns has it if they are as many as those of the fitted table.
        """
        model = self._fitted()
        has_it = table.is_named or len(table.names) == len(model.headers) + 1
        return model.weights_column if has_it and model.weights_column in table.names else None

    def _column_weights(self, table: Table) -> np.ndarray | None:
        """How often each row counts, by the column of weights; None without one.

        Raises InputError for weights of which there is no mean.
        """
        name = self._weights_name(table)
        weights = None if name is None else self._fitted().row_weights(table.only(name).to_core(1))
        if weights is not None:
            check_weights(weights, f"column `{name}`")
        return weights

    def _make_table(self, columns: list[tuple[list[str], np.ndarray]]) -> Any:
        import pyarrow as pa

        from dtf._kinds import DecodedColumn
        from dtf._texts import from_texts, type_named

        decoded = []
        try:
            for (texts, cells), (_, kind) in zip(columns, self._model.headers):
                codes = np.where(cells == np.uint32(0xFFFFFFFF), -1, cells.astype(np.int64))
                decoded.append(DecodedColumn(from_texts(texts, type_named(kind)), codes))
            return self._kind.make([name for name, _ in self._model.headers], decoded)
        except (pa.ArrowException, OverflowError, ValueError) as error:
            raise InputError(
                f"the rows cannot be given in the types of the fitted table ({error}); a model that is saved and "
                "loaded gives pyarrow tables"
            ) from error


class Columns(NamedTuple):
    names: list[str]
    is_named: bool  # else the names are c1, c2, … for want of others


def _matched(table: Table, fitted: Table | Columns) -> Table:
    """``table``, with the fitted names where either has none of its own: columns are matched by their places then.

    Names that are the fitted ones count: a model's file does not say whether c1, c2, … were the table's own.
    """
    is_known = fitted.is_named or sorted(table.names) == sorted(fitted.names)
    if table.names == fitted.names or (table.is_named and is_known):
        return table
    if len(table.columns) != len(fitted.names):
        raise InputError(
            f"X has {len(table.columns)} features, but DiscreteTreeFlow is expecting {len(fitted.names)} features as "
            "input"
        )
    if fitted.is_named:
        warnings.warn(
            "X does not have valid feature names, but DiscreteTreeFlow was fitted with feature names", stacklevel=5
        )
    if table.is_named:
        warnings.warn("X has feature names, but DiscreteTreeFlow was fitted without feature names", stacklevel=5)
    return replace(table, names=fitted.names)


def _are_whole(numbers: np.ndarray) -> np.ndarray:
    """Of each number whether it is a whole one."""
    if numbers.dtype == object:  # of pandas' nullable integers
        found = [is_whole(number) or (isinstance(number, float) and number.is_integer()) for number in numbers.flat]
        return np.array(found, bool).reshape(numbers.shape)
    return np.asarray(numbers == np.floor(numbers))


def _latent(codes: Any, columns: list[tuple[str, int]]) -> np.ndarray:
    """Checked, as the core takes them. Of a data frame the columns are matched by name."""
    names = getattr(codes, "column_names", None) or getattr(codes, "columns", None)
    if names is not None and all(isinstance(name, str) for name in names):
        expected = [name for name, _ in columns]
        if sorted(names) != sorted(expected):
            raise InputError(f"latent codes have the columns {list(names)}, expected are {expected}")
        codes = np.stack([np.asarray(codes[name]) for name in expected], axis=1)
    array = np.asarray(codes)
    if array.ndim != 2 or array.shape[1] != len(columns):
        raise InputError(f"latent codes of shape {array.shape}: there must be {len(columns)} columns")
    if array.dtype.kind not in "iufO":
        raise InputError(f"latent codes of type {array.dtype}: they must be whole numbers")
    are_whole = _are_whole(array)
    sizes = np.array([size for _, size in columns])
    wrong = np.argwhere((array < 0) | (array >= sizes) if are_whole.all() else ~are_whole)
    if len(wrong):
        row, column = wrong[0]
        name, size = columns[column]
        raise InputError(
            f"latent codes, record {row + 1}, column `{name}`: {array[row, column]} is no code; they are whole numbers "
            f"from 0 to {size - 1}"
        )
    return np.ascontiguousarray(array, np.int64)
