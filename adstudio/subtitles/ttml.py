"""TTML, IMSC, EBU-TT-D and DFXP: the timed paragraphs of an XML document.

TTML2 (https://www.w3.org/TR/ttml2/), sections 8 (content) and 12 (timing). A paragraph is a cue, or each of its spans
if only they are timed. Metadata, ruby text and content that is not displayed are not dialogue.
"""

from __future__ import annotations

from fractions import Fraction

from adstudio.core.errors import Oddity
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.lines import MAX_CUES, Found, close_endless, quoted
from adstudio.subtitles.parsed_file import SubtitleCue, Voice
from adstudio.subtitles.source import Source
from adstudio.subtitles.ttml_text import Styles, TextReader
from adstudio.subtitles.ttml_times import TtmlTime, read_parameters
from adstudio.subtitles.ttml_timing import Timing
from adstudio.subtitles.xml_scan import Element, Text, scan

_NO_END = "the cue has no end"
_LONE = frozenset({"p"})
_CONTENT = frozenset({"body", "div", "p", "span"})
_PICTURES = frozenset({"image", "img"})


class TtmlReader:
    """Reads one document, with cues in document order."""

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

    def read(self) -> Found:
        """The timed paragraphs of a TTML document.

        Raises:
            SubtitleError: for entity declarations and excessive documents.
        """
        for fault in self.scanned.faults:
            self._odd(fault.at, f"the XML is damaged: {fault.what}")
        root = next((element for element in self.scanned.roots if element.local == "tt"), None)
        if root is None:
            self._odd(0, "the file has no “tt” element")
            return Found([], self.oddities)
        self.prefix = root.prefix
        parameters, notes = read_parameters(root)
        for note in notes:
            self._odd(root.start, note)
        self._read_head(root)
        self.text = TextReader(self.source, self.styles, root.prefix)
        bodies = [child for child in root.elements() if child.local == "body"] or [root]
        self.timing = Timing(parameters, self._is_content, self._odd_time)
        for body in bodies:
            self.timing.settle(body)
        if self.timing.absolute:
            what = "nested times were read as counted from the film’s start, to fit their parents"
            self._odd(bodies[0].start, what)
        for body in bodies:
            self._content(body, _preserved(root, preserved=False), None)
        self.oddities += close_endless(self.cues, dict.fromkeys(self.endless, _NO_END), shown_until_next=True)
        return Found(self.cues, self.oddities, self.language)

    def _odd(self, at: int, what: str) -> None:
        self.oddities.append(Oddity(self.source.clean(what), self.source.line_of(at)))

    def _odd_time(self, at: int, value: str, time: TtmlTime | None) -> None:
        if time is None:
            self._odd(at, f"{quoted(value)} is not a time")
        else:
            self._odd(at, f"{quoted(value)} {time.note}")

    def _is_content(self, element: Element) -> bool:
        return element.local in _CONTENT and element.prefix == self.prefix

    def _read_head(self, root: Element) -> None:
        self.styles = Styles(self.source.text)
        language = root.attributes.get("xml:lang")
        self.language = language.value.strip() or None if language else None
        waiting = [child for child in root.elements() if child.local == "head"]
        while waiting:
            element = waiting.pop()
            if element.local in ("style", "region"):
                self.styles.add(element)
            elif element.local == "agent":
                self._read_agent(element)
            waiting += element.elements()

    def _read_agent(self, agent: Element) -> None:
        identity = agent.attributes.get("xml:id") or agent.attributes.get("id")
        name = next((child for child in agent.elements() if child.local == "name"), None)
        if identity and name is not None:
            self.agents[identity.value.strip()] = _words_inside(self.source, name)

    def _speaker(self, element: Element, inherited: str | None) -> str | None:
        agent = element.get("agent")
        if agent is None:
            return inherited
        return next((self.agents[name] for name in agent.value.split() if self.agents.get(name)), inherited)

    def _content(self, element: Element, preserve: bool, speaker: str | None) -> None:
        preserve = _preserved(element, preserved=preserve)
        speaker = self._speaker(element, speaker)
        if self.language is None and "xml:lang" in element.attributes:
            self.language = element.attributes["xml:lang"].value.strip() or None
        if self.styles.hidden(element):
            return
        if element.local == "p":
            self._paragraph(element, preserve, speaker)
            return
        for child in element.children:
            if isinstance(child, Element) and self._is_content(child):
                self._content(child, preserve, speaker)
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

    def _picture(self, element: Element) -> None:
        self.pictures += 1
        if self.pictures == 1:
            self._odd(element.start, "the file contains subtitles as pictures, which are ignored: only text is read")

    def _paragraph(self, paragraph: Element, preserve: bool, speaker: str | None) -> None:
        self.paragraphs += 1
        if self.paragraphs > MAX_CUES:
            raise SubtitleError(f"there are more than {MAX_CUES:,} cues: split the file")
        timed = [] if self.timing.own(paragraph) else self.timing.timed_spans(paragraph)
        for span in timed:
            voice = self._speaker(span, speaker)
            shown, voices = self.text.read(span, _preserved(span, preserved=preserve), self.agents)
            self._cue(span, shown, voices or _voices(voice))
        shown, voices = self.text.read(paragraph, preserve, self.agents, without=timed)
        if timed and not shown:
            return
        self._cue(paragraph, shown, voices or _voices(speaker))

    def _cue(self, element: Element, shown: str, voices: tuple[Voice, ...]) -> None:
        interval = self.timing.of(element)
        if interval is None or not interval.known:
            if shown:
                self._odd(element.start, f"{quoted(shown)} has no time, so it was ignored")
            return
        if len(self.cues) >= MAX_CUES:
            raise SubtitleError(f"there are more than {MAX_CUES:,} cues: split the file")
        if interval.cut:
            self._odd(element.start, "the cue was cut at the end of its parent element")
        start = _rounded(interval.start)
        if interval.end is None:
            self.endless.append(len(self.cues))
        end = start if interval.end is None else _rounded(interval.end)
        line = self.source.line_of(element.start)
        self.cues.append(SubtitleCue(len(self.cues) + 1, line, start, end, shown, voices))


def _rounded(ms: Fraction) -> int:
    return (2 * ms.numerator + ms.denominator) // (2 * ms.denominator)


def _voices(speaker: str | None) -> tuple[Voice, ...]:
    return (Voice(speaker, 0),) if speaker else ()


def _preserved(element: Element, *, preserved: bool) -> bool:
    attribute = element.attributes.get("xml:space")
    return attribute.value.strip() == "preserve" if attribute else preserved


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
