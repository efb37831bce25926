"""Dialogue as it is spoken: cues from their first word to their last, where the times of their words are trusted.

Subtitles are held longer than their words, so that they can be read; what they are held longer is free for narration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from adstudio.core.script import Cue, Script
from adstudio.core.word_times import CueWords

TRUSTED = 600
"""The confidence (thousandths) from which the edges of a cue go by its first and last word."""
EDGE_MS = 150
"""Time that a cue keeps beside its words, where it has any.

In the sample film, no word reaches beyond it; with music as loud as its speech, one cue in fifteen does, by 0.1 s, for
which houses have margins.
"""


def cues_as_spoken(script: Script) -> tuple[Cue, ...]:
    """The cues of a script with the times at which they count as dialogue by its settings, in the same order."""
    return at_word_edges(script.cues, script.words_by_cue) if script.settings.gaps.word_edges else script.cues


def at_word_edges(cues: Iterable[Cue], words: Mapping[str, CueWords]) -> tuple[Cue, ...]:
    """Cues from their first word to their last; `words`, by the id of the cue, must not be stale.

    A cue whose words are not known, or whose first or last is not sure, keeps its times; so do parts of it that are
    less than `EDGE_MS` from a word. No cue ever counts for less time than its words.
    """
    return tuple(_at_word_edges(cue, words.get(cue.id)) for cue in cues)


def _at_word_edges(cue: Cue, words: CueWords | None) -> Cue:
    if words is None or not words.words:
        return cue
    first, last = words.words[0], words.words[-1]
    if min(first.confidence or 0, last.confidence or 0) < TRUSTED:
        return cue
    start = min(word.start for word in words.words)
    end = max(word.end for word in words.words)
    if end <= cue.start or start >= cue.end:
        # Words and cue contradict each other: either may be wrong.
        return replace(cue, start=min(start, cue.start), end=max(end, cue.end))
    return replace(cue, start=min(start, max(cue.start, start - EDGE_MS)), end=max(end, min(cue.end, end + EDGE_MS)))
