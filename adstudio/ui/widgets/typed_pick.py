"""A field for a text that is typed, or chosen from a list."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter

from adstudio.ui.widgets.controls import RETURN, NameField, Picker


class TypedPick(Picker):
    """A text that is typed, or chosen from a list; Return takes it, and Alt+Down or the arrow opens the list."""

    def __init__(self, name: str, hint: str) -> None:
        super().__init__(name)
        self.setEditable(True)
        self.setInsertPolicy(Picker.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(20)
        self.edit = NameField(name)
        # The frame around it is the list's.
        self.edit.setStyleSheet("QLineEdit { border: 0; padding: 0; min-height: 0; background: transparent; }")
        self.setLineEdit(self.edit)
        self.edit.setPlaceholderText(hint)
        # What is typed stays as it is typed; what would match is only shown.
        completer = self.completer()
        if completer is not None:
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)

    def offer(self, texts: Iterable[str]) -> None:
        """Offer these in the list; what is in the field stays, and the cursor where it is."""
        offered = list(texts)
        if offered == [self.itemText(place) for place in range(self.count())]:
            return
        text, cursor = self.currentText(), self.edit.cursorPosition()
        self.clear()
        self.addItems(offered)
        self.setCurrentIndex(self.findText(text, Qt.MatchFlag.MatchExactly))
        self.setEditText(text)
        self.edit.setCursorPosition(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return is the field's, and closes what would match: the text is taken."""
        if event.key() in RETURN:
            self._close_matches()
            self.edit.returnPressed.emit()
            self.edit.editingFinished.emit()
        else:
            super().keyPressEvent(event)

    def _close_matches(self) -> None:
        # A completer closes its popup itself only at a Return that the field leaves alone.
        completer = self.completer()
        popup = None if completer is None else completer.popup()
        if popup is not None:
            popup.hide()
