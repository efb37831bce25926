"""Who speaks when, or which words are said when, as other programs write it: RTTM, CTM, WebVTT with voices, JSON.

A file is known by its content. What cannot be read is an oddity with its line; a file with nothing in it is refused.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path, PurePath
from typing import Any, TypeVar, cast

from adstudio.characters.speakers import Turn
from adstudio.core.cast import MAX_NAME_LENGTH
from adstudio.core.counts import counted
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.film import Film
from adstudio.core.json_reading import json_fault
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.core.word_times import MAX_WORD_LENGTH, SpokenWord
from adstudio.subtitles.reading import read_subtitles
from adstudio.system.files import read_bounded

LARGEST = 50_000_000
"""Bytes."""
MOST_TURNS = 200_000
MOST_ODDITIES = 100
_QUOTED = 40
_LISTED_RECORDINGS = 5
_Found = TypeVar("_Found", Turn, SpokenWord)
_ANONYMOUS = re.compile(
    r"[\[({]?(?:"
    r"(?:speaker|spkr?|voice|spoke|guest|participant|sprecher(?:in)?|locuteur|locutrice|hablante|orador|falante|parlante"
    r"|(?:fe)?male|unknown|uu|[smf])?(?:(?:[ _.#:-]*\d)+|[ _.#:-]+[a-z])"
    r"|[a-z]|speaker|voice|sprecher(?:in)?|locuteur|(?:fe)?male|unknown|uu"
    r")[\])}]?|<na>",
    re.IGNORECASE,
)
"""What programs call voices that they only tell apart: SPEAKER_00, spk_0_1, S2, A, [A], Speaker B, male_1."""
_WORD_LISTS = ("words", "word_segments")
_LISTS = ("segments", "results", "turns", "utterances", "monologues", "cues")
"""Keys under which programs list what they found."""


@dataclass(frozen=True)
class TurnFile:
    """Who speaks when, in order of time, and what was odd."""

    turns: tuple[Turn, ...]
    oddities: tuple[Oddity, ...]


@dataclass(frozen=True)
class WordFile:
    """Words in order of time, and what was odd."""

    words: tuple[SpokenWord, ...]
    oddities: tuple[Oddity, ...]


def read_turns(path: Path, end: int | None = None, names: Sequence[str] = ()) -> TurnFile:
    """Read who speaks when, in a film that ends at `end` (ms).

    Of a file about several recordings, only the one counts whose id is one of `names` (`names_of` the film), or else
    the name of the file.

    Raises:
        BadInputError: if the file is missing, too large, of none of these formats, tells of nobody, only of what is
            past the film's end, or of several recordings none of which has such a name.
        OutsideFailureError: if it cannot be read.
    """
    reader = _read(path, "file of speakers", of_words=False)
    if not reader.turns:
        raise BadInputError(
            f"{path} does not say who speaks: give RTTM, CTM with speakers, WebVTT with voices, or JSON with a list of"
            " segments, each with “speaker”, “start” and “end” in seconds"
        )
    found, others = _of_one_recording(reader.turns, path, names)
    turns = tuple(sorted(found, key=lambda turn: turn.span))
    _require_within(turns[0].span.start, end, path)
    inside = tuple(turn for turn in turns if end is None or turn.span.start < end)
    return TurnFile(inside, (*others, *reader.oddities, *_past_the_end(len(turns) - len(inside), end, "turn")))


def read_words(path: Path, end: int | None = None, names: Sequence[str] = ()) -> WordFile:
    """Read recognised words; `end`, `names` and errors as of `read_turns`."""
    reader = _read(path, "file of words", of_words=True)
    if not reader.words:
        raise BadInputError(
            f"{path} has no words with times: give CTM, or JSON with a list of words, each with “word”, “start” and"
            " “end” in seconds"
        )
    found, others = _of_one_recording(reader.words, path, names)
    words = tuple(sorted(found, key=lambda word: (word.start, word.end)))
    _require_within(words[0].start, end, path)
    inside = tuple(word for word in words if end is None or word.start < end)
    return WordFile(inside, (*others, *reader.oddities, *_past_the_end(len(words) - len(inside), end, "word")))


def names_of(film: Film) -> tuple[str, ...]:
    """What the recording of a film may be called in such a file: its title, and the name of its video."""
    return (film.title, *((PurePath(film.media.path).stem,) if film.media else ()))


def _of_one_recording(
    found: Mapping[str, Sequence[_Found]], path: Path, names: Sequence[str]
) -> tuple[Sequence[_Found], tuple[Oddity, ...]]:
    """What was found of the film's recording, and that there are others; each has times of its own."""
    if len(found) == 1:
        return next(iter(found.values())), ()
    about = counted(len(found), "recording")
    used = _fitting(found, (*names, path.stem))
    if used is None:
        raise BadInputError(
            f"{path} is about {about} ({_listed(found)}), and neither the film’s name nor the file’s says which of them"
            " is the film: keep only the lines of that one"
        )
    rest = _listed(each for each in found if each != used)
    return found[used], (Oddity(f"the file is about {about}: {_listed([used])} is used; not used: {rest}"),)


def _fitting(recordings: Iterable[str], names: Iterable[str]) -> str | None:
    """The recording that has the first of these names that only one has, with or without an ending like `.wav`."""
    recordings = tuple(recordings)
    for key in filter(None, map(_key, names)):
        for keys in (map(_key, recordings), (_key(PurePath(each).stem) for each in recordings)):
            fitting = [each for each, own in zip(recordings, keys, strict=True) if own == key]
            if len(fitting) == 1:
                return fitting[0]
    return None


def _key(name: str) -> str:
    """A name without what cannot be in the id of a recording, such as spaces, or is often replaced there."""
    return "".join(filter(str.isalnum, name.casefold()))


def _listed(recordings: Iterable[str]) -> str:
    recordings = tuple(recordings)
    listed = ", ".join(f"“{each[:_QUOTED]}”" for each in recordings[:_LISTED_RECORDINGS])
    rest = len(recordings) - _LISTED_RECORDINGS
    return listed + (f" and {rest:,} more" if rest > 0 else "")


def _read(path: Path, what: str, *, of_words: bool) -> _Reader:
    text = read_bounded(path, LARGEST, what).decode("utf-8-sig", errors="replace")
    start = text.lstrip()[:6]
    reader = _Reader(of_words=of_words)
    if start.startswith("WEBVTT"):
        reader.read_voices(path)
    elif start[:1] in ("{", "["):
        reader.read_json(text, path)
    else:
        reader.read_lines(text)
    return reader


def _require_within(first: int, end: int | None, path: Path) -> None:
    if end is not None and first >= end:
        raise BadInputError(
            f"{path} begins at {first / 1000:,g} s, but the film ends at {end / 1000:,g} s: check that it is of this"
            " film, and that its times are in seconds"
        )


def _past_the_end(count: int, end: int | None, what: str) -> Iterator[Oddity]:
    if count and end is not None:
        lie, counts = ("lies", "counts") if count == 1 else ("lie", "count")
        yield Oddity(
            f"{counted(count, what)} {lie} after the film’s end at {end / 1000:,g} s, and {counts} for nothing: check"
            " that the file is of this cut"
        )


class _Reader:
    """Reads the words of a file, or its turns."""

    def __init__(self, *, of_words: bool) -> None:
        self._of_words = of_words
        self._count = 0
        self.turns: defaultdict[str, list[Turn]] = defaultdict(list)
        """By the id of their recording, which is empty where the format has none."""
        self.words: defaultdict[str, list[SpokenWord]] = defaultdict(list)
        """Likewise."""
        self.oddities: list[Oddity] = []

    def read_lines(self, text: str) -> None:
        """RTTM or CTM, line by line; comments start with two semicolons."""
        for number, line in enumerate(text.splitlines(), 1):
            fields = line.split()
            if not fields or fields[0].startswith(";;"):
                continue
            if fields[0] == "SPEAKER" and len(fields) >= _SPEAKER_FIELDS:
                self._turn(_ms(fields[3]), _ms(fields[4]), fields[7], number, recording=fields[1])
            elif fields[0] == "SPEAKER":
                self._cut_off(len(fields), number)
            elif fields[0].isupper() and fields[0] in _RTTM_KINDS:
                continue
            elif 5 <= len(fields) <= 9:
                self._ctm(fields, number)
            else:
                self._odd("the line is neither of RTTM nor of CTM", number)

    def _cut_off(self, fields: int, line: int) -> None:
        if not self._of_words:
            has = f"the line has {counted(fields, 'field')}, but the name of the speaker is the {_SPEAKER_FIELDS}th"
            self._odd(f"{has} of a SPEAKER line", line)

    def read_voices(self, path: Path) -> None:
        """The voices of WebVTT."""
        for cue in read_subtitles(path).cues:
            for voice in {voice.name for voice in cue.voices} if len(cue.voices) == 1 else ():
                self._turn(cue.start, cue.end - cue.start, voice, cue.line)
            if len(cue.voices) > 1:
                self._odd("the cue has several voices, and no times between them", cue.line)

    def read_json(self, text: str, path: Path) -> None:
        """A list of segments or words, by itself or under one of the usual keys; times in seconds."""
        try:
            found: Any = json.loads(text)
        except json.JSONDecodeError as error:
            raise BadInputError(json_fault(error, str(path))) from None
        except RecursionError:
            raise BadInputError(f"{path} is nested too deeply to be read; check that it is the right file") from None
        except ValueError:  # a whole number of thousands of digits
            raise BadInputError(f"{path} has a number that is too large; check that it is the right file") from None
        key = ""
        if isinstance(found, dict):
            table = cast("dict[str, Any]", found)
            keys = (*_WORD_LISTS, *_LISTS) if self._of_words else (*_LISTS, *_WORD_LISTS)
            key = next((key for key in keys if isinstance(table.get(key), list)), "")
            found = table.get(key)
        if isinstance(found, list):
            entries = cast("list[Any]", found)
            self._entries(entries, words=key in _WORD_LISTS or (not key and all(map(_has_one_word, entries))))

    def _entries(self, entries: list[Any], *, words: bool) -> None:
        for number, entry in enumerate(entries, 1):
            if isinstance(entry, dict):
                self._entry(cast("dict[str, Any]", entry), number, is_word=words)
            else:
                self._odd(f"entry {number} is not a JSON object", None)

    def _entry(self, entry: dict[str, Any], number: int, *, is_word: bool) -> None:
        """A segment with its words, where words are read, or a word, which may call itself “text”."""
        nested = entry.get("words")
        if self._of_words and isinstance(nested, list) and not is_word:
            self._entries(cast("list[Any]", nested), words=True)
            return
        start = _ms(entry.get("start", entry.get("start_time", entry.get("begin"))))
        end = _ms(entry.get("end", entry.get("end_time")))
        length = None if start is None or end is None else end - start
        speaker = entry.get("speaker", entry.get("label"))
        if isinstance(speaker, str) and speaker.strip():
            self._turn(start, length, speaker, None, what=f"entry {number}")
        word = entry.get("word", entry.get("text") if is_word else None)
        if isinstance(word, str):
            rated = entry.get("confidence", entry.get("score", entry.get("probability")))
            self._word(word, start, length, rated, None)

    def _ctm(self, fields: list[str], number: int) -> None:
        start, length = _ms(fields[2]), _ms(fields[3])
        rated = fields[5] if len(fields) > 5 else None
        self._word(fields[4], start, length, rated, number, recording=fields[0])
        if len(fields) >= 8:
            self._turn(start, length, fields[7], number, recording=fields[0])

    def _turn(
        self,
        start: int | None,
        length: int | None,
        speaker: str,
        line: int | None,
        *,
        what: str = "the line",
        recording: str = "",
    ) -> None:
        if self._of_words:
            return
        name = " ".join(speaker.split())[:MAX_NAME_LENGTH]
        if start is None or length is None or length <= 0 or not name.isprintable():
            self._odd(f"{what} has no time and speaker that can be read", line)
            return
        if self._has_room():
            turn = Turn(Span(start, start + length), name, named=not _ANONYMOUS.fullmatch(name))
            self.turns[recording].append(turn)

    def _word(
        self,
        text: str,
        start: int | None,
        length: int | None,
        confidence: object,
        line: int | None,
        *,
        recording: str = "",
    ) -> None:
        if not self._of_words:
            return
        text = text.strip()
        if start is None or length is None or length < 0 or not 0 < len(text) <= MAX_WORD_LENGTH:
            self._odd(f"the word “{text[:_QUOTED]}” has no time that can be read, or is no word", line)
            return
        if self._has_room():
            sure = _number(confidence)
            rated = round(1000 * sure) if sure is not None and 0 <= sure <= 1 else None
            self.words[recording].append(SpokenWord(text, start, start + length, rated))

    def _has_room(self) -> bool:
        self._count += 1
        if self._count == MOST_TURNS + 1:
            what = "words" if self._of_words else "turns"
            self.oddities.insert(0, Oddity(f"only the first {MOST_TURNS:,} {what} are read"))
        return self._count <= MOST_TURNS

    def _odd(self, what: str, line: int | None) -> None:
        if len(self.oddities) < MOST_ODDITIES:
            self.oddities.append(Oddity(what, line))


_SPEAKER_FIELDS = 8
"""Type, recording, channel, start, length, orthography, subtype, name; what follows may be missing."""
_RTTM_KINDS = frozenset(
    (
        "SPKR-INFO",
        "LEXEME",
        "NON-LEX",
        "NON-SPEECH",
        "SEGMENT",
        "NOSCORE",
        "NO_RT_METADATA",
        "SU",
        "CB",
        "IP",
    )
)


def _has_one_word(entry: object) -> bool:
    """Whether the text of an entry, if it has any, is one word and not a sentence."""
    text = cast("dict[str, Any]", entry).get("text") if isinstance(entry, dict) else None
    return not isinstance(text, str) or len(text.split()) <= 1


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
