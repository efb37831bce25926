"""Every dialog of the program: letters of its own for each field, and room for it on a small screen."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from desks import desk_on
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
)

import adstudio.ui
from adstudio.ui.ai_settings.window import AiSettingsWindow
from adstudio.ui.app.about_dialog import AboutDialog
from adstudio.ui.app.preferences_dialog import PreferencesDialog
from adstudio.ui.app.shortcuts_dialog import ShortcutsDialog
from adstudio.ui.booth.import_takes import ImportTakesDialog
from adstudio.ui.cast.window import CastWindow
from adstudio.ui.faces.dialog import FacesDialog
from adstudio.ui.faces.film_faces import FilmFaces
from adstudio.ui.files.audio_export_dialog import AudioExportDialog
from adstudio.ui.files.export import ExportDialog
from adstudio.ui.files.import_script import ImportScriptDialog
from adstudio.ui.files.new_cut import NewCutDialog
from adstudio.ui.files.new_project import NewProjectDialog
from adstudio.ui.files.project_settings import ProjectSettingsDialog
from adstudio.ui.files.replace_dialogue import ReplaceDialogueDialog
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.versions.compare_dialog import CompareDialog
from adstudio.ui.versions.version_dialog import VersionDialog
from adstudio.ui.widgets.controls import Picker
from adstudio.ui.widgets.form import column

SMALLEST = QSize(800, 520)
"""A screen of 960 × 540 (1920 × 1080 at 200 %) or 800 × 600, without what the desktop keeps."""
MAKERS = {
    AboutDialog: lambda desk: AboutDialog(),
    NewProjectDialog: NewProjectDialog,
    ShortcutsDialog: lambda desk: ShortcutsDialog(desk.actions, desk.preferences),
    AiSettingsWindow: AiSettingsWindow,
    PreferencesDialog: PreferencesDialog,
    ExportDialog: lambda desk: ExportDialog(desk, None, desk.session.project.path),
    ReplaceDialogueDialog: lambda desk: ReplaceDialogueDialog(desk, None, desk.session.project.path),
    ImportScriptDialog: lambda desk: ImportScriptDialog(desk, None, desk.session.project.path),
    NewCutDialog: lambda desk: NewCutDialog(desk, None, desk.session.project.path),
    AudioExportDialog: lambda desk: AudioExportDialog(desk, None, desk.session.project.path),
    ImportTakesDialog: lambda desk: ImportTakesDialog(desk, None, (), ()),
    ProjectSettingsDialog: lambda desk: ProjectSettingsDialog(desk.session.script),
    VersionDialog: lambda desk: VersionDialog(None, print, name="Version 1", by="Anna"),
    CastWindow: CastWindow,
    FacesDialog: lambda desk: FacesDialog(desk, FilmFaces(desk, FilmLoader(desk, desk.session), desk.session)),
    CompareDialog: lambda desk: CompareDialog(desk, None, rename=print, delete=print, titled=str),
}


@pytest.fixture(params=MAKERS, ids=lambda kind: kind.__name__)
def dialog(request, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with desk_on(tmp_path) as desk:
        made = MAKERS[request.param](desk)
        qtbot.addWidget(made)
        made.show()
        yield made
        made.reject()


def test_no_dialog_is_forgotten_here():
    for module in pkgutil.walk_packages(adstudio.ui.__path__, "adstudio.ui."):
        importlib.import_module(module.name)
    assert set(ours_of(QDialog)) == set(MAKERS)


def ours_of(dialog: type[QDialog]) -> Iterator[type[QDialog]]:
    """Our kinds of a dialog, without those that only others are derived from."""
    for kind in dialog.__subclasses__():
        if kind.__module__.startswith("adstudio."):
            yield from [*ours_of(kind)] or [kind]


def test_every_letter_leads_to_one_field(dialog):
    letters: dict[str, list[str]] = {}
    for widget in [*dialog.findChildren(QLabel), *dialog.findChildren(QAbstractButton)]:
        if isinstance(widget, QLabel) and widget.buddy() is None:
            continue
        key = QKeySequence.mnemonic(widget.text()).toString()
        if key:
            letters.setdefault(key, []).append(widget.text())
    assert {key: texts for key, texts in letters.items() if len(texts) > 1} == {}
    if isinstance(dialog, NewProjectDialog):
        assert len(letters) >= 23


def test_it_has_room_on_a_small_screen(dialog):
    least = dialog.minimumSizeHint()
    assert least.boundedTo(SMALLEST) == least
    room = dialog.screen().availableSize()
    assert dialog.size().boundedTo(room) == dialog.size()


def test_ctrl_return_does_what_the_dialog_is_there_for_wherever_the_keyboard_is(dialog, qtbot):
    """Lists and texts of several lines have uses of their own for Return."""
    qtbot.waitExposed(dialog)
    (default,) = [each for each in dialog.findChildren(QPushButton) if each.isDefault()] or (None,)
    if default is None:
        pytest.skip("what is done in it is done at once: it has no default")
    pressed: list[QPushButton] = []
    default.click = lambda: pressed.append(default)
    default.setEnabled(True)
    fields = [*dialog.findChildren(QAbstractItemView), *dialog.findChildren(QPlainTextEdit)]
    fields = [each for each in fields if each.isVisible() and not isinstance(each, QHeaderView)] or [dialog]
    for field in fields:
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(pressed) == len(fields)


def test_return_in_a_list_does_what_the_dialog_is_there_for_and_space_opens_it(qtbot):
    for default in (True, False):
        dialog = QDialog()
        qtbot.addWidget(dialog)
        ok, picker, done = QPushButton("Export"), Picker("Format"), []
        picker.addItems(["SRT", "WebVTT"])
        ok.setAutoDefault(default)
        ok.setDefault(default)
        ok.clicked.connect(lambda _, done=done: done.append(True))
        dialog.setLayout(column(picker, ok))
        dialog.show()
        qtbot.waitExposed(dialog)
        picker.setFocus()
        QTest.keyClick(picker, Qt.Key.Key_Return)
        assert (done, picker.view().isVisible()) == ([True] * default, not default)
        picker.hidePopup()
        QTest.keyClick(picker, Qt.Key.Key_Space)
        assert (done, picker.view().isVisible()) == ([True] * default, True)
        picker.hidePopup()


def test_return_never_does_by_the_way_what_nobody_asked_for(dialog):
    """The default of a dialog is its own act, or Close: never the first button that happens to be in it."""
    if (default := next((each for each in dialog.findChildren(QPushButton) if each.isDefault()), None)) is None:
        return
    (box,) = dialog.findChildren(QDialogButtonBox)
    assert box.buttonRole(default) in {
        QDialogButtonBox.ButtonRole.AcceptRole,
        QDialogButtonBox.ButtonRole.RejectRole,
    }
