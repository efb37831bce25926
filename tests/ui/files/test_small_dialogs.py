"""Preferences, keys, the log, and what stands in About."""

from importlib.metadata import version
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton, QWidget

from adstudio.core.errors import OutsideFailureError
from adstudio.ui.app.about_dialog import AboutDialog
from adstudio.ui.app.preferences_dialog import PreferencesDialog
from adstudio.ui.app.program_dialogs import ProgramDialogs
from adstudio.ui.app.shortcuts_dialog import ShortcutsDialog
from adstudio.ui.widgets.file_dialogs import ask
from adstudio.ui.widgets.theme import Look


def test_the_buttons_of_a_question_begin_where_its_text_does(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    lefts: list[int] = []

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        text = box.findChild(QLabel, "qt_msgbox_label")
        first = next(button for button in box.buttons() if button.text() == "Continue from last step")
        lefts.extend(widget.mapTo(box, QPoint()).x() for widget in (text, first))
        box.reject()

    QTimer.singleShot(200, parent, look)
    assert ask(parent, "It wasn’t closed properly.", "There is work.", ("Continue from last step",)) is None
    assert lefts[0] == lefts[1]


@pytest.fixture
def dialogs(context) -> ProgramDialogs:
    return ProgramDialogs(context, context.session.parent())


@pytest.fixture
def preferences(context, dialogs, qtbot):
    made = PreferencesDialog(context)
    qtbot.addWidget(made)
    return made


def test_choices_are_remembered_on_ok_only(context, preferences):
    preferences.look.setCurrentIndex(preferences.look.findData(Look.DARK.value))
    preferences.engine.setCurrentIndex(preferences.engine.findData("exact"))
    preferences.limit.setValue(25)
    preferences.hold.setChecked(True)
    assert not context.preferences.flag("hear/hold", default=False)
    assert context.preferences.look is Look.SYSTEM
    preferences.accepted.emit()
    preferences._keep()
    assert context.preferences.look is Look.DARK
    assert context.theme.tokens.dark
    assert context.preferences.backend == "exact"
    assert context.preferences.limit == 25
    assert context.preferences.flag("hear/hold", default=False)


def test_the_voices_of_the_language_come_from_the_background(context, dialogs, preferences, qtbot):
    from adstudio.speech.engines import choose_engine

    try:
        choose_engine()
    except OutsideFailureError:
        pytest.skip("no voice is installed here")
    context.voices.ask()
    qtbot.waitUntil(lambda: preferences.voice.count() > 1)
    preferences.voice.setCurrentIndex(1)
    preferences.voice.activated.emit(1)
    preferences._keep()
    assert context.preferences.text("voice_engine") == context.voices.of("").engine
    assert context.preferences.text("voice") == ""
    place = preferences.voice.findText(context.voices.of("").voices[0].name, Qt.MatchFlag.MatchStartsWith)
    preferences.voice.setCurrentIndex(place)
    preferences.voice.activated.emit(place)
    preferences._keep()
    assert context.preferences.text("voice") == context.voices.of("").voices[0].id


def test_a_voice_that_is_not_there_any_more_is_not_forgotten(context, files, qtbot):
    context.preferences.store("voice", "an old one")
    dialog = PreferencesDialog(context)
    qtbot.addWidget(dialog)
    assert dialog.voice.choice == ("", "an old one")
    assert dialog.voice.currentText() == "an old one"
    dialog._keep()
    assert context.preferences.text("voice") == "an old one"


def test_about_says_what_runs_here(qtbot):
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    next(button for button in dialog.findChildren(QPushButton) if button.text() == "Copy").click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"adstudio {version('adstudio')}\nPython ")
    assert f"PySide6-Essentials {version('PySide6-Essentials')}" in copied


@pytest.mark.parametrize("opens", [True, False])
def test_the_log_is_shown(context, dialogs, asked, monkeypatch, opens: bool):
    shown: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()) or opens)
    context.actions["help.log"].trigger()
    assert Path(shown[0]).is_dir()
    assert asked.told == ([] if opens else [f"The log is in {shown[0]}."])


@pytest.mark.parametrize(("action", "kind"), [("help.keys", ShortcutsDialog), ("help.about", AboutDialog)])
def test_the_help_menu_opens_its_dialogs(context, dialogs, action: str, kind: type):
    seen: list[object] = []

    def look() -> None:
        seen.append(QApplication.activeModalWidget())
        seen[0].reject()

    QTimer.singleShot(0, look)
    context.actions[action].trigger()
    assert isinstance(seen[0], kind)


def test_the_preferences_lead_to_the_keys(context, dialogs, qtbot):
    seen: list[object] = []

    def inner() -> None:
        seen.append(QApplication.activeModalWidget())
        seen[-1].reject()

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        QTimer.singleShot(0, inner)
        dialog.keys_asked.emit()
        dialog.reject()

    QTimer.singleShot(0, look)
    context.actions["edit.preferences"].trigger()
    assert isinstance(seen[0], ShortcutsDialog)
    assert Qt.Key.Key_F1
