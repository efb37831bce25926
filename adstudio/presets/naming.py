"""Which policy of naming characters a project's house has, and who says so."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.naming import NamingPolicy
from adstudio.core.settings import Settings
from adstudio.presets.library import DEFAULT, preset_named, preset_of_settings
from adstudio.presets.preset import PROPOSAL, Preset

KEY = "names_after_introduction"
"""The value of a preset's section `qc` that decides."""


@dataclass(frozen=True)
class HouseNaming:
    """A policy, the name of the preset that has it, and the preset's source for it."""

    policy: NamingPolicy
    preset: str
    source: str


def naming_of(preset: Preset) -> HouseNaming:
    """The policy of a house."""
    source = next((each.source for each in preset.qc if each.name == KEY), PROPOSAL)
    after = preset.quality_settings.names_after_introduction
    return HouseNaming(NamingPolicy.ONCE_SAID if after else NamingPolicy.AT_ONCE, preset.name, source)


def naming_of_project(settings: Settings, language: str) -> HouseNaming:
    """The policy of the preset that a project's settings are; where they are none, that of the usual one.

    Raises:
        AdstudioError: if the installation is damaged.
    """
    return naming_of(preset_of_settings(settings, language) or preset_named(DEFAULT))
