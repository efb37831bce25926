"""What a screen reader still holds: items of the timeline that have gone since, asked for by the ids that Qt gave out.

This is what Qt's bridge to AT-SPI does for a client, without the client. With a real one: tests/ui/screen_reader.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from desks import window_on
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAccessible, QAccessibleInterface
from shiboken6 import isValid

from adstudio.editing import lines
from adstudio.ui.app.window import Window

ACTS = (
    *("line.keep_in", "line.keep_out", "line.free", "line.pin_start", "line.accept", "line.up", "line.down"),
    *("line.salience_up", "edit.delete", "edit.undo", "edit.redo", "plan.next_change", "line.override"),
)


def ids_below(interface: QAccessibleInterface) -> Iterator[int]:
    """The ids by which a client holds everything in a part of the window."""
    yield QAccessible.uniqueId(interface)
    for place in range(interface.childCount()):
        child = interface.child(place)
        if child is not None and child.isValid():
            yield from ids_below(child)


def ask(held: int) -> bool:
    """Everything that a client can ask of one thing that it holds, as Qt's bridge does it; False if it is gone."""
    interface = QAccessible.accessibleInterface(held)
    if interface is None or not interface.isValid():
        return False
    for kind in QAccessible.Text:
        interface.text(kind)
    interface.role(), interface.state(), interface.rect(), interface.childCount()
    parent = interface.parent()
    return parent is None or parent.indexOfChild(interface) < parent.childCount()


def test_an_item_that_is_gone_is_gone_for_whoever_holds_it(timeline, desk) -> None:
    whole = QAccessible.queryAccessibleInterface(timeline.canvas)
    child = whole.child(13)
    held = QAccessible.uniqueId(child)
    assert ask(held)
    desk.session.edits.attempt(lambda script: lines.delete_lines(script, ("e1",)))
    assert not ask(held)
    assert whole.childCount() == 14
    assert QAccessible.accessibleInterface(held) is None
    assert not isValid(child)
    desk.session.undo()
    again = QAccessible.uniqueId(whole.child(13))
    assert ask(again)
    assert not ask(held)


def test_items_go_with_the_timeline(timeline, window) -> None:
    held = list(ids_below(QAccessible.queryAccessibleInterface(timeline.canvas)))
    assert all(map(ask, held))
    window.takeCentralWidget()
    timeline.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [QAccessible.accessibleInterface(each) for each in held] == [None] * len(held)


@pytest.fixture
def open_window(qapp, tmp_path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with window_on(tmp_path) as made:
        yield made


def test_a_client_that_holds_everything_may_ask_at_any_time(open_window: Window) -> None:
    chance, held = random.Random(1), set[int]()
    whole = QAccessible.queryAccessibleInterface(open_window)
    actions, session = open_window.actions_, open_window.session
    for turn in range(40):
        if turn % 4 == 0:
            held.update(ids_below(whole))
        ids = session.script.eventuality_index
        if ids:
            session.cursor.select_line(chance.choice(list(ids)))
        actions[chance.choice(ACTS)].trigger()
        QCoreApplication.processEvents()
        alive = sum(map(ask, held))
        assert 0 < alive <= len(held)
    assert alive < len(held)
