"""Whether prose can be a description of the film: a novel, or a transcript of what is said, is none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from adstudio.core.counts import percent
from adstudio.core.errors import BadInputError
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import clock
from adstudio.core.words import composed, count_words, folded, spoken_ms
from adstudio.drafting.text.ground.prose import Prose
from adstudio.drafting.text.prose_speech import speeches_of

WORDS_PER_MINUTE = 200
MOST_TIMES = 3
"""Reading a description out takes less than this many times as long as the film; the sample film's takes 1.3 times."""
LEAST_WORDS = 300
"""A shorter text is not too long for any film."""
LEAST_OF_A_STORY, LEAST_OF_A_TRANSCRIPT = 60, 30
"""In fewer words shares say nothing."""
MOST_QUOTED = 0.3
MOST_SPEECHES, LEAST_SPEECHES = 0.25, 3
"""The share of sentences that say who says what, and the fewest that are a story."""
MOST_SAID = 0.5
LEAST_SPEAKERS, LEAST_NAMED = 2, 4
"""A narrator's own mark before each paragraph is one name."""
LEAST_TIMES = 2
"""A single time may be a slip of the pen, which is reported as one."""
RUN = 4
"""So many words in a row are the film's if it says them in that order."""
_QUOTED = re.compile(
    r"“[^”]{1,2000}”|\"[^\"]{1,2000}\"|„[^“”]{1,2000}[“”]|«[^»]{1,2000}»|「[^」]{1,2000}」|『[^』]{1,2000}』"
)
_SENTENCE = re.compile(r"[^.!?…。！？]*\w[^.!?…。！？]*(?:[.!?…。！？]+[”\"»“」』]?|$)")
_SPEAKER = re.compile(
    r"(?:^|(?<=[.!?…] )|(?<=[.!?…][”\"»] ))([^\W\d_a-zà-ÿ][\w’'-]{0,24}(?: [^\W\d_a-zà-ÿ][\w’'-]{0,24}){0,2}):\s+\S"
)
_RECURS = 2
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
    reading = spoken_ms(" ".join(texts), WORDS_PER_MINUTE)
    if not prose.timed and count >= LEAST_WORDS and reading > MOST_TIMES * end:
        raise OtherTextError(
            f"the description is too long for this film: its {count:,} words take {_minutes(reading)} to read out, and "
            f"the film lasts {_minutes(end)}; if it is a book, write down what is seen in the film instead, and if it "
            "describes a longer film, give the part about this one, or put times before its paragraphs"
        )
    if count >= LEAST_OF_A_STORY:
        _require_no_story(prose, texts, count)
    _require_no_speakers(texts, sum(len(_SENTENCE.findall(text)) for text in texts))
    said = sum(_in_dialogue(texts, cues))
    if count >= LEAST_OF_A_TRANSCRIPT and said > MOST_SAID * count:
        share = min(1.0, said / count)
        raise OtherTextError(
            f"the description is a transcript: {percent(share)} of its {count:,} words are said in the film’s "
            "subtitles; a description says what is seen, so take the dialogue out"
        )


def _require_no_speakers(texts: Sequence[str], sentences: int) -> None:
    """Reject a transcript with names before its speeches."""
    named = Counter(name for text in texts for name in _SPEAKER.findall(text))
    recurring = [count for count in named.values() if count >= _RECURS]
    speeches = sum(recurring)
    if len(recurring) >= LEAST_SPEAKERS and speeches >= max(LEAST_NAMED, MOST_SPEECHES * sentences):
        raise OtherTextError(
            f"the description is a transcript: {speeches:,} of its sentences stand behind a name and a colon, of "
            f"{len(recurring):,} speakers; a description says what is seen, so take the dialogue out"
        )


def _require_no_story(prose: Prose, texts: Sequence[str], count: int) -> None:
    """Reject a novel: `count` words, many of them quoted, or many of its sentences with who says what."""
    quoted = sum(count_words(each) for text in texts for each in _QUOTED.findall(text))
    speeches = sum(map(len, speeches_of(prose).values()))
    sentences = sum(len(_SENTENCE.findall(text)) for text in texts)
    if quoted > MOST_QUOTED * count or speeches >= max(LEAST_SPEECHES, MOST_SPEECHES * sentences):
        raise OtherTextError(
            f"the description is mostly a story with dialogue: {percent(quoted / count)} of its {count:,} words are in "
            f"quotation marks, and it says who says them {speeches:,} times in {sentences:,} sentences; a description "
            "says what is seen, so take the dialogue out"
        )


def require_times_in_film(prose: Prose, end: int) -> None:
    """Check that a description whose times are the film's has one that lies in it (`end` in ms).

    Raises:
        OtherTextError: if all lie past the film's end, with the first and the last.
    """
    times = [section.at for section in prose.sections if section.at is not None]
    if len(times) < LEAST_TIMES or min(times) < end:
        return
    raise OtherTextError(
        f"all {len(times):,} times of the description are past the film’s end: they go from {_clock(min(times))} to "
        f"{_clock(max(times))}, and the film ends at {_clock(end)}; give the film’s start timecode if they count from "
        "it, or the description of this film"
    )


def require_lines(lines: int, prose: Prose) -> None:
    """Check that a description gave lines; its oddities say why sentences gave none.

    Raises:
        OtherTextError: if it gave none, with how many words it has.
    """
    if not lines:
        words = sum(count_words(section.text) for section in prose.sections)
        why = next((f" ({oddity.what})" for oddity in prose.oddities), "")
        raise OtherTextError(
            f"none of the {words:,} words of the description can be drafted from{why}: give one that says what is seen"
        )


def _clock(ms: int) -> str:
    return clock(ms).partition(".")[0]


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
