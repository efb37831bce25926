"""The fields of a project's voice: who speaks, how high and how loud, and why that cannot be."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from adstudio.core.narration import VoiceSettings
from adstudio.ui.session.voices import Voices
from adstudio.ui.voice.voice_picker import VoicePicker
from adstudio.ui.widgets.level_field import pitch_field, volume_field
from adstudio.ui.widgets.text import say_in, warning
from adstudio.ui.widgets.text_field import TypingRun

NEEDS_VOICE = "Choose a voice first."


class VoiceFields(QObject):
    """Whoever arranges them asks for the voices (`Voices.ask`) once they are to be seen."""

    changed = Signal(object, object)
    """Somebody wants this voice; and the typing run that it is part of, or None."""
    refused = Signal(str)

    def __init__(self, voices: Voices, parent: QObject) -> None:
        super().__init__(parent)
        self._voices = voices
        self._settings = VoiceSettings()
        self.picker = VoicePicker("Voice", voices, no_voice(0))
        self.pitch = pitch_field("Pitch of the voice")
        self.volume = volume_field("Volume of the voice")
        self.problem = warning("What is wrong with the voice")
        pitch, volume = self.pitch, self.volume
        self.picker.picked.connect(self._pick)
        pitch.entered.connect(lambda value: self._take(replace(self._settings, pitch=value), pitch.typing_run))
        volume.entered.connect(lambda value: self._take(replace(self._settings, volume=value), volume.typing_run))
        for field in (self.pitch, self.volume):
            field.refused.connect(self.refused)
        voices.changed.connect(self._follow)

    @property
    def settings(self) -> VoiceSettings:
        """The voice as the fields say, with what is being typed."""
        for field in (self.pitch, self.volume):
            field.flush()
        return self._settings

    def show_settings(self, settings: VoiceSettings, rate: int) -> None:
        """Show a voice; `rate` (words a minute) times the lines where there is none."""
        self._settings = settings
        self.show_rate(rate)
        self.picker.show_choice(settings.engine, settings.voice)
        self.pitch.show_value(settings.pitch)
        self.volume.show_value(settings.volume)
        self._follow()

    def show_rate(self, rate: int) -> None:
        """Another rate times the lines where there is no voice."""
        self.picker.show_none(no_voice(rate))

    def _pick(self, engine: str, voice: str) -> None:
        self._take(replace(self._settings, engine=engine, voice=voice))

    def _take(self, settings: VoiceSettings, run: TypingRun | None = None) -> None:
        self._settings = settings
        self._follow()
        self.changed.emit(self._settings, run)

    def _follow(self) -> None:
        """What can be set for this voice, and what is wrong with it."""
        settings, engine = self._settings, self._voices.of(self._settings.engine)
        speaks = bool(settings.engine)
        fixed = speaks and engine is not None and not engine.pitch
        self.pitch.setEnabled(speaks and not fixed)
        self.volume.setEnabled(speaks)
        said = f"{settings.engine} cannot change the pitch of its voices." if fixed else "" if speaks else NEEDS_VOICE
        self.pitch.setToolTip(said or "In per cent above or below the voice’s own")
        self.volume.setToolTip("" if speaks else NEEDS_VOICE)
        say_in(self.problem, self._voices.problem_of(settings))


def no_voice(rate: int) -> str:
    """What is said where no voice is chosen."""
    return f"No voice – timed at {rate} wpm"
