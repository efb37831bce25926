"""Escape, and closing the window, ask before they throw away what was filled in; Cancel says it plainly."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from desks import desk_on
from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit

from adstudio.ui.app.preferences_dialog import PreferencesDialog
from adstudio.ui.app.shortcuts_dialog import ShortcutsDialog
from adstudio.ui.files.new_project import STOPS, NewProjectDialog
from adstudio.ui.files.project_settings import ProjectSettingsDialog
from adstudio.ui.session.context import Context
from adstudio.ui.widgets import careful_dialog
from adstudio.ui.widgets.input_dialog import InputDialog


def note_dialog(_desk: Context) -> InputDialog:
    made = InputDialog(None, "Note", "Note for this line:")
    made.setOption(InputDialog.InputDialogOption.UsePlainTextEditForTextInput)
    made.setTextValue("")
    return made


CASES: dict[str, tuple[Callable[[Context], QDialog], Callable[[QDialog], object]]] = {
    "settings": (
        lambda desk: ProjectSettingsDialog(desk.session.script),
        lambda made: made.plan.pause.setValue(0.7),
    ),
    "new project": (
        NewProjectDialog,
        lambda made: made.sources.length_field.setText("1:30:00"),
    ),
    "preferences": (
        PreferencesDialog,
        lambda made: made.limit.setValue(made.limit.value() + 1),
    ),
    "keys": (
        lambda desk: ShortcutsDialog(desk.actions, desk.preferences),
        lambda made: made._set("Ctrl+Shift+F12"),
    ),
    "note": (note_dialog, lambda made: made.findChild(QPlainTextEdit).insertPlainText("Too long?")),
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The answers to come; the questions go in behind them."""
    answers: list[object] = []

    def answer(_window: object, text: str, detail: str, *_: object, **__: object) -> object:
        found = answers.pop(0)
        answers.append((text, detail))
        return found

    monkeypatch.setattr(careful_dialog, "ask", answer)
    return answers


@pytest.fixture(params=CASES)
def case(request, qtbot, tmp_path, monkeypatch) -> Iterator[tuple[QDialog, Callable[[QDialog], object]]]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    make, change = CASES[request.param]
    with desk_on(tmp_path) as desk:
        made = make(desk)
        qtbot.addWidget(made)
        made.show()
        yield made, change
        made.reject()


def test_without_a_change_escape_closes_it_at_once(case, asked):
    dialog, _ = case
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert asked == []


def test_with_a_change_escape_asks_and_does_nothing_else_unless_agreed(case, asked):
    dialog, change = case
    change(dialog)
    asked.append(None)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert dialog.windowTitle() in asked.pop()[0]
    asked.append(0)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_cancel_closes_it_without_a_question(case, asked):
    dialog, change = case
    change(dialog)
    box = dialog.findChild(QDialogButtonBox)
    if box is None:
        pytest.skip("Qt builds its buttons when it is shown modally")
    box.button(QDialogButtonBox.StandardButton.Cancel).click()
    assert not dialog.isVisible()
    assert asked == []


def test_closing_by_the_program_asks_nothing(case, asked):
    dialog, change = case
    change(dialog)
    event = QCloseEvent()
    dialog.closeEvent(event)
    assert asked == []


def test_a_project_that_is_being_created_is_not_stopped_by_escape(qtbot, tmp_path, asked, monkeypatch):
    with desk_on(tmp_path) as desk:
        dialog = NewProjectDialog(desk)
        qtbot.addWidget(dialog)
        dialog.show()
        monkeypatch.setattr(type(dialog._drafter), "busy", property(lambda _: True))
        asked.append(None)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert dialog.isVisible()
        assert asked.pop()[1] == STOPS
        monkeypatch.undo()
        dialog.reject()
