"""The fields of a project's settings: speaking rate, gaps, and how far lines may stray from what they tell of."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from adstudio.core.script import GapSettings, Scope, Settings
from adstudio.drafting.limits import GREATEST_RATE, LEAST_RATE
from adstudio.ui.widgets.controls import Check, Picker
from adstudio.ui.widgets.form import add_row, form
from adstudio.ui.widgets.number_field import NumberField, SecondsField, WholeField, add_number
from adstudio.ui.widgets.text import heading
from adstudio.ui.widgets.theme import UNIT

GREATEST_MARGIN = 60_000
GREATEST_GAP = 600_000
GREATEST_STRAY = 3_600_000
PER_CENT = 10_000
"""A hundredth of a gap, in millionths of it."""


class PlanFields(QWidget):
    """Shows settings and gives them back as they were changed; what has no field here stays as it was."""

    changed = Signal()

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self._given = settings or Settings()
        self._language = "en"
        self.rate = WholeField("Speaking rate in words per minute", least=LEAST_RATE, greatest=GREATEST_RATE)
        self.rate.setSuffix(" wpm")
        self.rate.setFixedWidth(44 * UNIT)
        self.before = SecondsField("Margin before dialogue", greatest=GREATEST_MARGIN)
        self.after = SecondsField("Margin after dialogue", greatest=GREATEST_MARGIN)
        self.least = SecondsField("Shortest gap to use", greatest=GREATEST_GAP)
        self.sound = _box("Over so&unds", "Sounds such as (door creaks) may be spoken over.")
        self.music = _box("Over mus&ic", "Instrumental music may be spoken over.")
        self.sung = _box("Over so&ngs", "Sung lines may be spoken over.")
        self.stray = SecondsField("Maximum distance from action", greatest=GREATEST_STRAY)
        self.pause = SecondsField("Shortest pause between lines", greatest=GREATEST_MARGIN)
        self.share = NumberField("Maximum gap fill", greatest=100, decimals=4, suffix=" %", step=5)
        self.scope = Picker("Lines may cross scenes")
        self.scope.addItem("Yes", Scope.FILM.value)
        self.scope.addItem("No", Scope.SCENE.value)
        self.scope.setFixedWidth(44 * UNIT)
        gaps = form(36 * UNIT)
        add_number(gaps, "Margin &before dialogue", self.before)
        add_number(gaps, "Margin &after dialogue", self.after)
        add_number(gaps, "Shortest ga&p", self.least)
        kinds = QVBoxLayout()
        kinds.setSpacing(UNIT)
        for box in (self.sound, self.music, self.sung):
            kinds.addWidget(box)
        gaps.addRow("Narration", kinds)
        plan = form(36 * UNIT)
        add_number(plan, "Spea&king rate", self.rate)
        add_number(plan, "Maximum distance", self.stray)
        add_number(plan, "Pause bet&ween lines", self.pause)
        add_number(plan, "Maximum gap &fill", self.share)
        add_row(plan, "Lines ma&y cross scenes", self.scope)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * UNIT)
        layout.addWidget(heading("Gaps"))
        layout.addLayout(gaps)
        layout.addSpacing(2 * UNIT)
        layout.addWidget(heading("Lines"))
        layout.addLayout(plan)
        self.show_settings(self._given)
        self._numbers = (self.before, self.after, self.least, self.rate, self.stray, self.pause, self.share)
        for number in self._numbers:
            number.valueChanged.connect(lambda _: self.changed.emit())
            number.refused.connect(self.changed)
        for box in (self.sound, self.music, self.sung):
            box.toggled.connect(lambda _: self.changed.emit())
        self.scope.currentIndexChanged.connect(lambda _: self.changed.emit())

    def show_settings(self, settings: Settings, language: str = "en") -> None:
        """Put settings into the fields; the speaking rate shown is the one for that language."""
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
        """Which number is refused, in a sentence; empty where none is."""
        return next((problem for number in self._numbers if (problem := number.problem)), "")

    @property
    def settings(self) -> Settings:
        """What the fields say."""
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


def _with_rate(settings: Settings, language: str, rate: int) -> Settings:
    """Another speaking rate, where the language's own stands if it has one."""
    main = language.lower().split("-")[0]
    own = [tag for tag, _ in settings.rate_by_language if tag.lower() in (language.lower(), main)]
    if not own:
        return replace(settings, words_per_minute=rate)
    tag = max(own, key=len)
    pairs = tuple((each, rate if each == tag else old) for each, old in settings.rate_by_language)
    return replace(settings, rate_by_language=pairs)


def _box(text: str, says: str) -> Check:
    box = Check(text, lambda _: None, says)
    box.setAccessibleName(says)
    return box
