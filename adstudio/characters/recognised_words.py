"""Words that another program recognised in a film's sound, laid on the words of its cues.

The cue's own words are kept: each gets the time of the recognised word that it is (paper, appendix “Subtitle
splitting”: an exact match after normalisation); those between two that match share the time between them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from adstudio.characters.pronunciation import CueWord, cue_words
from adstudio.characters.word_times import FAR_MS, FoundWords, spoken
from adstudio.core.script import Cue
from adstudio.core.word_times import CueWords, SpokenWord

LEAST_SHARE = 0.5
"""The share of a cue's words that must be recognised; with less, its words are not known."""
ENOUGH_CUES = 8
UNRATED = 800
"""Confidence (thousandths) of a recognised word that its program did not rate."""
BETWEEN = 400
"""Confidence of a word that shares the time between two that were recognised."""


def words_as_recognised(cues: Sequence[Cue], words: Sequence[SpokenWord], language: str) -> FoundWords:
    """The words of cues by recognised ones, in order of time; `other_sound` where hardly any cue has them, or none."""
    starts = [word.start for word in words]
    tokens = ["".join(token for each in cue_words(word.text, language) for token in each.tokens) for word in words]
    found: list[CueWords] = []
    for cue in cues:
        own = cue_words(cue.text, language) if spoken(cue) else ()
        if not own:
            continue
        first, last = bisect_left(starts, cue.start - FAR_MS), bisect_left(starts, cue.end + FAR_MS)
        timed = tuple(_laid(own, words[first:last], tokens[first:last]))
        found.append(CueWords(cue.id, cue.text, cue.start, cue.end, timed))
    unknown = tuple(each.id for each in found if not each.words)
    enough = len(found) >= ENOUGH_CUES or len(unknown) == len(found)
    other = enough and 4 * len(unknown) > 3 * len(found)
    if other:
        found = [CueWords(each.id, each.text, each.start, each.end) for each in found]
    return FoundWords(tuple(found), tuple(each.id for each in found if not each.words), other)


def _laid(own: Sequence[CueWord], near: Sequence[SpokenWord], tokens: Sequence[str]) -> Iterator[SpokenWord]:
    """The cue's own words with their times; none where too few of them were recognised."""
    wanted = ["".join(word.tokens) for word in own]
    blocks = SequenceMatcher(None, wanted, tokens, autojunk=False).get_matching_blocks()
    pairs = {block.a + k: near[block.b + k] for block in blocks for k in range(block.size)}
    if len(pairs) < LEAST_SHARE * len(own):
        return
    place = 0
    while place < len(own):
        if place in pairs:
            match = pairs[place]
            yield SpokenWord(
                own[place].text, match.start, match.end, UNRATED if match.confidence is None else match.confidence
            )
            place += 1
            continue
        after = next((k for k in range(place, len(own)) if k in pairs), len(own))
        start = pairs[place - 1].end if place else pairs[after].start
        end = max(pairs[after].start if after < len(own) else start, start)
        for k in range(place, after):
            edges = [start + (end - start) * (k - place + more) // (after - place) for more in (0, 1)]
            yield SpokenWord(own[k].text, edges[0], edges[1], BETWEEN)
        place = after
