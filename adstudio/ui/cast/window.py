"""The window about the film's characters, which stays open beside the editor."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QTabWidget, QWidget

from adstudio.ui.cast.cast_page import CastPage
from adstudio.ui.cast.speaker_table import SpeakerPage
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind
from adstudio.ui.widgets.form import column, in_text_size
from adstudio.ui.widgets.theme import UNIT

WIDE, HIGH = 270 * UNIT, 190 * UNIT


class CastWindow(QDialog):
    """The characters, and who speaks which cue; closing it only hides it."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle("Characters")
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, on=False)
        self.page = CastPage(context)
        self.speakers = SpeakerPage(context)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName("Characters and speakers")
        self.tabs.tabBar().setAccessibleName("Characters and speakers")
        for widget, title in ((self.page, "Characters"), (self.speakers, "Who speaks")):
            widget.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
            self.tabs.addTab(widget, title)
        self.setLayout(column(self.tabs, grows=self.tabs))
        self.tabs.currentChanged.connect(lambda _: self._renew())
        self.page.cues_wanted.connect(self.show_cues)
        for keys, by in ((QKeySequence.StandardKey.NextChild, 1), (QKeySequence.StandardKey.PreviousChild, -1)):
            QShortcut(keys, self).activated.connect(lambda by=by: self._leaf(by))
        # Undo belongs to the script, whichever window has the focus; fields take it first.
        for name in ("edit.undo", "edit.redo", "file.save"):
            self.addAction(context.actions[name])
        session = context.session
        session.opened.connect(self._renew)
        session.current_plan.changed.connect(lambda _: self._renew())
        session.faces_known.connect(self._renew)
        session.flush_asked.connect(self.page.flush)
        self.resize(in_text_size(self, QSize(WIDE, HIGH)))

    def show_cues(self, person: str) -> None:
        """Show the cues of a character."""
        self.tabs.setCurrentWidget(self.speakers)
        self.speakers.show_filter(person)

    def show_speakers(self) -> None:
        """Show who speaks, at the cue that is selected in the editor."""
        self.tabs.setCurrentWidget(self.speakers)
        self.speakers.renew()
        selection = self._context.session.cursor.selection
        if selection.kind is Kind.CUE and selection.current is not None:
            self.speakers.show_cue(selection.current)
        self.speakers.table.setFocus()

    def _leaf(self, by: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + by) % self.tabs.count())
        self.tabs.currentWidget().setFocus()

    def _renew(self, _: object = None) -> None:
        if self.isVisible():
            (self.page if self.tabs.currentWidget() is self.page else self.speakers).renew()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what changed meanwhile."""
        super().showEvent(event)
        self._renew()

    def reject(self) -> None:
        """Hide on Escape, losing nothing."""
        self.page.flush()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Take what is being typed."""
        self.page.flush()
        super().closeEvent(event)


def open_cast(context: Context, *, speakers: bool = False) -> CastWindow:
    """Show the window and focus it; it is built at its first use."""
    window = context.actions.window.findChild(CastWindow)
    if not isinstance(window, CastWindow):
        window = CastWindow(context, context.actions.window)
    window.show()
    window.raise_()
    window.activateWindow()
    if speakers:
        window.show_speakers()
    else:
        window.tabs.setCurrentWidget(window.page)
        first = window.page.cards if context.session.script.people else window.page.collect_button
        first.setFocus()
    return window
