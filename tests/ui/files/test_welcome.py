"""The welcome page: recent projects, missing ones, and files that are dropped on it."""

import sys
from pathlib import Path

import pytest
from desks import small_script
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton

from adstudio.store.project import ProjectFile
from adstudio.ui.files.welcome_page import SampleProgress, WelcomePage


@pytest.fixture
def taken(files, monkeypatch) -> list[Path]:
    found: list[Path] = []
    monkeypatch.setattr(files, "open_path", found.append)
    monkeypatch.setattr(files, "new", found.append)
    return found


@pytest.fixture
def page(context, files, taken, qtbot):
    made = WelcomePage(context, files)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    return made


@pytest.fixture
def three(context, odd) -> list[Path]:
    paths = [odd(".adproj"), odd(" 2.adproj"), odd(" gone.adproj")]
    for path in paths[:2]:
        ProjectFile.create(path, small_script()).close()
    for path in reversed(paths):
        context.preferences.remember(path)
    return paths


def words(widget) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel))


def test_without_recent_projects_there_is_no_list(page, context):
    assert not page.recent.isVisible()
    assert not page.heading.isVisible()


def test_recent_projects_newest_first_and_missing_ones_marked(three, page):
    assert page.recent.count() == 3
    rows = [words(page.recent.itemWidget(page.recent.item(row))) for row in range(3)]
    assert rows[0].startswith("#1 %20 &")
    assert "missing" in rows[2]
    assert "not there" not in rows[1]
    said = page.recent.item(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "missing" in said
    assert "日本" in said


def test_return_and_a_click_open_one(three, page, taken, qtbot):
    page.recent.setCurrentRow(1)
    qtbot.keyClick(page.recent, Qt.Key.Key_Return)
    assert taken == [three[1]]
    where = page.recent.visualItemRect(page.recent.item(0)).center()
    qtbot.mouseClick(page.recent.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert taken == [three[1], three[0]]


def test_delete_and_its_button_take_one_off_the_list(three, page, context, qtbot):
    page.recent.setCurrentRow(2)
    qtbot.keyClick(page.recent, Qt.Key.Key_Delete)
    assert context.preferences.recent == tuple(three[:2])
    button = page.recent.itemWidget(page.recent.item(0)).findChild(QToolButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert context.preferences.recent == (three[1],)
    assert three[0].exists()


def drop(page, url: QUrl) -> bool:
    data = QMimeData()
    data.setUrls([url])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(10, 10), copy, data, left, none)
    QApplication.sendEvent(page, entering)
    if not entering.isAccepted():
        return False
    QApplication.sendEvent(page, QDropEvent(QPointF(10, 10), copy, data, left, none))
    return True


@pytest.mark.parametrize("ending", [".adproj", ".mp4", ".srt"])
def test_a_dropped_file_is_taken_by_its_real_name(page, taken, odd, ending: str):
    # As a file manager writes it: percent-encoded, so that %20 in the name itself arrives as %2520.
    address = "file://" + bytes(QUrl.toPercentEncoding(str(odd(ending)), b"/").data()).decode()
    assert "%2520" in address
    assert drop(page, QUrl(address))
    assert taken == [odd(ending)]


def test_what_is_no_file_is_not_taken(page, taken):
    assert not drop(page, QUrl("https://example.org/film.mp4"))
    assert taken == []


def test_the_ways_in_are_buttons_with_keys(page, context):
    buttons = {button.text(): button for button in page.findChildren(QPushButton)}
    assert set(buttons) - {"Stop"} == {"New project…", "Open project…", "Sample film"}
    assert buttons["New project…"].isDefault()
    assert "Ctrl+O" in buttons["Open project…"].toolTip()


def test_the_look_may_change(page, context):
    from adstudio.ui.widgets.theme import Look

    for look in (Look.DARK, Look.LIGHT):
        context.theme.wear(look)
        QApplication.processEvents()


def test_what_is_being_made_is_shown_and_can_be_stopped(page, context, qtbot):
    making = page.findChild(SampleProgress)
    assert not making.isVisible()
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    job = context.jobs.start("Making the sample film", command, lambda _: None, lambda *_: None)
    assert making.isVisible()
    job.report(0.25, "drawing")
    assert making.what.text() == "Making the sample film: drawing"
    assert making.bar.value() == 250
    qtbot.mouseClick(making.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not context.jobs.running)
    assert not making.isVisible()
