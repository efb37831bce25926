"""Speeches that prose gives as a script does, on a line behind a name: NORA: (sadly) My umbrella."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from adstudio.core.script import Cue, CueKind
from adstudio.core.words import composed, count_words, folded
from adstudio.drafting.text.ground.prose import Prose
from adstudio.drafting.text.ground.section_reader import Section
from adstudio.drafting.text.segment.reported_speech import Speech, names_a_thing
from adstudio.script_files.asides import is_narrator

LEAST_WORDS = 3
"""Fewer words that the film says too may be said anywhere in it."""
LEAST_SHORT = 2
"""So many short lines of people that the film says too are speech."""
LEAST_LINES, LEAST_NAMES = 3, 2
"""So many lines of so many people are speech even if the film's subtitles do not have their words."""
_MOST_NAMES = 3
"""Words of a name."""
_NAME = r"(?:[^\W\d_a-zà-ÿ][\w’'-]{0,24}\.?)(?: [^\W\d_a-zà-ÿ][\w’'-]{0,24}\.?){0,2}"
_LINE = re.compile(rf"(?P<name>{_NAME})(?: ?\([^()]{{1,40}}\))?:\s+(?P<said>\S.*)")
_BRACKETS = re.compile(r"[(\[][^()\[\]]{0,200}[)\]]")
_ENDED = re.compile(r"[.!?…]\W*$")
_NOBODY = re.compile(
    r"(?:an?|the|this|that|later|earlier|meanwhile|now|then|suddenly|finally|first|next|last|day|night|morning|evening"
    r"|afternoon|noon|midnight|dawn|dusk|today|tomorrow|yesterday|inside|outside|here|there|left|right|above|below"
    r"|scene|shot|note|notes|music|sound|song|sfx|insert|flashback|place|time|location|setting|chapter|part|act)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class _Candidate:
    """A line with what may be a name before it, by the number of its section, and the folded name."""

    place: int
    start: int
    end: int
    name: str
    said: str


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared with the film's."""
    return [folded(word) for word in _WORD.findall(composed(text))]


def spoken_words(cues: Sequence[Cue]) -> str:
    """The words of the film's speech in order, with spaces around each."""
    return f" {' '.join(word for cue in cues if cue.kind is CueKind.SPEECH for word in words_of(cue.text))} "


def is_said(text: str, spoken: str) -> bool:
    """Whether the film says a text word for word; `spoken` are its words as of `spoken_words`."""
    words = words_of(text)
    return bool(words) and f" {' '.join(words)} " in spoken


def dialogue_lines(prose: Prose, cues: Sequence[Cue], spoken: str) -> dict[int, tuple[Speech, ...]]:
    """The speeches behind names by the number of their section, where the film or the other lines show that they are.

    A caption (The sign: LOST PROPERTY) or a jump in time (Later: the yard) is none.
    """
    found = [each for place, section in enumerate(prose.sections) for each in _candidates(place, section, spoken)]
    if not found:
        return {}
    lines = Counter(each.name for each in found)
    cast = {folded(composed(cue.speaker)) for cue in cues if cue.speaker}
    people = {name for name in lines if not is_narrator(name)}
    sure = {each.name for each in found if each.name in people and _is_long(each.said) and is_said(each.said, spoken)}
    met = {name for name in people if name in cast or lines[name] > 1}
    if len(met) >= LEAST_NAMES and sum(lines[name] for name in met) >= LEAST_LINES:
        sure |= met
    elsewhere = _capitalised(prose)
    known = met | {name for name in people if " ".join(words_of(name)) in elsewhere}
    short = [each for each in found if each.name in known and is_said(each.said, spoken)]
    if len(short) >= LEAST_SHORT:
        sure |= {each.name for each in short}
    speeches: dict[int, tuple[Speech, ...]] = {}
    for each in found:
        if each.name in sure or (_is_long(each.said) and is_said(each.said, spoken)):
            speech = Speech(each.start, each.end, each.said)
            speeches[each.place] = (*speeches.get(each.place, ()), speech)
    return speeches


def _is_long(said: str) -> bool:
    return len(words_of(said)) >= LEAST_WORDS


def _candidates(place: int, section: Section, spoken: str) -> Iterator[_Candidate]:
    if section.whole:
        return
    bounds = [0, *section.breaks, len(section.text)]
    lines = [(start, section.text[start:end].strip()) for start, end in pairwise(bounds)]
    at = 0
    while at < len(lines):
        start, line = lines[at]
        at += 1
        found = _LINE.fullmatch(line)
        if found is None or _NOBODY.match(found["name"]) or names_a_thing(found["name"]):
            continue
        said = found["said"]
        # A speech goes on over lines until it ends; and beyond, as far as the film says so.
        while at < len(lines) and not _LINE.fullmatch(lines[at][1]):
            following = lines[at][1]
            if _ENDED.search(said) and not (count_words(following) >= LEAST_WORDS and is_said(following, spoken)):
                break
            said, at = f"{said} {following}", at + 1
        end = lines[at][0] if at < len(lines) else len(section.text)
        words = " ".join(_BRACKETS.sub(" ", said).split())
        yield _Candidate(place, start, end, folded(composed(found["name"])), words)


def _capitalised(prose: Prose) -> set[str]:
    """Up to three words with a capital in front, and no colon behind, as `words_of` has them: the names of people."""
    found: set[str] = set()
    for section in prose.sections:
        words = list(_WORD.finditer(section.text))
        for first, word in enumerate(words):
            if word[0][0].isupper():
                for last in words[first : first + _MOST_NAMES]:
                    if section.text[last.end() : last.end() + 1] != ":":
                        found.add(" ".join(words_of(section.text[word.start() : last.end()])))
    return found
