"""Our icons: of actions in the colours of the theme, at any resolution and size of text, and of the program."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from adstudio.system.locations import resource
from adstudio.ui.widgets.theme import text_scale

SIZE = 16
"""Pixels of an icon beside a text of ordinary size, and the grid on which icons are drawn."""
PROGRAM_SIZES = (16, 24, 32, 48, 64, 128, 256)
RATIOS = (1.0, 1.5, 2.0, 3.0)
_SPEAKER = "M2 6H4.5L8 3V13L4.5 10H2Z"
ICONS = {
    "play": ("M4 3 13 8 4 13Z", ""),
    "pause": ("M4 3h3v10h-3ZM9 3h3v10h-3Z", ""),
    "forward": ("M3 3h2v10h-2ZM7 3 13 8 7 13Z", ""),
    "back": ("M9 3 3 8 9 13ZM11 3h2v10h-2Z", ""),
    "loud": (_SPEAKER, "M10.1 10.1A3 3 0 0 0 10.1 5.9M11.9 11.9A5.5 5.5 0 0 0 11.9 4.1"),
    "mute": (_SPEAKER, "M10.5 6 14 10M14 6 10.5 10"),
    "loop": ("", "M10.75 4.1A5.5 4.5 0 1 0 13.5 8M8.5 1 11 3.9 8.2 6.2"),
    "new": ("", "M4 2.5h5.5L12.5 5.5v8H4ZM8.2 7v4M6.2 9h4"),
    "open": ("", "M2.5 4h4L8 5.5h5.5v7h-11Z"),
    "save": ("", "M3 3h8l2 2v8H3ZM5.5 3v3h4.5v-3M5.5 13v-4h5v4"),
    "export": ("", "M8 10V2.5M5.2 5.2 8 2.5l2.8 2.7M3 9v4h10V9"),
    "link": (
        "",
        "M6 10 10 6M7 5l1.5-1.5a2.6 2.6 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.6 2.6 0 0 1-4-4L5 7",
    ),
    "dialogue": ("", "M2.5 3.5h11v7h-5L5 13v-2.5H2.5Z"),
    "settings": ("M5 3h2.5v3H5ZM9 6.5h2.5v3H9ZM4 10h2.5v3H4Z", "M2.5 4.5h11M2.5 8h11M2.5 11.5h11"),
    "models": ("", "M8 2.5 9.5 6.5 13.5 8 9.5 9.5 8 13.5 6.5 9.5 2.5 8 6.5 6.5Z"),
    "find": ("", "M7 2.8a4.2 4.2 0 1 0 .01 0M10.2 10.2 13.5 13.5"),
    "delete": ("", "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5"),
    "line": ("", "M3 4h10M3 8h5M3 12h4M11.5 8.5v5M9 11h5"),
    "lock": ("", "M4 7h8v6H4ZM5.5 7V5a2.5 2.5 0 0 1 5 0v2"),
    "zoom in": ("", "M7 2.8a4.2 4.2 0 1 0 .01 0M10.2 10.2 13.5 13.5M7 5v4M5 7h4"),
    "zoom out": ("", "M7 2.8a4.2 4.2 0 1 0 .01 0M10.2 10.2 13.5 13.5M5 7h4"),
    "why": ("", "M8 2.5a5.5 5.5 0 1 0 .01 0M6.3 6.3a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.9.6-.9 1.3M8 11.3v.3"),
    "keys": ("", "M2 4.5h12v7H2ZM4.5 7h.5M7.7 7h.6M11 7h.5M5.5 9.5h5"),
    "undo": ("", "M5.5 2.5 2.5 5.5 5.5 8.5M2.8 5.5H9.5A4 4 0 0 1 9.5 13.5H6"),
    "redo": ("", "M10.5 2.5 13.5 5.5 10.5 8.5M13.2 5.5H6.5A4 4 0 0 0 6.5 13.5H10"),
}
"""What is filled and what is drawn with a pen, as SVG paths."""


def icon_size() -> int:
    """How many pixels high icons are beside a text of the program's size."""
    return round(SIZE * text_scale())


def icon(name: str, colour: str, faint: str) -> QIcon:
    """An icon by its name; `faint` is its colour where its action is disabled."""
    icon, size = QIcon(), icon_size()
    for ratio in RATIOS:
        icon.addPixmap(_pixmap(_svg(name, colour), size, ratio))
        icon.addPixmap(_pixmap(_svg(name, faint), size, ratio), QIcon.Mode.Disabled)
    return icon


def program_icon() -> QIcon:
    """The icon of the program's windows."""
    svg = resource("icons", "adstudio.svg").read_bytes()
    icon = QIcon()
    for size in PROGRAM_SIZES:
        icon.addPixmap(_pixmap(svg, size, 1.0))
    return icon


def _svg(name: str, colour: str) -> bytes:
    filled, drawn = ICONS[name]
    pen = f'fill="none" stroke="{colour}" stroke-width="1.5" stroke-linecap="round"'
    paths = "".join(f'<path d="{d}" {look}/>' for d, look in ((drawn, pen), (filled, f'fill="{colour}"')) if d)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">{paths}</svg>'.encode()


def _pixmap(svg: bytes, size: int, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        QSvgRenderer(svg).render(painter, QRectF(0, 0, size, size))
    return pixmap
