"""Sentences for the describer."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, Signal

from adstudio.core.errors import AdstudioError

log = logging.getLogger(__name__)


class Messages(QObject):
    """What is shown in the status line and announced to a screen reader."""

    said = Signal(str)
    """One sentence."""

    urgent = False
    """Whether what is being said cannot wait until a screen reader has finished its sentence."""

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Tell the describer something."""
        self.urgent = urgent
        self.said.emit(sentence)
        self.urgent = False

    def report(self, error: AdstudioError) -> None:
        """Tell the describer what went wrong, and log it."""
        log.warning("%s", error)
        self.say(str(error))
