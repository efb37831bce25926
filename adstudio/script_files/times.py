"""Times as people write them before a text, and the marks of lists, quotations and emphasis (Markdown)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from adstudio.core.timebase import MAX_TIME_MS, FrameRate, TimeError

_CLOCK = r"(?:\d{1,2}:\d{1,3}:\d\d|\d{1,3}:[0-5]\d)(?:[.,:;]\d{1,3}(?!:?\d))?"
_DOTS = r"\d{1,2}\.[0-5]\d\.[0-5]\d(?:[.,:;]\d{1,3})?"
_UNITS = (
    r"\d{1,2}\s?h(?:\s?\d{1,2}\s?m(?:in)?(?:\s?\d{1,2}\s?s(?:ec)?)?)\b|\d{1,3}\s?m(?:in)?\s?\d{1,2}\s?s(?:ec)?\b"
    r"|\d{1,3}['′]\s?\d{1,2}(?:''|[\"″])"
)
_SECONDS = r"\d{1,6}(?:[.,]\d{1,3})?\s?s\b"
_LONG_SECONDS = r"\d{1,6}(?:[.,]\d{1,3})?\s(?:s|sec|seconds?)\b"
_TIME = rf"(?:{_UNITS}|{_DOTS}|{_CLOCK})"
_ANY = rf"(?:{_UNITS}|{_DOTS}|{_CLOCK}|{_SECONDS})"
_DASH = r"\s*(?:-->|->|→|to|[-–—])\s*"
_BETWEEN = rf"(?:{_DASH}|[,;]\s*(?=\d)|(?:\s*[,;|]\s*|\s+)(?:(?:tc\s?)?(?:out|end)\s?[:=]?\s*)?)"
_EMPHASIS = r"[*_`]{0,4}"
_TIMED = re.compile(
    rf"\s*{_EMPHASIS}(?:(?:(?:tcr?|timecode|time)\s?(?:in)?\s?[:=]?|(?-i:IN|START|BEGIN)\s?[:=]?|(?:in"
    rf"|start)\s?[:=])\s*)?"
    rf"{_EMPHASIS}"
    rf"(?:[\[(]\s*(?P<a>{_ANY})(?:(?:{_BETWEEN}|\s*[\])]{_BETWEEN}?[\[(]\s*)(?P<b>{_ANY}))?\s*[\])]"
    rf"|at\s+(?P<g>{_LONG_SECONDS})(?=\s|[:,]|\Z)"
    rf"|(?P<c>{_TIME})(?:{_BETWEEN}(?P<d>{_TIME})(?:\s+(?:dur(?:ation)?\s?[:=]?\s?)?{_TIME})?)?(?!\s*(?:(?-i:[AP]M"
    rf"|pm)\b|[ap]\.m\.))(?=\s|[:|*_`–—]|[,;]\D|\Z)"
    rf"|(?P<e>{_SECONDS})(?:{_DASH}(?P<f>{_SECONDS}))?\s*(?=[:|*_`–—-]|\Z))"
    rf"{_EMPHASIS}\s*[:|,;–—-]?{_EMPHASIS}\s*",
    re.IGNORECASE,
)
_OUT_LINE = re.compile(rf"\s*(?:tc\s?)?(?:out|end|stop|ende|fin)\s?[:=]?\s*(?P<time>{_TIME})\s*", re.IGNORECASE)
_DURATION_LINE = re.compile(
    rf"\s*[\[(]?(?:dur(?:ation)?|length|dauer|durée|duración|durata)\s?[:=]?\s*(?:{_ANY}|\d+(?:[.,]\d+)?)[\])]?\s*",
    re.IGNORECASE,
)
_INSIDE = re.compile(rf"(?<=[.!?…”\"’)])\s+(?=[\[(]\s*{_ANY}(?:{_DASH}{_ANY})?\s*[\])](?:\s|\Z))", re.IGNORECASE)
_LAST_SECONDS = re.compile(rf"(?<!\s)\s*[\[(]\s?{_SECONDS}\s?[\])]\s?\Z", re.IGNORECASE)
_OF_THREE = re.compile(r"\d{1,2}:(?P<minutes>\d{1,3}):(?P<seconds>\d\d)(?!\d)(?P<frames>:\d)?")
_UNIT = re.compile(r"(\d+)\s?([hms'′\"″])")
_MARK = re.compile(r"\s*(?:>+\s*|[-*+•]\s+(?:\[[ xX]\]\s+)?)")
_NUMBER = re.compile(r"\s*\d{1,3}[.)]\s+(?=\S)")
_LINK = re.compile(r"!?\[([^\]\[]{0,300})\]\((?:[^()\s\[\]]{0,500})\)")
_STRUCK = re.compile(r"~~[^~]{1,500}~~")
_UNDERSCORES = re.compile(r"(?<![^\W_])_{1,3}(?=\S)|(?<=[^\s_])_{1,3}(?![^\W_])")


@dataclass(frozen=True)
class ImpossibleTime:
    """What is written like hours, minutes and seconds and is no time, and what it has too many of: 70 seconds."""

    written: str
    has: str


@dataclass(frozen=True)
class Stamp:
    """A time before a text (ms), its end if given, the time as written, and the text after it.

    `label`: it is a timecode with frames, so that it counts labels, not the clock. Where the time, or its end, is
    impossible, `wrong` and `wrong_end` say so, and `at` and `until` are what it adds up to.
    """

    at: int
    until: int | None
    written: str
    rest: str
    label: bool = False
    wrong: ImpossibleTime | None = None
    wrong_end: ImpossibleTime | None = None


def time_stamp(line: str, rate: FrameRate) -> Stamp | None:
    """The time that a line begins with, if it does; frames in a timecode are of that rate."""
    found = _TIMED.match(line)
    if found is None:
        return None
    first = found["a"] or found["c"] or found["e"] or found["g"]
    last = found["b"] or found["d"] or found["f"]
    at, until = milliseconds(first, rate), milliseconds(last, rate) if last else None
    if at is None:
        return None
    ends = until is not None and until > at
    return Stamp(
        at,
        until if ends else None,
        first,
        line[found.end() :],
        _is_label(first),
        _impossible(first, rate),
        _impossible(last, rate) if last else None,
    )


def _impossible(written: str, rate: FrameRate) -> ImpossibleTime | None:
    """Whether hours, minutes and seconds are no time. At an unusual rate the last of three may be a frame above 59."""
    found = _OF_THREE.match(written.strip())
    if found is None:
        return None
    most = 59 if found["frames"] else max(59, rate.nominal - 1)
    parts = (("minutes", 59), ("seconds", most))
    has = " and ".join(f"{int(found[part])} {part}" for part, highest in parts if int(found[part]) > highest)
    return ImpossibleTime(written.strip(), has) if has else None


def split_at_times(line: str, rate: FrameRate) -> list[str]:
    """A line split before each time in brackets that follows a sentence in it.

    A time at the very end, where no other stands in the line, is the line's own, so it is put before it; seconds at the
    very end say how long it is, and are left out.
    """
    length = _LAST_SECONDS.search(line)
    if length is not None and any(map(str.isalpha, line[: length.start()])):
        line = line[: length.start()]
    parts = _INSIDE.split(line)
    if len(parts) == 2 and (last := time_stamp(parts[1], rate)) and not last.rest and not time_stamp(parts[0], rate):
        return [f"{parts[1].strip()} {parts[0]}"]
    return parts


def milliseconds(written: str, rate: FrameRate) -> int | None:
    """A written time in milliseconds, or None if no film is that long."""
    text = written.strip()
    if "." in text and ":" not in text and text.count(".") >= 2:
        hours, minutes, rest = text.split(".", 2)
        text = f"{hours}:{minutes}:{rest.replace('.', ':')}"
    if ":" not in text:
        return _of_units(text)
    if _is_label(text):
        return _of_label(text, rate)
    whole, _, rest = text.replace(",", ".").replace(";", ":").partition(".")
    total = 0
    for part in whole.split(":"):
        total = total * 60 + int(part)
    return _within(total * 1000 + (round(float(f"0.{rest}") * 1000) if rest else 0))


def without_marks(line: str, *, numbered: bool) -> tuple[str, bool]:
    """A line without what makes it a quotation or an item of a list, and whether it was one.

    `numbered`: a number with a stop before it makes it one too; in the middle of a paragraph it belongs to the text.
    """
    at, item = 0, False
    while found := _MARK.match(line, at):
        at, item = found.end(), item or ">" not in found[0]
    if numbered and (found := _NUMBER.match(line, at)):
        at, item = found.end(), True
    return line[at:], item


def without_emphasis(text: str) -> str:
    """A text without marks of emphasis, code and links; what is struck out is left out."""
    text = _STRUCK.sub("", _LINK.sub(r"\1", text))
    return _UNDERSCORES.sub("", text.replace("*", "").replace("`", ""))


def is_time(cell: str) -> bool:
    """Whether a cell holds a time and nothing else."""
    found = _TIMED.match(cell)
    return found is not None and found.end() == len(cell)


def time_span(first: str, last: str, rate: FrameRate) -> Stamp | None:
    """The time that two cells give, the second of which may be empty; None if the first holds none.

    The first may hold both: 0:02 – 0:06.
    """
    if not is_time(first):
        return None
    span = time_stamp(f"[{first.strip('*_` []()')}]", rate) or time_stamp(first, rate)
    end = time_stamp(f"[{last.strip('*_` []()')}]", rate) if is_time(last) else None
    if span is None or end is None:
        return span
    return replace(span, until=end.at if end.at > span.at else None, wrong_end=end.wrong)


def out_time(line: str, rate: FrameRate) -> int | None:
    """The time (ms) on a line that holds only an out time: OUT: 00:01:27:05."""
    found = _OUT_LINE.fullmatch(line)
    return milliseconds(found["time"], rate) if found is not None else None


def is_duration(line: str) -> bool:
    """Whether a line holds only a duration: Duration: 4.5 s."""
    return _DURATION_LINE.fullmatch(line) is not None


def _is_label(text: str) -> bool:
    return text.count(":") + text.count(";") == 3 or bool(re.fullmatch(r"\d+\.\d+\.\d+[.:;]\d+", text))


def _of_label(text: str, rate: FrameRate) -> int | None:
    clock, frames = re.split(r"[:;.](?=\d+\Z)", text)
    clock = re.sub(r"[;.]", ":", clock)
    label = f"{clock}:{frames.zfill(2)}"
    try:
        return _within(rate.ms_of_label(label))
    except TimeError:
        # A frame that is none, or beyond 24 hours: the seconds are meant all the same.
        hours, minutes, seconds = map(int, clock.split(":"))
        return _within(((hours * 60 + minutes) * 60 + seconds) * 1000)


def _of_units(text: str) -> int | None:
    if found := re.fullmatch(r"(\d{1,6}(?:[.,]\d{1,3})?)\s?(?:s|sec|seconds?)", text, re.IGNORECASE):
        return _within(round(float(found[1].replace(",", ".")) * 1000))
    worth = {"h": 3_600_000, "m": 60_000, "'": 60_000, "′": 60_000, "s": 1000, '"': 1000, "″": 1000}
    plain = text.lower().replace("''", '"')
    return _within(sum(int(number) * worth[unit] for number, unit in _UNIT.findall(plain)))


def _within(ms: int) -> int | None:
    return ms if ms < MAX_TIME_MS else None
