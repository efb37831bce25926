"""SubRip, checked as the trade writes it: it has no specification.

A block is a number, a line of times with a comma, at least one line of text, and an empty line
(https://www.matroska.org/technical/subtitles.html, “SRT Subtitles”).
"""

from __future__ import annotations

import re

from adstudio.core.rule_findings import Findings, Rule, RuleFinding
from adstudio.core.timebase import clock
from adstudio.subtitles.lines import quoted
from adstudio.validation.text_file import text_lines

ENCODING = Rule("srt:encoding", "SubRip, UTF-8")
NUMBER = Rule("srt:number", "SubRip, first line of a block: its number")
TIMES = Rule("srt:times", "SubRip, second line of a block: 00:00:01,000 --> 00:00:02,000")
ORDER = Rule("srt:order", "SubRip, blocks in the order of their times")
TEXT = Rule("srt:text", "SubRip, the text of a block")
MARKUP = Rule("srt:markup", "SubRip, tags b, i, u, font")

_ARROW = "-->"
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_TIME = r"(\d{2,3}):([0-5]\d):([0-5]\d),(\d{3})"
_TIMING = re.compile(rf"{_TIME} --> {_TIME}(.*)", re.ASCII | re.DOTALL)
_LIKE_TIMES = re.compile(r"[\d:;.,\s]++(?:-{1,3}>|=>|\u2192)[\d:;.,\s]*+")
_COORDINATES = re.compile(r"(?:[ \t]+[XY][12]:-?\d+)+")
_TAG = re.compile(r"<(/?)([A-Za-z]+)([^<>]*)>")
_TAGS = frozenset({"b", "i", "u", "s", "font"})


class _Order:
    """What the next block has to follow."""

    def __init__(self) -> None:
        self.number = 0
        self.start = 0
        self.end = 0


def check_subrip(data: bytes, name: str) -> tuple[RuleFinding, ...]:
    """What breaks a rule of SubRip in a file, in the order of its lines; advice too.

    Raises:
        SubtitleError: for what is no text.
    """
    findings = Findings()
    lines = text_lines(data, name, ENCODING, findings)
    order = _Order()
    begin = 0
    if lines and lines[0].startswith("WEBVTT"):
        findings.add(NUMBER, "the file begins as WebVTT does: name it .vtt", 1)
        begin = 1
    while begin < len(lines):
        if not lines[begin].strip():
            begin += 1
            continue
        end = begin
        while end < len(lines) and lines[end].strip():
            end += 1
        _block(lines, begin, end, order, findings)
        begin = end
    if not order.number and not any(line.strip() for line in lines):
        findings.add(NUMBER, "the file has no subtitle", None, advice=True)
    return findings.by_line()


def _block(lines: list[str], begin: int, end: int, order: _Order, findings: Findings) -> None:
    at = next((k for k in range(begin, min(end, begin + 2)) if _is_like_times(lines[k])), None)
    if at is None:
        what = (
            f"{quoted(lines[begin])} does not begin a block: number and times are missing (an empty line ends a text)"
        )
        findings.add(TEXT, what, begin + 1)
        return
    if at == begin:
        findings.add(NUMBER, "the block has no number above its times", begin + 1)
        order.number += 1
    else:
        _number(lines[begin], begin, order, findings)
    _times(lines[at], at, order, findings)
    if at + 1 == end:
        findings.add(TEXT, "the block has no text", at + 1)
    for index in range(at + 1, end):
        if _ARROW in lines[index]:
            what = "there is a timing line within the text: put an empty line before the next block’s number"
            findings.add(TEXT, what, index + 1)
    _markup(lines, at + 1, end, findings)


def _is_like_times(line: str) -> bool:
    return _ARROW in line or _LIKE_TIMES.fullmatch(line) is not None


def _number(line: str, at: int, order: _Order, findings: Findings) -> None:
    text = line.strip()
    expected = order.number + 1
    order.number = expected
    if not _NUMBER.fullmatch(text):
        findings.add(NUMBER, f"{quoted(line)} is where the block’s number should be", at + 1)
        return
    if int(text) != expected:
        findings.add(NUMBER, f"the number is {int(text)}, but the block is the {_ordinal(expected)}", at + 1)
    order.number = int(text)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _times(line: str, at: int, order: _Order, findings: Findings) -> None:
    found = _TIMING.fullmatch(line.rstrip(" \t"))
    if found is None:
        hint = ": the fraction is set off by a comma" if "." in line and "," not in line else ""
        findings.add(TIMES, f"{quoted(line)} is not a timing line{hint}", at + 1)
        return
    start, end = _ms(found.groups()[:4]), _ms(found.groups()[4:8])
    rest = found[9]
    if _COORDINATES.fullmatch(rest):
        findings.add(TIMES, "few programs read positions after the times", at + 1, advice=True)
    elif rest:
        findings.add(TIMES, f"{quoted(rest)} follows the times: remove it", at + 1)
    if end <= start:
        what = f"the block ends at {clock(end, separator=',')}, which is not after its start"
        findings.add(TIMES, what, at + 1)
    if start < order.start:
        what = f"the block starts at {clock(start, separator=',')}, before the one above it: sort the blocks"
        findings.add(ORDER, what, at + 1)
    elif start < order.end:
        findings.add(ORDER, "the block starts before the one above it has ended", at + 1, advice=True)
    order.start, order.end = max(order.start, start), max(order.end, end)


def _ms(parts: tuple[str, ...]) -> int:
    hours, minutes, seconds, thousandths = (int(part) for part in parts)
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths


def _markup(lines: list[str], begin: int, end: int, findings: Findings) -> None:
    open_tags: list[tuple[str, int]] = []
    for index in range(begin, end):
        for tag in _TAG.finditer(lines[index]):
            name = tag[2].lower()
            if name not in _TAGS:
                what = f"{quoted(tag[0])} is not a SubRip tag, so players may show it or drop it"
                findings.add(MARKUP, what, index + 1, advice=True)
            elif not tag[1]:
                open_tags.append((name, index + 1))
            elif open_tags and open_tags[-1][0] == name:
                open_tags.pop()
            else:
                findings.add(MARKUP, f"</{name}> does not close the tag that was opened last", index + 1)
                open_tags = [each for each in open_tags if each[0] != name]
    for name, line in open_tags:
        findings.add(MARKUP, f"<{name}> is never closed", line)
