"""Recent projects and looks in the menus; the docked picture gives way to the one in its own window."""

import pytest
from desks import small_script
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from adstudio.store.project import ProjectFile
from adstudio.ui.app.application import no_window
from adstudio.ui.app.window import Window
from adstudio.ui.widgets.theme import Look


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    made = Window()
    made.resize(1600, 1000)
    made.show()
    made.session.open_project(ProjectFile.create(tmp_path / "small.adproj", small_script()))
    QTest.qWait(50)
    yield made
    if made.session.project is not None:
        made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def test_every_recent_project_opens_from_the_menu(window: Window, tmp_path):
    menu = window.findChild(QMenu, "menu.recent")
    assert not menu.menuAction().isEnabled()
    paths = [tmp_path / f"A & B {number}.adproj" for number in range(12)]
    for path in paths:
        ProjectFile.create(path, small_script()).close()
        window.context.preferences.remember(path)
    assert menu.menuAction().isEnabled()
    texts = [entry.text() for entry in menu.actions()]
    assert texts[0].startswith("&1 A && B 11  ·  ")
    assert len(texts) == 12
    for path in paths:
        entry = next(each for each in menu.actions() if f"{path.stem.replace('&', '&&')}  ·" in each.text())
        entry.trigger()
        assert window.session.project.path == path
    file_menu = window.menuBar().findChild(QMenu, "menu.file")
    entries = file_menu.actions()
    assert entries[entries.index(window.actions_["file.open"]) + 1] is menu.menuAction()


def test_one_look_is_marked_whichever_way_it_is_chosen(window: Window):
    actions = {look: window.actions_[f"view.look_{look.value}"] for look in Look}

    def marked() -> list[Look]:
        return [look for look, action in actions.items() if action.isChecked()]

    assert marked() == [Look.SYSTEM]
    for look in (Look.DARK, Look.DARK, Look.LIGHT, Look.SYSTEM):
        actions[look].trigger()
        assert window.context.preferences.look is look
        assert marked() == [look]
    window.context.theme.wear(Look.DARK)
    assert marked() == [Look.DARK]


def test_the_docked_picture_gives_way_to_its_own_window(window: Window):
    second, docked = window.actions_["view.second_screen"], window.actions_["view.picture"]
    second.trigger()
    assert not window.editor.picture.isVisible()
    assert not docked.isChecked()
    window.editor.layouts.use("write")
    QTest.qWait(30)
    assert not window.editor.picture.isVisible()
    docked.trigger()  # here as well
    assert window.editor.picture.isVisible()
    assert window.editor.picture.second_screen is not None
    docked.trigger()
    assert not window.editor.picture.isVisible()
    docked.trigger()
    second.trigger()
    assert window.editor.picture.isVisible()
    assert window.editor.picture.second_screen is None
    second.trigger()
    window.editor.picture.second_screen.close()
    assert window.editor.picture.isVisible()
    docked.trigger()
    second.trigger()
    second.trigger()
    assert not window.editor.picture.isVisible()  # it was hidden before


def test_a_project_without_a_video_is_no_alarm(window: Window):
    banner = window.editor.picture.banner
    assert banner.sentence == "No video: the clock runs. “Relink video…” adds one."
    assert not banner._mark.isVisible()
    assert window.context.theme.tokens.warning not in banner.styleSheet()
    banner.say("Something is wrong", find=False)
    assert banner._mark.isVisible()
    assert window.context.theme.tokens.warning in banner.styleSheet()


def test_a_display_that_does_not_answer_is_told_in_one_sentence(monkeypatch):
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":99")
    assert no_window("qt.qpa.xcb: could not connect to display :99").startswith("no display answers at :99: ")
    assert "libxcb-cursor0" in no_window("")


def test_a_platform_that_qt_does_not_have_is_named(monkeypatch):
    unknown = 'Could not find the Qt platform plugin "foo" in ""'
    monkeypatch.setenv("QT_QPA_PLATFORM", "foo")
    assert no_window(unknown).startswith("Qt has no platform “foo”, which QT_QPA_PLATFORM asks for")
    monkeypatch.delenv("QT_QPA_PLATFORM")  # Qt looked for one of its own
    assert "libxcb-cursor0" in no_window(unknown)
