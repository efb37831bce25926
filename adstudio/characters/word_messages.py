"""What was found of the words of a film's dialogue, in words and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adstudio.characters.word_times import ContradictedCue, Departure, FoundWords
from adstudio.core.counts import counted
from adstudio.core.film import Film
from adstudio.core.script import Cue
from adstudio.core.timebase import clock, seconds

FORMAT = "adstudio-words/1"
OTHER_SOUND = (
    "the sound does not say what the subtitles say: it is probably in another language, of another cut or film, out"
    " of sync, or covered by music; no word times were kept"
)
NO_WORDS = "no word of the subtitles was found in the sound"
OTHER_WORDS = (
    "does not say what the subtitles say: it is probably in another language, of another cut or film, or out of sync;"
    " no word times were kept"
)
"""The same of a file of recognised words, whose name goes before."""
_QUOTED = 40
_DEPARTURES = {
    Departure.STARTS_LATE: "starts {} after its first word",
    Departure.STARTS_EARLY: "starts {} before its first word",
    Departure.ENDS_EARLY: "ends {} before its last word does",
}


def contradiction_message(cue: Cue, found: ContradictedCue) -> str:
    """How the sound contradicts a cue: `“Good evening” starts 0.40 s after its first word`."""
    text = " ".join(cue.text.split())
    quoted = text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"
    return f"“{quoted}” {_DEPARTURES[found.departure].format(f'{found.by / 1000:.2f} s')}"


def words_summary(found: FoundWords, splits: int, *, recognised: bool = False) -> str:
    """How many words of how many cues were found in the sound, or in a file of `recognised` ones, and what was not."""
    known = [each for each in found.words if each.words]
    words = sum(len(each.words) for each in known)
    where = "file" if recognised else "sound"
    parts = [f"{counted(words, 'word')} of {counted(len(known), 'cue')} found in the {where}"]
    past = len(found.past_sound)
    if unknown := len(found.unknown) - past:
        why = "as the file lacks most of their words" if recognised else "as under music or noise"
        parts.append(f"{counted(unknown, 'cue')} not known, {why}")
    if past and found.sound_end is not None:
        parts.append(f"{counted(past, 'cue')} past the end of the film’s sound, at {clock(found.sound_end)}")
    if splits:
        parts.append(f"{counted(splits, 'cue')} of several speakers retimed at their words")
    return "; ".join(parts)


def words_json(
    film: Film,
    found: FoundWords,
    contradictions: Sequence[ContradictedCue],
    splits: Mapping[str, tuple[int, int]],
) -> dict[str, object]:
    """All that was found; times in seconds, confidences from 0 to 1."""
    return {
        "format": FORMAT,
        "film": film.title,
        "other_sound": found.other_sound,
        "cues": [
            {
                "cue": each.id,
                "words": [
                    {
                        "text": word.text,
                        "start": seconds(word.start),
                        "end": seconds(word.end),
                        "confidence": None if word.confidence is None else word.confidence / 1000,
                    }
                    for word in each.words
                ],
            }
            for each in found.words
        ],
        "unknown": list(found.unknown),
        "sound_end": None if found.sound_end is None else seconds(found.sound_end),
        "contradicted": [
            {
                "cue": each.cue,
                "how": each.departure.value,
                "by": seconds(each.by),
                "spoken": [seconds(each.spoken.start), seconds(each.spoken.end)],
            }
            for each in contradictions
        ],
        "retimed": {name: [seconds(start), seconds(end)] for name, (start, end) in splits.items()},
    }
