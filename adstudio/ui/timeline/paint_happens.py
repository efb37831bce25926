"""Paints what happens: solid where it is described, hollow where it is left out, shaded by salience."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor

from adstudio.core.script import Eventuality
from adstudio.ui.timeline import glyphs
from adstudio.ui.timeline.boxes import LEAST_WIDTH as LEAST_MARK
from adstudio.ui.timeline.boxes import row
from adstudio.ui.timeline.density import LEAST_WIDTH
from adstudio.ui.timeline.glyphs import Glyph
from adstudio.ui.timeline.ink import LEAST_LABEL, PADDING, hairline
from adstudio.ui.timeline.lanes import Band, Lane
from adstudio.ui.timeline.paint_lines import LEAST_SIGN, SIGN_ROOM
from adstudio.ui.timeline.rows import MOST_ROWS, SHADES
from adstudio.ui.timeline.sheet import Sheet

LEAST_TEXT = LEAST_LABEL + 2 * PADDING
"""Pixels: a narrower item has no label."""


def paint_happens(sheet: Sheet) -> None:
    """Each occurrence with the first words of its line."""
    strip, band = sheet.rows.happens, sheet.bands[Lane.HAPPENS]
    if not len(strip):
        return
    if strip.mean_length / sheet.view.ms_per_px < LEAST_WIDTH:
        _paint_density(sheet, band)
        return
    marks = _marks(sheet, band)
    ink, painter, step = sheet.ink, sheet.painter, sheet.view.step
    painter.setBrush(ink.panel)
    for shade, rectangles in enumerate(marks.hollow):
        if rectangles:
            painter.setPen(hairline(ink.outlines[shade], step))
            painter.drawRects(rectangles)
    painter.setPen(Qt.PenStyle.NoPen)
    for shade, rectangles in enumerate(marks.solid):
        if rectangles:
            painter.setBrush(ink.shades[shade])
            painter.drawRects(rectangles)
    for area, shade, said in marks.over:
        painter.setPen(hairline(ink.outlines[shade] if not said else ink.lane, step))
        painter.setBrush(ink.shades[shade] if said else ink.panel)
        painter.drawRect(area.adjusted(0, 0, -step, -step))
    for text in marks.texts:
        _write(sheet, text)


@dataclass
class _Text:
    """A label to be written: its line, and the room that the next item in the same row leaves it."""

    line: Eventuality
    left: float
    right: float
    top: int
    bottom: int
    colour: QColor


@dataclass
class _Marks:
    """What is to be painted: rectangles by shade, those that lie over others (in order), and labels."""

    solid: list[list[QRectF]] = field(default_factory=lambda: [[] for _ in range(SHADES)])
    hollow: list[list[QRectF]] = field(default_factory=lambda: [[] for _ in range(SHADES)])
    over: list[tuple[QRectF, int, bool]] = field(default_factory=list)
    texts: list[_Text] = field(default_factory=list)


def _marks(sheet: Sheet, band: Band) -> _Marks:
    """Sort out what is in view. Where more happens at once than there are rows, what begins last lies on top."""
    rows, view, ink, strip = sheet.rows, sheet.view, sheet.ink, sheet.rows.happens
    index, lines, placed, apart = (
        rows.script.eventuality_index,
        rows.script.eventualities,
        rows.plan.by_element,
        rows.apart,
    )
    marks, step, tied, depth = _Marks(), view.step, rows.script.rules.mentioned, strip.depths[0]
    rows_of_lane = [row(Lane.HAPPENS, band.top, band.height, level, depth) for level in range(depth)]
    reach = [float("-inf")] * MOST_ROWS
    behind: dict[int, _Text] = {}
    places = strip.between(*view.shown)
    for i, left, right in zip(places, view.xs(strip.starts, places), view.xs(strip.ends, places), strict=True):
        key, level = strip.keys[i], strip.levels[i]
        line = lines[index[key]]
        top, bottom = rows_of_lane[level]
        shade, said = rows.shade(line.salience), key in placed or key in apart
        width = max(LEAST_MARK, right - left) - step
        if left < reach[level]:
            marks.over.append((QRectF(left, top, width, bottom - top), shade, said))
        elif said:
            marks.solid[shade].append(QRectF(left, top, width, bottom - top))
        else:
            marks.hollow[shade].append(QRectF(left, top, max(width - step, width / 2), bottom - top - step))
        reach[level] = max(reach[level], right)
        if level in behind:
            covered = behind.pop(level)
            covered.right = min(covered.right, left)
        if width >= LEAST_TEXT or (key in tied and width >= 8):
            colour = ink.on_shade[shade] if said else ink.quiet
            behind[level] = _Text(line, left, left + width, top, bottom, colour)
            marks.texts.append(behind[level])
    return marks


def _write(sheet: Sheet, text: _Text) -> None:
    left, right = text.left + PADDING, text.right - PADDING
    high, middle, colour, painter = text.bottom - text.top, (text.top + text.bottom) / 2, text.colour, sheet.painter
    if text.line.id in sheet.rows.script.rules.mentioned:
        if right - left >= LEAST_SIGN + SIGN_ROOM and high >= 12:
            right -= SIGN_ROOM
            glyphs.draw(painter, Glyph.RULE, right + 3, middle, colour)
        elif high >= 8:
            painter.fillRect(QRectF(text.left + 2, text.top + 2, 3, 3), colour)
    if text.line.pin.selected is False and right - left >= LEAST_SIGN and high >= 12:
        glyphs.draw(painter, Glyph.OUT, left - 1, middle, colour)
        left += SIGN_ROOM
    if high >= sheet.ink.small.height - 3:
        painter.setPen(colour)
        painter.setFont(sheet.ink.small_font)
        sheet.ink.small.draw(painter, text.line.variants[0].text, left, right, middle)


def _paint_density(sheet: Sheet, band: Band) -> None:
    densities, view, rows = sheet.densities, sheet.view, sheet.rows
    if densities is None:
        return
    columns = round(view.width / view.step)
    start, scale = view.time(0), view.ms_per_px * view.step
    top, bottom = row(band.lane, band.top, band.height, 0, 1)
    area = QRectF(0, top, view.width, bottom - top)
    most = max(1, rows.happens.depths[0])
    shares, weights = densities.lines("happens", rows.happens, start, scale, columns)
    colours = densities.looked_up(densities.outline, weights)
    sheet.painter.drawImage(area, densities.standing(shares / most, colours, bottom - top))
    shares, weights = densities.lines("happens", rows.happens, start, scale, columns, placed=True)
    colours = densities.looked_up(densities.salience, weights)
    sheet.painter.drawImage(area, densities.standing(shares / most, colours, bottom - top))
