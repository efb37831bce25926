"""Which icon an action has, in its menu and on its button; those without one are known by their words."""

from __future__ import annotations

from PySide6.QtCore import QObject

from adstudio.ui.background.timers import single_shot
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.icons import icon

ICONS = {
    "file.new": "new",
    "file.open": "open",
    "file.save": "save",
    "file.export": "export",
    "file.relink": "link",
    "file.dialogue": "dialogue",
    "file.settings": "settings",
    "file.models": "models",
    "edit.undo": "undo",
    "edit.redo": "redo",
    "edit.find": "find",
    "edit.delete": "delete",
    "edit.preferences": "settings",
    "line.new": "line",
    "line.keep_in": "lock",
    "scene.by_model": "models",
    "hear.line": "loud",
    "ask.why": "why",
    "view.zoom_in": "zoom in",
    "view.zoom_out": "zoom out",
    "help.keys": "keys",
}


AT_ONCE = ("edit.undo", "edit.redo")
"""The actions whose buttons are in view from the start."""
SOON_MS = 400
"""The window is painted before icons are drawn that nobody can see yet."""


class ActionIcons(QObject):
    """Gives the actions their icons in the colours of the theme, one at a time: each takes a millisecond or two."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._waiting: list[str] = []
        self._next = single_shot(self, SOON_MS, self._set_next)
        context.theme.changed.connect(self.renew)
        self.renew()

    def renew(self) -> None:
        """Draw them again, in the theme's present colours."""
        for name in AT_ONCE:
            self._set(name)
        self._waiting = [name for name in ICONS if name not in AT_ONCE]
        self._next.start(SOON_MS)

    def _set_next(self) -> None:
        self._set(self._waiting.pop())
        if self._waiting:
            self._next.start(0)

    def _set(self, name: str) -> None:
        tokens = self._context.theme.tokens
        self._context.actions[name].setIcon(icon(ICONS[name], tokens.text, tokens.faint))
