"""What the rules find, in sentences for the describer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from adstudio.core.counts import counted
from adstudio.core.fusions import wording_of
from adstudio.core.narration import LengthSource
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.timebase import tenths_down
from adstudio.planning.film.conflict_messages import MessageStyle
from adstudio.quality.findings import (
    EarlyName,
    Estimated,
    Finding,
    MidSentence,
    Misplaced,
    Misplacement,
    Near,
    NeverNamed,
    Occupied,
    Offset,
    Overlap,
    ShortGap,
    Side,
    TooFast,
    TooLong,
    Unseen,
)
from adstudio.quality.rules import Level

LEVELS = {Level.ERROR: "Error", Level.WARNING: "Warning", Level.NOTE: "Note"}
_SOURCES = {
    LengthSource.TAKE: "in its take",
    LengthSource.MEASURED: "as measured",
    LengthSource.PREDICTED: "as predicted",
    LengthSource.OWN: "in the time set for it",
    LengthSource.RATE: "at the speaking rate",
}
"""What a pace is known from."""
_MISPLACED = {
    Misplacement.OVERLAP: "{last} starts {by} before {first} has ended.",
    Misplacement.ORDER: "{last} is spoken after {first}, which it precedes in the script.",
    Misplacement.TWICE: "{first} is in the script twice.",
    Misplacement.LOCKS: "{first} is not spoken as you locked it: its locks cannot all be met.",
    Misplacement.RULE: "A rule about {first} is not kept: it conflicts with locks.",
    Misplacement.NO_DURATION: "{first} has no time to be spoken in.",
    Misplacement.BEFORE_FILM: "{first} starts {by} before the film.",
    Misplacement.AFTER_FILM: "{first} ends {by} after the film.",
}


def finding_message(script: Script, plan: Plan, finding: Finding, style: MessageStyle | None = None) -> str:
    """A sentence, with its full stop: lines by the words they are spoken in, times as timecodes of the film."""
    return _Message(script, plan, finding, style or MessageStyle()).sentence


def levels_counted(findings: Sequence[Finding]) -> str:
    """How many findings there are of each level: “2 errors, 1 warning”; empty if there are none."""
    counts = ((level, sum(each.level is level for each in findings)) for level in Level)
    return ", ".join(counted(count, level.value) for level, count in counts if count)


@dataclass(frozen=True)
class _Message:
    script: Script
    plan: Plan
    finding: Finding
    style: MessageStyle

    @property
    def sentence(self) -> str:
        facts: Any = self.finding.facts
        write: dict[type, Callable[[Any], str]] = {
            TooLong: self._too_long,
            TooFast: self._too_fast,
            Overlap: self._overlap,
            Near: self._near,
            Misplaced: self._misplaced,
            ShortGap: self._short_gap,
            Offset: self._offset,
            Estimated: self._estimated,
            EarlyName: self._early_name,
            NeverNamed: self._never_named,
            Unseen: self._unseen,
            MidSentence: self._mid_sentence,
        }
        return write[type(facts)](facts)

    def _name(self, place: int = 0) -> str:
        """A line of the finding."""
        line = self.script.eventuality(self.finding.lines[place])
        delivery = self.plan.spoken_as(line.id)
        if delivery is not None and delivery.members and (fused := wording_of(self.script, delivery)) is not None:
            return self.style.quote(fused.text)
        number = (line.pin.variant or 0) if delivery is None else delivery.variant
        return self.style.quote(line.variants[min(number, len(line.variants) - 1)].text)

    def _limit(self, ms: int) -> str:
        """A limit exactly: one of 0.25 s is not said to be 0.2 s."""
        return self.style.length(ms) if ms % 100 == 0 else f"{ms / 1000:g} s"

    def _here(self, ms: int) -> str:
        """A length that is too small, never rounded up to what would be enough."""
        down = tenths_down(ms)
        return self.style.length(down) if down else f"less than {self.style.length(100)}"

    def _too_long(self, facts: TooLong) -> str:
        excess, planned = self.style.lack(facts.spoken - facts.planned), self.style.length(facts.planned)
        verb = {
            LengthSource.TAKE: "is",
            LengthSource.MEASURED: "takes the voice",
        }.get(facts.source, "will probably take the voice")
        of = "The take of " if facts.source is LengthSource.TAKE else ""
        return f"{of}{self._name()} {verb} {excess} longer than the {planned} it has."

    def _too_fast(self, facts: TooFast) -> str:
        pace = -(-facts.words * 60_000 // facts.length)
        limit = f"{pace:,} words a minute ({_SOURCES[facts.source]}); the limit is {facts.most:,}"
        if not facts.overall:
            return f"{self._name()} is spoken at {limit}."
        count = len(self.finding.lines)
        return f"The narration averages {limit}, and {count:,} lines are faster, {self._name()} first."

    def _overlap(self, facts: Overlap) -> str:
        what = "dialogue" if facts.what is Occupied.DIALOGUE else "a silence"
        return f"{self._name()} overlaps {what} by {self.style.lack(facts.by)}{_as_allowed(facts.allowed)}."

    def _near(self, facts: Near) -> str:
        how = "ends {here} before dialogue" if facts.side is Side.BEFORE else "starts {here} after dialogue"
        there = how.format(here=self._here(facts.distance))
        asked = _as_allowed(facts.allowed) or f"; at least {self._limit(facts.least)} is required"
        return f"{self._name()} {there}{asked}."

    def _misplaced(self, facts: Misplaced) -> str:
        return _MISPLACED[facts.what].format(
            first=self._name(), last=self._name(len(self.finding.lines) - 1), by=self.style.lack(facts.by)
        )

    def _short_gap(self, facts: ShortGap) -> str:
        count = len(self.finding.lines)
        more = "" if count == 1 else f" and {count - 1} more"
        verb = "is" if count == 1 else "are"
        asked = _as_allowed(facts.allowed) or f"; gaps of less than {self._limit(facts.least)} are not used"
        return f"{self._name()}{more} {verb} in a gap of {self._here(facts.gap.length)}{asked}."

    def _offset(self, facts: Offset) -> str:
        what = "the film’s start timecode" if facts.from_timecode else "an hour"
        count = len(self.finding.lines)
        return f"All {count:,} lines are late by {what}: moved that much earlier, they are within the film."

    def _estimated(self, facts: Estimated) -> str:
        count = len(self.finding.lines)
        lengths, are = ("length", "is") if count == 1 else ("lengths", "are")
        what = "lengths are" if count == facts.of else f"the {lengths} of {count:,} of {facts.of:,} lines {are}"
        return (
            f"No voice is chosen, so {what} estimated from word counts: choose one in the project settings before you "
            "mix or record."
        )

    def _early_name(self, facts: EarlyName) -> str:
        said = self.script.film.timecode(facts.introduced)
        count = len(self.finding.lines)
        others = "" if count == 1 else f" and {count - 1} more lines" if count > 2 else " and another line"
        verb = "uses" if count == 1 else "use"
        when = (
            f"before dialogue first says it, at {said}" if facts.cue else f"before {said}, from when on it may be said"
        )
        return f"{self._name()}{others} {verb} the name {facts.name} {when}."

    def _never_named(self, facts: NeverNamed) -> str:
        seen = self.script.film.timecode(facts.seen)
        if not facts.described:
            return f"{facts.name} is seen from {seen}, and neither a line nor dialogue says who that is."
        one = facts.described == 1
        lines, none = ("line describes", "does not say") if one else ("lines describe", "none says")
        return f"{facts.described:,} {lines} {facts.name}, seen from {seen}, and {none} the name; nor does dialogue."

    def _unseen(self, facts: Unseen) -> str:
        count = len(self.finding.lines)
        were, them = ("was", "it") if count == 1 else ("were", "them")
        lines = "line" if facts.of == 1 else "lines"
        return f"{count:,} of {facts.of:,} {lines} {were} written by a machine, and nobody has looked at {them}."

    def _mid_sentence(self, facts: MidSentence) -> str:
        before = "the line before it ends its sentence" if facts.before else "no line of its scene comes before it"
        return f"{self._name()} begins in the middle of a sentence, but {before}."


def _as_allowed(allowed: bool) -> str:
    return ", as allowed" if allowed else ""
