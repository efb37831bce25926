"""Selecting a line in the table goes to it in the film, and playing selects the line that is spoken; one switch."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from adstudio.ui.background.timers import single_shot
from adstudio.ui.picture.player import Player
from adstudio.ui.session.context import Context
from adstudio.ui.table.panel import ScriptTable

PREFERENCE = "link_selection"
BETWEEN_SEEKS_MS = 120
"""Between two seeks while a key that goes through the lines is held down."""


class SelectionLink(QObject):
    """Ties the table's selection to the playhead, both ways, and marks the line that is spoken there.

    Nothing is selected while the describer types, while several lines are selected or the film is shuttled, or where a
    screen reader would read each line over the film.
    """

    def __init__(self, context: Context, player: Player, table: ScriptTable) -> None:
        super().__init__(table)
        self._context, self._player, self._table = context, player, table
        self._cursor = context.session.cursor
        self._waiting: str | None = None
        """The line that is gone to once the film has had time to show the one before."""
        self._rest = single_shot(self, BETWEEN_SEEKS_MS, self._go_on)
        context.actions.connect("play.link", self._toggle, checked=lambda: self.on)
        table.line_chosen.connect(self._chosen)
        self._cursor.playhead_moved.connect(self._moved)
        context.session.current_plan.changed.connect(lambda _: self._show_speaking())
        context.session.opened.connect(self._show_speaking)

    @property
    def on(self) -> bool:
        """Whether selection and playhead are linked."""
        return self._context.preferences.flag(PREFERENCE, default=True)

    def _toggle(self) -> None:
        self._context.preferences.store_flag(PREFERENCE, not self.on)
        self._context.actions.refresh()
        self._context.session.messages.say(
            "Selection and playhead are linked." if self.on else "Selection and playhead are no longer linked."
        )

    def _chosen(self, identity: str) -> None:
        if not self.on:
            return
        if self._rest.isActive():
            self._waiting = identity
        else:
            self._go_to(identity)

    def _go_on(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting == self._cursor.selection.current:
            self._go_to(waiting)

    def _go_to(self, identity: str) -> None:
        self._rest.start()
        self._cursor.select_line(identity, go=True)

    def _moved(self, _ms: int) -> None:
        before = self._table.view.painter.speaking
        spoken = self._show_speaking()
        state = self._player.state
        plays = state.playing and not state.shuttle
        if spoken is not None and spoken != before and plays and self.on and not self._is_busy():
            self._cursor.select_line(spoken)

    def _show_speaking(self) -> str | None:
        """Mark the line that is spoken at the playhead, if one is, in the table."""
        at, spoken = self._cursor.playhead, self._context.session.plan.deliveries
        place = bisect_right(spoken, at, key=lambda each: each.start) - 1
        found = spoken[place].line if place >= 0 and at < spoken[place].end else None
        self._table.view.painter.show_speaking(found)
        return found

    def _is_busy(self) -> bool:
        """Whether the describer has something selected or is typing what another selection would take away."""
        focus = QApplication.focusWidget()
        typing = isinstance(focus, QLineEdit | QPlainTextEdit) or self._table.view.editing
        read = QAccessible.isActive() and focus is self._table.view
        return typing or read or len(self._cursor.selection.ids) > 1
