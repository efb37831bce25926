"""Plots of an evaluation as SVG: in one colour, so that they print, with their whole content as a text alternative."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from unicodedata import east_asian_width
from xml.etree import ElementTree as ET

from adstudio.core.control_characters import without_control_characters
from adstudio.evaluation.messages import score

WIDTH = 560
_LABEL = 168
"""Where the names at the left end, or further left where all are shorter."""
_LETTER = 7.4
"""What a letter of them takes, about."""
_ROW = 26
_TOP = 26
_LABEL_CELLS = 23
"""Letters of a name that have room, wide ones as two."""
_VALUE = 40
"""Room for the value at the right of a row."""
_DIRECTIONS = {ord(char): None for char in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}


@dataclass(frozen=True)
class IntervalRow:
    """A row of an interval plot: its mean, the ends of its interval where it is known, and single values."""

    label: str
    mean: float
    ends: tuple[float, float] | None
    values: Sequence[float]


@dataclass(frozen=True)
class PanelRow:
    """A row of a panel plot: a value for each column, None where there is none."""

    label: str
    values: Sequence[float | None]


def interval_plot(title: str, rows: Sequence[IntervalRow]) -> str:
    """Means as dots with their intervals as bars, and single values as faint strokes; scaled from nothing."""
    step, highest = _scale(max((max((*row.values, row.mean, *(row.ends or ()))) for row in rows), default=1.0))
    names = _names_end(rows)
    left, right = names + 12, WIDTH - _VALUE
    bottom = _TOP + _ROW * len(rows)
    svg = _svg(title, map(_interval_text, rows), bottom + 6)

    def x(value: float) -> float:
        return left + (right - left) * max(0.0, value) / highest

    for tick in range(round(highest / step) + 1):
        place = x(tick * step)
        _line(svg, "grid", place, _TOP - 4, place, bottom)
        _text(svg, "tick", place, _TOP - 10, f"{tick * step:g}", "middle")
    for number, row in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        _text(svg, "label", names, y + 4, shortened(row.label), "end")
        strokes = "".join(f"M{x(value):.1f} {y - 7:.1f}v14" for value in row.values)
        if strokes:
            ET.SubElement(svg, "path", {"class": "stroke", "d": strokes})
        if row.ends is not None:
            low, high = map(x, row.ends)
            path = f"M{low:.1f} {y - 5:.1f}v10M{low:.1f} {y:.1f}H{high:.1f}M{high:.1f} {y - 5:.1f}v10"
            ET.SubElement(svg, "path", {"class": "interval", "d": path})
        ET.SubElement(svg, "circle", {"class": "mean", "cx": f"{x(row.mean):.1f}", "cy": f"{y:.1f}", "r": "4.5"})
        _text(svg, "value", WIDTH, y + 4, score(row.mean), "end")
    return ET.tostring(svg, encoding="unicode")


def panel_plot(title: str, columns: Sequence[str], rows: Sequence[PanelRow]) -> str:
    """A bar with its value in each cell of a grid: a row for each system, a column for each stratum."""
    _, highest = _scale(max((value for row in rows for value in row.values if value is not None), default=1.0))
    names = _names_end(rows)
    width = (WIDTH - names - 12) / max(1, len(columns))
    bar = max(4.0, width - _VALUE)
    svg = _svg(title, (_panel_text(columns, row) for row in rows), _TOP + _ROW * len(rows) + 6)
    for number, column in enumerate(columns):
        _text(svg, "tick", names + 12 + width * number, _TOP - 10, shortened(column, int(width / 6)), "start")
    for number, row in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        _text(svg, "label", names, y + 4, shortened(row.label), "end")
        for place, value in enumerate(row.values):
            left = names + 12 + width * place
            _line(svg, "grid", left, y - 11, left, y + 11)
            length = 0.0 if value is None else bar * max(0.0, value) / highest
            if value is not None:
                shape = {"x": f"{left:.1f}", "y": f"{y - 7:.1f}", "width": f"{length:.1f}", "height": "14"}
                ET.SubElement(svg, "rect", {"class": "bar", **shape})
            _text(svg, "value", left + length + 4, y + 4, "–" if value is None else score(value), "start")
    return ET.tostring(svg, encoding="unicode")


def plain(text: str) -> str:
    """A text for where nothing isolates it: without control characters, and without marks that turn its direction."""
    return without_control_characters(text).translate(_DIRECTIONS)


def shortened(text: str, cells: int = _LABEL_CELLS) -> str:
    """A name as it has room in a plot, with an ellipsis where something is left out."""
    text, used = " ".join(plain(text).split()), 0
    for place, char in enumerate(text):
        used += _cells(char)
        if used > cells:
            return text[: max(1, place - 1)].rstrip() + "…"
    return text


def _names_end(rows: Sequence[IntervalRow | PanelRow]) -> float:
    return min(_LABEL, 8 + _LETTER * max((_cells(shortened(row.label)) for row in rows), default=0))


def _cells(text: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def _scale(highest: float) -> tuple[float, float]:
    """The step of an axis from nothing to at least this value, of four to ten steps, and its end."""
    highest = max(highest, 1e-3)
    size = 10.0 ** floor(log10(highest))
    step = next(step for step in (size / 5, size / 2, size, 2 * size) if highest <= 6 * step)
    return step, step * ceil(highest / step - 1e-9)


def _interval_text(row: IntervalRow) -> str:
    ends = "" if row.ends is None else f" ({score(row.ends[0])} to {score(row.ends[1])})"
    return f"{plain(row.label)} {score(row.mean)}{ends}"


def _panel_text(columns: Sequence[str], row: PanelRow) -> str:
    values = (f"{plain(column)}: {_shown(value)}" for column, value in zip(columns, row.values, strict=True))
    return f"{plain(row.label)}: {', '.join(values)}"


def _shown(value: float | None) -> str:
    return "none" if value is None else score(value)


def _svg(title: str, content: Iterable[str], height: float) -> ET.Element:
    label = ". ".join((plain(title), *content))
    attributes = {"role": "img", "aria-label": label, "viewBox": f"0 0 {WIDTH} {height:g}"}
    return ET.Element("svg", {"class": "plot", **attributes})


def _line(svg: ET.Element, kind: str, x1: float, y1: float, x2: float, y2: float) -> None:
    ET.SubElement(svg, "path", {"class": kind, "d": f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"})


def _text(svg: ET.Element, kind: str, x: float, y: float, text: str, anchor: str) -> None:
    element = ET.SubElement(svg, "text", {"class": kind, "x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor})
    element.text = text
