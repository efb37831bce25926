"""Small scripts and plans by hand, and what the rules find in them."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.film import Film
from adstudio.core.narration import VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.quality_settings import QualitySettings
from adstudio.core.script import Cue, CueKind, Eventuality, Origin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.presets.library import preset_named
from adstudio.quality.checks import Checks, house_checks
from adstudio.quality.findings import Finding
from adstudio.quality.inspection import findings_of

HOUSE = house_checks(preset_named("house"))
"""Overrun 0.1 s, 200 words a minute from 8 words, 0.3 s before and after dialogue, gaps of 1 s, names introduced."""


def line(name: str, text: str = "", **changes: object) -> Eventuality:
    """A person's line, of two words unless a text is given."""
    found = Eventuality(name, (Variant(text or f"Line {name}."),), Span(0, 1000), 1, origin=Origin.HUMAN, seen=True)
    return replace(found, **changes)


def film(*lines: Eventuality, cues: tuple[Cue, ...] = (), end: int = 60_000, **changes: object) -> Script:
    """A film of a minute, its voice not yet measured: at 120 words a minute, half a second a word."""
    found = Script(Film("Film", end), cues=cues, eventualities=lines, voice=VoiceSettings("espeak-ng"))
    return replace(found, settings=replace(found.settings, words_per_minute=120), **changes)


def speech(name: str, start: int, end: int, text: str = "Who is there?", speaker: str | None = None) -> Cue:
    return Cue(name, start, end, text, speaker)


def song(name: str, start: int, end: int) -> Cue:
    return Cue(name, start, end, "♪ La la ♪", kind=CueKind.SUNG)


def spoken(*deliveries: tuple[str, int, int]) -> Plan:
    """Lines by id in their full wording, with start and end."""
    return Plan(Status.FEASIBLE, "exact", deliveries=tuple(Delivery(name, 0, a, b) for name, a, b in deliveries))


def checks(**changes: object) -> Checks:
    """The house's, with other values."""
    settings: QualitySettings = replace(HOUSE.settings, **changes)
    return replace(HOUSE, settings=settings)


def found(script: Script, plan: Plan, by: Checks = HOUSE) -> list[Finding]:
    return list(findings_of(script, plan, by))


def ids(script: Script, plan: Plan, by: Checks = HOUSE) -> list[str]:
    """Rule and level of what is found: `T3 error`."""
    return [f"{each.rule.id} {each.level.value}" for each in found(script, plan, by)]
