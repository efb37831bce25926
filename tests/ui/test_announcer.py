"""A sentence is said once, by the way that the screen reader knows, and urgently where it cannot wait."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QMainWindow

from adstudio.ui.app import announcer as module
from adstudio.ui.app.announcer import NOTICES, AccessibilityBus, Announcer, Notice, needs_notice

# What they register on the accessibility bus: Orca 43.1 as recorded from it, Orca 48 by its source.
ORCA_43 = [
    (":1.0", "Object:PropertyChange:AccessibleName"),
    (":1.0", "Object:StateChanged:Showing"),
    (":1.0", "Focus::"),
]
ORCA_48 = [(":1.4", "Object:StateChanged:Showing"), (":1.4", "Object:Announcement:")]


@pytest.mark.parametrize(
    ("registered", "needed"),
    [
        (ORCA_43, True),
        (ORCA_48, False),
        ([*ORCA_48, *ORCA_43], True),
        ([], False),
        ([(":1.0", "Object:StateChanged:")], True),
        ([(":1.0", "Object:StateChanged:Focused")], False),
        ([(":1.0", "object:")], False),
        ([(":1.0", "Mouse:Button:")], False),
    ],
)
def test_a_notification_is_shown_where_one_hears_nothing_else(registered: list[tuple[str, str]], needed: bool):
    assert needs_notice(registered) is needed


@pytest.fixture
def window(qtbot) -> Iterator[QMainWindow]:
    made = QMainWindow()
    qtbot.addWidget(made)
    QAccessible.setActive(True)
    yield made
    QAccessible.setActive(False)


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    sent: list[object] = []

    def take(event: object) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            sent.append((event.message(), event.politeness().name))
        else:
            interface = QAccessible.queryAccessibleInterface(event.object())
            sent.append((event.type().name, interface.role().name, interface.text(QAccessible.Text.Name)))

    monkeypatch.setattr(module.QAccessible, "updateAccessibility", take)
    return sent


def announcer_of(window: QMainWindow, registered: list[tuple[str, str]], monkeypatch) -> Announcer:
    monkeypatch.setattr(AccessibilityBus, "registered", lambda _: registered)
    return Announcer(window)


def test_a_reader_that_knows_announcements_gets_one(window, events, monkeypatch):
    announcer = announcer_of(window, ORCA_48, monkeypatch)
    announcer.say("Accepted.")
    announcer.say("Conflict.", urgent=True)
    announcer.say("")
    assert events == [("Accepted.", "Polite"), ("Conflict.", "Assertive")]
    assert not window.findChildren(Notice)


def test_an_older_reader_gets_a_notification_in_the_status_bar_too(window, events, monkeypatch):
    announcer = announcer_of(window, ORCA_43, monkeypatch)
    announcer.say("Accepted.")
    assert events[1:] == [("ObjectShow", "Notification", "Accepted.")]
    for number in range(NOTICES - 1):
        announcer.say(f"Said {number}.")
    notices = window.findChildren(Notice)
    assert all(notice.parentWidget() is window.statusBar() for notice in notices)
    assert {notice.accessibleName() for notice in notices} == {
        "Accepted.",
        *(f"Said {number}." for number in range(NOTICES - 1)),
    }, "none is renamed before the reader has had time to ask for it"


def test_without_a_screen_reader_nothing_is_asked_or_sent(window, events, monkeypatch):
    announcer = announcer_of(window, ORCA_43, monkeypatch)
    monkeypatch.setattr(AccessibilityBus, "registered", lambda _: pytest.fail("the bus was asked"))
    QAccessible.setActive(False)
    announcer.say("Accepted.")
    assert events == []


def test_a_bus_that_is_busy_holds_to_what_it_said(monkeypatch):
    answers: list[object] = [ORCA_43, TimeoutError(), ORCA_48]

    class Busy:
        def send_and_get_reply(self, _message: object, **_: object) -> object:
            answer = answers.pop(0)
            if isinstance(answer, TimeoutError):
                raise answer
            return SimpleNamespace(body=(answer,))

        def close(self) -> None:
            pass

    monkeypatch.setattr(module, "_connect", Busy)
    bus = AccessibilityBus()
    bus._absent = False
    assert [bus.registered() for _ in range(3)] == [ORCA_43, ORCA_43, ORCA_48]


def test_a_bus_that_is_not_there_is_asked_once(monkeypatch):
    asked: list[int] = []

    def refuse() -> object:
        asked.append(1)
        raise ConnectionRefusedError

    monkeypatch.setattr(module, "_connect", refuse)
    bus = AccessibilityBus()
    bus._absent = False
    assert [bus.registered(), bus.registered()] == [[], []]
    assert asked == [1]
