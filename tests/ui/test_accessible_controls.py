"""Every control as a screen reader meets it: a name, a role, no ampersand; and the Tab key is caught nowhere.

Qt answers here as it does on the accessibility bus: a list (QComboBox) is named there by a label's relation alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import desk_on, window_on
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTabBar,
    QWidget,
)
from test_dialogs import MAKERS

from adstudio.editing import regions
from adstudio.ui.actions.focus_order import stops
from adstudio.ui.app.shortcuts_dialog import ShortcutsDialog
from adstudio.ui.app.window import Window
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.widgets import file_dialogs
from adstudio.ui.widgets.controls import Choice, Picker
from adstudio.ui.widgets.input_dialog import InputDialog
from adstudio.ui.widgets.text import Label

Role, Text = QAccessible.Role, QAccessible.Text
NO_CONTROL = {Role.NoRole, Role.Client, Role.Window, Role.Pane, Role.Border, Role.Grouping}
"""What a thing with the focus must not be."""
TAB_KEYS = (
    (Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier),
)
LABELLED = QAccessible.RelationFlag.Label


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path):
    with window_on(tmp_path) as made:
        yield made


def interface(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None, widget
    return found


def labels(widget: QWidget) -> list[str]:
    return [found.text(Text.Name) for found, _ in interface(widget).relations(LABELLED)]


def spoken_name(widget: QWidget) -> str:
    """What Orca says for a control: what labels it, else its name; the name of a list is only what is chosen."""
    own = "" if isinstance(widget, QComboBox) else interface(widget).text(Text.Name)
    return " ".join(labels(widget)) or own


def faults(root: QWidget, where: str) -> Iterator[str]:
    """What is wrong with the controls that are to be seen in a window, dialog or panel."""
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.isVisible():
            continue
        told = f"{where}: {type(widget).__name__} “{widget.accessibleName()}”"
        found = interface(widget)
        texts = [found.text(kind) for kind in (Text.Name, Text.Description, Text.Help)]
        if any("&" in text.replace(" & ", "") for text in (*texts, *labels(widget))):
            yield f"{told}: an ampersand is spoken: {texts}"
        takes_tab = bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value) and widget.focusProxy() is None
        inner = isinstance(widget.parentWidget(), QComboBox) or "qt_" in widget.objectName()
        empty = isinstance(widget, QTabBar) and not widget.count() and widget not in stops(root)
        if not takes_tab or inner or empty:
            continue
        if found.role() in NO_CONTROL and not isinstance(widget, QScrollArea):
            yield f"{told}: its role is {found.role().name}"
        if not any(letter.isalnum() for letter in spoken_name(widget)):
            yield f"{told}: it has no name that can be spoken"
        own = widget.accessibleName()
        if labels(widget) and own and own not in spoken_name(widget):
            yield f"{told}: its label says “{spoken_name(widget)}”"


def select_each_kind(window: Window) -> Iterator[str]:
    """Select one thing of each kind, so that every page of the inspector is shown."""
    session = window.session
    session.edits.attempt(lambda script: regions.draw_silence(script, session.edits.ids, 2_000, 3_000))
    session.edits.attempt(lambda script: regions.draw_opening(script, session.edits.ids, 11_000, 12_000))
    for selection in (
        Selection(),
        Selection(Kind.LINE, ("a",)),
        Selection(Kind.LINE, ("a", "b")),
        Selection(Kind.GAP, gap=session.gaps[-1]),
        Selection(Kind.SILENCE, (session.script.silences[0].id,)),
        Selection(Kind.OPENING, (session.script.openings[0].id,)),
        Selection(Kind.CUE, ("c1",)),
        Selection(Kind.SCENE, ("s1",)),
    ):
        session.cursor.select(selection)
        window.editor.inspector.page.fill()
        QTest.qWait(20)
        yield selection.kind.value


def test_every_control_of_the_window_has_a_name_a_role_and_no_ampersand(window: Window):
    found: list[str] = []
    for kind in select_each_kind(window):
        found += faults(window.editor.inspector, f"inspector, {kind}")
    for dock in window.findChildren(QDockWidget):
        dock.show()
        dock.raise_()
        QTest.qWait(10)
        found += faults(dock, dock.objectName())
    found += faults(window, "window")
    window.session.edits.document.mark_saved()
    window.session.close_project()
    QTest.qWait(100)
    found += faults(window, "welcome page")
    assert sorted(set(found)) == []


@pytest.fixture(params=MAKERS, ids=lambda kind: kind.__name__)
def dialog(request, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with desk_on(tmp_path) as desk:
        made = MAKERS[request.param](desk)
        qtbot.addWidget(made)
        made.show()
        made.activateWindow()
        yield made
        made.reject()


def test_every_control_of_a_dialog_has_a_name_a_role_and_no_ampersand(dialog: QDialog):
    assert sorted(set(faults(dialog, type(dialog).__name__))) == []


def test_the_tab_key_is_caught_nowhere_in_a_dialog(dialog: QDialog):
    """From the first stop to each other one and back to it, and backwards: a stop that keeps the key fails."""
    start = stops(dialog)[0]
    for key, held in (
        (Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier),
    ):
        start.setFocus(Qt.FocusReason.TabFocusReason)
        passed: list[QWidget] = []
        while len(passed) < 200:
            focus = QApplication.focusWidget()
            assert focus is not None
            if focus is start and passed:
                break
            passed.append(focus)
            QTest.keyClick(focus, key, held)
            assert QApplication.focusWidget() is not focus, f"{type(focus).__name__} {focus.accessibleName()} keeps it"
        assert len(passed) < 200


def test_the_field_for_a_new_key_is_left_by_tab_and_escape_without_taking_them(qtbot, tmp_path):
    with desk_on(tmp_path) as desk:
        dialog = ShortcutsDialog(desk.actions, desk.preferences, None)
        qtbot.addWidget(dialog)
        dialog.show()
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        for key, held in (*TAB_KEYS, (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)):
            dialog._edit.setFocus()
            before = dialog._edit.keySequence()
            QTest.keyClick(dialog._edit, key, held)
            assert QApplication.focusWidget() is not dialog._edit
            assert dialog._edit.keySequence() == before
        assert dialog.isVisible()
        assert QApplication.focusWidget() is dialog._list
        assert dialog._own == {}


@pytest.mark.parametrize(
    ("kind", "prepare"),
    [
        (QLineEdit, lambda asked: asked.setTextValue("Kitchen")),
        (QPlainTextEdit, lambda asked: asked.setOption(InputDialog.InputDialogOption.UsePlainTextEditForTextInput)),
        (QComboBox, lambda asked: (asked.setComboBoxItems(["One", "Two"]), asked.setComboBoxEditable(False))),
        (QComboBox, lambda asked: (asked.setComboBoxItems(["One", "Two"]), asked.setComboBoxEditable(True))),
    ],
)
def test_a_question_for_a_value_has_a_field_with_its_name_and_tab_leads_out_of_it(qtbot, kind, prepare):
    asked = InputDialog(None, "Rename scene", "&Name:")
    qtbot.addWidget(asked)
    prepare(asked)
    field = asked.name_field()
    assert isinstance(field, kind)
    asked.show()
    asked.activateWindow()
    qtbot.waitUntil(asked.isActiveWindow)
    assert "Name" in spoken_name(field)
    assert "&" not in spoken_name(field)
    field.setFocus()
    inside = QApplication.focusWidget()
    QTest.keyClick(inside, Qt.Key.Key_Tab)
    assert isinstance(QApplication.focusWidget(), QPushButton)
    assert "\t" not in asked.textValue()


def test_a_question_is_named_by_all_of_its_words(qtbot, monkeypatch):
    seen: list[tuple[Role, str]] = []

    def look(box: QMessageBox) -> int:
        seen.append((interface(box).role(), interface(box).text(Text.Name)))
        return 0

    monkeypatch.setattr(QMessageBox, "exec", look)
    parent = QWidget()
    qtbot.addWidget(parent)
    file_dialogs.ask(parent, "film.adproj already exists.", "Replace it?", ("Replace",))
    file_dialogs.tell(parent, "Disk full.")
    assert seen == [
        (Role.AlertMessage, "film.adproj already exists. Replace it?"),
        (Role.AlertMessage, "Disk full."),
    ]


def test_a_label_is_named_by_what_it_says(qtbot):
    """Orca reads no description of a label."""
    label = Label("4 words")
    qtbot.addWidget(label)
    assert interface(label).text(Text.Name) == "4 words"
    label.setAccessibleName("Fit")
    assert interface(label).text(Text.Name) == "Fit: 4 words"
    label.setText("5 words")
    assert interface(label).text(Text.Name) == "Fit: 5 words"
    label.setText("6 w…")
    label.setAccessibleDescription("6 words, all of them")
    assert interface(label).text(Text.Name) == "Fit: 6 words, all of them"
    label.clear()
    assert interface(label).text(Text.Name) == ""


def test_one_of_several_is_a_radio_button_and_its_group_is_named(qtbot):
    choice = Choice("Lock", (("Auto", ""), ("In", ""), ("Out", "")))
    qtbot.addWidget(choice)
    choice.show_choice(1)
    found = [interface(button) for button in choice.group.buttons()]
    assert [each.role() for each in found] == [Role.RadioButton] * 3
    assert [each.text(Text.Name) for each in found] == ["Lock: Auto", "Lock: In", "Lock: Out"]
    assert [bool(each.state().checked) for each in found] == [False, True, False]
    assert interface(choice).text(Text.Name) == "Lock"


def test_a_list_without_a_label_to_be_seen_has_one_that_is_not(qtbot):
    holder = QWidget()
    qtbot.addWidget(holder)
    bare, labelled = Picker("Speed", holder), Picker("Order", holder)
    label = QLabel("&Order of rows", holder)
    label.setBuddy(labelled)
    for picker in (bare, labelled):
        picker.addItem("One")
    holder.show()
    holder.hide()
    holder.show()
    assert (labels(bare), labels(labelled)) == (["Speed"], ["Order of rows"])


def test_a_wording_is_one_stop_of_the_tab_key(window: Window):
    window.session.cursor.select_line("a")
    window.editor.inspector.page.fill()
    rows = window.editor.inspector.line.wordings.rows
    assert len(rows) == 2
    for row in rows:
        assert stops(row) == [row.text]


def test_what_a_wording_has_besides_its_text_is_reached_by_the_line_menu(window: Window):
    window.session.cursor.select_line("a")
    row = window.editor.inspector.line.wordings.rows[1]
    row.text.setFocus()
    window.actions_["line.wording_length"].trigger()
    assert QApplication.focusWidget() is row.length
    row.text.setFocus()
    window.actions_["line.wording_remove"].trigger()
    assert [each.text for each in window.session.script.eventuality("a").variants] == ["a in 6000 ms"]
    assert not window.actions_["line.wording_remove"].isEnabled()


def test_the_menu_of_a_wording_s_text_locks_measures_and_removes_it(window: Window):
    window.session.cursor.select_line("a")
    row = window.editor.inspector.line.wordings.rows[1]
    menu = row.menu(row.text.rect().center())
    entries = {action.text().replace("&", ""): action for action in menu.actions()}
    assert list(entries)[-3:] == ["Lock wording 2", "Length of wording 2…", "Remove wording 2"]
    entries["Lock wording 2"].trigger()
    assert window.session.script.eventuality("a").pin.variant == 1
    entries["Length of wording 2…"].trigger()
    assert QApplication.focusWidget() is row.length
    entries["Remove wording 2"].trigger()
    assert len(window.session.script.eventuality("a").variants) == 1
    menu.close()


def test_ctrl_i_reads_state_and_reason(window: Window):
    window.session.cursor.select_line("b")
    window.editor.table.view.setFocus()
    QTest.keyClick(window.editor.table.view, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    focus = QApplication.focusWidget()
    assert focus is window.editor.inspector.line.why.why
    assert spoken_name(focus) == "Spoken. Why it is in: Without it, its 4.0 s would stay silent."
    window.actions_["line.keep_out"].trigger()
    window.editor.table.view.setFocus()
    window.actions_["line.inspect"].trigger()
    assert spoken_name(QApplication.focusWidget()).startswith("Locked out. Why it is out: ")


def test_no_button_of_the_window_is_named_by_a_sign_alone(window: Window):
    for button in window.findChildren(QAbstractButton):
        name = interface(button).text(Text.Name)
        if button.isVisible() and not button.objectName().startswith("qt_"):
            assert any(letter.isalnum() for letter in name), button
