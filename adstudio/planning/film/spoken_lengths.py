"""Where the lengths of a plan's lines come from: what it is proven for, and which accepted lines take otherwise now."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from adstudio.core.fusions import as_spoken
from adstudio.core.narration import LengthSource
from adstudio.core.plan import Plan
from adstudio.core.script import Script

LEAST_DIFFERENCE = 100
"""Milliseconds by which an accepted line's length differs before that is worth a word: as lengths are shown."""
EXPECTED = frozenset({LengthSource.PREDICTED, LengthSource.RATE})
"""Sources of lengths that a voice may turn out to miss."""


@dataclass(frozen=True)
class SpokenLengths:
    """How many of a plan's lines have their length from where; `voiced`: the project has a voice to measure."""

    voiced: bool
    sources: Counter[LengthSource]

    @property
    def unmeasured(self) -> int:
        """Lines whose length is only expected of the voice; 0 without a voice, where the speaking rate counts."""
        return sum(self.sources[source] for source in EXPECTED) if self.voiced else 0

    @property
    def otherwise(self) -> int:
        """Accepted lines that are planned as long as they were accepted, which is not what was measured since."""
        return self.sources[LengthSource.ACCEPTED]

    @property
    def measured(self) -> bool:
        """Whether a proof of the plan is one for the lengths that will be heard; always so without a voice."""
        return not self.unmeasured and not self.otherwise


def spoken_lengths(script: Script, plan: Plan) -> SpokenLengths:
    """The sources of the lengths that a plan speaks its lines in."""
    voiced = bool(script.voice.engine)
    found = Counter[LengthSource]()
    script = as_spoken(script, plan)
    for spoken in plan.deliveries if voiced else ():
        place = script.eventuality_index.get(spoken.element)
        if place is not None and spoken.variant < len(script.eventualities[place].variants):
            line = script.eventualities[place]
            length, source = script.planned_length(line, spoken.variant)
            if source is LengthSource.ACCEPTED:
                known = script.length(line.variants[spoken.variant], line.voice)[1]
                source = known if known in EXPECTED else source
            if length or source not in EXPECTED:
                found[source] += 1
    return SpokenLengths(voiced, found)


@dataclass(frozen=True)
class LengthDeparture:
    """An accepted line that takes another time (ms) to speak than it had when it was accepted."""

    line: str
    variant: int
    accepted: int
    measured: int


def length_departures(script: Script, least: int = LEAST_DIFFERENCE) -> tuple[LengthDeparture, ...]:
    """The accepted lines that were measured to take another time since, by at least so many ms, in textual order."""
    found: list[LengthDeparture] = []
    for line in script.eventualities if script.voice.engine else ():
        if not line.accepted or line.approval is None or line.approval.variant >= len(line.variants):
            continue
        planned, source = script.planned_length(line, line.approval.variant)
        if source is not LengthSource.ACCEPTED:
            continue
        length, measured = script.length(line.variants[line.approval.variant], line.voice)
        if measured is LengthSource.MEASURED and abs(length - planned) >= least:
            found.append(LengthDeparture(line.id, line.approval.variant, planned, length))
    return tuple(found)
