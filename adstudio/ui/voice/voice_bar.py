"""The voice bar: who speaks the project, at which rate, pitch and volume, and a button to try it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from adstudio.core.narration import VoiceSettings
from adstudio.editing.voicing import set_speaking_rate, set_voice
from adstudio.ui.session.context import Context
from adstudio.ui.voice.voice_fields import VoiceFields
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import column, row, tie
from adstudio.ui.widgets.level_field import rate_field
from adstudio.ui.widgets.text_field import TypingRun
from adstudio.ui.widgets.theme import UNIT

TRY_TIP = "Speak the selected line, or the first one, in this voice"
COMFORTABLE = 34
"""Letters of a voice's name that are shown where there is room."""


class VoiceBar(QWidget):
    """A strip that wraps where it is narrow. Each change is one step, and planned at once."""

    try_asked = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session, self._voices = context.session, context.voices
        self.setAccessibleName("Voice")
        self.fields = VoiceFields(context.voices, self)
        self.rate = rate_field("Speaking rate in words a minute")
        self.rate.setToolTip("The project’s speaking rate, in words a minute")
        self.attempt = Button("Try", self.try_asked.emit, TRY_TIP, "Try the voice")
        self.fields.picker.setMinimumContentsLength(COMFORTABLE)
        strip = FlowLayout()
        for text, field in (
            ("Voice", self.fields.picker),
            ("Rate", self.rate),
            ("Pitch", self.fields.pitch),
            ("Volume", self.fields.volume),
        ):
            strip.addWidget(_labelled(text, field))
        strip.addWidget(self.attempt)
        layout = column(strip, self.fields.problem, spacing=UNIT)
        layout.setContentsMargins(3 * UNIT, UNIT, 3 * UNIT, UNIT)
        self.setLayout(layout)
        self.fields.changed.connect(self._take)
        self.rate.entered.connect(self._take_rate)
        say = self._session.messages.say
        self.fields.refused.connect(say)
        self.rate.refused.connect(say)
        self._session.opened.connect(self._show_now)
        self._session.current_plan.changed.connect(lambda _: self._show_now())
        self._session.flush_asked.connect(self.flush)
        self.setFocusProxy(self.fields.picker)
        self._show_now()

    def showEvent(self, event: QShowEvent) -> None:
        """Now the voices are needed."""
        super().showEvent(event)
        if self._session.project is not None:
            self._voices.ask(again=True)
        self._show_now()

    def minimumSizeHint(self) -> QSize:
        """It may be narrow: what has no room goes to another line."""
        least = super().minimumSizeHint()
        return QSize(min(least.width(), 40 * UNIT), least.height())

    def flush(self) -> None:
        """Take what is being typed."""
        for field in (self.rate, self.fields.pitch, self.fields.volume):
            field.flush()

    def _show_now(self) -> None:
        if self.isHidden() or self._session.project is None:
            return
        self._voices.ask()
        script = self._session.script
        rate = script.settings.rate_for(script.film.language)
        self.rate.show_value(rate)
        self.fields.show_settings(script.voice, rate)

    def _take(self, settings: VoiceSettings, run: TypingRun | None) -> None:
        amends = "" if run is None else run.key
        self._session.edits.attempt(lambda script: set_voice(script, settings), amends=amends)

    def _take_rate(self, rate: int) -> None:
        self._session.edits.attempt(lambda script: set_speaking_rate(script, rate), amends=self.rate.typing_run.key)


def _labelled(text: str, field: QWidget) -> QWidget:
    """A field behind its label; they stay together."""
    label = QLabel(text)
    label.setProperty("quiet", "true")
    tie(label, field)
    together = QWidget()
    layout = row(label, field, spacing=2 * UNIT)
    layout.setContentsMargins(0, 0, 2 * UNIT, 0)
    together.setLayout(layout)
    return together
