"""The fields of a project's settings (gaps, speaking rate, distance from the action), and their effect on the gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from adstudio.core.script import GapSettings, Scope, Settings
from adstudio.core.setting_ranges import GREATEST_DISTANCE, GREATEST_GAP, GREATEST_MARGIN, GREATEST_RATE, LEAST_RATE
from adstudio.core.timebase import Span
from adstudio.ui.widgets.controls import Check, Picker
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.formatting import counted, duration
from adstudio.ui.widgets.number_field import NumberField, SecondsField, WholeField, add_number
from adstudio.ui.widgets.text import heading
from adstudio.ui.widgets.theme import UNIT

PER_CENT = 10_000
"""A hundredth of a gap, in millionths of it."""


class PlanFields(QWidget):
    """Shows settings and returns them as they were changed; what has no field here stays as it was."""

    changed = Signal()

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self._given = settings or Settings()
        self._language = "en"
        self.sound = _box("Over so&unds", "Sounds such as (door creaks) may be spoken over.")
        self.music = _box("Over mus&ic", "Instrumental music may be spoken over.")
        self.sung = _box("Over so&ngs", "Sung lines may be spoken over.")
        boxes = (self.sound, self.music, self.sung)
        gaps = form(36 * UNIT)
        self.before = _add_seconds(gaps, "Margin &before dialogue", "Margin before dialogue", GREATEST_MARGIN)
        self.after = _add_seconds(gaps, "Margin &after dialogue", "Margin after dialogue", GREATEST_MARGIN)
        self.least = _add_seconds(gaps, "Shortest ga&p", "Shortest gap to use", GREATEST_GAP)
        gaps.addRow("Narration", column(*boxes))
        plan = form(36 * UNIT)
        rate = WholeField("Speaking rate in words per minute", least=LEAST_RATE, greatest=GREATEST_RATE, suffix=" wpm")
        self.rate = add_number(plan, "Spea&king rate", rate)
        self.rate.setFixedWidth(44 * UNIT)
        self.stray = _add_seconds(plan, "Maximum distance", "Maximum distance from action", GREATEST_DISTANCE)
        self.pause = _add_seconds(plan, "Pause bet&ween lines", "Shortest pause between lines", GREATEST_MARGIN)
        share = NumberField("Maximum gap fill", greatest=100, decimals=4, suffix=" %", step=5)
        self.share = add_number(plan, "Maximum gap &fill", share)
        self.scope = Picker("Lines may cross scenes")
        self.scope.addItem("Yes", Scope.FILM.value)
        self.scope.addItem("No", Scope.SCENE.value)
        self.scope.setFixedWidth(44 * UNIT)
        add_row(plan, "Lines ma&y cross scenes", self.scope)
        self.setLayout(column(heading("Gaps"), gaps, 2 * UNIT, heading("Lines"), plan, spacing=2 * UNIT))
        self.show_settings(self._given)
        self._numbers = (self.before, self.after, self.least, self.rate, self.stray, self.pause, self.share)
        for number in self._numbers:
            number.valueChanged.connect(lambda _: self.changed.emit())
            number.refused.connect(self.changed)
        for box in boxes:
            box.toggled.connect(lambda _: self.changed.emit())
        self.scope.currentIndexChanged.connect(lambda _: self.changed.emit())

    def show_settings(self, settings: Settings, language: str = "en") -> None:
        """Show settings; the speaking rate is the one for that language."""
        self._given, self._language = settings, language
        gaps = settings.gaps
        self.rate.setValue(settings.rate_for(language))
        self.before.show_ms(gaps.margin_before)
        self.after.show_ms(gaps.margin_after)
        self.least.show_ms(gaps.least)
        self.sound.setChecked(not gaps.keep_sound)
        self.music.setChecked(not gaps.keep_music)
        self.sung.setChecked(not gaps.keep_sung)
        self.stray.show_ms(settings.delta_max)
        self.pause.show_ms(settings.min_pause)
        self.share.setValue(settings.max_share / PER_CENT)
        self.scope.setCurrentIndex(self.scope.findData(settings.scope.value))

    @property
    def problem(self) -> str:
        """Why a number is refused, in a sentence; empty if none is."""
        return next((problem for number in self._numbers if (problem := number.problem)), "")

    @property
    def settings(self) -> Settings:
        """The settings as the fields say."""
        given = self._given
        settings = replace(
            given,
            gaps=GapSettings(
                margin_before=self.before.ms,
                margin_after=self.after.ms,
                least=self.least.ms,
                keep_sound=not self.sound.isChecked(),
                keep_music=not self.music.isChecked(),
                keep_sung=not self.sung.isChecked(),
            ),
            delta_max=self.stray.ms,
            min_pause=self.pause.ms,
            max_share=round(self.share.value() * PER_CENT),
            scope=Scope(self.scope.currentData()),
        )
        rate = self.rate.value()
        return settings if rate == given.rate_for(self._language) else _with_rate(settings, self._language, rate)


def free_time(gaps: Sequence[Span], end: int) -> str:
    """`14 gaps · 3 min 42 s free of 12 min 10 s`."""
    free = sum(gap.length for gap in gaps)
    return f"{counted(len(gaps), 'gap')} · {duration(free)} free of {duration(end)}"


def changed_time(before: Sequence[Span], after: Sequence[Span]) -> list[str]:
    """What other settings change: `2 gaps fewer`, `3.5 s more free`; empty if nothing."""
    said: list[str] = []
    gaps = len(after) - len(before)
    free = sum(gap.length for gap in after) - sum(gap.length for gap in before)
    if gaps:
        said.append(f"{counted(abs(gaps), 'gap')} {'more' if gaps > 0 else 'fewer'}")
    if free:
        said.append(f"{duration(abs(free))} {'more' if free > 0 else 'less'} free")
    return said


def _with_rate(settings: Settings, language: str, rate: int) -> Settings:
    """Settings with another speaking rate: the language's own if it has one, else the general one."""
    main = language.lower().split("-")[0]
    own = [tag for tag, _ in settings.rate_by_language if tag.lower() in (language.lower(), main)]
    if not own:
        return replace(settings, words_per_minute=rate)
    tag = max(own, key=len)
    pairs = tuple((each, rate if each == tag else old) for each, old in settings.rate_by_language)
    return replace(settings, rate_by_language=pairs)


def _add_seconds(fields: QFormLayout, label: str, name: str, greatest: int) -> SecondsField:
    return add_number(fields, label, SecondsField(name, greatest=greatest))


def _box(text: str, says: str) -> Check:
    box = Check(text, lambda _: None, says)
    box.setAccessibleName(says)
    return box
