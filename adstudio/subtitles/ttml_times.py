"""The times of TTML: clock times, offsets, frames, ticks and drop-frame counting.

TTML2 (https://www.w3.org/TR/ttml2/), sections 7.2 (parameters) and 12.3.1 (time expressions); appendix “Time
Expression Semantics” for how frames become media time. All arithmetic is in fractions; nothing is rounded here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from adstudio.subtitles.times import read_time
from adstudio.subtitles.ttml_namespaces import Vocabulary, attribute
from adstudio.subtitles.xml_scan import Element

_CLOCK = re.compile(r"(\d{2,5}):(\d\d):(\d\d)(?:\.(\d{1,30})|[:;](\d{2,4})(?:\.(\d{1,4}))?)?", re.ASCII)
_OFFSET = re.compile(r"(\d{1,15})(?:\.(\d{1,30}))?(h|ms|m|s|f|t)", re.ASCII)
_BARE = re.compile(r"\d{1,9}(?:\.\d{1,30})?", re.ASCII)
_UNITS = {"h": Fraction(3_600_000), "m": Fraction(60_000), "s": Fraction(1000), "ms": Fraction(1)}
_NTSC = {"23.976": 24, "23.98": 24, "29.97": 30, "47.952": 48, "59.94": 60, "119.88": 120}


@dataclass(frozen=True)
class TimeParameters:
    """The root's time parameters: `frame_rate` is labels per second, `effective_rate` frames per real second."""

    frame_rate: Fraction = Fraction(30)
    effective_rate: Fraction = Fraction(30)
    sub_frames: int = 1
    tick_rate: Fraction = Fraction(1)
    smpte: bool = False
    drop: str = ""

    def ms_of_label(self, seconds: int, frames: Fraction) -> Fraction:
        """The milliseconds of a label of whole seconds and frames."""
        if not self.smpte:
            return seconds * 1000 + frames * 1000 / self.effective_rate
        minutes = seconds // 60
        hours, minute = divmod(minutes, 60)
        dropped = 0
        if self.drop == "dropNTSC":
            dropped = (hours * 54 + minute - minute // 10) * 2
        elif self.drop == "dropPAL":
            dropped = (hours * 27 + minute // 2 - minute // 20) * 4
        return (seconds * self.frame_rate + frames - dropped) * 1000 / self.effective_rate


class TtmlTime(NamedTuple):
    """Exact milliseconds, and a note about odd notation.

    `impossible_frame`: the frame number exceeds the rate; other oddities are a file's notation.
    """

    ms: Fraction
    note: str = ""
    impossible_frame: bool = False


def read_parameters(root: Element) -> tuple[TimeParameters, list[str]]:
    """The parameters on the `tt` element, and notes about odd ones."""
    notes: list[str] = []
    value = {name: _value(root, name) for name in ("frameRate", "frameRateMultiplier", "subFrameRate", "tickRate")}
    rate, ratio = Fraction(30), Fraction(1)
    if value["frameRate"]:
        rate = _positive(value["frameRate"], "frameRate", notes) or rate
        whole = _NTSC.get(value["frameRate"])
        if whole:
            rate, ratio = Fraction(whole), Fraction(1000, 1001)
            notes.append(f"a frameRate of {value['frameRate']} was read as {whole} × 1000/1001")
    if value["frameRateMultiplier"] and ratio == 1:
        parts = re.split(r"[\s:/]+", value["frameRateMultiplier"].strip())
        numbers = [_positive(part, "frameRateMultiplier", notes) for part in parts[:2]]
        if numbers[0] and (len(numbers) == 1 or numbers[1]):
            ratio = numbers[0] / (numbers[1] if len(numbers) == 2 and numbers[1] else 1)
    sub_frames = int(_positive(value["subFrameRate"], "subFrameRate", notes) or 1) if value["subFrameRate"] else 1
    ticks = _positive(value["tickRate"], "tickRate", notes) if value["tickRate"] else None
    if ticks is None:
        ticks = rate * ratio * sub_frames if value["frameRate"] else Fraction(1)
    base, drop = _value(root, "timeBase"), _value(root, "dropMode")
    if base not in ("", "media", "smpte"):
        notes.append(f"a timeBase of “{base[:20]}” was read as media time")
    return TimeParameters(rate, rate * ratio, max(1, sub_frames), ticks, base == "smpte", drop), notes


def read_ttml_time(value: str, parameters: TimeParameters) -> TtmlTime | None:
    """A time expression, read tolerantly; None if it is not one."""
    text = value.strip()
    match = _CLOCK.fullmatch(text)
    if match:
        return _clock_time(text, match, parameters)
    match = _OFFSET.fullmatch(text)
    if match:
        number = _decimal(match[1], match[2])
        if match[3] == "f":
            return TtmlTime(number * 1000 / parameters.effective_rate)
        if match[3] == "t":
            return TtmlTime(number * 1000 / parameters.tick_rate)
        return TtmlTime(number * _UNITS[match[3]])
    if _BARE.fullmatch(text):
        whole, _, fraction = text.partition(".")
        return TtmlTime(_decimal(whole, fraction) * 1000, "has no unit and was read as seconds")
    time = read_time(text)
    return TtmlTime(Fraction(time.ms), "is not in TTML notation") if time else None


def _clock_time(text: str, match: re.Match[str], parameters: TimeParameters) -> TtmlTime:
    seconds = (int(match[1]) * 60 + int(match[2])) * 60 + int(match[3])
    note = "" if int(match[2]) < 60 and int(match[3]) < 60 and ";" not in text else "is not in TTML notation"
    if match[5] is None:
        fraction = _decimal("0", match[4])
        if parameters.smpte:
            return TtmlTime(parameters.ms_of_label(seconds, Fraction(0)) + fraction * 1000, note)
        return TtmlTime((seconds + fraction) * 1000, note)
    frames = Fraction(int(match[5]))
    impossible = frames >= parameters.frame_rate
    if impossible:
        note = f"has frame {match[5]}, but a second has only {parameters.frame_rate} frames"
    if match[6]:
        frames += Fraction(int(match[6]), parameters.sub_frames)
    return TtmlTime(parameters.ms_of_label(seconds, frames), note, impossible)


def _decimal(whole: str, fraction: str | None) -> Fraction:
    return Fraction(int(whole + (fraction or "")), 10 ** len(fraction or ""))


def _value(root: Element, name: str) -> str:
    found = attribute(root, name, Vocabulary.PARAMETER)
    return found.value.strip() if found else ""


def _positive(text: str, name: str, notes: list[str]) -> Fraction | None:
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", text, re.ASCII) and Fraction(text) > 0:
        return Fraction(text)
    notes.append(f"“{text[:20]}” is not a valid {name}, so the default was used")
    return None
