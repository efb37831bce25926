"""Prose as chapters, and the times that its own words give: the timecodes in it, and the cues that it quotes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from adstudio.core.errors import Oddity
from adstudio.core.provenance import DescriptionLine
from adstudio.core.script import Cue, CueKind
from adstudio.core.words import composed, count_words, folded
from adstudio.drafting.text.chapters import Chapter, Paragraph
from adstudio.drafting.text.ground.placing import Placed
from adstudio.drafting.text.ground.prose import Prose
from adstudio.drafting.text.ground.section_reader import Section

if TYPE_CHECKING:
    from adstudio.drafting.text.segment.elements import Element

TIMED = 0.95
"""The confidence of a time given in the text."""
CUED = 0.85
"""The confidence of a time given by the cue words before a text."""
LAST_WORDS = 8
"""Of longer cue words only the last count: a script may give whole speeches."""
LEAST_BRACKETED = 3
"""Fewer words in brackets or quotes that the film says too may be the describer's own, but for the last of a cue."""
SHOWN_CUES = 3
AUDIBLE = (CueKind.SPEECH, CueKind.SUNG, CueKind.SOUND)
UNTIMED = 0.9
"""The confidence of the order of a text: descriptions tell what comes later first now and then."""
LEAST_SCENE_WORDS = 120
"""If a text has no headings, a scene is a paragraph, or several that together have this many words."""
LEAST_WORDS = 2
"""A quotation of fewer words could be anywhere."""
LEAST_SHARE = 0.8
"""The share of a quotation's words that must be in the cue, in order."""

_QUOTED = re.compile(
    r"“([^”]{2,400})”|\"([^\"]{2,400})\"|„([^“”]{2,400})[“”]|«([^»]{2,400})»|(?<!\w)‘([^’]{2,400})’(?!\w)"
)
_BRACKETED = re.compile(r"\s*(?:[(\[]([^()\[\]]{5,300})[)\]]|[\"“„«]([^\"“”„«»]{5,300})[\"”“»])\s*")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def prose_chapters(prose: Prose, end: int) -> tuple[Chapter, ...]:
    """A chapter for each heading; without any, for each paragraph that is long enough, or several."""
    paragraphs = _paragraphs(prose.sections, end)
    if any(section.heading for section in prose.sections):
        groups = [
            (heading, [paragraph for _, paragraph in group])
            for heading, group in groupby(
                zip(prose.sections, paragraphs, strict=True), key=lambda pair: pair[0].heading
            )
        ]
    else:
        groups = [("", group) for group in _gathered(paragraphs)]
    return tuple(Chapter(heading, tuple(group), line=group[0].line) for heading, group in groups)


def with_cue_times(prose: Prose, cues: Sequence[Cue]) -> Prose:
    """The description with each text that has cue words, and no time, at the end of the cue that they are found in.

    Times that the text gives itself are not contradicted. Cue words that are not found are reported.
    """
    prose = replace(prose, sections=tuple(_with_bracketed_cues(prose.sections, cues)))
    wanted = [place for place, section in enumerate(prose.sections) if section.cue and section.at is None]
    if not wanted:
        return prose
    ends = _cue_ends([prose.sections[place].cue for place in wanted], cues)
    found = dict(zip(wanted, (ends.get(number) for number in range(len(wanted))), strict=True))
    following: list[int | None] = [None]
    for section in reversed(prose.sections):
        later = following[-1]
        following.append(later if section.at is None else section.at if later is None else min(section.at, later))
    sections: list[Section] = []
    latest = 0
    for section, (place, after) in zip(prose.sections, enumerate(reversed(following[:-1])), strict=True):
        at = section.at
        if at is None and (end := found.get(place)) is not None and latest <= end and (after is None or end <= after):
            at = end
        latest = max(latest, at or 0)
        sections.append(replace(section, at=at))
    missing = [prose.sections[place] for place in wanted if found[place] is None]
    if not missing:
        return replace(prose, sections=tuple(sections))
    shown = ", ".join(f"“{section.cue[:40]}”" for section in missing[:SHOWN_CUES])
    what = f"{len(missing):,} of {len(wanted):,} cue words were not found in the film’s dialogue, such as {shown}"
    oddity = Oddity(f"{what}: what follows them is placed by its order", missing[0].line)
    return replace(prose, sections=tuple(sections), oddities=(*prose.oddities, oddity))


def _with_bracketed_cues(sections: Sequence[Section], cues: Sequence[Cue]) -> Iterator[Section]:
    """The sections, with what they begin with in brackets or quotation marks as their cue words if the film says it."""
    said = [_words(cue.text) for cue in cues if cue.kind in AUDIBLE]
    spoken = " ".join(["", *(word for words in said for word in words), ""])
    last = {tuple(words[-LEAST_WORDS:]) for words in said}
    cue = ""
    for section in sections:
        found = _BRACKETED.match(section.text)
        words = _words(found[1] or found[2]) if found is not None else ()
        text = section.text
        is_said = len(words) >= LEAST_BRACKETED and f" {' '.join(words)} " in spoken
        if found is not None and (is_said or (len(words) == LEAST_WORDS and tuple(words) in last)):
            cue, text = found[1] or found[2], text[found.end() :]
        if count_words(text):
            yield replace(section, text=text, cue=section.cue or cue)
            cue = ""


def _cue_ends(words: Sequence[str], cues: Sequence[Cue]) -> dict[int, int]:
    """When the cues end (ms) in which cue words are found, by number, never going back."""
    said = [_words(cue.text) if cue.kind in AUDIBLE else () for cue in cues]
    places: dict[str, list[int]] = {}
    for at, spoken in enumerate(said):
        for word in {*spoken}:
            places.setdefault(word, []).append(at)
    last = Counter(spoken[-1] for spoken in said if spoken)
    found: list[Mention] = []
    for number, text in enumerate(words):
        quoted = _words(text)[-LAST_WORDS:]
        if len(quoted) == 1 and last[quoted[0]] == 1:
            found += [Mention(number, at, 1) for at, spoken in enumerate(said) if spoken[-1:] == quoted]
        elif len(quoted) >= LEAST_WORDS:
            # So few words may be missing that one of any two is there, in the cue or the one behind it.
            rare = sorted({*quoted}, key=lambda word: len(places.get(word, ())))[:2]
            near = {max(0, at - back) for word in rare for at in places.get(word, ()) for back in (0, 1)}
            found += _found(number, quoted, said, near)
    ends: dict[int, int] = {}
    for mention in _in_order(found):
        quoted = _words(words[mention.text])[-LAST_WORDS:]
        following = mention.cue + 1
        runs_on = following < len(cues) and _in_common(quoted, said[mention.cue] + said[following]) > mention.words
        cue = cues[following if runs_on else mention.cue]
        ends[mention.text] = max(cue.start, cue.end)
    return ends


def places_of(pairs: Sequence[tuple[Paragraph, Element]], cues: Sequence[Cue]) -> list[Placed]:
    """What ties each element to the film: its section's time, else those around it, and the cue that it quotes.

    The text is the source's: a name or thing that a line says in place of a pronoun would tie it to dialogue about it.
    """
    untimed = [place for place, (paragraph, _) in enumerate(pairs) if not paragraph.timed]
    found = mentions([pairs[place][1].extract for place in untimed], cues)
    quoted = {untimed[mention.text]: cues[mention.cue] for mention in found}
    return [
        Placed(element.extract, paragraph.after, paragraph.before, paragraph.sure, paragraph.timed, quoted.get(place))
        for place, (paragraph, element) in enumerate(pairs)
    ]


def _paragraphs(sections: Sequence[Section], end: int) -> list[Paragraph]:
    paragraphs: list[Paragraph] = []
    latest: int | None = None
    for place, section in enumerate(sections):
        following = next((later.at for later in sections[place + 1 :] if later.at is not None), None)
        if following is not None and following >= end:
            following = None
        source = DescriptionLine(section.line, section.note)
        if section.at is None:
            sure = UNTIMED if latest is None or latest < end else 0.0
            paragraphs.append(Paragraph(section.text, source, section.line, latest, following, sure, section.whole))
            continue
        latest = section.at
        given = TIMED if section.written or not section.cue else CUED
        until = following if following is not None and following > section.at else None
        if section.until is not None and section.until > section.at:
            until = section.until if until is None else min(until, section.until)
            latest = until
        sure = given if section.at < end else 0.0
        paragraphs.append(
            Paragraph(section.text, source, section.line, section.at, until, sure, section.whole, timed=True)
        )
    return paragraphs


def _gathered(paragraphs: Sequence[Paragraph]) -> list[list[Paragraph]]:
    groups: list[list[Paragraph]] = []
    room = 0
    for paragraph in paragraphs:
        if room <= 0:
            groups.append([])
            room = LEAST_SCENE_WORDS
        groups[-1].append(paragraph)
        room -= count_words(paragraph.text)
    return groups


@dataclass(frozen=True)
class Mention:
    """A text that quotes a cue, both by position; `words` of the quotation are in the cue."""

    text: int
    cue: int
    words: int


def mentions(texts: Sequence[str], cues: Sequence[Cue]) -> tuple[Mention, ...]:
    """The quotations that are found, as many words as can be without texts or cues going back; one a text at most."""
    spoken = [_words(cue.text) if cue.kind in (CueKind.SPEECH, CueKind.SUNG) else () for cue in cues]
    by_word: dict[str, list[int]] = {}
    for place, said in enumerate(spoken):
        for word in set(said):
            by_word.setdefault(word, []).append(place)
    found: list[Mention] = []
    for place, text in enumerate(texts):
        for match in _QUOTED.finditer(text):
            quoted = _words(next(group for group in match.groups() if group))
            if len(quoted) >= LEAST_WORDS:
                near = {at for word in quoted for at in by_word.get(word, ())}
                found += _found(place, quoted, spoken, near)
    return _in_order(found)


def _found(place: int, quoted: tuple[str, ...], spoken: Sequence[tuple[str, ...]], near: set[int]) -> list[Mention]:
    found: list[Mention] = []
    for at in sorted(near):
        # A quotation may run on into the next cue.
        said = spoken[at] + (spoken[at + 1] if at + 1 < len(spoken) else ())
        common = _in_common(quoted, said)
        own = _in_common(quoted, spoken[at])
        if common >= LEAST_SHARE * len(quoted) and own * 2 >= common:
            found.append(Mention(place, at, own))
    return found


def _in_common(one: Sequence[str], other: Sequence[str]) -> int:
    row = [0] * (len(other) + 1)
    for word in one:
        diagonal = 0
        for at, said in enumerate(other):
            diagonal, row[at + 1] = row[at + 1], diagonal + 1 if word == said else max(row[at + 1], row[at])
    return row[-1]


def _in_order(found: list[Mention]) -> tuple[Mention, ...]:
    """The heaviest chain in which texts go forward and cues never go back."""
    ordered = sorted(found, key=lambda mention: (mention.text, -mention.cue))
    # Frontier over cues: the best weight of a chain that ends at or before a cue, growing in both.
    ends: list[int] = []
    weights: list[int] = []
    last: list[int] = []
    before: list[int] = [-1] * len(ordered)
    waiting: list[tuple[int, int, int]] = []

    def enter(cue: int, weight: int, number: int) -> None:
        at = bisect_right(ends, cue)
        if at and weights[at - 1] >= weight:
            return
        if at and ends[at - 1] == cue:
            at -= 1
            ends[at], weights[at], last[at] = cue, weight, number
        else:
            ends.insert(at, cue)
            weights.insert(at, weight)
            last.insert(at, number)
        while at + 1 < len(ends) and weights[at + 1] <= weight:
            del ends[at + 1], weights[at + 1], last[at + 1]

    text = -1
    for number, mention in enumerate(ordered):
        if mention.text != text:
            for each in waiting:
                enter(*each)
            waiting, text = [], mention.text
        at = bisect_right(ends, mention.cue)
        if at:
            before[number] = last[at - 1]
        waiting.append((mention.cue, mention.words + (weights[at - 1] if at else 0), number))
    for each in waiting:
        enter(*each)
    chain: list[Mention] = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(ordered[number])
        number = before[number]
    return tuple(reversed(chain))


def _words(text: str) -> tuple[str, ...]:
    return tuple(map(folded, _WORD.findall(composed(text))))
