"""Reading a DAPT document as far as possible: what breaks a rule is listed and, where it is safe, read all the same."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.rule_findings import RuleFinding
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.dapt.audio_checks import GAIN
from adstudio.dapt.names import (
    AUDIO,
    CONTENT_PROFILE,
    DAPT,
    EBU,
    IDENTIFIER,
    LANGUAGE,
    METADATA,
    ORIGIN,
    SPACE,
    TTML,
)
from adstudio.dapt.script import DaptScript, Duck, ScriptEvent
from adstudio.dapt.times import ALWAYS, Interval, Timing, frame_rate, rounded
from adstudio.dapt.validator import check_tree
from adstudio.dapt.xml_tree import WHITE_SPACE, Element, XmlError, parse
from adstudio.subtitles.decoding import decode

MAX_BYTES = 64_000_000
"""The largest script in any format."""
MAX_EVENTS = 100_000
_DEEPEST = 600
"""Tenths of a dB that stand for silence."""
_DIV, _P, _SPAN, _BR = (TTML, "div"), (TTML, "p"), (TTML, "span"), (TTML, "br")
_SPACES = " \t\r\n"
_BLANK, _BREAK = "\x00", "\x01"
"""White space that may be collapsed, and a line break: neither can be in XML."""
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_PITCH = re.compile(r"([+-]\d{1,3})%", re.ASCII)


class ReadDapt(NamedTuple):
    """A script, the rules that its document breaks, and what else of it was repaired or not used."""

    script: DaptScript
    findings: tuple[RuleFinding, ...]
    oddities: tuple[Oddity, ...]


def looks_like_dapt(data: bytes) -> bool:
    """Whether the beginning of a file is that of a DAPT document."""
    head = data[:20_000].replace(b"\0", b"")
    return b"<" in head and (CONTENT_PROFILE.encode() in head or DAPT.encode() in head)


def read_document(data: bytes, name: str) -> ReadDapt:
    """The script of a document.

    Raises:
        BadInputError: for what is not well-formed XML, has a document type, has no `tt` of TTML, or is too large.
    """
    if len(data) > MAX_BYTES:
        raise BadInputError(f"{name} is larger than a DAPT script can be ({MAX_BYTES // 1_000_000} MB)")
    oddities: list[Oddity] = []
    try:
        root, _ = parse(_in_utf8(data, name, oddities))
    except XmlError as error:
        raise BadInputError(f"{name}, line {error.line}: {error.what}") from error
    if root.name != (TTML, "tt"):
        raise BadInputError(f"{name} is not a DAPT script: its root element is not <tt> in the namespace {TTML}")
    script, found = _Reader(root, name).read()
    return ReadDapt(script, check_tree(root), (*oddities, *found))


def _in_utf8(data: bytes, name: str, oddities: list[Oddity]) -> bytes:
    """The document in UTF-8, as DAPT requires it; others are decoded by what they say or are."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        source, found = decode(data, name)
        oddities += found
        return source.clean(source.text).encode("utf-8")
    return data.removeprefix(b"\xef\xbb\xbf")


class _Reader:
    """Walks a document once."""

    def __init__(self, root: Element, name: str) -> None:
        self.root = root
        self.name = name
        self.timing = Timing(root)
        self.language = root.get(LANGUAGE) or ""
        self.language_source = root.get((DAPT, "langSrc")) or ""
        self.oddities: list[Oddity] = []
        self.events: list[ScriptEvent] = []
        self.names: dict[str, str] = {}

    def read(self) -> tuple[DaptScript, list[Oddity]]:
        root = self.root
        title = origin = ""
        for head in root.elements((TTML, "head")):
            for metadata in head.elements((TTML, "metadata")):
                title = title or _first(metadata, (METADATA, "title"))
                origin = origin or _first(metadata, ORIGIN)
                self._names(metadata)
                programme = _first(metadata, (EBU, "documentStartOfProgramme"))
                if programme and programme != origin:
                    what = f"the programme begins at timecode {programme[:20]}; times are used as written"
                    self.oddities.append(Oddity(what, metadata.line))
            title = title or _first(head, (METADATA, "title"))
        for body in root.elements((TTML, "body")):
            self._divisions(body, self.timing.of(body, ALWAYS))
        for element in dict.fromkeys(self.timing.unread):
            self.oddities.append(Oddity("a time that cannot be read was ignored", element.line))
        return (
            DaptScript(
                self.language,
                tuple(self.events),
                tuple((root.get((DAPT, "scriptRepresents")) or "visual").split()) or ("visual",),
                self.language_source,
                root.get((DAPT, "scriptType")) or "",
                title,
                origin,
                frame_rate(root),
            ),
            self.oddities,
        )

    def _names(self, metadata: Element) -> None:
        for agent in metadata.elements((METADATA, "agent")):
            names = [each.words() for each in agent.elements((METADATA, "name"))]
            self.names.setdefault(agent.get(IDENTIFIER) or "", next((each for each in names if each), ""))

    def _divisions(self, outer: Element, interval: Interval) -> None:
        # Elements are nested no deeper than the limit of the XML reader.
        if outer.local == "div":
            self._event(outer, interval)
        for child in outer.elements(_DIV):
            self._divisions(child, self.timing.of(child, interval))
        if outer.local == "body":
            for child in outer.elements(_P):
                self.oddities.append(Oddity("a text outside <div> was ignored", child.line))

    def _event(self, division: Element, interval: Interval) -> None:
        paragraphs = [*division.elements(_P)]
        if not paragraphs and (any(division.elements(_DIV)) or division.get(IDENTIFIER) is None):
            return
        if paragraphs and (any(division.elements(_DIV)) or division.get(IDENTIFIER) is None):
            self.oddities.append(Oddity("a text that belongs to no event was read as a line", paragraphs[0].line))
        if len(self.events) >= MAX_EVENTS:
            raise BadInputError(f"{self.name} has more than {MAX_EVENTS:,} events: split the file")
        texts = [_Paragraph(each, self.timing, self.timing.of(each, interval)) for each in paragraphs]
        chosen = self._in_one_language([each for each in texts if each.text])
        spoken = [each.spoken for each in chosen] or [interval]
        words = _together(spoken)
        if words.begin > MAX_TIME_MS or (words.end or 0) > MAX_TIME_MS:
            what = "an event beyond a hundred hours was ignored: check the unit of its times"
            self.oddities.append(Oddity(what, division.line))
            return
        first = chosen[0].element if chosen else division
        span = chosen[0].words_in if chosen else division
        language = span.inherited(LANGUAGE) or ""
        source = span.inherited((DAPT, "langSrc")) or ""
        if division.get(("", "begin")) is None and words.begin == 0 and chosen:
            self.oddities.append(Oddity("an event has no time of its own, so that it begins at 0", division.line))
        self.events.append(
            ScriptEvent(
                division.get(IDENTIFIER) or "",
                "\n".join(each.text for each in chosen),
                rounded(words.begin),
                None if words.end is None else rounded(words.end),
                span.inherited((DAPT, "represents")) or "",
                language if language != self.language else "",
                source if source != self.language_source else "",
                "\n".join(_descriptions(division, None)),
                tuple(_descriptions(division, "pronunciationNote")),
                "; ".join(_descriptions(division, "scene")),
                self._voice(first),
                _speed(span),
                _pitch(span),
                _duck(division, first, interval, words),
                _recording(span, first),
                first.line,
            )
        )

    def _in_one_language(self, texts: Sequence[_Paragraph]) -> Sequence[_Paragraph]:
        """The texts in the language of the script or, if there are none, in that of the first."""
        if len(texts) < 2:
            return texts
        languages = [each.element.inherited(LANGUAGE) or "" for each in texts]
        wanted = self.language if self.language in languages else languages[0]
        for text, language in zip(texts, languages, strict=True):
            if language != wanted:
                what = f"the text in {language[:20] or 'another language'} beside that in {wanted[:20]} was ignored"
                self.oddities.append(Oddity(what, text.element.line))
        return [text for text, language in zip(texts, languages, strict=True) if language == wanted]

    def _voice(self, element: Element) -> str:
        identifiers = (element.inherited((METADATA, "agent")) or "").split()
        return ", ".join(name for name in (self.names.get(each, "") for each in identifiers) if name)


class _Paragraph:
    """A paragraph's text, when it is spoken, and the element that its first words are in."""

    def __init__(self, element: Element, timing: Timing, interval: Interval) -> None:
        self.element = element
        self.timing = timing
        self.words_in = element
        self._pieces: list[str] = []
        self._intervals: list[Interval] = []
        self._walk(element, interval, element.inherited(SPACE) == "preserve")
        text = re.sub(f"{_BLANK}+", _BLANK, "".join(self._pieces))
        text = re.sub(f"{_BLANK}?{_BREAK}{_BLANK}?", _BREAK, text).strip(_BLANK)
        self.text = text.replace(_BLANK, " ").replace(_BREAK, "\n")
        self.spoken = _together(self._intervals or [interval])

    def _walk(self, element: Element, interval: Interval, preserve: bool) -> None:
        for child in element.children:
            if isinstance(child, str):
                self._pieces.append(child if preserve else WHITE_SPACE.sub(_BLANK, child))
                if preserve or child.strip(_SPACES):
                    if not self._intervals:
                        self.words_in = element
                    self._intervals.append(interval)
            elif child.name == _BR:
                self._pieces.append(_BREAK)
            elif child.name == _SPAN:
                own = child.get(SPACE)
                inner = preserve if own is None else own == "preserve"
                self._walk(child, self.timing.of(child, interval), inner)


def _together(intervals: Sequence[Interval]) -> Interval:
    """From the first begin to the last end."""
    ends = [each.end for each in intervals if each.end is not None]
    return Interval(min(each.begin for each in intervals), max(ends) if len(ends) == len(intervals) else None)


def _first(element: Element, name: tuple[str, str]) -> str:
    return next((each.words() for each in element.elements(name)), "")


def _descriptions(division: Element, kind: str | None) -> Iterator[str]:
    for parent in (division, *division.elements((TTML, "metadata"))):
        for each in parent.elements((METADATA, "desc")):
            if each.get((DAPT, "descType")) == kind:
                text = "".join(part for part in each.children if isinstance(part, str)).strip(_SPACES)
                if text:
                    yield text


def _speed(element: Element) -> str:
    value = element.inherited((AUDIO, "speak")) or ""
    return value if value in ("normal", "fast", "slow") else ""


def _recording(span: Element, paragraph: Element) -> str:
    """The address of a recording in a file of its own: the first one, beside the text or in its paragraph."""
    for element in dict.fromkeys((span, paragraph)):
        for audio in element.elements((TTML, "audio")):
            for each in (audio, *audio.elements((TTML, "source"))):
                address = each.get(("", "src")) or ""
                if address and not address.startswith("#"):
                    return address
    return ""


def _pitch(element: Element) -> int:
    found = _PITCH.fullmatch(element.inherited((AUDIO, "pitch")) or "")
    return int(found[1]) if found else 0


def _duck(division: Element, paragraph: Element, around: Interval, spoken: Interval) -> Duck | None:
    """How far the programme is lowered by the event or its text; the rest of its time is beside the words."""
    elements = dict.fromkeys((division, paragraph))
    still = [each for element in elements for each in _levels(element)]
    moving = [_levels(each) for element in elements for each in element.elements((TTML, "animate"))]
    moving += [_levels(each) for element in elements for each in element.elements((TTML, "set"))]
    lowest = min((level for levels in (still, *moving) for level in levels), default=1.0)
    if lowest >= 1:
        return None
    depth = _DEEPEST if lowest < 0.001 else min(_DEEPEST, round(-200 * math.log10(lowest)))
    before = rounded(spoken.begin - around.begin)
    after = 0 if spoken.end is None or around.end is None else rounded(around.end - spoken.end)
    rises = any(levels and levels[-1] > levels[0] for levels in moving)
    return Duck(depth, before, after, starts=bool(still), stays=not rises)


def _levels(element: Element) -> list[float]:
    parts = (element.get(GAIN) or "").split(";")
    return [abs(float(part)) for part in parts if _NUMBER.fullmatch(part.strip())]
