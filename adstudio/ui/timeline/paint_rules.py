"""Paints the rules of the selected lines: a bracket from line to line with what it demands."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPen, QPolygonF

from adstudio.core.script import Rules
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.paint_context import PaintContext

MOST = 6
"""Rules that are shown at once."""


@dataclass(frozen=True)
class RuleBracket:
    """A rule as it is drawn: the lines in order, what stands on the bracket, whether it points to the last."""

    of: tuple[str, ...]
    says: str
    points: bool = False


def ties(rules: Rules, lines: tuple[str, ...]) -> list[RuleBracket]:
    """The rules that tie any of these lines."""
    chosen = frozenset(lines)
    if not chosen & rules.mentioned:
        return []
    found = [RuleBracket(group, "one of") for group in rules.alternatives]
    found += [RuleBracket(pair, "needs", points=True) for pair in rules.requires]
    found += [RuleBracket(group, "all or none") for group in rules.together]
    found += [RuleBracket((penalty.first, penalty.second), "repeat each other") for penalty in rules.penalties]
    return [tie for tie in found if chosen.intersection(tie.of)]


def paint_rules(sheet: PaintContext, lines: tuple[str, ...]) -> None:
    """Brackets below what happens, one row each."""
    rows, view, ink, painter = sheet.rows, sheet.view, sheet.ink, sheet.painter
    happens, threads = sheet.bands[Lane.ACTION], sheet.bands[Lane.THREADS]
    strip = rows.occurrences
    for number, tie in enumerate(ties(rows.script.rules, lines)[:MOST]):
        places = [strip.place[key] for key in tie.of if key in strip.place]
        if len(places) < 2:
            continue
        y = threads.top + 5 + number * 7 % max(7, threads.height - 6)
        feet: list[tuple[float, int]] = []
        for place in places:
            _, foot = happens.row(strip.levels[place], strip.depths[place])
            feet.append((round((view.x(strip.starts[place]) + view.x(strip.ends[place])) / 2) + 0.5, foot))
        left, right = min(x for x, _ in feet), max(x for x, _ in feet)
        if right < 0 or left > view.width:
            continue
        painter.setPen(QPen(ink.quiet, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawLine(QPointF(left, y), QPointF(right, y))
        for x, foot in feet:
            painter.drawLine(QPointF(x, foot + 1), QPointF(x, y))
        if tie.points:
            x, foot = feet[-1]
            painter.setBrush(ink.quiet)
            with sheet.smooth():
                points = (QPointF(x, foot + 1), QPointF(x - 4, foot + 8), QPointF(x + 4, foot + 8))
                painter.drawPolygon(QPolygonF(list(points)))
        _write(sheet, tie.says, (max(left, 0.0) + min(right, float(view.width))) / 2, y, right - left)


def _write(sheet: PaintContext, text: str, x: float, y: float, room: float) -> None:
    ink, painter = sheet.ink, sheet.painter
    width = ink.small.width(text)
    if room < width + 24:
        return
    left = round(x - width / 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.panel)
    painter.drawRect(QRectF(left - 5, y - 7, width + 10, 14))
    painter.setPen(ink.quiet)
    painter.setFont(ink.small_font)
    ink.small.draw(painter, text, left, left + width + 2, y)
