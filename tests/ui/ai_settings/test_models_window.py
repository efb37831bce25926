"""The window about models: its pages, made when they are looked at, from wherever one of them is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QListWidget, QWidget

from adstudio.ui.ai_settings.window import PAGES, AiSettingsWindow, open_ai_settings
from adstudio.ui.widgets.controls import Option


@pytest.fixture
def window(context):
    open_ai_settings(context, "policy")
    return context.actions.window.findChild(AiSettingsWindow)


def test_each_page_is_opened_by_its_name_in_one_window(context, window):
    assert window.shown == "policy"
    for name in PAGES:
        open_ai_settings(context, name)
        assert window.shown == name
        assert window.isVisible()
    assert context.actions.window.findChildren(AiSettingsWindow) == [window]
    assert not window.isModal()


def test_a_page_that_there_is_not(context, window):
    with pytest.raises(KeyError):
        open_ai_settings(context, "weather")


def test_pages_are_made_when_they_are_looked_at(window):
    assert set(window._built) == {"policy"}


def test_the_editor_starts_without_any_of_it():
    """Start-up imports only what the first window needs (DESIGN section 2)."""
    text = (
        "import sys, adstudio.ui.app.window\n"
        "heavy = ('keyring', 'httpx2', 'PIL')\n"
        "print([name for name in sys.modules if name.startswith('adstudio.ui.ai_settings.') or name in heavy])"
    )
    run = subprocess.run([sys.executable, "-I", "-c", text], capture_output=True, text=True, timeout=300, check=True)
    assert run.stdout.strip() == "[]"


def test_keys_go_from_page_to_page_and_away(qtbot, window):
    window.show_page("connections")
    with qtbot.waitActive(window):
        window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert window.shown == "policy"
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_Backtab, both)
    assert window.shown == "connections"
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


@pytest.mark.parametrize("name", PAGES)
def test_everything_has_a_name_and_can_be_reached(context, window, name):
    context.session.cursor.show_playhead(1_000)
    window.show_page(name)
    page = window.page(name)
    assert isinstance(page, QWidget)
    for widget in page.findChildren(QWidget):
        if isinstance(widget, (QAbstractButton, QLineEdit, QComboBox, QListWidget)) and widget.isVisible():
            inner = isinstance(widget.parent(), QComboBox) or widget.objectName().startswith("qt_")
            assert inner or widget.accessibleName(), widget
            # Of a choice the arrow keys reach the others.
            other = isinstance(widget, Option) and not widget.isChecked()
            off = inner or other or not widget.isEnabled()
            assert off or widget.focusPolicy() & Qt.FocusPolicy.TabFocus, widget


@pytest.mark.parametrize("name", PAGES)
def test_every_letter_leads_to_one_field(window, name):
    window.show_page(name)
    page = window.page(name)
    letters: dict[str, list[str]] = {}
    for widget in [*page.findChildren(QLabel), *page.findChildren(QAbstractButton)]:
        if isinstance(widget, QLabel) and widget.buddy() is None:
            continue
        key = QKeySequence.mnemonic(widget.text()).toString()
        if key and widget.isVisible():
            letters.setdefault(key, []).append(widget.text())
    assert {key: texts for key, texts in letters.items() if len(texts) > 1} == {}


@pytest.mark.parametrize("name", PAGES)
def test_a_small_screen_has_room(window, name):
    window.show_page(name)
    least = window.minimumSizeHint()
    assert least.width() <= 800
    assert least.height() <= 520


def test_the_first_page_s_name_is_clear_of_the_window_s_edge(window):
    first = window.list.visualItemRect(window.list.item(0))
    assert window.list.viewport().mapTo(window, first.topLeft()).y() >= 12


@pytest.mark.parametrize("name", PAGES)
def test_without_a_project_each_page_says_what_it_can(context, window, name):
    context.session.close_project()
    window.show_page(name)
    page = window.page(name)
    hindrance = getattr(page, "hindrance", None)
    if hindrance is not None:
        assert "Open a project first" in hindrance.text()
    assert page.mapTo(window, QPoint()).x() > 0


def test_undo_works_here_too(context, window):
    assert context.actions["edit.undo"] in window.actions()
