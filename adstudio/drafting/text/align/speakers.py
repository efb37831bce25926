"""Who speaks: a screenplay's names passed on to the film's cues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from adstudio.core.script import Cue
from adstudio.drafting.text.align.spoken_words import FilmWord, ScreenplayWord
from adstudio.drafting.text.align.trusted_matches import Matches
from adstudio.screenplay.parsed_screenplay import Screenplay, Speech


def speakers(
    screenplay: Screenplay,
    cues: Sequence[Cue],
    speech_words: Sequence[ScreenplayWord],
    cue_words: Sequence[FilmWord],
    matches: Matches,
) -> tuple[tuple[str, str], ...]:
    """The id of each cue that has no name and the screenplay's name for who says it, in the order of the cues.

    A name is passed on if at least half of the cue's words are trusted matches in speeches under that name, and more
    than under any other. Names that the subtitles give are never touched.
    """
    words = Counter(word.cue for word in cue_words)
    names: dict[int, Counter[str]] = {}
    for i, j in matches:
        part = screenplay.scenes[speech_words[i].scene].parts[speech_words[i].part]
        if isinstance(part, Speech) and part.speaker.strip():
            names.setdefault(cue_words[j].cue, Counter())[part.speaker.strip()] += 1
    found: list[tuple[str, str]] = []
    for k, counts in sorted(names.items()):
        (name, hits), *others = counts.most_common(2)
        clear = not others or others[0][1] < hits
        if not cues[k].speaker and clear and 2 * hits >= words[k]:
            found.append((cues[k].id, name))
    return tuple(found)
