"""A short film with two references, as files of every form, for tests of evaluation."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from adstudio.evaluation.request import FilmFiles, ScriptFile

MINUTE = 60_000
Line = tuple[int, int, str]
DIALOGUE: tuple[Line, ...] = tuple(
    # Five seconds of dialogue at the beginning of each quarter minute.
    (at, at + 5_000, "Who is there, and what do you want from us?")
    for at in range(0, 4 * MINUTE, 15_000)
)
AMERICAN: tuple[Line, ...] = (
    (6_000, 8_000, "Ruth opens the wooden door."),
    (21_000, 23_500, "Rain falls on the slate roof."),
    (36_000, 38_000, "She lifts a lantern and looks into the yard."),
    (66_000, 68_000, "A fox runs across the gravel."),
    (96_000, 98_500, "Ruth puts the lantern down."),
)
BRITISH: tuple[Line, ...] = (
    (6_500, 8_500, "Ruth goes to the door and opens it."),
    (21_500, 23_000, "It is raining on the roof."),
    (37_000, 39_000, "With a lantern she looks out into the yard."),
    (66_500, 68_500, "A fox crosses the gravel."),
    (97_000, 98_000, "The lantern stands on the floor."),
)


def clock(ms: int, mark: str = ",") -> str:
    """A time as SRT has it, or WebVTT by another mark."""
    return f"{ms // 3_600_000:02d}:{ms // 60_000 % 60:02d}:{ms // 1000 % 60:02d}{mark}{ms % 1000:03d}"


def srt(lines: Sequence[Line]) -> str:
    """Lines as SubRip."""
    return "".join(f"{n}\n{clock(a)} --> {clock(b)}\n{text}\n\n" for n, (a, b, text) in enumerate(lines, 1))


def vtt(lines: Sequence[Line]) -> str:
    """Lines as WebVTT."""
    return "WEBVTT\n\n" + "".join(f"{clock(a, '.')} --> {clock(b, '.')}\n{text}\n\n" for a, b, text in lines)


def generated_csv(lines: Sequence[Line], film: str = "tt1") -> str:
    """Lines as AutoAD-Zero writes them."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["", "vid", "start", "end", "text_gt", "text_gen"])
    rows.writerows([n, film, a / 1000, b / 1000, "unseen", text] for n, (a, b, text) in enumerate(lines))
    return written.getvalue()


def generated_json(lines: Sequence[Line]) -> str:
    """Lines as the benchmark's generation file."""
    return json.dumps(
        {str(n): {"start": a / 1000, "end": b / 1000, "text": text} for n, (a, b, text) in enumerate(lines, 1)}
    )


def moved(lines: Sequence[Line], by: int) -> list[Line]:
    """Lines, all later by so many milliseconds."""
    return [(a + by, b + by, text) for a, b, text in lines]


def write(path: Path, text: str | bytes) -> Path:
    """A file with a text."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def film_files(folder: Path, *systems: ScriptFile, **other: object) -> FilmFiles:
    """The film as files in a folder: subtitles and both references; what else is given replaces what it has."""
    given: dict[str, object] = {
        "name": "film",
        "subtitles": write(folder / "film.srt", srt(DIALOGUE)),
        "end": 4 * MINUTE,
        "references": (
            ScriptFile("american", write(folder / "american.vtt", vtt(AMERICAN))),
            ScriptFile("british", write(folder / "british.srt", srt(BRITISH))),
        ),
        "systems": systems,
    }
    return FilmFiles(**{**given, **other})  # type: ignore[arg-type] - as the tests give it
