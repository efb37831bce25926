"""The filters above the script table: all of them within reach at every width, by mouse and by key."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from adstudio.ui.table.line_facts import Filter
from adstudio.ui.table.panel import ScriptTable


def in_menu(table: ScriptTable) -> list[str]:
    table.head.filters.menu.aboutToShow.emit()
    return [action.text() for action in table.head.filters.menu.actions()]


@pytest.mark.parametrize("width", [200, 300, 420, 700, 860, 1130, 1260, 1900])
def test_every_filter_is_in_sight_or_in_the_menu(table: ScriptTable, width: int):
    table.resize(width, 300)
    QTest.qWait(20)
    shown = [chip for chip in table.head.filters.chips.values() if chip.isVisible()]
    rest = in_menu(table) if table.head.filters.more.isVisible() else []
    assert sorted([*(chip.text() for chip in shown), *rest]) == sorted(
        chip.text() for chip in table.head.filters.chips.values()
    )
    assert table.head.filters.chips[Filter.ALL] in shown
    places = [button.geometry() for button in (*shown, table.head.filters.more) if button.isVisible()]
    for place, one in enumerate(places):
        assert table.head.filters.rect().contains(one)
        assert all(not one.intersects(other) for other in places[place + 1 :])
    # One line of filters, and at most one more for what stands beside them.
    assert table.view.geometry().top() <= 4 + 2 * (28 + 4) + 4
    head = [table.head.find_box, table.head.regex, table.head.order, table.head.counts, table.head.filters]
    for place, one in enumerate(head):
        assert table.rect().contains(one.geometry())
        assert all(not one.geometry().intersects(other.geometry()) for other in head[place + 1 :])


def test_what_is_chosen_in_the_menu_comes_out_of_it(table: ScriptTable):
    table.resize(320, 300)
    QTest.qWait(20)
    unsure = table.head.filters.chips[Filter.UNSURE]
    assert not unsure.isVisible()
    assert unsure.text() in in_menu(table)
    next(action for action in table.head.filters.menu.actions() if action.text() == unsure.text()).trigger()
    assert unsure.isVisible()
    assert table.model.wanted.chip is Filter.UNSURE
    assert unsure.text() not in in_menu(table)
    table.show_all()
    assert not unsure.isVisible()
    assert table.head.filters.chips[Filter.ALL].isVisible()


def test_the_tab_key_stops_at_the_menu_and_space_opens_it(table: ScriptTable, qtbot):
    table.resize(320, 300)
    QTest.qWait(20)
    more = table.head.filters.more
    assert more in table.in_order
    assert (more.accessibleName(), more.focusPolicy() != 0) == ("More filters", True)
    more.setFocus()
    opened: list[int] = []

    def shut() -> None:
        opened.append(len(table.head.filters.menu.actions()))
        table.head.filters.menu.close()

    table.head.filters.menu.aboutToShow.connect(lambda: QTimer.singleShot(50, table, shut))
    QTest.keyClick(more, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: bool(opened))
    assert opened[0] > 0
    assert QApplication.activePopupWidget() is None
