"""The film's time, shown as it runs and typed to go somewhere."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.script import Film
from adstudio.ui.widgets.formatting import read_time, timecode
from adstudio.ui.widgets.theme import UNIT, time_font


class TimeField(QLineEdit):
    """A timecode; Return goes to the time typed (`62.5`, `1,5`, `1:02:03.5` or a timecode), Escape gives it up."""

    asked = Signal(int)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._film = Film("", 0)
        self._ms = 0
        self._came_from: QWidget | None = None
        self.setAccessibleName("Time in the film")
        self.setToolTip("The time in the film. Type a time or a timecode and press Return to go there.")
        self.setFont(time_font())
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.setFixedWidth(QFontMetrics(self.font()).horizontalAdvance("00:00:00:00") + 6 * UNIT)
        self.returnPressed.connect(self._go)

    def show_time(self, film: Film, ms: int) -> None:
        """Show a time, unless somebody types another one."""
        self._film, self._ms = film, ms
        if not self.hasFocus():
            self._show()

    def begin(self) -> None:
        """Have a time typed; the focus then goes back to where it was."""
        self._came_from = QApplication.focusWidget()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Stand still while somebody types."""
        super().focusInEvent(event)
        self._show()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Run on."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._show()

    def event(self, event: QEvent) -> bool:
        """Escape is for the field, whatever else it does in the window."""
        match event:
            case QKeyEvent() if event.type() is QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
            case _:
                return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up what was typed."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        self.setText(timecode(self._film, self._ms))

    def _go(self) -> None:
        try:
            ms = read_time(self._film, self.text())
        except BadInputError as error:
            self.refused.emit(str(error))
            self.selectAll()
            return
        self._ms = max(0, min(ms, self._film.end))
        self._leave()
        self.asked.emit(ms)

    def _leave(self) -> None:
        came_from, self._came_from = self._came_from, None
        if came_from is not None and came_from is not self and came_from.isVisible():
            came_from.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.clearFocus()
        self._show()
