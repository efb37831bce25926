"""Paints the dialogue with its speakers, and the gaps with what is used and what is free; silences and openings too."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen, QPolygonF

from adstudio.core.script import CueKind
from adstudio.gaps.gaps import occupies
from adstudio.ui.timeline.density import LEAST_WIDTH
from adstudio.ui.timeline.items import MARK_WIDTH, OPENING_HEIGHT, Box, box, boxes
from adstudio.ui.timeline.label_layout import right_to_left
from adstudio.ui.timeline.lanes import Band, Lane
from adstudio.ui.timeline.paint_context import PaintContext
from adstudio.ui.timeline.paint_resources import PADDING, upright


def paint_dialogue(sheet: PaintContext) -> None:
    """The cues, stacked where they overlap."""
    strip, view = sheet.rows.cues, sheet.view
    band = sheet.bands[Lane.DIALOGUE]
    if strip.mean_length / view.ms_per_px < LEAST_WIDTH and len(strip):
        _paint_cue_density(sheet, band)
        return
    ink, painter, settings = sheet.ink, sheet.painter, sheet.rows.script.settings.gaps
    said: list[QRectF] = []
    other: list[QRectF] = []
    marks: list[Box] = []
    texts: list[tuple[int, Box, bool]] = []
    for i, found in boxes(view, band, strip):
        if strip.ends[i] <= strip.starts[i]:
            marks.append(found)
            continue
        kind = sheet.rows.cue(i).kind
        spoken = kind is CueKind.SPEECH or occupies(kind, settings)
        width = max(1.0, found.right - found.left - view.step)
        (said if spoken else other).append(QRectF(found.left, found.top, width, found.bottom - found.top))
        if width > 24:
            texts.append((i, found, spoken))
    painter.setPen(Qt.PenStyle.NoPen)
    for rectangles, colour in ((other, ink.other_cue), (said, ink.dialogue)):
        if rectangles:
            painter.setBrush(colour)
            painter.drawRects(rectangles)
    for i, found, spoken in texts:
        _write_cue(sheet, i, found, ink.on_dialogue if spoken else ink.quiet)
    _paint_marks(sheet, marks, band)


def _write_cue(sheet: PaintContext, i: int, found: Box, colour: QColor) -> None:
    """The speaker, then the words."""
    ink, painter, cue = sheet.ink, sheet.painter, sheet.rows.cue(i)
    if found.bottom - found.top < ink.small.height - 2:
        return
    painter.setPen(colour)
    left, right = found.left + PADDING, found.right - PADDING
    if cue.speaker and not cue.text.isspace():
        painter.setFont(ink.bold_font)
        taken = ink.bold.draw(painter, cue.speaker.upper(), left, right, found.middle)
        if right_to_left(cue.speaker):
            right -= taken + PADDING
        elif taken:
            left += taken + PADDING
    painter.setFont(ink.small_font)
    ink.small.draw(painter, " ".join(cue.text.split()), left, right, found.middle)


def _paint_marks(sheet: PaintContext, marks: list[Box], band: Band) -> None:
    """Cues of no length or with their end before their start: a mark that can be seen, and taken hold of."""
    if not marks:
        return
    ink, painter = sheet.ink, sheet.painter
    for mark in marks:
        x = (mark.left + mark.right) / 2
        painter.fillRect(upright(x, band.top, band.bottom, sheet.view.step), ink.warning)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.warning)
    with sheet.smooth():
        for mark in marks:
            x, half = (mark.left + mark.right) / 2, MARK_WIDTH / 2
            points = (
                (x, mark.middle - half),
                (x + half, mark.middle),
                (x, mark.middle + half),
                (x - half, mark.middle),
            )
            painter.drawPolygon(QPolygonF([QPointF(*point) for point in points]))


def _paint_cue_density(sheet: PaintContext, band: Band) -> None:
    densities, view = sheet.densities, sheet.view
    if densities is None:
        return
    columns = round(view.width / view.step)
    shares = densities.shares("cues", sheet.rows.cues, view.time(0), view.ms_per_px * view.step, columns)
    colours = densities.looked_up(densities.cues, shares)
    image = densities.level(shares, colours)
    top, bottom = band.row()
    sheet.painter.drawImage(QRectF(0, top, view.width, bottom - top), image)


def paint_gaps(sheet: PaintContext) -> None:
    """The gaps, each with its seconds and what is free of them; then silences and openings."""
    strip, view, ink, painter = sheet.rows.free, sheet.view, sheet.ink, sheet.painter
    band = sheet.bands[Lane.GAPS]
    top, bottom = band.row()
    if strip.mean_length / view.ms_per_px < LEAST_WIDTH and len(strip):
        _paint_gap_density(sheet, band)
    else:
        found = list(boxes(view, band, strip))
        low, height = sheet.bands[Lane.NARRATION].top, sheet.bands[Lane.NARRATION].height
        sheet.rectangles([QRectF(b.left, low, b.right - b.left, height) for _, b in found], ink.gap_ground)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.gap)
        painter.drawRects([QRectF(b.left, top, b.right - b.left, bottom - top) for _, b in found])
        edge = 2 if view.step <= 1 else 1
        painter.setBrush(ink.gap_edge)
        wide = [b for _, b in found if b.right - b.left >= 6]
        painter.drawRects([QRectF(x, top, edge, bottom - top) for b in wide for x in (b.left, b.right - edge)])
        _paint_use(sheet, [i for i, _ in found], bottom)
        for i, each in found:
            _write_gap(sheet, i, each)
    _paint_silences(sheet, band)
    _paint_openings(sheet, band)


def _paint_use(sheet: PaintContext, places: list[int], bottom: int) -> None:
    """A bar at the foot of each gap where it is spoken in."""
    rows, view = sheet.rows, sheet.view
    pieces = [piece for i in places if rows.uses[i].used for piece in rows.spoken_in(i)]
    lefts = view.xs([start for start, _ in pieces], range(len(pieces)))
    rights = view.xs([end for _, end in pieces], range(len(pieces)))
    sheet.rectangles(
        [QRectF(x, bottom - 4, max(1.0, y - x - view.step), 4) for x, y in zip(lefts, rights, strict=True)],
        sheet.ink.gap_use,
    )


def _write_gap(sheet: PaintContext, i: int, found: Box) -> None:
    strip, ink, painter = sheet.rows.free, sheet.ink, sheet.painter
    if found.right - found.left < 40:
        return
    length = strip.ends[i] - strip.starts[i]
    left, right = found.left + PADDING + 2, found.right - PADDING - 2
    middle = found.middle - 2
    text = ink.seconds(length)
    if right - left < ink.bold.width(text):
        return
    painter.setPen(ink.ink)
    painter.setFont(ink.bold_font)
    left += ink.bold.draw(painter, text, left, right, middle) + PADDING
    free = length - sheet.rows.uses[i].used
    room = f"{ink.seconds(free)} free" if free >= 50 else "full"
    if right - left >= ink.small.width(room):
        painter.setPen(ink.quiet)
        painter.setFont(ink.small_font)
        ink.small.draw(painter, room, left, right, middle)


def _paint_gap_density(sheet: PaintContext, band: Band) -> None:
    densities, view = sheet.densities, sheet.view
    if densities is None:
        return
    columns = round(view.width / view.step)
    top, bottom = band.row()
    start, scale = view.time(0), view.ms_per_px * view.step
    shares = densities.shares("free", sheet.rows.free, start, scale, columns)
    used = densities.shares("narration", sheet.rows.narration, start, scale, columns)
    colours = densities.looked_up(densities.free, shares)
    sheet.painter.drawImage(QRectF(0, top, view.width, bottom - top), densities.level(shares, colours))
    high = bottom - top
    bars = densities.standing(used, densities.one(sheet.ink.gap_use, columns), high)
    sheet.painter.drawImage(QRectF(0, top, view.width, high), bars)


def _paint_silences(sheet: PaintContext, band: Band) -> None:
    strip, ink, painter = sheet.rows.silences, sheet.ink, sheet.painter
    notes = {item.id: item.note for item in sheet.rows.script.silences} if len(strip) else {}
    for i, found in boxes(sheet.view, band, strip):
        area = QRectF(found.left, found.top, found.right - found.left, found.bottom - found.top)
        painter.fillRect(area, ink.silence)
        painter.fillRect(area, ink.silence_hatch)
        text = notes[strip.keys[i]] or "silence"
        width = ink.small.width(text)
        if found.right - found.left > width + 24:
            left = round(found.centre - width / 2)
            painter.fillRect(QRectF(left - 4, found.top, width + 8, found.bottom - found.top), ink.silence)
            painter.setPen(ink.ink)
            painter.setFont(ink.small_font)
            ink.small.draw(painter, text, left, left + width + 1, found.middle)
        sheet.fill(sheet.bands[Lane.NARRATION], ink.silence, found.left, found.right)


def _paint_openings(sheet: PaintContext, band: Band) -> None:
    """A bracket over what was freed although somebody speaks there."""
    strip, ink, painter, view = sheet.rows.openings, sheet.ink, sheet.painter, sheet.view
    for i in strip.between(*view.shown):
        found = box(view, band, strip, i)
        pen = QPen(ink.gap_edge)
        pen.setWidthF(2)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        top = band.top + 3
        points = ((found.left + 1, top + OPENING_HEIGHT - 2), (found.left + 1, top), (found.right - 1, top))
        last = (found.right - 1, top + OPENING_HEIGHT - 2)
        painter.drawPolyline(QPolygonF([QPointF(*point) for point in (*points, last)]))
        dialogue = sheet.bands[Lane.DIALOGUE]
        for x in (found.left, found.right - view.step):
            painter.fillRect(upright(x, dialogue.top, band.top + 3, view.step), ink.gap_edge)
