"""The rules about times: time expressions, the rates that they need, and the timecode of the origin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adstudio.dapt import rules
from adstudio.dapt.document import Document
from adstudio.dapt.names import EBU, ORIGIN, PARAMETER
from adstudio.dapt.xml_tree import Element
from adstudio.subtitles.lines import quoted

TIMES = ("begin", "end", "dur", "clipBegin", "clipEnd")
_CLOCK = re.compile(r"\d{2,}:[0-5]\d:[0-5]\d(?:\.\d+)?", re.ASCII)
_CLOCK_FRAMES = re.compile(r"\d{2,}:\d\d:\d\d[:;]\d{2,}(?:\.\d+)?", re.ASCII)
_OFFSET = re.compile(r"\d+(?:\.\d+)?(?:h|m|s|ms|f|t)", re.ASCII)
_WALL_CLOCK = re.compile(r"wallclock\(.*\)", re.DOTALL)
_TIMECODE = re.compile(r"\d{2,}:([0-5]\d):([0-5]\d):(\d{2,9})", re.ASCII)
_RATE = re.compile(r"\s*(\d{1,9})\s*", re.ASCII)
_PROGRAMME = (EBU, "documentStartOfProgramme")


def check_times(document: Document) -> None:
    """Check every time, and what depends on rates."""
    root = document.root
    has_rate = root.get((PARAMETER, "frameRate")) is not None
    has_ticks = root.get((PARAMETER, "tickRate")) is not None
    clocks: Element | None = None
    offsets: Element | None = None
    for element, name, value in _times(document):
        if _CLOCK_FRAMES.fullmatch(value):
            what = f"{name} is {quoted(value)}: times of the clock with frames are prohibited; write seconds, or 12f"
            document.add(rules.CLOCK_FRAMES, what, element)
        elif _WALL_CLOCK.fullmatch(value):
            document.add(rules.TIME_EXPRESSION, f"{name} is a wall-clock time, which is prohibited", element)
        elif _CLOCK.fullmatch(value):
            clocks = clocks or element
        elif not _OFFSET.fullmatch(value):
            what = f"{name} is {quoted(value)}, which is not a time: write it as 12.48s or 00:00:12.480"
            document.add(rules.TIME_EXPRESSION, what, element)
        else:
            offsets = offsets or element
            if value.endswith("f") and not has_rate:
                what = f"{name} is {quoted(value)}, but <tt> has no ttp:frameRate, which frames need"
                document.add(rules.FRAME_RATE, what, element)
            if value.endswith("t") and not has_ticks:
                what = f"{name} is {quoted(value)}, but <tt> has no ttp:tickRate, which ticks need"
                document.add(rules.TICK_RATE, what, element)
    if clocks is not None and offsets is not None:
        later = max(clocks, offsets, key=lambda each: each.line)
        what = "clock times and offsets should not both be used in one document"
        document.add(rules.TIME_EXPRESSION, what, later, advice=True)
    _containers(document)
    _origin(document)


def _times(document: Document) -> Iterator[tuple[Element, str, str]]:
    for element in document.elements:
        for name in TIMES:
            value = element.get(("", name))
            if value is not None and element.namespace.startswith("http://www.w3.org/ns/ttml"):
                yield element, name, value


def _containers(document: Document) -> None:
    for element in document.elements:
        value = element.get(("", "timeContainer"))
        if value is None:
            continue
        if value == "par":
            document.add(rules.TIME_CONTAINER, "timeContainer should be left out", element, advice=True)
        else:
            document.add(rules.TIME_CONTAINER, f"timeContainer is {quoted(value)}: only par is permitted", element)


def _origin(document: Document) -> None:
    in_head = {each for metadata in document.head_metadata() for each in metadata.elements()}
    for name, title in ((ORIGIN, "daptm:daptOriginTimecode"), (_PROGRAMME, "ebuttm:documentStartOfProgramme")):
        found = [each for each in document.elements if each.name == name]
        for each in found[1:]:
            document.add(rules.ORIGIN_TIMECODE, f"there is more than one {title}: leave one", each)
        for each in found:
            if each not in in_head:
                document.add(rules.ORIGIN_TIMECODE, f"{title} is not in <metadata> of <head>: move it there", each)
            _timecode(document, each, title)


def _timecode(document: Document, element: Element, title: str) -> None:
    text = element.words()
    found = _TIMECODE.fullmatch(text)
    written = document.root.get((PARAMETER, "frameRate"))
    if found is None:
        what = f"{title} is {quoted(text)}: write it as hh:mm:ss:ff, such as 10:00:00:00"
        document.add(rules.ORIGIN_TIMECODE, what, element)
        return
    if element.name != ORIGIN:
        # That of EBU-TT is no time expression, so that it does not depend on the document's rate.
        return
    if written is None:
        what = f"{title} counts frames, but <tt> has no ttp:frameRate"
        document.add(rules.ORIGIN_TIMECODE, what, element)
        return
    rate = _RATE.fullmatch(written)
    if rate is not None and int(found[3]) >= int(rate[1]):
        what = f"{title} has frame {found[3]}, but a second has only {int(rate[1])} frames"
        document.add(rules.ORIGIN_TIMECODE, what, element)
