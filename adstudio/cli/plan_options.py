"""The options of `draft` that say how a film is planned: a preset, and whatever shall differ from it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from adstudio.cli.options import GapOptions, ms, option
from adstudio.core.errors import BadInputError
from adstudio.core.house_rules import HouseFault, house_fault
from adstudio.core.narration import NO_VOICE, VoiceSettings
from adstudio.core.setting_ranges import GREATEST_REACH
from adstudio.core.settings import Near, Scope, Settings
from adstudio.drafting.limits import require_rate
from adstudio.presets.library import DEFAULT, preset_named
from adstudio.presets.preset import with_distances

if TYPE_CHECKING:
    from adstudio.speech.engine import Engine

NO_LIMIT = "none"
"""How `--reach` says that lines may be spoken in any gap."""
_SHARE = re.compile(r"([0-9]{0,6}(?:[.,][0-9]{0,12})?) ?(%?)\Z")
_FAULTS = {
    HouseFault.SHARE: "--max-share must be above 0 and at most 1 (100 %)",
    HouseFault.NO_PLACE: "--early and --late: a line has no place if neither leaves any time",
    HouseFault.FAR_GAIN: "--far-gain must be above 0 and at most 1 (100 %)",
    HouseFault.NEAR_EARLY: "--near-early is wider than the limit before the action (--early)",
    HouseFault.NEAR_LATE: "--near-late is wider than the limit after the action (--late)",
    HouseFault.NO_GAPS: "--reach: there are no gaps that it could reach",
}


def require_voice(engine: Engine, voice: str) -> None:
    """Check that an engine has the voice of `--voice`.

    Raises:
        BadInputError: if it has not.
    """
    if all(voice != each.id for each in engine.voices("")):
        listed = "“adstudio speak --voices all” lists what there is"
        raise BadInputError(f"--voice: {engine.name} has no voice “{voice[:40]}”: {listed}")


@dataclass(frozen=True)
class PlanOptions:
    """How the film is planned. None: as the preset says."""

    TITLE: ClassVar[str] = "Plan"

    preset: Annotated[
        str | None,
        option(
            "NAME|FILE",
            "House rules to plan by; other options win over them (default: house; with --direct, which sets its own"
            " times, paper).",
        ),
    ] = None
    words_per_minute: Annotated[int | None, option("N", "Speaking rate.")] = None
    min_pause: Annotated[str | None, option("SECONDS", "Minimum pause between lines.")] = None
    max_share: Annotated[str | None, option("SHARE", "How much of a gap may be filled: 0.85, or 85%.")] = None
    delta_max: Annotated[
        str | None, option("SECONDS", "Maximum distance of a line from the action, middle to middle.")
    ] = None
    early: Annotated[str | None, option("SECONDS", "The same before the action only.")] = None
    late: Annotated[str | None, option("SECONDS", "The same after the action only.")] = None
    near_early: Annotated[str | None, option("SECONDS", "Up to here before the action a line counts in full.")] = None
    near_late: Annotated[str | None, option("SECONDS", "Up to here after the action a line counts in full.")] = None
    far_gain: Annotated[str | None, option("SHARE", "How much a line further away counts: 0.8, or 80%.")] = None
    reach: Annotated[str | None, option("N|none", "How many gaps away from the action a line may be.")] = None
    scope: Annotated[Literal["film", "scene"] | None, option("film|scene", "Whether lines may cross scenes.")] = None
    voice: Annotated[
        str | None,
        option("ENGINE[:ID]", "The project’s voice: lines are as long as it speaks them (speak --voices lists them)."),
    ] = None

    @property
    def project_voice(self) -> VoiceSettings:
        """The voice, which is on this computer.

        Raises:
            BadInputError, OutsideFailureError: where it is not, or its engine does not work.
        """
        if self.voice is None:
            return NO_VOICE
        from adstudio.speech.engines import find_engine

        engine, _, voice = self.voice.partition(":")
        found = find_engine(engine)
        if voice:
            require_voice(found, voice)
        return VoiceSettings(engine, voice)

    def settings(self, gaps: GapOptions, *, default: str = DEFAULT) -> Settings:
        """The settings of a project, read; `default` is the preset if none is given.

        Raises:
            BadInputError: for a preset that there is not or that cannot be used, values out of range, and values that
                contradict each other.
            OutsideFailureError: if a preset cannot be read.
        """
        base = preset_named(self.preset or default).settings
        if self.words_per_minute is not None:
            try:
                require_rate(self.words_per_minute)
            except BadInputError as error:
                raise BadInputError(f"--words-per-minute: {error}") from None
        both = _time(self.delta_max, "--delta-max")
        early = _first(_time(self.early, "--early"), both, base.early)
        late = _first(_time(self.late, "--late"), both, base.late)
        settings = replace(
            base,
            words_per_minute=_first(self.words_per_minute, base.words_per_minute),
            gaps=gaps.settings(base.gaps),
            min_pause=_first(_time(self.min_pause, "--min-pause"), base.min_pause),
            max_share=base.max_share if self.max_share is None else _share(self.max_share, "--max-share"),
            near=self._near(base.near, early, late),
            reach=base.reach if self.reach is None else _reach(self.reach),
            scope=base.scope if self.scope is None else Scope(self.scope),
        )
        settings = with_distances(settings, early, late)
        by_side = self.early is not None or self.late is not None
        fault = house_fault(replace(settings, delta_early=early, delta_late=late) if by_side else settings)
        if fault is not None:
            raise BadInputError(_FAULTS[fault])
        return settings

    def _near(self, base: Near | None, early: int, late: int) -> Near | None:
        """Within which distances a line counts in full: those of the preset end at the limits, those given do not."""
        first, last = _time(self.near_early, "--near-early"), _time(self.near_late, "--near-late")
        gain = None if self.far_gain is None else _share(self.far_gain, "--far-gain")
        if base is None and gain is None:
            if first is not None or last is not None:
                raise BadInputError("--near-early and --near-late need --far-gain: how much a line further away counts")
            return None
        return Near(
            _first(first, min(early, base.early if base else early)),
            _first(last, min(late, base.late if base else late)),
            _first(gain, base.far_gain if base else 0),
        )


def _first(*values: int | None) -> int:
    return next(value for value in values if value is not None)


def _time(text: str | None, name: str) -> int | None:
    return None if text is None else ms(text, name)


def _share(text: str, name: str) -> int:
    """A share or a percentage, in millionths."""
    found = _SHARE.match(text.strip())
    if found is None or not any(each.isdigit() for each in found[1]):
        raise BadInputError(f"{name}: “{text[:40]}” is not a share: write 0.85, or 85%")
    return round(Decimal(found[1].replace(",", ".")) * (10_000 if found[2] else 1_000_000))


def _reach(text: str) -> int | None:
    if text.strip().lower() == NO_LIMIT:
        return None
    number = text.strip()
    if not (number.isascii() and number.isdigit() and len(number) < 6 and int(number) <= GREATEST_REACH):
        raise BadInputError(
            f"--reach: “{text[:40]}” is not a number of gaps: give 0 to {GREATEST_REACH}, or {NO_LIMIT} for no limit"
        )
    return int(number)
