"""Who speaks when, and which words, as other programs write it: RTTM, CTM, WebVTT with voices, JSON.

A file is known by its content. What cannot be read is an oddity with its line; a file with nothing in it is refused.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, cast

from adstudio.characters.speakers import Turn
from adstudio.core.cast import MAX_NAME_LENGTH
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.json_reading import json_fault
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.core.word_times import MAX_WORD_LENGTH, SpokenWord
from adstudio.subtitles.reading import read_subtitles
from adstudio.system.files import read_bounded

LARGEST = 50_000_000
"""Bytes."""
MOST_TURNS = 200_000
MOST_ODDITIES = 100
_ANONYMOUS = re.compile(r"(?:speaker|spk|spkr|voice|s|spoke|uu|unknown)?[ _-]*\d*|unknown|uu|<na>", re.IGNORECASE)
_LISTS = ("segments", "results", "turns", "words", "utterances", "monologues")
"""Keys under which programs list what they found."""


@dataclass(frozen=True)
class TurnFile:
    """Turns in order of time, words in order of time where the file has any, and what was odd."""

    turns: tuple[Turn, ...]
    words: tuple[SpokenWord, ...]
    oddities: tuple[Oddity, ...]


def read_turns(path: Path) -> TurnFile:
    """Read a file.

    Raises:
        BadInputError: if it is missing, too large, of none of these formats, or holds neither turns nor words.
        OutsideFailureError: if it cannot be read.
    """
    raw = read_bounded(path, LARGEST, "file of speakers")
    text = raw.decode("utf-8-sig", errors="replace")
    start = text.lstrip()[:6]
    reader = _Reader()
    if start.startswith("WEBVTT"):
        reader.read_voices(path)
    elif start[:1] in ("{", "["):
        reader.read_json(text, path)
    else:
        reader.read_lines(text)
    if not reader.turns and not reader.words:
        raise BadInputError(
            f"{path} says neither who speaks nor what is said: give RTTM, CTM, WebVTT with voices, or JSON with a list"
            " of segments with start, end and speaker"
        )
    return TurnFile(
        tuple(sorted(reader.turns, key=lambda turn: turn.span)),
        tuple(sorted(reader.words, key=lambda word: (word.start, word.end))),
        tuple(reader.oddities),
    )


class _Reader:
    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.words: list[SpokenWord] = []
        self.oddities: list[Oddity] = []

    def read_lines(self, text: str) -> None:
        """RTTM or CTM, line by line; comments start with two semicolons."""
        for number, line in enumerate(text.splitlines(), 1):
            fields = line.split()
            if not fields or fields[0].startswith(";;"):
                continue
            if fields[0] == "SPEAKER" and len(fields) >= 8:
                self._turn(_ms(fields[3]), _ms(fields[4]), fields[7], number)
            elif fields[0].isupper() and fields[0] in _RTTM_KINDS:
                continue
            elif 5 <= len(fields) <= 9:
                self._ctm(fields, number)
            else:
                self._odd("the line is neither of RTTM nor of CTM", number)

    def read_voices(self, path: Path) -> None:
        """The voices of WebVTT, as names."""
        for cue in read_subtitles(path).cues:
            for voice in {voice.name for voice in cue.voices} if len(cue.voices) == 1 else ():
                self._turn(cue.start, cue.end - cue.start, voice, cue.line, named=True)
            if len(cue.voices) > 1:
                self._odd("the cue has several voices, and no times between them", cue.line)

    def read_json(self, text: str, path: Path) -> None:
        """A list of segments, by itself or under one of the usual keys; times in seconds."""
        try:
            found: Any = json.loads(text)
        except json.JSONDecodeError as error:
            raise BadInputError(json_fault(error, str(path))) from None
        except RecursionError:
            raise BadInputError(f"{path} is nested too deeply to be read; check that it is the right file") from None
        except ValueError:  # a whole number of thousands of digits
            raise BadInputError(f"{path} has a number that is too large; check that it is the right file") from None
        if isinstance(found, dict):
            table = cast("dict[str, Any]", found)
            found = next((table[key] for key in _LISTS if isinstance(table.get(key), list)), None)
        for number, entry in enumerate(cast("list[Any]", found) if isinstance(found, list) else (), 1):
            if isinstance(entry, dict):
                self._entry(cast("dict[str, Any]", entry), number)
            else:
                self._odd(f"entry {number} is no object", None)

    def _entry(self, entry: dict[str, Any], number: int) -> None:
        start = _ms(entry.get("start", entry.get("start_time", entry.get("begin"))))
        end = _ms(entry.get("end", entry.get("end_time")))
        length = None if start is None or end is None else end - start
        speaker = entry.get("speaker", entry.get("label"))
        if isinstance(speaker, str) and speaker.strip():
            self._turn(start, length, speaker, None, named=None, what=f"entry {number}")
        word = entry.get("word")
        if isinstance(word, str):
            self._word(word, start, length, entry.get("confidence", entry.get("score")), None)

    def _ctm(self, fields: list[str], number: int) -> None:
        start, length = _ms(fields[2]), _ms(fields[3])
        self._word(fields[4], start, length, fields[5] if len(fields) > 5 else None, number)
        if len(fields) >= 8:
            self._turn(start, length, fields[7], number)

    def _turn(
        self,
        start: int | None,
        length: int | None,
        speaker: str,
        line: int | None,
        *,
        named: bool | None = None,
        what: str = "the line",
    ) -> None:
        name = " ".join(speaker.split())[:MAX_NAME_LENGTH]
        if start is None or length is None or length <= 0 or not name.isprintable():
            self._odd(f"{what} has no time and speaker that can be read", line)
            return
        if len(self.turns) >= MOST_TURNS:
            return
        is_name = not _ANONYMOUS.fullmatch(name) if named is None else named
        self.turns.append(Turn(Span(start, start + length), name, is_name))

    def _word(self, text: str, start: int | None, length: int | None, confidence: object, line: int | None) -> None:
        if start is None or length is None or length < 0 or not 0 < len(text) <= MAX_WORD_LENGTH:
            self._odd("the word has no time that can be read", line)
            return
        if len(self.words) >= MOST_TURNS:
            return
        sure = _number(confidence)
        rated = round(1000 * sure) if sure is not None and 0 <= sure <= 1 else None
        self.words.append(SpokenWord(text, start, start + length, rated))

    def _odd(self, what: str, line: int | None) -> None:
        if len(self.oddities) < MOST_ODDITIES:
            self.oddities.append(Oddity(what, line))


_RTTM_KINDS = frozenset(
    (
        "SPKR-INFO",
        "LEXEME",
        "NON-LEX",
        "NON-SPEECH",
        "SEGMENT",
        "NOSCORE",
        "NO_RT_METADATA",
        "SPEAKER",
        "SU",
        "CB",
        "IP",
    )
)


def _ms(seconds: object) -> int | None:
    """Seconds as milliseconds within a film; None for anything else."""
    number = _number(seconds)
    return round(1000 * number) if number is not None and 0 <= 1000 * number <= MAX_TIME_MS else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
