"""What the editor and its speech process say to each other: one JSON object a line, each way.

Asked: `{"id", "text", "rate", "voice", "language"}`, `{"id", "stretch": [a, b], "lines": [{"text", "start"}], "rate",
"voice", "language"}` or `{"id", "voices": language}`. Answered, in the same order and one each: `{"id", "wav", "ms"}`,
with `overlaps`, `cut` and `unspoken` for a stretch, `{"id", "engine", "voices": [[id, name, language]]}`, or
`{"id", "error"}`.
Times are milliseconds of the film, rates words a minute. This module is light: the editor imports it at its start.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.speech.engine import Command, SpeechRequestError, Voice

LONGEST_LINE = 1 << 20
"""Bytes in one message."""

MOST_LINES = 1_000
"""Spoken lines in one stretch."""

_LONGEST_ID = 200
_LONGEST_TEXT = 100_000
_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Say:
    """Speak one line; without a voice, with the language's best."""

    id: str
    text: str
    rate: int
    voice: str = ""
    language: str = _LANGUAGE


@dataclass(frozen=True, slots=True)
class Placed:
    """A line and the film time at which it starts."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Speak the lines of a stretch of the film into one sound."""

    id: str
    stretch: Span
    lines: tuple[Placed, ...]
    rate: int
    voice: str = ""
    language: str = _LANGUAGE


@dataclass(frozen=True, slots=True)
class ListVoices:
    """List the voices of a language, of all languages for the empty tag."""

    id: str
    language: str = _LANGUAGE


@dataclass(frozen=True, slots=True)
class Said:
    """A line was spoken: its file and its audible length in milliseconds, rounded up."""

    id: str
    wav: Path
    ms: int


@dataclass(frozen=True, slots=True)
class Rendered:
    """A stretch was spoken: its file, 48 kHz and exactly as long as the stretch.

    `overlaps` are the film times at which two lines sound at once; `cut` numbers (from 0) the lines not wholly inside,
    `unspoken` those without a word to say, or too long.
    """

    id: str
    wav: Path
    ms: int
    overlaps: tuple[Span, ...] = ()
    cut: tuple[int, ...] = ()
    unspoken: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class VoiceList:
    """The engine's name and its voices, best first."""

    id: str
    engine: str
    voices: tuple[Voice, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """A request that came to nothing, and why, in one sentence; an empty id where the request could not be read."""

    id: str
    sentence: str


Request = Say | Stretch | ListVoices
Answer = Said | Rendered | VoiceList | Failed


def worker_command() -> Command:
    """The process that answers requests; it ends when its input does, and may be killed at any moment."""
    return Command(sys.executable, ("-P", "-m", "adstudio.speech.worker"))


def request_line(request: Request) -> bytes:
    """A request as the process reads it."""
    match request:
        case ListVoices():
            return _line({"id": request.id, "voices": request.language})
        case Say():
            found: dict[str, Any] = {"id": request.id, "text": request.text}
        case Stretch():
            lines = [{"text": line.text, "start": line.start} for line in request.lines]
            found = {"id": request.id, "stretch": [request.stretch.start, request.stretch.end], "lines": lines}
    return _line({**found, "rate": request.rate, "voice": request.voice, "language": request.language})


def answer_line(answer: Answer) -> bytes:
    """An answer as the editor reads it."""
    match answer:
        case Failed():
            return _line({"id": answer.id, "error": answer.sentence})
        case VoiceList():
            voices = [[voice.id, voice.name, voice.language] for voice in answer.voices]
            return _line({"id": answer.id, "engine": answer.engine, "voices": voices})
        case Said():
            return _line({"id": answer.id, "wav": str(answer.wav), "ms": answer.ms})
        case Rendered():
            overlaps = [[span.start, span.end] for span in answer.overlaps]
            rest = {"overlaps": overlaps, "cut": list(answer.cut), "unspoken": list(answer.unspoken)}
            return _line({"id": answer.id, "wav": str(answer.wav), "ms": answer.ms, **rest})


def read_request(line: bytes) -> Request:
    """The request in a line.

    Raises:
        SpeechRequestError: for anything that is none.
    """
    found = _object(line)
    if found is None:
        raise SpeechRequestError("a request for speech could not be read: it is no JSON object of a fair size")
    try:
        identity = _text(found, "id", _LONGEST_ID)
        if "voices" in found:
            return ListVoices(identity, _text(found, "voices", _LONGEST_ID))
        rate = _whole(found.get("rate"))
        voice = _text(found, "voice", _LONGEST_ID, "")
        language = _text(found, "language", _LONGEST_ID, _LANGUAGE)
        if "stretch" not in found:
            return Say(identity, _text(found, "text", _LONGEST_TEXT), rate, voice, language)
        return Stretch(identity, _span(found["stretch"]), _placed(found.get("lines")), rate, voice, language)
    except (ValueError, TypeError) as error:
        raise SpeechRequestError(f"a request for speech could not be read: {error}") from None


def identity_in(line: bytes) -> str:
    """The id of a request that could not be read, where that much could; else the empty one."""
    identity = (_object(line) or {}).get("id")
    return identity[:_LONGEST_ID] if isinstance(identity, str) else ""


def read_answer(line: bytes) -> Answer | None:
    """The answer in a line, or None for anything that is none."""
    found = _object(line)
    if found is None:
        return None
    try:
        identity = _text(found, "id", _LONGEST_ID)
        if "error" in found:
            return Failed(identity, _text(found, "error", _LONGEST_TEXT))
        if "voices" in found:
            return VoiceList(identity, _text(found, "engine", _LONGEST_ID), _voices(found["voices"]))
        wav, ms = Path(_text(found, "wav", _LONGEST_TEXT)), _whole(found.get("ms"))
        if "overlaps" not in found:
            return Said(identity, wav, ms)
        overlaps = tuple(_span(span) for span in _items(found["overlaps"]))
        return Rendered(identity, wav, ms, overlaps, _numbers(found.get("cut")), _numbers(found.get("unspoken")))
    except (ValueError, TypeError):
        return None


class AnswerBuffer:
    """Answers out of what a pipe brings, in whatever pieces; what is no answer is passed over."""

    def __init__(self) -> None:
        self._rest = b""
        self._too_long = False

    def feed(self, chunk: bytes) -> tuple[Answer, ...]:
        """The answers that are whole now, in order."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if lines and self._too_long:
            lines, self._too_long = lines[1:], False
        if len(self._rest) > LONGEST_LINE:
            self._rest, self._too_long = b"", True
        return tuple(answer for line in lines if (answer := read_answer(line)) is not None)


def _line(found: Mapping[str, Any]) -> bytes:
    # ASCII, so that no half of a character and no line separator can break a line.
    return json.dumps(found).encode("ascii") + b"\n"


def _object(line: bytes) -> dict[str, Any] | None:
    if len(line) > LONGEST_LINE:
        return None
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _text(found: Mapping[str, Any], key: str, longest: int, otherwise: str | None = None) -> str:
    value = found.get(key, otherwise)
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(f"“{key}” is no text of a fair length")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_TIME_MS:
        raise ValueError("a rate or time is no whole number in range")
    return value


def _items(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("a list is missing")
    return cast("list[Any]", value)


def _span(value: object) -> Span:
    start, end = (_whole(time) for time in _items(value))
    if end < start:
        raise ValueError("a stretch ends before it starts")
    return Span(start, end)


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(_whole(number) for number in _items(value))


def _placed(value: object) -> tuple[Placed, ...]:
    entries = _items(value)
    if len(entries) > MOST_LINES:
        raise ValueError(f"a stretch has more than {MOST_LINES:,} lines")
    found: list[Placed] = []
    for entry in entries:
        if not isinstance(entry, dict):
            raise TypeError("a line of the stretch is no object")
        line = cast("dict[str, Any]", entry)
        found.append(Placed(_text(line, "text", _LONGEST_TEXT), _whole(line.get("start"))))
    return tuple(found)


def _voices(value: object) -> tuple[Voice, ...]:
    found: list[Voice] = []
    for entry in _items(value):
        identity, name, language = _items(entry)
        if not all(isinstance(part, str) for part in (identity, name, language)):
            raise TypeError("a voice is no three texts")
        found.append(Voice(identity, name, language))
    return tuple(found)
