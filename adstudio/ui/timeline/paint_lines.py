"""Paints the narration, and the threads up to the action it describes."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath

from adstudio.core.script import Eventuality, Origin
from adstudio.ui.timeline.items import Box, boxes
from adstudio.ui.timeline.lane_densities import LEAST_WIDTH
from adstudio.ui.timeline.lanes import Band, Lane
from adstudio.ui.timeline.paint_context import PaintContext
from adstudio.ui.timeline.paint_film import LOUD
from adstudio.ui.timeline.paint_resources import PADDING, hairline
from adstudio.ui.timeline.rows import SHADES, Rows
from adstudio.ui.widgets import glyphs
from adstudio.ui.widgets.formatting import drift_words
from adstudio.ui.widgets.glyphs import Glyph

THREADS_FROM = 70.0
"""Milliseconds a pixel; further out, threads would be too dense to read."""
FAR_DASHES = (4.0, 3.0)
"""How the thread of a line far from its action is dashed, in pixels of line and of space."""
SIGN_ROOM = 13
"""Pixels for a sign and the space behind it."""
LEAST_WAVE = 6.0
"""An item narrower than this has no room for a waveform."""
WAVE_HEIGHT = 0.6
"""Of an item's height, a waveform of full scale."""
LEAST_SIGN = 28
"""An item narrower than this has no room for signs."""


def paint_threads(sheet: PaintContext) -> None:
    """From each delivery up to its occurrence."""
    rows, view = sheet.rows, sheet.view
    if view.ms_per_px > THREADS_FROM or not len(rows.narration):
        return
    start, end = view.shown
    settings = rows.script.settings
    reach = max(settings.early, settings.late)
    near, far = QPainterPath(), QPainterPath()
    for i in rows.narration.between(start - 2 * reach, end + 2 * reach):
        key = rows.narration.keys[i]
        for line in rows.said_in(key):
            place = rows.occurrences.place.get(line)
            if place is not None and key not in rows.suspended:
                add_thread(far if rows.far_drift(key) else near, sheet, i, place)
    sheet.path(near, sheet.ink.thread, 1)
    sheet.path(far, sheet.ink.warning, 1, FAR_DASHES)


def add_thread(path: QPainterPath, sheet: PaintContext, spoken: int, happening: int) -> None:
    """Add the thread of a line, from the middle of its delivery to the middle of its occurrence."""
    rows, view, bands = sheet.rows, sheet.view, sheet.bands
    occurrences, narration = rows.occurrences, rows.narration
    low, high = bands[Lane.NARRATION], bands[Lane.ACTION]
    x0 = round((view.x(narration.starts[spoken]) + view.x(narration.ends[spoken])) / 2) + 0.5
    x1 = round((view.x(occurrences.starts[happening]) + view.x(occurrences.ends[happening])) / 2) + 0.5
    _, foot = high.row(occurrences.levels[happening], occurrences.depths[happening])
    if max(x0, x1) < -8 or min(x0, x1) > view.width + 8:
        return
    top, bottom = high.bottom - 4, low.top + 4
    middle = (top + bottom) / 2
    path.moveTo(x0, bottom)
    path.cubicTo(QPointF(x0, middle), QPointF(x1, middle), QPointF(x1, top))
    if foot < top:
        path.lineTo(x1, foot)


def paint_narration(sheet: PaintContext) -> None:
    """The deliveries with their words, their lengths and the describer's locks."""
    rows, view, ink, painter = sheet.rows, sheet.view, sheet.ink, sheet.painter
    strip, band = rows.narration, sheet.bands[Lane.NARRATION]
    if strip.mean_length / view.ms_per_px < LEAST_WIDTH and len(strip):
        _paint_narration_density(sheet, band)
        return
    index, lines = rows.script.eventuality_index, rows.script.eventualities
    solid: list[list[QRectF]] = [[] for _ in range(SHADES)]
    conflicting: list[QRectF] = []
    texts: list[tuple[Eventuality, int, Box, QColor]] = []
    waves: list[tuple[float, float, bytes, QColor]] = []
    row = band.row()
    for i, found in boxes(view, band, strip):
        key = strip.keys[i]
        place = index.get(key)
        if place is None:
            continue
        line = lines[place]
        shade = rows.shade(line.salience)
        width = max(view.step, found.right - found.left - view.step)
        area = QRectF(found.left, found.top, width, found.bottom - found.top)
        conflict = key in rows.suspended or key in rows.in_conflict
        (conflicting if conflict else solid[shade]).append(area)
        wave = sheet.film.waves.get(key)
        shown = wave is not None and width >= LEAST_WAVE and not conflict and (found.top, found.bottom) == row
        if wave is not None and shown and wave.text == rows.spoken_text(line):
            waves.append((area.left(), area.right(), wave.peaks, ink.line_waves[shade]))
        if width >= 14:
            texts.append((line, i, found, ink.ink if conflict else ink.on_shade[shade]))
    for shade, rectangles in enumerate(solid):
        sheet.rectangles(rectangles, ink.shades[shade])
    _paint_waves(sheet, band, waves)
    if conflicting:
        sheet.rectangles(conflicting, ink.warning_wash)
        painter.setBrush(ink.warning_hatch)
        painter.setPen(hairline(ink.warning, view.step))
        painter.drawRects([r.adjusted(0, 0, -view.step, -view.step) for r in conflicting])
    for line, i, found, colour in texts:
        _write_line(sheet, line, i, found, colour)


def _paint_waves(sheet: PaintContext, band: Band, lines: list[tuple[float, float, bytes, QColor]]) -> None:
    """The waveforms of lines that have been spoken, in one go: bars that stand on the ground of each."""
    if sheet.densities is not None and lines:
        shares, colours = sheet.densities.waves(lines, sheet.view)
        sheet.image(band, sheet.densities.bars(shares**LOUD * WAVE_HEIGHT, colours, band))


def signs(rows: Rows, line: Eventuality) -> list[Glyph]:
    """The describer's locks on a line, and its state; the most important first."""
    pin = line.pin
    by = rows.far_drift(line.id)
    flags = (
        (line.id in rows.suspended or line.id in rows.in_conflict, Glyph.CONFLICT),
        (pin.override, Glyph.OVERRIDE),
        (by != 0, Glyph.LATE if by > 0 else Glyph.EARLY),
        (pin.start is not None or pin.selected or pin.variant is not None, Glyph.PIN),
        (line.accepted, Glyph.ACCEPTED),
        (line.origin is Origin.HUMAN, Glyph.HUMAN),
    )
    return [glyph for holds, glyph in flags if holds]


def _write_line(sheet: PaintContext, line: Eventuality, i: int, found: Box, colour: QColor) -> None:
    ink, painter, strip = sheet.ink, sheet.painter, sheet.rows.narration
    text = sheet.rows.spoken_text(line)
    left, right = found.left + PADDING, found.right - PADDING
    height = found.bottom - found.top
    two = height >= ink.text.height + ink.small.height + 4
    first = found.top + (3 + ink.text.height / 2 if two else height / 2)
    second = found.bottom - ink.small.height / 2 - 3 if two else first
    x = left
    for sign in signs(sheet.rows, line):
        if x + SIGN_ROOM > right + PADDING or (not two and right - x < LEAST_SIGN and x > left):
            break
        glyphs.draw(painter, sign, x - 1, second, colour)
        x += SIGN_ROOM
    seconds = ink.seconds(strip.ends[i] - strip.starts[i])
    by = sheet.rows.far_drift(line.id)
    if two and by:
        further = f"{seconds} · {drift_words(by)}"
        seconds = further if right - x >= ink.small.width(further) else seconds
    width = ink.small.width(seconds)
    if two:
        if right - x >= width:
            ink.small.draw(painter, seconds, x, right, second, colour)
        x = left
    elif right - x >= width + 72:
        ink.small.draw(painter, seconds, right - width, right + 1, first, colour)
        right -= width + PADDING
    if height >= ink.text.height - 6:
        ink.text.draw(painter, text, x, right, first, colour)


def _paint_narration_density(sheet: PaintContext, band: Band) -> None:
    densities = sheet.densities
    if densities is not None:
        shares, weights = densities.lines("narration", sheet.rows.narration, sheet.view)
        sheet.image(band, densities.bars(shares, densities.looked_up(densities.salience, weights), band))
