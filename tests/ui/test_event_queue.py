"""The event queue: signals one after the other, each in an event of its own."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEventLoop, QObject, QTimer

from adstudio.ui.background.event_queue import EventQueue


@pytest.fixture
def turns(qapp):
    parent = QObject()
    yield EventQueue(parent)
    parent.deleteLater()


def hear(turns: EventQueue, *names: str) -> list[tuple[str, object]]:
    heard: list[tuple[str, object]] = []
    for name in names:
        turns.turn().connect(lambda news, name=name: heard.append((name, news)))
    return heard


def run(ms: int = 20) -> None:
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def test_they_are_had_in_order_and_whatever_waits_comes_between_two_of_them(turns: EventQueue):
    heard = hear(turns, "first")
    between = QTimer()
    between.setSingleShot(True)
    between.timeout.connect(lambda: heard.append(("between", None)))
    turns.turn().connect(lambda _: between.start(0))
    turns.turn().connect(lambda news: heard.append(("last", news)))
    turns.begin("news")
    assert heard == []
    run()
    assert heard == [("first", "news"), ("between", None), ("last", "news")]


def test_they_are_had_at_once_where_somebody_waits_and_not_again(turns: EventQueue):
    heard = hear(turns, "a", "b")
    turns.begin(1, 10)
    turns.finish()
    assert heard == [("a", 1), ("b", 1)]
    run(30)
    turns.finish()
    assert heard == [("a", 1), ("b", 1)]


def test_what_is_left_is_had_by_whoever_comes_in_the_middle(turns: EventQueue):
    heard = hear(turns, "a")
    turns.turn().connect(lambda _: QTimer.singleShot(0, turns, turns.finish))
    heard_after = hear(turns, "c", "d")
    turns.begin(1)
    run()
    assert (heard, heard_after) == ([("a", 1)], [("c", 1), ("d", 1)])


def test_beginning_anew_forgets_what_was_left_and_stopping_forgets_all(turns: EventQueue):
    heard = hear(turns, "a", "b")
    turns.begin(1)
    turns.begin(2)
    run()
    assert heard == [("a", 2), ("b", 2)]
    turns.begin(3)
    turns.stop()
    run()
    turns.finish()
    assert len(heard) == 2


def test_news_that_comes_of_news_is_told_once_to_each_in_order(turns: EventQueue):
    heard: list[tuple[str, object]] = []

    def first(news: object) -> None:
        heard.append(("a", news))
        if news == 1:
            turns.begin(2)
            turns.finish()

    turns.turn().connect(first)
    turns.turn().connect(lambda news: heard.append(("b", news)))
    turns.begin(1)
    turns.finish()
    assert heard == [("a", 1), ("a", 2), ("b", 2)]


def test_who_is_gone_is_passed_over(turns: EventQueue, qapp):
    class Panel(QObject):
        def renew(self, news: object) -> None:
            heard.append(("panel", news))

    heard = hear(turns, "a")
    panel = Panel()
    turns.turn().connect(panel.renew)
    panel.deleteLater()
    del panel
    qapp.processEvents()
    run(1)
    turns.begin(1)
    run()
    assert heard == [("a", 1)]
