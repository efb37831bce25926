"""What a script is checked by: a house's preset, or what the project's own settings ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from adstudio.core.quality_settings import QualitySettings
from adstudio.core.script import CueKind, Script
from adstudio.core.settings import GapSettings
from adstudio.gaps.gaps import occupies
from adstudio.presets.library import DEFAULT, preset_named, preset_of_settings
from adstudio.presets.preset import PROPOSAL, Preset
from adstudio.presets.qc_keys import OF_PLAN, QC_KEYS
from adstudio.presets.section_keys import SectionKey
from adstudio.quality.rules import Rule

OF_PROJECT = "the project’s settings"
"""The source of a value that the project sets itself."""


@dataclass(frozen=True)
class RuleValue:
    """A value that a rule uses, as the field of `QualitySettings` that its key is called as, and its source."""

    key: SectionKey
    value: int
    source: str


@dataclass(frozen=True)
class Checks:
    """The limits that the rules go by, and which kinds of cues count as dialogue.

    `preset` is the name of the house's preset, `own` whether the project's own settings replace what it says of
    planning. `sources` has the source of each value by the field of `settings`.
    """

    preset: str
    settings: QualitySettings
    dialogue: frozenset[CueKind]
    sources: Mapping[str, str]
    own: bool = False

    def values_of(self, rule: Rule) -> tuple[RuleValue, ...]:
        """The values that a rule uses."""
        return tuple(
            RuleValue(key, getattr(self.settings, key.name), self.sources[key.name])
            for key in QC_KEYS
            if key.name in rule.values
        )


def house_checks(preset: Preset) -> Checks:
    """What a house checks."""
    sources = dict.fromkeys((key.name for key in QC_KEYS), PROPOSAL)
    sources |= {name: preset.sources[key] for name, key in OF_PLAN.items()}
    sources |= {each.name: each.source for each in preset.qc}
    return Checks(preset.name, preset.quality_settings, _dialogue(preset.settings.gaps), sources)


def project_checks(script: Script) -> Checks:
    """What a project is checked by where no house is named: the preset that its settings are.

    Where they are none, what the settings say of gaps is asked, and all else as in the usual preset.

    Raises:
        AdstudioError: if the installation is damaged.
    """
    preset = preset_of_settings(script.settings, script.film.language)
    if preset is not None:
        return house_checks(preset)
    usual = house_checks(preset_named(DEFAULT))
    gaps = script.settings.gaps
    return Checks(
        usual.preset,
        replace(usual.settings, collar_before=gaps.margin_before, collar_after=gaps.margin_after, least_gap=gaps.least),
        _dialogue(gaps),
        {**usual.sources, **dict.fromkeys(OF_PLAN, OF_PROJECT)},
        own=True,
    )


def _dialogue(gaps: GapSettings) -> frozenset[CueKind]:
    return frozenset(kind for kind in CueKind if occupies(kind, gaps))
