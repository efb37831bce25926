"""Small windows, and what lies below: picture, script, timeline and a tab that is read share what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desks import small_script
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QWidget

from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window
from adstudio.ui.panels.scenes import ScenesPanel
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.table.replace_bar import Scope
from adstudio.ui.table.row_order import Filter
from adstudio.ui.timeline.lanes import COMPACT_HEIGHT
from adstudio.ui.widgets.theme import time_font

HORIZONTAL, VERTICAL = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
ROW = 24
TURNS = 20
"""So often are the sizes the same, one turn of the event loop after the other, once they are final."""


@pytest.fixture
def settle(qtbot) -> Callable[[Window], None]:
    """Waits until the window and its docks have got their sizes, however busy the computer is."""

    def wait(window: Window) -> None:
        editor, layouts, seen = window.editor, window.editor.layouts, []
        inner = (editor.picture, editor.table, editor.timeline.canvas, editor.drafts.page.table)
        sized = (window, *window.findChildren(QDockWidget), *inner)

        def has_settled() -> bool:
            seen.append([(each.isVisible(), each.geometry()) for each in sized])
            pending = (layouts._settling, layouts._fitting, layouts._heights._settling)
            if any(timer.isActive() for timer in pending) or seen[-1] != seen[0]:
                seen.clear()
            return len(seen) >= TURNS

        qtbot.waitUntil(has_settled)

    return wait


@pytest.fixture
def opened(qapp, settle, tmp_path: Path) -> Iterator[Callable[[QSize], Window]]:
    made: list[Window] = []
    Preferences().store("layout", "review")

    def make(size: QSize) -> Window:
        window = Window()
        made.append(window)
        window.resize(size)
        window.show()
        QTest.qWait(20)
        path = tmp_path / "small.adproj"
        found = ProjectFile.open(path) if path.exists() else ProjectFile.create(path, small_script())
        window.session.open_project(found)
        settle(window)
        return window

    yield make
    for window in made:
        if window.session.project is not None:
            window.session.edits.document.mark_saved()
        window.close()
        window.deleteLater()


def is_whole(widget: QWidget, window: Window) -> bool:
    """Whether nothing of it is cut off."""
    return widget.visibleRegion().boundingRect() == widget.rect()


def scenes_of(window: Window) -> QDockWidget:
    return next(dock for dock in window.findChildren(QDockWidget) if dock.objectName() == "scenes")


def test_a_tab_that_is_read_is_paid_for_by_the_timeline_while_its_lanes_stand(opened, settle):
    window = opened(QSize(1728, 972))
    picture, table = window.editor.picture.height(), window.editor.table.height()
    window.actions_["plan.by_model"].trigger()
    settle(window)
    assert window.editor.drafts.page.table.viewport().height() >= 4 * ROW
    assert window.editor.timeline.canvas.height() >= COMPACT_HEIGHT
    assert window.editor.picture.height() >= 200
    assert window.editor.table.view.viewport().height() >= 4 * 28
    # The two pay a tenth at most.
    assert window.editor.picture.height() + window.editor.table.height() >= (picture + table) * 9 // 10


def test_a_window_made_small_puts_picture_and_script_side_by_side_and_a_larger_one_takes_it_back(opened, settle):
    window = opened(QSize(1728, 972))
    window.actions_["plan.by_model"].trigger()
    settle(window)
    before = window.editor.work.sizes()
    assert window.editor.work.orientation() is VERTICAL
    window.resize(900, 640)
    settle(window)
    assert (window.width(), window.height()) == (900, 640)
    assert window.editor.work.orientation() is HORIZONTAL
    assert scenes_of(window).isHidden()
    page = window.editor.drafts.page
    assert page.table.viewport().height() >= ROW
    for widget in (
        page.model,
        page.start_button,
        page.progress,
        page.table,
        window.editor.table.head.find_box,
        window.editor.table.head.order,
    ):
        assert is_whole(widget, window)
    assert page.progress.text() == page.progress.whole
    window.resize(1728, 972)
    settle(window)
    assert window.editor.work.orientation() is VERTICAL
    assert not scenes_of(window).isHidden()
    assert all(abs(now - then) <= 12 for now, then in zip(window.editor.work.sizes(), before, strict=True))


def test_drafts_opened_in_a_small_window_leave_it_as_it_is(opened, settle):
    window = opened(QSize(834, 600))
    window.actions_["plan.by_model"].trigger()
    settle(window)
    page = window.editor.drafts.page
    assert (window.width(), window.height()) == (834, 600)
    # Why it cannot be started, and that there is no model, can be read.
    assert page.progress.text() == page.progress.whole != ""
    assert page.model.currentText() == "No model yet"
    assert page.model.width() >= page.model.fontMetrics().horizontalAdvance("No model yet") + 7 * 4
    assert page.out_button.isVisible()
    assert not page.progress.geometry().intersects(page.out_button.geometry())


def test_a_small_window_is_remembered_as_it_was_left_and_a_large_one_as_it_was(opened, settle):
    window = opened(QSize(1728, 972))
    window.resize(900, 640)
    settle(window)
    window.actions_["plan.by_model"].trigger()
    window.editor.work.setSizes([200, 412])
    sizes = window.editor.work.sizes()
    window.close()
    small = opened(QSize(900, 640))
    assert small.editor.work.orientation() is HORIZONTAL
    assert small.editor.drafts.isVisible()
    assert all(abs(now - then) <= 12 for now, then in zip(small.editor.work.sizes(), sizes, strict=True))
    small.close()
    Preferences().store("window", "")
    large = opened(QSize(1728, 972))
    assert large.editor.work.orientation() is VERTICAL
    assert not scenes_of(large).isHidden()


def test_a_window_that_was_small_from_the_start_has_all_when_it_grows(opened, settle):
    window = opened(QSize(900, 640))
    assert window.editor.work.orientation() is HORIZONTAL
    window.resize(1728, 972)
    settle(window)
    assert window.editor.work.orientation() is VERTICAL
    assert not scenes_of(window).isHidden()


def test_a_window_with_large_text_is_laid_out_as_a_small_one_and_back_again(opened, settle, text_size):
    window = opened(QSize(1728, 972))
    assert window.editor.work.orientation() is VERTICAL
    window.context.preferences.store("text_size", "200")
    settle(window)
    assert window.editor.work.orientation() is HORIZONTAL
    assert window.size() == QSize(1728, 972)
    window.context.preferences.store("text_size", "100")
    settle(window)
    assert window.editor.work.orientation() is VERTICAL
    assert not scenes_of(window).isHidden()


def test_replacing_above_an_open_panel_is_whole_in_large_text_and_leaves_rows(opened, settle, text_size):
    Preferences().store("layout", "write")
    window = opened(QSize(1366, 768))
    window.context.preferences.store("text_size", "200")
    settle(window)
    window.actions_["edit.replace"].trigger()
    window.actions_["plan.by_model"].trigger()
    settle(window)
    table = window.editor.table
    bar, head = table.replace_bar, table.head
    shown = [each for each in (*bar.in_order, *head.in_order) if each.isVisible()]
    assert {bar.by, bar.options, bar.one, bar.all, bar.close_button, head.find_box, head.order} <= set(shown)
    assert [each.accessibleName() for each in shown if not is_whole(each, window)] == []
    assert not head.filters.isVisible()
    assert table.view.viewport().height() >= table.view.rowHeight(0)
    # What has no room of its own is in the menu.
    bar.menu.aboutToShow.emit()
    choices = {action.text(): action for action in bar.menu.actions()}
    assert list(choices) == ["Look in", "Replace in", "Match case", "Whole words"]
    next(each for each in choices["Replace in"].menu().actions() if each.text() == "Selected lines").trigger()
    choices["Match case"].trigger()
    assert bar.lines is Scope.SELECTED
    assert bar.match_case.isChecked()
    # A filter that is chosen is seen; and once there is room, all is where it was.
    head.filters.chips[Filter.PLACED].click()
    assert head.filters.isVisible()
    window.resize(1920, 1080)
    window.context.preferences.store("text_size", "100")
    settle(window)
    assert bar.options.isHidden()
    assert all(each.isVisible() for each in (bar.where, bar.scope, bar.match_case, bar.whole_words, head.filters))


def test_the_scenes_figures_are_whole_in_large_text(opened, settle, text_size):
    window = opened(QSize(1920, 1080))
    window.context.preferences.store("text_size", "200")
    settle(window)
    scenes_of(window).show()
    settle(window)
    panel = scenes_of(window).findChild(ScenesPanel)
    figures = QFontMetrics(time_font(panel.font().pointSizeF() * 0.9))
    around = figures.horizontalAdvance("○") * 2 + 6 * 4
    assert panel.width() >= figures.horizontalAdvance("00:12:34:24  ·  12/30") + around


def test_the_heading_beside_the_scenes_is_as_high_as_theirs(opened, settle):
    window = opened(QSize(1728, 972))
    window.actions_["plan.by_model"].trigger()
    settle(window)
    page = window.editor.drafts.page
    heads = (page.table.horizontalHeader(), page.detail.heading)
    assert heads[0].height() == heads[1].height()
    assert heads[0].mapTo(window, heads[0].rect().topLeft()).y() == heads[1].mapTo(window, QPoint()).y()
