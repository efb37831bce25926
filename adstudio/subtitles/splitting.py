"""Splitting cues with several speakers, one per line, into a cue for each speaker.

Paper, appendix “Subtitle splitting”: if word times are known, the last word of a line or the first of the next gives
the time of the change; the parts are at least 0.024 s apart.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from adstudio.core.words import count_words, words

SPEAKER_PAUSE_MS = 24
"""Milliseconds between the parts of a split cue: about one frame."""

HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_HYPHENED = re.compile(rf"\s*[{re.escape(HYPHENS)}]{{1,2}}\s*(?=\S)")
_MARGIN_MS = 500


@dataclass(frozen=True, slots=True)
class TimedWord:
    """A word found by speech recognition, and its time in milliseconds."""

    text: str
    start: int
    end: int


def hyphen_parts(text: str) -> list[str]:
    """Each speaker's text, if at least two lines including the first start with a hyphen; else one part.

    A line without a hyphen continues the previous line.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    marks = [_HYPHENED.match(line) for line in lines]
    if not marks or marks[0] is None or sum(mark is not None for mark in marks) < 2:
        return [text]
    parts: list[str] = []
    for line, mark in zip(lines, marks, strict=True):
        if mark is None:
            parts[-1] += "\n" + line.strip()
        else:
            parts.append(line[mark.end() :].strip())
    return parts


def part_spans(
    start: int, end: int, parts: Sequence[str], recognised: Sequence[TimedWord] = ()
) -> list[tuple[int, int]]:
    """When each part of a cue is spoken: by recognised words, else in proportion to its word count.

    Empty if the cue is too short. Parts have positive length and do not overlap.
    """
    count = len(parts)
    gap = min(SPEAKER_PAUSE_MS, (end - start) // (2 * count)) if end > start else 0
    if end - start - gap * (count - 1) < count:
        return []
    cuts = _in_proportion(start, end, parts, gap)
    near = _words_near(recognised, start, end)
    if near:
        cuts = _by_words(start, end, parts, near, cuts, gap)
    starts = [start, *(after for _, after in cuts)]
    ends = [*(before for before, _ in cuts), end]
    return list(zip(starts, ends, strict=True))


Cut = tuple[int, int]
"""The end of one part and the start of the next."""


def _in_proportion(start: int, end: int, parts: Sequence[str], gap: int) -> list[Cut]:
    weights = [count_words(part) for part in parts]
    if not all(weights):
        weights = [max(1, len("".join(part.split()))) for part in parts]
    free = end - start - gap * (len(parts) - 1)
    # Every part gets a millisecond; the rest is shared in proportion.
    total, shared = sum(weights), free - len(parts)
    cuts: list[Cut] = []
    before = 0
    for k, weight in enumerate(weights[:-1]):
        before += weight
        at = start + k * gap + (k + 1) + shared * before // total
        cuts.append((at, at + gap))
    return cuts


def _words_near(recognised: Sequence[TimedWord], start: int, end: int) -> list[TimedWord]:
    first = bisect_left(recognised, start - _MARGIN_MS, key=lambda word: word.start)
    near: list[TimedWord] = []
    for word in recognised[first:]:
        if word.start > end + _MARGIN_MS:
            break
        near.append(word)
    return near


def _by_words(
    start: int, end: int, parts: Sequence[str], near: Sequence[TimedWord], guesses: list[Cut], gap: int
) -> list[Cut]:
    """The cuts given by recognised words; the others stay in proportion between their neighbours."""
    tokens = [normalised(word.text) for word in near]
    fixed: dict[int, Cut] = {}
    floor = start
    for k, (before, after) in enumerate(pairwise(parts)):
        cut = _cut_between(before, after, near, tokens, guesses[k][0], gap)
        if cut is None:
            continue
        ceiling = end - (len(parts) - 1 - k) - gap * (len(parts) - 2 - k)
        if floor < cut[0] and cut[1] < ceiling:
            fixed[k] = cut
            floor = cut[1]
    cuts: list[Cut] = []
    begin, first = start, 0
    for k in [*sorted(fixed), len(parts) - 1]:
        stop = fixed[k][0] if k in fixed else end
        if k > first:
            if stop - begin - gap * (k - first) < k - first + 1:
                return guesses
            cuts += _in_proportion(begin, stop, parts[first : k + 1], gap)
        if k in fixed:
            cuts.append(fixed[k])
            begin, first = fixed[k][1], k + 1
    return cuts


def _cut_between(
    before: str, after: str, near: Sequence[TimedWord], tokens: Sequence[str], guess: int, gap: int
) -> Cut | None:
    last = normalised((words(before) or [""])[-1])
    first = normalised((words(after) or [""])[0])
    together = [k for k in range(len(tokens) - 1) if last and first and tokens[k] == last and tokens[k + 1] == first]
    if together:
        k = min(together, key=lambda k: abs(near[k].end - guess))
        return _apart(near[k].end, near[k + 1].start, gap)
    ends = [word.end for word, token in zip(near, tokens, strict=True) if last and token == last]
    if ends:
        at = min(ends, key=lambda at: abs(at - guess))
        return at, at + gap
    begins = [word.start for word, token in zip(near, tokens, strict=True) if first and token == first]
    if begins:
        at = min(begins, key=lambda at: abs(at - guess))
        return at - gap, at
    return None


def _apart(before: int, after: int, gap: int) -> Cut:
    if after - before >= gap:
        return before, after
    middle = (before + after) // 2
    return middle - gap // 2, middle - gap // 2 + gap


def normalised(word: str) -> str:
    """A word in the form used for comparison: NFKC, case-folded, letters and digits only."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    return "".join(char for char in folded if char.isalnum())
