"""How the selected lines are voiced: their own rate, pitch and volume, the film's level under them, held pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from PySide6.QtWidgets import QWidget

from adstudio.core.narration import LineVoice
from adstudio.core.script import Eventuality
from adstudio.editing.voicing import change_line_voice, set_duck, set_extended
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.session.context import Context
from adstudio.ui.session.mix_choices import PREFERENCE as MIX
from adstudio.ui.session.mix_choices import stored_mix
from adstudio.ui.session.voices import speaking_voice
from adstudio.ui.voice.voice_picker import VoicePicker
from adstudio.ui.widgets.controls import Check
from adstudio.ui.widgets.fold import Fold
from adstudio.ui.widgets.form import Form, column
from adstudio.ui.widgets.level_field import (
    LevelField,
    decibels,
    duck_field,
    pitch_field,
    rate_field,
    volume_field,
    written,
)
from adstudio.ui.widgets.text_field import TypingRun

FOLDED = "inspector/voice_folded"
AS_PROJECT, AS_PRESET, VARIOUS = "As the project", "as preset", "various"
HOLD_TIP = "Speak it where its action begins while the picture is held; it needs no gap"
T = TypeVar("T")


class VoiceControls(Page):
    """Part of the page of a line, and of several. A field that is empty has what the project has."""

    def __init__(self, context: Context, which: str = "this line") -> None:
        super().__init__(context)
        self._ids: tuple[str, ...] = ()
        self._depth_state: object = None
        self._depth = 0
        self.voice = VoicePicker(f"Voice of {which}", context.voices, AS_PROJECT)
        self.rate = rate_field(f"Speaking rate of {which}", optional=True)
        self.pitch = pitch_field(f"Pitch of {which}", optional=True)
        self.volume = volume_field(f"Volume of {which}", optional=True)
        self.duck = duck_field(f"Duck the film under {which} by")
        self.duck.setToolTip("How far the film’s own sound goes down under it; empty: as the mix preset says")
        self.extended = Check("Hold the picture", self._extend, HOLD_TIP)
        self.extended.setAccessibleName("Extended: hold the picture")
        form = Form()
        form.add("Voice", self.voice, stretch=True)
        form.add("Rate", self.rate)
        form.add("Pitch", self.pitch)
        form.add("Volume", self.volume)
        form.add("Duck by", self.duck)
        form.add_layout("Extended", column(self.extended))
        inside = QWidget()
        inside.setLayout(form)
        self.fold = Fold("Voice and level", inside)
        self.setLayout(column(self.fold))
        self.voice.picked.connect(self._pick)
        self.rate.entered.connect(lambda value: self._own(self.rate, lambda own: replace(own, rate=value)))
        self.pitch.entered.connect(lambda value: self._own(self.pitch, lambda own: replace(own, pitch=value)))
        self.volume.entered.connect(lambda value: self._own(self.volume, lambda own: replace(own, volume=value)))
        self.duck.entered.connect(lambda depth: self.apply(set_duck, depth, run=self.duck.typing_run))
        for field in (self.rate, self.pitch, self.volume, self.duck):
            field.refused.connect(self.session.messages.say)
        preferences = context.preferences
        self.fold.toggled.connect(lambda on: preferences.store_flag(FOLDED, not on))
        preferences.changed.connect(self._follow_fold)
        self._follow_fold(FOLDED)

    @property
    def ids(self) -> tuple[str, ...]:
        """The lines that are shown."""
        return self._ids

    def show_now(self) -> None:
        """The lines that are shown, as they stand."""
        index = self.session.script.eventuality_index
        self.show_lines([self.session.script.eventuality(each) for each in self._ids if each in index])

    def show_lines(self, lines: Sequence[Eventuality]) -> None:
        """Bring the fields up to date: with what these lines have in common."""
        if not lines:
            return
        ids = tuple(line.id for line in lines)
        self._is_other, self._ids, self._identity = ids != self._ids, ids, ids[-1]
        script = self.session.script
        owns = [line.voice or LineVoice() for line in lines]
        voices = [own.voice for own in owns]
        alike = len(set(voices)) == 1
        self.voice.show_engine(speaking_voice(script, self.context.preferences).engine)
        self.voice.show_none(AS_PROJECT if alike else VARIOUS)
        self.voice.show_choice("", (voices[0] or "") if alike else "")
        if self.fold.is_open:
            self.context.voices.ask()
        for field, values, inherited in (
            (self.rate, [own.rate for own in owns], script.settings.rate_for(script.film.language)),
            (self.pitch, [own.pitch for own in owns], script.voice.pitch),
            (self.volume, [own.volume for own in owns], script.voice.volume),
            (self.duck, [line.duck for line in lines], self._usual_depth()),
        ):
            alike = len(set(values)) == 1
            field.inherit(inherited if alike else None, AS_PRESET if alike else VARIOUS)
            self.show_in(field, values[0] if alike else None)
        self.extended.setChecked(all(line.extended for line in lines))
        self.fold.show_summary(summary(lines))

    def forget(self) -> None:
        """Another document is open."""
        super().forget()
        self._ids = ()

    def _usual_depth(self) -> int | None:
        """How far the film goes down under lines that say nothing; unknown while nobody sees it: presets are files."""
        if not self.fold.is_open:
            return None
        script, preferences = self.session.script, self.context.preferences
        state = preferences.text(MIX), script.settings, script.film.language
        if state != self._depth_state:
            self._depth_state = state
            self._depth = stored_mix(preferences).settings(script).duck_depth
        return self._depth

    def _pick(self, _engine: str, voice: str) -> None:
        self.apply(change_line_voice, lambda own: replace(own, voice=voice or None))

    def _own(self, field: LevelField, change: Callable[[LineVoice], LineVoice]) -> None:
        self.apply(change_line_voice, change, run=field.typing_run)

    def _extend(self, on: bool) -> None:
        self.apply(set_extended, on=on)
        self.show_now()

    def _amends(self, run: TypingRun) -> str:
        return f"{run.key} {' '.join(self._ids)}"

    def _follow_fold(self, name: str) -> None:
        if name == MIX:
            self.show_now()
        if name == FOLDED:
            on = not self.context.preferences.flag(FOLDED, default=True)
            self.fold.open(on=on)
            if on:
                self.show_now()


def summary(lines: Sequence[Eventuality]) -> str:
    """What lines have otherwise than the project, in a few words; empty where they have nothing."""
    owns = [line.voice or LineVoice() for line in lines]
    voice = _common([own.voice for own in owns])
    rate, pitch = _common([own.rate for own in owns]), _common([own.pitch for own in owns])
    volume, duck = _common([own.volume for own in owns]), _common([line.duck for line in lines])
    parts = [
        "" if voice is None else f"voice {voice.rpartition('/')[2]}",
        "" if rate is None else written(rate, "wpm"),
        "" if pitch is None else f"pitch {written(pitch, '%')}",
        "" if volume is None else f"volume {decibels(volume)}",
        "" if duck is None else f"film down {decibels(duck)}",
        "picture held" if all(line.extended for line in lines) else "",
    ]
    if len(lines) > 1 and not any(parts) and any(line.voice or line.duck is not None for line in lines):
        return VARIOUS
    return " · ".join(part for part in parts if part)


def _common(values: Sequence[T | None]) -> T | None:
    return values[0] if len(set(values)) == 1 else None
