"""Pictures as inline SVG; colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dtf._report.elements import Element, element, value

_WIDTH, _HEIGHT, _MARGIN = 640, 260, 60
_MOST_LABEL = 18  # letters


def _svg(width: float, height: float, name: str, *contents: Element) -> Element:
    """``name``: what those hear who cannot see it."""
    return element(
        "svg",
        *(element("title", name), *contents),
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        role="img",
        xmlns="http://www.w3.org/2000/svg",
    )


def line_chart(name: str, x_label: str, steps: Sequence[int], lines: Mapping[str, Sequence[float | None]]) -> Element:
    """One line for each of ``lines``, whose keys are classes; where there is no number, none."""
    values = [number for line in lines.values() for number in line if number is not None]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def x(step: int) -> float:
        return _MARGIN + (_WIDTH - 1.5 * _MARGIN) * (step - steps[0]) / max(1, steps[-1] - steps[0])

    def y(number: float) -> float:
        return 10 + (_HEIGHT - 60) * (high - number) / span

    parts = [
        element("line", class_="axis", x1=f"{_MARGIN}", x2=f"{_WIDTH - 20}", y1=f"{y(at):.1f}", y2=f"{y(at):.1f}")
        for at in np.linspace(low, high, 5)
    ]
    parts += [_text(_MARGIN - 6, y(at) + 4, f"{at:.4g}", "end") for at in np.linspace(low, high, 5)]
    parts += [_text(x(step), _HEIGHT - 28, str(step), "middle") for step in _ticks(steps)]
    parts.append(_text(_WIDTH / 2, _HEIGHT - 8, x_label, "middle"))
    for kind, line in lines.items():
        points = [(x(step), y(number)) for step, number in zip(steps, line) if number is not None]
        parts.append(element("polyline", class_=kind, points=" ".join(f"{a:.1f},{b:.1f}" for a, b in points)))
        parts += [element("circle", class_=kind, cx=f"{a:.1f}", cy=f"{b:.1f}", r="3") for a, b in points]
    return _svg(_WIDTH, _HEIGHT, name, *parts)


def _ticks(steps: Sequence[int]) -> list[int]:
    return list(steps[:: max(1, -(-len(steps) // 12))])


def _text(x: float, y: float, text: str, anchor: str, **attributes: str) -> Element:
    return element("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, **attributes)


def heat_map(name: str, labels: Sequence[str], matrix: np.ndarray) -> Element:
    """Numbers from 0 to 1 as squares; NaN as an empty one."""
    size = 28 if len(labels) <= 12 else 20 if len(labels) <= 25 else 13
    short = [value(label if len(label) <= _MOST_LABEL else label[: _MOST_LABEL - 1] + "…") for label in labels]
    left = 14 + 8.5 * max(map(len, short))
    parts = []
    for i, label in enumerate(short):
        middle = left + size * i + size / 2 + 4
        parts.append(_text(left - 6, middle, label, "end"))
        parts.append(_text(0, 0, label, "start", transform=f"translate({middle:g} {left - 6}) rotate(-90)"))
        for j, other in enumerate(short):
            parts.append(_square(left + size * j, left + size * i, size, f"{label} and {other}", matrix[i, j]))
    side = left + size * len(labels) + 4
    return _svg(side, side, name, *parts)


def _square(x: float, y: float, size: float, pair: str, number: float) -> Element:
    place = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{size - 1:g}", "height": f"{size - 1:g}"}
    if np.isnan(number):
        return element("rect", class_="empty", **place)
    title = element("title", f"{pair}: {number:.2f}")
    return element("rect", title, class_="heat", fill_opacity=f"{number:.2f}", **place)


def bar(kind: str, share: float) -> Element:
    return element("span", class_=f"bar {kind}", style=f"width:{100 * share:.1f}%")
