"""Has a screen reader say a sentence: once, whichever of two ways it knows.

Qt announces by an event that screen readers on Windows and macOS know, and Orca from 45 on. Orca before that, such as
Debian 12's, says a notification that appears in a status bar, and no word more than its name; a later Orca would say it
a second time, with its role. So notifications are shown only where somebody on the accessibility bus listens to what
appears and not to announcements. (`org.a11y.atspi.Registry.GetRegisteredEvents`; Qt 6.11 has no way to ask.)
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QMainWindow, QWidget

if TYPE_CHECKING:
    from jeepney.io.blocking import DBusConnection

NOTICES = 6
"""A reader asks for a notification's name after a while: so many can be said in a row without being mixed up."""
PATIENCE = 0.2
"""Seconds that the accessibility bus has to answer; until it does, what it has answered before holds."""
APPEARS, ANNOUNCEMENT = "object:statechanged:showing", "object:announcement:"


class Notice(QWidget):
    """A notification in the status bar without a picture; its name is what is said."""

    interface: QAccessibleInterface | None = None
    """Referenced from Python as long as Qt may ask for it."""


class Announcer(QObject):
    """Announces on behalf of a window, in whose status bar it puts its notices."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._bus = AccessibilityBus()
        self._notices: list[Notice] = []

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Have it read after what is being said, or `urgent`, at once."""
        if not sentence or not QAccessible.isActive():
            return
        event = QAccessibleAnnouncementEvent(self._window, sentence)
        politeness = QAccessible.AnnouncementPoliteness
        event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
        QAccessible.updateAccessibility(event)
        if needs_notice(self._bus.registered()):
            self._notify(sentence)

    def close(self) -> None:
        """Leave the accessibility bus."""
        self._bus.close()

    def _notify(self, sentence: str) -> None:
        if not self._notices:
            QAccessible.installFactory(interface_of_notice)
            self._notices = [Notice(self._window.statusBar()) for _ in range(NOTICES)]
        notice = self._notices.pop(0)
        self._notices.append(notice)
        notice.setAccessibleName(sentence)
        QAccessible.updateAccessibility(QAccessibleEvent(notice, QAccessible.Event.ObjectShow))


def interface_of_notice(_name: str, thing: QObject | None) -> QAccessibleInterface | None:
    """The factory to be installed: a notice is a notification."""
    if not isinstance(thing, Notice):
        return None
    if thing.interface is None:
        thing.interface = QAccessibleWidget(thing, QAccessible.Role.Notification)
    return thing.interface


def needs_notice(registered: Iterable[tuple[str, str]]) -> bool:
    """Whether any of these clients, by name on the bus and event it listens to, hears a notification alone."""
    appears, announced = set[str](), set[str]()
    for client, event in registered:
        name = f"{event.lower().rstrip(':')}:"
        if f"{APPEARS}:".startswith(name):
            appears.add(client)
        if ANNOUNCEMENT.startswith(name):
            announced.add(client)
    return bool(appears - announced)


class AccessibilityBus:
    """Asks who listens to what; nobody where there is no such bus."""

    def __init__(self) -> None:
        self._connection: DBusConnection | None = None
        self._known: list[tuple[str, str]] = []
        self._absent = not sys.platform.startswith("linux")

    def registered(self) -> list[tuple[str, str]]:
        """Clients, by their names on the bus, and the events that they listen to, such as "Object:Announcement:"."""
        if self._absent:
            return []
        from jeepney import DBusAddress, new_method_call

        registry = DBusAddress("/org/a11y/atspi/registry", "org.a11y.atspi.Registry", "org.a11y.atspi.Registry")
        try:
            if self._connection is None:
                self._connection = _connect()
            answer = self._connection.send_and_get_reply(
                new_method_call(registry, "GetRegisteredEvents"), timeout=PATIENCE
            )
            (events,) = answer.body
            self._known = [(client, event) for client, event, *_ in events]
        except TimeoutError:
            pass  # it is busy with somebody else
        except (OSError, ValueError, KeyError):  # no bus, or an answer of another kind
            self._absent = True
            self.close()
            return []
        return self._known

    def close(self) -> None:
        """Leave the bus."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _connect() -> DBusConnection:
    from jeepney import DBusAddress, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    with open_dbus_connection("SESSION") as session:
        where = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        answer = session.send_and_get_reply(new_method_call(where, "GetAddress"), timeout=PATIENCE)
        (address,) = answer.body
    return open_dbus_connection(address)
