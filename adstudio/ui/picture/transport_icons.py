"""The icons of the transport, of undo and of redo, in the colours of the theme at any resolution."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

SIZE = 16
RATIOS = (1.0, 1.5, 2.0, 3.0)
_SPEAKER = "M2 6H4.5L8 3V13L4.5 10H2Z"
_ICONS = {
    "play": ("M4 3 13 8 4 13Z", ""),
    "pause": ("M4 3h3v10h-3ZM9 3h3v10h-3Z", ""),
    "forward": ("M3 3h2v10h-2ZM7 3 13 8 7 13Z", ""),
    "back": ("M9 3 3 8 9 13ZM11 3h2v10h-2Z", ""),
    "loud": (_SPEAKER, "M10.1 10.1A3 3 0 0 0 10.1 5.9M11.9 11.9A5.5 5.5 0 0 0 11.9 4.1"),
    "mute": (_SPEAKER, "M10.5 6 14 10M14 6 10.5 10"),
    "loop": ("", "M10.75 4.1A5.5 4.5 0 1 0 13.5 8M8.5 1 11 3.9 8.2 6.2"),
    "undo": ("", "M5.5 2.5 2.5 5.5 5.5 8.5M2.8 5.5H9.5A4 4 0 0 1 9.5 13.5H6"),
    "redo": ("", "M10.5 2.5 13.5 5.5 10.5 8.5M13.2 5.5H6.5A4 4 0 0 0 6.5 13.5H10"),
}
"""What is filled and what is drawn with a pen, as SVG paths."""


def icon(name: str, colour: str, faint: str) -> QIcon:
    """An icon by its name; `faint` is its colour where its action is disabled."""
    icon = QIcon()
    for ratio in RATIOS:
        icon.addPixmap(_pixmap(name, colour, ratio))
        icon.addPixmap(_pixmap(name, faint, ratio), QIcon.Mode.Disabled)
    return icon


def _pixmap(name: str, colour: str, ratio: float) -> QPixmap:
    filled, drawn = _ICONS[name]
    pen = f'fill="none" stroke="{colour}" stroke-width="1.5" stroke-linecap="round"'
    paths = "".join(f'<path d="{d}" {look}/>' for d, look in ((filled, f'fill="{colour}"'), (drawn, pen)) if d)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">{paths}</svg>'
    pixmap = QPixmap(round(SIZE * ratio), round(SIZE * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        QSvgRenderer(svg.encode()).render(painter, QRectF(0, 0, SIZE, SIZE))
    return pixmap
