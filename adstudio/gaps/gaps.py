"""The gaps of a film: the complement of its dialogue, margins and silences (G of the paper, section 3).

The describer may free a stretch of the dialogue all the same (an opening) or keep one silent.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Cue, CueKind, GapSettings, Opening, Script, Silence
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

    `gaps`: sorted, disjoint, never touching, each at least as long as asked or freed by an opening. `occupied`: the
    union of dialogue with its margins, less the openings, and of the silences, cut to the film; what is in neither is
    free but too short. `oddities`: cues that could not be taken as they stand; `outside`: those, the silences and the
    openings that reach past the film's end, which nobody can know who reads the subtitles alone.
    """

    gaps: tuple[Span, ...]
    occupied: tuple[Span, ...]
    oddities: tuple[Oddity, ...]
    outside: tuple[Oddity, ...] = ()


def gaps_of(script: Script) -> Gaps:
    """The gaps of a script's film, by its own settings; raises as `find_gaps` does."""
    return find_gaps(script.cues, script.silences, script.film.end, script.settings.gaps, script.openings)


def find_gaps(
    cues: Sequence[Cue],
    silences: Sequence[Silence],
    end: int,
    settings: GapSettings,
    openings: Sequence[Opening] = (),
) -> Gaps:
    """The gaps of a film that lasts from 0 to `end` milliseconds.

    A cue is occupied from `margin_before` ahead of its start to `margin_after` behind its end, if its kind counts as
    occupied. One whose end cannot be right (`said_until`) is kept free for as long as its words take. Openings free
    what dialogue occupies, and the gap they are in may be shorter than the least length; a silence wins over an
    opening. Cues, silences and openings may come in any order.

    Raises:
        GapError: for a negative margin or least length.
    """
    if min(settings.margin_before, settings.margin_after, settings.least) < 0:
        raise GapError("margins and the least length of a gap cannot be negative")
    kinds = [kind for kind in CueKind if occupies(kind, settings)]
    dialogue = sorted((cue for cue in cues if cue.kind in kinds), key=lambda cue: cue.start)
    spans = [(cue.start - settings.margin_before, said_until(cue) + settings.margin_after) for cue in dialogue]
    opened = _union(((opening.span.start, opening.span.end) for opening in openings), end)
    if opened:
        spans = [(part.start, part.end) for part in _without(_union(spans, end), opened)]
    spans += [(silence.span.start, silence.span.end) for silence in silences]
    occupied = _union(spans, end)
    least = max(settings.least, 1)
    gaps = tuple(gap for gap in _complement(occupied, end) if gap.length >= least or _meets(gap, opened))
    outside = tuple(_outside(dialogue, (*silences, *openings), end))
    return Gaps(gaps, occupied, tuple(_odd_cues(dialogue)), outside)


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


def _without(spans: Iterable[Span], taken: Sequence[Span]) -> Iterator[Span]:
    """What is left of sorted, disjoint spans without others of that kind."""
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


def _meets(span: Span, others: Sequence[Span]) -> bool:
    """Whether some stretch of a length is shared with one of others that are sorted and disjoint."""
    place = bisect_right(others, span.start, key=_end)
    return place < len(others) and others[place].start < span.end


def _end(span: Span) -> int:
    return span.end


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
    if cue.start >= 0 and cue.end - cue.start >= LEAST_SAID_MS:
        return ""
    verdicts = (
        (cue.end < cue.start, "ends before it starts: it is taken to last until its words are said"),
        (cue.end == cue.start, "has no length: it is taken to last until its words are said"),
        (said_until(cue) > cue.end, "is too short to be said: it is taken to last until its words are said"),
        (cue.end <= 0, "lies before the film’s start: passed over"),
        (cue.start < 0, "starts before the film does: cut to the film"),
    )
    return next((what for holds, what in verdicts if holds), "")


def _outside(dialogue: Iterable[Cue], stretches: Iterable[Silence | Opening], end: int) -> Iterator[Oddity]:
    for cue in dialogue:
        if cue.start >= end:
            yield Oddity(f"{_name(cue)} lies past the film’s end: passed over")
        elif cue.end > end:
            yield Oddity(f"{_name(cue)} runs past the film’s end: cut to the film")
    for stretch in stretches:
        if stretch.span.start < 0 or stretch.span.end > end:
            kind = "silence" if isinstance(stretch, Silence) else "opening"
            yield Oddity(f"the {kind} from {clock(stretch.span.start)} reaches out of the film: cut to the film")


def _name(cue: Cue) -> str:
    text = " ".join(cue.text.split())
    shown = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1].rstrip() + "…"
    return f"the cue “{shown}” at {clock(cue.start)}"
