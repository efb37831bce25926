"""What every panel gets: the session, the actions, the look, the preferences and the runner of background work."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from adstudio.ui.actions.actions import Actions
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session
from adstudio.ui.session.spelling import SpellCheck
from adstudio.ui.session.voices import Voices
from adstudio.ui.widgets.theme import Look, Tokens, apply_text_size, apply_theme, tokens_for


class Theme(QObject):
    """The tokens in use; follows the preference, and the system where the describer has none."""

    changed = Signal()

    def __init__(self, preferences: Preferences) -> None:
        super().__init__(preferences)
        self._preferences = preferences
        self.tokens: Tokens = tokens_for(preferences.look)
        preferences.changed.connect(self._preference_changed)
        hints = QGuiApplication.styleHints()
        # A method of this object, unlike a function, is disconnected when the object goes.
        hints.colorSchemeChanged.connect(self._renew)
        hints.accessibility().contrastPreferenceChanged.connect(self._renew)
        self._dress()

    def _preference_changed(self, name: str) -> None:
        if name == "look":
            self._renew()
        elif name == "text_size":
            self._dress()
            self.changed.emit()

    def _renew(self, _preference: object = None) -> None:
        tokens = tokens_for(self._preferences.look)
        if tokens is not self.tokens:
            self.tokens = tokens
            self._dress()
            self.changed.emit()

    def _dress(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_text_size(application, self._preferences.text_size)
            apply_theme(application, self.tokens)

    def wear(self, look: Look) -> None:
        """Choose a look and remember it."""
        self._preferences.store("look", look.value)


@dataclass(frozen=True)
class Context:
    """Handed to each panel when it is made."""

    session: Session
    actions: Actions
    preferences: Preferences
    theme: Theme
    jobs: Jobs

    @cached_property
    def spelling(self) -> SpellCheck:
        """The spelling of the open project."""
        return SpellCheck(self.session, self.preferences)

    @cached_property
    def voices(self) -> Voices:
        """Who can speak on this computer."""
        return Voices(self.session, self.jobs, self.session)
