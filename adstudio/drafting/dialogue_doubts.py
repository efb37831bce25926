"""What is doubtful about a film's dialogue before its lines are drafted, and whether its words are found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adstudio.characters.film_words import dialogue_with_words, words_in_film
from adstudio.characters.word_messages import OTHER_SOUND
from adstudio.core.errors import Oddity
from adstudio.core.film import Film
from adstudio.core.progress import OnProgress, Stage
from adstudio.core.script import Cue
from adstudio.core.timebase import clock
from adstudio.core.word_times import CueWords
from adstudio.drafting.request import Sources, finds_words
from adstudio.drafting.text.film_drafting import stage_progress
from adstudio.media.probe import Probe

_LEAST_PAST, _SHARE_PAST = 3, 0.03
"""Fewer cues past the film's end are credits of the subtitles' makers."""
_ALL_FREE = "{}, so the whole film is treated as free for narration"


def about_cues_past_the_end(cues: Sequence[Cue], end: int | None) -> Iterator[Oddity]:
    """A doubt about subtitles of which a part lies past the film's end (ms)."""
    past = sum(cue.start >= end for cue in cues) if end else 0
    if end and past >= max(_LEAST_PAST, _SHARE_PAST * len(cues)):
        last = max(cue.end for cue in cues)
        yield Oddity(
            f"{past:,} of its {len(cues):,} cues lie after the film’s end ({clock(end)[:8]}; the last one ends at "
            f"{clock(last)[:8]}): it may be of another cut, or count from another start"
        )


def about_listening(probed: Probe, cues: Sequence[Cue]) -> Oddity:
    """What is uncertain about dialogue that was detected in the film's sound."""
    if not probed.has_audio:
        return Oddity(
            "the film has no sound and no subtitles are given, so the whole film is treated as free for narration"
        )
    if not cues:
        return Oddity(f"{_ALL_FREE.format('no speech is heard in the film')}: check that its sound is there")
    return Oddity(
        "no subtitles are given, so the gaps come from the speech that is heard; its words are not known, and shouts, "
        "song and voices under loud music may be missed: listen before you use a gap"
    )


def words_of_dialogue(
    sources: Sources, film: Film, cues: tuple[Cue, ...], progress: OnProgress
) -> tuple[tuple[Cue, ...], tuple[CueWords, ...], tuple[Oddity, ...]]:
    """The cues, their words, and a doubt: words are found where dialogue counts by them, and subtitles change at them.

    Raises:
        BadInputError: where the film has no sound.
        OutsideFailureError: where the engine is not installed.
    """
    if sources.video is None or not finds_words(sources):
        return cues, (), ()

    def report(share: float) -> None:
        progress(stage_progress(Stage.FINDING_WORDS, share))

    report(0)
    found = words_in_film(sources.video, sources.sound_track, cues, film.language, end=film.end, on_share=report)
    doubts = (Oddity(f"{OTHER_SOUND}, and gaps go by the subtitles’ times"),) if found.other_sound else ()
    return *dialogue_with_words(cues, found), doubts
