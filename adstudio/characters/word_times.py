"""When each word of a film's dialogue is spoken, which cues the sound contradicts, and where split cues change speaker.

Each cue's words are looked for around its times; where they are not found there, or reach the edge, once more in a
wider stretch. What is not sure is not known, and says so by having no words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from adstudio.characters.alignment import Aligner, Alignment
from adstudio.characters.cue_sound import cue_sounds
from adstudio.characters.pronunciation import CueWord, cue_words
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.core.word_times import CueWords, SpokenWord
from adstudio.media.silero import FRAME, FRAME_MS, SAMPLE_RATE, Silero
from adstudio.subtitles.dialogue import SPEAKER_PAUSE_MS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEAR_MS = 300
"""How far around a cue its words are looked for first."""
FAR_MS = 1_500
"""How far they are looked for where they are not found there."""
INTO_NEIGHBOUR_MS = 150
"""How far into the cues beside it: subtitles are seldom exact, but what is said there belongs to them."""
AT_EDGE_MS = 50
AROUND_PART_MS = 100
"""How far around where a part of a subtitle was found it is looked for by itself."""
KNOWN = 400
"""The confidence (thousandths) from which words are taken to be where they were found."""
KNOWN_FAR = 600
"""The same for what was found away from its cue, where there is more to be mistaken for it."""
OTHER_SOUND = 250
"""Where the middle confidence of a film's cues is lower, its sound does not say what its subtitles say."""
ENOUGH_CUES = 8
"""Fewer cues are not enough to judge a film by."""
SPEECH, LEAST_SPEECH = 0.5, 0.25
"""The probability from which a frame is speech, and the share of the frames of words that must be."""
LATE_MS = 250
"""Speech this long before its cue, or after it, contradicts the cue; readers and describers notice it."""
EARLY_MS = 700
"""A cue this long before its first word contradicts the sound: subtitles precede speech by a few frames at most."""

OnShare = Callable[[float], None]
"""Called with the share that is done, 0 to 1."""


class Departure(Enum):
    """How a cue's times differ from when its words are spoken."""

    STARTS_LATE = "starts_late"
    """Its first word is spoken before it starts."""
    STARTS_EARLY = "starts_early"
    """It starts long before its first word."""
    ENDS_EARLY = "ends_early"
    """Its last word is spoken after it ends."""


@dataclass(frozen=True, slots=True)
class ContradictedCue:
    """A cue whose times the sound contradicts: by how many ms, and when its words are spoken (ms of film time)."""

    cue: str
    departure: Departure
    by: int
    spoken: Span


@dataclass(frozen=True)
class FoundWords:
    """What was found: the words of each cue that was looked at, in the order of the cues.

    `unknown` are the ids of those whose words were not found with any certainty, as under loud music. `other_sound`:
    that is so of most, so the sound is probably in another language or of another film, and nothing of it is used.
    `sound_end` is where the film's sound ends (ms), if cues are past that; nothing is judged by those.
    """

    words: tuple[CueWords, ...]
    unknown: tuple[str, ...] = ()
    other_sound: bool = False
    sound_end: int | None = None

    @property
    def past_sound(self) -> tuple[str, ...]:
        """The ids of cues that are not known and not wholly before the end of the film's sound."""
        end = self.sound_end
        return () if end is None else tuple(each.id for each in self.words if each.end > end and not each.words)


@dataclass(frozen=True, slots=True)
class _Job:
    """Cues that are looked for together: the parts of one subtitle follow one another without a pause."""

    cues: tuple[Cue, ...]
    words: tuple[tuple[CueWord, ...], ...]
    near: Span
    far: Span


def find_words(
    aligner: Aligner,
    video: Path,
    track: int | None,
    cues: Sequence[Cue],
    language: str,
    *,
    known: Mapping[str, CueWords] | None = None,
    end: int | None = None,
    detector: Silero | None = None,
    on_share: OnShare | None = None,
) -> FoundWords:
    """Find the words of cues in the sound of their film.

    Args:
        aligner: an engine of the language.
        video: the film's file.
        track: the number of its sound track, None for the one that is used.
        cues: the dialogue.
        language: a tag such as `en-GB`.
        known: words that need not be looked for again, by the id of their cue, if they are not stale.
        end: the film's length, in ms.
        detector: detects speech; words where nobody speaks, as in music alone, are not known.
        on_share: called with how much is done.

    Raises:
        NoSoundError: if the film has no sound track.
        MediaError: for what is no film that can be read.
        OutsideFailureError: if the engine is not installed, or the file may not be read.
    """
    fresh = {
        cue.id: words
        for cue in cues
        if (words := (known or {}).get(cue.id)) is not None
        and (words.text, words.start, words.end) == (cue.text, cue.start, cue.end)
    }
    jobs = list(_jobs([cue for cue in cues if spoken(cue)], fresh, language, end))
    found: dict[str, CueWords] = dict(fresh)
    confidences: dict[str, int] = {}
    reached = 0

    def reach(time: int) -> None:
        nonlocal reached
        reached = time

    if jobs:
        aligner.prepare([word for job in jobs for words in job.words for word in words])
        sounds = cue_sounds(video, track, [job.far for job in jobs], reach)
        for done, (number, sound) in enumerate(sounds, 1):
            job = jobs[number]
            alignment, start = _best(aligner, sound, job)
            if (
                detector is not None
                and alignment is not None
                and not _is_speech(detector, sound, alignment, start, job)
            ):
                alignment = None
            by_cue = _part_confidences(aligner, sound, job, alignment, start)
            confidences.update((cue.id, each) for cue, each in zip(job.cues, by_cue, strict=True))
            found.update((each.id, each) for each in _spoken_words(job, alignment, start, by_cue))
            if on_share is not None:
                on_share(done / len(jobs))
    judged_by = [confidences[cue.id] for job in jobs for cue in job.cues if cue.end <= reached]
    other = len(judged_by) >= ENOUGH_CUES and median(judged_by) < OTHER_SOUND
    if other:
        for cue in (cue for job in jobs for cue in job.cues):
            found[cue.id] = CueWords(cue.id, cue.text, cue.start, cue.end)
    words = tuple(found[cue.id] for cue in cues if cue.id in found)
    ends = any(cue.end > reached and not found[cue.id].words for job in jobs for cue in job.cues)
    return FoundWords(words, tuple(each.id for each in words if not each.words), other, reached if ends else None)


def spoken(cue: Cue) -> bool:
    """Whether a cue has words that are spoken and a time: singing is too free for an aligner."""
    return cue.kind is CueKind.SPEECH and cue.end > cue.start and any(char.isalnum() for char in cue.text)


def contradicted(cues: Iterable[Cue], words: Mapping[str, CueWords]) -> Iterator[ContradictedCue]:
    """The cues whose times the sound contradicts, each by its largest departure; `words` by the id of the cue."""
    for cue in cues:
        of_cue = words.get(cue.id)
        if of_cue is None or not of_cue.words:
            continue
        said = Span(of_cue.words[0].start, of_cue.words[-1].end)
        departures = [
            (cue.start - said.start, LATE_MS, Departure.STARTS_LATE),
            (said.start - cue.start, EARLY_MS, Departure.STARTS_EARLY),
            (said.end - cue.end, LATE_MS, Departure.ENDS_EARLY),
        ]
        by, limit, departure = max(departures, key=lambda each: each[0] / each[1])
        if by > limit:
            yield ContradictedCue(cue.id, departure, by, said)


def split_at_words(cues: Sequence[Cue], words: Mapping[str, CueWords]) -> dict[str, tuple[int, int]]:
    """New times (start, end) for the parts of split subtitles, so that they change at the words.

    One part ends with its last word, the next begins with its first, 24 ms apart at least (paper, appendix “Subtitle
    splitting”). The subtitle's own start and end stay, and so do parts whose words are not known or that would have no
    length.
    """
    edges = {cue.id: [cue.start, cue.end] for cue in cues}
    changed: set[str] = set()
    for first, second in pairwise(cues):
        before, after = words.get(first.id), words.get(second.id)
        if not _are_parts(first, second) or not before or not after or not before.words or not after.words:
            continue
        end, start = before.words[-1].end, after.words[0].start
        if start - end < SPEAKER_PAUSE_MS:
            end = (start + end - SPEAKER_PAUSE_MS) // 2
            start = end + SPEAKER_PAUSE_MS
        if edges[first.id][0] < end and start < edges[second.id][1]:
            edges[first.id][1], edges[second.id][0] = end, start
            changed |= {first.id, second.id}
    before_split = {cue.id: (cue.start, cue.end) for cue in cues}
    return {
        name: (start, end)
        for name, (start, end) in edges.items()
        if name in changed and (start, end) != before_split[name]
    }


def _are_parts(first: Cue, second: Cue) -> bool:
    """Whether two cues are neighbouring parts of one subtitle: `c12a`, `c12b`, as `dialogue` splits them."""
    same = first.id[:-1] == second.id[:-1] and first.id[-1:].isalpha() and second.id[-1:].isalpha()
    return same and ord(second.id[-1]) == ord(first.id[-1]) + 1 and first.id[:-1][-1:].isdigit()


def _jobs(cues: Sequence[Cue], fresh: Mapping[str, CueWords], language: str, end: int | None) -> Iterator[_Job]:
    groups: list[list[Cue]] = []
    for cue in cues:
        last = groups[-1][-1] if groups else None
        if last is not None and _are_parts(last, cue) and 0 <= cue.start - last.end <= SPEAKER_PAUSE_MS:
            groups[-1].append(cue)
        else:
            groups.append([cue])
    for number, group in enumerate(groups):
        if all(cue.id in fresh for cue in group):
            continue
        words = tuple(cue_words(cue.text, language) for cue in group)
        if not all(words):
            continue
        start, stop = group[0].start, group[-1].end
        before = groups[number - 1][-1].end if number else 0
        after = groups[number + 1][0].start if number + 1 < len(groups) else stop + FAR_MS
        yield _Job(
            tuple(group), words, _around(start, stop, NEAR_MS, before, after, end),
            _around(start, stop, FAR_MS, before, after, end),
        )  # fmt: skip


def _around(start: int, stop: int, reach: int, before: int, after: int, end: int | None) -> Span:
    """The times with a margin that goes only a little into the cues before and after, and not beyond the film."""
    first = max(start - reach, min(before - INTO_NEIGHBOUR_MS, start), 0)
    last = min(stop + reach, max(after + INTO_NEIGHBOUR_MS, stop))
    return Span(first, max(last if end is None else min(last, end), first))


def _best(aligner: Aligner, sound: NDArray[np.float32], job: _Job) -> tuple[Alignment | None, int]:
    """The better of the alignments near the cue and further around it, and where its sound starts (ms)."""
    words = [word for of_cue in job.words for word in of_cue]
    first = (job.near.start - job.far.start) * SAMPLE_RATE // 1000
    near_sound = sound[first : first + job.near.length * SAMPLE_RATE // 1000]
    near = aligner.align(near_sound, words)
    if near is not None and near.confidence >= KNOWN and not _at_edge(near, job):
        return near, job.near.start
    if job.far == job.near:
        return near, job.near.start
    far = aligner.align(sound, words)
    if far is not None and far.confidence >= max(KNOWN_FAR, near.confidence if near is not None else 0):
        return far, job.far.start
    return near, job.near.start


def _is_speech(detector: Silero, sound: NDArray[np.float32], found: Alignment, start: int, job: _Job) -> bool:
    """Whether somebody speaks in enough of the words' time."""
    import numpy as np

    detector.reset()
    speech = detector.probabilities(np.pad(sound, (0, -len(sound) % FRAME)))
    offset = start - job.far.start
    first, last = (offset + found.words[0].start) // FRAME_MS, -(-(offset + found.words[-1].end) // FRAME_MS)
    return bool((speech[first:last] >= SPEECH).mean() >= LEAST_SPEECH) if first < min(last, len(speech)) else False


def _part_confidences(
    aligner: Aligner, sound: NDArray[np.float32], job: _Job, found: Alignment | None, start: int
) -> list[int]:
    """How sure it is of each cue that it is said where it was found.

    Parts of a subtitle are found together, where those that are said would vouch for one that is not: each is looked
    for once more by itself.
    """
    if found is None or found.confidence < KNOWN:
        return [0 if found is None else found.confidence] * len(job.cues)
    if len(job.cues) == 1:
        return [found.confidence]
    found_alone: list[int] = []
    at, offset = 0, start - job.far.start
    for words in job.words:
        first, last = found.words[at], found.words[at + len(words) - 1]
        at += len(words)
        begin, end = max(offset + first.start - AROUND_PART_MS, 0), offset + last.end + AROUND_PART_MS
        alone = aligner.align(sound[begin * SAMPLE_RATE // 1000 : end * SAMPLE_RATE // 1000], words)
        found_alone.append(0 if alone is None else min(alone.confidence, found.confidence))
    return found_alone


def _at_edge(found: Alignment, job: _Job) -> bool:
    """Whether the words begin or end where the sound is cut off, though there is more of it."""
    begins = found.words[0].start <= AT_EDGE_MS and job.far.start < job.near.start
    return begins or (job.near.length - found.words[-1].end <= AT_EDGE_MS and job.near.end < job.far.end)


def _spoken_words(job: _Job, found: Alignment | None, start: int, by_cue: Sequence[int]) -> Iterator[CueWords]:
    at = 0
    for cue, words, confidence in zip(job.cues, job.words, by_cue, strict=True):
        spans = found.words[at : at + len(words)] if found is not None and confidence >= KNOWN else ()
        at += len(words)
        yield CueWords(
            cue.id,
            cue.text,
            cue.start,
            cue.end,
            tuple(
                SpokenWord(word.text, start + span.start, start + span.end, confidence // (2 if span.squeezed else 1))
                for word, span in zip(words, spans, strict=False)
            ),
        )
