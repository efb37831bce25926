"""What a reference AD, the plan and perhaps a version say in each gap of a film, side by side."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import zip_longest

from adstudio.core.fusions import as_spoken
from adstudio.core.plan import Plan
from adstudio.core.script import Origin, Script
from adstudio.core.timebase import Span
from adstudio.core.words import count_words, folded
from adstudio.evaluation.material import Description, EvaluatedFilm, FilmSequence
from adstudio.evaluation.sequences import gaps_around, gaps_by_sequence

_WORD = re.compile(r"\w+")
_NOTHING: tuple[SpokenLine, ...] = ()


class Speaking(Enum):
    """Who speaks in a gap."""

    BOTH = "both"
    REFERENCE = "reference"
    PLAN = "plan"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A description as a script speaks it.

    `duration` is how long it is spoken (ms): where the picture is held for it, longer than its span. `origin` is who
    worded it, None where that is not known, and `id` its line in the project, empty in a reference.
    """

    description: Description
    duration: int
    origin: Origin | None = None
    id: str = ""


@dataclass(frozen=True)
class GapSpeech:
    """What one script says in a gap: its lines in the order of time."""

    lines: tuple[SpokenLine, ...] = ()

    @cached_property
    def text(self) -> str:
        """All that is said; empty if nothing is."""
        return " ".join(line.description.text for line in self.lines)

    @property
    def words(self) -> int:
        """How many words are spoken."""
        return sum(count_words(line.description.text) for line in self.lines)

    @property
    def duration(self) -> int:
        """How long is spoken, in milliseconds."""
        return sum(line.duration for line in self.lines)

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Who worded it, each once, as far as that is known."""
        return tuple(dict.fromkeys(line.origin for line in self.lines if line.origin is not None))


SILENT = GapSpeech()


@dataclass(frozen=True)
class GapRow:
    """A gap with what each script says in it.

    Where `is_gap` is not set, it is what is said in no gap: `span` is then from the first to the last of it.
    """

    span: Span
    reference: GapSpeech
    plan: GapSpeech
    version: GapSpeech = SILENT
    is_gap: bool = True

    @cached_property
    def speaking(self) -> Speaking:
        """Who speaks."""
        if self.reference.lines:
            return Speaking.BOTH if self.plan.lines else Speaking.REFERENCE
        return Speaking.PLAN if self.plan.lines else Speaking.NEITHER

    @cached_property
    def differs(self) -> bool:
        """Whether reference and plan say other words there; case and punctuation do not count."""
        return not same_words(self.reference.text, self.plan.text)


def same_words(one: str, other: str) -> bool:
    """Whether two texts have the same words in the same order, whatever their case and punctuation."""
    if one == other:
        return True
    pairs = zip_longest(_WORD.finditer(folded(one)), _WORD.finditer(folded(other)))
    return all(a is not None and b is not None and a[0] == b[0] for a, b in pairs)


def spoken_lines(script: Script, plan: Plan | None) -> tuple[SpokenLine, ...]:
    """The lines that a plan speaks, in the order of time; those for which the picture is held where that is."""
    found: list[SpokenLine] = []
    spoken = {} if plan is None else plan.by_element
    for line in as_spoken(script, plan).eventualities:
        delivery = spoken.get(line.id)
        if delivery is not None and delivery.variant < len(line.variants):
            text = line.variants[delivery.variant].text
            span, duration = delivery.span, delivery.span.length
        elif line.holds_picture and line.occurrence is not None and line.pin.selected is not False:
            variant = line.variants[min(line.pin.variant or 0, len(line.variants) - 1)]
            text, duration = variant.text, script.duration(variant, line.voice)
            span = Span(line.occurrence.start, line.occurrence.start)
        else:
            continue
        if text.strip():
            name = line.id if delivery is None else delivery.lines[0]
            found.append(SpokenLine(Description(span, text.strip()), duration, line.origin, name))
    return tuple(sorted(found, key=lambda line: line.description.span))


def film_gaps(script: Script) -> tuple[Span, ...]:
    """The gaps in a film's speech in which descriptions are compared: the evaluation's, of the film as a whole."""
    whole = FilmSequence("", Span(0, script.film.end))
    return gaps_by_sequence(EvaluatedFilm("", script.film.end, script.cues, (), (), (whole,)))[0]


def gap_rows(
    gaps: Sequence[Span],
    reference: Sequence[SpokenLine],
    plan: Sequence[SpokenLine],
    version: Sequence[SpokenLine] = _NOTHING,
) -> tuple[GapRow, ...]:
    """A row for each gap, in order; before the gap that follows it, a row for what is said in none."""
    found: list[tuple[Span, int, tuple[GapSpeech, GapSpeech, GapSpeech]]] = []
    sides = [_assigned(gaps, lines) for lines in (reference, plan, version)]
    for number, gap in enumerate(gaps):
        found.append((gap, 1, _speeches([inside.get(number, ()) for inside, _ in sides])))
    for place in sorted({place for _, outside in sides for place in outside}):
        parts = [outside.get(place, ()) for _, outside in sides]
        spans = [line.description.span for lines in parts for line in lines]
        span = Span(min(span.start for span in spans), max(span.end for span in spans))
        found.append((span, 0, _speeches(parts)))
    found.sort(key=lambda row: (row[0].start, row[0].end, row[1]))
    return tuple(GapRow(span, *speeches, is_gap=bool(is_gap)) for span, is_gap, speeches in found)


def _speeches(parts: Sequence[Sequence[SpokenLine]]) -> tuple[GapSpeech, GapSpeech, GapSpeech]:
    reference, plan, version = (GapSpeech(tuple(lines)) if lines else SILENT for lines in parts)
    return reference, plan, version


def _assigned(
    gaps: Sequence[Span], lines: Sequence[SpokenLine]
) -> tuple[dict[int, list[SpokenLine]], dict[int, list[SpokenLine]]]:
    """The lines by the number of their gap, and those in none by the number of the gap that follows."""
    inside: dict[int, list[SpokenLine]] = {}
    outside: dict[int, list[SpokenLine]] = {}
    for line in lines:
        span = line.description.span
        numbers = gaps_around(span, gaps)
        for number in numbers:
            inside.setdefault(number, []).append(line)
        if not numbers:
            outside.setdefault(bisect_right(gaps, span.start, key=_start), []).append(line)
    return inside, outside


def _start(span: Span) -> int:
    return span.start
