"""The word times that were found for a film's dialogue, and what follows from them for split cues, as one step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adstudio.core.script import Cue, Script
from adstudio.core.steps import Step
from adstudio.core.word_times import CueWords
from adstudio.editing.change import collection_steps, one_step, timed_steps

FIND_WORDS = "Find words in the sound"


def set_word_times(script: Script, found: Sequence[CueWords], splits: Mapping[str, tuple[int, int]]) -> Step | None:
    """Keep the words of cues in place of those known before, and give the parts of split subtitles new times.

    `splits` are the new times (start, end; ms) of cues by their ids. Words of cues that are gone, or have changed since
    they were looked for, are left out.
    """
    cues = {cue.id: cue for cue in script.cues}
    fresh = [
        each
        for each in found
        if (cue := cues.get(each.id)) is not None
        and (cue.text, cue.start, cue.end) == (each.text, each.start, each.end)
    ]
    moved: dict[str, Cue | None] = {}
    words: list[CueWords] = []
    for each in fresh:
        start, end = splits.get(each.id, (each.start, each.end))
        if each.id in splits:
            moved[each.id] = replace(cues[each.id], start=start, end=end)
        words.append(replace(each, start=start, end=end))
    steps = timed_steps(script.cues, moved) + collection_steps(script.word_times, words)
    return one_step(FIND_WORDS, steps)
