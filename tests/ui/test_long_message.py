"""A message that the status line has no room for is shown whole, over the window's lower edge, while it lasts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import window_on
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QStatusBar

from adstudio.ui.app.long_message import LongMessage
from adstudio.ui.app.window import MESSAGE_MS, Window

SHORT = "Saved."
LONG = " ".join(["The line has no room in its gap, as the dialogue at 00:12:43:10 begins too early for it."] * 3)


@pytest.fixture
def window(qapp, tmp_path: Path) -> Iterator[Window]:
    with window_on(tmp_path) as made:
        made.resize(900, 640)
        yield made


def over(window: Window) -> LongMessage:
    (found,) = window.findChildren(LongMessage)
    return found


def is_whole(label: QLabel) -> bool:
    room = label.contentsRect()
    wanted = label.fontMetrics().boundingRect(
        QRect(0, 0, room.width(), 10_000), Qt.TextFlag.TextWordWrap.value, label.text()
    )
    return wanted.height() <= room.height() and wanted.width() <= room.width()


def test_a_long_message_is_shown_whole_at_the_lower_edge_until_the_status_line_drops_it(window: Window):
    label, size = over(window), window.size()
    window.session.messages.say(LONG)
    assert label.isVisible()
    assert label.text() == window.statusBar().currentMessage() == LONG
    assert is_whole(label)
    assert label.height() > 2 * label.fontMetrics().height()
    assert label.geometry().bottom() == window.rect().bottom()
    assert label.geometry().contains(window.statusBar().geometry())
    assert window.size() == size
    window.statusBar().clearMessage()
    assert not label.isVisible()


def test_a_message_that_fits_is_in_the_status_line_only(window: Window):
    window.session.messages.say(LONG)
    window.session.messages.say(SHORT)
    assert not over(window).isVisible()
    assert window.statusBar().currentMessage() == SHORT


def test_it_follows_the_window_s_width_and_what_is_beside_the_message(window: Window, qtbot):
    label, bar = over(window), window.statusBar()
    message = "a" * (900 // window.fontMetrics().horizontalAdvance("a") - 10)
    window.resize(1400, 640)
    window.session.messages.say(message)
    assert not label.isVisible()
    beside = QLabel()
    beside.setFixedWidth(1000)
    bar.addPermanentWidget(beside)
    qtbot.waitUntil(label.isVisible)
    assert is_whole(label)
    bar.removeWidget(beside)
    qtbot.waitUntil(lambda: not label.isVisible())
    window.session.messages.say(LONG)
    window.resize(900, 640)
    qtbot.waitUntil(lambda: label.width() == 900 and is_whole(label))
    assert label.geometry().bottom() == window.rect().bottom()


def test_a_long_message_stays_as_long_as_it_takes_to_read(window: Window, monkeypatch):
    shown: list[tuple[str, int]] = []
    monkeypatch.setattr(QStatusBar, "showMessage", lambda _, message, ms=0: shown.append((message, ms)))
    window.session.messages.say(SHORT)
    window.session.messages.say("word " * 60)
    # 150 words a minute
    assert [ms for _, ms in shown] == [MESSAGE_MS, 24_000]
