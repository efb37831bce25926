"""Pens, brushes, fonts and labels for painting, made once for a theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPen
from PySide6.QtWidgets import QApplication

from adstudio.ui.timeline.label_layout import LabelLayout
from adstudio.ui.timeline.rows import SHADES
from adstudio.ui.widgets.formatting import duration
from adstudio.ui.widgets.theme import READABLE, Tokens, contrast, mixed, on_salience, salience_colour, time_font

PADDING = 6
"""Pixels between an item's edge and its label."""
CACHED_LENGTHS = 20_000


class PaintResources:
    """The colours of a theme as the lanes use them."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        size = QApplication.font().pointSizeF()
        text = QFont(QApplication.font())
        text.setPointSizeF(max(7.0, size - 0.5))
        small = time_font(max(6.5, size - 1.5))
        bold = QFont(small)
        bold.setWeight(QFont.Weight.DemiBold)
        self.text, self.small, self.bold = LabelLayout(text), LabelLayout(small), LabelLayout(bold)
        self.window = QColor(tokens.window)
        self.panel = QColor(tokens.panel)
        self.lane = QColor(tokens.lane)
        self.line = QColor(tokens.line)
        self.quiet = QColor(tokens.quiet)
        self.faint = QColor(tokens.faint)
        self.ink = QColor(tokens.text)
        self.accent = QColor(tokens.accent)
        self.on_accent = QColor(tokens.on_accent)
        self.accent_wash = faded(tokens.accent, 0.14)
        self.accent_frame = faded(tokens.accent, 0.45)
        self.dialogue = QColor(tokens.dialogue)
        self.on_dialogue = QColor(tokens.on_dialogue)
        self.other_cue = mixed(tokens.panel, tokens.dialogue, 0.45)
        self.gap = QColor(tokens.gap)
        self.gap_edge = mixed(tokens.gap, tokens.salience_most, 0.65)
        self.gap_use = mixed(tokens.gap, tokens.salience_most, 0.72)
        self.gap_ground = mixed(tokens.panel, tokens.gap, 0.7)
        self.silence = QColor(tokens.silence)
        self.silence_hatch = QBrush(mixed(tokens.silence, tokens.text, 0.22), Qt.BrushStyle.BDiagPattern)
        self.warning = QColor(tokens.warning)
        self.warning_wash = QColor(tokens.warning_wash)
        self.warning_hatch = QBrush(mixed(tokens.warning_wash, tokens.warning, 0.45), Qt.BrushStyle.BDiagPattern)
        self.thread = mixed(tokens.panel, tokens.salience_most, 0.68)
        shades = [(n + 0.5) / SHADES for n in range(SHADES)]
        self.shades = [QBrush(salience_colour(tokens, share)) for share in shades]
        self.on_shade = [on_salience(tokens, share) for share in shades]
        self.line_waves = [wave_on(tokens, share) for share in shades]
        # a hollow mark must be seen on its ground, however little its line weighs
        self.outlines = [mixed(tokens.faint, tokens.salience_most, 0.7 * share) for share in shades]
        self.wave = QColor(tokens.wave)
        self.seconds = lru_cache(maxsize=CACHED_LENGTHS)(duration)
        """A length as it is written on gaps and lines."""


@lru_cache(maxsize=256)
def wave_on(tokens: Tokens, salience: float) -> QColor:
    """The colour of a line's waveform on its shade: as unlike the shade as the words over it allow."""
    ground, words = salience_colour(tokens, salience), on_salience(tokens, salience)
    black, white = QColor("#000000"), QColor("#ffffff")
    away = black if contrast(words, black) > contrast(words, white) else white
    shares = (step / 20 for step in range(1, 11))
    found = [mixed(ground.name(), to.name(), share) for share in shares for to in (words, away)]
    readable = [colour for colour in found if contrast(words, colour) >= READABLE]
    return max(readable, key=lambda colour: contrast(colour, ground), default=ground)


@lru_cache(maxsize=256)
def faded(colour: str, opacity: float) -> QColor:
    """A colour that lets what lies below shine through."""
    found = QColor(colour)
    found.setAlphaF(opacity)
    return found


def hair(step: float) -> float:
    """One pixel of the screen, or the width nearest to it that stays crisp."""
    return max(1, round(1 / step * 0.9)) * step


def hairline(colour: QColor, step: float) -> QPen:
    """A pen of one pixel of the screen, or of the width nearest to it that stays crisp."""
    pen = QPen(colour)
    pen.setWidthF(hair(step))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen
