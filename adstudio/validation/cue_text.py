"""The text of WebVTT's cues (section 4.2.2): its tags, timestamps and character references."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.entities import html5

from adstudio.core.language_tags import is_well_formed
from adstudio.core.rule_findings import Findings, Rule
from adstudio.core.timebase import clock
from adstudio.subtitles.lines import quoted
from adstudio.validation.timestamps import TIMESTAMP, timestamp_ms

TEXT = Rule("vtt:cue-text", "WebVTT 4.2.2, WebVTT caption or subtitle cue text")
TAGS = Rule("vtt:tags", "WebVTT 4.2.2, WebVTT cue spans")
REFERENCES = Rule("vtt:character-reference", "WebVTT 4.2.2, HTML character reference")
CUE_TIMESTAMPS = Rule("vtt:cue-timestamp", "WebVTT 4.2.2, WebVTT cue timestamp")

_PART = re.compile(r"<([^<>]*+)>|<|&(#\d{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{0,31};)?")
_START = re.compile(r"([a-z]+)((?:\.[^\s.&<>]+)*)(?:[ \t\n]+(.*))?", re.DOTALL)
_WITH_ANNOTATION = frozenset({"v", "lang"})
_TAGS = frozenset({"c", "i", "b", "u", "ruby", "rt", "v", "lang"})


def check_cue_text(lines: Sequence[str], before: int, span: tuple[int, int] | None, findings: Findings) -> None:
    """Check a cue's text; `before` is how many lines of the file are above it, `span` its times in ms if known."""
    text = "\n".join(lines)
    if "<" not in text and "&" not in text:
        return
    open_tags: list[tuple[str, int, int]] = []
    last_time: int | None = None
    line, counted = before + 1, 0
    for part in _PART.finditer(text):
        line += text.count("\n", counted, part.start())
        counted = part.start()
        if part[0].startswith("&"):
            _reference(part[2], line, findings)
        elif part[1] is None:
            findings.add(TEXT, "“<” does not begin a tag: write &lt;", line)
        elif part[1][:1].isdigit():
            last_time = _timestamp(part[1], last_time, span, line, findings)
        elif part[1].startswith("/"):
            _close(part[1][1:], open_tags, line, findings)
        else:
            _open(part[1], open_tags, line, part.start(), findings)
    for name, at, place in open_tags:
        # What the whole text is in needs no end tag; nor does the last <rt> of a ruby text.
        if name == "v" and place == 0:
            continue
        findings.add(TAGS, f"<{name}> is never closed: add </{name}>", at)


def _reference(found: str | None, line: int, findings: Findings) -> None:
    if found is None:
        findings.add(REFERENCES, "“&” does not begin a character reference: write &amp;", line)
    elif not found.startswith("#") and found not in html5:
        findings.add(REFERENCES, f"{quoted('&' + found)} is not an HTML character reference", line)


def _open(inside: str, open_tags: list[tuple[str, int, int]], line: int, place: int, findings: Findings) -> None:
    found = _START.fullmatch(inside)
    if found is None or found[1] not in _TAGS:
        what = f"<{inside[:20]}> is not a WebVTT tag: use c, i, b, u, ruby, v or lang, or write &lt;"
        findings.add(TAGS, what, line)
        return
    name, annotation = found[1], (found[3] or "").strip()
    if name in _WITH_ANNOTATION and not annotation:
        findings.add(TAGS, f"<{name}> needs {'a name' if name == 'v' else 'a language tag'} after a blank", line)
    elif name == "lang" and not is_well_formed(annotation):
        findings.add(TAGS, f"{quoted(annotation)} is not a language tag", line)
    elif annotation and name not in _WITH_ANNOTATION:
        findings.add(TAGS, f"<{name}> takes nothing after a blank, but has {quoted(annotation)}", line)
    if name == "rt":
        if open_tags and open_tags[-1][0] == "rt":
            open_tags.pop()
        if not open_tags or open_tags[-1][0] != "ruby":
            findings.add(TAGS, "<rt> is outside <ruby>", line)
    open_tags.append((name, line, place))


def _close(name: str, open_tags: list[tuple[str, int, int]], line: int, findings: Findings) -> None:
    if name == "ruby" and open_tags and open_tags[-1][0] == "rt":
        open_tags.pop()
    if open_tags and open_tags[-1][0] == name:
        open_tags.pop()
    elif any(each[0] == name for each in open_tags):
        what = f"</{name}> closes a tag while <{open_tags[-1][0]}> inside it is open"
        findings.add(TAGS, what, line)
        while open_tags.pop()[0] != name:
            pass
    else:
        findings.add(TAGS, f"</{name[:20]}> has no start tag", line)


def _timestamp(text: str, last: int | None, span: tuple[int, int] | None, line: int, findings: Findings) -> int | None:
    if not TIMESTAMP.fullmatch(text):
        findings.add(CUE_TIMESTAMPS, f"<{text[:20]}> is not a timestamp of the form <00:00:01.000>", line)
        return last
    time = timestamp_ms(text)
    if span is not None and not span[0] < time < span[1]:
        findings.add(CUE_TIMESTAMPS, f"<{clock(time)}> is not inside the times of its cue", line)
    elif last is not None and time <= last:
        findings.add(CUE_TIMESTAMPS, f"<{clock(time)}> is not after the timestamp before it", line)
    return time
