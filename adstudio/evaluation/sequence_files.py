"""The sequences of a film over which measures are averaged: from a file, a project's scenes, or the whole film.

The paper's are groups of scenes that belong together, made by hand (appendix B). A file of them is JSON,
`{"format": "adstudio-sequences/1", "sequences": [{"name", "start", "end"}, …]}` with times in seconds, or CSV with the
columns name, start, end, whose times are seconds or clock times.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import parse_json
from adstudio.core.script import Scene, Script
from adstudio.core.timebase import MAX_TIME_MS, RATES, FrameRate, Span, clock
from adstudio.evaluation.material import FilmSequence, SequenceSource
from adstudio.script_files.script_clock import ScriptClock
from adstudio.subtitles.decoding import decode, recoded
from adstudio.subtitles.formats import refuse_binary
from adstudio.system.files import read_bounded

FORMAT = "adstudio-sequences/1"
MAX_BYTES = 4_000_000
MAX_SEQUENCES = 10_000
_COLUMNS = ("name", "start", "end")
_CSV = "a file of sequences is CSV with the columns name, start, end, or JSON (adstudio-sequences/1)"


def read_sequences(path: Path, rate: FrameRate = RATES["25"], encoding: str | None = None) -> tuple[FilmSequence, ...]:
    """The sequences in a file, in order of time; `rate` is that of timecode in it.

    The `encoding` is the file's, where it says none itself (`recoded`).

    Raises:
        BadInputError: for anything else, sequences that overlap, or two of one name.
        OutsideFailureError: if it cannot be read.
    """
    data = recoded(read_bounded(path, MAX_BYTES, "file of sequences"), str(path), encoding)
    return parse_sequences(data, str(path), rate)


def parse_sequences(data: bytes, name: str, rate: FrameRate = RATES["25"]) -> tuple[FilmSequence, ...]:
    """As `read_sequences`, from bytes; `name` is the file's in messages."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        found = _from_json(data, name)
    else:
        found = _from_csv(data, name, rate)
    if not found:
        raise BadInputError(f"{name} has no sequence: {_CSV}")
    ordered = tuple(sorted(found, key=lambda each: each.span))
    for before, after in pairwise(ordered):
        if after.span.start < before.span.end:
            raise BadInputError(
                f"{name}: the sequences “{before.name}” (to {clock(before.span.end)}) and “{after.name}” (from"
                f" {clock(after.span.start)}) overlap: let each begin where the one before ends"
            )
    twice = [called for called, count in Counter(each.name for each in ordered).items() if count > 1]
    if twice:
        raise BadInputError(f"{name}: two sequences are called “{twice[0]}”: give each its own name")
    return ordered


def project_sequences(script: Script) -> tuple[tuple[FilmSequence, ...], SequenceSource]:
    """The groups of scenes that a project has, if all its scenes are in one; else its scenes; none if it has none."""
    scenes = script.scenes
    if not scenes:
        return (), SequenceSource.FILM
    if all(scene.sequence is not None for scene in scenes):
        titles = {each.id: each.title for each in script.sequences}
        runs = [(titles.get(key or "", ""), tuple(run)) for key, run in groupby(scenes, lambda scene: scene.sequence)]
        return _named((title, _whole(run)) for title, run in runs), SequenceSource.FILE
    return _named((scene.title, scene.span) for scene in scenes), SequenceSource.SCENES


def covering(sequences: Sequence[FilmSequence], end: int) -> tuple[tuple[FilmSequence, ...], tuple[str, ...]]:
    """The sequences so that they cover the film, each reaching to the next, and what was changed for that.

    Without any, the whole film is one. Those beyond the film's end are left out.
    """
    inside = [each for each in sequences if each.span.start < end]
    notes: list[str] = []
    if beyond := len(sequences) - len(inside):
        begin = "begins" if beyond == 1 else "begin"
        notes.append(f"{beyond:,} of its sequences {begin} after the film’s end ({clock(end)}): left out")
    if not inside:
        return (FilmSequence("film", Span(0, end)),), tuple(notes)
    gaps: list[Span] = [Span(0, inside[0].span.start)] if inside[0].span.start > 0 else []
    gaps += [
        Span(before.span.end, after.span.start)
        for before, after in pairwise(inside)
        if before.span.end < after.span.start
    ]
    gaps += [Span(inside[-1].span.end, end)] if inside[-1].span.end < end else []
    if gaps:
        first = gaps[0]
        more = f", and {len(gaps) - 1:,} more" if len(gaps) > 1 else ""
        notes.append(
            f"no sequence covers {clock(first.start)} to {clock(first.end)}{more}: that belongs to the sequence beside"
            " it"
        )
    starts = [0, *(each.span.start for each in inside[1:]), end]
    whole = tuple(FilmSequence(each.name, Span(*span)) for each, span in zip(inside, pairwise(starts), strict=True))
    return whole, tuple(notes)


def _from_json(data: bytes, name: str) -> list[FilmSequence]:
    root = parse_json(data, name)
    members = root.members(("format", "sequences"))
    if members["format"].value != FORMAT:
        members["format"].fail(f"expected “{FORMAT}”")
    found: list[FilmSequence] = []
    for node in members["sequences"].items(MAX_SEQUENCES):
        each = node.members(_COLUMNS)
        start, end = each["start"].ms(), each["end"].ms()
        if end <= start:
            node.fail(f"ends ({end / 1000:g} s) before it starts ({start / 1000:g} s)")
        found.append(FilmSequence(each["name"].text(200, empty=False).strip(), Span(start, end)))
    return found


def _from_csv(data: bytes, name: str, rate: FrameRate) -> list[FilmSequence]:
    refuse_binary(data, name)
    source, _ = decode(data, name)
    text = source.clean(source.text)
    found: list[FilmSequence] = []
    times = ScriptClock(rate)
    for line, row in _rows(text, name):
        if len(row) != len(_COLUMNS):
            raise BadInputError(f"{name}, line {line}: {len(row)} columns, not 3: {_CSV}")
        start, end = times.duration(row[1], line), times.duration(row[2], line)
        if start is None or end is None:
            if not found and tuple(cell.lower() for cell in row) == _COLUMNS:
                continue
            wrong = row[1] if start is None else row[2]
            raise BadInputError(f"{name}, line {line}: “{wrong[:40]}” is not a time: write seconds, or HH:MM:SS.mmm")
        if not 0 <= start < end <= MAX_TIME_MS:
            raise BadInputError(f"{name}, line {line}: the sequence ends ({row[2][:40]}) before it starts")
        if len(found) == MAX_SEQUENCES:
            raise BadInputError(f"{name} has more than {MAX_SEQUENCES:,} sequences: check that it is the right file")
        found.append(FilmSequence(row[0][:200] or str(len(found) + 1), Span(start, end)))
    return found


def _rows(text: str, name: str) -> Iterable[tuple[int, list[str]]]:
    lines = [line for line in text.splitlines() if line.strip()]
    delimiter = max(",;\t", key=(lines[0] if lines else "").count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, [cell.strip() for cell in row]
    except csv.Error as error:
        raise BadInputError(f"{name}, line {reader.line_num}: {error}: {_CSV}") from None


def _whole(scenes: Sequence[Scene]) -> Span:
    return Span(scenes[0].span.start, max(scene.span.end for scene in scenes))


def _named(parts: Iterable[tuple[str, Span]]) -> tuple[FilmSequence, ...]:
    """Sequences with names that are unique: those that others have too, or that are empty, are numbered."""
    found = list(parts)
    titles = Counter(title for title, _ in found)
    return tuple(
        FilmSequence(title if title and titles[title] == 1 else f"{title} {number}".strip(), span)
        for number, (title, span) in enumerate(found, 1)
    )
