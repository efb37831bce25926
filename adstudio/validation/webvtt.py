"""WebVTT, checked by its grammar (https://www.w3.org/TR/webvtt1/, section 4).

Cues hold caption or subtitle cue text (4.2.2), as those of kind `descriptions` do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from adstudio.core.rule_findings import Findings, Rule, RuleFinding
from adstudio.core.timebase import clock
from adstudio.subtitles.lines import quoted
from adstudio.validation.cue_settings import RegionIds, check_cue_settings, check_region
from adstudio.validation.cue_text import check_cue_text
from adstudio.validation.text_file import text_lines
from adstudio.validation.timestamps import TIMESTAMP, timestamp_ms

ENCODING = Rule("vtt:encoding", "WebVTT 4.1, UTF-8")
HEADER = Rule("vtt:header", "WebVTT 4.1, WebVTT file body")
BLOCK = Rule("vtt:block", "WebVTT 4.1, blocks of a WebVTT file")
COMMENT = Rule("vtt:comment", "WebVTT 4.1, WebVTT comment block")
IDENTIFIER = Rule("vtt:identifier", "WebVTT 4.1, WebVTT cue identifier")
TIMINGS = Rule("vtt:timings", "WebVTT 4.1, WebVTT cue timings")
TIMESTAMPS = Rule("vtt:timestamp", "WebVTT 4.1, WebVTT timestamp")
ORDER = Rule("vtt:order", "WebVTT 4.1, WebVTT cue timings: order of starts")
LAST_LINE = Rule("vtt:end", "WebVTT 4.1, WebVTT cue block: its last line terminator")

_ARROW = "-->"
_HEAD = re.compile(r"WEBVTT(?:[ \t].*)?", re.DOTALL)
_NOTE = re.compile(r"NOTE(?:[ \t].*)?", re.DOTALL)
_DEFINITION = re.compile(r"(STYLE|REGION)[ \t]*")
_TIMING = re.compile(r"([^\s]*)([ \t]*)-->([ \t]*)([^\s]*)(.*)", re.DOTALL)


@dataclass
class _State:
    """What later blocks depend on."""

    findings: Findings
    regions: RegionIds
    identifiers: set[str]
    last_start: int = 0
    cues: int = 0


def check_webvtt(data: bytes, name: str) -> tuple[RuleFinding, ...]:
    """What breaks a rule of WebVTT in a file, in the order of its lines; advice too.

    Raises:
        SubtitleError: for what is no text.
    """
    findings = Findings()
    lines = text_lines(data, name, ENCODING, findings)
    state = _State(findings, RegionIds(), set())
    begin = _header(lines, findings)
    while begin < len(lines):
        if not lines[begin]:
            begin += 1
            continue
        end = _end_of_block(lines, begin)
        _block(lines, begin, end, state)
        begin = end
    if lines and lines[-1]:
        findings.add(LAST_LINE, "the last line should end with a line break", len(lines), advice=True)
    return findings.by_line()


def _header(lines: list[str], findings: Findings) -> int:
    """Checks the first lines; returns where the blocks begin."""
    if not _HEAD.fullmatch(lines[0]):
        if lines[0].startswith("WEBVTT"):
            findings.add(HEADER, f"after WEBVTT there has to be a blank: {quoted(lines[0])}", 1)
        else:
            findings.add(HEADER, "the file does not begin with WEBVTT: put it on a line of its own at the top", 1)
            return int(lines[0].strip().upper().startswith("WEBVTT"))
    if _ARROW in lines[0]:
        findings.add(HEADER, "the line of WEBVTT must not have “-->” in it", 1)
    if len(lines) > 1 and lines[1]:
        findings.add(HEADER, f"after the line of WEBVTT there has to be an empty line, not {quoted(lines[1])}", 2)
        # What is right below is passed over, unless it is a cue.
        end = _end_of_block(lines, 1)
        return 1 if any(_ARROW in line for line in lines[1:end]) else end
    return 1


def _end_of_block(lines: list[str], begin: int) -> int:
    end = begin
    while end < len(lines) and lines[end]:
        end += 1
    return end


def _block(lines: list[str], begin: int, end: int, state: _State) -> None:
    first = lines[begin]
    if _NOTE.fullmatch(first):
        _comment(lines, begin, end, state.findings)
        return
    definition = _DEFINITION.fullmatch(first)
    at = next((k for k in range(begin, min(end, begin + 2)) if _ARROW in lines[k]), None)
    if definition is not None and (at is None or not lines[at][:1].isdigit()):
        _definition(definition[1], lines, begin, end, state)
    elif at is None:
        what = f"{quoted(first)} does not begin a block: a cue has its times on line one or two, a comment begins NOTE"
        state.findings.add(BLOCK, what, begin + 1)
    else:
        _cue(lines, begin, at, end, state)


def _comment(lines: list[str], begin: int, end: int, findings: Findings) -> None:
    for index in range(begin, end):
        if _ARROW in lines[index]:
            findings.add(COMMENT, "a comment must not have “-->” in it", index + 1)


def _definition(kind: str, lines: list[str], begin: int, end: int, state: _State) -> None:
    if state.cues:
        what = f"a {kind} block has to be above the first cue: move it there"
        state.findings.add(BLOCK, what, begin + 1)
    for index in range(begin + 1, end):
        if _ARROW in lines[index]:
            state.findings.add(BLOCK, f"a {kind} block must not have “-->” in it", index + 1)
    if kind == "REGION":
        check_region(lines[begin + 1 : end], begin + 1, state.regions, state.findings)


def _cue(lines: list[str], begin: int, at: int, end: int, state: _State) -> None:
    findings = state.findings
    state.cues += 1
    if at > begin:
        identifier = lines[begin]
        if identifier in state.identifiers:
            what = f"the identifier {quoted(identifier)} is there twice: each cue should have its own"
            findings.add(IDENTIFIER, what, begin + 1, advice=True)
        state.identifiers.add(identifier)
    span = _timings(lines[at], at, state)
    payload: list[str] = []
    for index in range(at + 1, end):
        if _ARROW in lines[index]:
            what = "the text of a cue must not have “-->” in it: write --&gt;, or put an empty line before the next cue"
            findings.add(BLOCK, what, index + 1)
        payload.append(lines[index])
    check_cue_text(payload, at + 1, span, findings)


def _timings(line: str, at: int, state: _State) -> tuple[int, int] | None:
    """Checks the line of a cue's times; returns them, None where they cannot be read."""
    findings = state.findings
    found = _TIMING.fullmatch(line)
    if found is None:
        findings.add(TIMINGS, f"{quoted(line)} is not a timing line: write 00:01.000 --> 00:02.000", at + 1)
        return None
    if not found[2] or not found[3]:
        findings.add(TIMINGS, "“-->” needs a blank on both sides", at + 1)
    times = [_time(text, at, findings) for text in (found[1], found[4])]
    rest = found[5]
    if rest.strip(" \t"):
        check_cue_settings(rest, at + 1, state.regions, findings)
    start, stop = times
    if start is None or stop is None:
        return None
    if stop <= start:
        what = f"the cue ends at {clock(stop)}, which is not after its start at {clock(start)}"
        findings.add(TIMINGS, what, at + 1)
    if start < state.last_start:
        what = f"the cue starts at {clock(start)}, before the one above it ({clock(state.last_start)}): sort the cues"
        findings.add(ORDER, what, at + 1)
    state.last_start = max(state.last_start, start)
    return start, stop


def _time(text: str, at: int, findings: Findings) -> int | None:
    if TIMESTAMP.fullmatch(text):
        return timestamp_ms(text)
    hint = ": the fraction is set off by a point" if "," in text else ""
    findings.add(TIMESTAMPS, f"{quoted(text)} is not a timestamp of the form 00:00:01.000{hint}", at + 1)
    return None
