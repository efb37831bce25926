"""Prose without the speech that it reports, which the film says itself; what is said there shows when the rest is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from adstudio.core.errors import Oddity
from adstudio.core.script import Cue, CueKind
from adstudio.core.words import composed, count_words, folded
from adstudio.drafting.candidates_file.findings import shown
from adstudio.drafting.text.ground.prose import Prose
from adstudio.drafting.text.ground.section_reader import Section
from adstudio.drafting.text.segment.reported_speech import Speech, quotation_alone, reported_speech

LEAST_WORDS = 3
"""Fewer words that the film says too may be said anywhere in it."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def speeches_of(prose: Prose) -> dict[int, tuple[Speech, ...]]:
    """The reported speeches by the number of their section.

    A paragraph that is one quotation is speech where others say who speaks; elsewhere it may be a caption.
    """
    found = {
        place: speeches
        for place, section in enumerate(prose.sections)
        if not section.whole and (speeches := reported_speech(section.text))
    }
    if found:
        for place, section in enumerate(prose.sections):
            if not section.whole and (said := quotation_alone(section.text)):
                found[place] = (Speech(0, len(section.text), said),)
    return found


def without_speech(prose: Prose, cues: Sequence[Cue]) -> Prose:
    """The description without its speeches; what follows one that the film says too has its words as cue words."""
    speeches = speeches_of(prose)
    if not speeches:
        return prose
    spoken = f" {' '.join(word for cue in cues if cue.kind is CueKind.SPEECH for word in _words(cue.text))} "
    sections = tuple(
        part
        for place, section in enumerate(prose.sections)
        for part in (_parts(section, speeches[place], spoken) if place in speeches else (section,))
    )
    count = sum(map(len, speeches.values()))
    first = min(speeches)
    what, them = ("1 sentence reports", "it") if count == 1 else (f"{count:,} sentences report", "them")
    said = shown(speeches[first][0].said)
    oddity = Oddity(
        f"{what} what somebody says, which the film itself does, so no line was drafted from {them}: {said}",
        prose.sections[first].line,
    )
    return replace(prose, sections=sections, oddities=(*prose.oddities, oddity))


def _parts(section: Section, speeches: Sequence[Speech], spoken: str) -> Iterator[Section]:
    """What is left of a section around its speeches; the first part keeps its time and cue words."""
    bounds = [0, *(place for speech in speeches for place in (speech.start, speech.end)), len(section.text)]
    cue, is_first = section.cue, True
    for number, (start, end) in enumerate(zip(bounds[::2], bounds[1::2], strict=True)):
        text = section.text[start:end].strip(" ,;–—-")
        if (
            number
            and f" {' '.join(_words(said := speeches[number - 1].said))} " in spoken
            and len(_words(said)) >= LEAST_WORDS
        ):
            cue = said
        if not count_words(text):
            continue
        if is_first:
            yield replace(section, text=text, cue=cue if section.at is None else section.cue)
        else:
            yield replace(section, text=text, cue=cue, at=None, until=None, written="", label=False)
        cue, is_first = "", False


def _words(text: str) -> list[str]:
    return [folded(word) for word in _WORD.findall(composed(text))]
