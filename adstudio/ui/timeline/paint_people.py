"""Paints who is seen in which shot."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from adstudio.ui.timeline.items import Box, boxes
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.paint_context import PaintContext
from adstudio.ui.timeline.paint_resources import PADDING

LEAST_TEXT = 24
"""Pixels of a shot in which a name is written."""


def paint_people(sheet: PaintContext) -> None:
    """A box for each shot with people in it, and their names where there is room."""
    band, people = sheet.bands[Lane.PEOPLE], sheet.film.people
    if not band.height or not people.strip:
        return
    found: list[QRectF] = []
    texts: list[tuple[int, Box]] = []
    last = -1.0
    for i, each in boxes(sheet.view, band, people.strip):
        width = max(1.0, each.right - each.left - sheet.view.step)
        # Of many shots in one pixel, one is enough.
        if width > 1.0 or each.left - last >= sheet.view.step:
            found.append(QRectF(each.left, each.top, width, each.bottom - each.top))
            last = each.left
        if width > LEAST_TEXT:
            texts.append((i, each))
    sheet.rectangles(found, sheet.ink.other_cue)
    for i, each in texts:
        if each.bottom - each.top >= sheet.ink.small.height - 2:
            left, right = each.left + PADDING, each.right - PADDING
            sheet.ink.small.draw(sheet.painter, people.text(i), left, right, each.middle, sheet.ink.quiet)
