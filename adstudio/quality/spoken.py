"""The lines that a plan speaks, and the extended ones, with what is known of their lengths."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.fusions import as_spoken
from adstudio.core.narration import Lengths, LengthSource, Narrator
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.delivery.lines import extended_lines

_Key = tuple[str, int, int, int, bool]


@dataclass(frozen=True, eq=False)
class SpokenLine:
    """A line as it is spoken, compared by identity: when it is planned, and how long it takes, from what that is known.

    Times are in ms; `end` may be before `start` in a plan from elsewhere. The picture is held for an `extended` one.
    """

    id: str
    """Its eventuality's, or that of the first one that a fusion stands for."""
    line: Eventuality
    text: str
    words: int
    """How many it has."""
    start: int
    end: int
    length: int
    source: LengthSource
    extended: bool
    allowed: bool
    """Whether the describer allowed it to overlap dialogue."""
    span: Span
    """When it is planned; without length where `end` is before `start`."""


class SpokenLines:
    """The spoken lines of one state of a script after another: what has not changed is the same object as before."""

    def __init__(self) -> None:
        self._narrator: Narrator | None = None
        self._lengths: Lengths | None = None
        self._known: dict[_Key, SpokenLine] = {}

    def of(self, script: Script, plan: Plan) -> list[SpokenLine]:
        """The lines that have words, in order of their starts, extended ones last among those that start together.

        What a plan of another script names in vain is passed over.
        """
        if script.lengths is not self._lengths or script.narrator != self._narrator:
            self._narrator, self._lengths, self._known = script.narrator, script.lengths, {}
        found: list[SpokenLine] = []
        known, now = self._known, dict[_Key, SpokenLine]()
        spoken = as_spoken(script, plan)
        index, lines = spoken.eventuality_index, spoken.eventualities
        for delivery in plan.deliveries:
            place = index.get(delivery.element)
            if place is None or delivery.text is not None:
                continue
            key = (delivery.element, delivery.variant, delivery.start, delivery.end, False)
            each = known.get(key)
            line = lines[place]
            if each is None or (each.line is not line and (not delivery.members or each.line != line)):
                if not 0 <= delivery.variant < len(line.variants):
                    continue
                each = _spoken_line(script, line, delivery.variant, delivery.start, delivery.end, delivery.lines[0])
            now[key] = each
            if each.text:
                found.append(each)
        for start, line, variant in extended_lines(script):
            key = (line.id, variant, start, start, True)
            each = known.get(key)
            if each is None or each.line is not line:
                each = _spoken_line(script, line, variant, start, None)
            now[key] = each
            found.append(each)
        self._known = now
        found.sort(key=lambda each: (each.start, each.extended, each.end))
        return found


def _spoken_line(
    script: Script, line: Eventuality, variant: int, start: int, end: int | None, name: str = ""
) -> SpokenLine:
    """A line, by another `name` where it is a fusion; `end` is None for an extended one: it ends when it is spoken."""
    wording = line.variants[variant]
    length, source = spoken_length(script, line, wording)
    until = start + length if end is None else end
    pin, text = line.pin, wording.text.strip()
    return SpokenLine(
        id=name or line.id,
        line=line,
        text=text,
        words=count_words(text),
        start=start,
        end=until,
        length=length,
        source=source,
        extended=end is None,
        allowed=pin.override and pin.start is not None,
        span=Span(start, max(start, until)),
    )


def spoken_length(script: Script, line: Eventuality, wording: Variant) -> tuple[int, LengthSource]:
    """How long a wording takes to speak (ms), and from what that is known.

    What the chosen take lasts, or the voice was measured to take, counts before the length that somebody set: that is
    the time it is given, not the time it takes.
    """
    if wording.duration is not None and (wording.chosen_take is not None or script.voice.engine):
        unset = Variant(wording.text, takes=wording.takes, take=wording.take)
        length, source = script.length(unset, line.voice)
        if source is not LengthSource.RATE:
            return length, source
    return script.length(wording, line.voice)
