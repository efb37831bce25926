"""Captions of an extended film: those of the film, each at its extended time.

A caption that the picture is held in stays until it goes on and the rest is said, as when a player is paused; one that
ends or starts just then ends before the pause or starts after it.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import AdstudioError
from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.timebase import Span
from adstudio.delivery.subtitle_scripts import srt
from adstudio.delivery.text import encoded
from adstudio.mix.pauses import PauseMap
from adstudio.subtitles.decoding import decode
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.parsed_file import SubtitleFormat
from adstudio.subtitles.reading import MAX_BYTES, parse_subtitles
from adstudio.system.files import read_bounded

_TIME = r"(?:\d{1,6}:)?\d{1,6}:\d{1,6}[.,]\d{3}"
_TIMING = re.compile(rf"^([ \t]*)({_TIME})([ \t]*-->[ \t]*)({_TIME})", re.MULTILINE)
_WITHIN = re.compile(rf"<({_TIME})>")
"""When the next word of a WebVTT cue is shown."""


@dataclass(frozen=True)
class Captions:
    """A captions file: the extension of its name, and its bytes."""

    suffix: str
    data: bytes


@dataclass(frozen=True)
class Caption:
    """A text that is shown, with its number from 1."""

    number: int
    span: Span
    text: str


def captions_of(script: Script, pauses: PauseMap) -> Captions:
    """The captions of a script's film, extended.

    They are those of its subtitle file with other times, where that is SubRip or WebVTT and the dialogue of the script
    is as it says; else they are written from the script's dialogue, as SubRip.
    """
    own = None if script.film.subtitles is None else Path(script.film.subtitles.path)
    if own is not None:
        with contextlib.suppress(AdstudioError):
            data = read_bounded(own, MAX_BYTES, "subtitle file")
            found = _extended(data, own.name, script, pauses)
            if found is not None:
                return found
    spans = ((cue, pauses.span(Span(cue.start, cue.end))) for cue in script.cues if cue.end >= cue.start)
    ordered = sorted(spans, key=lambda each: each[1])
    return Captions(".srt", srt(Caption(number, span, _text(cue)) for number, (cue, span) in enumerate(ordered, 1)))


def _extended(data: bytes, name: str, script: Script, pauses: PauseMap) -> Captions | None:
    """A subtitle file with its times extended and all else as it is; None where that cannot be relied upon."""
    encoding = script.film.encoding or None
    file = parse_subtitles(data, name, encoding=encoding)
    if file.format not in (SubtitleFormat.SRT, SubtitleFormat.VTT):
        return None
    if [(cue.start, cue.end) for cue in dialogue(file).cues] != [(cue.start, cue.end) for cue in script.cues]:
        return None
    text = shifted(decode(data, name, encoding)[0].text, pauses)
    spans = [pauses.span(Span(cue.start, max(cue.end, cue.start))) for cue in file.cues]
    wanted = [(span.start, span.end, cue.text) for span, cue in zip(spans, file.cues, strict=True)]
    if [(cue.start, cue.end, cue.text) for cue in parse_subtitles(encoded(text), name).cues] != wanted:
        return None
    return Captions(f".{file.format.value}", encoded(text))


def shifted(text: str, pauses: PauseMap) -> str:
    """The text of a SubRip or WebVTT file with the times of its cues extended."""

    def cue(match: re.Match[str]) -> str:
        start, end = _ms(match[2]), _ms(match[4])
        span = pauses.span(Span(start, max(end, start)))
        return f"{match[1]}{_clock(span.start, match[2])}{match[3]}{_clock(span.end, match[4])}"

    def within(match: re.Match[str]) -> str:
        return f"<{_clock(pauses.starting(_ms(match[1])), match[1])}>"

    return _WITHIN.sub(within, _TIMING.sub(cue, text))


def _ms(time: str) -> int:
    *hours, minutes, seconds = time.replace(",", ".").split(":")
    whole, _, part = seconds.partition(".")
    return ((int(hours[0]) * 60 if hours else 0) + int(minutes)) * 60_000 + int(whole) * 1000 + int(part)


def _clock(ms: int, like: str) -> str:
    """A time with the same point, and with hours where there were some or must be."""
    minutes, rest = divmod(ms, 60_000)
    hours, minutes = divmod(minutes, 60)
    point = "," if "," in like else "."
    clock = f"{minutes:02d}:{rest // 1000:02d}{point}{rest % 1000:03d}"
    return f"{hours:02d}:{clock}" if hours or like.count(":") == 2 else clock


def _text(cue: Cue) -> str:
    text = f"♪ {cue.text} ♪" if cue.kind is CueKind.SUNG else cue.text
    return f"{cue.speaker}: {text}" if cue.speaker else text
