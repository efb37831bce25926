"""What somebody who sees little needs: strong contrast, a ring around what has the keys, a selection that is seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import desk_on, window_on
from pending_events import run_pending_events
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QDialog,
    QDockWidget,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QStyle,
    QStyleOptionFrame,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from test_appearance import SEEN, SIGNS, TEXTS, short_of
from test_dialogs import MAKERS

from adstudio.ui.actions.focus_order import stops
from adstudio.ui.app.preferences_dialog import PreferencesDialog
from adstudio.ui.app.window import Window
from adstudio.ui.files.export import ExportDialog
from adstudio.ui.picture.transport import TimeField
from adstudio.ui.session.context import Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.widgets import theme
from adstudio.ui.widgets.focus_ring import APART, THICK, FocusRings, Ring
from adstudio.ui.widgets.number_field import NumberField
from adstudio.ui.widgets.text import heading, words
from adstudio.ui.widgets.theme import (
    CONTRAST_DARK,
    CONTRAST_LIGHT,
    DARK,
    LIGHT,
    READABLE,
    Look,
    Tokens,
    contrast,
    on_selection,
    salience_colour,
)

ENHANCED = 7.0  # WCAG 2.2, 1.4.6, level AAA
LOOKS = [Look.LIGHT, Look.DARK, Look.CONTRAST]
THEMES = [
    pytest.param(tokens, id=name)
    for name, tokens in (
        ("light", LIGHT),
        ("dark", DARK),
        ("contrast, light", CONTRAST_LIGHT),
        ("contrast, dark", CONTRAST_DARK),
    )
]


@pytest.mark.parametrize("tokens", [CONTRAST_LIGHT, CONTRAST_DARK], ids=["light", "dark"])
def test_high_contrast_is_that(tokens: Tokens):
    """Seven to one for text; behind pressed and disabled buttons, whose ground is a line, four and a half."""
    grounds = {ink: on.replace(" line", "") for ink, on in TEXTS.items()}
    assert short_of(tokens, grounds, ENHANCED) == []
    assert short_of(tokens, TEXTS, READABLE) == []
    assert short_of(tokens, SIGNS, SEEN) == []
    assert short_of(tokens, {"line": "window panel raised lane"}, SEEN) == []
    for hundredth in range(0, 101, 5):
        assert contrast(salience_colour(tokens, hundredth / 100), QColor(tokens.panel)) >= SEEN


@pytest.mark.parametrize("tokens", THEMES)
def test_a_selected_row_is_seen_and_read(tokens: Tokens):
    chosen = on_selection(tokens)
    for ground in (tokens.panel, tokens.lane, tokens.window):
        assert contrast(QColor(chosen.panel), QColor(ground)) >= SEEN
    for ink in (chosen.text, chosen.quiet, chosen.warning, chosen.good, chosen.accent, chosen.faint):
        assert contrast(QColor(ink), QColor(chosen.panel)) >= READABLE


@pytest.mark.parametrize("dark", [False, True])
def test_high_contrast_follows_the_system_unless_a_theme_is_chosen(qapp, monkeypatch, dark: bool):
    scheme = Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light
    monkeypatch.setattr(theme, "_is_dark", lambda: scheme is Qt.ColorScheme.Dark)
    plain, strong = (DARK, CONTRAST_DARK) if dark else (LIGHT, CONTRAST_LIGHT)
    for asked, seen in ((False, plain), (True, strong)):
        monkeypatch.setattr(theme, "prefers_contrast", lambda asked=asked: asked)
        assert theme.tokens_for(Look.SYSTEM) is seen
        assert theme.tokens_for(Look.CONTRAST) is strong
        assert theme.tokens_for(Look.LIGHT) is LIGHT
        assert theme.tokens_for(Look.DARK) is DARK


def test_a_change_of_the_system_s_contrast_is_followed_at_once(qapp, monkeypatch):
    preferences = Preferences()
    worn = Theme(preferences)
    changes: list[Tokens] = []
    worn.changed.connect(lambda: changes.append(worn.tokens))
    monkeypatch.setattr(theme, "prefers_contrast", lambda: True)
    hints = qapp.styleHints()
    hints.accessibility().contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    assert changes == [theme.tokens_for(Look.CONTRAST)]
    monkeypatch.undo()
    hints.accessibility().contrastPreferenceChanged.emit(Qt.ContrastPreference.NoPreference)
    assert worn.tokens is theme.tokens_for(Look.SYSTEM)
    preferences.deleteLater()


@pytest.fixture(params=LOOKS, ids=lambda look: look.value)
def window(request, qapp, qtbot, tmp_path: Path):
    with window_on(tmp_path) as made:
        made.context.theme.wear(request.param)
        QTest.qWait(50)
        made.activateWindow()
        qtbot.waitUntil(made.isActiveWindow)
        yield made
        made.context.theme.wear(Look.LIGHT)


def seen_change(before: QImage, after: QImage) -> int:
    """How many pixels differ by three to one at least."""
    size = before.size().boundedTo(after.size())
    cache: dict[tuple[int, int], bool] = {}
    count = 0
    for y in range(size.height()):
        for x in range(size.width()):
            pair = before.pixel(x, y), after.pixel(x, y)
            if pair[0] != pair[1]:
                if pair not in cache:
                    cache[pair] = contrast(QColor(pair[0]), QColor(pair[1])) >= SEEN
                count += cache[pair]
    return count


def without_ring(root: QWidget, first: QWidget) -> Iterator[str]:
    """The stops of the Tab key whose looks hardly differ when they have it: by less than half their outline."""
    for stop in stops(root):
        stop.setFocus(Qt.FocusReason.TabFocusReason)  # which scrolls it into sight
        run_pending_events()
        if "qt_" in stop.objectName() or stop.visibleRegion().isEmpty():
            continue
        other = first if stop is not first else stops(root)[1]
        other.setFocus(Qt.FocusReason.TabFocusReason)
        run_pending_events()
        window = stop.window()
        around = QRect(stop.mapTo(window, QPoint(0, 0)), stop.size()).adjusted(-3, -3, 3, 3).intersected(window.rect())
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        run_pending_events()
        around = QRect(stop.mapTo(window, QPoint(0, 0)), stop.size()).adjusted(-3, -3, 3, 3).intersected(window.rect())
        after = window.grab(around).toImage()
        other.setFocus(Qt.FocusReason.TabFocusReason)
        run_pending_events()
        before = window.grab(around).toImage()
        found, least = seen_change(before, after), min(around.width() + around.height(), 200)
        if found < least:
            yield f"{type(stop).__name__} “{stop.accessibleName()}”: {found} of {least} pixels"


def test_a_ring_is_seen_around_whatever_has_the_keys(window: Window):
    window.session.cursor.select_line("a")
    window.editor.inspector.page.fill()
    QTest.qWait(100)
    first = window.editor.table.view
    missing: list[str] = []
    for dock in window.findChildren(QDockWidget):
        dock.show()
        dock.raise_()
        QTest.qWait(20)
        missing += without_ring(dock, first)
    missing += without_ring(window.editor.bar, first)
    missing += without_ring(window.editor.table, first)
    assert not missing, "\n".join(missing)


@pytest.fixture(params=MAKERS, ids=lambda kind: kind.__name__)
def dialog(request, qtbot, tmp_path, monkeypatch) -> Iterator[QDialog]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with desk_on(tmp_path) as desk:
        made = MAKERS[request.param](desk)
        FocusRings(desk.actions.window)
        qtbot.addWidget(made)
        made.show()
        made.activateWindow()
        qtbot.waitUntil(made.isActiveWindow)
        yield made
        made.reject()


def test_a_ring_is_seen_in_every_dialog(dialog: QDialog):
    missing = list(without_ring(dialog, stops(dialog)[0]))
    assert not missing, "\n".join(missing)


def test_the_ring_follows_what_it_surrounds_and_covers_nothing(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    field, other = QLineEdit(window), QLineEdit(window)
    field.setGeometry(20, 20, 100, 30)
    other.setGeometry(20, 80, 100, 30)
    FocusRings(window)
    window.resize(200, 200)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    field.setFocus()
    (ring,) = window.findChildren(Ring)
    room = THICK + APART
    assert ring.geometry() == field.geometry().adjusted(-room, -room, room, room)
    assert not ring.mask().contains(QPoint(room, room))  # the field's own corner
    field.move(40, 40)
    assert ring.geometry() == QRect(37, 37, 106, 36)
    other.setFocus()
    assert window.findChildren(Ring) == [ring]
    assert ring.geometry().center() == other.geometry().center()
    other.hide()
    assert not ring.isVisible() or ring.geometry().center() == field.geometry().center()
    field.setFocus()
    field.setGeometry(0, 0, 200, 200)  # no room outside: the ring is inside the window
    assert ring.geometry() == window.rect()


def row_grounds(view: QWidget, first: QRect, second: QRect) -> tuple[QColor, QColor]:
    image = view.grab().toImage()
    found = [image.pixelColor(place.right() - 3, place.center().y()) for place in (first, second)]
    return found[0], found[1]


@pytest.mark.parametrize("look", LOOKS)
def test_the_selected_row_of_a_list_and_of_a_tree_stands_out(qtbot, tmp_path: Path, look: Look):
    with desk_on(tmp_path) as desk:
        desk.theme.wear(look)
        plain, tree = QListWidget(), QTreeWidget()
        for number in range(2):
            plain.addItem(QListWidgetItem(f"row {number}"))
            tree.addTopLevelItem(QTreeWidgetItem([f"row {number}"]))
        plain.item(0).setForeground(QColor(desk.theme.tokens.warning))
        for view, item in ((plain, plain.visualItemRect), (tree, tree.visualItemRect)):
            qtbot.addWidget(view)
            view.resize(300, 200)
            view.show()
            entries = (
                [view.item(row) for row in range(2)] if view is plain else [tree.topLevelItem(row) for row in range(2)]
            )
            view.setCurrentItem(entries[0])
            chosen, other = row_grounds(view.viewport(), item(entries[0]), item(entries[1]))
            assert contrast(chosen, other) >= SEEN
        desk.theme.wear(Look.LIGHT)


def test_the_selected_row_of_the_script_stands_out(window: Window):
    window.session.cursor.select_line("b")
    QTest.qWait(50)
    view = window.editor.table.view
    places = [view.visualRect(view.model().index(row, 0)) for row in (1, 2)]
    image = view.viewport().grab().toImage()
    chosen, other = (image.pixelColor(place.left() + 5, place.top() + 2) for place in places)
    assert contrast(chosen, other) >= SEEN
    assert chosen == QColor(window.context.theme.tokens.accent)


def test_the_chosen_entry_of_a_menu_stands_out(window: Window):
    menu = window.menuBar().findChild(QMenu, "menu.edit")
    entries = [action for action in menu.actions() if action.isEnabled() and action.text()][:2]
    menu.popup(window.mapToGlobal(QPoint(10, 10)))
    menu.setActiveAction(entries[0])
    run_pending_events()
    image = menu.grab().toImage()
    places = [menu.actionGeometry(entry) for entry in entries]
    chosen, other = (image.pixelColor(place.right() - 4, place.center().y()) for place in places)
    menu.close()
    assert contrast(chosen, other) >= SEEN


def test_the_size_of_text_is_chosen_and_taken_at_once(qapp, qtbot, text_size, tmp_path: Path):
    """Twice the system's size is twice as many points, for words, figures and headings alike; and back again."""
    with desk_on(tmp_path) as desk:
        points = qapp.font().pointSizeF()
        plain, figures, title = QLabel("a"), words("1", figures=True), heading("b", 1.3)
        for label in (plain, figures, title):
            qtbot.addWidget(label)
            label.show()
        high = title.sizeHint().height()
        dialog = PreferencesDialog(desk)
        qtbot.addWidget(dialog)
        assert dialog.text_size.currentText() == "As the system"
        dialog.text_size.setCurrentIndex(dialog.text_size.findData("200"))
        dialog._keep()
        assert Preferences(dialog).text_size == 200
        sizes = [label.font().pointSizeF() for label in (plain, figures, title)]
        assert sizes == pytest.approx([2 * points, 2 * points, 2.6 * points])
        assert title.sizeHint().height() > 1.8 * high
        desk.preferences.store("text_size", "100")
        assert plain.font().pointSizeF() == pytest.approx(points)


def test_the_inspector_cuts_nothing_off_in_text_twice_as_large(qapp, qtbot, text_size, tmp_path: Path):
    with window_on(tmp_path) as window:
        window.resize(1366, 768)
        window.context.preferences.store("text_size", "200")
        inspector = window.editor.inspector
        try:
            window.session.cursor.select_line("b")
            qtbot.waitUntil(lambda: inspector.page is inspector.line)
            qtbot.waitUntil(lambda: inspector.widget().minimumSizeHint().width() <= inspector.viewport().width())
        finally:
            window.context.preferences.store("text_size", "100")


def room_in(field: QLineEdit) -> int:
    """The pixels that its text has: Qt keeps two free at either side."""
    option = QStyleOptionFrame()
    field.initStyleOption(option)
    inside = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field)
    return inside.width() - 4


def test_what_is_usual_in_a_field_fits_it_once_text_has_another_size(qtbot, text_size, tmp_path: Path):
    with window_on(tmp_path) as window:
        inspector = window.editor.inspector
        window.session.cursor.select_line("b")
        qtbot.waitUntil(lambda: inspector.page is inspector.line)
        holding = inspector.line.holding
        fields: dict[QLineEdit, str] = {
            **dict.fromkeys((window.editor.bar.findChild(TimeField), holding.happens_from), "00:12:34:24"),
            **dict.fromkeys((holding.salience, inspector.several.salience), "12.50"),
            inspector.line.wordings.rows[0].length: "12.5 s",
        }
        before = [field.width() for field in fields]
        for size in ("200", "125"):
            window.context.preferences.store("text_size", size)
            run_pending_events()
            for field, text in fields.items():
                assert field.fontMetrics().horizontalAdvance(text) <= room_in(field), (size, field.accessibleName())
        window.context.preferences.store("text_size", "100")
        run_pending_events()
        assert [field.width() for field in fields] == before


def test_a_number_fits_its_field_in_large_text(qtbot, text_size, tmp_path: Path):
    with desk_on(tmp_path) as desk:
        desk.preferences.store("text_size", "200")
        field = NumberField("Share", greatest=200, decimals=4, suffix=" %")
        qtbot.addWidget(field)
        field.setValue(187.25)
        field.show()
        edit = field.lineEdit()
        assert edit.height() >= field.fontMetrics().height()
        assert room_in(edit) >= field.fontMetrics().horizontalAdvance(field.text())


def test_what_will_be_exported_is_shown_in_the_size_of_text(qapp, qtbot, text_size, tmp_path: Path):
    with desk_on(tmp_path) as desk:
        desk.preferences.store("text_size", "200")
        dialog = MAKERS[ExportDialog](desk)
        qtbot.addWidget(dialog)
        assert dialog.preview.font().pointSizeF() == pytest.approx(qapp.font().pointSizeF())
        dialog.reject()


def test_the_welcome_page_follows_the_size_of_text_and_stays_on_a_small_screen(qtbot, text_size, tmp_path: Path):
    window = Window()
    window.context.preferences.remember(tmp_path / "gone.adproj")
    window.resize(1366, 700)
    window.show()
    page = window.welcome
    before = page.frame.width(), page.recent.gridSize()
    window.context.preferences.store("text_size", "200")
    run_pending_events()
    assert page.frame.width() > before[0]
    assert page.recent.gridSize().width() > before[1].width()
    for way in page.frame.findChildren(QPushButton):
        assert way.width() >= way.fontMetrics().horizontalAdvance(way.text())
    assert (window.width(), window.height()) == (1366, 700)
    window.context.preferences.store("text_size", "100")
    assert (page.frame.width(), page.recent.gridSize()) == before
    window.close()
    window.deleteLater()


@pytest.mark.parametrize("stored", ["", "0", "-5", "1000000", "nan", "150 %"])
def test_a_size_of_text_that_makes_no_sense_is_the_system_s(qapp, stored: str):
    preferences = Preferences()
    preferences.store("text_size", stored)
    assert preferences.text_size == 100
    preferences.deleteLater()
