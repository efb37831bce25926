"""A script with its plan, checked by all rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from adstudio.characters.cast_mentions import CastMentions
from adstudio.core.plan import Plan
from adstudio.core.quality_settings import QualitySettings
from adstudio.core.script import Origin, Script
from adstudio.core.timebase import Span
from adstudio.delivery.unmet_pins import unmet_pins
from adstudio.quality.checks import Checks
from adstudio.quality.dialogue import Dialogue
from adstudio.quality.findings import Finding, Unseen
from adstudio.quality.introductions import Introductions, can_find_names, cast_mentions, remember_words
from adstudio.quality.rules import UNSEEN, Level
from adstudio.quality.sentences import mid_sentence
from adstudio.quality.spoken import SpokenLine, SpokenLines
from adstudio.quality.timing import (
    estimated,
    misplaced,
    near_dialogue,
    offset,
    over_dialogue,
    short_gaps,
    too_fast,
    too_long,
)
from adstudio.quality.unnamed import never_named

_GRAVITY = {level: place for place, level in enumerate(Level)}
_TEXTS = 200
"""Texts whose words are looked at in one go."""
_READ = 10
"""Texts in which the cast is looked for in one go."""


@dataclass(frozen=True)
class _Alone:
    """What is found of a line by itself, and the gap it is in."""

    findings: tuple[Finding, ...]
    gap: Span | None


class Inspector:
    """Checks one state of a script after another; what a step has not touched is not worked out again."""

    def __init__(self) -> None:
        self._lines = SpokenLines()
        self._dialogue: tuple[tuple[object, ...], Dialogue] | None = None
        self._introductions: tuple[tuple[object, ...], Introductions] | None = None
        self._alone: dict[SpokenLine, _Alone] = {}
        self._alone_of: tuple[Dialogue, QualitySettings] | None = None

    def prepare(self, script: Script, plan: Plan, checks: Checks) -> Iterator[None]:
        """Work out beforehand what `findings` remembers of a script, some milliseconds of work at a time."""
        lines = self._lines.of(script, plan)
        yield
        dialogue = self._dialogue_of(script, checks)
        yield
        self._each_alone(lines, dialogue, checks.settings)
        yield
        if _looks_for_names(script, checks) or script.people:
            texts = [*(cue.text for cue in script.cues), *(line.text for line in lines)]
            for start in range(0, len(texts), _TEXTS):
                remember_words(texts[start : start + _TEXTS])
                yield
            if not self._has_introductions(script):
                cast = cast_mentions(script)
                yield
                for start in range(0, len(texts) if script.people else 0, _READ):
                    for text in texts[start : start + _READ]:
                        cast.mentions(text)
                    yield
                self._introductions_of(script, cast)

    def findings(
        self, script: Script, plan: Plan, checks: Checks, first_seen: Mapping[str, int] | None = None
    ) -> tuple[Finding, ...]:
        """What the rules find, the gravest first, then in order of time.

        `first_seen` is when a face of somebody (id) was first found in the film (ms), as far as that is known.
        """
        lines = self._lines.of(script, plan)
        settings, dialogue = checks.settings, self._dialogue_of(script, checks)
        alone = self._each_alone(lines, dialogue, settings)
        unmet = unmet_pins(script, plan)
        shifted = tuple(offset(script, lines, unmet))
        found = [
            *(finding for each in alone.values() for finding in each.findings),
            *too_fast(lines, settings),
            *misplaced(script, plan, lines, unmet, shifted=bool(shifted)),
            *short_gaps(((line, each.gap) for line, each in alone.items() if not line.extended), dialogue, settings),
            *shifted,
            *estimated(script, lines),
        ]
        if _looks_for_names(script, checks):
            found += self._introductions_of(script).findings(lines)
        if script.people:
            found += never_named(script, lines, self._introductions_of(script).cast, first_seen or {})
        found += [*_unseen(lines), *mid_sentence(lines)]
        return tuple(sorted(found, key=lambda each: (_GRAVITY[each.level], each.span.start, each.rule.id)))

    def _each_alone(
        self, lines: Iterable[SpokenLine], dialogue: Dialogue, settings: QualitySettings
    ) -> dict[SpokenLine, _Alone]:
        """What is found of each line by itself, in their order."""
        if self._alone_of is None or self._alone_of[0] is not dialogue or self._alone_of[1] != settings:
            self._alone_of, self._alone = (dialogue, settings), {}
        known = self._alone
        self._alone = {line: known.get(line) or _alone(line, dialogue, settings) for line in lines}
        return self._alone

    def _dialogue_of(self, script: Script, checks: Checks) -> Dialogue:
        # Collections that no step touched are identical objects.
        of = (
            *(script.cues, script.word_times, script.silences, script.openings),
            *(script.film.end, script.settings.gaps, checks.dialogue),
        )
        if self._dialogue is None or not _same(self._dialogue[0], of):
            self._dialogue = of, Dialogue(script, checks.dialogue)
        return self._dialogue[1]

    def _has_introductions(self, script: Script) -> bool:
        return self._introductions is not None and _same(self._introductions[0], _introduced_by(script))

    def _introductions_of(self, script: Script, cast: CastMentions | None = None) -> Introductions:
        if self._introductions is None or not self._has_introductions(script):
            self._introductions = _introduced_by(script), Introductions(script, cast)
        return self._introductions[1]


def findings_of(
    script: Script, plan: Plan, checks: Checks, first_seen: Mapping[str, int] | None = None
) -> tuple[Finding, ...]:
    """What the rules find in a script with its plan: see `Inspector.findings`."""
    return Inspector().findings(script, plan, checks, first_seen)


def _alone(line: SpokenLine, dialogue: Dialogue, settings: QualitySettings) -> _Alone:
    if line.extended:
        return _Alone((), None)
    overlaps = tuple(over_dialogue(line, dialogue))
    # Of a line that may overlap dialogue, and does, nobody needs to know how near to other dialogue it is.
    nearness = () if line.allowed and overlaps else near_dialogue(line, dialogue, settings)
    found = (*too_long(line, settings), *overlaps, *nearness)
    return _Alone(found, dialogue.gap_of(line.span))


def _introduced_by(script: Script) -> tuple[object, ...]:
    return script.cues, script.people, script.film.language


def _looks_for_names(script: Script, checks: Checks) -> bool:
    return checks.settings.names_after_introduction and can_find_names(script.film.language)


def _same(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    return all(a is b or (not isinstance(a, tuple) and a == b) for a, b in zip(before, after, strict=True))


def _unseen(lines: list[SpokenLine]) -> list[Finding]:
    """P1: lines that a machine wrote and nobody has seen, in one finding."""
    found = [each for each in lines if each.line.origin is Origin.MACHINE and not each.line.seen]
    if not found:
        return []
    names = tuple(each.id for each in found)
    span = Span(found[0].start, found[0].span.end)
    return [Finding(UNSEEN, UNSEEN.level, names, span, Unseen(len(lines)))]
