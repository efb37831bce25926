"""Files of sequences, the scenes of projects, and films without either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.script import Scene, Script, Sequence
from adstudio.core.timebase import Span
from adstudio.evaluation.material import FilmSequence, SequenceSource
from adstudio.evaluation.sequence_files import covering, project_sequences, read_sequences

YARD, HOUSE = FilmSequence("Yard", Span(0, 60_000)), FilmSequence("House", Span(60_000, 90_500))


def written(folder: Path, text: str | bytes, name: str = "parts.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def as_json(*rows: tuple[object, object, object]) -> str:
    parts = [dict(zip(("name", "start", "end"), row, strict=True)) for row in rows]
    return json.dumps({"format": "adstudio-sequences/1", "sequences": parts})


@pytest.mark.parametrize(
    "text",
    [
        "name,start,end\nYard,0,60\nHouse,60,90.5\n",
        "Yard,0,1:00\nHouse,0:01:00,00:01:30.500\n",
        "\ufeffName;Start;End\r\nHouse;60;90,5\r\nYard;0;60\r\n",
        'name\tstart\tend\n"Yard"\t0.0\t60.0\n\nHouse\t60\t90.5\n',
        as_json(("House", 60, 90.5), ("Yard", 0, 60)),
    ],
)
def test_forms_of_a_file_of_sequences(tmp_path: Path, text: str) -> None:
    assert read_sequences(written(tmp_path, text)) == (YARD, HOUSE)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "has no sequence"),
        ("name,start,end\n", "has no sequence"),
        ("Yard,0\n", "line 1: 2 columns, not 3"),
        ("name,start,end\nYard,zero,60\n", "line 2: “zero” is not a time"),
        ("name,start,end\nYard,0,60\nHouse,x,90\n", "line 3: “x” is not a time"),
        ("Yard,60,60\n", "ends (60) before it starts"),
        ("Yard,0,60\nHouse,50,90\n", "the sequences “Yard” (to 00:01:00.000) and “House” (from 00:00:50.000) overlap"),
        ("Yard,0,60\nYard,60,90\n", "two sequences are called “Yard”"),
        ("{}", "missing key “format”"),
        ('{"format": "adstudio-sequences/2", "sequences": []}', "expected “adstudio-sequences/1”"),
        (as_json(), "has no sequence"),
        (as_json(("Yard", 2, 1)), "before it starts"),
        (as_json(("", 0, 1)), "empty string"),
        (b"\x00\x01\x02\x03" * 100, "parts.csv"),
        ('Yard,0,"60\n' + "x" * 200_000, "line"),
    ],
)
def test_what_is_no_file_of_sequences(tmp_path: Path, text: str | bytes, part: str) -> None:
    with pytest.raises(BadInputError) as raised:
        read_sequences(written(tmp_path, text))
    message = str(raised.value)
    assert part in message
    assert "parts.csv" in message
    assert len(message) < 600


def test_sequences_are_made_to_cover_the_film_and_that_is_told() -> None:
    parts = (FilmSequence("a", Span(5_000, 10_000)), FilmSequence("b", Span(20_000, 30_000)))
    found, notes = covering(parts, 40_000)
    assert [each.span for each in found] == [Span(0, 20_000), Span(20_000, 40_000)]
    assert notes == (
        "no sequence covers 00:00:00.000 to 00:00:05.000, and 2 more: that belongs to the sequence beside it",
    )
    assert covering((YARD, HOUSE), 90_500) == ((YARD, HOUSE), ())


def test_sequences_after_the_end_are_left_out_and_a_longer_one_ends_with_the_film() -> None:
    found, notes = covering((YARD, HOUSE), 50_000)
    assert found == (FilmSequence("Yard", Span(0, 50_000)),)
    assert notes == ("1 of its sequences begins after the film’s end (00:00:50.000): left out",)
    assert covering((), 1_000) == ((FilmSequence("film", Span(0, 1_000)),), ())


def project(*scenes: Scene) -> Script:
    groups = (Sequence("q1", "Arrival"), Sequence("q2", "Arrival"), Sequence("q3", ""))
    return Script(Film("film", 100), sequences=groups, scenes=scenes)


def test_a_project_gives_its_groups_of_scenes_else_its_scenes() -> None:
    spans = [Span(at, at + 10) for at in range(0, 40, 10)]
    titles = ("Yard", "House", "House", "")
    scenes = [Scene(f"s{n}", span, title) for n, (span, title) in enumerate(zip(spans, titles, strict=True))]
    found, source = project_sequences(project(*scenes))
    assert source is SequenceSource.SCENES
    assert [each.name for each in found] == ["Yard", "House 2", "House 3", "4"]
    grouped = [Scene(s.id, s.span, s.title, q) for s, q in zip(scenes, ("q1", "q1", "q2", "q3"), strict=True)]
    found, source = project_sequences(project(*grouped))
    assert source is SequenceSource.FILE
    assert [(each.name, each.span) for each in found] == [
        ("Arrival 1", Span(0, 20)),
        ("Arrival 2", Span(20, 30)),
        ("3", Span(30, 40)),
    ]
    assert project_sequences(project()) == ((), SequenceSource.FILM)
