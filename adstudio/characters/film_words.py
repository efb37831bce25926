"""The words of a film's dialogue, found in its sound by an engine in a process of its own, and subtitles at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from adstudio.characters.alignment_process import AlignmentProcess
from adstudio.characters.word_times import FoundWords, OnShare, find_words, split_at_words
from adstudio.core.script import Cue
from adstudio.core.word_times import CueWords
from adstudio.media.silero import Silero


def words_in_film(
    video: Path,
    track: int | None,
    cues: Sequence[Cue],
    language: str,
    *,
    known: Mapping[str, CueWords] | None = None,
    end: int | None = None,
    on_share: OnShare | None = None,
) -> FoundWords:
    """The words of cues in the sound of their film; arguments and errors as of `find_words`."""
    with AlignmentProcess(language) as aligner:
        return find_words(
            aligner, video, track, cues, language, known=known, end=end, detector=Silero(), on_share=on_share
        )


def dialogue_with_words(cues: Sequence[Cue], found: FoundWords) -> tuple[tuple[Cue, ...], tuple[CueWords, ...]]:
    """Cues whose split subtitles change at their words, and the words of all; those of another sound are not used."""
    if found.other_sound:
        return tuple(cues), ()
    splits = split_at_words(cues, {each.id: each for each in found.words})
    times = {cue.id: splits.get(cue.id, (cue.start, cue.end)) for cue in cues}
    retimed = tuple(replace(cue, start=times[cue.id][0], end=times[cue.id][1]) for cue in cues)
    words = tuple(replace(each, start=times[each.id][0], end=times[each.id][1]) for each in found.words)
    return retimed, words
