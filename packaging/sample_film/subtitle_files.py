"""The film's subtitle files: SubRip, WebVTT, and SubRip for the deaf and hard of hearing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adstudio.core.timebase import Span, clock
from sample_film.source import FRAME_MS, FilmSource, ReferenceCue
from sample_film.timeline import SpokenLine

_WIDTH = 40
_LEAST_LABEL_MS = 800
_TOGETHER_MS = 1200
_APART_MS = 2 * FRAME_MS


@dataclass(frozen=True)
class _Label:
    span: Span
    text: str


def srt(lines: Sequence[SpokenLine]) -> str:
    """Dialogue as SubRip."""
    return _srt((line.cue, line.text) for line in lines)


def vtt(lines: Sequence[SpokenLine]) -> str:
    """Dialogue as WebVTT, each cue with its speaker's voice tag."""
    blocks = ["WEBVTT"]
    blocks += [f"{_timing(line.cue, '.')}\n<v {line.speaker}>{_wrapped(line.text)}" for line in lines]
    return "\n\n".join(blocks) + "\n"


def sdh_srt(source: FilmSource, lines: Sequence[SpokenLine]) -> str:
    """Dialogue with speakers' names, and what is heard besides, as SubRip.

    A sound that leaves no time for an entry of its own stands above the line that follows it.
    """
    entries: list[tuple[Span, str]] = []
    above: dict[int, str] = {}
    for label in _labels(source):
        taken = next((k for k, line in enumerate(lines) if line.cue.end + _APART_MS > label.span.start), len(lines))
        following = lines[taken].cue if taken < len(lines) else Span(source.end, source.end)
        room = min(label.span.end, following.start - _APART_MS) - label.span.start
        if room >= _LEAST_LABEL_MS:
            entries.append((Span(label.span.start, label.span.start + room), label.text))
        elif taken < len(lines) and following.start - label.span.start < _TOGETHER_MS:
            above[taken] = label.text
    for k, line in enumerate(lines):
        speech = f"{line.speaker.upper()}: {line.text}"
        entries.append((line.cue, f"{above[k]}\n{_wrapped(speech)}" if k in above else _wrapped(speech)))
    return _srt(sorted(entries, key=lambda entry: entry[0]), wrap=False)


def descriptions_vtt(cues: Sequence[ReferenceCue], title: str) -> str:
    """A reference audio description as WebVTT of the kind `descriptions`."""
    blocks = [f"WEBVTT {title}\nKind: descriptions\nLanguage: en"]
    blocks += [f"{k}\n{_timing(Span(cue.start, cue.end), '.')}\n{cue.text}" for k, cue in enumerate(cues, 1)]
    return "\n\n".join(blocks) + "\n"


def _labels(source: FilmSource) -> list[_Label]:
    found: list[_Label] = []
    for shot in source.shots:
        for sound in shot.sounds:
            if sound.label:
                start = shot.at(sound.at) // FRAME_MS * FRAME_MS
                end = start + max(round(sound.lasts * 1000), _LEAST_LABEL_MS) // FRAME_MS * FRAME_MS
                found.append(_Label(Span(start, min(end, source.end)), sound.label))
    found.sort(key=lambda label: label.span)
    following = [label.span.start - _APART_MS for label in found[1:]] + [source.end]
    return [
        _Label(Span(label.span.start, max(label.span.start, min(label.span.end, latest))), label.text)
        for label, latest in zip(found, following, strict=False)
    ]


def _srt(entries: Iterable[tuple[Span, str]], *, wrap: bool = True) -> str:
    blocks = [
        f"{k}\n{_timing(span, ',')}\n{_wrapped(text) if wrap else text}" for k, (span, text) in enumerate(entries, 1)
    ]
    return "\n\n".join(blocks) + "\n"


def _timing(span: Span, separator: str) -> str:
    return f"{clock(span.start, separator=separator)} --> {clock(span.end, separator=separator)}"


def _wrapped(text: str) -> str:
    if len(text) <= _WIDTH:
        return text
    # Two lines of nearly the same length read better than a full one and a rest.
    return "\n".join(textwrap.wrap(text, max(_WIDTH // 2, len(text) // 2 + 6), break_long_words=False))
