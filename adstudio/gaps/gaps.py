"""The gaps of a film: the complement of its dialogue, margins and silences (G of the paper, section 3).

The describer can also open a span of dialogue for narration (an opening) or keep one free of it (a silence).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Cue, CueKind, Opening, Script, Silence
from adstudio.core.settings import GapSettings
from adstudio.core.timebase import Span, clock, seconds
from adstudio.core.words import spoken_ms
from adstudio.gaps.word_edges import cues_as_spoken

FORMAT = "adstudio-gaps/1"

SHOWN_CHARACTERS = 40
"""How many characters of a cue's text a message quotes."""

MIN_SPOKEN_MS = 100
"""Nothing can be said in less time."""

DIALOGUE_WORDS_PER_MINUTE = 160
"""The assumed speaking rate for cues with impossible times."""


@dataclass(frozen=True)
class Gaps:
    """What is free and what is occupied, in milliseconds."""

    gaps: tuple[Span, ...]
    """Sorted, disjoint and not touching; each has the minimum length or overlaps an opening."""
    occupied: tuple[Span, ...]
    """Dialogue with its margins minus openings, plus silences, cut to the film; the rest is free but too short."""
    oddities: tuple[Oddity, ...]
    """Cues with odd times."""
    outside: tuple[Oddity, ...] = ()
    """Cues, silences and openings beyond the film's ends, which the subtitles alone do not reveal."""


def gaps_of(script: Script) -> Gaps:
    """The gaps of a script with its own settings; raises as `find_gaps` does."""
    return find_gaps(cues_as_spoken(script), script.silences, script.film.end, script.settings.gaps, script.openings)


def find_gaps(
    cues: Sequence[Cue],
    silences: Sequence[Silence],
    end: int,
    settings: GapSettings,
    openings: Sequence[Opening] = (),
) -> Gaps:
    """The gaps of a film that lasts from 0 to `end` milliseconds; `cues` have the times at which they count.

    A cue whose kind counts as speech occupies the time from `margin_before` before its start to `margin_after` after
    its end; if its end is implausible, its words' length counts (`spoken_until`). Openings free occupied time, and
    their gaps may be shorter than the minimum; silences take precedence over openings. Any order of input will do.

    Raises:
        BadInputError: for a negative margin or minimum length.
    """
    if min(settings.margin_before, settings.margin_after, settings.least) < 0:
        raise BadInputError("margins and the minimum length of a gap cannot be negative")
    kinds = [kind for kind in CueKind if occupies(kind, settings)]
    dialogue = sorted((cue for cue in cues if cue.kind in kinds), key=lambda cue: cue.start)
    spans = [(cue.start - settings.margin_before, spoken_until(cue) + settings.margin_after) for cue in dialogue]
    opened = union(((opening.span.start, opening.span.end) for opening in openings), end)
    if opened:
        spans = [(part.start, part.end) for part in subtract(union(spans, end), opened)]
    spans += [(silence.span.start, silence.span.end) for silence in silences]
    occupied = union(spans, end)
    least = max(settings.least, 1)
    gaps = tuple(gap for gap in _complement(occupied, end) if gap.length >= least or _overlaps_any(gap, opened))
    outside = tuple(_outside_oddities(dialogue, (*silences, *openings), end))
    return Gaps(gaps, occupied, tuple(_cue_oddities(dialogue)), outside)


def gaps_json(
    gaps: Gaps, cues: Sequence[Cue], *, end: int, encoding: str, problems: Iterable[Oddity] | None = None
) -> dict[str, object]:
    """The gaps, their dialogue and all problems as `adstudio-gaps/1` (DESIGN section 5), ready for `json.dumps`.

    `encoding` is that of the subtitles. `problems` are those found when reading them, which already cover odd times and
    name their lines, so that only those outside the film are added; if None, all that the gaps know of are listed.
    """
    listed = gaps.oddities if problems is None else tuple(problems)
    return {
        "format": FORMAT,
        "end": seconds(end),
        "encoding": encoding,
        "gaps": [[seconds(gap.start), seconds(gap.end)] for gap in gaps.gaps],
        "dialogue": [
            {
                "start": seconds(cue.start),
                "end": seconds(cue.end),
                "text": cue.text,
                "speaker": cue.speaker,
                "kind": cue.kind.value,
            }
            for cue in cues
        ],
        "problems": [{"line": oddity.line, "what": oddity.what} for oddity in (*listed, *gaps.outside)],
    }


def occupies(kind: CueKind, settings: GapSettings) -> bool:
    """Whether cues of this kind count as occupied."""
    return {
        CueKind.SPEECH: True,
        CueKind.SOUND: settings.keep_sound,
        CueKind.MUSIC: settings.keep_music,
        CueKind.SUNG: settings.keep_sung,
    }[kind]


def spoken_until(cue: Cue) -> int:
    """When a cue's words have been spoken: its end, if plausible.

    If the end is before the start, or less than a tenth of a second after it, the words get the time that they take at
    an ordinary pace, at least a millisecond, so that narration does not overlap them.
    """
    if cue.end - cue.start >= MIN_SPOKEN_MS:
        return cue.end
    return max(cue.end, cue.start + max(1, spoken_ms(cue.text, DIALOGUE_WORDS_PER_MINUTE)))


def union(spans: Iterable[tuple[int, int]], end: int) -> tuple[Span, ...]:
    """The spans cut to [0, end], overlapping and touching ones joined, empty ones dropped."""
    joined: list[Span] = []
    for span_start, span_end in sorted(spans):
        first, last = max(span_start, 0), min(span_end, end)
        if first >= last:
            continue
        if joined and first <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, last))
        else:
            joined.append(Span(first, last))
    return tuple(joined)


def _complement(occupied: Iterable[Span], end: int) -> Iterator[Span]:
    free_from = 0
    for span in occupied:
        if span.start > free_from:
            yield Span(free_from, span.start)
        free_from = span.end
    if end > free_from:
        yield Span(free_from, end)


def subtract(spans: Iterable[Span], taken: Sequence[Span]) -> Iterator[Span]:
    """Sorted, disjoint spans minus others, also sorted and disjoint."""
    for span in spans:
        start = span.start
        place = bisect_right(taken, start, key=_end)
        while place < len(taken) and taken[place].start < span.end:
            if taken[place].start > start:
                yield Span(start, taken[place].start)
            start = taken[place].end
            place += 1
        if start < span.end:
            yield Span(start, span.end)


def _overlaps_any(span: Span, others: Sequence[Span]) -> bool:
    """Whether a span overlaps (not just touches) one of others, which are sorted and disjoint."""
    place = bisect_right(others, span.start, key=_end)
    return place < len(others) and others[place].start < span.end


def _end(span: Span) -> int:
    return span.end


def _cue_oddities(dialogue: Iterable[Cue]) -> Iterator[Oddity]:
    """The problems of occupied cues, in order of their starts."""
    latest: Cue | None = None
    for cue in dialogue:
        what = _time_oddity(cue)
        if what:
            yield Oddity(f"{_name(cue)} {what}")
        if latest is not None and cue.start < spoken_until(latest):
            yield Oddity(f"{_name(cue)} starts before {_name(latest)} ends: both times count as dialogue")
        if latest is None or spoken_until(cue) > spoken_until(latest):
            latest = cue


def _time_oddity(cue: Cue) -> str:
    if cue.start >= 0 and cue.end - cue.start >= MIN_SPOKEN_MS:
        return ""
    verdicts = (
        (cue.end < cue.start, "ends before it starts: its end was estimated from its words"),
        (cue.end == cue.start, "has no duration: its end was estimated from its words"),
        (spoken_until(cue) > cue.end, "is too short for its words: its end was estimated from them"),
        (cue.end <= 0, "lies before the start of the film: ignored"),
        (cue.start < 0, "starts before the film: cut to the film"),
    )
    return next((what for applies, what in verdicts if applies), "")


def _outside_oddities(dialogue: Iterable[Cue], regions: Iterable[Silence | Opening], end: int) -> Iterator[Oddity]:
    for cue in dialogue:
        if cue.start >= end:
            yield Oddity(f"{_name(cue)} lies after the end of the film: ignored")
        elif cue.end > end:
            yield Oddity(f"{_name(cue)} ends after the film: cut to the film")
    for region in regions:
        if region.span.start < 0 or region.span.end > end:
            kind = "silence" if isinstance(region, Silence) else "opening"
            yield Oddity(f"the {kind} at {clock(region.span.start)} extends beyond the film: cut to the film")


def _name(cue: Cue) -> str:
    text = " ".join(cue.text.split())
    shown = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1].rstrip() + "…"
    return f"the cue “{shown}” at {clock(cue.start)}"
