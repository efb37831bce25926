"""Speeches that the film has nearby, but in another order.

An alignment keeps the order of both sides, so of two speeches that changed places it finds one. The other is looked
for among the film's words that are still free, no more than `AROUND` words outside the place where it should be; it is
taken if its longest run of words is not likely to be there by accident (see `trust`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from adstudio.drafting.text.align.spoken_words import FilmWord, ScreenplayWord
from adstudio.drafting.text.align.trusted_matches import Evidence, Matches, is_coincidence

AROUND = 120
"""Words: about 45 seconds of talk."""

_LONGEST = 400
"""Words of a speech that are looked for, and of the film where they should be: beyond that nothing is nearby."""


def reordered_matches(
    speech_words: Sequence[ScreenplayWord], cue_words: Sequence[FilmWord], matches: Matches, evidence: Evidence
) -> Matches:
    """More matches, in the order of the screenplay, for speeches without any; they cross those that are known."""
    if not matches:
        return ()
    lefts = [i for i, _ in matches]
    taken = {j for _, j in matches}
    found: list[tuple[int, int]] = []
    for start, end in _speeches(speech_words):
        k = bisect_left(lefts, start)
        if (k < len(lefts) and lefts[k] < end) or end - start > _LONGEST:
            continue
        first = max(0, (matches[k - 1][1] if k else 0) - AROUND)
        last = min(len(cue_words), (matches[k][1] if k < len(matches) else len(cue_words)) + AROUND)
        if last - first > 2 * AROUND + _LONGEST:
            continue
        words = [word.text for word in speech_words[start:end]]
        # A word that is taken is no text at all, so it matches nothing.
        room = ["" if j in taken else cue_words[j].text for j in range(first, last)]
        run = SequenceMatcher(None, words, room, autojunk=False).find_longest_match()
        pairs = [(start + run.a + n, first + run.b + n) for n in range(run.size)]
        if pairs and not is_coincidence(evidence.of(pairs), len(words) - run.size + 1, len(room) - run.size + 1):
            found += pairs
            taken |= {j for _, j in pairs}
    return tuple(found)


def _speeches(speech_words: Sequence[ScreenplayWord]) -> Iterator[tuple[int, int]]:
    """The first word of each speech and the one after its last."""
    at = 0
    for _, words in groupby(speech_words, key=lambda word: (word.scene, word.part)):
        start, at = at, at + sum(1 for _ in words)
        yield start, at
