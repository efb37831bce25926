"""A ring around whatever has the keyboard, in every window of the program.

A style's own marks differ from control to control: a border that turns blue where it was grey can hardly be told
(WCAG 2.2, 1.4.11 and 2.4.13: 3 : 1, two pixels).
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QRegion
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

THICK = 2
APART = 1
"""Between the control and its ring."""
OWN_RING = "own_ring"
"""The property of a widget that marks by itself what in it has the keyboard."""

_MOVES = frozenset({QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.ParentChange})
_WITHOUT = frozenset({Qt.WindowType.Popup, Qt.WindowType.ToolTip, Qt.WindowType.SplashScreen})


class Ring(QWidget):
    """The ring in one window. Only its outline is there: what lies inside is neither covered nor painted again."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("qt_focus_ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def surround(self, widget: QWidget) -> None:
        """Lie around the part of a widget of this window that is in sight; nowhere where none is."""
        window = widget.window()
        seen = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
        outer = widget.parentWidget()
        while outer is not None and outer is not window:
            seen &= QRect(outer.mapTo(window, QPoint(0, 0)), outer.size())
            outer = outer.parentWidget()
        if seen.isEmpty() or not widget.isVisible():
            self.hide()
            return
        room = THICK + APART
        place = seen.adjusted(-room, -room, room, room) & window.rect()
        self.setGeometry(place)
        inside = self.rect().adjusted(THICK, THICK, -THICK, -THICK)
        self.setMask(QRegion(self.rect()) - QRegion(inside))
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ring, in the accent."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Highlight))
        painter.end()


class FocusRings(QObject):
    """Follows the focus through the windows of the program."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._ring: Ring | None = None
        self._watched: list[QWidget] = []
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        for each in filter(isValid, self._watched):
            each.removeEventFilter(self)
        if self._ring is not None and isValid(self._ring):
            self._ring.hide()
        self._watched, self._ring = [], None
        if now is None or now.property(OWN_RING) or now.window().windowType() in _WITHOUT:
            return
        window = now.window()
        self._ring = window.findChild(Ring, options=Qt.FindChildOption.FindDirectChildrenOnly) or Ring(window)
        each: QWidget | None = now
        while each is not None and (each is now or each is not window):
            each.installEventFilter(self)
            self._watched.append(each)
            each = each.parentWidget()
        self._ring.surround(now)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The control, or something that it lies in, has moved."""
        del watched
        if event.type() in _MOVES and self._ring is not None and isValid(self._ring) and self._watched:
            self._ring.surround(self._watched[0])
        return False
