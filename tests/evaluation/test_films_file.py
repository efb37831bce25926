"""Files of several films."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import RATES
from adstudio.evaluation.films_file import read_films
from adstudio.evaluation.request import FilmFiles, ScriptFile


def read(folder: Path, *films: object, form: str = "adstudio-films/1") -> tuple[FilmFiles, ...]:
    path = folder / "films.json"
    path.write_text(json.dumps({"format": form, "films": films}), "utf-8")
    return read_films(path)


def test_a_film_has_all_that_options_say_of_one(tmp_path: Path) -> None:
    whole = {
        "name": "24",
        "subtitles": "24.srt",
        "encoding": "utf-8",
        "video": "24.mp4",
        "end": 2538.5,
        "sequences": "parts/24.csv",
        "frame_rate": "23.976",
        "start_timecode": "01:00:00:00",
        "without_dialogue": True,
        "references": {"american": "us.srt", "british": {"file": "uk.srt", "shift": -3.5, "speed": 25}},
        "systems": {"model": str(tmp_path / "else" / "out.json")},
    }
    (found,) = read(tmp_path, whole)
    assert found == FilmFiles(
        "24",
        (
            ScriptFile("american", tmp_path / "us.srt"),
            ScriptFile("british", tmp_path / "uk.srt", -3_500, RATES["25"]),
        ),
        (ScriptFile("model", tmp_path / "else" / "out.json"),),
        tmp_path / "24.srt",
        "utf-8",
        tmp_path / "24.mp4",
        2_538_500,
        tmp_path / "parts" / "24.csv",
        RATES["23.976"],
        "01:00:00:00",
        without_dialogue=True,
    )


def test_what_may_be_left_out(tmp_path: Path) -> None:
    (found,) = read(tmp_path, {"name": "x", "references": {"a": "a.srt"}})
    assert found == FilmFiles("x", (ScriptFile("a", tmp_path / "a.srt"),))


SOUND = {"name": "x", "references": {"a": "a.srt"}}


@pytest.mark.parametrize(
    ("film", "part"),
    [
        ({"references": {"a": "a.srt"}}, "missing key “name”"),
        ({"name": "x"}, "missing key “references”"),
        ({**SOUND, "colour": 1}, "unknown key “colour”"),
        ({**SOUND, "end": 0}, "films[0].end"),
        ({**SOUND, "end": "1:00"}, "expected a number"),
        ({**SOUND, "frame_rate": "26"}, "“26” is not a standard frame rate"),
        ({**SOUND, "references": ["a.srt"]}, "expected an object"),
        ({**SOUND, "references": {"a": 1}}, "expected an object"),
        ({**SOUND, "references": {"": "a.srt"}}, "empty string"),
        ({**SOUND, "references": {"a\nb": "a.srt"}}, "one line"),
        ({**SOUND, "references": {"a": "a\0.srt"}}, "null character"),
        ({**SOUND, "references": {str(n): "a.srt" for n in range(101)}}, "at most 100"),
    ],
)
def test_what_is_no_film(tmp_path: Path, film: object, part: str) -> None:
    with pytest.raises(BadInputError) as raised:
        read(tmp_path, film)
    assert part in str(raised.value)
    assert "films.json" in str(raised.value)


def test_a_file_of_films_as_a_whole(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="two films are called “x”"):
        read(tmp_path, SOUND, SOUND)
    with pytest.raises(BadInputError, match="expected “adstudio-films/1”"):
        read(tmp_path, SOUND, form="adstudio-films/2")
    with pytest.raises(BadInputError, match="0 items"):
        read(tmp_path)
