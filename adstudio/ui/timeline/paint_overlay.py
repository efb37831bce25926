"""Paints what changes all the time, over the tiles: titles, selection, marks, rules, the drag, the playhead."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPen

from adstudio.core.script import Eventuality, Rules
from adstudio.core.settings import Settings
from adstudio.planning.drift import far_limits, middles
from adstudio.ui.session.selection import NOTHING, Kind, Selection
from adstudio.ui.timeline.drags import DragPreview
from adstudio.ui.timeline.items import Box, Item, box, item_box
from adstudio.ui.timeline.lane_densities import LEAST_WIDTH
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.paint_context import PaintContext
from adstudio.ui.timeline.paint_lines import add_thread
from adstudio.ui.timeline.paint_resources import faded, hairline
from adstudio.ui.widgets import formatting, glyphs
from adstudio.ui.widgets.glyphs import Glyph

MOST_THREADS = 60
"""Threads of selected lines that are lit up."""
PILL = 20
"""The height of the label that moves along with a drag."""
MOST_RULES = 6
"""Rules that are shown at once."""
TIE = 8
"""Pixels that a tie reaches under each of the two lines that it holds together."""


@dataclass
class OverlayState:
    """What is selected, marked, under way and under the pointer."""

    selection: Selection = NOTHING
    lane: Lane = Lane.NARRATION
    marks: tuple[int | None, int | None] = (None, None)
    playhead: int = 0
    hover: Item | None = None
    ghost: DragPreview | None = None
    rubber: Box | None = None
    focused: bool = False
    added: frozenset[str] = frozenset()
    """Lines that the last change added, moved or reworded."""
    removed: frozenset[str] = frozenset()
    """Lines that it removed."""


def paint_overlay(sheet: PaintContext, overlay: OverlayState) -> None:
    """Everything that is not on the tiles, the playhead last."""
    paint_missing(sheet)
    paint_titles(sheet, overlay.selection)
    paint_joined(sheet)
    paint_marks(sheet, overlay.marks)
    lines = overlay.selection.lines()
    if lines:
        current = sheet.rows.script.eventuality(lines[-1])
        if len(lines) == 1:
            paint_reach(sheet, current)
        paint_rules(sheet, lines)
        _paint_threads(sheet, lines)
    _paint_changes(sheet, overlay)
    if overlay.hover is not None:
        _outline(sheet, overlay.hover, sheet.ink.quiet, 1)
    _paint_selection(sheet, overlay)
    if overlay.ghost is not None:
        paint_ghost(sheet, overlay.ghost)
    if overlay.rubber is not None:
        paint_rubber(sheet, overlay.rubber)
    paint_playhead(sheet, overlay.playhead)
    if overlay.focused:
        _paint_focus(sheet)


def _paint_focus(sheet: PaintContext) -> None:
    """A hairline around the lanes: the keyboard acts here."""
    foot, width = sheet.bands[Lane.NARRATION].bottom, sheet.view.width
    for left, top, wide, high in ((0, 0, width, 1), (0, foot - 1, width, 1), (0, 0, 1, foot), (width - 1, 0, 1, foot)):
        sheet.painter.fillRect(QRectF(left, top, wide, high), sheet.ink.accent)


def paint_joined(sheet: PaintContext) -> None:
    """A tie under two linked lines, where the one ends and the other begins."""
    view, foot = sheet.view, sheet.bands[Lane.NARRATION].bottom - 5
    start, end = view.shown
    ties = QPainterPath()
    for tie in sheet.rows.joined.values():
        if tie.end < start or tie.start > end or (tie.end - tie.start) / view.ms_per_px < 4 * TIE:
            continue
        left, right = view.x(tie.ended) - TIE, view.x(tie.begins) + TIE
        ties.moveTo(left, foot)
        ties.cubicTo(QPointF(left + 3, foot + 5), QPointF(right - 3, foot + 5), QPointF(right, foot))
    sheet.path(ties, sheet.ink.accent, 2)


def paint_titles(sheet: PaintContext, selection: Selection) -> None:
    """The scenes' titles, at their start or, where that is out of view, at the edge."""
    view, band, ink, rows = sheet.view, sheet.bands[Lane.SCENES], sheet.ink, sheet.rows
    scenes, painter = rows.script.scene_by_id, sheet.painter
    chosen = selection.ids if selection.kind is Kind.SCENE else ()
    middle = band.top + band.height / 2
    for i in rows.scenes.between(*view.shown):
        key = rows.scenes.keys[i]
        scene = scenes[key]
        left, right = max(0.0, view.x(rows.scenes.starts[i])) + 8, view.x(rows.scenes.ends[i]) - 8
        if right - left < 16:
            continue
        if key in rows.reviewed:
            glyphs.draw(painter, Glyph.REVIEWED, left, middle, ink.quiet)
            left += 15
        title, colour = scene.title or f"Scene {i + 1}", ink.ink if key in chosen else ink.quiet
        ink.bold.draw(painter, title, left, min(right, view.width - 8), middle, colour)


MESSAGE_LEFT = 32
"""Pixels from the left: clear of the playhead at the film's start."""


def paint_missing(sheet: PaintContext) -> None:
    """Say in a lane that there is nothing in it."""
    film, ink = sheet.film, sheet.ink
    for lane, there, text in (
        (Lane.SHOTS, film.shots or film.thumbnails, "no pictures"),
        (Lane.SOUND, film.peaks, "no sound"),
    ):
        band = sheet.bands[lane]
        if band.height and there is None and not film.doing.get(lane.value) and sheet.view.end:
            ink.small.draw(sheet.painter, text, MESSAGE_LEFT, 200, band.top + band.height / 2, ink.faint)


def paint_marks(sheet: PaintContext, marks: tuple[int | None, int | None]) -> None:
    """The marked range: flags in the ruler, a wash between."""
    view, ink, bands, painter = sheet.view, sheet.ink, sheet.bands, sheet.painter
    ruler, foot = bands[Lane.RULER], bands[Lane.NARRATION].bottom
    start, end = marks
    if start is not None and end is not None:
        left, right = sorted((view.x(start), view.x(end)))
        painter.fillRect(QRectF(left, ruler.top, right - left, foot - ruler.top), ink.accent_wash)
        painter.fillRect(QRectF(left, ruler.bottom - 3, right - left, 2), ink.accent)
    for at, way in ((start, 1), (end, -1)):
        if at is None:
            continue
        x = view.x(at)
        pen = hairline(ink.accent, view.step)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, ruler.top + 4), QPointF(x, foot))
        flag = ((x, ruler.top + 4), (x + 7 * way, ruler.top + 8), (x, ruler.top + 12))
        sheet.polygon(flag, ink.accent)


def paint_reach(sheet: PaintContext, line: Eventuality) -> None:
    """How far the selected line's delivery may be from the action, and the limits set for it."""
    view, ink, bands, painter = sheet.view, sheet.ink, sheet.bands, sheet.painter
    threads, narration = bands[Lane.THREADS], bands[Lane.NARRATION]
    if line.occurrence is not None:
        settings, (earliest, latest) = sheet.rows.script.settings, middles(sheet.rows.script.settings, line.occurrence)
        left, right = view.x(earliest / 2), view.x(latest / 2)
        painter.fillRect(QRectF(left, threads.top, right - left, threads.height), ink.accent_wash)
        if settings.near is not None:
            early, late = far_limits(settings)
            middle = line.occurrence.doubled_midpoint / 2
            near = QRectF(view.x(middle - early), threads.top, (early + late) / view.ms_per_px, threads.height)
            painter.fillRect(near, ink.accent_wash)
        # a frame there, so that the lines inside keep their shades; its upper side is where the wash ends
        painter.fillRect(QRectF(left, narration.bottom - 3, right - left, 2), ink.accent_frame)
        sheet.uprights([left, right - view.step], threads.top, narration.bottom - 1, ink.accent)
        if threads.height >= 20:
            seen, text = max(left, 0.0) + 8, _reach_words(settings)
            ink.small.draw(painter, text, seen, min(seen + 72, right), threads.top + 10, ink.quiet)
    if line.within is not None:
        top, bottom = narration.top + 1, narration.bottom - 2
        for at, way in ((line.within.start, 1), (line.within.end, -1)):
            x = view.x(at)
            sheet.polyline(((x + 5 * way, top), (x, top), (x, bottom), (x + 5 * way, bottom)), ink.ink)


def _reach_words(settings: Settings) -> str:
    early, late = formatting.duration(settings.early), formatting.duration(settings.late)
    return f"±{late}" if early == late else f"−{early} +{late}"


@dataclass(frozen=True)
class RuleBracket:
    """A rule as it is drawn: the lines in order, the bracket's text, whether it points to the last."""

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
    """Brackets below the action lane, one row each."""
    rows, view, ink, painter = sheet.rows, sheet.view, sheet.ink, sheet.painter
    happens, threads = sheet.bands[Lane.ACTION], sheet.bands[Lane.THREADS]
    strip = rows.occurrences
    for number, tie in enumerate(ties(rows.script.rules, lines)[:MOST_RULES]):
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
            sheet.polygon(((x, foot + 1), (x - 4, foot + 8), (x + 4, foot + 8)), ink.quiet)
        text, middle = tie.says, (max(left, 0.0) + min(right, float(view.width))) / 2
        width = ink.small.width(text)
        if right - left >= width + 24:
            start = round(middle - width / 2)
            painter.fillRect(QRectF(start - 5, y - 7, width + 10, 14), ink.panel)
            ink.small.draw(painter, text, start, start + width + 2, y, ink.quiet)


def _paint_changes(sheet: PaintContext, overlay: OverlayState) -> None:
    """A bar along the top of what the last change added or moved, and of the actions of lines it removed."""
    rows, view = sheet.rows, sheet.view
    for keys, strip, lane in (
        (overlay.added, rows.narration, Lane.NARRATION),
        (overlay.removed, rows.occurrences, Lane.ACTION),
    ):
        if not keys or strip.mean_length / view.ms_per_px < LEAST_WIDTH:
            continue
        band = sheet.bands[lane]
        found = [box(view, band, strip, i) for i in strip.between(*view.shown) if strip.keys[i] in keys]
        bars = [QRectF(b.left, b.top - 3, max(2.0, b.right - b.left - view.step), 2) for b in found]
        sheet.rectangles(bars, sheet.ink.accent)


def _paint_threads(sheet: PaintContext, lines: tuple[str, ...]) -> None:
    rows = sheet.rows
    path = QPainterPath()
    for key in lines[-MOST_THREADS:]:
        spoken, happens = rows.narration.place.get(rows.shown_as(key)), rows.occurrences.place.get(key)
        if spoken is not None and happens is not None:
            add_thread(path, sheet, spoken, happens)
    sheet.path(path, sheet.ink.accent, 1.6)


def _paint_selection(sheet: PaintContext, overlay: OverlayState) -> None:
    kind = overlay.selection.kind
    ink, view = sheet.ink, sheet.view
    if kind is Kind.LINE:
        chosen = frozenset(overlay.selection.ids)
        for lane in (Lane.ACTION, Lane.NARRATION):
            strip = sheet.rows.occurrences
            if lane is Lane.NARRATION:
                strip, chosen = sheet.rows.narration, frozenset(map(sheet.rows.shown_as, chosen))
            if len(chosen) <= 8:
                places = [strip.place[key] for key in chosen if key in strip.place]
            else:
                places = [i for i in strip.between(*view.shown) if strip.keys[i] in chosen]
            current = overlay.selection.current if overlay.focused and lane is overlay.lane else None
            for i in places:
                width = 3 if strip.keys[i] == current else 2
                _frame(sheet, box(view, sheet.bands[lane], strip, i), ink.accent, width)
    elif kind is Kind.GAP and overlay.selection.gap is not None:
        gap = overlay.selection.gap
        _outline(sheet, Item(kind, f"{gap.start}-{gap.end}", Lane.GAPS), ink.accent, 2)
    elif kind is not Kind.NOTHING:
        lane = {Kind.CUE: Lane.DIALOGUE, Kind.SCENE: Lane.SCENES}.get(kind, Lane.GAPS)
        for key in overlay.selection.ids:
            _outline(sheet, Item(kind, key, lane), ink.accent, 2)


def _outline(sheet: PaintContext, item: Item, colour: QColor, width: int) -> None:
    found = item_box(sheet.view, sheet.bands, sheet.rows, item)
    if found is not None:
        _frame(sheet, found, colour, width)


def _frame(sheet: PaintContext, found: Box, colour: QColor, width: int) -> None:
    """A frame around an item, outside it, so that nothing of it is hidden."""
    left, right = max(found.left, -8.0), min(found.right, sheet.view.width + 8.0)
    if right < left:
        return
    painter = sheet.painter
    step = sheet.view.step
    top, bottom = found.top - width, found.bottom + width
    painter.fillRect(QRectF(left - width, top, right - left + 2 * width - step, width), colour)
    painter.fillRect(QRectF(left - width, bottom - width, right - left + 2 * width - step, width), colour)
    painter.fillRect(QRectF(left - width, top, width, bottom - top), colour)
    painter.fillRect(QRectF(right - step, top, width, bottom - top), colour)


def paint_playhead(sheet: PaintContext, ms: int) -> None:
    """A line through all lanes, with a head in the ruler."""
    view, ink, bands = sheet.view, sheet.ink, sheet.bands
    x = view.x(ms)
    if not view.end or not -8 <= x <= view.width + 8:
        return
    ruler, foot = bands[Lane.RULER], bands[Lane.NARRATION].bottom
    width = max(1, round(1.5 / view.step)) * view.step
    sheet.painter.fillRect(QRectF(x, ruler.bottom - 8, width, foot - ruler.bottom + 8), ink.accent)
    middle = x + width / 2
    head = ((-5.5, -14), (5.5, -14), (5.5, -8), (0, -2), (-5.5, -8))
    sheet.polygon(((middle + dx, ruler.bottom + dy) for dx, dy in head), ink.accent)


def paint_ghost(sheet: PaintContext, ghost: DragPreview) -> None:
    """The preview of a drag, the edge that it snaps to, and its label."""
    view, ink, painter = sheet.view, sheet.ink, sheet.painter
    band = sheet.bands[ghost.lane]
    colour = ink.warning if ghost.warning else ink.accent
    painter.setBrush(QBrush(faded(colour.name(), 0.22)))
    pen = QPen(colour, 1.5)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    for span, (level, depth) in zip(ghost.spans, ghost.rows, strict=True):
        top, bottom = band.row(level, depth)
        left, right = view.x(span.start), view.x(span.end)
        if right >= -8 and left <= view.width + 8:
            left, right = max(left, -8.0), min(right, view.width + 8.0)
            painter.drawRect(QRectF(left, top, max(2.0, right - left), bottom - top))
    if ghost.edge is not None:
        top, foot = sheet.bands[Lane.RULER].bottom, sheet.bands[Lane.NARRATION].bottom
        sheet.uprights([view.x(ghost.edge)], top, foot, ink.accent)
    text = f"{ghost.label} · {ghost.warning}" if ghost.warning else ghost.label
    pill(sheet, text, ghost.at, band.top - PILL - 4, colour)


def pill(sheet: PaintContext, text: str, x: float, top: float, colour: QColor) -> None:
    """A label on the accent, kept inside the view."""
    ink, painter = sheet.ink, sheet.painter
    width = ink.bold.width(text)
    left = round(max(4.0, min(x - width / 2 - 8, sheet.view.width - width - 20)))
    area = QRectF(left, max(2.0, top), width + 16, PILL)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    with sheet.smooth():
        painter.drawRoundedRect(area, 4, 4)
    ink.bold.draw(painter, text, left + 8, left + 8 + width + 2, area.center().y(), ink.on_accent)


def paint_rubber(sheet: PaintContext, area: Box) -> None:
    """The rubber band."""
    sheet.painter.setBrush(sheet.ink.accent_wash)
    sheet.painter.setPen(QPen(sheet.ink.accent, 1))
    sheet.painter.drawRect(QRectF(area.left, area.top, area.right - area.left, area.bottom - area.top))
