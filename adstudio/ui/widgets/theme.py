"""The look of adstudio: one accent, one hue whose lightness is salience, neutral greys, in light and dark.

Every colour of the program stands here. What a colour says, a shape or a glyph says as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

UNIT = 4
"""Every distance is a multiple of this many device-independent pixels."""
HAIR = 1
"""A hairline, and the ring around what has keyboard focus."""
INSET = UNIT - HAIR
"""The padding beside a hairline, so that both together stand on the grid."""


READABLE = 4.5
"""The least contrast of text and its ground (WCAG 2.2, 1.4.3, level AA)."""


TEXT_SIZES = (100, 110, 125, 150, 175, 200)
"""The sizes of text that can be chosen, in hundredths of the system's."""
TEXT_HEIGHT = 17
"""Pixels of a line of text of ordinary size."""
SYSTEM_SIZE = "adstudio.system_size"
"""The property of the application that holds the system's size of text, in points."""


class Look(Enum):
    """The theme the describer has chosen."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"


@dataclass(frozen=True)
class Tokens:
    """The colours of a theme by what they mean, as #rrggbb."""

    dark: bool
    window: str  # behind everything
    panel: str  # lists, fields, lanes
    raised: str  # buttons, headers
    lane: str  # every other lane and row
    line: str  # hairlines between things
    text: str
    quiet: str  # secondary text
    faint: str  # disabled text, ticks, the edges of fields and of what is hollow: 3 : 1 on every ground
    accent: str  # selection, focus, playhead
    on_accent: str  # text on the accent
    accent_wash: str  # the background of what is selected
    dialogue: str  # dialogue cues
    on_dialogue: str
    gap: str  # free time
    silence: str  # kept silent
    salience_least: str  # the hue of salience, from here …
    salience_most: str  # … to here
    on_salience_least: str
    on_salience_most: str
    wave: str  # the sound
    warning: str  # conflicts, what does not fit
    warning_wash: str
    good: str  # proven, fits


_COLOURS = {
    "window": ("#f3f4f5", "#191c1f", "#ffffff", "#000000"),
    "panel": ("#ffffff", "#212529", "#ffffff", "#000000"),
    "raised": ("#fafbfb", "#2a2f34", "#ffffff", "#000000"),
    "lane": ("#f7f8f9", "#1d2124", "#ffffff", "#000000"),
    "line": ("#d9dcdf", "#363c42", "#8a8a8a", "#626262"),
    "text": ("#1b1f23", "#e6e9ec", "#000000", "#ffffff"),
    "quiet": ("#59626b", "#a3adb6", "#000000", "#ffffff"),
    "faint": ("#7d868e", "#7a848e", "#4d4d4d", "#c0c0c0"),
    "accent": ("#2f5fd0", "#86a8ff", "#0030a8", "#ffe14d"),
    "on_accent": ("#ffffff", "#0d1733", "#ffffff", "#000000"),
    "accent_wash": ("#e2eafb", "#2a3757", "#e0e8ff", "#2a2500"),
    "dialogue": ("#c9ced4", "#464e56", "#d0d0d0", "#404040"),
    "on_dialogue": ("#23282d", "#e6e9ec", "#000000", "#ffffff"),
    "gap": ("#eaf3f1", "#1f302d", "#e4f4f0", "#00241e"),
    "silence": ("#dcdfe3", "#30353a", "#d8d8d8", "#333333"),
    "salience_least": ("#cfe6e1", "#2c4b46", "#5f9c92", "#35998a"),
    "salience_most": ("#0e6b5e", "#6fd3c2", "#00332b", "#8ff5e3"),
    "on_salience_least": ("#14322d", "#dff3ef", "#000000", "#000000"),
    "on_salience_most": ("#ffffff", "#06201c", "#ffffff", "#000000"),
    "wave": ("#87919b", "#6b7680", "#4d4d4d", "#c0c0c0"),
    "warning": ("#b3381e", "#ff9a7d", "#7d0000", "#ff9d82"),
    "warning_wash": ("#fbe6e0", "#4a2a22", "#ffe9e4", "#3d1008"),
    "good": ("#1d6f4c", "#7fd1a8", "#00401f", "#7dffbd"),
}
"""Each in the light and the dark theme, and in those of high contrast."""
LIGHT, DARK, CONTRAST_LIGHT, CONTRAST_DARK = (
    Tokens(dark=place % 2 == 1, **{name: colours[place] for name, colours in _COLOURS.items()}) for place in range(4)
)


def prefers_contrast() -> bool:
    """Whether the system asks for high contrast."""
    hints = QGuiApplication.styleHints()  # PySide lets go of what a temporary one returns
    return hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast


def _is_dark() -> bool:
    return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


def tokens_for(look: Look) -> Tokens:
    """The tokens of a look: by default those the system asks for; high contrast is light or dark as the system is."""
    is_dark = _is_dark()
    match look:
        case Look.LIGHT:
            return LIGHT
        case Look.DARK:
            return DARK
        case Look.SYSTEM if not prefers_contrast():
            return DARK if is_dark else LIGHT
        case _:
            return CONTRAST_DARK if is_dark else CONTRAST_LIGHT


@cache
def on_selection(tokens: Tokens) -> Tokens:
    """The colours on a selected row: its ground is the accent, and all that is written or drawn there is of one ink.

    A wash can hardly be told from the ground of other rows (WCAG 2.2, 1.4.11: 3 : 1).
    """
    ground, ink = tokens.accent, tokens.on_accent
    grounds = dict.fromkeys(("window", "panel", "raised", "lane", "accent_wash", "warning_wash", "on_accent"), ground)
    inks = dict.fromkeys(("text", "quiet", "faint", "accent", "warning", "good", "line"), ink)
    shades = dict.fromkeys(("salience_least", "salience_most"), ink)
    return replace(tokens, **grounds, **inks, **shades)


def salience_colour(tokens: Tokens, salience: float) -> QColor:
    """The shade of a salience of 0…1; what lies outside is taken to its nearest end."""
    return mixed(tokens.salience_least, tokens.salience_most, min(1.0, max(0.0, salience)))


def on_salience(tokens: Tokens, salience: float) -> QColor:
    """The text colour on the shade of a salience: the first that is read well (WCAG 2.2, 1.4.3, level AA).

    On the shades in the middle only black or white is.
    """
    ground = salience_colour(tokens, salience)
    inks = [QColor(name) for name in (tokens.on_salience_most, tokens.on_salience_least, "#000000", "#ffffff")]
    return next(
        (ink for ink in inks if contrast(ink, ground) >= READABLE), max(inks, key=lambda i: contrast(i, ground))
    )


def mixed(one: str, other: str, share: float) -> QColor:
    """The colour that lies `share` of the way from one to the other."""
    a, b = QColor(one), QColor(other)
    return QColor.fromRgbF(
        a.redF() + (b.redF() - a.redF()) * share,
        a.greenF() + (b.greenF() - a.greenF()) * share,
        a.blueF() + (b.blueF() - a.blueF()) * share,
    )


def contrast(one: QColor, other: QColor) -> float:
    """The contrast of two colours from 1 to 21 (WCAG 2.2, contrast ratio)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def apply_text_size(application: QApplication, percent: int) -> None:
    """Write everything in so many hundredths of the system's size."""
    base = application.property(SYSTEM_SIZE)
    if not isinstance(base, float):
        base = application.font().pointSizeF()
        application.setProperty(SYSTEM_SIZE, base)
    font = application.font()
    if base > 0 and abs(font.pointSizeF() - base * percent / 100) > 0.01:
        font.setPointSizeF(base * percent / 100)
        application.setFont(font)


def text_scale() -> float:
    """How much higher text is than that for which sizes in pixels are meant; at least 1."""
    return max(1.0, QFontMetrics(QApplication.font()).height() / TEXT_HEIGHT)


def time_font(size: float | None = None) -> QFont:
    """The font for times: figures of one width, so that nothing shifts."""
    font = QFont()  # the application's, and its size stays that
    font.setFeature(QFont.Tag("tnum"), 1)
    if size is not None:
        font.setPointSizeF(size)
    return font


def apply_theme(application: QApplication, tokens: Tokens) -> None:
    """Style the whole program."""
    application.setStyle("Fusion")
    application.setPalette(_palette(tokens))
    application.setStyleSheet(_style_sheet(tokens))


def _palette(tokens: Tokens) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for where, colour in (
        (role.Window, tokens.window),
        (role.WindowText, tokens.text),
        (role.Base, tokens.panel),
        (role.AlternateBase, tokens.lane),
        (role.Text, tokens.text),
        (role.PlaceholderText, tokens.quiet),
        (role.Button, tokens.raised),
        (role.ButtonText, tokens.text),
        (role.ToolTipBase, tokens.raised),
        (role.ToolTipText, tokens.text),
        (role.Highlight, tokens.accent),
        (role.HighlightedText, tokens.on_accent),
        (role.Link, tokens.accent),
        (role.LinkVisited, tokens.accent),
        (role.Accent, tokens.accent),
        (role.Light, tokens.raised),
        (role.Midlight, tokens.line),
        (role.Mid, tokens.line),
        (role.Dark, tokens.line),
        (role.Shadow, tokens.line),
    ):
        palette.setColor(where, QColor(colour))
    for where in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, QColor(tokens.faint))
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(tokens.line))
    return palette


def _style_sheet(t: Tokens) -> str:
    text = -(-QFontMetrics(QApplication.font()).height() // UNIT) * UNIT
    field = max(5 * UNIT, text)
    return f"""
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QMainWindow::separator {{ background: {t.window}; width: {UNIT}px; height: {UNIT}px; }}
    QMainWindow::separator:hover {{ background: {t.accent}; }}
    QSplitter::handle {{ background: {t.window}; }}
    QSplitter::handle:hover {{ background: {t.accent}; }}
    QSplitter::handle:vertical {{ height: {UNIT}px; }}
    QSplitter::handle:horizontal {{ width: {UNIT}px; }}
    QDockWidget {{ color: {t.quiet}; titlebar-close-icon: none; }}
    QDockWidget::title {{ background: {t.window}; padding: {UNIT}px {2 * UNIT}px; text-align: left; }}
    QToolBar {{ background: {t.window}; border: 0; border-bottom: {HAIR}px solid {t.line}; spacing: {UNIT}px;
        padding: {UNIT}px {2 * UNIT}px; }}
    QToolBar::separator {{ background: {t.line}; width: {HAIR}px; margin: {UNIT}px {UNIT}px; }}
    QToolButton {{ border: {HAIR}px solid transparent; border-radius: {UNIT}px; padding: {INSET}px {2 * UNIT}px;
        min-height: {field - UNIT}px; }}
    QToolButton:hover {{ background: {t.raised}; border-color: {t.line}; }}
    QToolButton:pressed {{ background: {t.line}; }}
    QToolButton:checked {{ background: {t.accent_wash}; border-color: {t.accent}; }}
    QToolButton:disabled {{ color: {t.faint}; }}
    QToolButton:focus, QPushButton:focus {{ border: {HAIR}px solid {t.accent}; }}
    QToolButton:checked:focus {{ border-color: {t.text}; }}
    QPushButton {{ background: {t.raised}; border: {HAIR}px solid {t.line}; border-radius: {UNIT}px;
        padding: {INSET}px {3 * UNIT}px; min-height: {field}px; }}
    QPushButton:hover {{ border-color: {t.faint}; }}
    QPushButton:pressed {{ background: {t.line}; }}
    QPushButton:disabled {{ color: {t.faint}; background: transparent; }}
    QPushButton[option="true"] {{ background: transparent; border: {HAIR}px solid transparent; min-height: 0;
        padding: {INSET}px {2 * UNIT}px; }}
    QPushButton[option="true"]:hover {{ background: {t.raised}; border-color: {t.line}; }}
    QPushButton[option="true"]:checked {{ background: {t.accent_wash}; border-color: {t.accent}; }}
    QPushButton[option="true"]:checked:focus {{ background: {t.accent}; color: {t.on_accent}; border-color: {t.text}; }}
    QPushButton:default {{ background: {t.accent}; color: {t.on_accent}; border-color: {t.accent}; }}
    QPushButton:default:focus {{ border-color: {t.text}; }}
    QPushButton:default:disabled {{ background: {t.line}; color: {t.quiet}; border-color: {t.line}; }}
    QLineEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {{
        background: {t.panel}; border: {HAIR}px solid {t.faint}; border-radius: {UNIT}px;
        padding: {INSET}px {UNIT}px; selection-background-color: {t.accent}; selection-color: {t.on_accent}; }}
    QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {{ min-height: {field}px; }}
    QLineEdit:disabled, QPlainTextEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {{
        background: {t.window}; border-color: {t.line}; color: {t.faint}; }}
    QLineEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {{
        border-color: {t.accent}; }}
    QComboBox QAbstractItemView {{ border: {HAIR}px solid {t.line}; }}
    QTableView, QListView, QTreeView {{ background: {t.panel}; alternate-background-color: {t.lane};
        border: 0; outline: 0; gridline-color: {t.line};
        selection-background-color: {t.accent}; selection-color: {t.on_accent}; }}
    QListView[inset="true"] {{ padding: 0 {2 * UNIT}px; }}
    QListView::item, QTreeView::item {{ min-height: {4 * UNIT}px; padding: {INSET}px {UNIT}px;
        border: {HAIR}px solid transparent; }}
    QListView::item:hover, QTreeView::item:hover {{ background: {t.lane}; }}
    QListView::item:selected, QTreeView::item:selected {{ background: {t.accent}; color: {t.on_accent}; }}
    QListView::item:focus, QTreeView::item:focus {{ border-color: {t.accent}; }}
    QListView::item:selected:focus, QTreeView::item:selected:focus {{ border-color: {t.on_accent}; }}
    QHeaderView {{ background: {t.window}; }}
    QHeaderView::section {{ background: {t.window}; color: {t.quiet}; border: 0;
        border-bottom: {HAIR}px solid {t.line}; padding: {INSET}px {2 * UNIT}px; }}
    QTabBar::tab {{ color: {t.quiet}; padding: {UNIT}px {3 * UNIT}px; border: 0;
        border-bottom: {2 * HAIR}px solid transparent; }}
    QTabBar::tab:hover {{ color: {t.text}; }}
    QTabBar::tab:selected {{ color: {t.text}; border-bottom-color: {t.accent}; }}
    QTabBar::tab:selected:focus {{ background: {t.accent}; color: {t.on_accent}; }}
    QTabWidget::pane {{ border: 0; border-top: {HAIR}px solid {t.line}; }}
    QMessageBox QLabel#qt_msgbox_label {{ font-weight: bold; }}
    QMenuBar {{ background: {t.window}; }}
    QMenuBar::item {{ padding: {UNIT}px {2 * UNIT}px; }}
    QMenuBar::item:selected, QMenu::item:selected {{ background: {t.accent}; color: {t.on_accent}; }}
    QMenu {{ background: {t.panel}; border: {HAIR}px solid {t.line}; padding: {INSET}px 0; }}
    QMenu::item {{ padding: {UNIT}px {6 * UNIT}px; }}
    QMenu::icon {{ padding-left: {2 * UNIT}px; }}
    QMenu::item:disabled {{ color: {t.faint}; }}
    QMenu::separator {{ height: {HAIR}px; background: {t.line}; margin: {UNIT}px 0; }}
    QLabel[objectName="long message"] {{ background: {t.raised}; color: {t.text};
        border-top: {HAIR}px solid {t.line}; }}
    QStatusBar {{ background: {t.window}; color: {t.quiet}; }}
    QStatusBar::item {{ border: 0; }}
    QToolTip {{ background: {t.raised}; color: {t.text}; border: {HAIR}px solid {t.line}; padding: {INSET}px; }}
    QScrollBar {{ background: transparent; border: 0; }}
    QTableView QScrollBar, QTreeView QScrollBar {{ background: {t.window}; }}
    QScrollBar:vertical {{ width: {3 * UNIT}px; }}
    QScrollBar:horizontal {{ height: {3 * UNIT}px; }}
    QScrollBar::handle {{ background: {t.faint}; margin: {UNIT}px; border-radius: {2 * HAIR}px;
        min-width: {8 * UNIT}px; min-height: {8 * UNIT}px; }}
    QScrollBar::handle:hover {{ background: {t.quiet}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QAbstractScrollArea::corner {{ background: transparent; border: 0; }}
    QSlider::groove:horizontal {{ background: transparent; height: {UNIT}px; }}
    QSlider::add-page:horizontal {{ background: {t.line}; height: {UNIT}px; border-radius: {2 * HAIR}px; }}
    QSlider::sub-page:horizontal {{ background: {t.accent}; height: {UNIT}px; border-radius: {2 * HAIR}px; }}
    QSlider::handle:horizontal {{ background: {t.panel}; border: {2 * HAIR}px solid {t.accent}; width: {2 * UNIT}px;
        margin: -{UNIT}px 0; border-radius: {UNIT}px; }}
    QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus {{ background: {t.accent}; }}
    QSlider::sub-page:horizontal:disabled {{ background: {t.line}; }}
    QSlider::handle:horizontal:disabled {{ border-color: {t.faint}; }}
    QProgressBar {{ background: {t.line}; border: 0; border-radius: {2 * HAIR}px; max-height: {UNIT}px;
        text-align: center; }}
    QProgressBar::chunk {{ background: {t.accent}; border-radius: {2 * HAIR}px; }}
    *[quiet="true"] {{ color: {t.quiet}; }}
    *[warning="true"] {{ color: {t.warning}; }}
    *[good="true"] {{ color: {t.good}; }}
    """
