"""Paints the ruler, the bounds of the scenes, the shots with their thumbnails, and the sound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from adstudio.ui.timeline.lanes import Band, Lane
from adstudio.ui.timeline.paint_context import PaintContext
from adstudio.ui.timeline.ruler_ticks import ticks
from adstudio.ui.timeline.visible_range import VisibleRange

if TYPE_CHECKING:
    from adstudio.media.thumbnails import Thumbnail, Thumbnails

LOUD = 0.65
"""The sound's amplitude is raised to this power, since speech lies far below full scale."""
PICTURE_MARGIN = 9
"""Pixels of a lane's height that pictures and waveform leave free."""
NARROWEST_SHOT = 3.0
"""Pixels: below this mean width the cuts are not drawn."""


def paint_film(sheet: PaintContext) -> None:
    """The grounds of all lanes, and those that show the film itself."""
    _paint_ground(sheet)
    _paint_ruler(sheet)
    _paint_scenes(sheet)
    _paint_shots(sheet)
    _paint_sound(sheet)


def _paint_ground(sheet: PaintContext) -> None:
    """The lanes' grounds."""
    ink = sheet.ink
    colours = {Lane.RULER: ink.window, Lane.SCENES: ink.window}
    colours |= dict.fromkeys((Lane.DIALOGUE, Lane.GAPS, Lane.NARRATION), ink.panel)
    for lane, band in sheet.bands.items():
        sheet.fill(band, colours.get(lane, ink.lane))


def paint_outside(sheet: PaintContext) -> None:
    """Blank what lies before the film's start and after its end."""
    view = sheet.view
    left, right = view.x(0), view.x(view.end)
    top, bottom = sheet.bands[Lane.SCENES].top, sheet.bands[Lane.NARRATION].bottom
    for first, last in ((0.0, left), (right, float(view.width))):
        if last > first:
            sheet.painter.fillRect(QRectF(first, top, last - first, bottom - top), sheet.ink.window)


def paint_edges(sheet: PaintContext) -> None:
    """A hairline below every lane that is unlike the next."""
    step = sheet.view.step
    for lane in (Lane.RULER, Lane.SCENES, Lane.SHOTS, Lane.PEOPLE, Lane.SOUND, Lane.GAPS, Lane.NARRATION):
        band = sheet.bands[lane]
        if band.height:
            height = max(1, round(0.9 / step)) * step
            sheet.painter.fillRect(QRectF(0, band.bottom - height, sheet.view.width, height), sheet.ink.line)


def _paint_ruler(sheet: PaintContext) -> None:
    """Ticks, and the timecode at the large ones."""
    view, band, ink = sheet.view, sheet.bands[Lane.RULER], sheet.ink
    start, end = view.shown
    label_width = 120 * view.ms_per_px
    found = ticks(sheet.rows.script.film, start - label_width, end, view.ms_per_px)
    large: list[float] = []
    small: list[float] = []
    for tick, x in zip(found, view.xs([tick.ms for tick in found], range(len(found))), strict=True):
        if tick.label:
            large.append(x)
            middle = band.top + (band.height - 4) / 2
            ink.small.draw(sheet.painter, tick.label, x + 4, x + 4 + 100, middle, ink.quiet)
        else:
            small.append(x)
    sheet.uprights(large, band.bottom - 12, band.bottom, ink.faint)
    sheet.uprights(small, band.bottom - 4, band.bottom, ink.line)


def _paint_scenes(sheet: PaintContext) -> None:
    """Where scenes begin; their titles are written over it, since they stay in view."""
    view, band, ink, strip = sheet.view, sheet.bands[Lane.SCENES], sheet.ink, sheet.rows.scenes
    reviewed = sheet.rows.reviewed
    grounds: dict[bool, list[QRectF]] = {False: [], True: []}
    starts: list[float] = []
    ends: list[float] = []
    places = strip.between(*view.shown)
    for i, left, right in zip(places, view.xs(strip.starts, places), view.xs(strip.ends, places), strict=True):
        grounds[strip.keys[i] in reviewed].append(QRectF(left, band.top, right - left, band.height))
        starts.append(left)
        if i + 1 == len(strip) or strip.starts[i + 1] != strip.ends[i]:
            ends.append(right - view.step)
    sheet.rectangles(grounds[False], ink.panel)
    sheet.rectangles(grounds[True], ink.lane)
    sheet.uprights(starts, band.top, sheet.bands[Lane.SOUND].bottom, ink.faint)
    sheet.uprights(ends, band.top, band.bottom, ink.faint)


def _paint_shots(sheet: PaintContext) -> None:
    """Each shot with its picture; where shots are narrow, a strip of the film."""
    band, view = sheet.bands[Lane.SHOTS], sheet.view
    if not band.height:
        return
    strip, thumbnails, width = sheet.rows.shots, sheet.film.thumbnails, 0.0
    mean = strip.mean_length / view.ms_per_px
    if thumbnails is not None and thumbnails.items:
        first = thumbnails.items[0]
        width = max(8.0, round(first.width / max(1, first.height) * (band.height - PICTURE_MARGIN)))
        places = _strip_places(view, width) if mean < width * 0.6 else _shot_places(view, band, thumbnails)
        for ms, left, right in places:
            thumbnail = thumbnails.at(ms)
            if thumbnail is not None:
                _draw_picture(sheet, band, thumbnail, left, right)
    if mean >= NARROWEST_SHOT:
        top = band.top if mean >= 16 or not width else band.bottom - 8
        colour = sheet.ink.faint if mean >= 24 else sheet.ink.line
        sheet.uprights(view.xs(strip.starts, strip.between(*view.shown)), top, band.bottom, colour)


def _shot_places(view: VisibleRange, band: Band, thumbnails: Thumbnails) -> Iterator[tuple[int, float, float]]:
    """The time, left and right edge of a picture for each shot that is wide enough."""
    start, end = (round(ms) for ms in view.shown)
    for each in thumbnails.between(start, end):
        left, right = view.x(each.start), view.x(each.end)
        width = each.width / max(1, each.height) * (band.height - PICTURE_MARGIN)
        if right - left >= 16:
            yield each.start, left + 1, min(right, left + 1 + width) - 1


def _strip_places(view: VisibleRange, width: float) -> Iterator[tuple[int, float, float]]:
    """The same side by side at fixed places of the film, so that scrolling moves pictures and does not change them."""
    slot = width + 2
    first = int(view.left // slot)
    for number in range(first, first + int(view.width / slot) + 2):
        left = number * slot - view.left
        ms = view.time(left)
        if 0 <= ms < view.end:
            yield round(ms), left, left + width


def _draw_picture(sheet: PaintContext, band: Band, thumbnail: Thumbnail, left: float, right: float) -> None:
    scale, height = 1 / sheet.view.step, band.height - PICTURE_MARGIN
    image = sheet.film.pictures.image(thumbnail, max(1, round(height * scale)))
    area = QRectF(left, band.top + 4, right - left, height)
    if image is None:
        sheet.painter.fillRect(area, sheet.ink.line)
        return
    sheet.painter.drawImage(area, image, QRectF(0, 0, min(image.width(), area.width() * scale), image.height()))


def _paint_sound(sheet: PaintContext) -> None:
    """The waveform, as an image."""
    band, view, peaks = sheet.bands[Lane.SOUND], sheet.view, sheet.film.peaks
    if not band.height or peaks is None or sheet.densities is None:
        return
    columns = round(view.width / view.step)
    start, end = view.time(0), view.time(columns * view.step)
    shares = (peaks.window(start, end, columns) / 255.0) ** LOUD
    height = band.height - PICTURE_MARGIN
    image = sheet.densities.centred(shares, sheet.ink.wave, round(height / view.step))
    left, right = max(0.0, view.x(0)), min(float(view.width), view.x(min(view.end, peaks.duration)))
    if right > left:
        part = QRectF(left / view.step, 0, (right - left) / view.step, image.height())
        sheet.painter.drawImage(QRectF(left, band.top + 4, right - left, height), image, part)
