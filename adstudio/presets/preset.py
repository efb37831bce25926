"""A preset: the settings for a plan under a name, each with the publication that gives it or “proposal”."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from adstudio.core.counts import counted, percent
from adstudio.core.mix_settings import MixSettings
from adstudio.core.quality_settings import QualitySettings
from adstudio.core.settings import GapSettings, Near, Scope, Settings
from adstudio.presets.entry import Entry
from adstudio.presets.mix_keys import mix_settings
from adstudio.presets.qc_keys import quality_settings

PROPOSAL = "proposal"
"""The source of a value that no publication gives."""

PlanValue = int | bool | Near | Scope | None
"""Times in milliseconds, shares in millionths; None for no limit."""


@dataclass(frozen=True)
class Preset:
    """Settings for a plan under a name; `sources` has the source of each value by its key in `PLAN_KEYS`.

    `title` is shown, `name` is typed. `mix` has the values of `MIX_KEYS` and others that nothing uses, and so has `qc`
    those of `QC_KEYS`.
    """

    name: str
    title: str
    settings: Settings
    sources: Mapping[str, str]
    about: str = ""
    mix: tuple[Entry, ...] = ()
    qc: tuple[Entry, ...] = ()
    shipped: bool = False

    @property
    def mix_settings(self) -> MixSettings:
        """How narration is mixed in this house; what the section `mix` does not say is as in `MixSettings`."""
        return mix_settings(self.mix)

    @property
    def quality_settings(self) -> QualitySettings:
        """What scripts are checked for in this house."""
        return quality_settings(self.qc, self.settings.gaps)


@dataclass(frozen=True)
class PlanKey:
    """A value of the section `plan`: its key, what it is called on screen, where it is in settings, how it reads."""

    name: str
    label: str
    value: Callable[[Settings], PlanValue]
    text: Callable[[Any], str]


def with_distances(settings: Settings, early: int, late: int) -> Settings:
    """Settings in which a line may be at most so far before and after its action, in milliseconds."""
    if early == late:
        return replace(settings, delta_max=early, delta_early=None, delta_late=None)
    return replace(settings, delta_max=max(early, late), delta_early=early, delta_late=late)


def is_equivalent(one: Settings, other: Settings) -> bool:
    """Whether two settings ask the same of a plan, however they express it."""
    return _in_one_form(one) == _in_one_form(other)


def _in_one_form(settings: Settings) -> Settings:
    # Whether words are known is a matter of the film, not of the house.
    gaps = replace(settings.gaps, word_edges=False)
    return with_distances(replace(settings, gaps=gaps), settings.early, settings.late)


def for_language(settings: Settings, language: str) -> Settings:
    """Settings as a preset has them, with one speaking rate: that of a language."""
    return _in_one_form(replace(settings, words_per_minute=settings.rate_for(language), rate_by_language=()))


def preset_of(name: str, settings: Settings, language: str, base: Preset | None = None) -> Preset:
    """Settings as a preset of one’s own.

    Values of `base` that are unchanged keep their sources, others read “proposal”. A preset has one speaking rate: that
    of the language.
    """
    settings = for_language(settings, language)

    def source(key: PlanKey) -> str:
        unchanged = base is not None and key.value(base.settings) == key.value(settings)
        return base.sources[key.name] if base is not None and unchanged else PROPOSAL

    sources = {key.name: source(key) for key in PLAN_KEYS}
    mix, qc = (base.mix, base.qc) if base is not None else ((), ())
    return Preset(name, name, settings, sources, mix=mix, qc=qc)


def plan_settings(values: Mapping[str, PlanValue]) -> Settings:
    """The settings that the values of the section `plan` give, one for each of `PLAN_KEYS`."""

    def whole(key: str) -> int:
        value = values[key]
        return value if isinstance(value, int) else 0

    near, reach, scope = values["near"], values["reach"], values["scope"]
    settings = Settings(
        words_per_minute=whole("words_per_minute"),
        gaps=GapSettings(
            margin_before=whole("margin_before"),
            margin_after=whole("margin_after"),
            least=whole("least_gap"),
            keep_sound=bool(values["keep_sound"]),
            keep_music=bool(values["keep_music"]),
            keep_sung=bool(values["keep_sung"]),
        ),
        min_pause=whole("min_pause"),
        max_share=whole("max_share"),
        scope=scope if isinstance(scope, Scope) else Scope.FILM,
        near=near if isinstance(near, Near) else None,
        reach=reach if isinstance(reach, int) else None,
    )
    return with_distances(settings, whole("delta_early"), whole("delta_late"))


def _seconds(ms: int) -> str:
    return f"{ms / 1000:g} s"


def _per_cent(millionths: int) -> str:
    return percent(millionths / 1_000_000, 4)


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def _near(near: Near | None) -> str:
    if near is None:
        return "no difference"
    return f"{_seconds(near.early)} before to {_seconds(near.late)} after; beyond, {_per_cent(near.far_gain)} counts"


def _reach(reach: int | None) -> str:
    if reach is None:
        return "no limit"
    return counted(reach, "gap")


PLAN_KEYS: tuple[PlanKey, ...] = (
    PlanKey("margin_before", "Margin before dialogue", lambda settings: settings.gaps.margin_before, _seconds),
    PlanKey("margin_after", "Margin after dialogue", lambda settings: settings.gaps.margin_after, _seconds),
    PlanKey("least_gap", "Shortest gap", lambda settings: settings.gaps.least, _seconds),
    PlanKey("keep_sound", "Keep sounds free", lambda settings: settings.gaps.keep_sound, _yes_or_no),
    PlanKey("keep_music", "Keep music free", lambda settings: settings.gaps.keep_music, _yes_or_no),
    PlanKey("keep_sung", "Keep songs free", lambda settings: settings.gaps.keep_sung, _yes_or_no),
    PlanKey("words_per_minute", "Speaking rate", lambda settings: settings.words_per_minute, lambda n: f"{n} wpm"),
    PlanKey("min_pause", "Pause between lines", lambda settings: settings.min_pause, _seconds),
    PlanKey("max_share", "Maximum gap fill", lambda settings: settings.max_share, _per_cent),
    PlanKey("delta_early", "Before action, max.", lambda settings: settings.early, _seconds),
    PlanKey("delta_late", "After action, max.", lambda settings: settings.late, _seconds),
    PlanKey("near", "Near the action", lambda settings: settings.near, _near),
    PlanKey("reach", "Gaps away, max.", lambda settings: settings.reach, _reach),
    PlanKey("scope", "Lines may cross scenes", lambda settings: settings.scope, lambda scope: _CROSSING[scope]),
)
"""All values of the section `plan`; a preset has every one of them."""
_CROSSING = {Scope.FILM: "yes", Scope.SCENE: "no"}
