"""TTML, IMSC, EBU-TT-D and DFXP: the timed paragraphs of an XML document.

TTML2 (https://www.w3.org/TR/ttml2/), sections 8 (content) and 12 (timing). A paragraph is a cue; if all its text is in
timed spans, so is what they show at a time. Metadata, ruby text, what is not displayed and anything in a foreign
namespace are not dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.core.words import count_words
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.lines import MAX_CUES, QUOTED, Found, close_endless, quoted
from adstudio.subtitles.parsed_file import SubtitleCue, TrackKind, Voice
from adstudio.subtitles.source import Source
from adstudio.subtitles.track_kind import not_dialogue
from adstudio.subtitles.ttml_display import ALWAYS, Display, Styles, Window
from adstudio.subtitles.ttml_namespaces import Recogniser, Vocabulary, attribute, vocabulary
from adstudio.subtitles.ttml_text import TextReader, preserved
from adstudio.subtitles.ttml_times import TtmlTime, read_parameters
from adstudio.subtitles.ttml_timing import Interval, Timing, in_seq
from adstudio.subtitles.xml_scan import Element, Text, scan

_NO_END = "the cue has no end"
_LONE = frozenset({"p"})
_CONTENT = frozenset({"body", "div", "p", "span"})
_PICTURES = frozenset({"image", "img"})
_DESCRIBES = re.compile(r"visual(?:\.[a-z.]+)?|(?:x-)?(?:audio-?)?description")
"""DAPT (https://www.w3.org/TR/dapt/), script represents attribute; TTML2, section 14.2.6, roles."""
_PAUSE = Fraction(500)
"""Milliseconds; a longer pause between single words makes them cues of their own."""
_GROUPS_AT_MOST = 100
"""Groups of timed spans in a paragraph; in one with more, each span is a cue."""


class _Context(NamedTuple):
    """What an element's content inherits. `visible`: when text is visible; None leaves it to the region."""

    preserve: bool
    speaker: str | None = None
    window: Window = ALWAYS
    visible: Window | None = None
    region: Element | None = None


class TtmlReader:
    """Reads one file, with cues in document order."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.scanned = scan(source.text, _LONE)
        self.oddities: list[Oddity] = []
        self.cues: list[SubtitleCue] = []
        self.endless: list[int] = []
        self.pictures = 0
        self.paragraphs = 0
        self.agents: dict[str, str] = {}
        self.language: str | None = None
        self.track: TrackKind | None = None

    def read(self) -> Found:
        """The timed paragraphs of the TTML documents in a file, which should be one.

        Raises:
            SubtitleError: for entity declarations and excessive documents.
        """
        for fault in self.scanned.faults:
            self._odd(fault.at, f"the XML is damaged: {fault.what}")
        roots = _documents(self.scanned.roots)
        if not roots:
            self._odd(0, "the file has no “tt” element")
        for root in roots:
            self._document(root)
        if len(roots) > 1:
            self._odd(roots[1].start, f"the file holds {len(roots)} documents, which were all read")
        self.oddities += close_endless(self.cues, dict.fromkeys(self.endless, _NO_END), shown_until_next=True)
        return Found(self.cues, self.oddities, self.language, self.track)

    def _document(self, root: Element) -> None:
        self.recogniser = Recogniser(root)
        if root.namespace and vocabulary(root.namespace) is not Vocabulary.CONTENT:
            what = f"the namespace of <{root.name}>, {quoted(root.namespace)}, is not one of TTML’s"
            self._odd(root.start, f"{what}; the document was read as TTML")
        parameters, notes = read_parameters(root)
        for note in notes:
            self._odd(root.start, note)
        self._read_head(root)
        self.text = TextReader(self.source, self.styles, self.recogniser.is_content)
        bodies = [child for child in root.elements() if self._is(child, "body")] or [root]
        self._read_kind(root, bodies)
        self.timing = Timing(parameters, self._is_content, self._has_text, self._odd_time)
        self.display = Display(self.styles, self.timing)
        for body in bodies:
            self.timing.settle(body)
        if self.timing.absolute:
            what = "nested times were read as counted from the film’s start, to fit their parents"
            self._odd(bodies[0].start, what)
        for body in bodies:
            self._content(body, _Context(preserved(root, inherited=False)))
        if self.recogniser.undeclared is not None:
            name = self.recogniser.undeclared.name
            what = f"the namespace of <{name}> is not declared; such elements were read as TTML"
            self._odd(self.recogniser.undeclared.start, what)

    def _odd(self, at: int, what: str) -> None:
        self.oddities.append(Oddity(self.source.clean(what), self.source.line_of(at)))

    def _odd_time(self, at: int, value: str, time: TtmlTime | None) -> None:
        if time is None:
            self._odd(at, f"{quoted(value)} is not a time")
        else:
            self._odd(at, f"{quoted(value)} {time.note}")

    def _is(self, element: Element, local: str) -> bool:
        return element.local == local and self.recogniser.is_content(element)

    def _is_content(self, element: Element) -> bool:
        return element.local in _CONTENT and self.recogniser.is_content(element)

    def _has_text(self, element: Element) -> bool:
        """Whether text stands directly in an element."""
        return any(
            bool(self.source.text[part.start : part.end].strip())
            if isinstance(part, Text)
            else not self._is_content(part) and self.text.shows(part)
            for part in element.children
        )

    def _read_head(self, root: Element) -> None:
        self.styles = Styles(self.source.text, self.recogniser.is_content)
        language = root.attributes.get("xml:lang")
        if self.language is None and language:
            self.language = language.value.strip() or None
        waiting = [child for child in root.elements() if self._is(child, "head")]
        while waiting:
            element = waiting.pop()
            if self._is(element, "style") or self._is(element, "region"):
                self.styles.add(element)
            elif _is_metadata(element, "agent"):
                self._read_agent(element)
            waiting += element.elements()

    def _read_kind(self, root: Element, bodies: Sequence[Element]) -> None:
        """Whether the document says that it describes pictures: DAPT by what its script represents, others by role."""
        stated = [found for name, found in root.attributes.items() if name.rpartition(":")[2] == "scriptRepresents"]
        stated += [found for body in bodies if (found := attribute(body, "role", Vocabulary.METADATA)) is not None]
        for found in stated:
            words = found.value.casefold().split()
            if self.track is None and words and all(_DESCRIBES.fullmatch(word) for word in words):
                self.track = TrackKind.DESCRIPTIONS
                declaration = self.source.clean(f"“{found.value.strip()[:QUOTED]}”")
                self.oddities.append(not_dialogue(self.track, declaration, self.source.line_of(found.start)))

    def _read_agent(self, agent: Element) -> None:
        identity = agent.attributes.get("xml:id") or agent.attributes.get("id")
        name = next((child for child in agent.elements() if _is_metadata(child, "name")), None)
        if identity and name is not None:
            self.agents[identity.value.strip()] = _words_inside(self.source, name)

    def _within(self, element: Element, context: _Context) -> _Context:
        """What the content of an element inherits."""
        speaker = context.speaker
        agent = attribute(element, "agent", Vocabulary.METADATA)
        if agent is not None:
            names = agent.value.split()
            speaker = next((self.agents[name] for name in names if self.agents.get(name)), speaker)
        window, visible = self.display.of(element, self.timing.of(element), context.visible)
        region = self.styles.region(element) or context.region
        return _Context(
            preserved(element, inherited=context.preserve), speaker, window.within(context.window), visible, region
        )

    def _content(self, element: Element, context: _Context) -> None:
        context = self._within(element, context)
        if self.language is None and "xml:lang" in element.attributes:
            self.language = element.attributes["xml:lang"].value.strip() or None
        if element.local == "p":
            self._paragraph(element, context)
            return
        for child in element.children:
            if isinstance(child, Element) and self._is_content(child):
                self._content(child, context)
            else:
                self._no_content(child)
        if element.get("backgroundImage") is not None:
            self._picture(element)

    def _no_content(self, part: Element | Text) -> None:
        if isinstance(part, Text):
            words = self.source.shown(part.start, part.end).strip()
            if words:
                self._odd(part.start, f"text outside paragraphs was ignored: {quoted(words)}")
        elif part.local in _PICTURES:
            self._picture(part)
        elif not self._is(part, "metadata"):
            paragraph = next((each for each in _inside(part) if self._is(each, "p")), None)
            words = _words_inside(self.source, paragraph) if paragraph else ""
            if words:
                self._odd(part.start, f"<{part.name}> is not TTML, so {quoted(words)} in it was ignored")

    def _picture(self, element: Element) -> None:
        self.pictures += 1
        if self.pictures == 1:
            self._odd(element.start, "the file contains subtitles as pictures, which are ignored: only text is read")

    def _paragraph(self, paragraph: Element, context: _Context) -> None:
        self.paragraphs += 1
        if self.paragraphs > MAX_CUES:
            raise SubtitleError(f"there are more than {MAX_CUES:,} cues: split the file")
        found = self.timing.timed_spans(paragraph)
        never = [span for span in found if self.timing.of(span).never]
        timed = [span for span in found if not self.timing.of(span).never]
        for span in never:
            self._cue(span, self.timing.of(span), self._within(span, context), span, ())
        interval = self.timing.of(paragraph)
        bare = self._bare_text(paragraph) if in_seq(paragraph) else ""
        if bare:
            self._never_displayed(paragraph, bare)
        if not timed:
            if not (bare or never) or self._shown(paragraph, context, never)[0]:
                self._cue(paragraph, interval, context, paragraph, never)
            return
        rest, _ = self._shown(paragraph, context, found)
        by_word = self._by_word(timed, context)
        if (rest and interval.known) or (by_word and self.timing.own(paragraph)):
            self._cue(paragraph, interval, context, paragraph, never)
            return
        groups = [[span] for span in timed] if rest else self._groups(timed, _PAUSE if by_word else Fraction(0))
        for group in groups:
            if len(group) == 1:
                inner = self._within(group[0], context)
                self._cue(group[0], self.timing.of(group[0]), inner, group[0], ())
            else:
                inside = {id(span) for span in group}
                others = [span for span in found if id(span) not in inside]
                self._cue(paragraph, _together([self.timing.of(span) for span in group]), context, group[0], others)
        if rest:
            self._cue(paragraph, interval, context, paragraph, found)

    def _by_word(self, timed: Sequence[Element], context: _Context) -> bool:
        """Whether spans time a line word by word, as in karaoke and captions that roll up."""
        longer = sum(count_words(self.text.read(span, self.agents, preserve=context.preserve)[0]) > 1 for span in timed)
        return len(timed) > 1 and 4 * longer <= len(timed)

    def _groups(self, timed: Sequence[Element], pause: Fraction) -> list[list[Element]]:
        """Timed spans that are displayed together, or less than a pause apart."""
        groups: list[list[Element]] = []
        end: Fraction | None = Fraction(0)
        for span in sorted(timed, key=lambda span: self.timing.of(span).start):
            interval = self.timing.of(span)
            if groups and (end is None or interval.start < end + pause):
                groups[-1].append(span)
            else:
                groups.append([span])
                end = interval.end
            end = None if end is None or interval.end is None else max(end, interval.end)
        return groups if len(groups) <= _GROUPS_AT_MOST else [[span] for span in timed]

    def _bare_text(self, element: Element) -> str:
        runs = [self.source.shown(part.start, part.end) for part in element.children if isinstance(part, Text)]
        return " ".join(" ".join(runs).split())

    def _never_displayed(self, element: Element, text: str) -> None:
        self._odd(element.start, f"{quoted(text)} is never displayed, so it was ignored")

    def _shown(
        self, element: Element, context: _Context, without: Sequence[Element], *, all_visible: bool = False
    ) -> tuple[str, tuple[Voice, ...]]:
        visible = all_visible or not self._visible(context).empty
        return self.text.read(element, self.agents, preserve=context.preserve, visible=visible, without=without)

    def _visible(self, context: _Context) -> Window:
        """When an element's own text is visible."""
        visible = context.visible
        if visible is None and context.region is not None:
            visible = self.display.of_region(context.region)[1]
        return visible or ALWAYS

    def _cue(
        self, element: Element, interval: Interval, context: _Context, at: Element, without: Sequence[Element]
    ) -> None:
        """Add what an element shows in an interval; `at` is where the file says so."""
        shown, voices = self._shown(element, context, without)
        window = context.window
        if context.region is not None:
            window = window.within(self.display.of_region(context.region)[0])
        visible = self._visible(context)
        window = window if visible.empty else window.within(visible)
        if not interval.known and window == ALWAYS:
            if shown:
                self._odd(at.start, f"{quoted(shown)} has no time, so it was ignored")
            return
        times = window.within(Window(interval.start, interval.end))
        if interval.never or (visible.empty and not shown) or (window != ALWAYS and times.empty):
            hidden, _ = self._shown(element, context, without, all_visible=True)
            if hidden:
                self._never_displayed(at, hidden)
            if hidden or interval.never:
                return
        if len(self.cues) >= MAX_CUES:
            raise SubtitleError(f"there are more than {MAX_CUES:,} cues: split the file")
        if interval.cut:
            self._odd(at.start, "the cue was cut at the end of its parent element")
        if times.end is None:
            self.endless.append(len(self.cues))
        start = _rounded(times.start)
        # Without an end, the last of several parts is given a second at least.
        last = start if interval.last_start is None else _rounded(interval.last_start) + 1000
        end = max(start, last) if times.end is None else _rounded(times.end)
        line = self.source.line_of(at.start)
        voices = voices or ((Voice(context.speaker, 0),) if context.speaker else ())
        self.cues.append(SubtitleCue(len(self.cues) + 1, line, start, end, shown, voices))


def _documents(elements: Sequence[Element]) -> list[Element]:
    """The outermost `tt` elements; those outside the namespaces of TTML only if there is nothing else."""
    found = [element for element in _outermost(elements) if vocabulary(element.namespace or "") is Vocabulary.CONTENT]
    return found or [element for element in elements if element.local == "tt"][:1]


def _outermost(elements: Sequence[Element]) -> Iterator[Element]:
    waiting = list(reversed(elements))
    while waiting:
        element = waiting.pop()
        if element.local == "tt":
            yield element
        else:
            waiting += reversed([*element.elements()])


def _inside(element: Element) -> Iterator[Element]:
    waiting = [element]
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting += reversed([*inner.elements()])


def _is_metadata(element: Element, local: str) -> bool:
    uri = element.namespace
    return element.local == local and (uri is None or vocabulary(uri) in (Vocabulary.METADATA, Vocabulary.CONTENT))


def _together(intervals: Sequence[Interval]) -> Interval:
    """From the first start to the last end of intervals."""
    ends = [interval.end for interval in intervals]
    starts = [interval.start for interval in intervals]
    end = None if None in ends else max(end for end in ends if end is not None)
    return Interval(min(starts), end, known=True, cut=any(each.cut for each in intervals), last_start=max(starts))


def _rounded(ms: Fraction) -> int:
    return (2 * ms.numerator + ms.denominator) // (2 * ms.denominator)


def _words_inside(source: Source, element: Element) -> str:
    """All text inside an element, on one line."""
    pieces: list[str] = []
    waiting: list[Element | Text] = [element]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Element):
            waiting += reversed(part.children)
        else:
            pieces.append(source.shown(part.start, part.end))
    return " ".join(" ".join(pieces).split())
