"""All that is seen is heard: the whole accessible tree of the window, of every page about models and every dialog."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desks import small_script
from model_work import HOUSE
from PySide6.QtGui import QAccessible, QAccessibleInterface, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QLabel, QLayout, QWidget
from pytestqt.qtbot import QtBot

from adstudio.core.policy import Host, Policy
from adstudio.store.project import ProjectFile
from adstudio.ui.ai_settings.window import PAGES, open_ai_settings
from adstudio.ui.app.window import Window
from adstudio.ui.drafts.redraft_banner import RedraftBanner
from adstudio.ui.inspector.overview import FilmPage
from adstudio.ui.panels.plan_status import PlanStatus
from adstudio.ui.picture.picture import WarningBanner
from adstudio.ui.session.selection import NOTHING, Kind, Selection
from adstudio.ui.widgets.text import Label, unmarked

ROLE = QAccessible.Role
NAMED = {
    *(ROLE.Button, ROLE.CheckBox, ROLE.RadioButton, ROLE.ComboBox, ROLE.EditableText, ROLE.SpinBox, ROLE.Slider),
    *(ROLE.List, ROLE.ListItem, ROLE.Table, ROLE.Tree, ROLE.TreeItem, ROLE.PageTab, ROLE.MenuItem, ROLE.ProgressBar),
    *(ROLE.ButtonMenu, ROLE.ButtonDropDown, ROLE.StatusBar),
}
"""What has a name of its own wherever it is."""


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in [name for name in os.environ if name.startswith("ADSTUDIO_KEY_")]:
        monkeypatch.delenv(name)
    made = Window()
    made.resize(1600, 1000)
    made.show()
    project = ProjectFile.create(tmp_path / "small.adproj", small_script())
    made.session.open_project(project)
    QTest.qWait(100)
    yield made
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def squeezed(text: str) -> str:
    """Letters and figures alone: neither signs nor line breaks count."""
    return "".join(re.findall(r"\w", text))


def shown_by(label: QLabel) -> str:
    text = label.text()
    if "<" in text and label.textFormat().name != "PlainText":
        text = QTextDocumentFragment.fromHtml(text).toPlainText()
    return unmarked(text) if label.buddy() is not None else text


def every(interface: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """What can be seen of the tree."""
    if interface is None or not interface.isValid() or interface.state().invisible:
        return
    yield interface
    for place in range(interface.childCount()):
        yield from every(interface.child(place))


def amiss(root: QWidget) -> list[str]:
    """What a screen reader is not told of a window."""
    found: list[str] = []
    for each in every(QAccessible.queryAccessibleInterface(root)):
        name, told, value = (
            each.text(which) for which in (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value)
        )
        what = f"{each.role().name} {name!r} {told!r}"
        thing = each.object()
        # A label of a field has the field's own name, which a screen reader says in its place.
        names_a_field = (
            isinstance(thing, QLabel) and thing.buddy() is not None and name == thing.buddy().accessibleName()
        )
        if isinstance(thing, QLabel) and not names_a_field:
            heard = squeezed(f"{name} {told} {value}")
            unheard = [part for part in re.split("[…·:]", shown_by(thing)) if squeezed(part) not in heard]
            found += [f"{what} does not say {part!r}" for part in unheard]
        # The keys never go to what is a part of something else.
        part = isinstance(thing, QWidget) and thing.focusProxy() is not None
        if each.role() in NAMED and not part and not name.strip():
            found.append(f"no name: {what} {type(thing).__name__}")
        if "&" in name:
            found.append(f"a mark in the name: {what}")
    return found


def test_the_walk_finds_what_is_amiss(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    hidden = QLabel("1,847", page)
    hidden.setAccessibleName("Lines")
    page.show()
    assert amiss(page) == ["StaticText 'Lines' '' does not say '1,847'"]


@pytest.mark.parametrize("selection", ["nothing", "line", "lines", "gap", "cue", "scene"])
def test_all_that_the_window_shows_is_heard(window: Window, selection: str):
    session = window.session
    chosen = {
        "nothing": NOTHING,
        "line": Selection(Kind.LINE, ("a",)),
        "lines": Selection(Kind.LINE, ("a", "b")),
        "gap": Selection(Kind.GAP, gap=session.gaps[0]),
        "cue": Selection(Kind.CUE, ("c1",)),
        "scene": Selection(Kind.SCENE, ("s1",)),
    }
    session.cursor.select(chosen[selection])
    QTest.qWait(150)
    assert amiss(window) == []


def test_all_that_the_tabs_show_is_heard(window: Window):
    session = window.session
    session.cursor.select_line("a")
    window.context.actions["line.keep_out"].trigger()
    found: dict[str, list[str]] = {}
    for dock in window.findChildren(QDockWidget):
        dock.show()
        dock.raise_()
        QTest.qWait(30)
        found[dock.objectName()] = amiss(window)
    assert {name: each for name, each in found.items() if each} == {}
    assert "history" in found


def test_the_figures_of_the_film_follow_the_plan(window: Window, qtbot: QtBot):
    page = window.editor.inspector.page
    assert isinstance(page, FilmPage)
    values = page.values
    read = {name: QAccessible.queryAccessibleInterface(value) for name, value in values.items()}
    qtbot.waitUntil(lambda: bool(values["Spoken"].text()))
    before = read["Spoken"].text(QAccessible.Text.Description)
    assert read["Spoken"].text(QAccessible.Text.Name) == f"Spoken: {before}"
    assert (before, values["Spoken"].text()) == (values["Spoken"].text(), before)
    window.session.cursor.select_line("a")
    window.context.actions["line.keep_out"].trigger()
    window.session.cursor.select(NOTHING)
    qtbot.waitUntil(lambda: values["Spoken"].text() != before)
    assert read["Spoken"].text(QAccessible.Text.Description) == values["Spoken"].text()


def test_what_was_said_stands_in_the_status_bar(window: Window):
    window.session.messages.say("That is done.")
    bar = QAccessible.queryAccessibleInterface(window.statusBar())
    assert bar.text(QAccessible.Text.Name) == "Message"
    assert bar.text(QAccessible.Text.Description) == "That is done."


@pytest.mark.parametrize("policy", [Policy(), Policy("on premises", (Host("gpu.studio.tv", 80, plain=True),))])
def test_all_that_the_pages_about_models_show_is_heard(window: Window, policy: Policy):
    pytest.importorskip("httpx2", reason="httpx2 is not installed")
    from adstudio.connections.saved_connections import write_connections
    from adstudio.ui.ai_settings.window import AiSettingsWindow

    write_connections((HOUSE,))
    if policy != Policy():
        window.session.storage.set_policy(policy)
    found: dict[str, list[str]] = {}
    for name in PAGES:
        open_ai_settings(window.context, name)
        QTest.qWait(30)
        models = window.findChild(AiSettingsWindow)
        assert isinstance(models, AiSettingsWindow)
        found[name] = amiss(models)
    assert {name: each for name, each in found.items() if each} == {}


def test_all_that_the_strips_over_the_work_say_is_heard(window: Window):
    window.context.actions["scene.redraft"].trigger()
    picture = window.findChild(WarningBanner)
    assert isinstance(picture, WarningBanner)
    picture.say("The video is not where it was.", find=True)
    QTest.qWait(50)
    banner = window.findChild(RedraftBanner)
    assert isinstance(banner, RedraftBanner)
    assert banner.isVisible()
    assert amiss(window) == []
    (told,) = (label for label in banner.findChildren(QLabel) if label.text() == banner.sentence)
    read = QAccessible.queryAccessibleInterface(told)
    assert read.text(QAccessible.Text.Description) == banner.sentence
    banner.close_button.click()


def test_all_that_a_task_says_is_heard(window: Window, qtbot):
    ends: list[int] = []
    job = window.jobs.start("Sleeping", ["sleep", "60"], lambda _: None, lambda code, _: ends.append(code))
    tasks = next(dock for dock in window.findChildren(QDockWidget) if dock.objectName() == "tasks")
    tasks.raise_()
    job.report(0.5, "half way")
    QTest.qWait(50)
    assert amiss(window) == []
    job.stop()
    qtbot.waitUntil(lambda: bool(ends))


def dialogs(window: Window) -> dict[str, Callable[[], QWidget]]:
    from adstudio.ui.app.about_dialog import AboutDialog
    from adstudio.ui.app.preferences_dialog import PreferencesDialog
    from adstudio.ui.app.shortcuts_dialog import ShortcutsDialog
    from adstudio.ui.files.new_project import NewProjectDialog
    from adstudio.ui.files.project_settings import ProjectSettingsDialog

    desk = window.context
    return {
        "assistant": lambda: NewProjectDialog(desk),
        "preferences": lambda: PreferencesDialog(desk),
        "settings": lambda: ProjectSettingsDialog(window.session.script),
        "keys": lambda: ShortcutsDialog(desk.actions, desk.preferences),
        "about": AboutDialog,
    }


@pytest.mark.parametrize("name", ["assistant", "preferences", "settings", "keys", "about"])
def test_all_that_the_dialogs_show_is_heard(window: Window, qtbot, name: str):
    dialog = dialogs(window)[name]()
    qtbot.addWidget(dialog)
    dialog.show()
    QTest.qWait(50)
    assert amiss(dialog) == []


def test_all_that_the_first_page_shows_is_heard(qapp, qtbot, tmp_path: Path):
    made = Window()
    made.context.preferences.remember(ProjectFile.create(tmp_path / "small.adproj", small_script()).path)
    made.show()
    QTest.qWait(50)
    try:
        assert amiss(made) == []
    finally:
        made.close()
        made.deleteLater()


def test_a_label_says_what_it_shows_as_it_changes(qtbot):
    label = Label("one")
    qtbot.addWidget(label)
    interface = QAccessible.queryAccessibleInterface(label)
    assert interface.text(QAccessible.Text.Name) == "one"
    label.setAccessibleName("Count")
    assert interface.text(QAccessible.Text.Description) == "one"
    label.setText("<b>two</b>")
    assert interface.text(QAccessible.Text.Description) == "two"
    label.clear()
    assert interface.text(QAccessible.Text.Description) == ""


@pytest.mark.parametrize(("text", "seen"), [("asks for a &key", "asks for a key"), ("This && that", "This & that")])
def test_the_sign_of_a_letter_is_not_read(text: str, seen: str):
    assert unmarked(text) == seen


def test_however_shortly_the_plan_is_told_it_is_heard(window: Window):
    status = PlanStatus(window.context)
    status.layout().setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    status.show()
    widest = status.sizeHint().width()
    shown = set()
    for width in range(widest, 0, -20):
        status.resize(width, status.height())
        shown.add(tuple(label.text() for label in status.findChildren(QLabel)))
        assert amiss(status) == []
    assert len(shown) >= 4
    status.deleteLater()
