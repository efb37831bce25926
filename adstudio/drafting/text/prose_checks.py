"""Whether prose can be a description of the film: a novel, or a transcript of what is said, is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from adstudio.core.errors import BadInputError
from adstudio.core.script import Cue, CueKind
from adstudio.core.words import composed, count_words, folded, spoken_ms
from adstudio.drafting.text.ground.prose import Prose

WORDS_PER_MINUTE = 200
MOST_TIMES = 3
"""Reading a description out takes less than this many times as long as the film; the sample film's takes 1.3 times."""
LEAST_WORDS = 300
"""In fewer words shares say nothing."""
MOST_QUOTED = 0.3
MOST_SAID = 0.5
RUN = 4
"""So many words in a row are the film's if it says them in that order."""
_QUOTED = re.compile(r"“[^”]{1,2000}”|\"[^\"]{1,2000}\"|„[^“”]{1,2000}[“”]|«[^»]{1,2000}»")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class OtherTextError(BadInputError):
    """A text that is given as a description and cannot be one."""


def require_description(prose: Prose, end: int, cues: Sequence[Cue]) -> None:
    """Check that prose can be a description of a film of that length (ms) with that dialogue.

    Raises:
        OtherTextError: if it cannot, with the figures.
    """
    texts = [section.text for section in prose.sections]
    count = sum(map(count_words, texts))
    if count < LEAST_WORDS:
        return
    reading = spoken_ms(" ".join(texts), WORDS_PER_MINUTE)
    if not prose.timed and reading > MOST_TIMES * end:
        raise OtherTextError(
            f"the description is too long for this film: its {count:,} words take {_minutes(reading)} to read out, and "
            f"the film lasts {_minutes(end)}; if it is a book, write down what is seen in the film instead, and if it "
            "describes a longer film, give the part about this one, or put times before its paragraphs"
        )
    quoted = sum(count_words(each) for text in texts for each in _QUOTED.findall(text))
    if quoted > MOST_QUOTED * count:
        raise OtherTextError(
            f"the description is mostly a story with dialogue: {quoted / count:.0%} of its {count:,} words are in "
            "quotation marks; a description says what is seen, so take the dialogue out"
        )
    said = sum(_in_dialogue(texts, cues))
    if said > MOST_SAID * count:
        raise OtherTextError(
            f"the description is a transcript: {said / count:.0%} of its {count:,} words are said in the film’s "
            "subtitles; a description says what is seen, so take the dialogue out"
        )


def _in_dialogue(texts: Sequence[str], cues: Sequence[Cue]) -> Iterator[int]:
    """For each text how many of its words lie in runs that the film says."""
    spoken = [word for cue in cues if cue.kind in (CueKind.SPEECH, CueKind.SUNG) for word in _words(cue.text)]
    runs = {tuple(spoken[at : at + RUN]) for at in range(len(spoken) - RUN + 1)}
    for text in texts:
        words = _words(text)
        inside = {
            at + step
            for at in range(len(words) - RUN + 1)
            if tuple(words[at : at + RUN]) in runs
            for step in range(RUN)
        }
        yield len(inside)


def _words(text: str) -> list[str]:
    return [folded(word) for word in _WORD.findall(composed(text))]


def _minutes(ms: int) -> str:
    minutes, seconds = divmod(round(ms / 1000), 60)
    return f"{minutes} min" if minutes >= 10 else f"{minutes} min {seconds} s"
