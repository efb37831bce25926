"""The fields of a project's settings (preset, gaps, speaking rate, distances), and their effect on the gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from adstudio.core.house_rules import HouseFault, house_fault
from adstudio.core.setting_ranges import GREATEST_DISTANCE, GREATEST_GAP, GREATEST_MARGIN, GREATEST_RATE, LEAST_RATE
from adstudio.core.settings import GapSettings, Near, Scope, Settings
from adstudio.core.timebase import Span
from adstudio.editing.voicing import with_rate
from adstudio.presets.preset import Preset, with_distances
from adstudio.ui.files.preset_picker import PresetPicker
from adstudio.ui.widgets.controls import Check, Picker
from adstudio.ui.widgets.form import add_row, align, column, form
from adstudio.ui.widgets.formatting import counted, duration
from adstudio.ui.widgets.number_field import NumberField, SecondsField, WholeField, add_number
from adstudio.ui.widgets.text import heading, say_in, warning
from adstudio.ui.widgets.theme import UNIT

WHOLE = 1_000_000
"""All of a gap, or of what a line counts, in millionths."""
PER_CENT = 10_000
"""A hundredth of a gap, in millionths of it."""


HELP = {
    "margin_before": "Time kept free before dialogue.",
    "margin_after": "Time kept free after dialogue.",
    "least_gap": "Shorter gaps are not used.",
    "words_per_minute": "How fast lines are spoken that no voice has measured.",
    "min_pause": "The least time between two lines.",
    "max_share": "How much of each gap may be narrated; the rest is left to the film’s own sound.",
    "delta_early": "How far before its action a line may be spoken, middle to middle.",
    "delta_late": "How far after its action a line may be spoken, middle to middle.",
    "near": "Lines within these distances count in full, those further away only in part.",
    "reach": "How many gaps away from its action a line may be spoken.",
    "scope": "Whether a line may be spoken in another scene than its own.",
}
"""A sentence for each field, by the key of its value in presets."""
WORDS = (
    "Subtitles are held longer than their words. Where it is known when these are spoken (Edit › Find words in the "
    "sound), the rest is free."
)
FAULTS = {
    HouseFault.SHARE: "A maximum gap fill of 0 % leaves no room for any line: raise it.",
    HouseFault.NO_PLACE: "A line that may be neither before nor after its action has no place: allow more on one side.",
    HouseFault.FAR_GAIN: "Far lines cannot count 0 %: raise that, or lower the maximum distances from the action.",
    HouseFault.NEAR_EARLY: "“Near, before action” is more than lines may be before it: lower it.",
    HouseFault.NEAR_LATE: "“Near, after action” is more than lines may be after it: lower it.",
    HouseFault.NO_GAPS: "These settings leave no gap, so that lines cannot be limited to gaps near their action.",
}
"""Why settings that contradict each other are refused."""
_SHOWN_REACH = 5
"""The most gaps away that the list offers."""


class PlanFields(QWidget):
    """Shows settings and returns them as they were changed; what has no field here stays as it was."""

    changed = Signal()

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self._given = settings or Settings()
        self._language = "en"
        self._gaps: int | None = None
        self._showing = False
        """While settings are shown field by field."""
        self.presets = PresetPicker(36 * UNIT)
        self.sound = _box("Over so&unds", "Sounds such as (door creaks) may be spoken over.")
        self.music = _box("Over mus&ic", "Instrumental music may be spoken over.")
        self.sung = _box("Over so&ngs", "Sung lines may be spoken over.")
        self.words = _box("From first word to last", WORDS)
        boxes = (self.sound, self.music, self.sung)
        gaps = form(36 * UNIT)
        self.before = _add_seconds(gaps, "Margin &before dialogue", "Margin before dialogue", GREATEST_MARGIN)
        self.after = _add_seconds(gaps, "Margin &after dialogue", "Margin after dialogue", GREATEST_MARGIN)
        self.least = _add_seconds(gaps, "S&hortest gap", "Shortest gap to use", GREATEST_GAP)
        gaps.addRow("Narration", column(*boxes))
        gaps.addRow("Dialogue counts", column(self.words))
        plan = form(36 * UNIT)
        rate = WholeField("Speaking rate in words per minute", least=LEAST_RATE, greatest=GREATEST_RATE, suffix=" wpm")
        self.rate = add_number(plan, "S&peaking rate", rate)
        self.rate.setFixedWidth(44 * UNIT)
        self.pause = _add_seconds(plan, "Pause bet&ween lines", "Shortest pause between lines", GREATEST_MARGIN)
        self.share = add_number(plan, "Maximum gap &fill", _per_cent("Maximum gap fill"))
        self.early = _add_seconds(plan, "Before action, max.", "Maximum distance before the action", GREATEST_DISTANCE)
        self.late = _add_seconds(plan, "After action, max.", "Maximum distance after the action", GREATEST_DISTANCE)
        self.near_early = _add_seconds(
            plan, "Near, before action", "Distance before the action in which lines count in full", GREATEST_DISTANCE
        )
        self.near_late = _add_seconds(
            plan, "Near, after action", "Distance after the action in which lines count in full", GREATEST_DISTANCE
        )
        self.far = add_number(plan, "Far lines count", _per_cent("How much lines further away count"))
        self.reach = Picker("Gaps away from the action")
        self.reach.setFixedWidth(44 * UNIT)
        add_row(plan, "Gaps away, max.", self.reach)
        self.scope = Picker("Lines may cross scenes")
        self.scope.addItem("Yes", Scope.FILM.value)
        self.scope.addItem("No", Scope.SCENE.value)
        self.scope.setFixedWidth(44 * UNIT)
        add_row(plan, "Lines ma&y cross scenes", self.scope)
        align(gaps, plan)
        self.wrong = warning("Contradictory settings")
        parts = (self.presets, 2 * UNIT, heading("Gaps"), gaps, 2 * UNIT, heading("Lines"), plan, self.wrong)
        self.setLayout(column(*parts, spacing=2 * UNIT))
        self.show_settings(self._given)
        self._numbers = (
            *(self.before, self.after, self.least, self.rate, self.pause, self.share, self.early, self.late),
            *(self.near_early, self.near_late, self.far),
        )
        for number in self._numbers:
            number.valueChanged.connect(lambda _: self._renew())
            number.refused.connect(self.changed)
        for box in (*boxes, self.words):
            box.toggled.connect(lambda _: self._renew())
        for picker in (self.reach, self.scope):
            picker.currentIndexChanged.connect(lambda _: self._renew())
        self.presets.chosen.connect(self._take)

    def show_settings(self, settings: Settings, language: str = "en") -> None:
        """Show settings; the speaking rate is the one for that language."""
        self._given, self._language = settings, language
        gaps, near = settings.gaps, settings.near
        self._showing = True
        self.rate.setValue(settings.rate_for(language))
        self.before.show_ms(gaps.margin_before)
        self.after.show_ms(gaps.margin_after)
        self.least.show_ms(gaps.least)
        self.sound.setChecked(not gaps.keep_sound)
        self.music.setChecked(not gaps.keep_music)
        self.sung.setChecked(not gaps.keep_sung)
        self.words.setChecked(gaps.word_edges)
        self.pause.show_ms(settings.min_pause)
        self.share.setValue(settings.max_share / PER_CENT)
        self.early.show_ms(settings.early)
        self.late.show_ms(settings.late)
        self.far.setValue(100 if near is None else near.far_gain / PER_CENT)
        self.near_early.show_ms(settings.early if near is None else near.early)
        self.near_late.show_ms(settings.late if near is None else near.late)
        self._show_reach(settings.reach)
        self.scope.setCurrentIndex(self.scope.findData(settings.scope.value))
        self._showing = False
        self._show_state()

    def show_gaps(self, gaps: int) -> None:
        """How many gaps these settings leave, which limits what they may be."""
        self._gaps = gaps
        say_in(self.wrong, self._fault)

    @property
    def preset(self) -> str:
        """The name of the preset that the settings are; empty where they are none."""
        return "" if self.presets.preset is None else self.presets.preset.name

    @property
    def problem(self) -> str:
        """Why the settings are refused, in a sentence; empty if they are not."""
        return next((problem for number in self._numbers if (problem := number.problem)), "") or self._fault

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
                word_edges=self.words.isChecked(),
            ),
            min_pause=self.pause.ms,
            max_share=round(self.share.value() * PER_CENT),
            near=self._near,
            reach=self.reach.currentData(),
            scope=Scope(self.scope.currentData()),
        )
        early, late = self.early.ms, self.late.ms
        if (early, late) != (given.early, given.late):
            settings = with_distances(settings, early, late)
        rate = self.rate.value()
        return settings if rate == given.rate_for(self._language) else with_rate(settings, self._language, rate)

    @property
    def _near(self) -> Near | None:
        """Within which distances lines count in full; None where they count in full everywhere."""
        near = Near(self.near_early.ms, self.near_late.ms, round(self.far.value() * PER_CENT))
        return near if near.far_gain < WHOLE or near == self._given.near else None

    @property
    def _fault(self) -> str:
        settings = replace(self.settings, delta_early=self.early.ms, delta_late=self.late.ms)
        fault = house_fault(settings, self._gaps)
        return "" if fault is None else FAULTS[fault]

    def _renew(self) -> None:
        if self._showing:
            return
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        """Show what follows from the fields: the preset, its sources, what is refused."""
        for field in (self.near_early, self.near_late):
            field.setEnabled(self.far.value() < 100)
        self.presets.show_settings(self.settings, self._language)
        say_in(self.wrong, self._fault)
        preset = self.presets.preset
        for key, fields in self._by_key.items():
            source = "" if preset is None else f" Source: {preset.sources[key]}."
            for field in fields:
                field.setToolTip(f"{HELP[key]}{source}")

    @property
    def _by_key(self) -> dict[str, tuple[QWidget, ...]]:
        return {
            "margin_before": (self.before,),
            "margin_after": (self.after,),
            "least_gap": (self.least,),
            "words_per_minute": (self.rate,),
            "min_pause": (self.pause,),
            "max_share": (self.share,),
            "delta_early": (self.early,),
            "delta_late": (self.late,),
            "near": (self.far, self.near_early, self.near_late),
            "reach": (self.reach,),
            "scope": (self.scope,),
        }

    def _take(self, preset: Preset) -> None:
        """Show the settings of a preset that was chosen; presets do not say how dialogue counts."""
        gaps = replace(preset.settings.gaps, word_edges=self.words.isChecked())
        self.show_settings(replace(preset.settings, gaps=gaps), self._language)
        self.changed.emit()

    def _show_reach(self, reach: int | None) -> None:
        with QSignalBlocker(self.reach):
            self.reach.clear()
            self.reach.addItem("No limit", None)
            for number in sorted({*range(_SHOWN_REACH + 1), *(() if reach is None else (reach,))}):
                self.reach.addItem("Its own gaps" if number == 0 else counted(number, "gap"), number)
            self.reach.setCurrentIndex(0 if reach is None else self.reach.findData(reach))


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


def _add_seconds(fields: QFormLayout, label: str, name: str, greatest: int) -> SecondsField:
    return add_number(fields, label, SecondsField(name, greatest=greatest))


def _per_cent(name: str) -> NumberField:
    return NumberField(name, greatest=100, decimals=4, suffix=" %", step=5)


def _box(text: str, says: str) -> Check:
    box = Check(text, lambda _: None, says)
    box.setAccessibleName(says)
    return box
