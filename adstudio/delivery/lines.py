"""The script as exported: a frozen snapshot that every writer works from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from adstudio.characters.name_index import NameIndex
from adstudio.core.control_characters import without_control_characters
from adstudio.core.errors import BadInputError
from adstudio.core.fusions import as_spoken
from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Cue, Eventuality, Origin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.gaps.gaps import gaps_of, occupies
from adstudio.gaps.word_edges import cues_as_spoken

JOIN_PAUSE_MS = 1500
"""The longest pause within a line of linked eventualities."""


class DeliveryError(BadInputError):
    """A script that cannot be exported as requested."""


@dataclass(frozen=True)
class NextDialogue:
    """The next dialogue after a line: its start (ms), text and speaker."""

    start: int
    text: str
    speaker: str | None


@dataclass(frozen=True)
class PreviousDialogue:
    """The last dialogue that is over before a line: its end (ms), text and speaker."""

    end: int
    text: str
    speaker: str | None


class LineStatus(Enum):
    """How far a line has come; the value is what people call it."""

    DRAFT = "draft"
    SEEN = "seen"
    ACCEPTED = "accepted"


@dataclass(frozen=True)
class Fragment:
    """A further eventuality spoken as part of a line: its wording and time (ms)."""

    element: str
    variant: int
    span: Span


@dataclass(frozen=True)
class ScriptLine:
    """One line of the script; times in milliseconds."""

    number: int
    """From 1, in speaking order."""
    span: Span
    text: str
    words: int
    """Word count."""
    element: str | None
    """The eventuality it comes from, or the fusion; None for a text from a pool."""
    variant: int
    gap: Span | None
    """The gap that contains the whole line; None if an override puts it outside."""
    room: int | None
    """From the line's end to the next line in its gap, or to the gap's end; None without a gap."""
    next_dialogue: NextDialogue | None
    notes: str
    pinned: bool
    override: bool
    origin: Origin
    """A machine, if it worded any part."""
    seen: bool
    """The describer has looked at all of it."""
    accepted: bool
    """The describer has accepted all of it."""
    joined: tuple[Fragment, ...] = ()
    """Linked eventualities spoken as the same cue; `span`, `text` and `notes` cover them too."""
    previous_dialogue: PreviousDialogue | None = None
    voice: str = ""
    """The name of the voice that speaks it, as its engine calls it; empty where no voice is chosen."""
    duck: int | None = None
    """How far the film is lowered under it, in tenths of a decibel; None as under the other lines."""
    members: tuple[str, ...] = ()
    """The eventualities that its fusion stands for; empty where `element` is none."""

    @property
    def speed(self) -> int | None:
        """The words a minute at which it is spoken in its time; None without any."""
        return round(self.words * 60_000 / self.span.length) if self.span.length else None

    @property
    def status(self) -> LineStatus:
        """How far it has come: the least of its parts."""
        return LineStatus.ACCEPTED if self.accepted else LineStatus.SEEN if self.seen else LineStatus.DRAFT

    @property
    def elements(self) -> tuple[str, ...]:
        """Every eventuality in the line, in order."""
        own = self.members or (() if self.element is None else (self.element,))
        return (*own, *(fragment.element for fragment in self.joined))


class ExtendedLine(NamedTuple):
    """A line for which the picture is held at `start` (film time in ms), and the place of its wording."""

    start: int
    line: Eventuality
    variant: int

    @property
    def wording(self) -> Variant:
        """What is spoken."""
        return self.line.variants[self.variant]


def extended_lines(script: Script, *, accepted_only: bool = False) -> tuple[ExtendedLine, ...]:
    """The lines for which the picture is held, in order; they are in no plan, and in no exported script."""
    found = [
        ExtendedLine(line.occurrence.start, line, min(line.pin.variant or 0, len(line.variants) - 1))
        for line in script.eventualities
        if line.extended and line.occurrence and line.pin.selected is not False and (line.accepted or not accepted_only)
    ]
    return tuple(sorted((each for each in found if each.wording.text.strip()), key=lambda each: each.start))


def script_lines(script: Script, plan: Plan) -> tuple[ScriptLine, ...]:
    """The lines that a plan speaks, in order of their starts, without those that have no words yet.

    Control characters are left out, as no file can be handed in with them.

    A fusion is one line. An eventuality linked with the previous one becomes part of its line if both are in the same
    gap with a pause of at most `JOIN_PAUSE_MS` between them.

    Raises:
        DeliveryError: if the plan names an eventuality or a wording that the script does not have.
    """
    script = as_spoken(script, plan)
    gaps = gaps_of(script).gaps
    dialogue = sorted(
        (cue for cue in cues_as_spoken(script) if occupies(cue.kind, script.settings.gaps)), key=lambda cue: cue.start
    )
    index = NameIndex(script.people)
    dialogue = [replace(cue, speaker=_called(cue, index)) for cue in dialogue] if script.people else dialogue
    cue_starts = [cue.start for cue in dialogue]
    ended = sorted(dialogue, key=lambda cue: (max(cue.start, cue.end), cue.start))
    cue_ends = [max(cue.start, cue.end) for cue in ended]
    deliveries = sorted(plan.deliveries, key=lambda delivery: delivery.span)
    starts_after: list[int | None] = [after.start for _, after in pairwise(deliveries)]
    lines: list[ScriptLine] = []
    for delivery, after in zip(deliveries, [*starts_after, None], strict=False):
        gap = gap_containing(gaps, delivery.span)
        following = bisect_left(cue_starts, delivery.end)
        over = bisect_right(cue_ends, delivery.start)
        line = _line(
            script,
            delivery,
            number=len(lines) + 1,
            gap=gap,
            room=_room(delivery, gap, after),
            next_cue=dialogue[following] if following < len(dialogue) else None,
            last_cue=ended[over - 1] if over else None,
        )
        if not line.text.strip():
            continue
        if lines and _follows(script, lines[-1], line):
            lines[-1] = _joined(lines[-1], line)
        else:
            lines.append(line)
    return tuple(lines)


def _follows(script: Script, first: ScriptLine, then: ScriptLine) -> bool:
    """Whether a line is spoken as one cue with the previous line."""
    if then.element is None or first.element is None or not script.eventuality(then.element).joined:
        return False
    order = script.eventuality_index
    last = first.joined[-1].element if first.joined else first.element
    return (
        order[last] < order[then.element]
        and first.gap is not None
        and first.gap == then.gap
        and 0 <= then.span.start - first.span.end <= JOIN_PAUSE_MS
    )


def _joined(first: ScriptLine, then: ScriptLine) -> ScriptLine:
    text = f"{first.text.rstrip()} {then.text.lstrip()}".strip()
    return replace(
        then,
        number=first.number,
        span=Span(first.span.start, then.span.end),
        text=text,
        words=count_words(text),
        element=first.element,
        variant=first.variant,
        notes="\n".join(note for note in (first.notes, then.notes) if note),
        pinned=first.pinned or then.pinned,
        override=first.override or then.override,
        origin=Origin.MACHINE if Origin.MACHINE in (first.origin, then.origin) else Origin.HUMAN,
        seen=first.seen and then.seen,
        accepted=first.accepted and then.accepted,
        previous_dialogue=first.previous_dialogue,
        voice=", ".join(dict.fromkeys(filter(None, (*first.voice.split(", "), then.voice)))),
        duck=max((each for each in (first.duck, then.duck) if each is not None), default=None),
        members=first.members,
        joined=(*first.joined, Fragment(then.element or "", then.variant, then.span)),
    )


def _line(
    script: Script,
    delivery: Delivery,
    *,
    number: int,
    gap: Span | None,
    room: int | None,
    next_cue: Cue | None,
    last_cue: Cue | None,
) -> ScriptLine:
    eventuality = None if delivery.text is not None else _eventuality(script, delivery)
    text = without_control_characters(
        eventuality.variants[delivery.variant].text if eventuality else delivery.text or ""
    )
    own = eventuality.voice if eventuality else None
    return ScriptLine(
        number=number,
        span=delivery.span,
        text=text,
        words=count_words(text),
        element=eventuality.id if eventuality else None,
        variant=delivery.variant,
        gap=gap,
        room=room,
        next_dialogue=NextDialogue(next_cue.start, *_said(next_cue)) if next_cue else None,
        notes=without_control_characters(eventuality.note) if eventuality else "",
        pinned=eventuality is not None and eventuality.pin.held,
        override=eventuality is not None and eventuality.pin.override,
        origin=eventuality.origin if eventuality else Origin.MACHINE,
        seen=eventuality is not None and eventuality.seen,
        accepted=eventuality is not None and eventuality.accepted,
        previous_dialogue=PreviousDialogue(max(last_cue.start, last_cue.end), *_said(last_cue)) if last_cue else None,
        voice=(own.voice if own else None) or script.voice.voice,
        duck=eventuality.duck if eventuality else None,
        members=delivery.members,
    )


def _called(cue: Cue, index: NameIndex) -> str | None:
    """Who speaks a cue, by the name in the cast; as the subtitles have it where that is not certainly one of them."""
    person = index.called(cue.speaker) if cue.speaker else None
    return cue.speaker if person is None else person.name


def _said(cue: Cue) -> tuple[str, str | None]:
    return without_control_characters(cue.text), cue.speaker and without_control_characters(cue.speaker)


def _eventuality(script: Script, delivery: Delivery) -> Eventuality:
    place = script.eventuality_index.get(delivery.element)
    if place is None:
        raise DeliveryError(f"the plan contains {delivery.element}, which is not in the script: re-plan it")
    eventuality = script.eventualities[place]
    if not 0 <= delivery.variant < len(eventuality.variants):
        raise DeliveryError(
            f"the plan contains wording {delivery.variant} of {delivery.element}, which the script lacks: re-plan it"
        )
    return eventuality


def gap_containing(gaps: Sequence[Span], span: Span) -> Span | None:
    """The gap that contains a whole span."""
    place = bisect_right(gaps, span.start, key=lambda gap: gap.start) - 1
    return gaps[place] if place >= 0 and gaps[place].contains(span) else None


def _room(delivery: Delivery, gap: Span | None, next_start: int | None) -> int | None:
    if gap is None:
        return None
    return max(0, min(gap.end, gap.end if next_start is None else next_start) - delivery.end)
