"""The values of a preset's section `qc`: their names, ranges and units, and the settings that they give."""

from __future__ import annotations

from collections.abc import Iterable

from adstudio.core.quality_settings import GREATEST_TOLERANCE, MOST_RATED_WORDS, QualitySettings
from adstudio.core.setting_ranges import GREATEST_GAP, GREATEST_MARGIN, GREATEST_RATE, LEAST_RATE
from adstudio.core.settings import GapSettings
from adstudio.presets.entry import Entry
from adstudio.presets.section_keys import NumberKey, SectionKey, SwitchKey, with_entries

OF_PLAN = {"collar_before": "margin_before", "collar_after": "margin_after", "least_gap": "least_gap"}
"""Where these are left out, the section `plan` has their values, under these keys."""

QC_KEYS: tuple[SectionKey, ...] = (
    NumberKey("length_tolerance", "Overrun of a line, max.", "s", 1000, 0, GREATEST_TOLERANCE),
    NumberKey("most_words_per_minute", "Pace, max.", "wpm", 1, LEAST_RATE, GREATEST_RATE),
    NumberKey("least_rated_words", "Pace is judged from", "words", 1, 1, MOST_RATED_WORDS),
    NumberKey("collar_before", "Pause before dialogue, min.", "s", 1000, 0, GREATEST_MARGIN),
    NumberKey("collar_after", "Pause after dialogue, min.", "s", 1000, 0, GREATEST_MARGIN),
    NumberKey("least_gap", "Shortest gap used", "s", 1000, 0, GREATEST_GAP),
    SwitchKey("names_after_introduction", "Names only once dialogue has said them"),
)
"""The values that quality control uses; each is optional, as are others of any name, which nothing uses."""


def quality_settings(entries: Iterable[Entry], gaps: GapSettings) -> QualitySettings:
    """The settings that a preset's section `qc` gives.

    What it does not have is as in `QualitySettings`, or as its section `plan` has it (`OF_PLAN`), which gives `gaps`.
    """
    usual = QualitySettings(collar_before=gaps.margin_before, collar_after=gaps.margin_after, least_gap=gaps.least)
    return with_entries(usual, QC_KEYS, entries)
