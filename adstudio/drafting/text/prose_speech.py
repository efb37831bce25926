"""Prose without the speech that it reports, which the film says itself; what is said there shows when the rest is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adstudio.core.errors import Oddity
from adstudio.core.script import Cue
from adstudio.core.words import count_words
from adstudio.drafting.candidates_file.findings import shown
from adstudio.drafting.text.ground.prose import Prose
from adstudio.drafting.text.ground.section_reader import Section
from adstudio.drafting.text.prose_dialogue import LEAST_WORDS, dialogue_lines, is_said, spoken_words, words_of
from adstudio.drafting.text.segment.reported_speech import Speech, quotation_alone, reported_speech


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
    spoken = spoken_words(cues)
    speeches = _together(speeches_of(prose), dialogue_lines(prose, cues, spoken))
    if not speeches:
        return prose
    sections: list[Section] = []
    cue = ""
    for place, section in enumerate(prose.sections):
        follows = cue and section.at is None and not section.cue and not section.whole
        cued = replace(section, cue=cue) if follows else section
        parts, cue = _parts(cued, speeches.get(place, ()), spoken)
        sections += parts
    count = sum(map(len, speeches.values()))
    first = min(speeches)
    what, them = ("1 sentence reports", "it") if count == 1 else (f"{count:,} sentences report", "them")
    said = shown(speeches[first][0].said)
    oddity = Oddity(
        f"{what} what somebody says, which the film itself does, so no line was drafted from {them}: {said}",
        prose.sections[first].line,
    )
    return replace(prose, sections=tuple(sections), oddities=(*prose.oddities, oddity))


def _together(
    reported: dict[int, tuple[Speech, ...]], lines: dict[int, tuple[Speech, ...]]
) -> dict[int, tuple[Speech, ...]]:
    """The speeches of both kinds by their section, in order; a quotation in a line behind a name is the line's."""
    found = dict(reported)
    for place, those in lines.items():
        others = [
            each
            for each in reported.get(place, ())
            if all(each.end <= line.start or line.end <= each.start for line in those)
        ]
        found[place] = tuple(sorted([*others, *those]))
    return found


def _parts(section: Section, speeches: Sequence[Speech], spoken: str) -> tuple[list[Section], str]:
    """What is left of a section around its speeches, and the words of one that ends it, cue words for what follows.

    The first part keeps its time and cue words.
    """
    if not speeches:
        return [section], ""
    bounds = [0, *(place for speech in speeches for place in (speech.start, speech.end)), len(section.text)]
    parts: list[Section] = []
    cue = section.cue
    for number, (start, end) in enumerate(zip(bounds[::2], bounds[1::2], strict=True)):
        text = section.text[start:end].strip(" ,;–—-")
        said = speeches[number - 1].said if number else ""
        if len(words_of(said)) >= LEAST_WORDS and is_said(said, spoken):
            cue = said
        if not count_words(text):
            continue
        if not parts:
            parts.append(replace(section, text=text, cue=cue if section.at is None else section.cue, breaks=()))
        else:
            parts.append(replace(section, text=text, cue=cue, at=None, until=None, written="", label=False, breaks=()))
        cue = ""
    return parts, cue
