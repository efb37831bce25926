"""Runs of a film that the dialogue of both cuts shows: cues that say the same, a fixed time apart.

The words of both are aligned, first in order; what is left over, as the words of a scene that was moved, is aligned
again. Only matches that are no coincidence count, so that a few reworded cues do no harm.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import median

from adstudio.conform.evidence import TextMatch
from adstudio.conform.runs import Run
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.drafting.text.align.edit_distance import aligned
from adstudio.drafting.text.align.spoken_words import FilmWord, film_words
from adstudio.drafting.text.align.trusted_matches import Evidence, trusted_matches
from adstudio.gaps.gaps import spoken_until
from adstudio.gaps.subtitle_sync import RATIOS

PASSES = 12
"""How often words that are left over are aligned again: for so many scenes moved past one another."""
SAME_MS = 150
"""Cues of one run start this near to the run's offset; what subtitlers change by less is no cut."""
RETIMED_MS, RETIMED_CUES = 2000, 3
"""A cue that is off by less was retimed, as were a few between others that are not off."""
SAME_WORDS = 0.6
"""The share of both cues' words that must match if their first words do not."""
LONE_WORDS = 4
"""A cue alone with its offset has at least so many matching words."""
DISTANCES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""Pairs of cues so many places apart are compared to find the speed."""
AGREE_MS = 60
BETTER, LEAST_BETTER = 1.1, 2.0
"""How much more pairs must agree at another speed, by a factor and a number, as a few always do by chance."""
REWORDED_MS = 300
"""Cues that have no word in common are the same, reworded, if they start as near to where they would be."""


@dataclass(frozen=True)
class _Anchor:
    """A cue of the former cut with its start in the new one."""

    cue: int
    new_cue: int
    old: Span
    new_start: int
    words: int


def match_text(old: Sequence[Cue], new: Sequence[Cue]) -> TextMatch:
    """Compare the dialogue of two cuts.

    Raises:
        BadInputError: for more words than one film can have.
    """
    before, after = film_words(old), film_words(new)
    pairs = list(_same_words(before, after))
    anchors = _anchors(old, new, before, after, pairs)
    ratio = _ratio(anchors)
    groups = _split(_without_retimed(_groups(anchors, ratio)))
    runs = tuple(_run(group, _words_of(before)) for group in groups)
    left = {word.cue for word in before} - {anchor.cue for anchor in anchors}
    come = {word.cue for word in after} - {after[j].cue for _, j in pairs}
    only_old, only_new = _alone([old[k] for k in sorted(left)], [new[k] for k in sorted(come)], runs, ratio)
    return TextMatch(runs, ratio, len(pairs), len(before), len(after), only_old, only_new, len(anchors))


def _same_words(before: Sequence[FilmWord], after: Sequence[FilmWord]) -> Iterator[tuple[int, int]]:
    """The places of words that are the same speech."""
    left, right = list(range(len(before))), list(range(len(after)))
    for _ in range(PASSES):
        one, other = [before[i].text for i in left], [after[j].text for j in right]
        if not one or not other:
            return
        found = trusted_matches(aligned(one, other).matches, len(one), len(other), Evidence(one, other))
        if not found:
            return
        yield from ((left[i], right[j]) for i, j in found)
        used, there = {i for i, _ in found}, {j for _, j in found}
        left = [place for i, place in enumerate(left) if i not in used]
        right = [place for j, place in enumerate(right) if j not in there]


def _anchors(
    old: Sequence[Cue],
    new: Sequence[Cue],
    before: Sequence[FilmWord],
    after: Sequence[FilmWord],
    pairs: Sequence[tuple[int, int]],
) -> list[_Anchor]:
    """One for each cue whose start is in the new cut, in order of time."""
    sizes, new_sizes = _words_of(before), _words_of(after)
    first = {word.cue: place for place, word in reversed(list(enumerate(before)))}
    new_first = {word.cue: place for place, word in reversed(list(enumerate(after)))}
    common: dict[tuple[int, int], int] = {}
    offset: dict[tuple[int, int], int] = {}
    for i, j in pairs:
        cues = before[i].cue, after[j].cue
        common[cues] = common.get(cues, 0) + 1
        # Which word of the one cue is which of the other: both start alike if the places are the same.
        offset.setdefault(cues, (i - first[cues[0]]) - (j - new_first[cues[1]]))
    best: dict[int, tuple[bool, int, _Anchor]] = {}
    for (one, other), count in common.items():
        opens = offset[one, other] == 0
        alike = count >= SAME_WORDS * max(sizes[one], new_sizes[other]) and abs(offset[one, other]) <= 1
        if not opens and not alike:
            continue
        known = best.get(one)
        if known is None or (opens, count) > known[:2]:
            best[one] = opens, count, _Anchor(one, other, _span(old[one]), new[other].start, count)
    return sorted((anchor for *_, anchor in best.values()), key=lambda anchor: (anchor.old.start, anchor.cue))


def _words_of(words: Sequence[FilmWord]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for word in words:
        counts[word.cue] = counts.get(word.cue, 0) + 1
    return counts


def _ratio(anchors: Sequence[_Anchor]) -> Fraction:
    """The speed at which most cues, near and far apart, have the same offset; 1 if another one is no better."""

    def agreeing(ratio: Fraction) -> float:
        offsets = [anchor.new_start - float(anchor.old.start * ratio) for anchor in anchors]
        return sum(
            max(0.0, 1 - abs(later - earlier) / AGREE_MS)
            for distance in DISTANCES
            for earlier, later in zip(offsets, offsets[distance:], strict=False)
        )

    best = max(RATIOS, key=agreeing)
    usual = Fraction(1)
    return best if agreeing(best) > BETTER * agreeing(usual) + LEAST_BETTER else usual


def _groups(anchors: Sequence[_Anchor], ratio: Fraction) -> list[list[tuple[_Anchor, float]]]:
    """Anchors that follow one another at the same offset, each with its own."""
    groups: list[list[tuple[_Anchor, float]]] = []
    for anchor in anchors:
        offset = anchor.new_start - float(anchor.old.start * ratio)
        if groups and abs(offset - median(each for _, each in groups[-1][-5:])) <= SAME_MS:
            groups[-1].append((anchor, offset))
        else:
            groups.append([(anchor, offset)])
    return groups


def _run(group: Sequence[tuple[_Anchor, float]], sizes: dict[int, int]) -> Run:
    members = [anchor for anchor, _ in group]
    words = sum(anchor.words for anchor in members)
    spoken = sum(sizes.get(cue, 0) for cue in range(members[0].cue, members[-1].cue + 1))
    end = max(anchor.old.end for anchor in members)
    offset = median(offset for _, offset in group)
    return Run(Span(members[0].old.start, end), offset, round(1000 * min(1.0, words / max(1, spoken))))


def _without_retimed(groups: Sequence[list[tuple[_Anchor, float]]]) -> list[list[tuple[_Anchor, float]]]:
    """The groups without cues that were only retimed; groups of the same offset around those are one."""
    found: list[list[tuple[_Anchor, float]]] = []
    for place, group in enumerate(groups):
        beside = [*(found[-1:] or groups[:place][-1:]), *groups[place + 1 : place + 2]]
        off = max((abs(group[0][1] - near[-1][1]) for near in beside), default=RETIMED_MS)
        back = [each[0][1] for each in groups[place + 1 : place + 1 + RETIMED_CUES]]
        between = bool(found) and any(abs(offset - found[-1][-1][1]) <= SAME_MS for offset in back)
        if off < RETIMED_MS and (len(group) == 1 or (len(group) <= RETIMED_CUES and between)):
            continue
        if len(group) == 1 and len(groups) > 1 and group[0][0].words < LONE_WORDS:
            continue
        if found and abs(found[-1][-1][1] - group[0][1]) <= SAME_MS:
            found[-1] += group
        else:
            found.append(list(group))
    return found


def _split(groups: Sequence[list[tuple[_Anchor, float]]]) -> list[list[tuple[_Anchor, float]]]:
    """The groups, cut in two wherever the new cut has cues of another one between two of theirs."""
    found: list[list[tuple[_Anchor, float]]] = []
    order = sorted((anchor.new_start, number) for number, group in enumerate(groups) for anchor, _ in group)
    following = {start: number for (start, _), (_, number) in pairwise(order)}
    for number, group in enumerate(groups):
        part: list[tuple[_Anchor, float]] = []
        for anchor, offset in group:
            if part and following.get(part[-1][0].new_start, number) != number:
                found.append(part)
                part = []
            part.append((anchor, offset))
        found.append(part)
    return found


def _alone(
    old: Sequence[Cue], new: Sequence[Cue], runs: Sequence[Run], ratio: Fraction
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Of cues in no run the spans of those that only one cut has; what has one in its place was reworded."""
    new = sorted(new, key=lambda cue: cue.start)
    starts = [cue.start for cue in new]
    only_old: list[Span] = []
    reworded: set[int] = set()
    for cue in old:
        near = min(runs, key=lambda run: max(run.old.start - cue.start, cue.start - run.old.end), default=None)
        if near is None:
            only_old.append(_span(cue))
            continue
        wanted = float(cue.start * ratio) + near.offset
        found = range(bisect_left(starts, wanted - REWORDED_MS), bisect_right(starts, wanted + REWORDED_MS))
        reworded.update(found)
        if not found:
            only_old.append(_span(cue))
    only_new = [_span(cue) for place, cue in enumerate(new) if place not in reworded]
    return tuple(sorted(only_old)), tuple(sorted(only_new))


def _span(cue: Cue) -> Span:
    return Span(cue.start, max(cue.start, spoken_until(cue)))
