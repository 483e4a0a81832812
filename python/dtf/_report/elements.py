"""Bricks of a page: elements whose texts are always escaped, tables with captions, and numbers for people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

Element = ElementTree.Element
Content = Element | str

_MOST_LETTERS = 60


def element(name: str, *contents: Content, **attributes: str) -> Element:
    """``class_`` and the like lose their last underscore; others become hyphens."""
    made = Element(name, {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()})
    last: Element | None = None
    for content in contents:
        if isinstance(content, Element):
            made.append(content)
            last = content
        elif last is None:
            made.text = (made.text or "") + content
        else:
            last.tail = (last.tail or "") + content
    return made


def value(text: str) -> str:
    """A table's text, safe to be shown: shortened, control characters as their pictures."""
    text = text if len(text) <= _MOST_LETTERS else text[: _MOST_LETTERS - 1] + "…"
    return "".join(_picture(letter) for letter in text)


def _picture(letter: str) -> str:
    code = ord(letter)
    if code < 0x20:
        return chr(0x2400 + code)
    return letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}"


def cell(text: str) -> Element:
    """A table's text, kept apart from what is around it, whatever its direction."""
    return element("bdi", value(text), class_="cell")


def table(
    caption: Content, header: Sequence[str], rows: Iterable[Sequence[Content]], numbers: Iterable[int] = ()
) -> Element:
    """``numbers``: columns set to the right. The first column heads each row."""
    right = set(numbers)
    head = element("tr", *(_th(text, "col", j in right) for j, text in enumerate(header)))
    body = [
        element(
            "tr", *(_td(content, j in right) if j else _th(content, "row", j in right) for j, content in enumerate(row))
        )
        for row in rows
    ]
    made = element("table", element("caption", caption), element("thead", head), element("tbody", *body))
    return element("div", made, class_="scroll", tabindex="0", role="region", aria_label=_plain(caption))


def _th(content: Content, scope: str, is_number: bool) -> Element:
    return element("th", content, scope=scope, **({"class_": "number"} if is_number else {}))


def _td(content: Content, is_number: bool) -> Element:
    return element("td", content, **({"class_": "number"} if is_number else {}))


def _plain(content: Content) -> str:
    return content if isinstance(content, str) else "".join(content.itertext())


def section(title: str, *contents: Content) -> Element:
    return element("section", element("h2", title), *contents)


def note(*contents: Content) -> Element:
    return element("p", *contents, class_="note")


def details(title: str, *contents: Content, is_open: bool = False) -> Element:
    return element("details", element("summary", title), *contents, **({"open": "open"} if is_open else {}))


def nats(number: float | None) -> str:
    if number is None:
        return "–"
    return f"{number:.4f}" if math.isfinite(number) else ("∞" if number > 0 else "-∞")


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def to_html(page: Element) -> str:
    return "<!DOCTYPE html>\n" + ElementTree.tostring(page, encoding="unicode", method="html") + "\n"
