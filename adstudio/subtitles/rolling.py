"""Rolling captions, as live captions and YouTube write them: each cue repeats the last lines of the one before.

What is said counts once: a line where it first appears, and words that are added to a line together with that line.
Ordinary subtitles also repeat a line now and then, so that a repetition counts as rolling only in a run of cues that
twice adds to what it repeats, or where at least half of the cues repeat and several of them add.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.core.words import spoken_ms
from adstudio.subtitles.parsed_file import SubtitleCue, Voice

CONTIGUOUS_MS = 100
"""Milliseconds between two cues of which the second goes on showing the first."""
WORDS_PER_MINUTE = 160
"""The assumed speaking rate of a line that is shown longer than in its own cue."""
ADDITIONS = 2
"""Cues of a run that add to what they repeat, for the run to be rolling."""

LINES_AT_MOST = 20
"""Lines that a cue repeats: no screen shows more."""


class _Repeat(NamedTuple):
    """How many of a cue's first lines are the last of the cue before, and whether words are added to the last one."""

    lines: int
    goes_on: bool
    adds: bool


def counted_once(cues: Sequence[SubtitleCue]) -> tuple[tuple[SubtitleCue, ...], tuple[Oddity, ...]]:
    """The cues without what they repeat and without empty ones, and notes; all cues where nothing is repeated.

    A cue that only repeats makes the one before as long as its words take, or by itself where it is very short.
    """
    shown = [cue for cue in cues if cue.text]
    lines = [[_plain(line) for line in cue.text.split("\n")] for cue in shown]
    repeats = [_repeat(shown[k - 1], shown[k], lines[k - 1], lines[k]) if k else None for k in range(len(shown))]
    rolling = _rolling(repeats)
    twice = {k for k in range(1, len(shown)) if _same(shown[k - 1], shown[k])}
    if not rolling and not twice:
        return tuple(cues), ()
    found: list[SubtitleCue] = []
    for k, cue in enumerate(shown):
        repeat = repeats[k] if k in rolling else None
        if k in twice:
            continue
        if repeat is None:
            found.append(cue)
        elif repeat.goes_on:
            found[-1] = _continued(found[-1], cue, repeat.lines)
        elif repeat.adds:
            found.append(_without_lines(cue, repeat.lines))
        else:
            found[-1] = _prolonged(found[-1], cue)
    return tuple(found), tuple(_notes(shown, rolling, twice))


def _notes(cues: Sequence[SubtitleCue], rolling: set[int], twice: set[int]) -> list[Oddity]:
    notes: list[Oddity] = []
    repeating = rolling - twice
    if repeating:
        what = f"{len(repeating):,} of {len(cues):,} cues repeat lines of the one before, which count once"
        notes.append(Oddity(f"rolling captions: {what}", cues[min(repeating)].line))
    if twice:
        count = "1 cue is" if len(twice) == 1 else f"{len(twice):,} cues are"
        notes.append(Oddity(f"{count} in the file twice, with the same times, and count once", cues[min(twice)].line))
    return notes


def _same(before: SubtitleCue, cue: SubtitleCue) -> bool:
    return (before.start, before.end, before.text) == (cue.start, cue.end, cue.text)


def _plain(line: str) -> str:
    """A line as it is compared: captions that are still being corrected change capitals and the last mark."""
    return " ".join(line.split()).casefold().rstrip(".,;:!?\u2026")


def _repeat(before: SubtitleCue, cue: SubtitleCue, earlier: Sequence[str], lines: Sequence[str]) -> _Repeat | None:
    contiguous = cue.start <= before.end + CONTIGUOUS_MS
    if lines[0] not in earlier and not (contiguous and any(map(lines[0].startswith, earlier))):
        return None
    for count in range(min(len(earlier), len(lines), LINES_AT_MOST), 0, -1):
        last = earlier[-count:]
        if last == lines[:count]:
            adds = count < len(lines)
            return _Repeat(count, goes_on=False, adds=adds) if adds or contiguous else None
        if contiguous and last[:-1] == lines[: count - 1] and _goes_on(last[-1], lines[count - 1]):
            return _Repeat(count, goes_on=True, adds=True)
    return None


def _goes_on(line: str, longer: str) -> bool:
    """Whether a line, which is not empty, is the beginning of a longer one and ends with a word of it."""
    return 0 < len(line) < len(longer) and longer.startswith(line) and not longer[len(line)].isalnum()


def _rolling(repeats: Sequence[_Repeat | None]) -> set[int]:
    """The cues of which the repetitions are those of rolling captions."""
    found: set[int] = set()
    repeating: set[int] = set()
    run: list[int] = []
    additions = in_run = 0
    for k, repeat in enumerate([*repeats, None]):
        if repeat is not None:
            run.append(k)
            in_run += repeat.adds
            continue
        repeating.update(run)
        additions += in_run
        if in_run >= ADDITIONS:
            found.update(run)
        run, in_run = [], 0
    enough = bool(found) or additions > ADDITIONS
    return repeating if enough and 2 * len(repeating) >= len(repeats) - 1 else found


def _without_lines(cue: SubtitleCue, count: int) -> SubtitleCue:
    """A cue without its first lines."""
    lines = cue.text.split("\n")
    cut = sum(len(line) + 1 for line in lines[:count])
    speaking = [voice for voice in cue.voices if voice.at <= cut][-1:]
    later = [voice for voice in cue.voices if voice.at > cut]
    voices = tuple(Voice(voice.name, max(0, voice.at - cut)) for voice in (*speaking, *later))
    return cue._replace(text="\n".join(lines[count:]), voices=voices)


def _continued(before: SubtitleCue, cue: SubtitleCue, count: int) -> SubtitleCue:
    """A cue whose last line goes on in the next one, which repeats `count` lines."""
    head, _, _ = before.text.rpartition("\n")
    rest = "\n".join(cue.text.split("\n")[count - 1 :])
    return before._replace(text=f"{head}\n{rest}" if head else rest, end=max(before.end, cue.end))


def _prolonged(before: SubtitleCue, cue: SubtitleCue) -> SubtitleCue:
    """A cue whose words are shown again by the next one."""
    end = cue.end
    if cue.end - cue.start >= CONTIGUOUS_MS:
        end = min(end, before.start + spoken_ms(before.text, WORDS_PER_MINUTE))
    return before._replace(end=max(before.end, end))
