"""How the editor looks: what is written can be read, distances stand on the grid, and nothing is cut at 150 %."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from desks import desk_on
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetrics
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QListWidget, QWidget

from adstudio.ui.panels.problems import ProblemsPanel
from adstudio.ui.timeline.paint_resources import PaintResources
from adstudio.ui.widgets.controls import Choice
from adstudio.ui.widgets.theme import (
    DARK,
    HAIR,
    LIGHT,
    READABLE,
    UNIT,
    Look,
    Tokens,
    apply_theme,
    contrast,
    on_salience,
    salience_colour,
)

SEEN = 3.0  # WCAG 2.2, 1.4.11: the least contrast of what is no text

TEXTS = {
    "text": "window panel raised lane line accent_wash gap silence warning_wash",
    "quiet": "window panel raised lane line accent_wash gap silence",
    "accent": "window panel raised lane accent_wash",
    "warning": "window panel raised lane accent_wash warning_wash",
    "good": "window panel raised lane accent_wash",
    "on_accent": "accent",
    "on_dialogue": "dialogue",
}
"""What is written, and what it is written on: 4.5 : 1 (WCAG 2.2, 1.4.3)."""

SIGNS = {
    "faint": "window panel raised lane gap",  # the edges of fields, ticks, handles of scroll bars
    "accent": "window panel raised lane line accent_wash gap silence",  # rings, the playhead
    "warning": "window panel warning_wash line",
    "good": "window panel line",
    "wave": "panel lane",
}
"""What is drawn, and what it is drawn on: 3 : 1."""

THEMES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]


def of(tokens: Tokens, name: str) -> QColor:
    return QColor(getattr(tokens, name))


def short_of(tokens: Tokens, pairs: dict[str, str], least: float) -> list[str]:
    return [
        f"{ink} on {ground}: {found:.2f}"
        for ink, grounds in pairs.items()
        for ground in grounds.split()
        if (found := contrast(of(tokens, ink), of(tokens, ground))) < least
    ]


@pytest.mark.parametrize("tokens", THEMES)
def test_what_is_written_can_be_read(tokens: Tokens):
    assert short_of(tokens, TEXTS, READABLE) == []


@pytest.mark.parametrize("tokens", THEMES)
def test_what_is_drawn_can_be_seen(tokens: Tokens):
    assert short_of(tokens, SIGNS, SEEN) == []


@pytest.mark.parametrize("tokens", THEMES)
def test_words_on_every_shade_of_salience_can_be_read(tokens: Tokens):
    for hundredth in range(-20, 121):
        salience = hundredth / 100
        found = contrast(on_salience(tokens, salience), salience_colour(tokens, salience))
        assert found >= READABLE, f"salience {salience}: {found:.2f}"


@pytest.mark.parametrize("tokens", THEMES)
def test_words_over_the_waveform_of_a_line_can_be_read_and_the_waveform_be_told_from_the_line(qapp, tokens: Tokens):
    ink = PaintResources(tokens)
    for shade, wave, words in zip(ink.shades, ink.line_waves, ink.on_shade, strict=True):
        assert contrast(words, wave) >= READABLE
        assert contrast(wave, shade.color()) >= 1.3


@pytest.mark.parametrize("tokens", THEMES)
def test_what_the_timeline_mixes_can_be_seen(qapp, tokens: Tokens):
    ink = PaintResources(tokens)
    assert contrast(ink.quiet, ink.other_cue) >= READABLE  # words of a sound or of music
    for told, colour, ground in (
        ("thread", ink.thread, of(tokens, "panel")),
        ("edge of a gap", ink.gap_edge, of(tokens, "panel")),
        ("used time", ink.gap_use, of(tokens, "gap")),
    ):
        assert contrast(colour, ground) >= SEEN, told


def test_contrast_is_that_of_the_guideline():
    black, white = QColor("#000000"), QColor("#ffffff")
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(white, white) == 1
    assert contrast(QColor("#777777"), white) == pytest.approx(4.48, abs=0.005)  # the guideline's own close miss


RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
DECLARED = re.compile(r"([a-z-]+)\s*:\s*([^;]+)")
PIXELS = re.compile(r"(-?\d+)px")


@pytest.mark.parametrize("tokens", THEMES)
def test_every_distance_stands_on_the_grid(qapp: QApplication, tokens: Tokens):
    """Sizes are multiples of four pixels; a padding beside a hairline is so together with it."""
    before = qapp.styleSheet(), qapp.palette()
    try:
        apply_theme(qapp, tokens)
        sheet = qapp.styleSheet()
    finally:
        qapp.setStyleSheet(before[0])
        qapp.setPalette(before[1])
    off, rules = [], RULE.findall(sheet)
    assert len(rules) > 50
    for selector, body in rules:
        declared = dict(DECLARED.findall(body))
        framed = any("solid" in value for name, value in declared.items() if name.startswith("border"))
        for name, value in declared.items():
            for size in map(int, PIXELS.findall(value)):
                line = name.startswith("border") and "radius" not in name and size <= 2 * HAIR
                rule = name in {"width", "height"} and size == HAIR
                round_end = name == "border-radius" and size == UNIT // 2  # of a bar as thick as the grid
                beside = name == "padding" and framed and (size + HAIR) % UNIT == 0
                if size % UNIT and not (line or rule or round_end or beside):
                    off.append(f"{' '.join(selector.split())}: {name} {size}px")
    assert off == []


@pytest.mark.parametrize("tokens", THEMES)
def test_the_choice_that_has_the_keys_looks_otherwise(qapp: QApplication, qtbot, tokens: Tokens):
    before = qapp.styleSheet(), qapp.palette()
    try:
        apply_theme(qapp, tokens)
        holder = QWidget()
        qtbot.addWidget(holder)
        row = QHBoxLayout(holder)
        choice, other = Choice("What may leave", (("Offline", ""), ("Cloud", ""))), QLineEdit()
        row.addWidget(choice)
        row.addWidget(other)
        choice.show_choice(0)
        holder.show()
        holder.activateWindow()
        button = choice.group.button(0)
        grounds = []
        for part in (other, button):
            part.setFocus()
            qtbot.waitUntil(part.hasFocus)
            grounds.append(button.grab().toImage().pixelColor(4, button.height() // 2))
        assert contrast(*grounds) >= SEEN
    finally:
        qapp.setStyleSheet(before[0])
        qapp.setPalette(before[1])


LOOK_AT = '''
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
from desks import small_script
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDockWidget, QLabel, QTableView, QToolButton, QWidget

from adstudio.store.project import ProjectFile
from adstudio.ui.app.application import make_application
from adstudio.ui.widgets.controls import Link
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.app.window import Window

ROUNDING = 1
PATIENCE_MS = 5000


def cut(widget):
    """Whether a widget has less room than its words take."""
    if isinstance(widget, Link):  # cuts its words itself, with an ellipsis
        return False
    if isinstance(widget, QToolButton):  # its hint has room for what it does not show
        shows_text = widget.icon().isNull()
        return shows_text and widget.fontMetrics().horizontalAdvance(widget.text()) + 2 * UNIT > widget.width()
    wants = widget.sizeHint()
    if isinstance(widget, QLabel) and widget.wordWrap():
        return widget.heightForWidth(widget.width()) > widget.height() + ROUNDING
    return wants.width() > widget.width() + ROUNDING or wants.height() > widget.height() + ROUNDING


def heads(table):
    """Columns whose title is cut."""
    header = table.horizontalHeader()
    return [
        f"column {header.model().headerData(place, Qt.Orientation.Horizontal)}"
        for place in range(header.count())
        if not header.isSectionHidden(place)
        and header.fontMetrics().horizontalAdvance(str(header.model().headerData(place, Qt.Orientation.Horizontal)))
        > header.sectionSize(place)
    ]


def cut_in(dock):
    """What is cut in a dock, or in the window."""
    found = []
    for widget in (window if dock is None else dock).findChildren(QWidget):
        if not widget.isVisible() or widget.visibleRegion().isEmpty():
            continue
        if isinstance(widget, (QLabel, QAbstractButton, QComboBox)) and cut(widget):
            text = widget.currentText() if isinstance(widget, QComboBox) else widget.text()
            if text:
                found.append(f"{type(widget).__name__} {text!r} {widget.size()} {widget.sizeHint()}")
        if isinstance(widget, QTableView):
            found += heads(widget)
    return found


make_application()
window = Window()
window.resize(*map(int, sys.argv[3:5]))
window.show()
window.session.open_project(ProjectFile.create(Path(sys.argv[2]) / "small.adproj", small_script()))
window.session.cursor.select_line("a")
for layout in ("write", "review", "listen"):
    window.context.actions[f"view.layout_{layout}"].trigger()
    QTest.qWait(500)
    grab = window.grab()
    assert grab.devicePixelRatio() == 1.5, grab.devicePixelRatio()
    image = grab.toImage()
    assert len({image.pixel(x, y) for x in range(0, image.width(), 40) for y in range(0, image.height(), 40)}) > 5
    for dock in [None, *(each for each in window.findChildren(QDockWidget) if each.isVisible())]:
        if dock is not None:  # those behind others have no place of their own until they are in front
            dock.raise_()
            QTest.qWait(50)
        where = layout if dock is None else f"{layout}, {dock.windowTitle()}"
        # What is still being laid out is not cut: on a busy machine that takes a while.
        tries = PATIENCE_MS // 100
        while tries and cut_in(dock):
            tries -= 1
            QTest.qWait(100)
        for found in cut_in(dock):
            print("cut in", where, found)
window.session.edits.document.mark_saved()
window.close()
print("looked at all")
'''


@pytest.mark.parametrize("size", ["1706 960", "1280 720"])
def test_nothing_is_cut_at_150_percent(tmp_path: Path, size: str):
    """A window of its own: the scale of a screen cannot be changed in a process that has one."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": "1.5",
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    command = [sys.executable, "-c", LOOK_AT, str(Path(__file__).parent), str(tmp_path), *size.split()]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    said = [line for line in done.stdout.splitlines() if line.startswith("cut in")]
    assert said == []
    assert "looked at all" in done.stdout, done.stderr[-3000:]


def test_lists_follow_the_theme(qapp, qtbot, tmp_path: Path):
    with desk_on(tmp_path) as desk:
        desk.theme.wear(Look.LIGHT)
        panel = ProblemsPanel(desk)
        qtbot.addWidget(panel)
        shown = panel.findChildren(QListWidget)[0]
        for look, tokens in ((Look.LIGHT, LIGHT), (Look.DARK, DARK)):
            desk.theme.wear(look)
            assert shown.item(0).foreground().color() == of(tokens, "quiet")
        desk.theme.wear(Look.LIGHT)


def test_every_sign_is_in_the_font_that_is_installed_with_the_program(qapp):
    """A sign that no font has is drawn as an empty box; on a machine with more fonts nobody would notice."""
    metrics = QFontMetrics(QFont("DejaVu Sans"))
    if QFontInfo(QFont("DejaVu Sans")).family() != "DejaVu Sans":
        pytest.skip("the font of packaging/setup.sh is not installed")
    ui = Path(__file__).resolve().parents[2] / "adstudio" / "ui"
    missing = {
        f"{sign} in {file.relative_to(ui)}"
        for file in ui.rglob("*.py")
        for sign in file.read_text("utf-8")
        if ord(sign) > 0x2100 and not metrics.inFontUcs4(ord(sign))
    }
    assert missing == set()
