"""Paints what happens, shaded by salience, what is said of it, and the threads between."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen

from adstudio.core.script import Eventuality, Origin
from adstudio.ui import words
from adstudio.ui.timeline import glyphs
from adstudio.ui.timeline.boxes import LEAST_WIDTH as LEAST_MARK
from adstudio.ui.timeline.boxes import Box, boxes, row
from adstudio.ui.timeline.density import LEAST_WIDTH
from adstudio.ui.timeline.glyphs import Glyph
from adstudio.ui.timeline.ink import LEAST_LABEL, PADDING, hairline
from adstudio.ui.timeline.lanes import Band, Lane
from adstudio.ui.timeline.rows import SHADES
from adstudio.ui.timeline.sheet import Sheet

THREADS_FROM = 60.0
"""Milliseconds a pixel beyond which threads would be a thicket."""
SIGN_ROOM = 13
"""Pixels for a sign and the space behind it."""
LEAST_TEXT = LEAST_LABEL + 2 * PADDING
"""Pixels: a narrower item has no label."""
LEAST_SIGN = 28
"""An item narrower than this has no room for signs."""


def paint_happens(sheet: Sheet) -> None:
    """Each occurrence: solid where it is described, hollow where it is left out."""
    rows, view, ink, painter = sheet.rows, sheet.view, sheet.ink, sheet.painter
    strip, band = rows.happens, sheet.bands[Lane.HAPPENS]
    if strip.mean_length / view.ms_per_px < LEAST_WIDTH and len(strip):
        _paint_happens_density(sheet, band)
        return
    index, lines, placed = rows.script.eventuality_index, rows.script.eventualities, rows.plan.by_element
    solid: list[list[QRectF]] = [[] for _ in range(SHADES)]
    hollow: list[list[QRectF]] = [[] for _ in range(SHADES)]
    texts: list[_Text] = []
    behind: dict[int, _Text] = {}
    step, tied, apart, keys, levels = view.step, rows.script.rules.mentioned, rows.apart, strip.keys, strip.levels
    rows_of_lane = [
        row(Lane.HAPPENS, band.top, band.height, n, strip.depths[0])
        for n in range(strip.depths[0] if len(strip) else 0)
    ]
    places = strip.between(*view.shown)
    edges = zip(places, view.xs(strip.starts, places), view.xs(strip.ends, places), strict=True)
    for i, left, right in edges:
        key = keys[i]
        line = lines[index[key]]
        top, bottom = rows_of_lane[levels[i]]
        shade = rows.shade(line.salience)
        width = max(LEAST_MARK, right - left) - step
        said = key in placed or key in apart
        if said:
            solid[shade].append(QRectF(left, top, width, bottom - top))
        else:
            hollow[shade].append(QRectF(left, top, max(step, width - step), bottom - top - step))
        covered = behind.pop(levels[i], None)
        if covered is not None:
            covered.right = min(covered.right, left)
        if width >= LEAST_TEXT or (key in tied and width >= 8):
            behind[levels[i]] = text = _Text(
                line, left, left + width, top, bottom, ink.on_shade[shade] if said else ink.quiet
            )
            texts.append(text)
    painter.setBrush(ink.panel)
    for shade, rectangles in enumerate(hollow):
        if rectangles:
            painter.setPen(hairline(ink.outlines[shade], step))
            painter.drawRects(rectangles)
    painter.setPen(Qt.PenStyle.NoPen)
    for shade, rectangles in enumerate(solid):
        if rectangles:
            painter.setBrush(ink.shades[shade])
            painter.drawRects(rectangles)
    for text in texts:
        _write_happens(sheet, text)


@dataclass
class _Text:
    """A label to be written: its line, and the room that the next item in the same row leaves it."""

    line: Eventuality
    left: float
    right: float
    top: int
    bottom: int
    colour: QColor


def _write_happens(sheet: Sheet, text: _Text) -> None:
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


def _paint_happens_density(sheet: Sheet, band: Band) -> None:
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


def paint_threads(sheet: Sheet) -> None:
    """From each delivery up to what it tells of."""
    rows, view = sheet.rows, sheet.view
    if view.ms_per_px > THREADS_FROM or not len(rows.narration):
        return
    start, end = view.shown
    reach = rows.script.settings.delta_max
    path = QPainterPath()
    for i in rows.narration.between(start - 2 * reach, end + 2 * reach):
        key = rows.narration.keys[i]
        place = rows.happens.place.get(key)
        if place is not None and key not in rows.apart:
            add_thread(path, sheet, i, place)
    sheet.painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = QPen(sheet.ink.thread, 1)
    sheet.painter.setPen(pen)
    with sheet.smooth():
        sheet.painter.drawPath(path)


def add_thread(path: QPainterPath, sheet: Sheet, spoken: int, happens: int) -> None:
    """Add the thread of a line, from the middle of its delivery to the middle of its occurrence."""
    rows, view, bands = sheet.rows, sheet.view, sheet.bands
    strip, said = rows.happens, rows.narration
    low, high = bands[Lane.NARRATION], bands[Lane.HAPPENS]
    x0 = round((view.x(said.starts[spoken]) + view.x(said.ends[spoken])) / 2) + 0.5
    x1 = round((view.x(strip.starts[happens]) + view.x(strip.ends[happens])) / 2) + 0.5
    _, foot = row(Lane.HAPPENS, high.top, high.height, strip.levels[happens], strip.depths[happens])
    if max(x0, x1) < -8 or min(x0, x1) > view.width + 8:
        return
    top, bottom = high.bottom - 4, low.top + 4
    middle = (top + bottom) / 2
    path.moveTo(x0, bottom)
    path.cubicTo(QPointF(x0, middle), QPointF(x1, middle), QPointF(x1, top))
    if foot < top:
        path.lineTo(x1, foot)


def paint_narration(sheet: Sheet) -> None:
    """The deliveries with their words, their seconds and what the describer holds of them."""
    rows, view, ink, painter = sheet.rows, sheet.view, sheet.ink, sheet.painter
    strip, band = rows.narration, sheet.bands[Lane.NARRATION]
    if strip.mean_length / view.ms_per_px < LEAST_WIDTH and len(strip):
        _paint_narration_density(sheet, band)
        return
    index, lines = rows.script.eventuality_index, rows.script.eventualities
    solid: list[list[QRectF]] = [[] for _ in range(SHADES)]
    apart: list[QRectF] = []
    texts: list[tuple[Eventuality, int, Box, QColor]] = []
    for i, found in boxes(view, band, strip):
        key = strip.keys[i]
        place = index.get(key)
        if place is None:
            continue
        line = lines[place]
        shade = rows.shade(line.salience)
        width = max(view.step, found.right - found.left - view.step)
        area = QRectF(found.left, found.top, width, found.bottom - found.top)
        set_apart = key in rows.apart
        if set_apart or key in rows.in_conflict:
            apart.append(area)
        else:
            solid[shade].append(area)
        if width >= 14:
            conflict = set_apart or key in rows.in_conflict
            texts.append((line, i, found, ink.ink if conflict else ink.on_shade[shade]))
    painter.setPen(Qt.PenStyle.NoPen)
    for shade, rectangles in enumerate(solid):
        if rectangles:
            painter.setBrush(ink.shades[shade])
            painter.drawRects(rectangles)
    if apart:
        painter.setBrush(ink.warning_wash)
        painter.drawRects(apart)
        painter.setBrush(ink.warning_hatch)
        painter.setPen(hairline(ink.warning, view.step))
        painter.drawRects([r.adjusted(0, 0, -view.step, -view.step) for r in apart])
    for line, i, found, colour in texts:
        _write_line(sheet, line, i, found, colour)


def signs(sheet: Sheet, line: Eventuality) -> list[Glyph]:
    """What the describer holds of a line, and how it stands; the most important first."""
    pin = line.pin
    found: list[Glyph] = []
    if line.id in sheet.rows.apart or line.id in sheet.rows.in_conflict:
        found.append(Glyph.CONFLICT)
    if pin.override:
        found.append(Glyph.OVERRIDE)
    if pin.start is not None or pin.selected or pin.variant is not None:
        found.append(Glyph.PIN)
    if line.accepted:
        found.append(Glyph.ACCEPTED)
    if line.origin is Origin.HUMAN:
        found.append(Glyph.HUMAN)
    return found


def _write_line(sheet: Sheet, line: Eventuality, i: int, found: Box, colour: QColor) -> None:
    ink, painter, strip = sheet.ink, sheet.painter, sheet.rows.narration
    delivery = sheet.rows.delivery(line.id)
    variant = min(delivery.variant, len(line.variants) - 1) if delivery else 0
    text = line.variants[max(0, variant)].text
    left, right = found.left + PADDING, found.right - PADDING
    high = found.bottom - found.top
    two = high >= ink.text.height + ink.small.height + 4
    first = found.top + (4 + ink.text.height / 2 if two else high / 2) - (2 if two else 0)
    second = found.bottom - ink.small.height / 2 - 1 if two else first
    x = left
    for sign in signs(sheet, line):
        if x + SIGN_ROOM > right + PADDING or (not two and right - x < LEAST_SIGN and x > left):
            break
        glyphs.draw(painter, sign, x - 1, second, colour)
        x += SIGN_ROOM
    painter.setPen(colour)
    seconds = words.duration(strip.ends[i] - strip.starts[i])
    width = ink.small.width(seconds)
    if two:
        painter.setFont(ink.small_font)
        if right - x >= width:
            ink.small.draw(painter, seconds, x, right, second)
        x = left
    elif right - x >= width + 72:
        painter.setFont(ink.small_font)
        ink.small.draw(painter, seconds, right - width, right + 1, first)
        right -= width + PADDING
    painter.setFont(ink.text_font)
    if high >= ink.text.height - 6:
        ink.text.draw(painter, text, x, right, first)


def _paint_narration_density(sheet: Sheet, band: Band) -> None:
    densities, view = sheet.densities, sheet.view
    if densities is None:
        return
    columns = round(view.width / view.step)
    scale = view.ms_per_px * view.step
    shares, weights = densities.lines("narration", sheet.rows.narration, view.time(0), scale, columns)
    top, bottom = row(band.lane, band.top, band.height, 0, 1)
    colours = densities.looked_up(densities.salience, weights)
    sheet.painter.drawImage(QRectF(0, top, view.width, bottom - top), densities.standing(shares, colours, bottom - top))
