"""Paints the dialogue with its speakers, and the gaps with what is used and free; silences and openings too."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from adstudio.core.script import CueKind
from adstudio.core.timebase import tenths_down
from adstudio.gaps.gaps import occupies
from adstudio.ui.timeline.items import MARK_WIDTH, OPENING_HEIGHT, Box, box, boxes
from adstudio.ui.timeline.label_layout import right_to_left
from adstudio.ui.timeline.lane_densities import LEAST_WIDTH
from adstudio.ui.timeline.lanes import Band, Lane
from adstudio.ui.timeline.paint_context import PaintContext
from adstudio.ui.timeline.paint_resources import PADDING


def paint_dialogue(sheet: PaintContext) -> None:
    """The cues, stacked where they overlap."""
    strip, view = sheet.rows.cues, sheet.view
    band = sheet.bands[Lane.DIALOGUE]
    if strip.mean_length / view.ms_per_px < LEAST_WIDTH and len(strip):
        _paint_cue_density(sheet, band)
        return
    ink, settings = sheet.ink, sheet.rows.script.settings.gaps
    speech: list[QRectF] = []
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
        (speech if spoken else other).append(QRectF(found.left, found.top, width, found.bottom - found.top))
        if width > 24:
            texts.append((i, found, spoken))
    sheet.rectangles(other, ink.other_cue)
    sheet.rectangles(speech, ink.dialogue)
    for i, found, spoken in texts:
        _write_cue(sheet, i, found, ink.on_dialogue if spoken else ink.quiet)
    _paint_marks(sheet, marks, band)


def _write_cue(sheet: PaintContext, i: int, found: Box, colour: QColor) -> None:
    """The speaker, then the words."""
    ink, painter, cue = sheet.ink, sheet.painter, sheet.rows.cue(i)
    if found.bottom - found.top < ink.small.height - 2:
        return
    left, right = found.left + PADDING, found.right - PADDING
    if cue.speaker and not cue.text.isspace():
        taken = ink.bold.draw(painter, cue.speaker.upper(), left, right, found.middle, colour)
        if right_to_left(cue.speaker):
            right -= taken + PADDING
        elif taken:
            left += taken + PADDING
    ink.small.draw(painter, " ".join(cue.text.split()), left, right, found.middle, colour)


def _paint_marks(sheet: PaintContext, marks: list[Box], band: Band) -> None:
    """Cues of no length or with their end before their start: a mark that can be seen and dragged."""
    sheet.uprights([mark.centre for mark in marks], band.top, band.bottom, sheet.ink.warning)
    half = MARK_WIDTH / 2
    for mark in marks:
        x, y = mark.centre, mark.middle
        sheet.polygon(((x, y - half), (x + half, y), (x, y + half), (x - half, y)), sheet.ink.warning)


def _paint_cue_density(sheet: PaintContext, band: Band) -> None:
    densities = sheet.densities
    if densities is not None:
        shares = densities.shares("cues", sheet.rows.cues, sheet.view)
        sheet.image(band, densities.level(shares, densities.cues))


def paint_gaps(sheet: PaintContext) -> None:
    """The gaps, each with its seconds and what is free of them; then silences and openings."""
    strip, view, ink = sheet.rows.free, sheet.view, sheet.ink
    band, narration = sheet.bands[Lane.GAPS], sheet.bands[Lane.NARRATION]
    if strip.mean_length / view.ms_per_px < LEAST_WIDTH and len(strip):
        _paint_gap_density(sheet, band)
    else:
        top, bottom = band.row()
        high = bottom - top
        found = list(boxes(view, band, strip))
        for colour, y, height in ((ink.gap_ground, narration.top, narration.height), (ink.gap, top, high)):
            sheet.rectangles([QRectF(b.left, y, b.right - b.left, height) for _, b in found], colour)
        edge = 2 if view.step <= 1 else 1
        wide = [b for _, b in found if b.right - b.left >= 6]
        edges = [QRectF(x, top, edge, high) for b in wide for x in (b.left, b.right - edge)]
        sheet.rectangles(edges, ink.gap_edge)
        _paint_use(sheet, [i for i, _ in found], bottom)
        for i, each in found:
            _write_gap(sheet, i, each)
    _paint_silences(sheet, band)
    _paint_openings(sheet, band)


def _paint_use(sheet: PaintContext, places: list[int], bottom: int) -> None:
    """A bar at the foot of each gap for its narration."""
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
    left += ink.bold.draw(painter, text, left, right, middle, ink.ink) + PADDING
    free = tenths_down(sheet.rows.left_in(i))
    room = f"{ink.seconds(free)} free" if free > 0 else "full"
    if right - left >= ink.small.width(room):
        ink.small.draw(painter, room, left, right, middle, ink.quiet)


def _paint_gap_density(sheet: PaintContext, band: Band) -> None:
    densities, rows = sheet.densities, sheet.rows
    if densities is not None:
        shares = densities.shares("free", rows.free, sheet.view)
        sheet.image(band, densities.level(shares, densities.free))
        used = densities.shares("narration", rows.narration, sheet.view)
        sheet.image(band, densities.bars(used, sheet.ink.gap_use, band))


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
            ink.small.draw(painter, text, left, left + width + 1, found.middle, ink.ink)
        sheet.fill(sheet.bands[Lane.NARRATION], ink.silence, found.left, found.right)


def _paint_openings(sheet: PaintContext, band: Band) -> None:
    """A bracket over dialogue that may be narrated over."""
    strip, colour, view, dialogue = sheet.rows.openings, sheet.ink.gap_edge, sheet.view, sheet.bands[Lane.DIALOGUE]
    top = band.top + 3
    foot = top + OPENING_HEIGHT - 2
    for i in strip.between(*view.shown):
        found = box(view, band, strip, i)
        left, right = found.left + 1, found.right - 1
        sheet.polyline(((left, foot), (left, top), (right, top), (right, foot)), colour)
        sheet.uprights([found.left, found.right - view.step], dialogue.top, top, colour)
