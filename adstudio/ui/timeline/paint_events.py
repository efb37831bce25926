"""Paints what happens: solid where it is described, hollow where it is left out, shaded by salience.

What may happen elsewhere has open ends: they dissolve into bars, the further the less sure it is (`fringe`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor

from adstudio.core.script import Eventuality
from adstudio.ui.timeline.items import LEAST_WIDTH as LEAST_MARK
from adstudio.ui.timeline.label_layout import LEAST_LABEL
from adstudio.ui.timeline.lane_densities import LEAST_WIDTH
from adstudio.ui.timeline.lanes import Band, Lane
from adstudio.ui.timeline.paint_context import PaintContext
from adstudio.ui.timeline.paint_lines import LEAST_SIGN, SIGN_ROOM
from adstudio.ui.timeline.paint_resources import PADDING, hairline
from adstudio.ui.timeline.rows import MOST_ROWS, SHADES
from adstudio.ui.widgets import glyphs
from adstudio.ui.widgets.glyphs import Glyph

BAR, BETWEEN = 2.0, 2.0
"""Pixels of a bar of an open end, and of the space behind it; there are as many as the level of doubt."""
LEAST_CORE = 4.0
"""What is left between the ends of a mark."""
LOW = (1.0, 0.6, 0.3)
"""How high a mark is that is too narrow for open ends, by the level of doubt, as a share of its row."""
LEAST_HOLD = 8
"""Pixels: a narrower mark shows neither that a rule ties its line nor that the picture is held for it."""
LEAST_TEXT = LEAST_LABEL + 2 * PADDING
"""Pixels: a narrower item has no label."""
Sides = tuple[float, float, float, float]
"""Left, right, top and bottom of a mark, in pixels."""


def paint_occurrences(sheet: PaintContext) -> None:
    """Each occurrence with the first words of its line."""
    strip, band = sheet.rows.occurrences, sheet.bands[Lane.ACTION]
    if not len(strip):
        return
    if strip.mean_length / sheet.view.ms_per_px < LEAST_WIDTH:
        _paint_density(sheet, band)
        return
    marks = _marks(sheet, band)
    ink, painter, step = sheet.ink, sheet.painter, sheet.view.step
    edge, pens = hairline(ink.lane, step), [hairline(colour, step) for colour in ink.outlines]
    painter.setBrush(ink.panel)
    for shade, rectangles in enumerate(marks.hollow):
        if rectangles:
            painter.setPen(pens[shade])
            painter.drawRects(rectangles)
    for shade, rectangles in enumerate(marks.solid):
        sheet.rectangles(rectangles, ink.shades[shade])
    for shade, rectangles in enumerate(marks.ends):
        sheet.rectangles(rectangles, ink.outlines[shade])
    for area, pieces, shade, spoken in marks.over:
        painter.setPen(edge if spoken else pens[shade])
        painter.setBrush(ink.shades[shade] if spoken else ink.panel)
        if pieces:
            # What lies below must not be seen between the pieces.
            painter.fillRect(area, ink.lane)
            painter.setPen(Qt.PenStyle.NoPen if spoken else pens[shade])
            painter.drawRects(pieces[0])
            sheet.rectangles(pieces[1], ink.outlines[shade])
        else:
            painter.drawRect(area.adjusted(0, 0, -step, -step))
    for text in marks.texts:
        _write(sheet, text)


@dataclass(slots=True)
class _Text:
    """A label to be written: its line, and the room that the next item in the same row leaves it."""

    line: Eventuality
    left: float
    right: float
    top: int
    bottom: int
    colour: QColor
    mark: str = ""


@dataclass
class _Marks:
    """What is to be painted: rectangles by shade, those that lie over others (in order), and labels."""

    solid: list[list[QRectF]] = field(default_factory=lambda: [[] for _ in range(SHADES)])
    hollow: list[list[QRectF]] = field(default_factory=lambda: [[] for _ in range(SHADES)])
    ends: list[list[QRectF]] = field(default_factory=lambda: [[] for _ in range(SHADES)])
    over: list[tuple[QRectF, list[list[QRectF]], int, bool]] = field(default_factory=list)
    texts: list[_Text] = field(default_factory=list)


def _marks(sheet: PaintContext, band: Band) -> _Marks:
    """Sort out what is in view. Where more happens at once than there are rows, what begins last lies on top."""
    rows, view, ink, strip = sheet.rows, sheet.view, sheet.ink, sheet.rows.occurrences
    marks, step, depth, known = _Marks(), view.step, strip.depths[0], rows.marks
    rows_of_lane = [band.row(level, depth) for level in range(depth)]
    reach = [float("-inf")] * MOST_ROWS
    behind: list[_Text | None] = [None] * MOST_ROWS
    places = strip.between(*view.shown)
    for i, left, right in zip(places, view.xs(strip.starts, places), view.xs(strip.ends, places), strict=True):
        key, level = strip.keys[i], strip.levels[i]
        line, shade, spoken, bars, tied = known.get(key) or rows.mark(key)
        top, bottom = rows_of_lane[level]
        width = max(LEAST_MARK, right - left) - step
        if bars:
            sides = left, left + width, top, bottom
            _open_ended(marks, sides, shade, bars, step, spoken=spoken, over=left < reach[level])
        elif left < reach[level]:
            marks.over.append((QRectF(left, top, width, bottom - top), [], shade, spoken))
        elif spoken:
            marks.solid[shade].append(QRectF(left, top, width, bottom - top))
        else:
            marks.hollow[shade].append(QRectF(left, top, max(width - step, width / 2), bottom - top - step))
        reach[level] = max(reach[level], right)
        covered = behind[level]
        if covered is not None:
            covered.right = min(covered.right, left)
            behind[level] = None
        if width >= LEAST_TEXT or ((tied or line.holds_picture) and width >= LEAST_HOLD):
            colour = ink.on_shade[shade] if spoken else ink.quiet
            inset = bars * (BAR + BETWEEN)
            text = _Text(line, left + inset, left + width - inset, top, bottom, colour, "? " if bars else "")
            behind[level] = text
            marks.texts.append(text)
    return marks


def _open_ended(marks: _Marks, sides: Sides, shade: int, bars: int, step: float, *, spoken: bool, over: bool) -> None:
    """Sort in a mark with open ends, piece by piece; they are painted along with the others of its shade.

    Bars have the colour of outlines, so that they can be seen however pale the shade is.
    """
    body, ends = fringe(sides, bars, 0.0 if spoken else step)
    if over:
        left, right, top, bottom = sides
        marks.over.append((QRectF(left, top, right - left, bottom - top), [body, ends], shade, spoken))
    else:
        (marks.solid if spoken else marks.hollow)[shade] += body
        marks.ends[shade] += ends


def fringe(sides: Sides, bars: int, outline: float) -> tuple[list[QRectF], list[QRectF]]:
    """The pieces of a mark whose ends dissolve into so many bars: its body, and the bars.

    Where it is too narrow for that it is lower instead. Pieces of the body are smaller by `outline` in both
    directions, for an outline lies outside what it is given.
    """
    left, right, top, bottom = sides
    inset = bars * (BAR + BETWEEN)
    width, height = right - left, bottom - top
    if width < 2 * inset + LEAST_CORE:
        low = max(2.0, round(height * LOW[bars]))
        return [QRectF(left, top + (height - low) // 2, max(width - outline, width / 2), low - outline)], []
    body = QRectF(left + inset, top, width - 2 * inset - outline, height - outline)
    ends: list[QRectF] = []
    for n in range(bars):
        off = n * (BAR + BETWEEN)
        ends.append(QRectF(left + off, top, BAR, height))
        ends.append(QRectF(right - BAR - off, top, BAR, height))
    return [body], ends


def _write(sheet: PaintContext, text: _Text) -> None:
    left, right = text.left + PADDING, text.right - PADDING
    height, middle, colour, painter = text.bottom - text.top, (text.top + text.bottom) / 2, text.colour, sheet.painter
    if text.line.id in sheet.rows.script.rules.mentioned:
        if right - left >= LEAST_SIGN + SIGN_ROOM and height >= 12:
            right -= SIGN_ROOM
            glyphs.draw(painter, Glyph.RULE, right + 3, middle, colour)
        elif height >= 8:
            painter.fillRect(QRectF(text.left + 2, text.top + 2, 3, 3), colour)
    if text.line.pin.selected is False and right - left >= LEAST_SIGN and height >= 12:
        glyphs.draw(painter, Glyph.OUT, left - 1, middle, colour)
        left += SIGN_ROOM
    if text.line.holds_picture:
        if right - left >= LEAST_SIGN and height >= 12:
            glyphs.draw(painter, Glyph.HELD, left - 1, middle, colour)
            left += SIGN_ROOM
        elif height >= 8:
            for bar in (3, 6):
                painter.fillRect(QRectF(text.right - bar - 1, text.bottom - 7, 2, 5), colour)
    if height >= sheet.ink.small.height - 3:
        sheet.ink.small.draw(painter, text.mark + text.line.variants[0].text, left, right, middle, colour)


def _paint_density(sheet: PaintContext, band: Band) -> None:
    densities, strip = sheet.densities, sheet.rows.occurrences
    if densities is None:
        return
    most = max(1, strip.depths[0])
    for table, placed in ((densities.outline, False), (densities.salience, True)):
        shares, weights = densities.lines("occurrences", strip, sheet.view, placed=placed)
        sheet.image(band, densities.bars(shares / most, densities.looked_up(table, weights), band))
