"""A fit on a thread of its own, so that this one hears Ctrl-C, and runs the callbacks."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dtf import _core
from dtf._progress import FitProgress

# The system may deliver Ctrl-C to a thread of the core, which wakes nobody: so often is looked whether it did. Seconds.
_PATIENCE = 0.1


@dataclass(frozen=True)
class Inputs:
    train: _core.Table
    valid: _core.Table | None
    domain: _core.Table | None
    weights: np.ndarray | None  # (rows of train,) float64
    missing: list[tuple[str, str]]  # columns, and texts that mean missing there


def run_fit(
    inputs: Inputs, options: dict[str, Any], callbacks: Sequence[Callable[[FitProgress], object]]
) -> tuple[_core.Model, dict[str, Any]]:
    """What the core's ``fit`` returns. An exception on this thread, of a callback or of Ctrl-C, ends the fit."""
    worker = _Worker(inputs, options)
    worker.start()
    try:
        while (step := worker.next_step()) is not None:
            for callback in callbacks:
                callback(step)
    except BaseException:
        worker.stop.request_stop()
        raise
    finally:
        worker.join()
    return worker.result()


class _Worker(threading.Thread):
    def __init__(self, inputs: Inputs, options: dict[str, Any]) -> None:
        super().__init__(name="dtf-fit", daemon=True)
        self.stop = _core.StopSource()
        self._inputs = inputs
        self._options = options
        self._steps: queue.SimpleQueue[FitProgress | None] = queue.SimpleQueue()  # None: the last has been
        self._result: tuple[_core.Model, dict[str, Any]] | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        given = self._inputs
        try:
            self._result = _core.fit(
                given.train,
                given.valid,
                given.domain,
                given.weights,
                given.missing,
                self._options,
                self._hear,
                self.stop,
            )
        except BaseException as error:  # to be raised on the other thread
            self._error = error
        finally:
            self._steps.put(None)

    def _hear(self, *step: Any) -> None:
        self._steps.put(FitProgress(*step))

    def next_step(self) -> FitProgress | None:
        while True:
            try:
                return self._steps.get(timeout=_PATIENCE)
            except queue.Empty:
                pass

    def result(self) -> tuple[_core.Model, dict[str, Any]]:
        error, self._error = self._error, None
        try:
            if error is not None:
                raise error
            assert self._result is not None
            return self._result
        finally:
            del error  # whose traceback would keep this frame, and with it the tables
