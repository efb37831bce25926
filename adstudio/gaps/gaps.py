"""The gaps of a film: the complement of its dialogue, margins and silences (G of the paper, section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Cue, CueKind, GapSettings, Silence
from adstudio.core.timebase import Span, clock
from adstudio.core.words import spoken_ms

SHOWN_CHARACTERS = 40
"""How much of a cue's text an oddity quotes."""

LEAST_SAID_MS = 100
"""Nobody says anything in less."""

DIALOGUE_WORDS_PER_MINUTE = 160
"""The pace of speech that is assumed where a cue does not tell."""


class GapError(BadInputError):
    """Settings from which no gaps can be made."""


@dataclass(frozen=True)
class Gaps:
    """What is free and what is not, in milliseconds.

    `gaps`: sorted, disjoint, never touching, each at least as long as asked. `occupied`: the union of dialogue with
    its margins and of the silences, cut to the film; what is in neither is free but too short. `oddities`: cues that
    could not be taken as they stand; `outside`: those and the silences that reach past the film's end, which nobody
    can know who reads the subtitles alone.
    """

    gaps: tuple[Span, ...]
    occupied: tuple[Span, ...]
    oddities: tuple[Oddity, ...]
    outside: tuple[Oddity, ...] = ()


def find_gaps(cues: Sequence[Cue], silences: Sequence[Silence], end: int, settings: GapSettings) -> Gaps:
    """The gaps of a film that lasts from 0 to `end` milliseconds.

    A cue is occupied from `margin_before` ahead of its start to `margin_after` behind its end, if its kind counts as
    occupied. One whose end cannot be right (`said_until`) is kept free for as long as its words take. Cues may come in
    any order.

    Raises:
        GapError: for a negative margin or least length.
    """
    if min(settings.margin_before, settings.margin_after, settings.least) < 0:
        raise GapError("margins and the least length of a gap cannot be negative")
    dialogue = sorted((cue for cue in cues if occupies(cue.kind, settings)), key=lambda cue: cue.start)
    spans = [(cue.start - settings.margin_before, said_until(cue) + settings.margin_after) for cue in dialogue]
    spans += [(silence.span.start, silence.span.end) for silence in silences]
    occupied = _union(spans, end)
    least = max(settings.least, 1)
    gaps = tuple(gap for gap in _complement(occupied, end) if gap.length >= least)
    return Gaps(gaps, occupied, tuple(_odd_cues(dialogue)), tuple(_outside(dialogue, silences, end)))


def occupies(kind: CueKind, settings: GapSettings) -> bool:
    """Whether cues of this kind keep narration away."""
    return {
        CueKind.SPEECH: True,
        CueKind.SOUND: settings.keep_sound,
        CueKind.MUSIC: settings.keep_music,
        CueKind.SUNG: settings.keep_sung,
    }[kind]


def said_until(cue: Cue) -> int:
    """When a cue's words are said: its end, unless nobody could have said them by then.

    That is so where the end is before the start or less than a tenth of a second after it: then its words are given
    the time they take at an ordinary pace, for narration must not run over them, and never less than a millisecond.
    """
    if cue.end - cue.start >= LEAST_SAID_MS:
        return cue.end
    return max(cue.end, cue.start + max(1, spoken_ms(cue.text, DIALOGUE_WORDS_PER_MINUTE)))


def _union(spans: Iterable[tuple[int, int]], end: int) -> tuple[Span, ...]:
    """The spans cut to [0, end], those that overlap or touch joined, those without length dropped."""
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


def _odd_cues(dialogue: Iterable[Cue]) -> Iterator[Oddity]:
    """What is odd about occupied cues in order of their starts."""
    latest: Cue | None = None
    for cue in dialogue:
        what = _odd_times(cue)
        if what:
            yield Oddity(f"{_name(cue)} {what}")
        if latest is not None and cue.start < said_until(latest):
            yield Oddity(f"{_name(cue)} starts while {_name(latest)} is still being said: both stretches are occupied")
        if latest is None or said_until(cue) > said_until(latest):
            latest = cue


def _odd_times(cue: Cue) -> str:
    verdicts = (
        (cue.end < cue.start, "ends before it starts: it is taken to last until its words are said"),
        (cue.end == cue.start, "has no length: it is taken to last until its words are said"),
        (said_until(cue) > cue.end, "is too short to be said: it is taken to last until its words are said"),
        (cue.end <= 0, "lies before the film’s start: passed over"),
        (cue.start < 0, "starts before the film does: cut to the film"),
    )
    return next((what for holds, what in verdicts if holds), "")


def _outside(dialogue: Iterable[Cue], silences: Iterable[Silence], end: int) -> Iterator[Oddity]:
    for cue in dialogue:
        if cue.start >= end:
            yield Oddity(f"{_name(cue)} lies past the film’s end: passed over")
        elif cue.end > end:
            yield Oddity(f"{_name(cue)} runs past the film’s end: cut to the film")
    for silence in silences:
        if silence.span.start < 0 or silence.span.end > end:
            yield Oddity(f"the silence from {clock(silence.span.start)} reaches out of the film: cut to the film")


def _name(cue: Cue) -> str:
    text = " ".join(cue.text.split())
    shown = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1].rstrip() + "…"
    return f"the cue “{shown}” at {clock(cue.start)}"
