"""Progress of a fit: its steps as data, and a bar that shows them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal


@dataclass(frozen=True)
class FitProgress:
    """A step of a fit: a layer, or a member of a mixture, that has been learnt; or a phase of other work that begins.

    Attributes
    ----------
    refit : bool
        Whether it is a step of the final model, learnt from all rows.
    kind : {'layer', 'member', 'phase'}
        What the step is.
    step : int
        How many layers or members there are with this one; in a phase, those before it.
    train_nll, valid_nll : float or None
        Mean negative log-likelihood so far, nats per row: of the rows learnt from, and of those held out.
    of : int or None
        How many there will be, if known.
    note : str
        What kind of member it is, or what a phase does.
    seconds : float
        Since learning began.
    """

    refit: bool
    kind: Literal["layer", "member", "phase"]
    step: int
    train_nll: float | None
    valid_nll: float | None
    of: int | None
    note: str
    seconds: float

    def __str__(self) -> str:
        text = "refit " if self.refit else ""
        if self.kind == "phase":
            return f"{text}{self.note}, from {self.seconds:.2f} s"
        text += f"{self.kind} {self.step}"
        text += f" of {self.of}" if self.of else ""
        text += f" ({self.note})" if self.note else ""
        for name, nll in (("train", self.train_nll), ("held-out", self.valid_nll)):
            text += "" if nll is None else f", {name} {nll:.4f} nats"
        return f"{text}, {self.seconds:.2f} s"


class ProgressBar:
    """A callback that draws a tqdm bar; lines on standard error where there is no tqdm."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._make_bar = tqdm
        self._bar: Any = None
        self._refit = False

    def __call__(self, progress: FitProgress) -> None:
        if self._make_bar is None:
            print(progress, file=sys.stderr)
            return
        if self._bar is None or progress.refit != self._refit:
            self.close()
            self._refit = progress.refit
            self._bar = self._make_bar(desc="refit" if progress.refit else "fit", total=progress.of)
        if progress.kind == "phase":
            self._bar.set_postfix_str(progress.note)
        if progress.valid_nll is not None:
            self._bar.set_postfix({"held-out": f"{progress.valid_nll:.4f} nats"}, refresh=False)
        self._bar.update(progress.step - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
